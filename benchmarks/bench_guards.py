"""What the guards of a warm call cost: for each kind of argument, the compiled call against a call of the residual.

The residual does nothing but return, so that the difference is binding, guards and gathering.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

sys.path.pop(0)  # this folder, whose modules must not be taken for others
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch

from framelift import _core

Node = Any
CALLS, ROUNDS = 100_000, 9


def per_call(function: Callable[..., Any], args: tuple[Any, ...]) -> float:
    """Nanoseconds, the loop itself taken off; the best of several rounds."""
    namespace = {"function": function, "args": args, "clock": time.perf_counter_ns}
    names = ", ".join(f"a{i}" for i in range(len(args)))
    source = f"""
def timed(count):
    {names}, = args
    begin = clock()
    for _ in range(count): function({names})
    middle = clock()
    for _ in range(count): pass
    return (2 * middle - begin - clock()) / count
"""
    exec(source, namespace)
    return min(namespace["timed"](CALLS) for _ in range(ROUNDS))


def compiled(function: Any, residual: CodeType, guards: _core.Guards, inputs: int) -> _core.Callable:
    def callback(code: CodeType, function: Any, backend: object, args: Any) -> _core.Entry:
        return _core.add_entry(code, residual, backend, guards=guards, inputs=inputs)

    return _core.Callable(function, callback, object())


def returning(count: int, inputs: int = 0) -> Any:
    """A function of `count` parameters that returns None, with unused variables behind them."""
    parameters = ", ".join(f"p{i}" for i in range(count))
    unused = "".join(f"    i{i} = None\n" for i in range(inputs))
    namespace: dict[str, Any] = {}
    exec(f"def f({parameters}):\n    return None\n{unused}", namespace)
    return namespace["f"]


class Config:
    def __init__(self, depth: int) -> None:
        self.width, self.name, self.inner = 64, "config", Config(depth - 1) if depth else None


def tensor_nodes(tensor: torch.Tensor) -> tuple[Node, ...]:
    return (("local", 0, (("tensor", _core.tensor_meta(tensor)),), (), 0),)


CONTAINERS: tuple[Any, ...] = ([1], (2,), {"a": 1}, {3}) * 2
SCALARS: tuple[Any, ...] = (1, 2.5, True, None, "mode", b"x", 10**30, (1, 2), "other", 7, 0, 1, *CONTAINERS)


def scalar_nodes() -> tuple[Node, ...]:
    nodes = []
    for index, value in enumerate(SCALARS):
        checks: tuple[Any, ...] = (("type_is", type(value)),)
        children: tuple[Node, ...] = ()
        if isinstance(value, (list, dict, set)):
            checks += (("length", 1),)
            if isinstance(value, list):
                children = (("item", 0, (("equals", 1),), (), -1),)
            elif isinstance(value, dict):
                children = (("key", "a", (("equals", 1),), (), -1),)
        else:
            checks += (("equals", value),)
        nodes.append(("local", index, checks, children, -1))
    return tuple(nodes)


def nested_nodes(depth: int) -> tuple[Node, ...]:
    """Ten objects, one inside the other; of each the type and two attributes, the first handed to the residual."""

    def inside(level: int) -> tuple[Node, ...]:
        width = ("attr", "width", (("type_is", int), ("equals", 64)), (), level)
        name = ("attr", "name", (("equals", "config"),), (), -1)
        if level == depth - 1:
            return (width, name)
        return (width, name, ("attr", "inner", (("type_is", Config),), inside(level + 1), -1))

    return (("local", 0, (("type_is", Config),), inside(0), -1),)


CASES: dict[str, tuple[tuple[Any, ...], Callable[[], tuple[Node, ...]], int]] = {
    "nothing to guard": ((1,), tuple, 0),
    "1 tensor": ((torch.zeros(8, 16),), lambda: tensor_nodes(torch.zeros(8, 16)), 1),
    "20 scalars and containers": (SCALARS, scalar_nodes, 0),
    "10 nested objects": ((Config(9),), lambda: nested_nodes(10), 10),
}


def main() -> None:
    state = _core.global_state()
    print(f"{'':28}{'residual':>10}{'stateless':>11}{'with state':>11}{'guards cost':>13}   ns per call")
    for name, (args, nodes, inputs) in CASES.items():
        function, residual = returning(len(args)), returning(len(args), inputs).__code__
        plain = per_call(returning(len(args)), args)
        times = []
        for state_or_none in (None, state):
            guards = _core.build_guards((state_or_none, nodes()))
            assert guards.check(args, function) is not None, name
            times.append(per_call(compiled(returning(len(args)), residual, guards, inputs), args))
        print(f"{name:28}{plain:10.1f}{times[0]:11.1f}{times[1]:11.1f}{times[1] - plain:13.1f}")
    rounds = [per_call(lambda x: None, (1,)) for _ in range(3)]
    print(f"spread of one figure: {max(rounds) - min(rounds):.1f} ns, median {statistics.median(rounds):.1f} ns")


if __name__ == "__main__":
    main()
