"""The residual of a call that breaks: graph so far, effects so far, one instruction in Python, then a continuation.

The instruction runs in the residual itself or, when it belongs to an inlined call, at the end of a chain of small
functions that stand for the frames in between, so that tracebacks show what they would have shown. What it raises goes
to the handler of the innermost frame that has one, in a continuation of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import Any

from framelift import _core
from framelift.code import FREE, Code, Instr, Region, assemble
from framelift.code.canonical import ENDS, OPS
from framelift.code.dialect import NULL_BELOW_CALLABLE
from framelift.code.emitter import Emitter
from framelift.graph import data_sizes
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.models import aliases
from framelift.residual import build, rerun, tracebacks
from framelift.residual.break_points import BreakPoint
from framelift.residual.continuation import FrameState, arguments_of, continuation, state_of
from framelift.residual.rebuild import Rebuilder
from framelift.residual.tracebacks import function_of, look_alike
from framelift.values.base import NULL, Value
from framelift.values.instance import InstanceValue
from framelift.values.known import Known
from framelift.values.opaque import Unlifted
from framelift.values.reasons import LIFETIME, REBUILD, UNKNOWN_OBJECT, UNKNOWN_OPERATION, Break
from framelift.values.tensor import TensorValue

UNREPEATABLE = frozenset({"SEND", "SEND_KEEP", "YIELD_VALUE", "LOAD_DEREF", "LOAD_CLOSURE", "RETURN_GENERATOR"})

Callables = Callable[[FunctionType, dict[Any, Any]], Any]
"""Makes the callable through which a continuation is entered."""


def build_break(
    m: Machine,
    original: CodeType,
    point: BreakPoint,
    inputs: list[Value],
    compile_graph: build.CompileGraph,
    callable_for: Callables,
    sizes: Mapping[str, tuple[int, ...]],
) -> CodeType:
    """Code that does what the capture did up to the break, and goes on from there."""
    in_generator = any(frame.generator is not None for frame in point.frames)
    if in_generator or (point.instr.op in UNREPEATABLE and not point.split):
        raise Break(REBUILD, f"the state of the function at {point.instr.op}")
    if m.lifetimes:  # a variable that is no longer used would not be kept, and with it what is referred to
        raise Break(LIFETIME, "a break while there are weak references to objects made in the call")
    if any(frame.globals.storage is None or frame.names is not None for frame in point.frames):
        raise Break(REBUILD, "the state of code that is being executed in a namespace of its own")
    if not point.frames[-1].program.is_original(point.frames[-1].pc):
        raise Break(REBUILD, "an argument of a continuation")  # it would break there again, for ever
    return _Breaking(m, original, point, callable_for, sizes).build(inputs, compile_graph)


class _Breaking:
    def __init__(
        self,
        m: Machine,
        original: CodeType,
        point: BreakPoint,
        callable_for: Callables,
        sizes: Mapping[str, tuple[int, ...]],
    ) -> None:
        self.m = m
        self.original = original
        self.point = point
        self.callable_for = callable_for
        self.sizes = sizes  # those of the result that depend on data
        self.instr, self.is_method = _plain_form(point.instr)
        self.op = OPS[self.instr.op]
        self.last: Instr | None = None  # what was emitted for the instruction, or the call that leads to it
        self.marks = [exception for frame in point.frames for _, exception in frame.marks]
        if point.split:
            innermost = point.frames[-1]
            self.after = self._states(innermost.pc - bool(innermost.keywords))  # KW_NAMES belongs to the CALL
            self.jumped = self.handled = []
            return
        self.after = [] if point.instr.op in ENDS else self._states(point.frames[-1].pc + 1)
        if self.is_method:
            self.after[-1] = _with_callee_slots(self.after[-1])
        target = point.instr.target
        self.jumped = [] if target is None else self._states(target.index)
        self.handled = self._handler_states()

    # The states in which things go on

    def _states(self, index: int) -> list[FrameState]:
        """All frames, the innermost at `index` with the operands gone."""
        point = self.point
        innermost = point.frames[-1]
        stack = innermost.stack[: len(innermost.stack) - len(point.operands)]
        return [*self._callers(len(point.frames) - 1), state_of(innermost, index, stack, None)]

    def _callers(self, count: int) -> list[FrameState]:
        """The first `count` frames, each in the middle of the call that made the next one."""
        return [state_of(frame, frame.pc, list(frame.stack), frame.pc - 1) for frame in self.point.frames[:count]]

    def _handler_states(self) -> list[FrameState]:
        """The frames that are left when the instruction raises; empty if none has a handler for it."""
        for depth in range(len(self.point.frames) - 1, -1, -1):
            frame = self.point.frames[depth]
            at = frame.pc if depth == len(self.point.frames) - 1 else frame.pc - 1
            region = frame.program.handlers[at]
            if region is None:
                continue
            stack = list(frame.stack[: region.depth])
            if region.lasti:
                stack.append(Known(frame.program.code.instrs[at].offset))
            return [*self._callers(depth), state_of(frame, region.handler.index, stack, None)]
        return []

    # Code

    def build(self, inputs: list[Value], compile_graph: build.CompileGraph) -> CodeType:
        m = self.m
        build.hand_over(m, inputs)
        code, emitter = build.start(self.original, 0)
        trial = Rebuilder(m, code, emitter, 0)
        build.before_graph(trial)
        rerun.look(trial)
        self._emit(trial)
        build.check_abandoned(m, trial)
        outputs = list(trial.tensors.values())
        build.check_outputs(m, outputs)
        graph = compile_graph(outputs)
        code, emitter = build.start(self.original, m.ledger.wanted)
        rebuilder = Rebuilder(m, code, emitter, build.argument_count(self.original))
        if graph is not None:
            build.call_graph(rebuilder, self.original, graph, inputs, outputs)
        else:
            build.check_numbers(rebuilder, self.original)
            build.before_graph(rebuilder)
            rerun.look(rebuilder, self.original)
        self._emit(rebuilder)
        code.instrs = emitter.instrs
        code.renumber()
        return assemble(code)

    def _emit(self, r: Rebuilder) -> None:
        build.replay(r, self.m.effects.effects)
        for value in self._needed():
            if value is not NULL and not self._is_at_hand(value):
                r.load(value)
                r.emit.pop()
        frame = self.point.frames[0]
        r.emit.position = frame.program.code.instrs[frame.pc - (len(self.point.frames) > 1)].position
        for exception in self.marks:
            r.load(exception)
            r.emit.add("PUSH_EXC_INFO")
            r.emit.pop()
        first = len(r.emit.instrs)
        self._run_instruction(r)
        covered = r.emit.instrs[first:]
        if self.handled and covered:
            self._handle(r, covered)

    def _needed(self) -> list[Value]:
        """Everything that must exist before the instruction runs."""
        states = [*self.after, *self.jumped, *self.handled]
        point = self.point
        return [value for state in states for value in arguments_of(state)] + [
            *point.below,
            *point.operands,
            *self.marks,
        ]

    def _is_at_hand(self, value: Value) -> bool:
        """Whether nothing has to be made for a value: it is a constant, and not a class of the call's own."""
        if not isinstance(value, Known):
            return False
        return not self.m.made_classes or not aliases.mentioned(value.obj, self.m.made_classes)

    def _run_instruction(self, r: Rebuilder) -> None:
        if self.point.split:
            self._go_on(r, self.after, [])
            return
        inlined = len(self.point.frames) > 1
        if inlined:
            self._run_inlined(r)
            self.last = r.emit.instrs[-1]
        else:
            for operand in (*self.point.below, *self.point.operands):
                r.load(operand)
            self.last = self._repeat(r.code, r.emit)
            for _ in self.point.below:
                r.emit.pop()
        if self.op.jumps:
            self._go_on_after_jump(r, inlined)
        elif not self.op.ends:
            results = self._result_count(jump=False)
            slots = [r.code.add_slot(f"result {index}") for index in range(results)]
            if inlined and results != 1:
                r.emit.unpack(results)
                for slot in slots:
                    r.emit.store_fast(slot)
            else:
                for slot in reversed(slots):
                    r.emit.store_fast(slot)
            self._go_on(r, self.after, slots)
        elif inlined:
            r.emit.return_top()  # never reached: the instruction raises

    def _repeat(self, code: Code, emitter: Emitter) -> Instr:
        """The instruction itself."""
        if self.point.names:
            emitter.add("KW_NAMES", self.point.names)
        if self.op.argument == "slot":
            return self._raise_unbound(code, emitter)
        return emitter.add(self.instr.op, 1 if self.point.below else self.instr.arg, None)

    def _raise_unbound(self, code: Code, emitter: Emitter) -> Instr:
        """An access to a variable is left to Python only if it is not bound: any variable of the name will do."""
        frame = self.point.frames[-1]
        slot = frame.program.code.slots[self.instr.arg]
        if isinstance(frame.locals[self.instr.arg], Unlifted):
            raise Break(UNKNOWN_OBJECT, f"the variable {slot.name!r}")
        if not slot.kind & FREE:
            op = "DELETE_FAST" if self.instr.op.startswith("DELETE") else "LOAD_FAST"
            return emitter.add(op, code.add_slot(slot.name), None)
        if slot not in code.slots:
            raise Break(UNKNOWN_OPERATION, f"the unbound variable {slot.name!r} of an enclosing function")
        return emitter.add(self.instr.op, code.slots.index(slot), None)

    def _result_count(self, jump: bool) -> int:
        pushes = self.op.jump_pushes if jump else self.op.pushes
        return pushes if isinstance(pushes, int) else pushes(self.instr.arg)

    def _go_on_after_jump(self, r: Rebuilder, inlined: bool) -> None:
        emit = r.emit
        fall, jump = self._result_count(jump=False), self._result_count(jump=True)
        taken = emit.label()
        if inlined:  # (whether it jumped, results)
            emit.unpack(2)
            emit.jump_if(True, taken, is_bool=True)
            slots = self._unpacked(r, fall)
        else:
            emit.instrs[-1].target = taken
            slots = self._stored(r, fall)
        self._go_on(r, self.after, slots)
        emit.place(taken)
        slots = self._unpacked(r, jump) if inlined else self._stored(r, jump)
        self._go_on(r, self.jumped, slots)

    def _stored(self, r: Rebuilder, count: int) -> list[int]:
        slots = [r.code.add_slot(f"result {index}") for index in range(count)]
        for slot in reversed(slots):
            r.emit.store_fast(slot)
        return slots

    def _unpacked(self, r: Rebuilder, count: int) -> list[int]:
        """Results that came as a tuple."""
        slots = [r.code.add_slot(f"result {index}") for index in range(count)]
        r.emit.unpack(count)
        for slot in slots:
            r.emit.store_fast(slot)
        return slots

    def _go_on(self, r: Rebuilder, states: list[FrameState], results: list[int]) -> None:
        """Leave the exceptions being handled and call the continuation."""
        for _ in self.marks:
            r.emit.add("POP_EXCEPT")
        made = continuation(states, len(results))
        r.emit.const_callee(_core.tail_call)
        r.emit.const(self.callable_for(made.function, made.callables))
        count = 1 + len(results)
        passed = [value for state in states for value in arguments_of(state)]
        self._expect(made.function, passed, len(results))
        for value in passed:
            r.load(value)
            count += 1
        for slot in results:
            r.emit.take(slot)
        for value, slot in r.slots.values():
            if isinstance(value, InstanceValue) and tracebacks.way_of(self.m, value):
                r.emit.delete_fast(slot)  # its traceback leads back to this frame
        r.emit.call(count)
        r.emit.return_top()

    def _expect(self, function: FunctionType, passed: list[Value], results: int) -> None:
        """Tell the continuation which sizes vary: those that are symbolic here, or depend on data."""
        found = {f"argument {len(passed)}{where}": dims for where, dims in self.sizes.items() if results == 1}
        for index, value in enumerate(passed):
            if isinstance(value, TensorValue):
                found |= {f"argument {index}": dims for _, dims in data_sizes.varying(value.fake)}
        _core.scratch(function.__code__).setdefault("sizes", {}).update(found)

    def _handle(self, r: Rebuilder, covered: list[Instr]) -> None:
        """Send what the instruction raises to the continuation at its handler."""
        slot = r.code.add_slot("raised")
        handler = r.emit.add("STORE_FAST", slot)
        assert self.last is not None
        r.code.regions.append(Region(covered[0], self.last, handler, len(self.marks)))
        callers = len(self.handled) - 1
        if callers:
            r.emit.const_callee(tracebacks.without)
            r.emit.const(callers)
            r.emit.fast(slot, bound=True)
            r.emit.call(2)
            r.emit.pop()
        self._go_on(r, self.handled, [slot])

    # The frames between the outermost and the instruction

    def _run_inlined(self, r: Rebuilder) -> None:
        passed = [operand for operand in (*self.point.below, *self.point.operands) if not self._is_inside(operand)]
        function = self._innermost()
        for frame in reversed(self.point.frames[1:-1]):
            function = _passing_on(frame, function, len(passed))
        r.emit.const_callee(function)
        for operand in passed:
            r.load(operand)
        r.emit.call(len(passed))

    def _is_inside(self, operand: Value) -> bool:
        """Whether the function that stands for the innermost frame has an operand by itself.

        `super` without arguments looks for those of the function it is called in, and complains if there are none.
        """
        if operand is NULL or not isinstance(operand, Known) or operand.obj is not super:
            return operand is NULL
        written = self.point.frames[-1].program.written.code
        return self.instr.op == "CALL" and self.instr.arg == 0 and not written.argcount

    def _innermost(self) -> FunctionType:
        """A function that runs the instruction on its arguments and gives back what it pushes."""
        frame = self.point.frames[-1]
        operands = [*self.point.below, *self.point.operands]
        code, emitter = look_alike(frame, sum(not self._is_inside(operand) for operand in operands), frame.pc)
        slot = 0
        for operand in operands:
            if operand is NULL:
                emitter.add("PUSH_NULL")
            elif self._is_inside(operand):
                emitter.const(super)
            else:
                emitter.take(slot)
                slot += 1
        repeated = self._repeat(code, emitter)
        for _ in self.point.below:
            emitter.pop()
        fall = self._result_count(jump=False)
        if self.op.jumps:
            taken = emitter.label()
            repeated.target = taken
            _return_pair(emitter, False, fall)
            emitter.place(taken)
            _return_pair(emitter, True, self._result_count(jump=True))
        elif not self.op.ends:
            if fall != 1:
                emitter.build_tuple(fall)
            emitter.return_top()
        return function_of(frame, code, emitter)


