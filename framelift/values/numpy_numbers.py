"""NumPy's numbers, where NumPy is installed: immutable, and compared by content. Also what its arrays are."""

from __future__ import annotations

from importlib import import_module
from typing import Any

try:
    np: Any = import_module("numpy")
except ImportError:  # PyTorch works without
    np = None

_KINDS = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"

SCALARS: frozenset[type] = frozenset() if np is None else frozenset(getattr(np, kind) for kind in _KINDS.split())

DTYPES: tuple[type, ...] = () if np is None else (np.dtype,)
GENERATORS: tuple[type, ...] = () if np is None else (np.random.RandomState, np.random.Generator)
ARRAYS: tuple[type, ...] = () if np is None else (np.ndarray,)

# What numbers inherit their methods from.
BASES: tuple[type, ...] = (
    () if np is None else tuple({base for kind in SCALARS for base in kind.__mro__ if issubclass(base, np.generic)})
)


def is_number(obj: Any) -> bool:
    return type(obj) in SCALARS


def is_array(obj: Any) -> bool:
    return type(obj) in ARRAYS
