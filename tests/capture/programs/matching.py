"""Pattern matching."""

from dataclasses import dataclass

from tests.capture.harness import program, tensor


@dataclass
class Point:
    x: int
    y: int = 0


class Named:
    __match_args__ = ("first", "second")

    def __init__(self, first, second):
        self.first = first
        self.second = second


def describe(value):
    match value:
        case None:
            return "none"
        case True | False:
            return "bool"
        case 0 | 1:
            return "small"
        case int(n) if n > 100:
            return f"big {n}"
        case int():
            return "int"
        case str() as text:
            return f"text {text}"
        case []:
            return "empty"
        case [single]:
            return f"one {single}"
        case [first, *rest]:
            return f"list {first} {rest}"
        case {"kind": kind, **rest}:
            return f"kind {kind} {rest}"
        case {}:
            return "mapping"
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point(x=x):
            return f"point {x}"
        case Named(a, second=b):
            return f"named {a} {b}"
        case _:
            return "other"


VALUES = [
    None, True, 0, 5, 500, "s", [], [1], [1, 2, 3], (1, 2), {"kind": 1, "more": 2}, {"a": 1},
    Point(0, 0), Point(2, 2), Point(1, 2), Named(1, 2), 2.5, {1, 2}, b"bytes",
]  # fmt: skip


@program(graphs=1)
def all_kinds(x):
    return x + 1, [describe(value) for value in VALUES]


@program(tensor(2), [1, 2], graphs=1, changed=[(tensor(2), [1]), (tensor(2), {"kind": 3}), (tensor(2), "abc")])
def of_an_argument(x, value):
    return x + 1, describe(value)


@program(graphs=1)
def of_made_objects(x):
    return x + 1, describe(Point(3, 3)), describe(Named(5, 6)), describe([x, 1])[:6] if False else None


@program(graphs=1)
def captures(x):
    match {"op": "add", "args": [1, 2, 3], "extra": None}:
        case {"op": "add", "args": [a, *rest], **others}:
            return x + a, rest, others


@program(graphs=1)
def nested_patterns(x):
    match [Point(1, 2), {"p": Point(3, 4)}]:
        case [Point(a, b), {"p": Point(x=c, y=d)}]:
            return x + a + b + c + d


@program(graphs=1)
def no_match_falls_through(x):
    match 5:
        case 6:
            x = x + 1
        case "5":
            x = x + 2
    return x * 3


@program(graphs=1)
def guards_see_bindings(x):
    results = []
    for pair in [(1, 1), (1, 2), (2, 1)]:
        match pair:
            case (a, b) if a == b:
                results.append("same")
            case (a, b) if a < b:
                results.append("up")
            case (a, b):
                results.append("down")
    return x + 1, results


@program(graphs=1)
def value_patterns(x):
    import math

    match 3.0:
        case math.pi:
            return x
        case 3:
            return x + 1


@program(graphs=1)
def alternatives_with_binding(x):
    match (1, "b"):
        case (0, name) | (1, name):
            return x + 1, name


@program(graphs=1)
def class_pattern_error(x):
    class Plain:
        pass

    try:
        match PLAIN:
            case PlainClass(1):
                pass
    except TypeError as error:
        return x + 1, str(error)


class PlainClass:
    pass


PLAIN = PlainClass()


@program(graphs=1)
def strings_are_no_sequences(x):
    match "ab":
        case [a, b]:
            return x
        case _:
            return x + 1


@program(graphs=1)
def tensor_in_a_pattern(x):
    match (x, 2):
        case (t, 2):
            return t + 1


@program(graphs=1)
def user_mapping_and_sequence(x):
    from collections import deque

    match MINE:
        case {"a": value}:
            return x + value


class Mine(dict):
    pass


MINE = Mine(a=3)
