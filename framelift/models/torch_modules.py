"""`torch.nn.Module`: its look-up of parameters, buffers and submodules, which every layer of a model goes through.

It could be traced as it is, and is where the model does not know its way; this costs a fraction of that.
"""

from __future__ import annotations

from typing import Any

import torch

from framelift.models.registry import model, named_model
from framelift.values.base import Tracer, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue, key_of
from framelift.values.reasons import EFFECT, UNKNOWN_OPERATION, Break
from framelift.values.sequence import Sequence
from framelift.values.tensor import TensorValue

_HOLDERS = ("_parameters", "_buffers", "_modules")


@model(torch.nn.Module.__getattr__)
def find_part(m: Tracer, self: Value, name: Value, /) -> Value:
    if not isinstance(self, InstanceValue) or not isinstance(name, Known) or type(name.obj) is not str:
        return m.call(Known(_find_part), [self, name])
    for holder in _HOLDERS:
        parts = self.attributes.get(m, holder)
        if parts is None:
            continue
        if not isinstance(parts, DictValue) or parts.cls is not dict:
            return m.call(Known(_find_part), [self, name])
        found = parts.get(m, key_of(m, name))
        if found is not None:
            return found
    m.throw(AttributeError, f"'{self.cls.__name__}' object has no attribute '{name.obj}'")


def _find_part(self: Any, name: str) -> Any:
    """The same for holders that are no plain dicts (traced)."""
    for holder in _HOLDERS:
        parts = self.__dict__.get(holder, ())
        if name in parts:
            return parts[name]
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


_apply_hook: Any = torch.utils.hooks.BackwardHook._apply_on_tensors


@model(_apply_hook)
def watch_gradients(m: Tracer, self: Value, function: Value, args: Value, /) -> Value:
    """The hooks of a module on gradients: autograd has to call them, on tensors that exist."""
    items = args.all(m) if isinstance(args, Sequence) else [args]
    wanted = any(isinstance(item, TensorValue) and item.fake.requires_grad for item in items)
    if wanted and torch.is_grad_enabled():
        raise Break(UNKNOWN_OPERATION, "a module with hooks on its gradients")
    return m.inline(_apply_hook, [self, function, args])


_initialize: Any = torch.nn.modules.lazy.LazyModuleMixin._infer_parameters


@model(_initialize)
def initialize(m: Tracer, self: Value, module: Value, /, *args: Value, **kwargs: Value) -> Value:
    raise Break(EFFECT, "a module that its first call initializes")


@named_model("torch/_dynamo/mutation_guard.py", "GenerationTracker.tag")
def tag(m: Tracer, function: Value, closure: Any, args: list[Value], kwargs: dict[str, Value]) -> Value:
    """Where torch.compile has run in the process, it notes when each module is made. That is its own business."""
    return NONE
