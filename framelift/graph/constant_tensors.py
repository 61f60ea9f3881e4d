"""Tensors whose data is known while capturing: `torch.arange(2, 5)`, `torch.tensor(sizes).prod()`.

Nothing goes into them but literals of the graph. To learn their data, the operations they come from are run for real.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Node
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

MOST_OPERATIONS = 64
MOST_ELEMENTS = 4096


class _NotConstant(Exception):
    """Something else than literals decides on the data."""


def data_of(node: Node) -> torch.Tensor | None:
    """The data of the tensor that a node gives, if literals alone decide on it."""
    if torch._C._are_functorch_transforms_active():
        return None
    try:
        found = _run(_operations(node))
    except Exception:  # noqa: BLE001 - whatever an operation does not like is the graph's to tell
        return None
    fake = node.meta["example_value"]
    return found if found.shape == fake.shape and found.dtype is fake.dtype and found.device == fake.device else None


def _operations(node: Node) -> list[Node]:
    """What a tensor is computed by, in order."""
    wanted, pending = {node}, [node]
    while pending:
        each = pending.pop()
        _check(each)
        for source in each.all_input_nodes:
            if source not in wanted:
                wanted.add(source)
                pending.append(source)
        if len(wanted) > MOST_OPERATIONS:
            raise _NotConstant
    storages = {_storage(each.meta["example_value"]) for each in wanted} - {None}
    if any(_hides_changes(each) or _may_change(each, storages) for each in node.graph.nodes):
        raise _NotConstant
    return [each for each in node.graph.nodes if each in wanted]


def _check(node: Node) -> None:
    """Raise unless a node is an operation whose result, a small one, has stayed what it was."""
    if node.op not in ("call_function", "call_method"):
        raise _NotConstant
    result = node.meta.get("example_value")
    parts = result if isinstance(result, tuple | list) else [result]
    if not parts or not all(isinstance(part, torch.Tensor) and _is_unchanged(part) for part in parts):
        raise _NotConstant


def _is_unchanged(fake: torch.Tensor) -> bool:
    if fake.is_inference() or fake.layout is not torch.strided or fake.device.type == "meta":
        return False
    return fake._version == 0 and all(type(size) is int for size in fake.shape) and fake.numel() <= MOST_ELEMENTS


def _hides_changes(node: Node) -> bool:
    """Whether a node gives a tensor through which another can be changed without a trace."""
    return node.target is getattr and node.args[1:] == ("data",)


def _may_change(node: Node, storages: set[int | None]) -> bool:
    """Whether an operation works in place on the memory of certain tensors: not every one counts up their versions."""
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    in_place = (name.endswith("_") and not name.endswith("__")) or "_norm" in name
    return in_place and any(_storage(each.meta.get("example_value")) in storages for each in node.all_input_nodes)


def _storage(result: Any) -> int | None:
    strided = isinstance(result, torch.Tensor) and result.layout is torch.strided
    return int(result.untyped_storage()._cdata) if strided else None


def _run(operations: list[Node]) -> torch.Tensor:
    data: dict[Node, Any] = {}
    with _disable_current_modes(), torch._C.DisableTorchFunction(), torch.no_grad(), _Repeatable():  # type: ignore[no-untyped-call]
        for node in operations:
            args, kwargs = torch.fx.map_arg((node.args, node.kwargs), data.__getitem__)
            if node.op == "call_method":
                data[node] = getattr(args[0], node.target)(*args[1:], **kwargs)  # type: ignore[arg-type]
            else:
                data[node] = node.target(*args, **kwargs)  # type: ignore[operator]
    found = data[operations[-1]]
    assert isinstance(found, torch.Tensor)
    return found


class _Repeatable(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Lets through only what gives the same each time: nothing random, no memory as it was left."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        random = torch.Tag.nondeterministic_seeded in func.tags
        if random or func.namespace not in ("aten", "prims") or "empty" in func.__name__:
            raise _NotConstant
        return func(*args, **(kwargs or {}))
