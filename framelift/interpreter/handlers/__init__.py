"""One file per family of instructions. Importing this package fills the table."""

from framelift.interpreter.handlers import (
    attributes,
    building,
    calling,
    exceptions,
    functions,
    generators,
    importing,
    jumps,
    matching,
    names,
    operators,
    stack,
)

__all__ = [
    "attributes",
    "building",
    "calling",
    "exceptions",
    "functions",
    "generators",
    "importing",
    "jumps",
    "matching",
    "names",
    "operators",
    "stack",
]
