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
from framelift.guards import facts
from framelift.models import early_steps
from framelift.models.registry import model
from framelift.models.symbols import takes_symbols
from framelift.models.torch_size import size_of
from framelift.values.base import Tracer, Value
from framelift.values.early import EarlyTensor, RandomGenerator
from framelift.values.known import NONE, Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue
from framelift.values.symbol import wrapped
from framelift.values.tensor import TensorValue

_FACTORIES = frozenset({torch.rand, torch.randn, torch.randint, torch.randperm})
_FILLING = ("normal_", "uniform_", "exponential_", "bernoulli_", "random_", "log_normal_", "cauchy_", "geometric_")
_FILLERS = {getattr(torch.Tensor, name): name for name in _FILLING}


def draw(m: Tracer, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The result of an operation that draws from a generator of the program's own; None if it is not like that."""
    generator = kwargs.get("generator")
    if isinstance(generator, Known) and (generator.obj is torch.default_generator or _is_left_out(function, generator)):
        return m.call(Known(function), args, {name: arg for name, arg in kwargs.items() if name != "generator"})
    if not isinstance(generator, RandomGenerator):
        return None
    if torch._C._are_functorch_transforms_active():
        raise Break(UNKNOWN_OPERATION, "a generator of its own inside of torch.func")
    options = {name: early_steps.literal(m, arg) for name, arg in kwargs.items() if name != "generator"}
    if function in _FACTORIES:
        return _made(m, partial(function, **options), args, generator)
    name = _FILLERS.get(function)
    if name is None or not isinstance(args[0], TensorValue):
        raise Break(UNKNOWN_OPERATION, f"{function.__name__}() with a generator of its own")
    fake = args[0].fake
    if not fake.is_contiguous():
        raise Break(UNKNOWN_OPERATION, "a tensor with gaps, filled by a generator of its own")
    fill = _Fill(name, fake.dtype, fake.device, options)
    sizes, strides = size_of([wrapped(size) for size in fake.shape]), size_of([wrapped(size) for size in fake.stride()])
    return m.call(Known(torch.Tensor.copy_), [args[0], _made(m, fill, [sizes, strides, *args[1:]], generator)])


def _is_left_out(function: Any, generator: Known) -> bool:
    """Whether None is given to a function that then works for sizes that vary only if nothing is."""
    return generator.obj is None and function in _FACTORIES


class _Fill:
    """Makes a tensor by a method that fills it."""

    def __init__(self, name: str, dtype: Any, device: Any, kwargs: Any) -> None:
        self.name = name
        self.options = {"dtype": dtype, "device": device}
        self.kwargs = kwargs

    def __call__(self, shape: Any, stride: Any, *args: Any, generator: Any = None) -> Any:
        with torch.no_grad():
            empty = torch.empty_strided(shape, stride, **self.options)
            return getattr(empty, self.name)(*args, generator=generator, **self.kwargs)


def _made(m: Tracer, make: Any, args: list[Value], generator: RandomGenerator) -> EarlyTensor:
    """A tensor that is drawn before the graph, of sizes that may vary."""
    given = early_steps.with_sizes(m, TupleValue(args, tuple))
    found = early_steps.tensor(m, "drawn", lambda: make(*early_steps.fakes(m, given)))
    early_steps.add(m, _Draw(make), generator, given, result=found, changes=generator.seen is not None)
    return found


class _Draw:
    """For the residual."""

    def __init__(self, make: Any) -> None:
        self.make = make

    def __call__(self, generator: Any, args: Any) -> Any:
        return self.make(*args, generator=generator)


# Generators


@model(torch.Generator.__new__)
def make(m: Tracer, cls: Value, /, device: Value = NONE) -> Value:
    place = torch.device("cpu") if device is NONE else torch.device(early_steps.literal(m, device) or "cpu")
    made = RandomGenerator(place)
    early_steps.add(m, torch.Generator, Known(place), result=made, changes=False)
    return made


_DEVICE = torch.Generator.__dict__["device"]


@model(_DEVICE)
def device_of(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, Known):
        return Known(self.obj.device)
    if not isinstance(self, RandomGenerator):
        raise Break(UNKNOWN_OPERATION, "the device of a generator")
    return Known(_device(m, self))


def _device(m: Tracer, generator: RandomGenerator) -> torch.device:
    """Where a generator is."""
    if generator.device is None:
        assert generator.seen is not None
        generator.device = generator.seen.learn(facts.generator_device)
    return generator.device


@model(torch.Generator.manual_seed)
def seed(m: Tracer, self: Value, seed: Value, /) -> Value:
    _change(m, _seed, self, early_steps.number(m, seed))
    return self


def _seed(generator: Any, number: int) -> None:
    """For the residual."""
    generator.manual_seed(number)


@model(torch.Generator.get_state)
def state_of(m: Tracer, self: Value, /) -> Value:
    if isinstance(self, Known) and (m.early.reseeded or any(map(draws, m.recorder.graph.nodes))):
        raise Break(UNKNOWN_OPERATION, "the state of the random numbers, after some were drawn")
    found = early_steps.tensor(m, "state", _state_like(m, self))
    early_steps.add(m, torch.Generator.get_state, self, result=found, changes=False)
    return found


def _state_like(m: Tracer, generator: Value) -> Any:
    device = _device(m, generator) if isinstance(generator, RandomGenerator) else torch.device("cpu")
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
    _change_shared(m, torch.random.manual_seed, early_steps.number(m, seed))
    return Known(_DEFAULT)


def _seeds(*functions: Any) -> None:
    for function in functions:

        def change(m: Tracer, seed: Value, function: Any = function) -> Value:
            _change_shared(m, function, early_steps.number(m, seed))
            return NONE

        model(function)(change)


_seeds(torch.cuda.manual_seed, torch.cuda.manual_seed_all)
takes_symbols(torch.Generator.manual_seed, torch.random.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all)


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