def _plain_form(instr: Instr) -> tuple[Instr, bool]:
    """The instruction, with a method look-up turned into that of an attribute: one slot of its result may be NULL."""
    if instr.op == "LOAD_METHOD":
        return Instr("LOAD_ATTR", instr.arg, None, instr.where, None, instr.index, instr.offset), True
    if instr.op == "LOAD_SUPER_ATTR" and instr.arg.is_method:
        plain = instr.arg._replace(is_method=False)
        return Instr("LOAD_SUPER_ATTR", plain, None, instr.where, None, instr.index, instr.offset), True
    return instr, False


def _with_callee_slots(state: FrameState) -> FrameState:
    """The state after a method look-up whose one result is the callable."""
    if NULL_BELOW_CALLABLE:
        return state._replace(stack=[*state.stack, NULL])
    return state._replace(null_on_top=True)


def _return_pair(emitter: Emitter, jumped: bool, count: int) -> None:
    emitter.build_tuple(count)
    emitter.const(jumped)
    emitter.swap()
    emitter.build_tuple(2)
    emitter.return_top()


def _passing_on(frame: Frame, function: FunctionType, count: int) -> FunctionType:
    """A function that stands for a frame in the middle of a call."""
    code, emitter = look_alike(frame, count, frame.pc - 1)
    emitter.const_callee(function)
    for slot in range(count):
        emitter.take(slot)
    emitter.call(count)
    emitter.return_top()
    return function_of(frame, code, emitter)
