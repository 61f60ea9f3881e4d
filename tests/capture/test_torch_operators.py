"""Each operator that PyTorch's own tests know, with an input of theirs: compiled, it gives what it gives eagerly.

Those that draw random numbers are seeded; where a gradient can be had it is compared too.
"""

from __future__ import annotations

import pytest
import torch

import framelift
from tests.capture import pytorch_tests

invocations = pytorch_tests.part("common_methods_invocations")

# Not deterministic, not for the CPU, or about memory that was never written.
LEFT_OUT = frozenset(
    "empty empty_like empty_permuted empty_strided new_empty new_empty_strided as_strided_partial_views resize_ "
    "resize_as_ data_ptr".split()
)


def operators():
    found = {}
    for info in invocations.op_db:
        name = f"{info.name}{'-' + info.variant_test_name if info.variant_test_name else ''}".replace(".", "_")
        if torch.float32 in info.dtypes and info.name not in LEFT_OUT and callable(info.op):
            found.setdefault(name, info)
    return found


OPERATORS = operators()


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, list | tuple):
        return [tensor for item in value for tensor in flat(item)]
    return []


def fresh(value, grad):
    if isinstance(value, torch.Tensor):
        made = value.detach().clone()
        return made.requires_grad_(grad and value.is_floating_point())
    if isinstance(value, list | tuple):
        return type(value)([fresh(item, grad) for item in value])
    if isinstance(value, dict):
        return {name: fresh(item, grad) for name, item in value.items()}
    return value


def ends(function, sample, grad):
    torch.manual_seed(0)
    input, args, kwargs = fresh(sample.input, grad), fresh(sample.args, grad), fresh(sample.kwargs, grad)
    try:
        result = function(input, *args, **kwargs)
    except Exception as error:
        return type(error), [], []
    tensors = flat(result)
    given = flat([input, list(args), list(kwargs.values())])
    useful = [
        tensor
        for tensor in tensors
        if tensor.requires_grad and tensor.is_floating_point() and tensor.layout is torch.strided
    ]
    leaves = [tensor for tensor in given if tensor.requires_grad and tensor.is_leaf]
    if any(tensor.layout is not torch.strided for tensor in given):
        leaves = []  # not every operation on sparse tensors has a gradient
    grads = []
    if useful and leaves:
        total = sum(tensor.nan_to_num().sum() for tensor in useful)
        grads = torch.autograd.grad(total, leaves, allow_unused=True)
    return type(result), tensors, [*grads, *given, torch.get_rng_state()]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.filterwarnings("ignore")
def test_operator(name):
    info = OPERATORS[name]
    grad = info.supports_autograd and torch.float32 in info.backward_dtypes
    sample = next(iter(info.sample_inputs("cpu", torch.float32, requires_grad=False)), None)
    if sample is None:
        pytest.skip("has no sample for float32")
    op = info.op
    framelift.reset()
    expected = ends(lambda *args, **kwargs: op(*args, **kwargs), sample, grad)
    found = ends(framelift.compile(lambda *args, **kwargs: op(*args, **kwargs), backend="eager"), sample, grad)
    assert found[0] is expected[0]
    for one, other in zip([*expected[1], *expected[2]], [*found[1], *found[2]], strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            same_layout = one.layout is torch.strided and not one.is_nested
            if same_layout:
                torch.testing.assert_close(other, one, rtol=0, atol=0, equal_nan=True)
            assert other.requires_grad == one.requires_grad
