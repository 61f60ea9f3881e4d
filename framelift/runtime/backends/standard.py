"""The backends framelift ships. What they stand on is imported when one is first used: it takes seconds to load."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch
from torch.fx import GraphModule

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
    nop = compilers.nop
    compiled: Compiled = aot.aot_module_simplified(module, examples, fw_compiler=nop, bw_compiler=nop)
    return compiled


def inductor(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Compile with TorchInductor."""
    compile_fx = import_module("torch._inductor.compile_fx").compile_fx
    compiled: Compiled = compile_fx(module, examples, config_patches=options)
    return compiled


def cudagraphs(module: GraphModule, examples: list[torch.Tensor], options: dict[str, Any]) -> Compiled:
    """Record the graph's kernels as a CUDA graph."""
    backend = import_module("torch._dynamo.backends.cudagraphs").CudagraphsBackend()
    compiled: Compiled = backend(module, examples)
    return compiled


SHIPPED: dict[str, Callable[[GraphModule, list[torch.Tensor], dict[str, Any]], Compiled]] = {
    "aot_eager": aot_eager,
    "cudagraphs": cudagraphs,
    "eager": eager,
    "inductor": inductor,
}
