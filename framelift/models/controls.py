"""Marks with which a user says where capture ends: framelift's own, and those that come with PyTorch."""

from __future__ import annotations

import sys
from types import CodeType, FunctionType
from typing import Any

import torch

from framelift import controls
from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.models.registry import code_model, find, model
from framelift.values.base import Tracer, Value
from framelift.values.function import CellValue, FunctionValue
from framelift.values.known import NONE, Known
from framelift.values.reasons import ASKED_FOR, DISABLED, UNKNOWN_OPERATION, Break


@model(controls.graph_break)
def graph_break(m: Tracer, message: Value | None = None) -> Value:
    raise Break(ASKED_FOR, *([message.obj] if isinstance(message, Known) else []))


@model(controls.Disabled.__call__)
def call_disabled(m: Tracer, self: Value, *args: Value, **kwargs: Value) -> Value:
    name, reason = m.getattr(self, "__qualname__"), m.getattr(self, "reason")
    words = [] if not isinstance(name, Known) else [name.obj]
    raise Break(DISABLED, *words, *([f"({reason.obj})"] if isinstance(reason, Known) and reason.obj else []))


@model(controls.enter_region)
def enter_region(m: Tracer, value: Value) -> Value:
    if not isinstance(value, Known):
        raise Break(UNKNOWN_OPERATION, "error_on_graph_break() of what is not constant")
    left, entered = _regions(m)
    return _set_regions(m, (left, (*entered, value.obj)))


@model(controls.leave_region)
def leave_region(m: Tracer) -> Value:
    left, entered = _regions(m)
    return _set_regions(m, (left, entered[:-1]) if entered else (left + 1, ()))


def _regions(m: Tracer) -> controls.Change:
    _, now = m.modes.get((controls.change_regions,), (None, controls.NO_CHANGE))
    found: controls.Change = now
    return found


def _set_regions(m: Tracer, now: controls.Change) -> Value:
    m.modes[(controls.change_regions,)] = controls.NO_CHANGE, now
    return NONE


# What PyTorch's own marks look like. A function is marked by an attribute, and the functions that only mark a place do
# nothing; all of them live in a part of PyTorch that is not imported here, nor traced.

_MARK = "_torchdynamo_disable"
_MARKERS = frozenset({"graph_break", "skip_frame", "step_unsupported"})
_MARKERS_FILE = "torch/_dynamo/decorators.py"


ORIGINAL = "_torchdynamo_orig_callable"


def original_of(function: FunctionType, seen: Observed) -> Observed | None:
    """What a mark stands in front of that PyTorch itself put on functions that are no trouble here."""
    original = getattr(function, ORIGINAL, None) if getattr(function, _MARK, False) else None
    if original is None or not (original.__module__.startswith("torch.optim.") or find(original) is not None):
        return None
    attributes = seen.child("func_dict")
    attributes.learn(facts.has_key, ORIGINAL)
    return attributes.child("key", ORIGINAL)


def is_shallow(function: FunctionType | FunctionValue) -> bool:
    """Whether PyTorch's mark says that what the function calls may be captured."""
    name = f"{_MARK}_recursive"
    if not isinstance(function, FunctionValue):
        return getattr(function, name, None) is False
    mark = function.attributes.written.get(name)
    return isinstance(mark, Known) and mark.obj is False


def refuse_marked_here(function: FunctionValue) -> None:
    """Break if a function made in the call was marked in it."""
    mark = function.attributes.written.get(_MARK)
    if isinstance(mark, Known) and mark.obj:
        raise Break(DISABLED, function.qualname)


def refuse_marked(function: FunctionType, seen: Observed, code: CodeType) -> None:
    """Break if a function about to be inlined is marked."""
    if getattr(function, _MARK, False):
        seen.learn(facts.has_attribute, _MARK)
        reason = getattr(function, f"{_MARK}_msg", None)
        raise Break(DISABLED, function, *([f"({reason})"] if isinstance(reason, str) else []))
    if code.co_name in _MARKERS and code.co_filename.replace("\\", "/").endswith(_MARKERS_FILE):
        raise Break(ASKED_FOR, function)


def is_allowed(function: Any) -> bool:
    """Whether the user wants calls of a function to be operations of the graph, by PyTorch's `allow_in_graph`."""
    rules = sys.modules.get("torch._dynamo.trace_rules")
    allowed = getattr(rules, "_allowed_callable_ids", None)
    return allowed is not None and id(function) in allowed


def is_constant(function: FunctionType) -> bool:
    """Whether the user vouches that a function always gives the same, by PyTorch's `assume_constant_result`."""
    return "_dynamo_marked_constant" in function.__dict__


_NOTES = frozenset({"mark_static", "mark_dynamic", "maybe_mark_dynamic", "mark_unbacked", "mark_static_address"})


def is_note(code: CodeType) -> bool:
    """Whether a function only notes on a tensor how to treat its sizes, which a capture that is under way has done."""
    return code.co_name in _NOTES and code.co_filename.replace("\\", "/").endswith(_MARKERS_FILE)


def nested_code(function: Any, name: str) -> CodeType | None:
    """The code of a function defined in another one."""
    for constant in function.__code__.co_consts:
        if isinstance(constant, CodeType) and constant.co_name == name:
            return constant
    return None


_lazily_disabled = nested_code(torch._disable_dynamo, "inner")


def call_lazily_disabled(
    m: Tracer, function: Known, closure: dict[str, Value], args: list[Value], kwargs: dict[str, Value]
) -> Value:
    """PyTorch marks functions of its own so that what reads the mark is only imported when they are called."""
    original = closure["fn"].get(m) if isinstance(closure.get("fn"), CellValue) else None  # type: ignore[attr-defined]
    needless = isinstance(original, Known) and original.obj.__module__ in _NEED_NOT_BE_DISABLED
    if isinstance(original, Known) and (needless or find(original.obj) is not None):
        return m.call(original, args, kwargs)
    raise Break(DISABLED, function.obj)


_NEED_NOT_BE_DISABLED = frozenset({"torch.optim.optimizer"})
"""What is marked here is nothing that could not be traced."""

if _lazily_disabled is not None:
    code_model(_lazily_disabled)(call_lazily_disabled)
