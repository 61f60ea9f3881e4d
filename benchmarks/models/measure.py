"""Measures one case with one engine; the process it runs in does nothing else."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import perf_counter_ns, process_time_ns
from typing import Any

import torch
from torch.autograd.profiler import record_function

from benchmarks.memory import forget_peak, memory_now, peak_memory
from benchmarks.side_by_side import Engine, collector_off

CAPTURES, ROUNDS, CALLS = 3, 60, 5
GRAPH = "a graph"  # what the profiler is told a graph runs under


def measure(case: Any, engine: Engine, report: Callable[[dict[str, Any]], None]) -> None:
    """Everything about a case, reported as it becomes known, so that what came before a crash is there."""
    torch.set_num_threads(1)
    found: dict[str, Any] = {"name": case.name, "engine": engine.name, "status": "crash"}
    report(found)
    expected = [run(case, program, at) for program in [built(case, lambda fn: fn)] for at in range(4)]
    warm_up(engine)
    for step in (_compare, _captures, _rate, _overhead):
        found.update(step(case, engine, expected))
        report(found)
        if found["status"] != "ok":
            return


def warm_up(engine: Engine) -> None:
    """Have the engine load whatever it loads when first used."""
    engine.compile(lambda x: x.relu() + 1, backend=Counting())(torch.randn(2))
    engine.reset()


def built(case: Any, compiled: Callable[[Any], Any]) -> Any:
    torch.manual_seed(0)
    random.seed(0)
    return case.build(compiled)


def run(case: Any, program: Any, at: int) -> Any:
    """One of four calls: a batch size, the same with other data, two other sizes."""
    batch = case.batches[max(0, at - 1)]
    args, kwargs = program.inputs(batch, at)
    torch.manual_seed(at)
    with torch.set_grad_enabled(case.grad):
        out = program.call(*args, **kwargs)
    state = program.state() if program.state is not None else None
    return [leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves((out, state))]


def leaves(found: Any, depth: int = 0) -> Iterator[Any]:
    """The tensors and plain values in an output."""
    if found is None or isinstance(found, torch.Tensor | int | float | str):
        yield found
    elif isinstance(found, dict):
        for item in found.values():
            yield from leaves(item, depth + 1)
    elif isinstance(found, list | tuple):
        for item in found:
            yield from leaves(item, depth + 1)
    elif hasattr(found, "__dict__") and not callable(found) and depth < 6:
        yield from leaves(vars(found), depth + 1)


def same(case: Any, left: list[Any], right: list[Any]) -> bool:
    return len(left) == len(right) and all(_same(case, a, b) for a, b in zip(left, right, strict=True))


def _same(case: Any, a: Any, b: Any) -> bool:
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        return torch.allclose(a.to_dense(), b.to_dense(), rtol=case.rtol, atol=case.atol, equal_nan=True)
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= case.atol + case.rtol * abs(a) or (a != a and b != b)
    return bool(a == b)


class Counting:
    """The do-nothing backend; counts graphs, and has the profiler see them if asked to."""

    def __init__(self, *, marked: bool = False) -> None:
        self.graphs = 0
        self.marked = marked

    def __call__(self, module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
        self.graphs += 1
        forward = module.forward
        if not self.marked:
            return forward

        def run_marked(*inputs: Any) -> Any:
            with record_function(GRAPH):
                return forward(*inputs)

        return run_marked


class Recorded:
    """The recorded-output backend: a graph's n-th run in a call gives what its n-th run gave before."""

    def __init__(self) -> None:
        self.compiled = 0
        self.replaying = False
        self.outputs: list[list[Any]] = []
        self.next: list[Any] = []

    def begin(self) -> None:
        self.next = [iter(outputs).__next__ for outputs in self.outputs]

    def __call__(self, module: torch.fx.GraphModule, examples: list[Any]) -> Callable[..., Any]:
        number, forward = self.compiled, module.forward
        self.compiled += 1
        mine: list[Any] = []
        self.outputs.append(mine)

        def run_or_recall(*inputs: Any) -> Any:
            if self.replaying:
                return self.next[number]()
            mine.append(forward(*inputs))
            return mine[-1]

        return run_or_recall


def compiler(engine: Engine, backend: Any) -> Callable[..., Any]:
    return lambda fn, **options: engine.compile(fn, **{"backend": backend, **options})


def _compare(case: Any, engine: Engine, expected: list[Any]) -> dict[str, Any]:
    """Four calls, compared with eager; the graphs compiled in each; the memory that the first adds to the process."""
    backend = Counting()
    program = built(case, compiler(engine, backend))
    gc.collect()
    forget_peak()
    before = memory_now()
    graphs, right = [], True
    memory = 0
    for at in range(4):
        count = backend.graphs
        right = same(case, run(case, program, at), expected[at]) and right
        graphs.append(backend.graphs - count)
        memory = memory or peak_memory() - before
    return {"status": "ok" if right else "wrong", "graphs": graphs, "memory_kib": memory}


def _captures(case: Any, engine: Engine, expected: list[Any]) -> dict[str, Any]:
    """The least CPU time of a first call, after a reset."""
    times = []
    for _ in range(CAPTURES):
        engine.reset()
        program = built(case, compiler(engine, Counting()))
        args, kwargs = program.inputs(case.batches[0], 0)
        with torch.set_grad_enabled(case.grad), collector_off():
            start = process_time_ns()
            program.call(*args, **kwargs)
            times.append(process_time_ns() - start)
    return {"capture_ns": min(times)}


def _rate(case: Any, engine: Engine, expected: list[Any]) -> dict[str, Any]:
    """Of the operations of a warm call, the share that graphs run. The backward pass belongs to neither side."""
    engine.reset()
    program = built(case, compiler(engine, Counting(marked=True)))
    for _ in range(2):
        run(case, program, 0)
    args, kwargs = program.inputs(case.batches[0], 0)
    with torch.set_grad_enabled(case.grad), torch.autograd.profiler.profile() as profile:
        program.call(*args, **kwargs)
    inside = outside = 0
    for event in profile.function_events:
        above = [parent.name for parent in parents(event)]
        if event.name.startswith("aten::") and not any(name.startswith("aten::") for name in above):
            inside += GRAPH in above
            outside += GRAPH not in above and not any(name.startswith("autograd::") for name in above)
    return {"inside": inside, "outside": outside}


def parents(event: Any) -> Iterator[Any]:
    """What an event of the profiler happened in, the innermost first."""
    while event.cpu_parent is not None:
        event = event.cpu_parent
        yield event


def _overhead(case: Any, engine: Engine, expected: list[Any]) -> dict[str, Any]:
    """The least time of a warm call whose graphs give back what they gave before; None where that cannot be."""
    if case.grad:
        return {"warm_ns": None}  # what was given back has no gradients to go on with
    engine.reset()
    backend = Recorded()
    program = built(case, compiler(engine, backend))
    args, kwargs = program.inputs(case.batches[0], 0)
    with torch.no_grad():
        for _ in range(4):
            for outputs in backend.outputs:
                outputs.clear()
            program.call(*args, **kwargs)
        backend.replaying = True
        least, compiled = float("inf"), backend.compiled
        with suppress(StopIteration):
            for _ in range(ROUNDS):
                with collector_off():
                    for _ in range(CALLS):
                        backend.begin()
                        start = perf_counter_ns()
                        program.call(*args, **kwargs)
                        least = min(least, perf_counter_ns() - start)
    return {"warm_ns": None if least == float("inf") or backend.compiled != compiled else least}
