"""Short ways to write guard specifications and residual code by hand."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from framelift import _core


def node(accessor: str, key: Any = None, *children: Any, checks: tuple[Any, ...] = (), out: int = -1) -> Any:
    return (accessor, key, tuple(checks), children, out)


def guards(*nodes: Any, state: _core.State | None = None) -> _core.Guards:
    return _core.build_guards((state, nodes))


def path(*steps: tuple[str, Any] | str, checks: tuple[Any, ...] = (), out: int = 0) -> _core.Guards:
    """Guards that go from local 0 along `steps` and gather what is there."""
    pairs = [(step, None) if isinstance(step, str) else step for step in steps]
    if not pairs:
        return guards(node("local", 0, checks=checks, out=out))
    tree = node(*pairs[-1], checks=checks, out=out)
    for accessor, key in reversed(pairs[:-1]):
        tree = node(accessor, key, tree)
    return guards(node("local", 0, tree))


def reached(subject: Any, *steps: tuple[str, Any] | str) -> Any:
    """What the steps lead to from `subject`; None when they do not."""
    found = path(*steps).check((subject,), None)
    return None if found is None else found[0]


def holds(subject: Any, check: str, argument: Any) -> bool:
    return guards(node("local", 0, checks=((check, argument),))).check((subject,), None) is not None


def residual(function: FunctionType, inputs: tuple[str, ...], body: str) -> CodeType:
    """Code with the parameters of `function`, whose variables `inputs` nobody assigns: the guards put them there."""
    code = function.__code__
    source = f"def {code.co_name}{signature(function)}:\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    source += f"    {' = '.join(inputs)} = None\n" if inputs else ""
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    made = namespace[code.co_name].__code__
    order = made.co_varnames[: argument_slots(code)] + inputs
    assert made.co_varnames[: len(order)] == order, f"assign the inputs in order: {made.co_varnames}"
    return made


def argument_slots(code: CodeType) -> int:
    return code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)


def signature(function: FunctionType) -> str:
    """Its parameters as source, without defaults."""
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount])
    if code.co_posonlyargcount:
        names.insert(code.co_posonlyargcount, "/")
    only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount : argument_slots(code)])
    if code.co_flags & 4:
        names.append("*" + rest.pop(0))
    elif only:
        names.append("*")
    names += only
    if rest:
        names.append("**" + rest[0])
    return f"({', '.join(names)})"


class Compiling:
    """A compile call-back that makes an entry by `make(args)` or leaves the call alone when that gives None."""

    def __init__(self, make: Callable[[tuple[Any, ...]], tuple[CodeType, _core.Guards | None, int] | None]) -> None:
        self.make = make
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, code: CodeType, function: FunctionType, backend: object, args: tuple[Any, ...]) -> Any:
        self.asked.append(args)
        made = self.make(args)
        if made is None:
            return None
        replacement, program, inputs = made
        return _core.add_entry(code, replacement, backend, guards=program, inputs=inputs)


for helper in (Compiling.__call__,):
    _core.set_actions(helper.__code__, here="skip", below="skip")
