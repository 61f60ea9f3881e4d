"""Importing this fills the table of models."""

from framelift.models import builtin_functions, builtin_types, containers, exceptions, functions, objects, torch_modes, torch_state

__all__ = ["builtin_functions", "builtin_types", "containers", "exceptions", "functions", "objects", "torch_modes", "torch_state"]
