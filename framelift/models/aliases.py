"""Types with parameters, `list[A]`, where `A` is a class made in the call.

While capturing `A` is a class without contents, and so it is in what was made of it. The residual puts the real class
in its place.
"""

from __future__ import annotations

import copy
import functools
import gc
import operator
import types
import typing
from collections.abc import Iterable
from typing import Any

_KINDS = (types.GenericAlias, types.UnionType, typing._BaseGenericAlias)  # type: ignore[attr-defined]


def is_alias(obj: Any) -> bool:
    return isinstance(obj, _KINDS)


def mentioned(obj: Any, classes: Iterable[type]) -> list[type]:
    """Which of the classes a type with parameters is made of."""
    wanted, found, todo = set(classes), [], [obj]
    while todo:
        part = todo.pop()
        if isinstance(part, type) and part in wanted and part not in found:
            found.append(part)
        elif is_alias(part):
            todo += [getattr(part, "__origin__", None), *getattr(part, "__args__", ())]
        elif isinstance(part, list | tuple):
            todo += part
    return found


def holds(obj: Any, classes: Iterable[type]) -> bool:
    """Whether any other object holds one of the classes."""
    wanted = {id(cls) for cls in classes}
    return any(id(part) in wanted for part in gc.get_referents(obj))


def replaced(alias: Any, before: tuple[type, ...], after: tuple[type, ...]) -> Any:
    """For the residual: the same with other classes."""
    for old, new in zip(before, after, strict=True):
        if alias is old:
            return new
    if isinstance(alias, list | tuple):
        return type(alias)([replaced(part, before, after) for part in alias])
    if not is_alias(alias):
        return alias
    args = replaced(alias.__args__, before, after)
    if isinstance(alias, types.UnionType):
        return functools.reduce(operator.or_, args)
    origin = replaced(alias.__origin__, before, after)
    if isinstance(alias, types.GenericAlias):
        return types.GenericAlias(origin, args)
    made = copy.copy(alias)
    vars(made).update(__origin__=origin, __args__=args)
    return made
