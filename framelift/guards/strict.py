"""Strict mode: what the native guards say, measured a second time in Python.

For each entry the walk of its guards is remembered as Python can take it: the same steps, and for each guard the fact
and its answer. As the native side does, it holds the user's objects weakly wherever they can die.
"""

from __future__ import annotations

import struct
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

from framelift import _core
from framelift.guards import facts, memory, strict_numbers
from framelift.guards.facts import Fact
from framelift.guards.ledger import Guard, Node
from framelift.paths.path import ACCESSORS, STARTS, Path

Where = tuple[int, int]
"""A node and a check of it; check -1: the object could not be reached."""

Hold = Callable[[], Any]

_GONE: Any = object()
_BY_IDENTITY = frozenset({"is", "type_is", "type_lookup_is"})


class _Measured(NamedTuple):
    """One guard: whether it holds for an object, given those reached before."""

    holds: Callable[[Any, list[Any]], bool]
    text: str


class _Node(NamedTuple):
    parent: int
    accessor: str
    key: Hold
    guards: list[_Measured]


class Measurements:
    """The guards of one entry, in Python."""

    def __init__(
        self,
        recorded: list[tuple[Path, list[Guard]]],
        nodes: tuple[Node, ...],
        numbers_: Any,
        args: tuple[Any, ...],
        function: types.FunctionType,
    ) -> None:
        self.state = state()
        self.numbers = numbers_  # the conditions on numbers, if there are any
        self.outs = list(_outs(nodes))
        self.nodes: list[_Node] = []
        numbers: dict[Path, int] = {}
        objects: list[Any] = []
        for path, guards in recorded:
            parent = -1 if path.parent is None else numbers[path.parent]
            node = _Node(parent, path.accessor, _key(path), [])
            obj = _reach(node, objects, args, function)
            node.guards.extend(_measured(guard, obj, numbers) for guard in guards)
            numbers[path] = len(objects)
            objects.append(obj)
            self.nodes.append(node)

    def first_failure(self, args: tuple[Any, ...], function: types.FunctionType) -> Where | None:
        """The first guard that does not hold for a call; None if all do."""
        objects: list[Any] = []
        for number, node in enumerate(self.nodes):
            try:
                obj = _reach(node, objects, args, function)
            except Exception:  # noqa: BLE001  (there is nothing at the end of the path any more)
                return number, -1
            if obj is _GONE:
                return number, -1
            for check, guard in enumerate(node.guards):
                if not guard.holds(obj, objects):
                    return number, check
            objects.append(obj)
        if self.numbers is None:
            return None
        gathered = {out: obj for out, obj in zip(self.outs, objects, strict=True) if out >= 0}
        failed = strict_numbers.first_failure(self.numbers, gathered)
        return None if failed is None else (-2, failed)

    def text(self, where: Where | None) -> str:
        """A guard in words."""
        if where is None:
            return "every guard holds"
        node, check = where
        if node < 0:
            return "the global state differs" if node == -1 else "a condition on numbers does not hold"
        if check < 0:
            return f"node {node} ({self.nodes[node].accessor}) cannot be reached"
        return f"node {node}, check {check} does not hold: {self.nodes[node].guards[check].text}"


def _outs(nodes: tuple[Node, ...]) -> Iterator[int]:
    """Under which number each node's object is gathered, in preorder."""
    for _, _, _, children, out in nodes:
        yield out
        yield from _outs(children)


def _reach(node: _Node, objects: list[Any], args: tuple[Any, ...], function: types.FunctionType) -> Any:
    key = node.key()
    if key is _GONE:
        return _GONE
    if node.parent < 0:
        return STARTS[node.accessor].take(args, function, key)
    return ACCESSORS[node.accessor].take(objects[node.parent], key)


def _key(path: Path) -> Hold:
    if path.accessor != "slot":
        return hold(path.key)
    cls, name = hold(path.key.__objclass__), path.key.__name__  # a descriptor would keep its class alive

    def find() -> Any:
        found = cls()
        return _GONE if found is _GONE else type.__dict__["__dict__"].__get__(found).get(name, _GONE)

    return find


def _measured(guard: Guard, obj: Any, numbers: dict[Path, int]) -> _Measured:
    text = f"{guard.check[0]} of {guard.path.text()}"
    if guard.fact is None and guard.args and isinstance(guard.args[0], Path):
        other, expected = numbers[guard.args[0]], bool(guard.answer)
        if guard.check[0] in ("shares_memory", "shares_no_memory"):
            return _Measured(lambda now, objects: memory.shared(now, objects[other]) is expected, text)
        return _Measured(lambda now, objects: (now is objects[other]) is expected, text)
    if guard.fact is None:
        name, argument = guard.check[0], hold(guard.check[1])
        return _Measured(lambda now, objects: _core.holds(name, argument(), now), text)
    if guard.fact is facts.tensor:
        return _Measured(_tensor(guard, obj), text)
    return _Measured(_answer(guard.fact, guard), text)


