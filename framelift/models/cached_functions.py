"""Calls of what `functools.lru_cache` makes.

Whether such a call runs the function, and what it gives, depends on what the cache holds. So that is looked up, without
a call that the cache's counters would show, and guarded:

- The key is there: its result is an object like any other that existed, at the end of a path through the cache.
- It is not: the function is traced, and must be no more than a computation. Where its result is a constant, the guard
  is that the key is still not there, or stands for that constant: the entry is good for the next call too. Where it
  makes an object, the call is made at once, for the object is the same from then on: the key is there.

Either way the residual makes the call for real, so that the cache and its counters are what they should be. A call that
was made while capturing it leaves out once.
"""

from __future__ import annotations

import functools
import types
import weakref
from typing import Any

import torch

from framelift import _core
from framelift.guards import facts
from framelift.models import aliases
from framelift.models.registry import model
from framelift.models.symbols import contains_symbol
from framelift.paths.reach import hashes_plainly
from framelift.values import snapshots
from framelift.values.base import Raised, Tracer, Value
from framelift.values.cached import CachedFunction
from framelift.values.function import MethodValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Closure, Known
from framelift.values.mapping import DictValue
from framelift.values.reasons import Break, reason
from framelift.values.sequence import TupleValue
from framelift.values.weak import WeakrefValue

CACHED_FUNCTION = reason(
    "cached function",
    "Whether functools.lru_cache runs a function depends on what its cache holds at the time of the call.",
    "Nothing to do: Python makes the call, so that the cache and its counters are what they should be.",
)

_LASTING = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


@model(functools._lru_cache_wrapper.__call__)
def call_cached(m: Tracer, self: Value, /, *args: Value, **kwargs: Value) -> Value:
    if not isinstance(self, CachedFunction) or self.seen is None:
        raise Break(CACHED_FUNCTION, "made during the call")
    if any(contains_symbol(m, arg) for arg in (*args, *kwargs.values())):  # it stands for many keys
        found = _computed(m, self, list(args), kwargs)
    else:
        typed, mark = self.seen.convert(_core.cache_traits)
        key = _key([_part(m, arg) for arg in args], {name: _part(m, arg) for name, arg in kwargs.items()}, typed, mark)
        known = self.results.get(key)
        if known is None:
            known = self.results[key] = _looked_up(m, self, key, list(args), kwargs)
        found = known
    keywords = DictValue()
    for name, value in kwargs.items():
        keywords.put(m, Known(name), value)
    m.effects.add(_call_again, self, TupleValue(list(args), tuple), keywords)
    return found


_made: weakref.WeakKeyDictionary[Any, list[Any]] = weakref.WeakKeyDictionary()
"""The calls that were made while capturing and are still to be made by a residual."""


