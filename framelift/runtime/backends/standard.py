"""The backends framelift ships. What they stand on is imported when one is first used: it takes seconds to load."""

from __future__ import annotations

import difflib
import itertools
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import torch
from torch._guards import CompileId
from torch.fx import GraphModule

from framelift.graph.arithmetic import write_powers
from framelift.graph.symbols import PathSource
from framelift.runtime.options import Options

Compiled = Callable[..., Any]

MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "reduce-overhead": {"triton.cudagraphs": True},
    "max-autotune": {"max_autotune": True, "triton.cudagraphs": True, "coordinate_descent_tuning": True},
    "max-autotune-no-cudagraphs": {"max_autotune": True, "coordinate_descent_tuning": True},
}


def eager(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Run the graph as it is."""
    forward: Compiled = module.forward
    return forward


def aot_eager(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Trace forward and backward with AOTAutograd, and run both as they are."""
    aot = import_module("torch._functorch.aot_autograd")
    compilers = import_module("functorch.compile")
    partition = _without_draws(compilers.default_partition)
    compiled: Compiled = aot.aot_module_simplified(
        module, examples, fw_compiler=_run_as_it_is, bw_compiler=_run_as_it_is, partition_fn=partition
    )
    return compiled


def _run_as_it_is(graph: GraphModule, examples: Any) -> Compiled:
    """Not the module itself: hooks on all modules are called for those of the program only."""
    if write_powers(graph.graph):
        graph.recompile()
    forward = graph.forward

    def run(args: list[Any]) -> Any:
        given = list(args)
        args.clear()  # AOTAutograd gives them up here, so that they can be freed while the graph runs
        return forward(*given)

    setattr(run, "_boxed_call", True)  # noqa: B010
    return run


def _without_draws(partition: Callable[..., tuple[GraphModule, GraphModule]]) -> Compiled:
    """A partition whose backward graph does not draw again what only the forward graph uses."""

    def partitioned(*args: Any, **kwargs: Any) -> tuple[GraphModule, GraphModule]:
        forward, backward = partition(*args, **kwargs)
        for node in reversed(backward.graph.nodes):
            if not node.users and torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
                backward.graph.erase_node(node)
        backward.recompile()
        return forward, backward

    return partitioned


def inductor(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Compile with TorchInductor."""
    _tell_inputs(module)
    compile_fx = import_module("torch._inductor.compile_fx").compile_fx
    compiled: Compiled = compile_fx(module, examples, config_patches=options)
    return compiled


def inductor_options(options: Mapping[Any, Any]) -> dict[str, Any]:
    """The options by the names TorchInductor has for them; an error for one it does not have."""
    config = import_module("torch._inductor.config")
    known = config.get_config_copy()
    found = {}
    for written, value in options.items():
        name = written.replace("-", "_") if isinstance(written, str) else written
        if name not in known:
            near = ", ".join(difflib.get_close_matches(str(name), known, n=3))
            hint = f"is one of these meant: {near}?" if near else "torch._inductor.list_options() lists them"
            raise ValueError(f"unknown option {written!r} for backend 'inductor'; {hint}")
        kind = config.get_type(name)
        if isinstance(kind, type) and not isinstance(value, kind):  # others are unions and the like
            raise TypeError(f"option {written!r} for backend 'inductor' must be of type {kind.__name__}, got {value!r}")
        found[name] = value
    return found


def cudagraphs(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Record the graph's kernels as a CUDA graph."""
    backend = import_module("torch._dynamo.backends.cudagraphs").CudagraphsBackend()
    compiled: Compiled = backend(module, examples)
    return compiled


_numbers = itertools.count()


def _tell_inputs(module: GraphModule) -> None:
    """Say which inputs stay where they are from call to call: CUDA graphs then need no copies of them.

    These are the names under which AOTAutograd looks for that.
    """
    module.meta["dynamo_compile_id"] = CompileId(frame_id=next(_numbers), frame_compile_id=0)
    module._param_name_to_source = {}  # type: ignore[assignment]
    for node in module.graph.find_nodes(op="placeholder"):
        node._dynamo_source = PathSource(node.name)
        if node.meta.get("stays"):
            node.meta["tensor_dict"] = {"_dynamo_static_input_type": "guarded"}


def uses_cudagraphs(options: Options) -> bool:
    """Whether graphs compiled with these options may be run as CUDA graphs."""
    if not torch.cuda.is_available():
        return False
    asked = {**MODES[options.mode or "default"], **dict(options.backend_options)}
    return options.backend == "cudagraphs" or bool(options.backend == "inductor" and asked.get("triton.cudagraphs"))


def begin_step() -> None:
    """A call begins: what CUDA graphs gave back in calls before may be overwritten once nobody holds it."""
    trees = sys.modules.get("torch._inductor.cudagraph_trees")
    if trees is not None:
        trees.GenerationTracker.generation += 1


SHIPPED: dict[str, Callable[[GraphModule, list[torch.Tensor], dict[str, Any]], Compiled]] = {
    "aot_eager": aot_eager,
    "cudagraphs": cudagraphs,
    "eager": eager,
    "inductor": inductor,
}
