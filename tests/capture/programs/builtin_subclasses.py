"""Subclasses of the built-in types, made in the call and before: every protocol of the base."""

from tests.capture.harness import program, tensor


class Text(str):
    reversed_text = None

    def backwards(self):
        if self.reversed_text is None:
            letters = list(self)
            letters.reverse()
            self.reversed_text = self.__class__("".join(letters))
        return self.reversed_text


class Bytes(bytes):
    pass


class Whole(int):
    pass


class Real(float):
    pass


class Pair(tuple):
    pass


class Row(list):
    pass


class Table(dict):
    pass


class Bag(set):
    pass


class Frozen(frozenset):
    pass


TEXT, BYTES = Text("abc"), Bytes(b"xy")


@program(tensor(2), graphs=1)
def text_iterated(x):
    text = Text("abc")
    return (
        x + 1, list(text), [letter for letter in text], tuple(text), set(Text("a")), sorted(Text("cba")),
        list(reversed(text)), list(map(str.upper, text)), list(zip(text, Text("def"))), list(enumerate(text)),
        next(iter(text)), list(filter(None, text)), list(text.__iter__()), [*text], dict.fromkeys(text),
    )  # fmt: skip


@program(tensor(2), graphs=1)
def text_used(x):
    text = Text("abc")
    return (
        x + 1, text[0], text[::-1], text.upper(), text + "d", "d" + text, text * 2, len(text), "b" in text,
        text == "abc", {text: 1}["abc"], text.split("b"), f"{text:>5}", text.join(["x", "y"]),
        type(text.strip()).__name__, bool(Text("")), text < "b", max(text), min(text), text.replace("a", "z"),
        text.encode(), ",".join(text), repr(text), text.backwards(), text.backwards() is text.backwards(),
    )  # fmt: skip


@program(tensor(2), graphs=1)
def text_unpacked(x):
    first, *rest = Text("hello")
    a, b = Text("a,b").split(",")
    return (
        x + 1,
        first,
        rest,
        a,
        b,
        any(Text("")),
        int(Text("12")),
        "abc".startswith(Text("ab")),
        sum(map(int, Text("12"))),
    )


@program(tensor(2), graphs=1)
def existing_text(x):
    return (
        x + 1, list(TEXT), [letter for letter in TEXT], list(BYTES), ",".join(TEXT), TEXT[1], list(reversed(TEXT)),
        next(iter(TEXT)), list("ab".__iter__()), list(b"ab".__iter__()),
    )  # fmt: skip


@program(tensor(2), graphs=1)
def raw_bytes(x):
    raw = Bytes(b"abc")
    return x + 1, list(raw), raw[0], raw[1:], len(raw), raw + b"d", raw.hex(), bytes(raw), sum(raw), b"b" in raw


@program(tensor(2), graphs=1)
def numbers(x):
    n, r = Whole(5), Real(2.5)
    return (
        x + 1, n + 1, n // 2, -n, list(range(n)), [0] * Whole(2), "abc"[Whole(1)], type(n + 1).__name__, {n: 1}[5],
        f"{n:03d}", abs(Whole(-3)), divmod(n, 2), bool(Whole(0)), sum([n, n]), repr(n), n + r,
        r * 2, int(r), round(r), r.is_integer(), f"{r:.2f}", r == 2.5, type(r * 2).__name__,
    )  # fmt: skip


@program(tensor(2), graphs=1)
def sequences(x):
    pair, row = Pair([1, 2, 3]), Row([3, 1, 2])
    row.append(0)
    row.sort()
    return (
        x + 1, list(pair), pair[1:], type(pair[1:]).__name__, pair + (4,), pair == (1, 2, 3), pair.index(2), sum(pair),
        list(reversed(pair)), repr(pair), row[1:], type(row[1:]).__name__, type(row + [5]).__name__, row == [0, 1, 2, 3],
        repr(row), type(row.copy()).__name__, row * 2, [*row],
    )  # fmt: skip


@program(tensor(2), graphs=1)
def mappings_and_sets(x):
    table, bag = Table(a=1), Bag([1, 2])
    table["b"] = 2
    bag.add(3)
    return (
        x + 1, dict(table), list(table), {**table}, table | {"c": 3}, type(table | {}).__name__, table == {"a": 1, "b": 2},
        repr(table), type(table.copy()).__name__, list(table.values()), set(bag), bag | {4}, type(bag | {4}).__name__,
        sorted(bag), Frozen([1]) | {2}, [*Frozen([7])], repr(Frozen([1])),
    )  # fmt: skip


@program(tensor(2), graphs=1)
def keywords_refused(x):
    told = []
    for kind in (tuple, Pair, set, Bag, frozenset, Frozen):
        try:
            kind(sequence=())
        except TypeError as error:
            told.append(str(error))
    return x + 1, told
