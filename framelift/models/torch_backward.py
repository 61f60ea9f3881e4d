"""`backward` inside of a captured function.

It is `torch.autograd.grad` for all leaves that the result depends on, and putting what comes out into their `grad`. For
that everything in between has to be seen: what depends on a tensor that was itself computed before the call is left to
autograd's engine, and so are tensors with hooks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from framelift.guards import facts
from framelift.models import torch_ops
from framelift.models.registry import model
from framelift.values.base import Tracer, Value
from framelift.values.known import FALSE, NONE, TRUE, Known
from framelift.values.reasons import Break, reason
from framelift.values.sequence import ListValue, Sequence
from framelift.values.tensor import TensorValue

BACKWARD = reason(
    "backward",
    "The program computes gradients into tensors, but of something whose history began before the call, or that has "
    "hooks: autograd does that outside of a graph.",
    "Nothing to do: the gradients are computed between two graphs. Or compile what comes before, and call backward() "
    "outside.",
)


@model(torch.autograd.backward)
def backward(
    m: Tracer,
    tensors: Value,
    grad_tensors: Value = NONE,
    retain_graph: Value = NONE,
    create_graph: Value = FALSE,
    grad_variables: Value = NONE,
    inputs: Value = NONE,
) -> Value:
    refused = Break(BACKWARD)
    if grad_variables is not NONE:
        raise refused
    results = _tensors(m, tensors, refused)
    leaves = _wanted(m, _leaves(m, results, refused), inputs, refused)
    keeps_history = m.truth(create_graph)
    retained: list[TensorValue] = list(m.retained)
    if retained and (keeps_history or not _is_none(inputs)):
        raise refused
    if keeps_history:
        m.effects.add(_warn_of_history)
    options = {"grad_outputs": grad_tensors, "retain_graph": retain_graph, "allow_unused": TRUE}
    options["create_graph"] = Known(keeps_history)
    given: list[Value] = [ListValue([*results], list), ListValue([*leaves, *retained], list)]
    found = torch_ops.call(m, torch.autograd.grad, given, options)
    assert isinstance(found, Sequence)
    if keeps_history:
        for leaf, gradient in zip(leaves, found.all(m), strict=True):
            if isinstance(gradient, TensorValue):
                m.call(Known(_accumulate_with_history), [leaf, gradient])
        return NONE
    _put(m, leaves, retained, found.all(m), [*results, *_given(m, grad_tensors)])
    return NONE


def _wanted(m: Tracer, leaves: list[TensorValue], inputs: Value, refused: Break) -> list[TensorValue]:
    """Those leaves that are to get gradients."""
    if not _is_none(inputs):
        wanted = _tensors(m, inputs, refused)
        if not all(_is_leaf(tensor) for tensor in wanted):
            raise refused
        leaves = [leaf for leaf in leaves if any(leaf is tensor for tensor in wanted)]
    if not leaves or any(_is_hooked(leaf) for leaf in leaves):
        raise refused
    return leaves


def _put(
    m: Tracer,
    leaves: list[TensorValue],
    retained: list[TensorValue],
    found: list[Value],
    others: list[TensorValue],
) -> None:
    """Give tensors the gradients that were found for them, which must not share memory with each other or `others`."""
    gradients = [gradient for gradient in found if isinstance(gradient, TensorValue)]
    shared = _shared_storages(tensor.fake for tensor in [*gradients, *others])
    for tensor, gradient in zip([*leaves, *retained], found, strict=True):
        if not isinstance(gradient, TensorValue):
            continue
        if any(tensor is kept for kept in retained):
            m.call(Known(_keep), [tensor, gradient])
            continue
        copied = _storage(gradient.fake) in shared or gradient.fake.stride() != tensor.fake.stride()
        m.call(Known(_accumulate), [tensor, gradient, Known(copied)])


def _accumulate(leaf: Any, gradient: Any, copied: bool) -> None:
    """What autograd's engine does when it has come to a leaf."""
    if leaf.grad is not None:
        with torch.no_grad():
            leaf.grad.add_(gradient)
    elif copied:
        with torch.no_grad():
            leaf.grad = torch.empty_like(leaf).copy_(gradient)
    else:
        leaf.grad = gradient


def _keep(tensor: Any, gradient: Any) -> None:
    """What it does when it comes by a tensor that keeps its gradient."""
    with torch.no_grad():
        if tensor.grad is None:
            tensor.grad = gradient.clone(memory_format=torch.contiguous_format)
        else:
            tensor.grad = tensor.grad + gradient


def _accumulate_with_history(leaf: Any, gradient: Any) -> None:
    """The same where gradients are to be differentiated: whatever was there before stays as it is."""
    with torch.enable_grad():
        leaf.grad = torch.empty_like(leaf).copy_(gradient) if leaf.grad is None else leaf.grad + gradient


_warned: list[bool] = []


def _warn_of_history() -> None:
    """For the residual: have PyTorch say, once, what it says of such gradients."""
    if not _warned:
        _warned.append(True)
        torch.ones((), requires_grad=True).mul(1).backward(create_graph=True)  # type: ignore[no-untyped-call]


def _tensors(m: Tracer, value: Value, refused: Break) -> list[TensorValue]:
    items = value.all(m) if isinstance(value, Sequence) else [value]
    found = [item for item in items if isinstance(item, TensorValue)]
    if not found or len(found) != len(items):
        raise refused
    return found


def _given(m: Tracer, gradients: Value) -> list[TensorValue]:
    items = gradients.all(m) if isinstance(gradients, Sequence) else [gradients]
    return [item for item in items if isinstance(item, TensorValue)]


def _is_none(value: Value) -> bool:
    return isinstance(value, Known) and value.obj is None


def _leaves(m: Tracer, results: list[TensorValue], refused: Break) -> list[TensorValue]:
    """The tensors that results depend on and that nothing computed; refused if there are some of before the call."""
    made = [leaf.tensor for leaf in m.leaves.values()]
    known = {id(tensor.fake): tensor for tensor in (*m.input_tensors(), *m.early.inputs.values(), *made)}
    found: dict[int, TensorValue] = {}
    seen: set[Any] = set()
    pending = [result.fake.grad_fn for result in results if result.fake.grad_fn is not None]
    for result in results:
        if result.fake.grad_fn is None and result.fake.requires_grad:
            raise refused  # a leaf itself
    while pending:
        function = pending.pop()
        if function in seen:
            continue
        seen.add(function)
        variable = getattr(function, "variable", None)
        if variable is not None:
            leaf = known.get(id(variable))
            if leaf is None or not _is_leaf(leaf) or variable.layout is not torch.strided:
                raise refused
            found[id(variable)] = leaf
        pending += [following for following, _ in function.next_functions if following is not None]
    return [found[key] for key in sorted(found, key=list(known).index)]


def _is_leaf(tensor: TensorValue) -> bool:
    if tensor.seen is not None:
        return bool(tensor.seen.learn(facts.is_leaf))
    return bool(tensor.fake.is_leaf)


def _is_hooked(tensor: TensorValue) -> bool:
    return tensor.seen is not None and bool(tensor.seen.learn(facts.is_hooked))


def _storage(fake: Any) -> int:
    return int(fake.untyped_storage()._cdata)


def _shared_storages(fakes: Iterable[Any]) -> set[int]:
    once: set[int] = set()
    twice: set[int] = set()
    for fake in fakes:
        (twice if _storage(fake) in once else once).add(_storage(fake))
    return twice
