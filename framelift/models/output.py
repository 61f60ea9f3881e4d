"""Output: what is said is worked out while capturing, as far as it needs no data, and said by the residual in order.

It is assumed that the graph does not raise, for then what came before has to have been said: the call runs again.
"""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

from framelift.guards.observed import Observed
from framelift.models.registry import model
from framelift.values.base import NULL, Tracer, Value
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_CALL, Break
from framelift.values.sequence import TupleValue
from framelift.values.symbol import SymbolValue
from framelift.values.text import TextValue
from framelift.values.text_file import TextFileValue


@model(builtins.print)
def print_(
    m: Tracer,
    *args: Value,
    sep: Value = NONE,
    end: Value = NONE,
    file: Value = NONE,
    flush: Value = NONE,
) -> Value:
    refused = Break(UNKNOWN_CALL, builtins.print)
    file = _other_output(m) if file is NONE or (isinstance(file, Known) and file.obj is None) else file
    if not all(isinstance(option, Known) and option.literal for option in (sep, end, flush)):
        raise refused
    if any(isinstance(option, Known) and type(option.obj) not in (str, type(None)) for option in (sep, end)):
        raise refused
    if isinstance(file, TextFileValue) or (file is not NONE and _writes_by_python(m, file)):
        return m.call(Known(_print_into), [file, TupleValue(list(args), tuple), sep, end, flush])
    if file.seen is None and not isinstance(file, Known):
        raise refused  # it may be looked at before the residual runs
    texts = TupleValue([m.text(arg, "str") for arg in args], tuple)
    m.assume(refused)
    m.effects.add(say, texts, sep, end, file, flush)
    return NONE


def _other_output(m: Tracer) -> Value:
    """What has been made `sys.stdout` during the call, or writes by code of Python's; else None."""
    system = Observed(m.ledger.paths.start("object", sys), sys, m.ledger)
    written = m.namespace(system.child("dict")).written.get("stdout")
    if written is not None:
        return NONE if written is NULL else written
    found = m.getattr(m.lift(system), "stdout")
    there = not (isinstance(found, Known) and found.obj is None)
    return found if there and _writes_by_python(m, found) else NONE


def _writes_by_python(m: Tracer, file: Value) -> bool:
    """Whether writing runs code that the program can look at the results of: such are written to while capturing."""
    method = m.class_attribute(file.cls, "write")
    return not isinstance(method, Known) or isinstance(method.obj, types.FunctionType)


def _print_into(file: Any, args: Any, sep: Any, end: Any, flush: Any) -> None:
    """`print`, traced."""
    for index in range(len(args)):
        if index > 0:
            file.write(" " if sep is None else sep)
        file.write(str(args[index]))
    file.write("\n" if end is None else end)
    if flush:
        file.flush()


def say(texts: tuple[str, ...], sep: Any, end: Any, file: Any, flush: Any) -> None:
    """For the residual."""
    print(*texts, sep=sep, end=end, file=file, flush=bool(flush))


def is_settled(m: Tracer, value: Value) -> bool:
    """Whether a value is made of literals and nothing of it can change any more."""
    if isinstance(value, Known | TextValue | SymbolValue):
        return not isinstance(value, Known) or value.literal
    return isinstance(value, TupleValue) and all(is_settled(m, item) for item in value.all(m))


def frame_above(levels: int) -> Any:
    """For a function that the residual calls: the frame so many above that of the captured function."""
    try:
        return sys._getframe(2 + levels)
    except ValueError:
        return None
