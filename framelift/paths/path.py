"""A path leads from a call's arguments, or its function, to an object.

It is one thing with three readings: the native guard program follows its accessors on every call, strict mode follows
them in Python beside it, and reports print it as a person would write it. Paths are interned within one capture and
compared by identity.

The residual never walks a path: the guard walk hands it what it reached.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

import torch

from framelift import _core
from framelift.paths import reach


class Accessor(NamedTuple):
    """One kind of step: how Python takes it, and how people write it."""

    take: Callable[[Any, Any], Any]
    text: Callable[[str, Any], str]


class Start(NamedTuple):
    """One kind of first step, from the call itself."""

    take: Callable[[tuple[Any, ...], FunctionType, Any], Any]
    text: Callable[[Any], str]


STARTS: dict[str, Start] = {
    "local": Start(lambda args, function, key: args[key], lambda key: f"argument {key}"),
    "globals": Start(lambda args, function, key: function.__globals__, lambda key: "globals()"),
    "builtins": Start(lambda args, function, key: reach.builtins_of(function), lambda key: "builtins"),
    "closure": Start(lambda args, function, key: (function.__closure__ or ())[key], lambda key: f"closure {key}"),
    "function": Start(lambda args, function, key: function, lambda key: "the function"),
    "torch_function_mode": Start(
        lambda args, function, key: torch._C._get_function_stack_at(key), lambda key: f"torch-function mode {key}"
    ),
    "object": Start(lambda args, function, key: key, lambda key: str(getattr(key, "__qualname__", None) or repr(key))),
}


def _native(name: str, text: Callable[[str, Any], str]) -> Accessor:
    """A step that Python has no way to take."""
    return Accessor(lambda obj, key: _core.reach(name, key, obj), text)


def _shown(key: Any) -> str:
    """A key as people write it; the text of a tensor would be its data, and that of other objects might be anything."""
    if type(key) in (str, int, float, bool, bytes, type(None)):
        return repr(key)
    return f"<{type(key).__name__} at {id(key):#x}>"


ACCESSORS: dict[str, Accessor] = {
    "item": Accessor(reach.item, lambda base, key: f"{base}[{key}]"),
    "key": Accessor(reach.key, lambda base, key: f"{base}[{_shown(key)}]"),
    "dict_key_at": Accessor(reach.key_at, lambda base, key: f"key {key} of {base}"),
    "attr": Accessor(reach.own_attribute, lambda base, key: f"{base}.{key}"),
    "dict": Accessor(lambda obj, key: reach.own_dict(obj), lambda base, key: f"{base}.__dict__"),
    "slot": Accessor(lambda obj, key: key.__get__(obj), lambda base, key: f"{base}.{key.__name__}"),
    "type": Accessor(lambda obj, key: type(obj), lambda base, key: f"type({base})"),
    "type_attr": Accessor(reach.present_class_attribute, lambda base, key: f"{base}.{key}"),
    "cell": Accessor(lambda obj, key: obj.cell_contents, lambda base, key: f"{base} contents"),
    "code": Accessor(lambda obj, key: obj.__code__, lambda base, key: f"{base}.__code__"),
    "defaults": Accessor(lambda obj, key: obj.__defaults__, lambda base, key: f"{base}.__defaults__"),
    "kwdefaults": Accessor(lambda obj, key: obj.__kwdefaults__, lambda base, key: f"{base}.__kwdefaults__"),
    "func_closure": Accessor(lambda obj, key: obj.__closure__, lambda base, key: f"{base}.__closure__"),
    "func_globals": Accessor(lambda obj, key: obj.__globals__, lambda base, key: f"{base}.__globals__"),
    "func_dict": Accessor(lambda obj, key: obj.__dict__, lambda base, key: f"{base}.__dict__"),
    "method_func": Accessor(lambda obj, key: obj.__func__, lambda base, key: f"{base}.__func__"),
    "method_self": Accessor(lambda obj, key: obj.__self__, lambda base, key: f"{base}.__self__"),
    "partial_func": Accessor(lambda obj, key: obj.func, lambda base, key: f"{base}.func"),
    "partial_args": Accessor(lambda obj, key: obj.args, lambda base, key: f"{base}.args"),
    "partial_keywords": Accessor(lambda obj, key: obj.keywords, lambda base, key: f"{base}.keywords"),
    "property_get": Accessor(lambda obj, key: obj.fget, lambda base, key: f"{base}.fget"),
    "staticmethod_func": Accessor(lambda obj, key: obj.__func__, lambda base, key: f"{base}.__func__"),
    "classmethod_func": Accessor(lambda obj, key: obj.__func__, lambda base, key: f"{base}.__func__"),
    "deque_item": Accessor(lambda obj, key: obj[key], lambda base, key: f"{base}[{key}]"),
    "weakref": Accessor(lambda obj, key: weakref.ref.__call__(obj), lambda base, key: f"{base}()"),
    "slice_part": Accessor(reach.slice_part, lambda base, key: f"{base}.{('start', 'stop', 'step')[key]}"),
    "tensor_grad": Accessor(lambda obj, key: reach.gradient(obj), lambda base, key: f"{base}.grad"),
    "mro": Accessor(reach.class_fact("__mro__"), lambda base, key: f"{base}.__mro__"),
    "class_name": Accessor(reach.class_fact("__name__"), lambda base, key: f"{base}.__name__"),
    "class_qualname": Accessor(reach.class_fact("__qualname__"), lambda base, key: f"{base}.__qualname__"),
    "class_bases": Accessor(reach.class_fact("__bases__"), lambda base, key: f"{base}.__bases__"),
    "class_dict": Accessor(reach.class_dict, lambda base, key: f"{base}.__dict__"),
    "func_name": Accessor(lambda obj, key: obj.__name__, lambda base, key: f"{base}.__name__"),
    "func_qualname": Accessor(lambda obj, key: obj.__qualname__, lambda base, key: f"{base}.__qualname__"),
    "func_doc": Accessor(lambda obj, key: obj.__doc__, lambda base, key: f"{base}.__doc__"),
    "func_module": Accessor(lambda obj, key: obj.__module__, lambda base, key: f"{base}.__module__"),
    "iterator_source": _native("iterator_source", lambda base, key: f"what {base} goes over"),
    "iterator_function": _native("iterator_function", lambda base, key: f"the function of {base}"),
    "chain_active": _native("chain_active", lambda base, key: f"what {base} is going over"),
    "item_ahead": _native("item_ahead", lambda base, key: f"item {key} ahead of {base}"),
    "key_ahead": _native("key_ahead", lambda base, key: f"key {key} ahead of {base}"),
    "number_ahead": _native("number_ahead", lambda base, key: f"number {key} ahead of {base}"),
    "cached_function": _native("cached_function", lambda base, key: f"the function behind {base}"),
    "cached_result": _native("cached_result", lambda base, key: f"what {base} has cached for {key!r}"),
    "exception_part": Accessor(reach.exception_part, lambda base, key: f"{base}.{reach.EXCEPTION_PARTS[key]}"),
    "generator_code": _native("generator_code", lambda base, key: f"the code of {base}"),
    "generator_globals": _native("generator_globals", lambda base, key: f"the globals of {base}"),
    "generator_variable": _native("generator_variable", lambda base, key: f"variable {key} of {base}"),
    "generator_stack": _native("generator_stack", lambda base, key: f"place {key} on the stack of {base}"),
    "generator_position": _native("generator_position", lambda base, key: f"where {base} stands"),
    "func_annotations": Accessor(lambda obj, key: obj.__annotations__, lambda base, key: f"{base}.__annotations__"),
    "class_annotations": Accessor(reach.class_fact("__annotations__"), lambda base, key: f"{base}.__annotations__"),
    "thread_dict": _native("thread_dict", lambda base, key: f"{base}.__dict__"),
    "context_value": _native("context_value", lambda base, key: f"{base}.get()"),
    "builtin_self": Accessor(lambda obj, key: obj.__self__, lambda base, key: f"{base}.__self__"),
    "proxy_mapping": Accessor(reach.proxied, lambda base, key: f"the mapping behind {base}"),
}


_GLOBALS = frozenset({"globals", "builtins", "func_globals"})


class Path:
    """A node in the tree of paths of one capture. Made by `Paths.start` and `Path.then` only."""

    __slots__ = ("parent", "accessor", "key", "children", "_written")

    def __init__(self, parent: Path | None, accessor: str, key: Any) -> None:
        self.parent = parent
        self.accessor = accessor
        self.key = key
        self.children: dict[tuple[str, Any], Path] = {}
        self._written: tuple[tuple[str, ...], str] | None = None  # the text, and the names it was written with

    def then(self, accessor: str, key: Any = None) -> Path:
        """The path one step further."""
        return _interned(self.children, self, accessor, key)

    @property
    def is_global(self) -> bool:
        """Whether this is a global variable."""
        return self.accessor == "key" and self.parent is not None and self.parent.accessor in _GLOBALS

    def follow(self, args: tuple[Any, ...], function: FunctionType) -> Any:
        """The object at the end of this path for a call, reached in Python."""
        if self.parent is None:
            return STARTS[self.accessor].take(args, function, self.key)
        return ACCESSORS[self.accessor].take(self.parent.follow(args, function), self.key)

    def text(self, argument_names: tuple[str, ...] = ()) -> str:
        """The path as people write it, e.g. `self.layers[0].weight`."""
        if self.parent is not None:
            if self._written is None or self._written[0] is not argument_names:
                self._written = argument_names, self._step_text(argument_names)
            return self._written[1]
        if self.accessor == "local" and self.key < len(argument_names):
            return str(argument_names[self.key])
        return STARTS[self.accessor].text(self.key)

    def _step_text(self, argument_names: tuple[str, ...]) -> str:
        parent = self.parent
        assert parent is not None
        if self.is_global:
            return str(self.key)
        if self.accessor == "key" and parent.accessor in ("dict", "class_dict") and isinstance(self.key, str):
            assert parent.parent is not None
            return f"{parent.parent.text(argument_names)}.{self.key}"
        return ACCESSORS[self.accessor].text(parent.text(argument_names), self.key)

    def __repr__(self) -> str:
        return f"<path {self.text()}>"


class Paths:
    """The roots of the paths of one capture."""

    __slots__ = ("roots",)

    def __init__(self) -> None:
        self.roots: dict[tuple[str, Any], Path] = {}

    def start(self, accessor: str, key: Any = None) -> Path:
        """A path of one step."""
        return _interned(self.roots, None, accessor, key)

    def __iter__(self) -> Iterator[Path]:
        return iter(self.roots.values())

    def take_apart(self) -> None:
        """Let paths lead back only: those that nobody keeps go at once, and what they start from with them."""
        todo = list(self)
        for path in todo:
            todo += path.children.values()
            path.children.clear()
        self.roots.clear()


def _interned(known: dict[tuple[str, Any], Path], parent: Path | None, accessor: str, key: Any) -> Path:
    # 1, 1.0 and True are equal but lead to different places; an object is a place of its own.
    kind = type(key)
    identity = (accessor, key, kind) if kind in (str, int, type(None)) else (accessor, id(key), kind)
    path = known.get(identity)  # type: ignore[arg-type]
    if path is None:
        path = known[identity] = Path(parent, accessor, key)  # type: ignore[index]
    return path
