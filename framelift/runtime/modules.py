"""Compiled modules: `compile(module)` gives a module that shares everything with the original but how it is called.

The twin is an instance of a subclass made for the purpose, with the original's own `__dict__`. So `isinstance` holds,
attributes, parameters and hooks are the same objects both ways, `state_dict` has the same keys, and it nests inside
other modules. Calling it goes straight to the native callable, which is the subclass's `__call__`.
"""

from __future__ import annotations

import threading
import weakref
from types import CodeType, FunctionType
from typing import Any

from torch import nn
from torch.nn.modules.lazy import LazyModuleMixin

from framelift import _core
from framelift.controls import disable
from framelift.runtime import driver
from framelift.runtime.options import Options

_lock = threading.Lock()
_classes: dict[tuple[type, int], type] = {}
_originals: weakref.WeakKeyDictionary[nn.Module, weakref.ref[nn.Module]] = weakref.WeakKeyDictionary()


def compiled_module(module: nn.Module, options: Options) -> nn.Module:
    """A module that does what `module` does, compiled."""
    cls = _compiled_class(type(module), options)
    twin: nn.Module = object.__new__(cls)
    object.__setattr__(twin, "__dict__", module.__dict__)
    _originals[twin] = weakref.ref(module)
    return twin


def _compile_call(code: CodeType, function: FunctionType, options: object, args: tuple[Any, ...]) -> _core.Entry | None:
    """As the driver does it, for a module that is what the original is by now: parametrizing gives it another class."""
    original = _originals[args[0]]() if args[0] in _originals else None
    cls = type(args[0])
    if original is not None and type(original) is not getattr(cls, "_framelift_original", type(original)):
        object.__setattr__(args[0], "__class__", _compiled_class(type(original), cls._framelift_options))
    return driver.compile_call(code, function, options, args)


def _compiled_class(cls: type, options: Options) -> type:
    original = getattr(cls, "_framelift_original", cls)
    key = (original, id(options))
    with _lock:
        if key not in _classes:
            _classes[key] = _make_class(original, options)
        return _classes[key]


def _make_class(cls: type, options: Options) -> type:
    call: Any = cls.__call__
    while not isinstance(call, FunctionType):  # compiled before
        call = call.__wrapped__
    namespace: dict[str, Any] = {
        "__call__": _core.Callable(call, _compile_call, options),
        "__reduce_ex__": _reduce,
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        "_framelift_original": cls,
        "_framelift_options": options,
    }
    if issubclass(cls, LazyModuleMixin):
        namespace["cls_to_become"] = property(_class_to_become)
    return type(cls)(cls.__name__, (cls,), namespace)


def _class_to_become(self: Any) -> type | None:
    """What a lazy module is once it is initialized: what the original is to become, and becomes now, compiled."""
    cls = type(self)
    original = _originals[self]() if self in _originals else None
    becomes: type | None = cls._framelift_original.cls_to_become
    if becomes is None:
        return None
    if original is not None and type(original) is cls._framelift_original:
        object.__setattr__(original, "__class__", becomes)
    return _compiled_class(becomes, cls._framelift_options)


def disabled_module(module: nn.Module, recursive: bool, reason: str) -> nn.Module:
    """A module that does what `module` does, never captured."""
    cls: Any = type(module)
    call: Any = cls.__call__
    namespace = {"__call__": disable(call, recursive=recursive, reason=reason), "__module__": cls.__module__}
    twin: nn.Module = object.__new__(type(cls)(cls.__name__, (cls,), {**namespace, "__qualname__": cls.__qualname__}))
    object.__setattr__(twin, "__dict__", module.__dict__)
    return twin


def _reduce(self: Any, protocol: int) -> Any:
    cls = type(self)
    return _rebuild, (cls._framelift_original, cls._framelift_options), self.__dict__


def _rebuild(cls: type, options: Options) -> nn.Module:
    made: nn.Module = object.__new__(_compiled_class(cls, options))
    return made
