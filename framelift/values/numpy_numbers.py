"""NumPy's numbers, where NumPy is installed: immutable, and compared by content."""

from __future__ import annotations

from importlib import import_module
from typing import Any

try:
    np: Any = import_module("numpy")
except ImportError:  # PyTorch works without
    np = None

_KINDS = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"

SCALARS: frozenset[type] = frozenset() if np is None else frozenset(getattr(np, kind) for kind in _KINDS.split())

# What numbers inherit their methods from.
BASES: tuple[type, ...] = (
    () if np is None else tuple({base for kind in SCALARS for base in kind.__mro__ if issubclass(base, np.generic)})
)

# Functions of the module that depend on their arguments alone.
_FUNCTIONS = """
    prod mean sum max min amax amin std var median round around argmax argmin all any ceil floor trunc fix
    dot vdot clip nan_to_num isclose allclose array_equal isscalar ndim size shape
    result_type promote_types can_cast broadcast_shapes issubdtype gcd lcm base_repr binary_repr
    percentile quantile average ptp count_nonzero real imag angle
"""


def _functions() -> frozenset[int]:
    if np is None:
        return frozenset()
    return frozenset(id(getattr(np, name)) for name in _FUNCTIONS.split() if hasattr(np, name))


FUNCTIONS = _functions()


def is_function(function: Any) -> bool:
    """Whether NumPy computes a result from numbers with this, and nothing else happens."""
    return np is not None and (isinstance(function, np.ufunc) or id(function) in FUNCTIONS)


def is_number(obj: Any) -> bool:
    return type(obj) in SCALARS


def is_array(obj: Any) -> bool:
    return np is not None and isinstance(obj, np.ndarray)
