"""Importing this fills the table of models with those of the standard library."""

from framelift.models import (
    std_copy,
    std_functools,
    std_heapq,
    std_inspect,
    std_itertools,
    std_logging,
    std_math,
    std_operator,
    std_re,
    std_sys,
    std_types,
    std_weakref,
)

__all__ = [
    "std_copy",
    "std_functools",
    "std_heapq",
    "std_inspect",
    "std_itertools",
    "std_logging",
    "std_math",
    "std_operator",
    "std_re",
    "std_sys",
    "std_types",
    "std_weakref",
]
