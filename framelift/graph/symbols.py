"""The symbolic numbers of one capture: sizes of inputs, ints and floats, and what is computed from them.

PyTorch's `ShapeEnv` does the algebra and collects the conditions under which the capture holds. Kept here is where each
symbol can be read again: from which object, and whether as a size, a stride, an offset, or the number itself.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy
import torch
from torch._guards import GuardSource, Source
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatefulSymbolicContext
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.printers import PythonPrinter
from torch.utils._sympy.value_ranges import ValueRanges

from framelift.graph.derived import Derivation
from framelift.graph.history import Dims
from framelift.guards.observed import Observed

Symbolic = torch.SymInt | torch.SymFloat | torch.SymBool


class Number(NamedTuple):
    """Where a number is found: `origin` of the object at `seen` is `expr`."""

    expr: sympy.Expr
    seen: Observed
    origin: str  # size, stride, offset, int or float
    dim: int


@dataclass(frozen=True)
class PathSource(Source):
    """What PyTorch is told of an input: its name only."""

    text: str

    @property
    def _name_template(self) -> str:
        return self.text

    @functools.cached_property
    def guard_source(self) -> GuardSource:
        return GuardSource.LOCAL


class _Environment(ShapeEnv):
    """PyTorch's, which takes every size for one greater than 0, also where 0 is to be a size like others."""

    def create_symbol(self, val: Any, source: Source, *args: Any, **kwargs: Any) -> sympy.Expr:
        choices = dict(zip(_CHOICES, args, strict=False)) | kwargs
        if self.specialize_zero_one or not choices.get("positive", True):
            return super().create_symbol(val, source, **choices)
        if val in (0, 1) and source.name.endswith(".storage_offset()"):
            return sympy.Integer(val)  # as ever: no graph depends on it
        made = super().create_symbol(val, source, **choices | {"positive": None})
        if made in self.backed_var_to_val:
            self.var_to_range[made] = self.var_to_range[made] & ValueRanges(0, int_oo)
        return made


_CHOICES = ("dynamic_dim", "constraint_dim", "positive", "do_not_specialize_zero_one", "symbolic_context")


