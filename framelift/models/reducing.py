"""How objects say what they are made of (`__reduce_ex__`), which `copy` goes by; in Python, to be traced."""

from __future__ import annotations

import collections
import copyreg
import functools
from typing import Any

from framelift.models import class_facts
from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.known import Known
from framelift.values.sequence import ListValue

_new: Any = copyreg.__newobj__  # type: ignore[attr-defined]
_new_with_keywords: Any = copyreg.__newobj_ex__  # type: ignore[attr-defined]
_getstate: Any = object.__getstate__


@polyfill(object.__reduce_ex__)
def reduce_ex(self: Any, protocol: int, /) -> Any:
    cls: Any = type(self)
    if cls.__reduce__ is not object.__reduce__:
        return self.__reduce__()
    if protocol < 2:
        raise NotImplementedError("an old protocol")
    keywords = None
    if hasattr(self, "__getnewargs_ex__"):
        args, keywords = self.__getnewargs_ex__()
    elif hasattr(self, "__getnewargs__"):
        args = self.__getnewargs__()
    else:
        args = ()
    state = self.__getstate__()
    items = iter(self) if isinstance(self, list) else None
    pairs = iter(self.items()) if isinstance(self, dict) else None
    if keywords:
        return _new_with_keywords, (cls, args, keywords), state, items, pairs
    return _new, (cls, *args), state, items, pairs


@polyfill(_getstate)
def get_state(self: Any, /) -> Any:
    state = getattr(self, "__dict__", None) or None
    slots = {name: getattr(self, name) for name in _slotnames(type(self)) if hasattr(self, name)}
    return (state, slots) if slots else state


_slotnames: Any = copyreg._slotnames  # type: ignore[attr-defined]


@model(_slotnames)
def slot_names(m: Tracer, cls: Value, /) -> Value:
    """The slots of a class and its bases. Python notes them on the class."""
    assert isinstance(cls, Known)
    names: list[str] = []
    for base in class_facts.order(m, cls.obj):
        own = base.__dict__.get("__slots__", ())
        for name in (own,) if isinstance(own, str) else own:
            private = name.startswith("__") and not name.endswith("__")
            prefix = "_" + base.__name__.lstrip("_")
            if name not in ("__dict__", "__weakref__"):
                names.append(prefix + name if private and prefix != "_" else name)
    if cls.obj not in m.made_classes:
        m.effects.add(_slotnames, cls)
    return ListValue([Known(name) for name in names], list)


@polyfill(collections.deque.__reduce__)
def reduce_deque(self: Any, /) -> Any:
    args: Any = () if self.maxlen is None else ((), self.maxlen)
    return type(self), args, getattr(self, "__dict__", None) or None, iter(self)


@polyfill(collections.OrderedDict.__reduce__)
def reduce_ordered_dict(self: Any, /) -> Any:
    return type(self), (), getattr(self, "__dict__", None) or None, None, iter(self.items())


@polyfill(collections.defaultdict.__reduce__)
def reduce_default_dict(self: Any, /) -> Any:
    args: Any = () if self.default_factory is None else (self.default_factory,)
    return type(self), args, None, None, iter(self.items())


@polyfill(BaseException.__reduce__)
def reduce_exception(self: Any, /) -> Any:
    return (type(self), self.args, self.__dict__) if self.__dict__ else (type(self), self.args)


@polyfill(functools.partial.__reduce__)
def reduce_partial(self: Any, /) -> Any:
    return type(self), (self.func,), (self.func, self.args, self.keywords, self.__dict__ or None)


@polyfill(slice.__reduce__)
def reduce_slice(self: Any, /) -> Any:
    return slice, (self.start, self.stop, self.step)


@polyfill(set.__reduce__, frozenset.__reduce__)
def reduce_set(self: Any, /) -> Any:
    return type(self), (list(self),), getattr(self, "__dict__", None) or None
