"""Generators of random numbers: those of the program's own, and the state of the one that everyone shares.

Numbers drawn from a generator of the program's own are drawn before the graph, which takes them as inputs. Seeds and
states of the shared generator are set before the graph if nothing was drawn from it yet, else after the graph; what is
drawn after that is for the next graph.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import torch

from framelift.graph.randomness import draws
from framelift.models import early_steps
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyTensor, RandomGenerator
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue

_FACTORIES = frozenset({torch.rand, torch.randn, torch.randint, torch.randperm})
_FILLING = ("normal_", "uniform_", "exponential_", "bernoulli_", "random_", "log_normal_", "cauchy_", "geometric_")
_FILLERS = {getattr(torch.Tensor, name): name for name in _FILLING}


def draw(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of an operation that draws from a generator of the program's own; None if it is not like that."""
    generator = kwargs.get("generator")
    if isinstance(generator, Known) and generator.obj is torch.default_generator:
        return m.call(Known(function), args, {name: arg for name, arg in kwargs.items() if name != "generator"})
    if not isinstance(generator, RandomGenerator):
        return None
    if torch._C._are_functorch_transforms_active():
        raise Break(UNKNOWN_OPERATION, "a generator of its own inside of torch.func")
    options = {name: early_steps.literal(m, arg) for name, arg in kwargs.items() if name != "generator"}
    if function in _FACTORIES:
        real = [early_steps.literal(m, arg) for arg in args]
        return _drawn(m, partial(function, *real, **options), generator)
    name = _FILLERS.get(function)
    if name is None or not isinstance(args[0], TensorValue):
        raise Break(UNKNOWN_OPERATION, f"{function.__name__}() with a generator of its own")
    real = [early_steps.literal(m, arg) for arg in args[1:]]
    fake = args[0].fake
    if not fake.is_contiguous():
        raise Break(UNKNOWN_OPERATION, "a tensor with gaps, filled by a generator of its own")
    fill = _Fill(name, tuple(fake.shape), tuple(fake.stride()), fake.dtype, fake.device, real, options)
    return m.call(Known(torch.Tensor.copy_), [args[0], _drawn(m, fill, generator)])


class _Fill:
    """Makes a tensor by a method that fills it."""

    def __init__(self, name: str, shape: Any, stride: Any, dtype: Any, device: Any, args: Any, kwargs: Any) -> None:
        self.name = name
        self.like = shape, stride
        self.options = {"dtype": dtype, "device": device}
        self.args = args
        self.kwargs = kwargs

    def __call__(self, generator: Any = None) -> Any:
        with torch.no_grad():
            empty = torch.empty_strided(*self.like, **self.options)
            return getattr(empty, self.name)(*self.args, generator=generator, **self.kwargs)


def _drawn(m: Tracer, make: Any, generator: RandomGenerator) -> EarlyTensor:
    found = early_steps.tensor(m, "drawn", make)
    early_steps.add(m, _Draw(make), generator, result=found, changes=generator.seen is not None)
    return found


class _Draw:
    """For the residual."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def __call__(self, generator: Any) -> Any:
        return self.make(generator=generator)


# Generators


@model(torch.Generator.__new__)
def make(m: Tracer, cls: Value, /, device: Value = NONE) -> Value:
    place = torch.device("cpu") if device is NONE else torch.device(early_steps.literal(m, device) or "cpu")
    made = RandomGenerator(place)
    early_steps.add(m, torch.Generator, Known(place), result=made, changes=False)
    return made


@model(torch.Generator.__dict__["device"])
def device_of(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, Known):
        return Known(self.obj.device)
    if not isinstance(self, RandomGenerator) or self.device is None:
        raise Break(UNKNOWN_OPERATION, "the device of a generator")
    return Known(self.device)


@model(torch.Generator.manual_seed)
def seed(m: Tracer, self: Value, seed: Value, /) -> Value:
    _change(m, _seed, self, Known(early_steps.literal(m, seed)))
    return self


def _seed(generator: Any, number: int) -> None:
    """For the residual."""
    generator.manual_seed(number)


@model(torch.Generator.get_state)
def state_of(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, Known) and (m.early.reseeded or any(map(draws, m.recorder.graph.nodes))):
        raise Break(UNKNOWN_OPERATION, "the state of the random numbers, after some were drawn")
    if isinstance(self, RandomGenerator) and self.device is None:
        raise Break(UNKNOWN_OPERATION, "the state of a generator")
    found = early_steps.tensor(m, "state", _state_like(self))
    early_steps.add(m, torch.Generator.get_state, self, result=found, changes=False)
    return found


def _state_like(generator: Value) -> Any:
    device = generator.device if isinstance(generator, RandomGenerator) else torch.device("cpu")
    size = torch.Generator(device).get_state().shape
    return lambda: torch.zeros(size, dtype=torch.uint8)


@model(torch.Generator.set_state)
def set_state(m: Tracer, self: Value, state: Value, /) -> Value:
    if not isinstance(state, TensorValue) or (state.seen is None and not isinstance(state, EarlyTensor)):
        raise Break(UNKNOWN_OPERATION, "a state of random numbers that the graph computes")
    if state.fake._version:
        raise Break(UNKNOWN_OPERATION, "a state of random numbers that was changed")
    _change(m, torch.Generator.set_state, self, state)
    return self


def _change(m: Tracer, function: Any, generator: Value, arg: Value) -> None:
    if isinstance(generator, RandomGenerator):
        early_steps.add(m, function, generator, arg, changes=generator.seen is not None)
    else:
        _change_shared(m, function, generator, arg)


def _change_shared(m: Tracer, function: Any, *args: Value) -> None:
    """Before the graph if nothing was drawn yet, else after it."""
    if m.early.reseeded or any(map(draws, m.recorder.graph.nodes)):
        m.early.reseeded = True
        m.effects.add(function, *args)
    else:
        early_steps.add(m, function, *args)


_DEFAULT = torch.default_generator


@model(torch.random.manual_seed)
def seed_all(m: Tracer, seed: Value) -> Value:
    _change_shared(m, torch.random.manual_seed, Known(early_steps.literal(m, seed)))
    return Known(_DEFAULT)


def _seeds(*functions: Any) -> None:
    for function in functions:

        def change(m: Tracer, seed: Value, function: Any = function) -> Value:
            _change_shared(m, function, Known(early_steps.literal(m, seed)))
            return NONE

        model(function)(change)


_seeds(torch.cuda.manual_seed, torch.cuda.manual_seed_all)


@model(torch.cuda.device_count)
def devices(m: Tracer) -> Value:
    """How many there are does not change while a process lives."""
    return m.constant(torch.cuda.device_count())


@model(torch._C._accelerator_getAccelerator)
def accelerator(m: Tracer) -> Value:
    """Which it is does not change while a process lives."""
    return m.constant(torch._C._accelerator_getAccelerator())


def refuse_late_draw(m: Tracer, node: Any) -> None:
    """Nothing is drawn in the graph after the generator was given another state after it."""
    if m.early.reseeded and draws(node):
        raise Break(UNKNOWN_OPERATION, "random numbers of a state that was set after others were drawn")
