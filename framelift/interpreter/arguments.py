"""Binding call arguments to the parameters of a Python function, on symbolic values."""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, NoReturn

from framelift.values.base import Value
from framelift.values.known import Known
from framelift.values.mapping import DictValue
from framelift.values.sequence import TupleValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

VARARGS, VARKEYWORDS = 4, 8


def bind(
    m: Machine,
    code: CodeType,
    args: list[Value],
    kwargs: dict[str, Value],
    defaults: list[Value],
    kwdefaults: dict[str, Value],
    qualname: str | None = None,
) -> list[Value]:
    """The values of the argument slots, in the order of the frame; a TypeError is raised in the traced program."""
    if qualname is not None and qualname != code.co_qualname:
        code = code.replace(co_qualname=qualname)  # only for what messages call the function
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    slots: list[Value | None] = [*args[:count], *[None] * (count - len(args)), *[None] * keyword_only]
    rest = args[count:]
    if rest and not code.co_flags & VARARGS:
        _too_many(m, code, args, kwargs, defaults)
    extra = _bind_keywords(m, code, kwargs, slots)
    for index, value in enumerate(defaults, count - len(defaults)):
        if index >= 0 and slots[index] is None:
            slots[index] = value
    for index in range(count, count + keyword_only):
        if slots[index] is None:
            slots[index] = kwdefaults.get(names[index])
    _check_missing(m, code, slots)
    if code.co_flags & VARARGS:
        slots.append(TupleValue(rest, tuple))
    if code.co_flags & VARKEYWORDS:
        collected = DictValue()
        for name, value in extra.items():
            collected.put(m, Known(name), value)
        slots.append(collected)
    return slots  # type: ignore[return-value]


def _bind_keywords(m: Machine, code: CodeType, kwargs: dict[str, Value], slots: list[Value | None]) -> dict[str, Value]:
    """Put keyword arguments into their slots; gives those that belong to `**kwargs`."""
    extra: dict[str, Value] = {}
    for name, value in kwargs.items():
        index = _parameter(code.co_varnames, code.co_posonlyargcount, len(slots), name)
        if index is None:
            if not code.co_flags & VARKEYWORDS:
                _check_positional_only(m, code, kwargs)
                m.throw(TypeError, f"{code.co_qualname}() got an unexpected keyword argument {name!r}")
            extra[name] = value
        elif slots[index] is not None:
            m.throw(TypeError, f"{code.co_qualname}() got multiple values for argument {name!r}")
        else:
            slots[index] = value
    return extra


def _check_positional_only(m: Machine, code: CodeType, kwargs: dict[str, Value]) -> None:
    given = [name for name in code.co_varnames[: code.co_posonlyargcount] if name in kwargs]
    if given:
        listed = repr(", ".join(given))
        m.throw(
            TypeError,
            f"{code.co_qualname}() got some positional-only arguments passed as keyword arguments: {listed}",
        )


def _parameter(names: tuple[str, ...], first: int, end: int, name: str) -> int | None:
    for index in range(first, end):
        if names[index] == name:
            return index
    return None


def _check_missing(m: Machine, code: CodeType, slots: list[Value | None]) -> None:
    count = code.co_argcount
    for kind, start, end in (("positional", 0, count), ("keyword-only", count, len(slots))):
        missing = [repr(code.co_varnames[index]) for index in range(start, end) if slots[index] is None]
        if missing:
            arguments = "argument" if len(missing) == 1 else "arguments"
            m.throw(
                TypeError,
                f"{code.co_qualname}() missing {len(missing)} required {kind} {arguments}: {_listed(missing)}",
            )


def _listed(names: list[str]) -> str:
    if len(names) <= 2:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def _too_many(
    m: Machine, code: CodeType, args: list[Value], kwargs: dict[str, Value], defaults: list[Value]
) -> NoReturn:
    count = code.co_argcount
    takes = f"from {count - len(defaults)} to {count}" if defaults else str(count)
    plural = "" if count == 1 and not defaults else "s"
    keyword_only = code.co_varnames[count : count + code.co_kwonlyargcount]
    named = sum(1 for name in keyword_only if name in kwargs)
    shown = str(len(args))
    if named:
        shown += f" positional argument{'' if len(args) == 1 else 's'}"
        shown += f" (and {named} keyword-only argument{'' if named == 1 else 's'})"
    given = f"{shown} {'was' if len(args) == 1 and not named else 'were'} given"
    m.throw(TypeError, f"{code.co_qualname}() takes {takes} positional argument{plural} but {given}")