def _call_again(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    made = _made.get(function)
    if made:
        typed, mark = _core.cache_traits(function)
        key = _key(list(args), keywords, typed, mark)
        if key in made:
            made.remove(key)
            return
    function(*args, **keywords)


def _part(m: Tracer, arg: Value) -> Any:
    """An argument as a part of a key; it stays the same as long as the guards hold."""
    if isinstance(arg, Known) and aliases.mentioned(arg.obj, m.made_classes):
        raise Break(CACHED_FUNCTION, "with a class made during the call as argument")
    if isinstance(arg, Closure):
        arg.pin()
        return arg.obj
    if isinstance(arg, Known) and (arg.literal or (isinstance(arg.obj, _LASTING) and hashes_plainly(arg.obj))):
        return arg.obj
    if isinstance(arg, TupleValue) and arg.cls in (tuple, torch.Size):
        return arg.cls([_part(m, item) for item in arg.all(m)])
    if isinstance(arg, InstanceValue) and arg.seen is not None and _is_itself(m, arg.cls):
        return arg.seen.pin()
    if isinstance(arg, WeakrefValue) and isinstance(arg.referent, Known):  # it is equal to any other of the same object
        return weakref.ref(_part(m, arg.referent))
    raise Break(CACHED_FUNCTION, f"with a {arg.cls.__name__} as argument")


def _argument(m: Tracer, arg: Value) -> Any:
    """The same for a call: a tuple that existed may be part of what the function gives."""
    part = _part(m, arg)
    return arg.seen.convert(lambda found: found) if type(part) is tuple and arg.seen is not None else part


def _is_itself(m: Tracer, cls: type) -> bool:
    """Whether objects of a class are equal to themselves alone."""
    methods = [m.class_attribute(cls, name) for name in ("__hash__", "__eq__")]
    plain = (object.__hash__, object.__eq__)
    return all(isinstance(found, Known) and found.obj is own for found, own in zip(methods, plain, strict=True))


def _key(args: list[Any], kwargs: dict[str, Any], typed: bool, mark: object) -> Any:
    """The key as `lru_cache` makes it."""
    if not typed and not kwargs and len(args) == 1 and type(args[0]) in (int, str):
        return args[0]
    parts = [*args]
    if kwargs:
        parts += [mark, *(part for pair in kwargs.items() for part in pair)]
    if typed:
        parts += [type(value) for value in (*args, *kwargs.values())]
    return tuple(parts)


def _computed(m: Tracer, self: CachedFunction, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """What the function itself gives, traced; it may do nothing but compute that."""
    assert self.seen is not None
    before = _state(m)
    try:
        result = m.call(m.lift(self.seen.child("cached_function")), args, kwargs)
    except Raised:
        raise Break(CACHED_FUNCTION, "that raises an exception") from None
    if before != _state(m):
        raise Break(CACHED_FUNCTION, "that does more than compute a result")
    return result


def _state(m: Tracer) -> Any:
    """What calls into the graph, changes of what existed, and of what was made since and put there, show in."""
    return m.recorder.calls, m.effects.state, snapshots.deep(effect.args for effect in m.effects.effects)


def _looked_up(m: Tracer, self: CachedFunction, key: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    assert self.seen is not None
    if self.seen.convert(lambda function: _core.holds("cache_has", key, function)):
        self.seen.learn(facts.cache_has, key)
        if self.misses and not self.seen.learn(facts.cache_room, self.misses):
            raise Break(CACHED_FUNCTION, "whose cache is full")
        return m.lift(self.seen.child("cached_result", key))
    result = _computed(m, self, args, kwargs)
    lasting, constant = _lasting(result)
    if lasting:
        self.misses += 1
        self.seen.learn(facts.cache_gives, key, constant)
        return result
    if not self.seen.convert(lambda function: _core.holds("cache_room", self.misses + 1, function)):
        raise Break(CACHED_FUNCTION, "whose cache is full")
    self.seen.convert(lambda function: _call_now(m, function, key, args, kwargs))
    return _looked_up(m, self, key, args, kwargs)


def _call_now(m: Tracer, function: Any, key: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
    """Have the cache hold what was found to be no more than a computation."""
    function(*[_argument(m, arg) for arg in args], **{name: _argument(m, arg) for name, arg in kwargs.items()})
    if not _core.holds("cache_has", key, function):
        raise Break(CACHED_FUNCTION, "that keeps no results")
    _made.setdefault(function, []).append(key)


def _lasting(result: Value) -> tuple[bool, Any]:
    """Whether the result of a function that was traced is the very object that calling it gives; and which one."""
    if isinstance(result, Closure):
        result.pin()
    if isinstance(result, Known) and (result.seen is not None or result.literal or isinstance(result.obj, _LASTING)):
        return True, result.obj
    if isinstance(result, InstanceValue) and result.seen is not None:
        return True, result.seen.pin()
    return False, None


@model(functools._lru_cache_wrapper.cache_info, functools._lru_cache_wrapper.cache_clear)
def look_at_cache(m: Tracer, self: Value, /) -> Value:
    raise Break(CACHED_FUNCTION, "and its counters")


_wrapper: Any = functools._lru_cache_wrapper


@model(_wrapper.__get__)
def bind_cached(m: Tracer, self: Value, instance: Value, owner: Value | None = None, /) -> Value:
    return self if isinstance(instance, Known) and instance.obj is None else MethodValue(self, instance)
