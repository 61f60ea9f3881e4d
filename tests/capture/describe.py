"""Describes objects as text in which everything a program could observe shows, and nothing else.

Objects that have an identity get a number where they are first met, and are named by it from then on: two descriptions
are equal when values, types, aliasing and cycles are. Addresses and the file a thing comes from do not show.
"""

from __future__ import annotations

import collections
import enum
import functools
import re
import types
import weakref
from typing import Any

import numpy as np
import torch

ATOMS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented), range)
BY_REPR = (torch.dtype, torch.device, torch.layout, torch.memory_format, slice, types.GenericAlias, types.UnionType)
HIDDEN_IN_CLASSES = frozenset(
    "__dict__ __weakref__ __doc__ __firstlineno__ __static_attributes__ _abc_impl __annotations__ __annotate__".split()
)
HIDDEN_IN_INSTANCES = frozenset({"__orig_class__"})
DRAINED = 20

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


def plain(text: str) -> str:
    """Text without addresses."""
    return _ADDRESS.sub("0x…", text)


class Description:
    """Lines about a number of roots, described together so that what they share shows."""

    def __init__(self, home: str) -> None:
        self.home = home  # the module whose classes are described in full
        self.lines: list[str] = []
        self._numbers: dict[int, int] = {}
        self._storages: dict[int, int] = {}
        self._kept: list[Any] = []  # an id is only good while its object lives
        self._pending: list[Any] = []
        self._iterators: list[Any] = []

    def add(self, label: str, obj: Any) -> None:
        """Describe a root and everything it leads to."""
        self.lines.append(f"{label}: {self._name(obj)}")
        self._flush()

    def drain(self) -> None:
        """Describe what the iterators met so far still have to give; this uses them up."""
        for number, iterator in enumerate(self._iterators):
            for _ in range(DRAINED):
                try:
                    item = next(iterator)
                except StopIteration as stop:
                    self.add(f"iterator {number} ends", stop.value)
                    break
                except Exception as error:
                    self.add(f"iterator {number} raises", error)
                    break
                self.add(f"iterator {number} gives", item)

    def _flush(self) -> None:
        while self._pending:
            obj = self._pending.pop()
            start = len(self.lines)
            self.lines.append("")
            self.lines[start] = f"  #{self._numbers[id(obj)]} = {self._contents(obj)}"

    def _name(self, obj: Any) -> str:
        """How an object is mentioned: atoms by value, everything else by number."""
        if type(obj) in ATOMS:
            return plain(repr(obj))
        if isinstance(obj, BY_REPR):
            return f"{type(obj).__name__} {obj!r}"
        if isinstance(obj, np.generic | np.dtype):
            return f"{obj!r}"
        if isinstance(obj, types.ModuleType):
            return f"module {obj.__name__}"
        if isinstance(obj, type) and obj.__module__ != self.home:
            return f"class {obj.__module__}.{obj.__qualname__}"
        if type(obj) in (tuple, frozenset) and not obj:
            return f"{type(obj).__name__}()"
        number = self._numbers.get(id(obj))
        if number is None:
            number = self._numbers[id(obj)] = len(self._numbers)
            self._kept.append(obj)
            self._pending.append(obj)
        return f"#{number}"

    def _contents(self, obj: Any) -> str:
        if isinstance(obj, torch.Tensor):
            return self._tensor(obj)
        if isinstance(obj, np.ndarray):
            return self._array(obj)
        if isinstance(obj, type):
            return self._class(obj)
        if isinstance(obj, types.FunctionType):
            return self._function(obj)
        if isinstance(obj, types.MethodType):
            return f"method {self._name(obj.__func__)} of {self._name(obj.__self__)}"
        if isinstance(obj, types.BuiltinFunctionType):
            return f"builtin {obj.__qualname__} of {self._name(obj.__self__)}"
        if isinstance(obj, types.CellType):
            return f"cell {self._cell(obj)}"
        if isinstance(obj, property):
            return f"property {self._names([obj.fget, obj.fset, obj.fdel])}"
        if isinstance(obj, staticmethod | classmethod):
            return f"{type(obj).__name__} {self._name(obj.__func__)}"
        if isinstance(obj, functools.partial):
            return f"partial {self._names([obj.func, obj.args, obj.keywords])}"
        if isinstance(obj, weakref.ref):
            return f"weakref to {self._name(obj())}"
        if isinstance(obj, enum.Enum):
            return f"enum member {type(obj).__qualname__}.{obj.name} {self._name(type(obj))}"
        if isinstance(obj, types.TracebackType | types.FrameType | types.CodeType):
            return type(obj).__name__
        return self._instance(obj)

    def _tensor(self, tensor: torch.Tensor) -> str:
        storage = self._memory(tensor.untyped_storage())
        facts = [self._name(type(tensor)), str(tensor.dtype), str(tuple(tensor.shape)), str(tensor.stride())]
        facts += [str(tensor.device), f"storage {storage}+{tensor.storage_offset()}"]
        facts += ["requires_grad"] * tensor.requires_grad + ["leaf"] * tensor.is_leaf
        if tensor.is_leaf and tensor.grad is not None:
            facts.append(f"grad {self._name(tensor.grad)}")
        return f"tensor {' '.join(facts)} {tensor.detach().tolist()!r}{self._attributes(tensor)}"

    def _memory(self, storage: Any) -> int:
        return self._storages.setdefault(storage.data_ptr() or storage._cdata, len(self._storages))

    def _array(self, array: np.ndarray) -> str:
        owner: Any = array
        while isinstance(owner, np.ndarray) and isinstance(owner.base, np.ndarray | torch.Tensor):
            owner = owner.base
        if isinstance(owner, torch.Tensor):
            memory = self._memory(owner.untyped_storage())
        else:
            memory = self._storages.setdefault(owner.ctypes.data, len(self._storages))
        steps = [step for step, size in zip(array.strides, array.shape, strict=True) if size > 1 and array.size > 1]
        facts = [self._name(type(array)), str(array.dtype), str(array.shape), str(steps), f"storage {memory}"]
        facts += [] if array.flags.writeable else ["read-only"]
        return f"array {' '.join(facts)} {array.tolist()!r}"

    def _class(self, cls: type) -> str:
        shown = [f"{name}={self._name(value)}" for name, value in vars(cls).items() if name not in HIDDEN_IN_CLASSES]
        return f"class {cls.__qualname__} {self._name(type(cls))} {self._names(cls.__bases__)} {', '.join(shown)}"

    def _function(self, function: types.FunctionType) -> str:
        cells = [self._name(cell) for cell in function.__closure__ or ()]
        parts = [f"function {function.__qualname__} ({function.__name__}) of {function.__module__}"]
        if function.__defaults__ is not None:
            parts.append(f"defaults {self._name(function.__defaults__)}")
        if function.__kwdefaults__ is not None:
            parts.append(f"kwdefaults {self._name(function.__kwdefaults__)}")
        if function.__doc__:
            parts.append(repr(function.__doc__))
        return f"{' '.join(parts)} closure {cells}{self._attributes(function)}"

    def _cell(self, cell: types.CellType) -> str:
        try:
            return self._name(cell.cell_contents)
        except ValueError:
            return "(empty)"

    def _instance(self, obj: Any) -> str:
        parts = [self._name(type(obj))]
        if isinstance(obj, BaseException):
            parts.append(self._exception(obj))
        if isinstance(obj, dict):
            pairs = [f"{self._name(key)}: {self._name(value)}" for key, value in _own_items(obj)]
            parts.append("{" + ", ".join(pairs) + "}")
        if isinstance(obj, collections.defaultdict):
            parts.append(f"default {self._name(obj.default_factory)}")
        for kind in (list, tuple, collections.deque):
            if isinstance(obj, kind):
                parts.append(self._names(kind.__iter__(obj)))
        if isinstance(obj, collections.deque):
            parts.append(f"maxlen {obj.maxlen}")
        if isinstance(obj, set | frozenset):
            parts.append("{" + ", ".join(sorted(self._element(item) for item in obj)) + "}")
        if issubclass(type(obj), int | float | complex | str | bytes | bytearray):
            base = next(kind for kind in type(obj).__mro__ if kind in (*ATOMS, bytearray))
            parts.append(plain(base.__repr__(obj)))
        if isinstance(obj, collections.abc.Iterator) and type(obj).__module__ != self.home:
            self._iterators.append(obj)
        return " ".join(parts) + self._attributes(obj)

    def _element(self, item: Any) -> str:
        """Sets have no order to number their elements by: those that have an identity show by type."""
        if type(item) in (tuple, frozenset):
            return f"{type(item).__name__}({', '.join(self._element(part) for part in item)})"
        return self._name(item) if type(item) in ATOMS else type(item).__qualname__

    def _exception(self, error: BaseException) -> str:
        chain = [self._name(error.args), self._name(error.__cause__), self._name(error.__context__)]
        if isinstance(error, BaseExceptionGroup):
            chain.append(self._names(error.exceptions))
        if isinstance(error, StopIteration):
            chain.append(self._name(error.value))
        return f"{' '.join(chain)} {error.__suppress_context__}"

    def _attributes(self, obj: Any) -> str:
        try:
            own = object.__getattribute__(obj, "__dict__")
        except AttributeError:
            own = {}
        shown = [f"{name}={self._name(value)}" for name, value in own.items() if name not in HIDDEN_IN_INSTANCES]
        for kind in type(obj).__mro__:
            for name, member in vars(kind).items() if kind.__module__ == self.home else ():
                if isinstance(member, types.MemberDescriptorType):
                    try:
                        shown.append(f"{name}={self._name(member.__get__(obj))}")
                    except AttributeError:
                        shown.append(f"{name} is not set")
        return f" [{', '.join(shown)}]" if shown else ""

    def _names(self, objects: Any) -> str:
        return f"({', '.join(self._name(obj) for obj in objects)})"


def _own_items(obj: Any) -> Any:
    """The items of a dict whatever its class makes of them, in the order of iteration."""
    kind: Any = collections.OrderedDict if isinstance(obj, collections.OrderedDict) else dict
    return kind.items(obj)
