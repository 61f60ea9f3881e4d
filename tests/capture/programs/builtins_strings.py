"""str, bytes: methods, formatting, errors."""
# ruff: noqa: F507, F524, F525, FLY002, PLE1307, RUF016

from tests.capture.harness import program, tensor


@program(tensor(2), "Hello World", graphs=1, changed=[(tensor(2), "abc")])
def cases(x, s):
    return x + len(s), s.upper(), s.lower(), s.title(), s.swapcase(), s.capitalize(), s.casefold()


@program(tensor(2), "a,b,,c", graphs=1)
def splitting(x, s):
    return (
        x + 1,
        s.split(","),
        s.split(",", 1),
        s.rsplit(",", maxsplit=1),
        s.partition(","),
        s.rpartition(","),
        "a b  c".split(),
        "a\nb\r\nc".splitlines(),
        "a\nb".splitlines(keepends=True),
    )


@program(tensor(2), graphs=1)
def searching(x):
    s = "abcabc"
    return (
        x + s.find("c"),
        s.rfind("c"),
        s.index("b"),
        s.rindex("b"),
        s.count("a"),
        s.find("z"),
        s.find("c", 3),
        s.startswith("ab"),
        s.endswith(("x", "bc")),
        "b" in s,
        "z" not in s,
    )


@program(tensor(2), graphs=1)
def changing(x):
    return (
        x + 1,
        " a ".strip(),
        "xxaxx".strip("x"),
        "xa".lstrip("x"),
        "ax".rstrip("x"),
        "aXa".replace("a", "b"),
        "aaa".replace("a", "b", 1),
        "abc".removeprefix("a"),
        "abc".removesuffix("c"),
        "a\tb".expandtabs(4),
        "abc".translate({97: "x", 98: None}),
        "ab".translate(str.maketrans("ab", "cd")),
        "5".zfill(3),
        "a".center(5, "*"),
        "a".ljust(3) + "|",
        "a".rjust(3),
    )


@program(tensor(2), graphs=1)
def asking(x):
    return x + 1, [
        "a1".isalnum(),
        "a".isalpha(),
        "1".isdigit(),
        "1".isdecimal(),
        "½".isnumeric(),
        "a".islower(),
        "A".isupper(),
        " ".isspace(),
        "Aa".istitle(),
        "a_1".isidentifier(),
        "a".isprintable(),
        "é".isascii(),
    ]


@program(tensor(2), ["a", "b"], graphs=1)
def joining(x, parts):
    return (
        x + 1,
        "-".join(parts),
        "".join(c for c in "abc"),
        ", ".join(map(str, [1, 2])),
        "x".join(()),
        "".join({"k": 1}),
        b"-".join([b"a", b"b"]),
    )


@program(tensor(2), 3, "abc", graphs=1)
def formatted(x, n, s):
    return (
        x + 1,
        f"{n} {s!r:>8} {n:03d} {1.5:.3f} {n=}",
        "{} {}".format(n, s),
        "{1} {0} {name}".format(n, s, name="q"),
        "{0[1]} {a.real}".format([1, 2], a=3),
        "{:>{w}}".format(s, w=6),
        "%d %s %r %5.2f %%" % (n, s, s, 1.5),
        "%(a)s" % {"a": 1},
        "{a}".format_map({"a": 5}),
        format(n, "b"),
        format(1234567, ","),
        "{!r}".format(s),
    )


class Named:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"<{self.name}>"

    def __repr__(self):
        return f"Named({self.name!r})"

    def __format__(self, spec):
        return f"[{self.name}:{spec}]"


class Plain:
    def __repr__(self):
        return "plain"


@program(tensor(2), graphs=1)
def formatted_objects(x):
    n, p = Named("q"), Plain()
    return (
        x + 1,
        f"{n} {n!s} {n!r} {n:>5} {p} {p!r}",
        "{} {!r} {:x} {.name} {p}".format(n, n, n, n, p=p),
        "%s %r %s" % (n, n, p),
        "%s" % p,
        "%(n)s" % {"n": n},
        "{n}".format_map({"n": n}),
        str(n),
        repr(n),
        str([n]),
        f"{[n]}",
        "{0[k]}".format({"k": n}),
        "a" + str(p),
        format(p),
        format(n, "z"),
    )


@program(tensor(2), graphs=1)
def operators(x):
    s = "ab"
    s += "c"
    s *= 2
    return x + 1, s, s[0], s[-1], s[1:4], s[::-1], "a" < "b", "a" == "a", "a" != 1, 3 * "x", "ab", min("hello")


@program(tensor(2), "héllo", graphs=1)
def encoding(x, s):
    b = s.encode()
    return (
        x + len(b),
        b,
        b.decode("utf-8"),
        s.encode("ascii", "replace"),
        s.encode("latin-1"),
        str(b, "utf8"),
        bytes("a", "ascii"),
    )


@program(tensor(2), b"abc", graphs=1)
def byte_strings(x, b):
    return (
        x + b[0],
        b[1:],
        b.upper(),
        b.hex(),
        bytes.fromhex("0aff"),
        list(b),
        b.find(b"c"),
        b + b"d",
        b * 2,
        b"%d" % 5,
        b.split(b"b"),
        97 in b,
        bytes(3),
        bytes([1, 2]),
        b.startswith(b"a"),
        int.from_bytes(b, "big"),
        (300).to_bytes(2, "little"),
        b.decode(),
        repr(b),
    )


@program(tensor(2), graphs=1)
def iteration(x):
    it = iter("abc")
    next(it)
    bi = iter(b"xyz")
    next(bi)
    return x + 1, list("ab"), [c for c in "xyz"], list(enumerate("ab")), it, bi, list(reversed("abc")), reversed("abc")


@program(tensor(2), graphs=1)
def conversions(x):
    return (
        x + 1,
        str(1),
        str(1.5),
        str(None),
        str(True),
        str(int),
        repr("a'b"),
        ascii("é"),
        chr(97),
        ord("a"),
        str(b"x"),
    )


@program(tensor(2), graphs=1)
def errors(x):
    said = []
    for attempt in (
        lambda: "abc"[10],
        lambda: "abc"["a"],
        lambda: "a" + 1,
        lambda: 1 + "a",
        lambda: "a" + None,
        lambda: "a" + [],
        lambda: [] + "a",
        lambda: "a" * "b",
        lambda: "a" < 1,
        lambda: "a" - "b",
        lambda: "abc".index("z"),
        lambda: ",".join([1]),
        lambda: ",".join(5),
        lambda: ",".join(["a", None]),
        lambda: "{}".format(),
        lambda: "{a}".format(),
        lambda: "{} {1}".format(1, 2),
        lambda: "%d" % "a",
        lambda: "%s %s" % (1,),
        lambda: "%s" % (1, 2),
        lambda: int("x"),
        lambda: "a".upper(1),
        lambda: "a".replace("a"),
        lambda: "a".split(1),
        lambda: 1 in "abc",
        lambda: b"a" + "a",
        lambda: ord("ab"),
        lambda: chr(-1),
        lambda: format(1, "z"),
        lambda: "a".center("x"),
        lambda: "a".zzz,
        lambda: str(1, 2, 3, 4),
        lambda: -"a",
        lambda: len(5),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), graphs=1)
def comparison_with_objects(x):
    return x + 1, "a" == Plain(), "a" != Plain(), 1 == Plain(), Plain() == "a", "a" == ["a"], "a" in ["a", Plain()]
