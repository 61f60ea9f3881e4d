"""re, string, textwrap, json, pprint, shlex."""

import json
import pprint
import re
import shlex
import string
import textwrap

import framelift
from tests.capture.harness import program, tensor

digits = re.compile(r"(?P<letter>[a-z])(\d+)")


@program(graphs=1)
def matching(x):
    found = re.match(r"(\d+)(\w)", "12a")
    return x + int(found.group(1)), found.groups(), found.span(), found[2], found.end(), found.string


@program(graphs=1)
def no_match(x):
    if re.match("a", "b"):
        return x
    return x + 1, re.search("z", "abc") is None, bool(re.fullmatch("a.", "ab"))


@program(graphs=1)
def functions(x):
    return (
        x + 1,
        re.sub("a", "b", "aab"),
        re.findall(r"\w", "a b"),
        re.split(",", "a,b"),
        re.subn("a", "", "banana"),
        re.escape("a.b"),
    )


@program(graphs=1)
def flags(x):
    return (
        x + 1,
        re.findall("a", "aA", re.IGNORECASE),
        re.sub("A", "b", "aA", flags=re.IGNORECASE | re.MULTILINE),
        re.sub("a", "b", "aaa", count=1),
    )


@program(graphs=1)
def patterns_from_before(x):
    found = digits.search("--a12")
    return x + 1, found.groupdict(), found["letter"], digits.pattern, digits.findall("a1b2"), found.start(2)


@program(graphs=1)
def compiled_in_the_call(x):
    pattern = re.compile("b+")
    return x + 1, pattern.sub("x", "abba"), pattern.split("abbc"), isinstance(pattern, re.Pattern)


@program(graphs=1)
def substitution_by_a_function(x):
    seen = []

    def double(found):
        seen.append(found.group())
        return found.group() * 2

    return x + 1, re.sub(r"\d", double, "a1b2"), digits.sub(lambda m: m.group(2), "a3 b4", 1), seen


@program(graphs=1)
def iteration(x):
    return (
        x + 1,
        [found.group() for found in re.finditer(r"\d", "1a2")],
        [found.span() for found in digits.finditer("a1 b2")],
    )


@program(tensor(2), "layer.12.weight", graphs=1, changed=[(tensor(2), "layer.x")])
def names_of_layers(x, name):
    found = re.search(r"\.(\d+)\.", name)
    return x * (int(found.group(1)) if found else -1)


@program(graphs=1)
def match_returned(x):
    return x + 1, re.match("a", "ab").group(), re.compile("q")


@program(graphs=1)
def bad_pattern(x):
    try:
        re.compile("(")
    except re.error as error:
        return x + 1, str(error)


@program(graphs=1)
def string_module(x):
    return x + 1, string.ascii_lowercase[:3], string.digits, string.capwords("a bc")


@program(graphs=1)
def templates(x):
    return x + 1, string.Template("$a and ${b}").substitute(a=1, b="c"), string.Formatter().format("{0}-{k}", 1, k=2)


@program(graphs=1)
def wrapping(x):
    return (
        x + 1,
        textwrap.dedent("  a\n  b"),
        textwrap.fill("aaa bbb ccc", 5),
        textwrap.indent("a\nb", "> "),
        textwrap.shorten("hello world", 8),
    )


@program(broken=None)
def matches_with_a_break_between(x):
    found = []
    for match in re.finditer("a.", "abacad"):
        framelift.graph_break()
        found.append(match.group())
    return x + 1, found


@program(broken=None)
def variables_by_name_after_a_break(x):
    early, y = 1, x + 1
    framelift.graph_break()
    late = 2
    return y, sorted(locals()), eval("early + late")


@program(graphs=1)
def json_of_literals(x):
    made = json.dumps({"a": [1, 2.5, None, True], "b": "x"}), json.dumps({"b": 1, "a": 2}, sort_keys=True, indent=2)
    read = json.loads('{"q": [1, 2, {"z": 3}]}')
    read["q"].append(4)
    try:
        json.loads("{")
    except json.JSONDecodeError as error:
        return x + len(read["q"]), made, read, str(error)


@program(graphs=1)
def pretty_and_split(x):
    return x + 1, pprint.pformat({"a": [1, 2, 3] * 10, "b": {"c": (1, 2)}}, width=30), shlex.split('a "b c"')
