"""Models of `copy.copy` and `copy.deepcopy`.

The memo of `deepcopy` is by identity, which Python code cannot express without `id`; so this is not a polyfill. Objects
of the user's classes are copied as `object.__reduce_ex__` and `copy` do it together, unless the class has a say in it.
"""

from __future__ import annotations

import copy
import copyreg
import enum
import types
from typing import Any

from framelift.models.contents import content, is_none
from framelift.models.registry import model
from framelift.values.attribute_dict import attribute_dict
from framelift.values.base import Raised, Tracer, Value
from framelift.values.function import FunctionValue, MethodValue
from framelift.values.identity_number import IdentityNumber
from framelift.values.instance import InstanceValue
from framelift.values.keys import Key, note
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import ListValue, TupleValue
from framelift.values.sets import SetValue
from framelift.values.tensor import TensorValue

_ATOMIC = (type, types.FunctionType, types.BuiltinFunctionType, property, enum.Enum)
_HOOKS = ("__reduce__", "__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__")
HEAP_TYPE = 1 << 9


@model(copy.copy)
def shallow(m: Tracer, x: Value) -> Value:
    if _atomic(x) or x.cls in (tuple, frozenset, slice):
        return x
    if x.cls in (list, dict, set):
        return m.call(m.getattr(x, "copy"), [])
    if isinstance(x, InstanceValue):
        return _copied(m, x, "__copy__", [], lambda part: part)
    return _by_reduction(m, x, "__copy__", [], lambda part: part)


@model(copy.deepcopy)
def deep(m: Tracer, x: Value, memo: Value | None = None) -> Value:
    if memo is None or (isinstance(memo, Known) and memo.obj is None):
        memo = Memo()
    if not isinstance(memo, Memo):
        raise Break(UNKNOWN_OPERATION, "deepcopy with a memo of the program's own")
    return _deep(m, x, memo)


class Memo(DictValue):
    """The memo of one `deepcopy`. The program may hand it on, and ask for or note the copy of an object by its id."""

    __slots__ = ("copies",)

    def __init__(self) -> None:
        super().__init__()
        self.copies: dict[int, tuple[Value, Value]] = {}

    def entries(self, tracer: Tracer) -> Any:
        raise Break(UNKNOWN_OPERATION, "a look into the memo of deepcopy")

    def get(self, tracer: Tracer, key: Key) -> Value | None:
        known = self.copies.get(id(self._owner(key)))
        return None if known is None else known[1]

    def put_key(self, tracer: Tracer, key: Key, value: Value) -> None:
        owner = self._owner(key)
        note(tracer, owner)
        self.copies[id(owner)] = (owner, value)

    def _owner(self, key: Key) -> Value:
        if not isinstance(key.value, IdentityNumber):
            raise Break(UNKNOWN_OPERATION, "a look into the memo of deepcopy")
        return key.value.of


def _atomic(x: Value) -> bool:
    if isinstance(x, FunctionValue):
        return True
    return isinstance(x, Known) and (x.literal or isinstance(x.obj, _ATOMIC))


def _deep(m: Tracer, x: Value, memo: Memo) -> Value:
    if _atomic(x):
        return x
    known = memo.copies.get(id(x))
    if known is not None:
        return known[1]
    note(m, x)
    made = _deep_new(m, x, memo)
    if made is not x:
        memo.copies[id(x)] = (x, made)
    return made


def _deep_new(m: Tracer, x: Value, memo: Memo) -> Value:
    if isinstance(x, ListValue) and x.cls is list:
        made = ListValue([], list)
        memo.copies[id(x)] = (x, made)
        for item in list(x.all(m)):
            made.push(_deep(m, item, memo))
        return made
    if isinstance(x, DictValue) and x.cls is dict and not isinstance(x, Memo):
        made_dict = DictValue()
        memo.copies[id(x)] = (x, made_dict)
        for name, item in list(x.items(m)):
            made_dict.put(m, _deep(m, name, memo), _deep(m, item, memo))
        return made_dict
    if isinstance(x, TupleValue) and x.cls is tuple:
        before = x.all(m)
        items = [_deep(m, item, memo) for item in before]
        known = memo.copies.get(id(x))
        if known is not None:  # it holds itself
            return known[1]
        return x if all(a is b for a, b in zip(before, items, strict=True)) else TupleValue(items, tuple)
    if isinstance(x, SetValue) and x.cls in (set, frozenset):
        made_set = SetValue(x.cls)
        for key in list(x.keys(m)):
            made_set.add(m, _deep(m, key.value, memo))
        return made_set
    if isinstance(x, MethodValue):
        return MethodValue(x.function, _deep(m, x.receiver, memo))
    if isinstance(x, InstanceValue):
        return _copied(m, x, "__deepcopy__", [memo], lambda part: _deep(m, part, memo), memo)
    return _by_reduction(m, x, "__deepcopy__", [memo], lambda part: _deep(m, part, memo), memo)