class Symbols:
    """One `ShapeEnv` and the numbers its symbols stand for."""

    def __init__(self, *, specialize_zero_one: bool, scalars: bool, dynamic_outputs: bool) -> None:
        self.env = _Environment(
            # A dimension is a symbol of its own: two that happen to be equal today are related by a guard only if the
            # program needs them to be.
            duck_shape=False,
            assume_static_by_default=True,
            specialize_zero_one=specialize_zero_one,
            allow_scalar_outputs=scalars,
            allow_dynamic_output_shape_ops=dynamic_outputs,
        )
        self.numbers: list[Number] = []
        self.derivations: dict[sympy.Expr, Derivation] = {}
        self.floats: dict[sympy.Expr, torch.Tensor] = {}  # as which graphs get them
        self.floats_are_tensors = False  # and not as the items of these
        self.contexts: list[tuple[torch.Tensor, StatefulSymbolicContext]] = []
        self.made: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # inputs made in the call, and their fakes
        self.askers: list[Any] = []  # on whose behalf each condition was asked

    def context(self, tensor: torch.Tensor, name: str, dims: Dims) -> Any:
        """How PyTorch is to make symbols for a tensor of which some dimensions vary."""
        base = None
        if tensor._is_view() and tensor._base is not None:
            base = StatefulSymbolicContext(
                dynamic_sizes=[DimDynamic.STATIC] * tensor._base.dim(), tensor_source=PathSource(f"{name}._base")
            )
        made = StatefulSymbolicContext(
            dynamic_sizes=dims.sizes,
            constraint_sizes=dims.bounds,
            dynamic_strides=dims.strides,
            tensor_source=PathSource(name),
            view_base_context=base,
        )
        self.contexts.append((tensor, made))
        return made

    def note_tensor(self, fake: torch.Tensor, seen: Observed) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Remember where a tensor's symbols are read; gives the dimensions whose size, and stride, is symbolic."""
        sizes = self._note_each("size", fake.size(), seen)
        strides = self._note_each("stride", fake.stride(), seen) if fake.layout is torch.strided else ()
        if fake.layout is torch.strided:
            self._note_each("offset", (fake.storage_offset(),), seen)
        return sizes, strides

    def exchange(self, before: torch.Tensor, after: torch.Tensor) -> None:
        """One input is given to backends as another tensor like it."""
        self.contexts = [(after if tensor is before else tensor, context) for tensor, context in self.contexts]

    def note_made(self, example: torch.Tensor, fake: torch.Tensor) -> None:
        """An input that is made before the graph runs, of sizes that are symbolic already."""
        self.made[id(example)] = (example, fake)

    def _note_each(self, origin: str, numbers: Any, seen: Observed) -> tuple[int, ...]:
        found = []
        name = _SOURCES[origin].format(seen.path.text(), "{}")
        for dim, number in enumerate(numbers):
            if isinstance(number, torch.SymInt):
                self.numbers.append(Number(number.node._expr, seen, origin, dim))
                found.append(dim)
            elif (symbol := self.env.source_to_var.get(name.format(dim))) is not None:
                self.numbers.append(Number(symbol, seen, origin, dim))  # while the fake was made it became a constant
        return tuple(found)

    def integer(self, value: int, seen: Observed) -> torch.SymInt:
        """A new symbol for an int."""
        made = self.new_integer(value, seen.path.text())
        self.numbers.append(Number(made.node._expr, seen, "int", 0))
        return made

    def new_integer(self, value: int, name: str) -> torch.SymInt:
        source = PathSource(name)
        symbol = self.env.create_unspecified_symbol(value, source, DimDynamic.DYNAMIC)
        made = self.env.create_symintnode(symbol, hint=value, source=source)
        assert isinstance(made, torch.SymInt)
        return made

    def real(self, value: float, seen: Observed, mode: FakeTensorMode) -> torch.SymFloat:
        """A new symbol for a float, which a graph gets as the item of a tensor: backends know no other floats."""
        made = self.new_real(value, seen.path.text(), mode)
        self.numbers.append(Number(made.node._expr, seen, "float", 0))
        return made

    def new_real(self, value: float, name: str, mode: FakeTensorMode) -> torch.SymFloat:
        with torch.inference_mode(False):  # its tensors do not remember their numbers
            tensor = torch.tensor(value, dtype=torch.float64)
            context = self.context(tensor, name, Dims([], [], []))
            fake: Any = mode.from_tensor(tensor, symbolic_context=context, source=context.tensor_source)
        made = fake.item_memo
        assert isinstance(made, torch.SymFloat)
        self.floats[made.node._expr] = tensor
        return made

    def floats_behind(self, number: Any) -> list[Observed]:
        """Where the floats are that a number is computed from."""
        symbols = number.node._expr.free_symbols if isinstance(number, Symbolic) else ()
        found = [known.seen for known in self.numbers if known.expr in symbols and known.origin == "float"]
        for symbol in symbols:
            if symbol in self.derivations:
                for arg in self.derivations[symbol].args:
                    found += self.floats_behind(arg)
        return found

    @contextmanager
    def of_inputs(self, examples: list[Any]) -> Iterator[None]:
        """Hide the floats that a graph does not get: AOTAutograd would take them for ones that became constants."""
        given = {id(example) for example in examples}
        known = self.env.backed_var_to_val
        hidden = {
            symbol: known.pop(symbol)
            for symbol, tensor in self.floats.items()
            if self.floats_are_tensors or id(tensor) not in given
        }
        try:
            yield
        finally:
            known.update(hidden)

    @functools.cached_property
    def _by_symbol(self) -> dict[sympy.Expr, Number]:
        return {}

    def where(self, symbol: sympy.Expr) -> Number | None:
        """Where a symbol is read; None for one that only the graph computes."""
        known = self._by_symbol
        if symbol not in known:
            for number in self.numbers:
                known.setdefault(number.expr, number)
        return known.get(symbol)

    def fakes(self, examples: list[Any], mode: FakeTensorMode) -> list[Any]:
        """Fakes of a graph's inputs with the symbols of the capture."""
        contexts: dict[int, Any] = {id(tensor): context for tensor, context in self.contexts}
        if self.floats_are_tensors:
            contexts |= dict.fromkeys(map(id, self.floats.values()))
        return [self._fake(example, contexts.get(id(example)), mode) for example in examples]

    def _fake(self, example: Any, context: Any, mode: FakeTensorMode) -> Any:
        if not isinstance(example, torch.Tensor):
            return example
        made = self.made.get(id(example))
        if made is not None:
            fake = made[1]
            with mode:
                return torch.empty_strided(fake.shape, fake.stride(), dtype=fake.dtype, device=fake.device)
        if context is None:
            return mode.from_tensor(example, static_shapes=True)
        return mode.from_tensor(example, symbolic_context=context, source=context.tensor_source)

    def note_askers(self, asker: Any) -> None:
        """Whoever is at work now has asked for the conditions that have come up since."""
        self.askers.extend([asker] * (len(self.env.guards) - len(self.askers)))

    def expression(self, number: Symbolic) -> sympy.Expr:
        """What a symbolic number is made of, in terms of symbols that can be read."""
        return number.node._expr

    def is_made_by_graph(self, number: Symbolic) -> bool:
        """Whether a number is one that only the graph knows."""
        expr = self.expression(number)
        return bool(expr.is_Symbol) and self.where(expr) is None and expr not in self.derivations

    def roots(self, expr: sympy.Expr) -> set[sympy.Symbol]:
        """The symbols from which an expression is computed in the end."""
        found: set[sympy.Symbol] = set()
        for symbol in expr.free_symbols:
            derivation = self.derivations.get(symbol)
            if derivation is None:
                found.add(symbol)
            else:
                for arg in derivation.args:
                    if isinstance(arg, Symbolic):
                        found |= self.roots(self.expression(arg))
        return found

    def formula(self, number: Symbolic) -> tuple[Callable[..., Any], list[Observed | sympy.Symbol]]:
        """A function that computes a number from objects, and these; a symbol stands for what is computed elsewhere."""
        expr = self.expression(number)
        names: dict[sympy.Symbol, sympy.Symbol] = {}
        sources: list[Observed | sympy.Symbol] = []
        reads: dict[str, str] = {}
        for index, symbol in enumerate(sorted(expr.free_symbols, key=str)):
            found = self.where(symbol)
            names[symbol] = sympy.Symbol(f"_n{index}_", integer=symbol.is_integer)
            sources.append(symbol if found is None else found.seen)
            reads[f"_n{index}_"] = f"o{index}" if found is None else _READ[found.origin].format(f"o{index}", found.dim)
        body = PythonPrinter().doprint(expr.xreplace(names))
        for name, text in reads.items():
            body = body.replace(name, text)
        head = ", ".join(f"o{index}" for index in range(len(sources)))
        return _compiled(f"lambda {head}: {body}"), sources


_SOURCES = {"size": "{0}.size()[{1}]", "stride": "{0}.stride()[{1}]", "offset": "{0}.storage_offset()"}
_READ = {
    "size": "{0}.shape[{1}]",
    "stride": "torch.as_tensor({0}).stride({1})",  # of a tensor or an array
    "offset": "torch.as_tensor({0}).storage_offset()",
    "int": "{0}",
    "float": "{0}",
}


@functools.cache
def _compiled(text: str) -> Callable[..., Any]:
    made: Callable[..., Any] = eval(text, {"math": math, "torch": torch})
    return made