def _answer(fact: Fact, guard: Guard) -> Callable[[Any, list[Any]], bool]:
    args = [hold(arg) for arg in guard.args]
    by_identity = guard.check[0] in _BY_IDENTITY
    expected = _own(guard.answer) if isinstance(guard.answer, frozenset) and not by_identity else hold(guard.answer)
    if type(guard.answer) is tuple and not by_identity:
        expected = _hold_items(guard.answer)
    agree = _is if by_identity else same

    def holds(now: Any, objects: list[Any]) -> bool:
        given = [arg() for arg in args]
        if any(arg is _GONE for arg in given):
            return False
        try:
            answer = fact.measure(now, *given)
        except Exception:  # noqa: BLE001  (an object of which this cannot be asked)
            return False
        return agree(expected(), answer)

    return holds


def _hold_items(items: tuple[Any, ...]) -> Hold:
    """A tuple of what still lives of its items."""
    held = [hold(item) for item in items]
    return lambda: tuple(get() for get in held)


def _is(old: Any, new: Any) -> bool:
    return old is new


def _own(obj: Any) -> Hold:
    return lambda: obj


def hold(obj: Any) -> Hold:
    """Gives an object back for as long as it lives, or `_GONE`."""
    if not _lives_forever(obj) and type(obj).__weakrefoffset__:
        reference = weakref.ref(obj)

        def get() -> Any:
            found = reference()
            return _GONE if found is None else found

        return get
    return _own(obj)


def _lives_forever(obj: Any) -> bool:
    if isinstance(obj, types.ModuleType):
        return True
    if isinstance(obj, type):
        return not obj.__flags__ & (1 << 9)
    if isinstance(obj, types.BuiltinFunctionType):
        return obj.__self__ is None or isinstance(obj.__self__, types.ModuleType | type)
    return False


def same(old: Any, new: Any) -> bool:
    """Whether two constants are the same to the last bit; other objects only if they are one."""
    if old is new:
        return True
    kind = type(old)
    if kind is not type(new):
        return False
    if kind in (int, str, bytes, torch.device):
        return bool(old == new)
    if kind is float:
        return struct.pack("d", old) == struct.pack("d", new)
    if kind is complex:
        return same(old.real, new.real) and same(old.imag, new.imag)
    if kind is tuple:
        return len(old) == len(new) and all(map(same, old, new))
    if kind is frozenset:
        return len(old) == len(new) and all(any(same(item, other) for other in old) for item in new)
    if kind is range:
        return (old.start, old.stop, old.step) == (new.start, new.stop, new.step)
    return False


# Tensors: the native check compares with what it remembers; here the properties are asked for again.


def _tensor(guard: Guard, obj: Any) -> Callable[[Any, list[Any]], bool]:
    meta = guard.answer
    if not _is_plain(obj):
        return lambda now, objects: meta.mismatch(now) is None
    free_sizes = guard.args[0] if guard.args else ()
    free_strides = guard.args[1] if len(guard.args) > 1 else None
    expected = _properties(obj, free_sizes, free_strides)
    return lambda now, objects: _is_plain(now) and _properties(now, free_sizes, free_strides) == expected


def _is_plain(obj: Any) -> bool:
    return type(obj) in (torch.Tensor, torch.nn.Parameter) and obj.layout is torch.strided and not obj.is_nested


def _properties(tensor: torch.Tensor, free_sizes: Any, free_strides: Any) -> Any:
    with torch._C.DisableTorchFunction():
        sizes = [None if dim in free_sizes else size for dim, size in enumerate(tensor.shape)]
        if free_strides is None:
            strides: Any = None if free_sizes else tensor.stride()
        else:
            strides = [None if dim in free_strides else stride for dim, stride in enumerate(tensor.stride())]
        kind = (type(tensor), tensor.dtype, tensor.device, tensor.requires_grad)
        return kind, torch._C._dispatch_keys(tensor).raw_repr(), sizes, strides


def state() -> Any:
    """Some of the global state, asked for in Python."""
    devices = ("cpu", "cuda")
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        torch.are_deterministic_algorithms_enabled(),
        torch.is_autocast_cache_enabled(),
        tuple(torch.is_autocast_enabled(device) for device in devices),
        tuple(torch.get_autocast_dtype(device) for device in devices if torch.is_autocast_enabled(device)),
        torch._C._len_torch_function_stack(),
    )


def unknown_names() -> set[str]:
    """Accessors and checks that Python uses and the native side does not have."""
    accessors = {*STARTS, *ACCESSORS} - _core.accessor_names()
    checks = {name for fact in facts.FACTS.values() for name in fact.checks} - _core.check_names()
    return accessors | checks
