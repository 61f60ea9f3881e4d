"""Models of the methods of generators and coroutines."""

from __future__ import annotations

from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from framelift.interpreter import found_generators, generators
from framelift.models.registry import model
from framelift.values.base import Value
from framelift.values.generator import AsyncStep, FoundGenerator, GeneratorValue
from framelift.values.known import NONE, Known, boolean
from framelift.values.reasons import UNKNOWN_OPERATION, Break


def _made_here(value: Value) -> GeneratorValue:
    if not isinstance(value, GeneratorValue):
        raise Break(UNKNOWN_OPERATION, f"a {value.cls.__name__} that existed before")
    return value


@model(GeneratorType.send, CoroutineType.send)
def send(m: Any, self: Value, value: Value, /) -> Value:
    return generators.resume(m, _made_here(self), value)


@model(GeneratorType.__next__)
def advance(m: Any, self: Value, /) -> Value:
    return generators.resume(m, _made_here(self), NONE)


@model(GeneratorType.__iter__, CoroutineType.__await__)
def iterate(m: Any, self: Value, /) -> Value:
    return _made_here(self)


@model(GeneratorType.throw, CoroutineType.throw)
def throw(m: Any, self: Value, kind: Value, value: Value | None = None, traceback: Value | None = None, /) -> Value:
    thrown = generators.thrown_by(m, kind, value)
    return generators.resume(m, _made_here(self), NONE, thrown)


@model(GeneratorType.close, CoroutineType.close)
def close(m: Any, self: Value, /) -> Value:
    return generators.close(m, _made_here(self))


@model(GeneratorType.__dict__["gi_running"], CoroutineType.__dict__["cr_running"])
def is_running(m: Any, self: Value, /) -> Value:
    generator = _made_here(self)
    if isinstance(generator, FoundGenerator):
        found_generators.read(m, generator)
    return boolean(generator.state == "running")


def _name(descriptor: Any, part: str) -> None:
    @model(descriptor)
    def get(m: Any, self: Value, /) -> Value:
        if self.seen is not None:
            raise Break(UNKNOWN_OPERATION, f"the name of a {self.cls.__name__} that existed before")
        return Known(getattr(_made_here(self).code, part))


for _kind in (GeneratorType, CoroutineType, AsyncGeneratorType):
    for _attribute, _part in (("__name__", "co_name"), ("__qualname__", "co_qualname")):
        _name(_kind.__dict__[_attribute], _part)


@model(AsyncGeneratorType.__aiter__)
def iterate_async(m: Any, self: Value, /) -> Value:
    return _made_here(self)


@model(AsyncGeneratorType.__anext__)
def advance_async(m: Any, self: Value, /) -> Value:
    return AsyncStep(_made_here(self), NONE)


@model(AsyncGeneratorType.asend)
def send_async(m: Any, self: Value, value: Value, /) -> Value:
    return AsyncStep(_made_here(self), value)
