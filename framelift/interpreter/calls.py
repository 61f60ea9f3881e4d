"""Calls: a model if there is one, a node in the graph for tensor operations, otherwise the callee is inlined."""

from __future__ import annotations

import types
from types import FunctionType
from typing import TYPE_CHECKING, Any

from framelift import _core
from framelift.guards.observed import Observed
from framelift.interpreter import arguments, arity, folding, lifting
from framelift.interpreter.frame import Frame, program_of
from framelift.models import (
    class_facts,
    controls,
    deferred_texts,
    input_output,
    registry,
    symbols,
    torch_filled,
    torch_numpy,
    torch_ops,
    torch_symbolic,
    torch_tensor_lists,
)
from framelift.values.base import Raised, Value
from framelift.values.function import CellValue, FunctionValue, MethodValue
from framelift.values.generator import GeneratorValue
from framelift.values.known import Known, NotConstant
from framelift.values.mapping import DictValue
from framelift.values.opaque import OpaqueValue
from framelift.values.reasons import UNKNOWN_CALL, UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence, TupleValue
from framelift.values.symbol import SymbolValue, specialized

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

GENERATOR_KINDS = 0x20 | 0x80 | 0x200
MAX_DEPTH = 150


def call(m: Machine, function: Value, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value:
    """Call a value to its end."""
    result = enter(m, function, args, kwargs or {})
    if isinstance(result, Frame):
        return m.run(result)
    return result


def inline(m: Machine, function: FunctionType, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value:
    """Call a Python function to its end, whatever model there is of it."""
    result = _enter_python(m, function, None, args, kwargs or {})
    return m.run(result) if isinstance(result, Frame) else result


def call_flat(m: Machine, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """Call a value; None when a frame was pushed whose result will be the result."""
    result = enter(m, function, args, kwargs)
    return None if isinstance(result, Frame) else result


def call_method(m: Machine, receiver: Value, name: str, args: list[Value]) -> Value:
    """Call a special method as Python does: found on the type, bound to the receiver."""
    found = m.class_attribute(receiver.cls, name)
    if found is None:
        m.throw(TypeError, f"{receiver.cls.__name__!r} object has no {name}")
    return call(m, *_bound(m, found, receiver, args))


def _bound(m: Machine, found: Value, receiver: Value, args: list[Value]) -> tuple[Value, list[Value]]:
    if isinstance(found, FunctionValue) or (
        isinstance(found, Known)
        and isinstance(found.obj, FunctionType | types.MethodDescriptorType | types.WrapperDescriptorType)
    ):
        return found, [receiver, *args]
    getter = m.class_attribute(found.cls, "__get__")
    if getter is None:
        return found, args
    return m.bind_attribute(found, receiver), args


def enter(m: Machine, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    """The result of a call, or the frame just pushed for it."""
    while isinstance(function, MethodValue):
        args = [function.receiver, *args]
        function = function.function
    if isinstance(function, FunctionValue):
        return _enter_created(m, function, args, kwargs)
    if isinstance(function, Known):
        return _enter_known(m, function, args, kwargs)
    caller = m.class_attribute(function.cls, "__call__")
    if caller is None:
        m.throw(TypeError, f"{function.cls.__name__!r} object is not callable")
    callee, args = _bound(m, caller, function, args)
    return enter(m, callee, args, kwargs)


def _enter_known(m: Machine, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    obj = function.obj
    found = registry.find(obj)
    if isinstance(found, registry.Handler):
        return _model(m, function, found, args, kwargs)
    if found is not None:
        return _with_symbols(m, obj, args, kwargs) or _enter_polyfill(m, obj, found, args, kwargs)
    if torch_ops.belongs_in_graph(obj):
        of_symbols = (
            torch_tensor_lists.traced(m, obj, args, kwargs)
            or torch_symbolic.traced(m, obj, args, kwargs)
            or torch_filled.traced(obj, args, kwargs)
        )
        if of_symbols is not None:
            return _enter_polyfill(m, obj, of_symbols, args, kwargs)
        of_array = torch_numpy.taking_array(m, obj, args)
        if of_array is not None:
            inner = _enter_polyfill(m, obj, of_array, args, kwargs)
            return m.run(inner) if isinstance(inner, Frame) else inner  # a break in there is one at the call
        return torch_ops.call(m, obj, args, kwargs)
    if controls.is_allowed(obj):
        return torch_ops.call(m, obj, args, kwargs)
    if isinstance(obj, FunctionType):
        return _enter_python(m, obj, function.seen, args, kwargs)
    if isinstance(obj, type):
        return _enter_class(m, function, args, kwargs)
    if type(obj) is _core.Callable:
        return enter(m, _compiled_function(m, function), args, kwargs)
    return _enter_other(m, function, args, kwargs)


def _model(
    m: Machine, function: Known, model: registry.Handler, args: list[Value], kwargs: dict[str, Value]
) -> Value | Frame:
    obj = function.obj
    if not model.accepts(len(args), kwargs):
        return _refuse(m, function, args, kwargs)
    if args and isinstance(args[0], OpaqueValue) and _method_of(obj) not in (None, object):
        raise Break(UNKNOWN_OPERATION, f"a {args[0].cls.__name__} that existed before")
    if id(obj) not in registry.symbolic:
        args, kwargs = _specialized(m, args, kwargs)
        deferred_texts.check(obj, args, kwargs)
    elif not deferred_texts.keeps(obj):
        args, kwargs = deferred_texts.settled(m, obj, args, kwargs)
    result: Value | Frame = model.function(m, *args, **kwargs)
    return result


def _with_symbols(m: Machine, obj: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of a function of numbers some of which are symbolic, if symbols can do it."""
    if m.recorder.symbols is None or kwargs:
        return None
    if obj in (max, min) and len(args) == 1 and isinstance(args[0], Sequence) and len(args[0]) > 1:
        args = args[0].all(m)
    return symbols.apply(m, obj, args) if any(isinstance(arg, SymbolValue) for arg in args) else None


def _enter_other(m: Machine, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    """What is left: pure functions are done now, a bound method is called as what it is bound of."""
    folded = folding.fold(m, function.obj, args, kwargs)
    if folded is None and m.recorder.symbols is not None:
        folded = folding.fold(m, function.obj, args, kwargs, specialize=True)
    if folded is not None:
        return folded
    if (
        type(function.obj) is types.WrapperDescriptorType
        and function.obj in _CALLING
        and args
        and issubclass(args[0].cls, function.obj.__objclass__)
    ):
        return enter(m, args[0], args[1:], kwargs)
    bound = lifting.unbound(m, function)
    if bound is not None:
        return enter(m, bound.function, [bound.receiver, *args], kwargs)
    return _refuse(m, function, args, kwargs)


# `__call__` of what is called by what it is, not by a method.
_CALLING: frozenset[Any] = frozenset(
    cls.__dict__["__call__"]
    for cls in (
        types.FunctionType,
        types.MethodType,
        types.BuiltinFunctionType,
        types.MethodWrapperType,
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        types.ClassMethodDescriptorType,
    )
)

_FUNCTION = vars(_core.Callable)["function"]


def _compiled_function(m: Machine, compiled: Known) -> Value:
    """What was compiled on its own is part of the graph of whoever calls it."""
    seen = compiled.seen
    if seen is None:
        seen = Observed(m.ledger.paths.start("object", compiled.obj), compiled.obj, m.ledger)
    return m.lift(seen.child("slot", _FUNCTION))


def _specialized(m: Machine, args: list[Value], kwargs: dict[str, Value]) -> tuple[list[Value], dict[str, Value]]:
    """For a model that knows nothing of symbolic numbers: what they are in this call."""
    if m.recorder.symbols is None:
        return args, kwargs
    return [specialized(m, arg) for arg in args], {name: specialized(m, arg) for name, arg in kwargs.items()}


def _method_of(function: Any) -> type | None:
    """The built-in class whose method a callable is."""
    kinds = types.MethodDescriptorType | types.WrapperDescriptorType
    return function.__objclass__ if isinstance(function, kinds) else None


def _enter_polyfill(
    m: Machine, target: Any, polyfill: FunctionType, args: list[Value], kwargs: dict[str, Value]
) -> Value | Frame:
    try:
        result = _enter_python(m, polyfill, None, args, kwargs)
    except Raised:  # wrong arguments: Python words that better
        arity.check(m, target, args, kwargs)
        raise Break(UNKNOWN_CALL, target, "with arguments it does not take") from None
    if not isinstance(target, type):
        return result

    def mark(value: Value) -> Value:
        if isinstance(value, GeneratorValue):
            value.stands_for = (target, args, kwargs)
        return value

    if isinstance(result, Frame):
        result.on_return = mark
        return result
    return mark(result)


def _refuse(m: Machine, function: Known, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    arity.check(m, function.obj, args, kwargs)
    caller = m.class_attribute(type(function.obj), "__call__")
    if isinstance(caller, Known) and not isinstance(function.obj, type):
        found = registry.find(caller.obj)
        if found is not None or isinstance(caller.obj, FunctionType):
            return enter(m, caller, [function, *args], kwargs)
        bound, args = _bound(m, caller, function, args)  # a method made by C++ binds to the object first
        if isinstance(bound, MethodValue):
            inner = m.class_attribute(bound.function.cls, "__call__")
            if isinstance(inner, Known) and registry.find(inner.obj) is not None:
                return enter(m, inner, [bound.function, bound.receiver, *args], kwargs)
    if caller is None:
        m.throw(TypeError, f"{type(function.obj).__name__!r} object is not callable")
    raise Break(UNKNOWN_CALL, function.obj)


def _enter_class(m: Machine, cls: Known, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    if m.recorder.symbols is not None and cls.obj in (int, float) and len(args) == 1:
        found = symbols.apply(m, cls.obj, args) if isinstance(args[0], SymbolValue) else None
        if found is not None:
            return found
    caller = m.class_attribute(class_facts.metaclass(m, cls.obj), "__call__")
    assert caller is not None
    callee, args = _bound(m, caller, cls, args)
    return enter(m, callee, args, kwargs)


def _enter_python(
    m: Machine, function: FunctionType, seen: Observed | None, args: list[Value], kwargs: dict[str, Value]
) -> Value | Frame:
    """Enter a function that existed before the call. One without a path is a polyfill: nothing of it needs a guard."""
    if seen is None:
        seen = Observed(m.ledger.paths.start("object", function), function, m.ledger)
    code = seen.child("code").pin()
    original = controls.original_of(function, seen)
    if original is not None:
        return enter(m, m.lift(original), args, kwargs)
    controls.refuse_marked(function, seen, code)
    input_output.refuse(function)
    if controls.is_note(code):
        return Known(None)
    if controls.is_constant(function):
        return _constant_result(m, function, args, kwargs)
    closure = _closure(m, seen, code)
    known = registry.find_code_model(code)
    if known is not None:
        result: Value = known(m, Known(function, seen), dict(zip(code.co_freevars, closure, strict=True)), args, kwargs)
        return result
    defaults = _items(m, m.lift(seen.child("defaults"))) if _needs_defaults(code, args, kwargs) else []
    kwdefaults = _entries(m, m.lift(seen.child("kwdefaults"))) if code.co_kwonlyargcount else {}
    slots = arguments.bind(m, code, args, kwargs, defaults, kwdefaults, function.__qualname__)
    return push(m, code, slots, lifting.globals_of(m, function, seen), closure)


def _constant_result(m: Machine, function: FunctionType, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Call a function whose result its author says is always the same."""
    try:
        given = [folding.to_python(m, arg) for arg in args]
        named = {name: folding.to_python(m, arg) for name, arg in kwargs.items()}
    except NotConstant:
        raise Break(UNKNOWN_CALL, function, "assumed constant, with arguments that are not") from None
    result = folding.really(m, function, given, named)
    if isinstance(result, Known) and not result.literal:
        raise Break(UNKNOWN_CALL, function, "assumed constant, with a result that is no literal")
    return result


def _needs_defaults(code: types.CodeType, args: list[Value], kwargs: dict[str, Value]) -> bool:
    return len(args) < code.co_argcount or (len(args) > code.co_argcount and not code.co_flags & arguments.VARARGS)


def _closure(m: Machine, seen: Observed, code: types.CodeType) -> list[CellValue]:
    if not code.co_freevars:
        return []
    cells = seen.child("func_closure")
    found = [m.lift(cells.child("item", index)) for index in range(len(code.co_freevars))]
    return [cell for cell in found if isinstance(cell, CellValue)]


def _items(m: Machine, defaults: Value) -> list[Value]:
    return defaults.all(m) if isinstance(defaults, TupleValue) else []


def _entries(m: Machine, kwdefaults: Value) -> dict[str, Value]:
    if not isinstance(kwdefaults, DictValue):
        return {}
    return {name.obj: value for name, value in kwdefaults.items(m) if isinstance(name, Known)}


def _enter_created(m: Machine, function: FunctionValue, args: list[Value], kwargs: dict[str, Value]) -> Value | Frame:
    known = registry.find_code_model(function.code)
    if known is not None:
        cells = dict(zip(function.code.co_freevars, function.closure, strict=True))
        result: Value = known(m, function, cells, args, kwargs)
        return result
    controls.refuse_marked_here(function)
    defaults = _items(m, function.defaults) if function.defaults is not None else []
    kwdefaults = _entries(m, function.kwdefaults) if function.kwdefaults is not None else {}
    slots = arguments.bind(m, function.code, args, kwargs, defaults, kwdefaults, _shown_name(function))
    return push(m, function.code, slots, function.globals, function.closure)


def _shown_name(function: FunctionValue) -> str:
    """What messages call a function made in the call."""
    written = function.special.get("__qualname__")
    return written.obj if isinstance(written, Known) else function.qualname


def push(
    m: Machine, code: types.CodeType, slots: list[Value], globals_: Any, closure: list[CellValue]
) -> Value | Frame:
    """Make the frame of a call the current one; a generator function gives its generator instead."""
    program = program_of(code)
    frame = Frame(program, globals_, m.builtins, closure, m.frame)
    frame.locals[: len(slots)] = slots
    if code.co_flags & GENERATOR_KINDS:
        frame.caller = None
        return GeneratorValue(frame, code)
    depth, above = 0, m.frame
    while above is not None:
        depth, above = depth + 1, above.caller
    if depth > MAX_DEPTH:
        raise Break(UNKNOWN_CALL, "recursion too deep to inline")
    frame.entered = m.steps
    m.frame = frame
    return frame
