"""Random programs as source text.

A program is a module: globals, a class, and a function `program(x, y, n, f, items, other, table)` of a few
statements. What is drawn first is simplest, so that hypothesis shrinks to something a person can read. Loops have
bounds and names are bound before they are used, nearly always.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HEADER = """\
import torch

total = 0
log = []
settings = {"a": 1, "b": 2}


class Box:
    made = 0

    def __init__(self, value):
        self.value = value
        self.history = []

    def bump(self, by=1):
        self.history.append(by)
        self.value = self.value + by
        return self.value

    @property
    def double(self):
        return self.value * 2

    @classmethod
    def count(cls):
        cls.made += 1
        return cls.made

    def __add__(self, other):
        return Box(self.value + (other.value if isinstance(other, Box) else other))

    def __eq__(self, other):
        return isinstance(other, Box) and self.value == other.value

    def __len__(self):
        return len(self.history)

    def __enter__(self):
        self.history.append("in")
        return self.value

    def __exit__(self, kind, error, traceback):
        self.history.append("out" if kind is None else kind.__name__)
        return kind is KeyError


class Loud(Box):
    def bump(self, by=1):
        log.append(by)
        return super().bump(by) + 1


def helper(a, b=2, *rest, c=3, **more):
    return a + b * c + len(rest) - len(more)


def countdown(start):
    while start > 0:
        got = yield start
        start -= 1 if got is None else got
    return start


shared, spare = Loud(1), Box(2)


def set_total(value):
    global total
    total = value


