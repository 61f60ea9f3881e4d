"""Records tensor operations as a torch.fx graph while running them on fake tensors.

Every operation is recorded and, at once, run on fakes to learn what its result looks like. What a fake run cannot tell
(a value that depends on data) surfaces as an exception for the caller to turn into a graph break.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import sympy
import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensor
from torch.fx import Graph, GraphModule, Node
from torch.fx.experimental.symbolic_shapes import compute_unbacked_bindings

from framelift.graph.arithmetic import nodes_for, write_powers
from framelift.graph.derived import IN_GRAPH, NEVER_FAILS, Derivation, hint_of, is_operation, key_of
from framelift.graph.fake_mode import fake_mode
from framelift.graph.history import Dims
from framelift.graph.symbols import Number, Symbolic, Symbols
from framelift.guards.observed import Observed

_INT_BITS = 64


class GraphRecorder:
    """One graph in the making."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.mode = fake_mode()
        self.examples: list[Any] = []
        self.calls = 0
        self.modules: dict[str, torch.nn.Module] = {}  # graphs inside of this one
        self.numbers: dict[Node, Observed | Symbolic] = {}  # placeholders of ints and floats, and of sizes
        self.constant_floats = False  # the backend cannot work with floats that vary
        self.is_by_aot = False  # the backend is known to trace the graph with AOTAutograd
        self.hangs_on_aot = False  # whether the graph would be another one if it were, and it is not
        self.sizes_are_inputs = False  # AOTAutograd looks for each symbol there, and CUDA graphs are kept by them
        self._symbols: Symbols | None = None
        self._symbol_nodes: dict[sympy.Expr, Node] = {}
        self._float_nodes: dict[sympy.Expr, Node] = {}
        self._promised: set[Any] = set()
        self._derived: dict[Any, Symbolic] = {}
        self._nodes_by_path: dict[Any, Node] = {}
        self._last_input: Node | None = None

    @property
    def symbols(self) -> Symbols | None:
        """The symbolic numbers, if there are any."""
        return self._symbols

    def use_symbols(self, **choices: bool) -> Symbols:
        """The symbolic numbers; from now on there may be some."""
        if self._symbols is None:
            self._symbols = Symbols(**choices)
            self._symbols.floats_are_tensors = self.constant_floats
            self.mode.shape_env = self._symbols.env
            self.mode.static_shapes = False
        return self._symbols

    def input(self, tensor: torch.Tensor, name: str) -> tuple[Node, FakeTensor]:
        """A new placeholder for a real tensor, and the fake that stands for it."""
        fake = self.mode.from_tensor(tensor, static_shapes=True)
        return self._placeholder(name, fake, tensor), fake

    def real(self, value: float, seen: Observed) -> torch.SymFloat:
        """A new symbol for a float."""
        assert self._symbols is not None
        return self._symbols.real(value, seen, self.mode)

    def derive(self, function: Callable[..., Any], args: list[Any]) -> Symbolic | None:
        """A new symbol for what a function computes from numbers; None if it is no number, or only the graph knows."""
        key = (function, *map(key_of, args))
        known = self._derived.get(key)
        if known is not None:
            return known
        hints = [hint_of(arg) for arg in args]
        if any(hint is None for hint in hints):
            return None
        value = function(*hints)
        made = self._derived_number(value, f"derived{len(self._derived)}")
        if made is not None:
            assert self._symbols is not None
            derivation = Derivation(function, tuple(args), type(value), function not in NEVER_FAILS)
            self._symbols.derivations[made.node._expr] = derivation
            self._derived[key] = made
        return made

    def _derived_number(self, value: Any, name: str) -> Symbolic | None:
        assert self._symbols is not None
        if type(value) is int and value.bit_length() < _INT_BITS:
            return self._symbols.new_integer(value, name)
        if type(value) is float and math.isfinite(value):
            return self._symbols.new_real(value, name, self.mode)
        return None

    def symbolic_input(
        self, tensor: torch.Tensor, name: str, seen: Observed, dims: Dims
    ) -> tuple[Node, FakeTensor, tuple[int, ...], tuple[int, ...]]:
        """As `input`, for a tensor of which some dimensions vary; also which sizes and strides became symbolic."""
        assert self._symbols is not None
        context = self._symbols.context(tensor, seen.path.text(), dims)
        fake = self.mode.from_tensor(tensor, symbolic_context=context, source=context.tensor_source)
        sizes, strides = self._symbols.note_tensor(fake, seen)
        node = self._placeholder(name, fake, tensor)
        self._nodes_by_path[seen.path] = node
        return node, fake, sizes, strides

    def _placeholder(self, name: str, meta: Any, example: Any) -> Node:
        with self._inputs_end():
            node = self.graph.placeholder(name)
        node.target = node.name  # which is unlike all others: parameters are called by their targets
        self._last_input = node
        node.meta["example_value"] = meta
        if isinstance(meta, torch.Tensor) and not meta.is_inference():
            node.meta["version"] = meta._version  # where tensors share memory, making their fakes counts as a change
        self.examples.append(example)
        return node

    def placeholder(self, name: str, fake: Any, example: Any) -> Node:
        """A new input: a tensor that is made before the graph runs."""
        return self._placeholder(name, fake, example)

    def require_grad(self, node: Node, wanted: bool) -> None:
        """An input will require gradients, or not, when the graph is called; the tensor itself is not touched."""
        index = self.graph.find_nodes(op="placeholder").index(node)
        before = self.examples[index]
        self.examples[index] = before.detach().requires_grad_(wanted)
        if self._symbols is not None:
            self._symbols.exchange(before, self.examples[index])

    def number(self, number: Symbolic) -> Node:
        """The node that computes a symbolic number."""
        assert self._symbols is not None
        expr = self._symbols.expression(number)
        known = self._symbol_nodes.get(expr)
        if known is None:
            known = self._symbol_nodes[expr] = self._compute(expr, number)
        return known

    def _compute(self, expr: sympy.Expr, number: Symbolic) -> Node:
        assert self._symbols is not None
        if expr.is_Symbol:
            derivation = self._symbols.derivations.get(expr)
            if derivation is not None:
                return self._calculate(derivation, number)
            found = self._symbols.where(expr)
            assert found is not None, f"nothing computes {expr}"
            return self._read(found, number)
        made = nodes_for(self.graph, expr, self._of_symbol)
        assert isinstance(made, Node)
        made.meta["example_value"] = number
        return made

    def _calculate(self, derivation: Derivation, number: Symbolic) -> Node:
        """The node for a number that Python computes: in the graph where that is possible, else an input."""
        if self.is_computed_in_graph(number):
            args = [self.number(arg) if isinstance(arg, Symbolic) else arg for arg in derivation.args]
            node = self.graph.call_function(IN_GRAPH[derivation.function], tuple(args))
            node.meta["example_value"] = number
            return node
        if derivation.kind is float:
            return self._float_input(number.node._expr, number, "number", number)
        node = self._placeholder("number", number, number)
        self.numbers[node] = number
        return node

    def must_be_constant(self, number: Symbolic) -> bool:
        """Whether a number would be an input that the backend cannot work with."""
        if not self.constant_floats or not isinstance(number, torch.SymFloat) or not number.node.has_hint():
            return False
        return not self.is_computed_in_graph(number)

    def is_computed_in_graph(self, number: Symbolic) -> bool:
        """Whether a number is computed from sizes and ints by what graphs have operations for."""
        assert self._symbols is not None
        for symbol in self._symbols.expression(number).free_symbols:
            derivation = self._symbols.derivations.get(symbol)
            if not (symbol.is_integer if derivation is None else self._is_in_graph(derivation)):
                return False
        return True

    def _is_in_graph(self, derivation: Derivation) -> bool:
        if not is_operation(derivation):
            return False
        return all(self.is_computed_in_graph(arg) for arg in derivation.args if isinstance(arg, Symbolic))

    def is_for_aot(self) -> bool:
        """Whether to do what AOTAutograd needs; notes that the graph hangs on it."""
        self.hangs_on_aot = not self.is_by_aot
        return self.is_by_aot

    def add_size_inputs(self) -> None:
        """Make every size that varies an input, used or not, if sizes are to be inputs."""
        if self._symbols is None or not self.sizes_are_inputs:
            return
        for number in self._symbols.numbers:
            if number.origin == "size" and number.expr.is_Symbol and number is self._symbols.where(number.expr):
                self._of_symbol(number.expr)

    def _of_symbol(self, symbol: sympy.Symbol) -> Node:
        known = self._symbol_nodes.get(symbol)
        return self.number(self.symbolic(symbol)) if known is None else known

    def symbolic(self, symbol: sympy.Symbol) -> Any:
        """The symbolic number that is just a symbol."""
        assert self._symbols is not None
        env = self._symbols.env
        hint = env.backed_var_to_val.get(symbol)
        if symbol.is_integer:
            return env.create_symintnode(symbol, hint=None if hint is None else int(hint))
        return env.create_symfloatnode(symbol, hint=None if hint is None else float(hint))

    def _read(self, found: Number, number: Symbolic) -> Node:
        """The node for a symbol of the inputs: an input of its own, or read off a tensor."""
        if found.origin == "int":
            node = self._placeholder(_name(found.seen), number, number)
            self.numbers[node] = found.seen
            return node
        if found.origin == "float":
            return self._float_input(found.expr, number, _name(found.seen), found.seen)
        if self.sizes_are_inputs:
            node = self._placeholder(f"size_{found.expr}", number, number)
            self.numbers[node] = number
            return node
        tensor = self._nodes_by_path[found.seen.path]
        function = _READERS[found.origin]
        args = (tensor,) if found.origin == "offset" else (tensor, found.dim)
        node = self.graph.call_function(function, args)
        node.meta["example_value"] = number
        return node

    def float_tensor(self, number: torch.SymFloat) -> tuple[Node, Any]:
        """The tensor as which a float goes into the graph, and a fake of it."""
        assert self._symbols is not None
        expr = number.node._expr
        known = self._float_nodes.get(expr)
        if known is None:
            found = self._symbols.where(expr)
            name, source = ("number", number) if found is None else (_name(found.seen), found.seen)
            known = self._given_float(expr, name, source)
        return known, known.meta["example_value"]

    def _given_float(self, expr: sympy.Expr, name: str, found: Observed | Symbolic) -> Node:
        assert self._symbols is not None
        given = self._symbols.floats[expr]
        node = self._placeholder(name, self._symbols.fakes([given], self.mode)[0], given)
        self.numbers[node] = found
        self._float_nodes[expr] = node
        return node

    def _float_input(self, expr: sympy.Expr, number: Symbolic, name: str, found: Observed | Symbolic) -> Node:
        node = self._given_float(expr, name, found)
        item = self.graph.call_method("item", (node,))
        item.meta["example_value"] = number
        return item

    def call(
        self,
        kind: str,
        target: Any,
        node_args: tuple[Any, ...],
        node_kwargs: dict[str, Any],
        run: Callable[[], Any],
    ) -> tuple[Node, Any]:
        """Record a call and give its node and its result on fakes. Nothing is recorded if the fake run raises."""
        result = self._plainly(run) if self._symbols is None else self._by_python(run)
        node = self.graph.create_node(kind, target, node_args, node_kwargs)
        node.meta["example_value"] = result
        if self._symbols is not None and self._symbols.env.pending_fresh_unbacked_symbols:
            self._bind(node, result)
        self.calls += 1
        return node, result

    def _plainly(self, run: Callable[[], Any]) -> Any:
        try:
            with self.mode:
                return run()
        except DataDependentOutputException:
            return self._by_python(run)

    def _by_python(self, run: Callable[[], Any]) -> Any:
        """What PyTorch has written in C++ for plain ints and data, it also has in Python for symbols and fakes."""
        with enable_python_dispatcher(), self.mode:
            return run()

    def _bind(self, node: Node, result: Any) -> None:
        """Note which node new symbols come from, those whose values only the graph knows."""
        assert self._symbols is not None
        found = compute_unbacked_bindings(self._symbols.env, result)
        if found:
            node.meta["unbacked_bindings"] = found
        if isinstance(result, torch.SymInt | torch.SymFloat | torch.SymBool):
            self._symbol_nodes.setdefault(self._symbols.expression(result), node)
        for symbol, path in (found or {}).items():
            if symbol not in self._symbol_nodes:
                self._symbol_nodes[symbol] = self._follow(node, path)

    def _follow(self, node: Node, path: Any) -> Node:
        """The node for a symbol inside of a result, by the path PyTorch gives to it."""
        for step in path:
            if hasattr(step, "idx"):
                node = self.graph.call_function(operator.getitem, (node, step.idx))
            elif hasattr(step, "name"):
                node = self.graph.call_method(step.name, (node,))
            elif hasattr(step, "divisor"):
                node = self.graph.call_function(operator.floordiv, (node, step.divisor))
        return node

    def promise(self, check: Any, number: Symbolic) -> None:
        """Have the graph check, once, what is promised of a number that only it knows.

        Traced again by AOTAutograd, `check` teaches what it says, but leaves nothing behind that would check it.
        """
        key = (check, self.number(number))
        if key in self._promised:
            return
        self._promised.add(key)
        assert self._symbols is not None
        holds: Any = number if isinstance(number, torch.SymBool) else number >= 0
        text = f"a number that the graph computes was expected to satisfy {self._symbols.expression(holds)}"
        for target, args in (torch.ops.aten._assert_scalar.default, (self.number(holds), text)), (check, (key[1],)):
            self.graph.call_function(target, args).meta["example_value"] = None

    def item(self, node: Node, index: int, fake: Any) -> Node:
        """The node of one part of a result with several."""
        part = self.graph.call_function(operator.getitem, (node, index))
        part.meta["example_value"] = fake
        return part

    def uncount(self) -> None:
        """The last call gives a backend nothing to do."""
        self.calls -= 1

    def forget(self, node: Node) -> None:
        """Take back a call whose result turned out to be a plain Python value."""
        self.graph.erase_node(node)
        self.calls -= 1

    def last(self) -> Node:
        """The node recorded last."""
        return self.graph._root.prev

    def take_back(self, last: Node) -> None:
        """Forget every call that was recorded since a node."""
        gone = []
        while (node := self.graph._root.prev) is not last and node.op != "placeholder":
            self.forget(node)
            gone.append(node)
        self.forget_numbers(gone)

    def finish(self, outputs: list[Node]) -> GraphModule:
        """The graph with these outputs."""
        self.graph.output(tuple(outputs))
        if self._symbols is not None:
            self._drop_unused_numbers()
        return self.module(self.graph)

    def module(self, graph: Graph) -> GraphModule:
        """A module that runs a graph, which may refer to the modules kept here."""
        write_powers(graph)
        root = torch.nn.Module()
        for name, inner in self.modules.items():
            root.add_module(name, inner)
        return GraphModule(root, graph)

    def forget_numbers(self, nodes: list[Node]) -> None:
        """Numbers computed by nodes that are gone have to be computed again."""
        gone = set(nodes)
        self._symbol_nodes = {expr: node for expr, node in self._symbol_nodes.items() if node not in gone}

    def _drop_unused_numbers(self) -> None:
        for node in reversed(list(self.graph.nodes)):
            if not node.users and node.op == "call_function" and node.target in _NUMBER_FUNCTIONS:
                self.graph.erase_node(node)

    def _inputs_end(self) -> Any:
        if self._last_input is not None:
            return self.graph.inserting_after(self._last_input)
        first = next(iter(self.graph.nodes), None)
        return self.graph.inserting_before(first)


_READERS: dict[str, Any] = {
    "size": torch.ops.aten.sym_size.int,
    "stride": torch.ops.aten.sym_stride.int,
    "offset": torch.ops.aten.sym_storage_offset.default,
}
_NUMBER_FUNCTIONS = frozenset(_READERS.values())


def _name(seen: Observed) -> str:
    return "".join(char if char.isalnum() else "_" for char in seen.path.text()).strip("_") or "number"
