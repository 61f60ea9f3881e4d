"""The machine: executes frames symbolically, inlining what they call.

One run loop serves all frames of a capture. A call of a Python function pushes a frame and the loop goes on in it;
protocols that need a result in the middle of an instruction run a loop of their own to that frame's end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, NoReturn

from framelift import settings
from framelift.code import Instr
from framelift.effects.log import EffectLog
from framelift.graph.history import History
from framelift.graph.placement import Placement
from framelift.graph.recorder import GraphRecorder
from framelift.graph.symbols import Symbols
from framelift.guards.ledger import Ledger
from framelift.guards.observed import Observed
from framelift.interpreter import (
    assuming,
    attributes,
    calls,
    class_access,
    folding,
    found_generators,
    iteration,
    lifting,
    method_resolution,
    operators,
    raising,
    reachable,
    strings,
    surroundings,
)
from framelift.interpreter.frame import Frame
from framelift.interpreter.surroundings import OURS
from framelift.models import torch_ops
from framelift.paths.path import STARTS, Path
from framelift.values import symbol
from framelift.values.arrays import Arrays
from framelift.values.assumptions import Assumptions
from framelift.values.base import Raised, Value
from framelift.values.classes import ClassValue
from framelift.values.early import Early
from framelift.values.generator import GeneratorValue
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.namespace import Namespace
from framelift.values.reasons import FORCED, LONG, Break
from framelift.values.tensor import MadeLeaf, TensorValue


class _Marker(Value):
    """Something a handler tells the run loop instead of a value."""

    __slots__ = ()


DONE = _Marker()
"""The frame has returned; the result is on top of its stack."""

ENTERED = _Marker()
"""A frame was pushed; its result will be that of the instruction."""

NOTHING = _Marker()
"""What the frame gives back is dropped."""


SETS_UP = frozenset(
    {
        "RESUME",
        "COPY_FREE_VARS",
        "MAKE_CELL",
        "RETURN_GENERATOR",
        "KW_NAMES",
        "NOP",
        "END_FOR",
        "SET_FUNCTION_ATTRIBUTE",
    }
)


class Machine:
    """One capture. Implements `values.base.Tracer`."""

    def __init__(self, function: FunctionType, history: History | None = None) -> None:
        self.history = History() if history is None else history
        self.graph_numbers: dict[Any, Value] = {}  # by symbol
        self.cuts: dict[Any, Value] = {}  # views of sizes that only the graph knows, by what was cut and where
        self.prologue: Callable[[], Any] | None = None  # what the residual calls first
        self.numbers: dict[Path, Value] = {}  # ints and floats that existed before the call
        self.ledger = Ledger()
        self.recorder = GraphRecorder()
        self.recorder.constant_floats = self.history.constant_floats
        self.recorder.is_by_aot = self.history.by_aot
        self.effects = EffectLog()
        self.modes: dict[Any, tuple[Any, Any]] = {}
        self.undo: list[Callable[[], Any]] = []
        self.early = Early()
        self.placements: list[Placement] = []  # of tensors that share memory
        self.leaves: dict[int, MadeLeaf] = {}
        self.retained: list[TensorValue] = []
        self.final_checks: list[Callable[[list[Value]], None]] = []
        self.function_modes: list[Value] = []
        self.function_modes_before: list[Value] = []
        self.assumptions = Assumptions()
        self.arrays = Arrays()
        self.function = function
        self.frame: Frame | None = None
        # A break in the middle of an instruction leaves half-done work behind. So the capture is then run again and
        # stopped before that instruction. Instructions are counted in the outermost run loop only: a break further in
        # is one of the instruction there that started the inner loop.
        self.nesting = 0
        self.flat = False  # methods that operators and attributes call are executed by the loop of the instruction
        self.broke_inside = False  # in a loop that an instruction started
        self.steps = 0
        self.stop_at = 0
        self.force = 0  # instructions until a break that a test asked for
        self.watch: Callable[[Frame, Instr], None] | None = None  # is shown every instruction
        self.look_at = settings.current().long_computation or sys.maxsize  # when to ask whether the graph grows
        self.calls_seen = 0
        self.stop_reason: Break | None = None
        self.raised_at: dict[int, tuple[Value, int]] = {}  # the step that first raised an exception
        self.ways: dict[int, raising.Way] = {}
        self.handled: Value = Known(None)  # the exception being handled by the frames above the innermost generator
        self.generators: list[GeneratorValue] = []  # those that have started
        self.handled_outside: list[Value] = []  # the same for each generator that is running, and outside of all
        self.lifted: dict[int, tuple[Observed, Value]] = {}
        self.namespaces: dict[int, Namespace] = {}
        self.module_names: dict[int, Namespace] = {}  # of modules, whose class has been learned
        self.class_writes: dict[type, dict[str, Value]] = {}
        self.class_attributes: dict[tuple[type, str], Value | None] = {}  # what was looked up, and guarded, before
        self.made_classes: dict[type, ClassValue] = {}
        self.registered: dict[type, list[type]] = {}
        self.context_values: dict[int, tuple[Value | None]] = {}
        self.keyed: dict[Value, bool] = {}  # see values/keys.py
        self.passed: frozenset[int] = frozenset()  # tokens of what a continuation got; perhaps nobody else has it
        self.lifetimes = False  # whether there are weak references to objects made in the call
        self.kept: dict[int, tuple[Any, Value]] = {}  # values of tuples that built-in objects keep
        self.own: list[Any] = []  # objects that the capture made and guards may be about: an entry has to keep them
        chosen = settings.current()
        if chosen.capture_scalars or chosen.capture_dynamic_outputs:
            self.use_symbols()
        self.builtins = self.namespace(self.start("builtins"))

    def start(self, accessor: str, key: Any = None, args: tuple[Any, ...] = ()) -> Observed:
        """What a path of one step leads to, for the call being captured."""
        return Observed(
            self.ledger.paths.start(accessor, key), STARTS[accessor].take(args, self.function, key), self.ledger
        )

    def take_apart(self) -> None:
        """Let go of everything: objects of the user's are not to wait for the garbage collector."""
        for generator in (*self.generators, *(value for _, value in self.lifted.values())):
            if isinstance(generator, GeneratorValue):
                generator.frame = None  # which leads back to the generator
        self.ledger.paths.take_apart()
        vars(self).clear()

    # The run loop

    def run(self, base: Frame) -> Value:
        """Execute `base`, which is the current frame, to its end."""
        self.nesting += 1
        try:
            return self._run(base, flat=self.nesting == 1)
        except Break:
            self.broke_inside = self.broke_inside or self.nesting > 1
            raise
        finally:
            self.nesting -= 1

    def _run(self, base: Frame, flat: bool) -> Value:
        watch = self.watch
        while True:
            frame = self.frame
            assert frame is not None
            handler, takes, instr = frame.program.steps[frame.pc]
            if flat:
                self.steps += 1
                if self.steps == self.stop_at:
                    assert self.stop_reason is not None
                    raise self.stop_reason
                if self.force:
                    self._count_down(frame, instr)
            frame.pc += 1
            self.ledger.asker = (frame.program, instr)
            if watch is not None:
                watch(frame, instr)
            stack = frame.stack
            try:
                if takes:
                    held = stack[-takes:]
                    del stack[-takes:]
                    result = handler(self, frame, instr, *held)
                else:
                    result = handler(self, frame, instr)
            except Raised as raised:
                self._note(raised, flat)
                self._unwind(base, raised.value)
                continue
            if result is None or result is ENTERED:
                continue
            if result is not DONE:
                stack.append(result)
                continue
            value = stack.pop()
            self.frame = frame.caller
            if frame.on_return is not None:
                value = frame.on_return(value)
            if frame is base:
                return value
            self._take(value)

    def _take(self, result: Value) -> None:
        """Give the current frame what it called for."""
        assert self.frame is not None
        if result is not NOTHING:
            self.frame.stack.append(result)

    def look(self) -> None:
        """Break in a loop that is all about Python: that is faster without us."""
        if self.recorder.calls == self.calls_seen:
            raise Break(LONG, f"{self.steps} instructions without a tensor operation")
        self.calls_seen = self.recorder.calls
        self.look_at = self.steps + settings.current().long_computation

    def _count_down(self, frame: Frame, instr: Instr) -> None:
        """Break where a test wants it: instructions of the user's own count, but not those that set a frame up."""
        if instr.op in SETS_UP or not frame.program.is_original(frame.pc):
            return
        if frame.program.code.filename.startswith(OURS):
            return
        self.force -= 1
        if not self.force:
            raise Break(FORCED)

    def _note(self, raised: Raised, flat: bool) -> None:
        if not raised.again:
            raising.link(self, raised.value, raising.current(self))
        self._note_way(raised)
        if flat:
            self.raised_at.setdefault(id(raised.value), (raised.value, self._step_of_the_program()))

    def _note_way(self, raised: Raised) -> None:
        """An exception that is raised again by name shows both places, and that is not kept."""
        known = self.ways.get(id(raised.value))
        if known is not None:
            known.is_plain = known.is_plain and raised.again
            return
        places: list[tuple[Frame, int]] = []
        frame = self.frame
        while frame is not None:
            if not frame.program.is_ours:
                places.insert(0, (frame, frame.pc - 1))
            frame = frame.caller
        self.ways[id(raised.value)] = raising.Way(raised.value, places)

    def _step_of_the_program(self) -> int:
        """The step of the innermost instruction that is not one of a polyfill, which stands for a built-in function."""
        frame, step = self.frame, self.steps
        while frame is not None and frame.program.code.filename.startswith(OURS) and frame.caller is not None:
            frame, step = frame.caller, frame.entered
        return step

    def _unwind(self, base: Frame, exception: Value) -> None:
        """Go to the handler of an exception, leaving frames until there is one."""
        while True:
            frame = self.frame
            assert frame is not None
            region = frame.program.handlers[frame.pc - 1]
            if region is not None:
                for dropped in frame.stack[region.depth :]:
                    found_generators.drop(self, dropped)
                del frame.stack[region.depth :]
                while frame.marks and frame.marks[-1][0] >= region.depth:
                    frame.marks.pop()
                if region.lasti:
                    frame.stack.append(Known(frame.instr.offset))
                frame.stack.append(exception)
                frame.pc = region.handler.index
                if id(exception) in self.ways:
                    self.ways[id(exception)].caught_by = frame
                return
            self.frame = frame.caller
            if frame.generator is not None:
                frame.generator.finish()
            if frame is base:
                raise Raised(exception, again=True)

    # What values and models may ask (see values.base.Tracer)

    assume = assuming.assume
    is_only_checked = assuming.is_only_checked
    constant = lifting.constant
    lift = lifting.lift
    conceal = lifting.conceal
    namespace = lifting.namespace
    call = calls.call
    inline = calls.inline
    call_flat = calls.call_flat
    entered = calls.enter
    call_method = calls.call_method
    class_attribute = method_resolution.class_attribute
    type_attribute = class_access.type_attribute
    get_class_attribute = class_access.get_class_attribute
    super_attribute = class_access.super_attribute
    set_class_attribute = class_access.set_class_attribute
    delete_class_attribute = class_access.delete_class_attribute
    getattr = attributes.get_attribute
    setattr = attributes.set_attribute
    delattr = attributes.delete_attribute
    truth = operators.truth
    binary = operators.binary
    compare = operators.compare
    same = operators.same
    is_reachable = reachable.is_reachable
    iterator = iteration.iterator
    next = iteration.advance
    unpack = iteration.unpack

    generic_attribute = attributes.generic_attribute
    generic_set = attributes.generic_set
    generic_delete = attributes.generic_delete
    text = strings.converted
    current_exception = raising.current
    formatted = strings.formatted
    evaluate = symbol.evaluate
    super_arguments = surroundings.super_arguments
    is_held = surroundings.is_held
    callers = surroundings.callers
    local_names = surroundings.local_names
    global_names = surroundings.global_names

    def symbol(self, symbol_: Any) -> Value:
        """The number that a symbol of the graph's own stands for."""
        found = self.graph_numbers.get(symbol_)
        if found is None:
            found = self.graph_numbers[symbol_] = symbol.SymbolValue(self.recorder.symbolic(symbol_))
        return found

    def use_symbols(self) -> Symbols:
        """The symbolic numbers of this capture."""
        chosen = settings.current()
        return self.recorder.use_symbols(
            specialize_zero_one=chosen.specialize_zero_one,
            scalars=chosen.capture_scalars,
            dynamic_outputs=chosen.capture_dynamic_outputs,
        )

    def fold(self, function: Any, args: list[Value], kwargs: dict[str, Value] | None = None) -> Value | None:
        return folding.fold(self, function, args, kwargs or {})

    def raise_value(self, kind: type[BaseException], args: list[Value]) -> NoReturn:
        raise Raised(self.exception(kind, args))

    def bind_attribute(self, found: Value, receiver: Value) -> Value:
        """An attribute of the receiver's class, as access through the receiver gives it."""
        return attributes.bind(self, found, receiver, Known(receiver.cls), "")

    def input_tensors(self) -> list[TensorValue]:
        """The tensors that existed before and were looked at."""
        return [value for _, value in self.lifted.values() if isinstance(value, TensorValue)]

    def paths_of_instances(self, kind: type) -> set[Path]:
        """Where objects of a class written in Python were found."""
        found = [value for _, value in self.lifted.values() if isinstance(value, InstanceValue)]
        return {value.seen.path for value in found if value.seen is not None and issubclass(value.cls, kind)}

    def tensor_attribute(self, tensor: TensorValue, name: str) -> Value:
        return torch_ops.attribute(self, tensor, name)

    def unwind_into(self, frame: Frame, exception: Value) -> None:
        """Raise an exception at the point where a generator's frame is suspended."""
        self._unwind(frame, exception)

    def exception(self, kind: type[BaseException], args: list[Value]) -> InstanceValue:
        """A new exception."""
        made = InstanceValue(kind)
        made.init_args = args
        return made

    def throw(self, kind: type[BaseException], *args: Any) -> NoReturn:
        """Raise an exception in the traced program."""
        raise Raised(self.exception(kind, [self.constant(arg) for arg in args]))