"""

PARAMETERS = "x, y, n, f, items, other, table"
SMALL = st.integers(-3, 6)


class Scope:
    """The names bound so far, by what they are bound to."""

    def __init__(self, names: dict[str, list[str]], loops: int = 0, function: bool = False) -> None:
        self.names = names
        self.loops = loops
        self.function = function

    def inner(self, loops: int = 0, function: bool = False) -> Scope:
        return Scope({kind: list(found) for kind, found in self.names.items()}, self.loops + loops, function)

    def bind(self, kind: str, name: str) -> None:
        for other, found in self.names.items():
            if other != kind and name in found:
                found.remove(name)
        if name not in self.names[kind]:
            self.names[kind].append(name)


class Writer:
    """Writes one program from draws."""

    def __init__(self, draw: Any, breaks: bool) -> None:
        self.draw = draw
        self.breaks = breaks
        self.made = 0
        self.budget = 14

    # ---- Choices

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def small(self) -> int:
        return int(self.draw(SMALL))

    def chance(self, often: int) -> bool:
        return int(self.draw(st.integers(0, often))) == often

    def name(self, prefix: str) -> str:
        self.made += 1
        return f"{prefix}{self.made}"

    def risky(self, bold: str, careful: str) -> str:
        """Something that may raise, seldom; else something that does not, with `@` for the first."""
        return bold if self.chance(6) else careful.replace("@", bold)

    def of(self, scope: Scope, kind: str) -> str:
        return str(self.pick(*scope.names[kind]))

    # ---- Expressions

    def integer(self, scope: Scope, depth: int = 2) -> str:
        if depth == 0 or not self.chance(2):
            return self.pick(self.of(scope, "int"), str(self.small()))
        deeper = depth - 1
        choice = self.draw(st.integers(0, 13))
        a = self.integer(scope, deeper)
        if choice <= 2:
            return f"({a} {self.pick('+', '-', '*')} {self.integer(scope, deeper)})"
        if choice == 3:
            return f"({a} {self.pick('//', '%')} {self.risky(self.integer(scope, 0), '(@ or 1)')})"
        if choice == 4:
            return f"len({self.of(scope, self.pick('list', 'dict'))})"
        if choice == 5:
            return f"sum({self.of(scope, 'list')})"
        if choice == 6:
            numbers = self.of(scope, "list")
            return self.risky(f"{numbers}[{self.small()}]", f"({numbers}[0] if {numbers} else {a})")
        if choice == 7:
            return f"{self.of(scope, 'dict')}.get({self.pick('a', 'b', 'z')!r}, {a})"
        if choice == 8:
            mapping = self.of(scope, "dict")
            return self.risky(f"{mapping}[{self.pick('a', 'b', 'z')!r}]", f"sum({mapping}.values())")
        if choice == 9:
            return f"({a} if {self.condition(scope, deeper)} else {self.integer(scope, deeper)})"
        if choice == 10:
            return self.call(scope, a, deeper)
        if choice == 11:
            return f"{self.of(scope, 'box')}.{self.pick('value', 'double', 'bump()', f'bump({a})')}"
        if choice == 12:
            return f"{self.pick('max', 'min')}({a}, {self.integer(scope, deeper)})"
        return self.pick(
            f"functools.reduce(lambda p, q: p + q, {self.of(scope, 'list')}, {a})",
            "total",
            "Box.count()",
            "len(log)",
            "settings['a']",
            f"abs({a})",
            f"int({a} > 0)",
        )

    def call(self, scope: Scope, a: str, depth: int) -> str:
        if scope.names["function"] and self.chance(1):
            return f"{self.of(scope, 'function')}({a})"
        b = self.integer(scope, depth)
        forms = (
            f"{a}",
            f"{a}, {b}",
            f"{a}, {b}, 1, c={b}",
            f"*[{a}, {b}]",
            f"{a}, **{{'c': {b}, 'd': 0}}",
            f"b={b}, a={a}",
        )
        return f"helper({self.pick(*forms)})"

    def condition(self, scope: Scope, depth: int = 1) -> str:
        a = self.integer(scope, depth)
        options = (
            f"{a} {self.pick('>', '<', '==', '!=', '>=')} {self.integer(scope, 0)}",
            f"{a} in {self.of(scope, 'list')}",
            f"{self.pick('a', 'z')!r} not in {self.of(scope, 'dict')}",
            f"{self.of(scope, 'list')} is {self.of(scope, 'list')}",
            f"{self.of(scope, 'list')} == {self.of(scope, 'list')}",
            f"{a} > 0 and {self.of(scope, 'list')}",
            f"not {a} or isinstance({self.of(scope, 'box')}, Loud)",
            f"0 <= {a} < 4",
            f"{self.of(scope, 'box')} == {self.of(scope, 'box')}",
        )
        return str(self.pick(*options))

    def tensor(self, scope: Scope, depth: int = 2) -> str:
        a = self.of(scope, "tensor")
        if depth == 0:
            return a
        choice = self.draw(st.integers(0, 7))
        if choice <= 2:
            right = self.pick(self.integer(scope, 1), self.of(scope, "float"), self.tensor(scope, depth - 1))
            return f"({self.pick('{0} {1} {2}', '{2} {1} {0}').format(a, self.pick('+', '-', '*'), right)})"
        if choice == 3:
            return f"{a}.{self.pick('abs()', 'sum()', 'clamp(-2, 2)', 'detach()', 'clone()', 'flip(0)')}"
        if choice == 4:
            return f"torch.{self.pick('relu', 'neg', 'square')}({self.tensor(scope, depth - 1)})"
        if choice == 5:
            other = self.tensor(scope, depth - 1)
            return f"torch.where({a} > {self.integer(scope, 0)}, {other}, {self.of(scope, 'tensor')})"
        if choice == 6:
            return f"{a} * {a}.shape[0]"
        return f"torch.stack([{a}.sum(), {self.tensor(scope, depth - 1)}.sum()])"

    def numbers(self, scope: Scope) -> str:
        """A list of integers."""
        source = self.of(scope, "list")
        inner = scope.inner()
        inner.bind("int", "k")
        return str(
            self.pick(
                f"[{self.integer(scope, 1)}, {self.integer(scope, 1)}]",
                f"[{self.integer(inner, 1)} for k in {source}]",
                f"[k for k in {source} if {self.condition(inner)}]",
                f"{source}[{self.pick('1:', ':-1', '::2', '::-1', ':')}]",
                f"sorted({source}, reverse={self.pick(True, False)})",
                f"list(range({self.small()}))",
                f"{source} + {self.of(scope, 'list')}",
                f"[*{source}, {self.integer(scope, 1)}]",
                f"list(countdown({self.small()}))",
                f"[i * k for i, k in enumerate({source})]",
                f"[a + b for a, b in zip({source}, {self.of(scope, 'list')})]",
                f"list(map(lambda k: {self.integer(inner, 1)}, {source}))",
                f"list({self.of(scope, 'dict')}.values())",
                f"sorted({{k % 3 for k in {source}}})",
                f"list(itertools.chain({source}, {self.of(scope, 'list')}))",
                f"list(itertools.accumulate({source}))",
                f"list(itertools.islice(itertools.cycle([*{source}, 1]), 5))",
                f"list(map(functools.partial(helper, {self.integer(scope, 0)}), {source}))",
                f"copy.deepcopy({source})",
                f"[*reversed({source})]",
                f"list(filter(lambda k: {self.condition(inner, 0)}, {source}))",
            )
        )

    def mapping(self, scope: Scope) -> str:
        source = self.of(scope, "list")
        inner = scope.inner()
        inner.bind("int", "k")
        return str(
            self.pick(
                f"{{'a': {self.integer(scope, 1)}, 'z': {self.integer(scope, 1)}}}",
                f"{{str(k): {self.integer(inner, 1)} for k in {source}}}",
                f"dict({self.of(scope, 'dict')}, b={self.integer(scope, 1)})",
                f"{self.of(scope, 'dict')} | {{'z': {self.integer(scope, 0)}}}",
                f"{self.of(scope, 'dict')}.copy()",
                f"dict(zip('abz', {source}))",
            )
        )

    # ---- Statements

    def block(self, scope: Scope, depth: int, most: int = 4) -> list[str]:
        lines: list[str] = []
        for _ in range(self.draw(st.integers(1, most))):
            if self.budget <= 0:
                break
            self.budget -= 1
            lines += self.statement(scope, depth)
        return lines or ["pass"]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        simple = [self.assign, self.augment, self.mutate, self.mutate_state, self.unpack, self.generate]
        nested = [self.branch, self.loop, self.attempt, self.define, self.manage, self.repeat]
        if self.breaks:
            simple.append(self.leave)
        writers = simple + nested if depth else simple
        if scope.loops and self.chance(6):
            return [f"if {self.condition(scope)}:", f"    {self.pick('break', 'continue')}"]
        return list(self.pick(*writers)(scope, depth))

    def assign(self, scope: Scope, depth: int) -> list[str]:
        kind = self.pick("tensor", "int", "list", "dict", "float", "box")
        makers = {
            "tensor": self.tensor,
            "int": self.integer,
            "list": self.numbers,
            "dict": self.mapping,
            "float": lambda scope: (
                f"({self.of(scope, 'float')} {self.pick('+', '*', '-')} {self.pick(0.5, 2.0, -1.5)})"
            ),
            "box": lambda scope: self.pick(
                f"Box({self.integer(scope)})",
                f"Loud({self.integer(scope)})",
                self.of(scope, "box"),
                f"{self.of(scope, 'box')} + {self.integer(scope, 0)}",
            ),
        }
        text = makers[kind](scope)
        old = self.of(scope, kind)
        name = old if self.chance(2) and not scope.function and kind != "box" else self.name(kind[0])
        scope.bind(kind, name)
        if kind == "list" and self.chance(3):
            alias = self.name("alias")
            scope.bind("list", alias)
            return [f"{name} = {alias} = {text}"]
        return [f"{name} = {text}"]

    def augment(self, scope: Scope, depth: int) -> list[str]:
        if scope.function:
            return [f"log.append({self.integer(scope)})"]
        kind = self.pick("tensor", "int", "list", "float")
        name = self.of(scope, kind)
        if kind == "tensor":
            return [
                f"{name} = {name} {self.pick('+', '-', '*')} "
                + self.pick(self.integer(scope, 1), self.of(scope, "float"))
            ]
        if kind == "list":
            return [f"{name} += [{self.integer(scope)}]"]
        if kind == "float":
            return [f"{name} {self.pick('+=', '*=')} 0.5"]
        return [f"{name} {self.pick('+=', '-=', '*=')} {self.integer(scope)}"]

    def mutate(self, scope: Scope, depth: int) -> list[str]:
        numbers, mapping, value = self.of(scope, "list"), self.of(scope, "dict"), self.integer(scope)
        box = self.of(scope, "box")
        return [
            self.pick(
                f"{numbers}.append({value})",
                self.risky(f"{numbers}[{self.small()}] = {value}", f"{numbers}[:1] = [{value}]"),
                self.risky(f"{numbers}.pop()", f"{numbers} and {numbers}.pop()"),
                f"{numbers}.extend([{value}, 1])",
                f"{numbers}.insert(0, {value})",
                f"{numbers}.reverse()",
                f"{numbers}.sort()",
                f"{numbers}[1:2] = [{value}, {value}]",
                f"del {numbers}[{self.risky('0', ':1')}]",
                f"{numbers}.clear()",
                f"{mapping}[{self.pick('a', 'b', 'z')!r}] = {value}",
                f"{mapping}.update(b={value})",
                f"{mapping}.setdefault({self.pick('a', 'z')!r}, {value})",
                f"{mapping}.pop({self.pick('a', 'b', 'z')!r}, None)",
                f"{box}.value = {value}",
                f"{box}.history.append({value})",
                f"{box}.bump({value})",
                f"{box}.extra = {value}",
            )
        ]

    def mutate_state(self, scope: Scope, depth: int) -> list[str]:
        value = self.integer(scope)
        return [
            self.pick(
                f"log.append({value})",
                f"settings['a'] = {value}",
                f"settings[{self.pick('b', 'new')!r}] = {self.of(scope, 'list')}",
                f"Box.made = {value}",
                f"set_total({value})",
                f"log.append({self.of(scope, 'tensor')})",
                f"{self.of(scope, 'box')}.kept = {self.of(scope, 'tensor')}",
            )
        ]

    def unpack(self, scope: Scope, depth: int) -> list[str]:
        if scope.function:
            return [f"settings['b'] = {self.integer(scope)}"]
        first, second, rest = self.name("u"), self.name("u"), self.name("r")
        form = self.draw(st.integers(0, 3))
        source = self.of(scope, "list")
        text = f"{first}, {second} = {self.integer(scope)}, {self.integer(scope)}"
        if form == 1:
            text = f"{first}, *{rest} = {self.risky(source, '[*@, 1]')}"
        elif form == 2:
            pair = self.risky(source, "[*@, 1, 2][:2]")
            text = f"({first}, {second}), {self.name('u')} = {pair}, {self.integer(scope)}"
        elif form == 3:
            text = f"*{rest}, {first} = {self.risky(source, '[*@, 1]')}"
        scope.bind("int", first)
        if form in (0, 2):
            scope.bind("int", second)
        else:
            scope.bind("list", rest)
        return [text]

    def generate(self, scope: Scope, depth: int) -> list[str]:
        name, value = self.name("g"), self.name("v")
        source = self.of(scope, "list")
        inner = scope.inner()
        inner.bind("int", "k")
        lines = [
            f"{name} = "
            + self.pick(
                f"({self.integer(inner, 1)} for k in {source})", f"countdown({self.small()})", f"iter({source})"
            )
        ]
        lines.append(
            f"{value} = "
            + self.pick(
                f"next({name}, 0)", f"sum({name})", f"next({name}, 0) + sum({name})", f"len([*{name}])", f"any({name})"
            )
        )
        scope.bind("int", value)
        return lines

    def leave(self, scope: Scope, depth: int) -> list[str]:
        """Something that Python itself has to do."""
        return [
            self.pick(
                f"print({self.integer(scope)})",
                f"print({self.of(scope, 'list')})",
                f"print({self.of(scope, 'tensor')}.sum().item())",
            )
        ]

    def branch(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"if {self.condition(scope)}:", *_indented(self.block(scope.inner(), depth - 1))]
        if self.chance(1):
            lines += ["else:", *_indented(self.block(scope.inner(), depth - 1))]
        return lines

    def loop(self, scope: Scope, depth: int) -> list[str]:
        inner = scope.inner(loops=1)
        item = self.name("i")
        inner.bind("int", item)
        head = self.pick(
            f"for {item} in range({self.draw(st.integers(0, 4))}):",
            f"for {item} in {self.of(scope, 'list')}[:4]:",
            f"for {item} in list({self.of(scope, 'dict')}.values()):",
            f"for {item} in countdown({self.draw(st.integers(0, 4))}):",
            f"for _, {item} in enumerate({self.of(scope, 'list')}[:3], 1):",
        )
        lines = [head, *_indented(self.block(inner, depth - 1, 3))]
        if self.chance(4):
            lines += ["else:", f"    log.append({self.integer(scope, 0)})"]
        return lines

    def repeat(self, scope: Scope, depth: int) -> list[str]:
        counter = self.name("w")
        inner = scope.inner(loops=1)
        body = [f"{counter} -= 1", *self.block(inner, depth - 1, 3)]
        return [f"{counter} = {self.draw(st.integers(0, 4))}", f"while {counter} > 0:", *_indented(body)]

    def attempt(self, scope: Scope, depth: int) -> list[str]:
        error = self.name("e")
        raising = self.pick(
            f"raise ValueError({self.integer(scope)})",
            f"{self.of(scope, 'dict')}['missing']",
            f"{self.of(scope, 'list')}[99]",
            f"1 // {self.integer(scope, 0)}",
            f"if {self.condition(scope)}: raise KeyError({self.integer(scope, 0)})",
            f"{self.of(scope, 'box')}.missing",
        )
        body = self.block(scope.inner(), depth - 1, 3)
        body.insert(self.draw(st.integers(0, 1)) * len(body), raising)
        kinds = self.pick("Exception", "ValueError", "(KeyError, IndexError)", "ZeroDivisionError", "LookupError")
        lines = ["try:", *_indented(body), f"except {kinds} as {error}:"]
        handler = [f"log.append((type({error}).__name__, {error}.args))", *self.block(scope.inner(), depth - 1, 2)]
        if self.chance(5):
            handler.append(self.pick("raise", f"raise TypeError(1) from {error}"))
        lines += _indented(handler)
        if self.chance(3):
            lines += ["else:", *_indented(self.block(scope.inner(), depth - 1, 2))]
        if self.chance(2):
            lines += ["finally:", *_indented(self.block(scope.inner(), depth - 1, 2))]
        return lines

    def define(self, scope: Scope, depth: int) -> list[str]:
        name, kept = self.name("fn"), self.name("c")
        inner = scope.inner(function=True)
        inner.loops = 0
        inner.bind("int", "p")
        inner.bind("int", kept)
        head = [f"{kept} = {self.integer(scope, 0)}", f"def {name}(p, q={self.integer(scope, 0)}):"]
        body = [f"nonlocal {kept}", f"{kept} += p", *self.block(inner, 0, 2), f"return {self.integer(inner)} + q"]
        scope.bind("int", kept)
        scope.bind("function", name)
        result = self.name("v")
        call = f"{result} = {name}({self.integer(scope, 1)})"
        scope.bind("int", result)
        return [*head, *_indented(body), call]

    def manage(self, scope: Scope, depth: int) -> list[str]:
        value = self.name("v")
        inner = scope.inner()
        inner.bind("int", value)
        return [f"with {self.of(scope, 'box')} as {value}:", *_indented(self.block(inner, depth - 1, 3))]

    # ---- The whole

    def program(self) -> str:
        scope = Scope(
            {
                "tensor": ["x", "y"],
                "int": ["n"],
                "float": ["f"],
                "list": ["items", "other"],
                "dict": ["table"],
                "box": ["shared", "spare"],
                "function": [],
            }
        )
        body = self.block(scope, 3, 6)
        results = [self.of(scope, kind) for kind in ("int", "list", "dict", "box", "float")]
        shown = ", ".join([self.tensor(scope), *results[: self.draw(st.integers(0, len(results)))]])
        return HEADER + "\n".join([f"def program({PARAMETERS}):", *_indented(body), f"    return {shown}", ""])


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@st.composite
def programs(draw: Any, breaks: bool = False) -> str:
    """Source text of a module with a function `program`."""
    return Writer(draw, breaks).program()