def _by_reduction(m: Tracer, x: Value, hook: str, args: list[Value], part: Any, memo: Memo | None = None) -> Value:
    """A copy made of what the object says it is made of."""
    if isinstance(x, TensorValue):
        raise Break(UNKNOWN_OPERATION, "a copy of a tensor")
    if m.class_attribute(x.cls, hook) is not None:
        return m.call_method(x, hook, args)
    if _is_registered(m, x.cls):
        raise Break(UNKNOWN_OPERATION, f"a copy of a {x.cls.__name__}, as registered")
    reduced = m.call_method(x, "__reduce_ex__", [Known(4)])
    if isinstance(reduced, Known) and isinstance(reduced.obj, str):
        return x
    parts = m.unpack(reduced)
    parts += [NONE] * (5 - len(parts))
    function, given, state, items, pairs = parts
    made = m.call(function, [part(arg) for arg in m.unpack(given)])
    if memo is not None:
        memo.copies[id(x)] = (x, made)
    if not is_none(state):
        _set_state(m, made, part(state))
    if not is_none(items):
        for item in m.unpack(items):
            m.call(m.getattr(made, "append"), [part(item)])
    if not is_none(pairs):
        for pair in m.unpack(pairs):
            name, value = m.unpack(pair)
            m.call_method(made, "__setitem__", [part(name), part(value)])
    return made


def _set_state(m: Tracer, made: Value, state: Value) -> None:
    if m.class_attribute(made.cls, "__setstate__") is not None:
        m.call_method(made, "__setstate__", [state])
        return
    slots = None
    if isinstance(state, TupleValue) and len(state) == 2:
        state, slots = state.all(m)
    if not is_none(state):
        m.call(m.getattr(m.getattr(made, "__dict__"), "update"), [state])
    if slots is not None and not is_none(slots):
        for pair in m.unpack(m.call(m.getattr(slots, "items"), [])):
            name, value = m.unpack(pair)
            m.call(Known(setattr), [made, name, value])


def _copied(m: Tracer, x: InstanceValue, hook: str, args: list[Value], part: Any, memo: Memo | None = None) -> Value:
    """A copy of an object, made by the class's own hook or as `__reduce_ex__(4)` says."""
    if m.class_attribute(x.cls, hook) is not None:
        return m.call_method(x, hook, args)
    if not _is_plain(m, x):
        return _by_reduction(m, x, hook, args, part, memo)
    m.effects.add(copyreg._slotnames, Known(x.cls))  # type: ignore[attr-defined]  # it notes them on the class
    made = m.call(m.getattr(Known(x.cls), "__new__"), [Known(x.cls)])
    if memo is not None:
        memo.copies[id(x)] = (x, made)
    if not isinstance(made, InstanceValue):
        raise Break(UNKNOWN_OPERATION, f"a copy of a {x.cls.__name__}, whose __new__ gives something else")
    _copy_slots(m, x, made, part)
    if _has_dict(x.cls):
        target = attribute_dict(made)
        assert isinstance(target, DictValue)
        own = attribute_dict(x)
        assert isinstance(own, DictValue)
        for name, value in list(own.items(m)):
            target.put(m, name, part(value))
    inner = content(x)
    if isinstance(inner, ListValue):
        for item in list(inner.all(m)):
            m.call(m.getattr(made, "append"), [part(item)])
    elif isinstance(inner, DictValue):
        for name, value in list(inner.items(m)):
            m.call_method(made, "__setitem__", [part(name), part(value)])
    return made


def _is_plain(m: Tracer, x: InstanceValue) -> bool:
    """Whether nothing but attributes, slots and the items of a list or dict are copied."""
    reducer = m.class_attribute(x.cls, "__reduce_ex__")
    plain = isinstance(reducer, Known) and reducer.obj is object.__reduce_ex__
    for name in _HOOKS:
        found = m.class_attribute(x.cls, name)
        plain = plain and (found is None or (isinstance(found, Known) and found.obj is getattr(object, name, None)))
    static = next(base for base in x.cls.__mro__ if not base.__flags__ & HEAP_TYPE)
    return plain and static in (object, list, dict) and not _is_registered(m, x.cls)


def _is_registered(m: Tracer, cls: type) -> bool:
    """Whether `copyreg` knows how to take objects of a class apart."""
    return m.truth(m.call_method(m.getattr(Known(copyreg), "dispatch_table"), "__contains__", [Known(cls)]))


def _has_dict(cls: type) -> bool:
    return cls.__dictoffset__ != 0


def _copy_slots(m: Tracer, x: InstanceValue, made: InstanceValue, part: Any) -> None:
    for base in x.cls.__mro__:
        for name, descriptor in vars(base).items():
            if type(descriptor) is not types.MemberDescriptorType or not base.__flags__ & HEAP_TYPE:
                continue
            try:
                value = m.generic_attribute(x, name)
            except Raised as raised:
                if not issubclass(raised.value.cls, AttributeError):
                    raise
                continue
            m.setattr(made, name, part(value))
