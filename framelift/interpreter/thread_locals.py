"""Attributes of `threading.local`: each thread has its own. Guards look at those of the thread that calls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from framelift.values.base import Value
from framelift.values.instance import InstanceValue
from framelift.values.namespace import Namespace
from framelift.values.reasons import UNKNOWN_OPERATION, Break


def is_thread_local(value: Value) -> bool:
    return issubclass(value.cls, threading.local)


def refuse_dict(value: Value, name: str) -> None:
    """Break if the dictionary itself is asked for: it would have to stay that of one thread."""
    if name == "__dict__" and is_thread_local(value):
        raise _refusal(value)


def attributes_of(value: Value) -> Namespace:
    """What this thread has."""
    if not isinstance(value, InstanceValue) or value.seen is None:
        raise _refusal(value)
    if value.attributes.attribute:  # not of an object's own, as others are
        try:
            value.attributes = Namespace(value.seen.child("thread_dict"))
        except LookupError:  # a class with an `__init__`, which is called for each thread
            raise _refusal(value) from None
    return value.attributes


def _refusal(value: Value) -> Break:
    return Break(UNKNOWN_OPERATION, f"attributes of a {value.cls.__name__} of each thread's own")


def writer(value: Value) -> Callable[..., Any]:
    """What sets an attribute of an object, past any code of the user's."""
    return threading.local.__setattr__ if is_thread_local(value) else object.__setattr__


def deleter(value: Value) -> Callable[..., Any]:
    return threading.local.__delattr__ if is_thread_local(value) else object.__delattr__
