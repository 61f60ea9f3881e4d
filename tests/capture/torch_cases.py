"""Programs of PyTorch: each runs eagerly and compiled, with several backends, and both have to end the same.

    @case(graphs=1)
    def name(compile):
        ...make what is needed, `f = compile(function)`, call it...
        return whatever is to be compared: results, gradients, parameters, buffers

`graphs` and `breaks`: how many in all (left out: not looked at; breaks are 0 unless said). The state of the random
number generator is compared too. `backends`: which ones; the eager one is compared bit by bit.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

import framelift
from framelift.runtime.backends import standard

FOLDER = Path(__file__).parent / "torch_programs"
USUAL = ("eager", "aot_eager")
ALL = ("eager", "aot_eager", "inductor")


@dataclass(frozen=True)
class Case:
    """A program and what is said about it."""

    name: str
    run: Callable[[Callable[..., Any]], Any]
    graphs: int | None
    breaks: int
    backends: tuple[str, ...]
    exact: bool


def case(graphs: int | None = None, breaks: int = 0, backends: tuple[str, ...] = USUAL) -> Callable[[Any], Any]:
    """Register a program with the module it is in."""

    def register(function: Any) -> Any:
        add(function.__globals__, function.__name__, function, graphs, breaks, backends)
        return function

    return register


def add(
    place: dict[str, Any],
    name: str,
    run: Callable[..., Any],
    graphs: int | None = None,
    breaks: int = 0,
    backends: tuple[str, ...] = USUAL,
    exact: bool = True,
) -> None:
    """Register a program under a name. `exact=False`: it does other arithmetic when it is told that it is compiled."""
    cases = place.setdefault("CASES", {})
    assert name not in cases, f"there are two programs {name}"
    cases[name] = Case(name, run, graphs, breaks, backends, exact)


def cases() -> list[tuple[str, Case, str]]:
    """Every program with every backend: the name, the program, the backend."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"tests.capture.torch_programs.{path.stem}", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for one in vars(module)["CASES"].values():
            found += [(f"{path.stem}-{one.name}-{backend}", one, backend) for backend in one.backends]
    return found


def check(one: Case, backend: str) -> None:
    """Run a program eagerly and compiled, and compare."""
    expected, state = _end_of(one, lambda function, **options: function)
    graphs: list[Any] = []
    shipped = standard.SHIPPED[backend]

    def counting(module: Any, examples: Any, options: dict[str, Any]) -> Any:
        graphs.append(module)
        return shipped(module, examples, options)

    framelift.reset()
    standard.SHIPPED[backend] = counting
    try:
        found, other = _end_of(
            one, lambda function, **options: framelift.compile(function, **{"backend": backend, **options})
        )
    finally:
        standard.SHIPPED[backend] = shipped
    broken = framelift.counters()["graph_break"]
    _same(expected, found, exact=one.exact and backend == "eager")
    assert torch.equal(state, other), "the random number generator is in another state"
    assert len(broken) == one.breaks, f"{len(broken)} graph breaks instead of {one.breaks}: {list(broken)}"
    if one.graphs is not None:
        assert len(graphs) == one.graphs, f"{len(graphs)} graphs instead of {one.graphs}"


def _end_of(one: Case, compile: Callable[..., Any]) -> tuple[Any, torch.Tensor]:
    torch.manual_seed(0)
    result = _described(one.run(compile))
    return result, torch.get_rng_state()


def _described(value: Any) -> Any:
    """A result with copies of its tensors."""
    if isinstance(value, torch.Tensor):
        dense = value.detach().as_subclass(torch.Tensor)
        dense = dense.to_dense() if dense.layout is not torch.strided else dense
        return [type(value), value.dtype, tuple(value.shape), value.requires_grad, dense.clone()]
    if isinstance(value, dict):
        return [type(value), list(value), [_described(item) for item in value.values()]]
    if isinstance(value, list | tuple):
        return [type(value), *map(_described, value)]
    return [type(value), value]


def _same(expected: Any, found: Any, exact: bool) -> None:
    if isinstance(expected, list):
        assert len(expected) == len(found), f"{found} instead of {expected}"
        for one, other in zip(expected, found, strict=True):
            _same(one, other, exact)
    elif isinstance(expected, torch.Tensor):
        tolerance = {"rtol": 0, "atol": 0} if exact else {"rtol": 2e-3, "atol": 1e-4}
        torch.testing.assert_close(found, expected, equal_nan=True, **tolerance)
    else:
        assert expected == found or (expected != expected and found != found), f"{found!r} instead of {expected!r}"
