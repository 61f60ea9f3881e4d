"""The base of symbolic values, and what values and models may ask of the tracer.

A value mirrors one Python object. Operations are not methods of values: they go through Python's own protocols (look
`__add__` up on the type, call what is found), with a model standing in for each built-in method. So a new type needs no
operators, only its contents and models of its methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from framelift.guards.ledger import Ledger
from framelift.guards.observed import Observed

if TYPE_CHECKING:
    from framelift.effects.log import EffectLog
    from framelift.graph.history import History
    from framelift.graph.recorder import GraphRecorder
    from framelift.graph.symbols import Symbols
    from framelift.paths.path import Path
    from framelift.values.arrays import Arrays
    from framelift.values.namespace import Namespace


class Value:
    """What stands for one Python object. `seen` is set when the object existed before the call."""

    __slots__ = ("seen",)

    def __init__(self, seen: Observed | None = None) -> None:
        self.seen = seen

    @property
    def cls(self) -> type:
        """The type of the object; always known."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.cls.__name__}>"


def type_name(cls: type) -> str:
    """What messages call a type: those written in C outside of builtins are named with their module."""
    in_python = cls.__flags__ & _HEAP_TYPE and not cls.__flags__ & _IMMUTABLE_TYPE
    if in_python or cls.__module__ == "builtins":
        return cls.__name__
    return f"{cls.__module__}.{cls.__name__}"


_IMMUTABLE_TYPE, _HEAP_TYPE = 1 << 8, 1 << 9


class Null(Value):
    """CPython's NULL: an empty callee slot or an unbound variable. Never an operand."""

    __slots__ = ()

    @property
    def cls(self) -> type:
        return type(None)


NULL = Null()


class Raised(Exception):
    """The traced program raised an exception; `value` stands for it. `again`: it was on its way before."""

    def __init__(self, value: Value, again: bool = False) -> None:
        super().__init__(value)
        self.value = value
        self.again = again


class CallPlace(NamedTuple):
    """A function that is being executed, and the line it is at."""

    filename: str
    line: int
    name: str
    globals: Namespace


class Tracer(Protocol):
    """What the tracer offers to values and models."""

    ledger: Ledger
    recorder: GraphRecorder
    effects: EffectLog
    history: History  # what has changed between the compilations of the function
    handled: Value  # the exception being handled, or None
    nesting: int  # how many run loops are active
    steps: int  # how many instructions the outermost run loop has begun
    generators: list[Any]  # those that have started
    class_writes: dict[type, dict[str, Any]]  # what was assigned to classes; NULL: deleted
    made_classes: dict[type, Any]
    own: list[Any]
    arrays: Arrays  # of NumPy
    keyed: dict[Value, bool]  # keys by identity that existed before; whether a guard tells them from all others
    passed: frozenset[int]  # tokens of what a continuation got
    lifetimes: bool  # whether there are weak references to objects made in the call
    registered: dict[type, list[type]]  # classes registered with abstract ones during the call
    context_values: dict[int, tuple[Any]]  # what context variables have been set to during the call; None: nothing
    modes: dict[Any, tuple[Any, Any]]  # (function, what) -> the mode before the call and now
    prologue: Callable[[], Any] | None  # what the residual calls first
    function_modes: list[Any]  # the torch-function modes that are on, the innermost last
    function_modes_before: list[Any]  # those that were on before the call
    undo: list[Callable[[], Any]]  # takes back changes of PyTorch's modes, last first
    leaves: dict[int, Any]  # tensors made in the call that require gradients (a MadeLeaf), by the id of their fake
    retained: list[Any]  # tensors computed in the call that are to keep their gradients
    final_checks: list[Callable[[list[Any]], None]]  # told what leaves the graph; break at a step of before
    early: Any  # what is done before the graph runs
    assumptions: Any  # what tensors were taken to be, to be looked at when the graph has run

    def assume(
        self,
        otherwise: Any,
        condition: Any = None,
        truth: bool = True,
        holds: Callable[[], bool] | None = None,
    ) -> None:
        """Take for granted what will be looked at when the graph has run; `otherwise`: the break if that was wrong."""

    def is_only_checked(self) -> bool:
        """Whether the current instruction's result goes to a branch that is there to raise, and nowhere else."""

    def constant(self, obj: Any) -> Value:
        """The value of an object that is known for good, such as a literal."""

    def lift(self, seen: Observed) -> Value:
        """The value of an object that existed before the call."""

    def conceal(self, obj: list[Any]) -> bool:
        """Have nothing be known of a list from now on, as the residual will change it; False: it was looked into."""

    def call(self, function: Value, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value:
        """Call a value to its end."""

    flat: bool  # whether what is called is executed by the run loop of the instruction that calls it

    def entered(self, function: Value, args: list[Value], kwargs: dict[str, Value]) -> Any:
        """The result of a call, or the frame just pushed for it: what a model of a callable may give."""

    def input_tensors(self) -> list[Any]:
        """The tensors that existed before and were looked at."""

    def paths_of_instances(self, kind: type) -> set[Path]:
        """Where objects of a class written in Python were found."""

    def inline(self, function: Any, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value:
        """Call a Python function to its end, whatever model there is of it."""

    def call_method(self, receiver: Value, name: str, args: list[Value]) -> Value:
        """Call a special method, found on the type as Python does."""

    def class_attribute(self, cls: type, name: str) -> Value | None:
        """What method resolution finds, unbound; None if nothing."""

    def getattr(self, receiver: Value, name: str) -> Value:
        """`receiver.name`"""

    def setattr(self, receiver: Value, name: str, value: Value) -> None:
        """`receiver.name = value`"""

    def delattr(self, receiver: Value, name: str) -> None:
        """`del receiver.name`"""

    def truth(self, value: Value) -> bool:
        """`bool(value)`"""

    def unpack(self, iterable: Value) -> list[Value]:
        """The items of an iterable, all of them."""

    def iterator(self, iterable: Value) -> Value:
        """`iter(iterable)`"""

    def next(self, iterator: Value) -> Value | None:
        """The next item; None when there is none."""

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """`left <operator> right`"""

    def compare(self, operator: str, left: Value, right: Value) -> Value:
        """`left <operator> right` for comparisons"""

    def text(self, value: Value, conversion: str | None) -> Value:
        """`str(value)` or `repr(value)`"""

    def is_held(self, value: Value) -> bool:
        """Whether a variable of the functions being executed holds the object."""

    def callers(self) -> list[CallPlace]:
        """Where the program stands: the function being executed first, the captured one last."""

    def local_names(self) -> dict[str, Value]:
        """The variables of the current frame that are bound."""

    def namespace(self, storage: Observed) -> Namespace:
        """The view of a dict of globals; one for each dict, however it is reached."""

    def global_names(self) -> Namespace:
        """The globals of the current frame."""

    def formatted(self, value: Value, spec: Value | None) -> Value:
        """`format(value, spec)`"""

    def use_symbols(self) -> Symbols:
        """The symbolic numbers of this capture."""

    def symbol(self, symbol: Any) -> Value:
        """The number that a symbol of the graph's own stands for."""

    def evaluate(self, compute: Callable[[], Any]) -> Any:
        """The result of a computation with symbols, whose questions become conditions."""

    def fold(self, function: Any, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value | None:
        """The result of a pure function of literals; None if it is not one."""

    def type_attribute(self, cls: Any, name: str) -> Value:
        """`type.__getattribute__(cls, name)`"""

    def generic_attribute(self, receiver: Value, name: str) -> Value:
        """`object.__getattribute__(receiver, name)`"""

    def generic_set(self, receiver: Value, name: str, value: Value) -> None:
        """`object.__setattr__(receiver, name, value)`"""

    def generic_delete(self, receiver: Value, name: str) -> None:
        """`object.__delattr__(receiver, name)`"""

    def bind_attribute(self, found: Value, receiver: Value) -> Value:
        """An attribute of the receiver's class, as access through the receiver gives it."""

    def super_arguments(self) -> tuple[Value | None, Value | None]:
        """What `super()` without arguments means in the current frame."""

    def raise_value(self, kind: type[BaseException], args: list[Value]) -> NoReturn:
        """Raise an exception in the traced program, made with these values."""

    def current_exception(self) -> Value:
        """The exception being handled, as `sys.exception()` has it."""

    def is_reachable(self, value: Value) -> bool:
        """Whether the program can still get at an object made in the call."""

    def same(self, left: Value, right: Value) -> bool:
        """`left is right`"""

    def throw(self, kind: type[BaseException], *args: Any) -> NoReturn:
        """Raise an exception in the traced program."""


Model = Callable[..., Value]
Values = Iterable[Value]
