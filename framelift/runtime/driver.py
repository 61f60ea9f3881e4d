"""The compile driver: from a call without an entry to an entry."""

from __future__ import annotations

import abc
import sys
import threading
import weakref
from types import CodeType, FunctionType
from typing import Any

from framelift import _core, controls, logs, settings
from framelift.errors import BackendError, CompileError, DynamicError, FullGraphError
from framelift.graph.conditions import became_constant, conditions
from framelift.graph.history import CONSTANT_FLOATS, History
from framelift.guards import facts
from framelift.guards.notes import take_notes
from framelift.guards.strict import Measurements
from framelift.interpreter import capture
from framelift.interpreter.frame import program_of
from framelift.report import breaks, dynamic, journal, recompiles, tracing
from framelift.report.breaks import BreakRecord
from framelift.report.places import chain_at
from framelift.report.records import Compiled
from framelift.residual import break_points, breaking, build, continuation, rerun
from framelift.runtime import below, counters, gains, identity, limits, saved_hooks, stance
from framelift.runtime.backends import registry
from framelift.runtime.options import Options
from framelift.values.base import Value
from framelift.values.reasons import (
    BACKEND_FAILED,
    DATA_DEPENDENT,
    DISABLED,
    ESCAPING_EXCEPTION,
    FORCED,
    INTERNAL,
    LIFETIME,
    LONG,
    LOOKS_AT_FRAME,
    NOT_COUNTED,
    RAISED_BEFORE,
    Break,
)

_lock = threading.RLock()

_core.let_through(CompileError)

# By identity: code objects compare by content, and equal ones are still two.
_compiled: dict[int, weakref.ref[CodeType]] = {}


def reset() -> None:
    """Forget every entry made here."""
    with _lock:
        for code in _living():
            _core.reset(code)
        _compiled.clear()
        continuation.forget()


def compile_call(code: CodeType, function: FunctionType, options: object, args: tuple[Any, ...]) -> _core.Entry | None:
    """An entry for a call of `function`, whose argument slots hold `args`; None when it is to run as it is."""
    assert isinstance(options, Options)
    stance.check_may_compile(code.co_qualname)
    with _lock:
        compilation = _Compilation(code, function, options, args)
        with saved_hooks.suspended():
            return compilation.entry()


_GOES_ON = "goes on for long"


class _Compilation:
    def __init__(self, code: CodeType, function: FunctionType, options: Options, args: tuple[Any, ...]) -> None:
        self.code = code
        self.function = function
        self.options = options
        self.args = args
        self.program = program_of(code)
        self.history = History(
            _core.scratch(code).setdefault("changes", {}),
            registry.dynamic(options),
            limits.owner_of(code, args),
            _core.scratch(code).get("sizes"),
        )
        self.history.continues = self.program.origin is not None
        self.history.by_aot = registry.uses_aot(options)
        self.prologue = None if self.program.origin is not None else registry.prologue(options)
        self.state = _core.global_state()
        self.registrations = abc.get_cache_token()
        self.notes = Compiled(code, self.state, self.program)
        self.machines: list[Any] = []
        self.flat = False  # whether breaks inside of what operators and attributes call are breaks there

    def entry(self) -> _core.Entry | None:
        try:
            return self._entry()
        finally:
            for machine in self.machines:
                machine.take_apart()

    def _entry(self) -> _core.Entry | None:
        self._note_recompile()
        if limits.is_reached(self.code, self.options, self.args, self.notes.recompile):
            return None
        if gains.is_left_alone(self.program):
            return self._leave_alone()
        return self._captured()

    def _captured(self) -> _core.Entry | None:
        machine = self._machine()
        machine.force = self._forced()
        if self.options.fullgraph:
            machine.look_at = sys.maxsize
        try:
            result = capture.run(machine, self.code, self.args)
            if machine.recorder.calls == 0:
                return self._publish(machine, self._as_it_is(), 0)
            replacement = build.build(
                machine,
                self.code,
                result,
                capture.inputs(machine),
                lambda outputs: self._compile_graph(machine, outputs),
            )
        except Break as broken:
            broken.let_go()
            machine.steps = machine.steps if broken.step is None else broken.step
            found = self._with_data_in_graph(broken)
            if found is None and machine.broke_inside and not self.flat and not machine.force:
                self.flat = True
                return self._captured()
            return found or self._broken(machine, broken)
        except BackendError as error:
            again = self._with_another_graph(error)
            if again is not None:
                return again
            if self.options.fullgraph:
                raise
            return self._untouched(machine, Break(BACKEND_FAILED, error))
        except CompileError:
            raise
        except Exception as error:  # a bug of ours must not become the user's
            if settings.current().raise_internal_errors:
                raise
            return self._untouched(machine, Break(INTERNAL, repr(error)))
        return self._publish(machine, replacement, machine.ledger.wanted)

    def _with_another_graph(self, error: BackendError) -> _core.Entry | None:
        """A backend fails that has turned out to use AOTAutograd, or this can make no tensor of a symbolic float."""
        if registry.uses_aot(self.options) and not self.history.by_aot:
            return _Compilation(self.code, self.function, self.options, self.args).entry()
        if type(error.__cause__).__name__ != "TensorifyScalarRestartAnalysis":
            return None
        if self.history.record.get(CONSTANT_FLOATS):
            return None
        self.history.record[CONSTANT_FLOATS] = True
        return _Compilation(self.code, self.function, self.options, self.args).entry()

    def _with_data_in_graph(self, broken: Break) -> _core.Entry | None:
        """Rather than fail for want of a tensor's value, let the graph work with numbers that only it knows."""
        if not self.options.fullgraph or broken.reason is not DATA_DEPENDENT or settings.current().capture_scalars:
            return None
        before = settings.change(capture_scalars=True, capture_dynamic_outputs=True)
        try:
            return _Compilation(self.code, self.function, self.options, self.args).entry()
        except FullGraphError:
            return None  # the first reason is the better one
        finally:
            settings.change(
                capture_scalars=before.capture_scalars, capture_dynamic_outputs=before.capture_dynamic_outputs
            )

    def _forced(self) -> int:
        """After how many instructions a test wants a break."""
        chosen = settings.current()
        if not (chosen.break_at or chosen.break_every):
            return 0
        continues = self.program.origin is not None
        return chosen.break_every + continues if chosen.break_every else 0 if continues else chosen.break_at

    def _machine(self) -> Any:
        machine = self._fresh()
        machine.watch = tracing.watcher()
        return machine

    def _fresh(self) -> Any:
        machine = capture.machine_for(self.function, self.history, self.prologue, self.flat)
        self.machines.append(machine)
        return machine

    def _broken(self, machine: Any, broken: Break) -> _core.Entry | None:
        """Capture what comes before the break, let Python run the instruction, and go on after it."""
        if broken.reason is LONG and _core.scratch(self.code).get(_GOES_ON):
            return self._leave_alone()
        record = breaks.record(broken, chain_at(machine, before=broken.reason is FORCED))
        earlier = rerun.check_repeatable(machine, capture.inputs(machine))
        if earlier is not None:
            broken, record = earlier, self._record_at(machine.steps, earlier)
        if self._is_error(machine) or machine.steps == 0 or broken.reason in (LOOKS_AT_FRAME, LIFETIME):
            return self._untouched(machine, broken, record)
        again = self._fresh()
        try:
            capture.run_up_to(again, self.code, self.args, machine.steps, broken)
            if broken.reason is ESCAPING_EXCEPTION:
                record = breaks.record(broken, chain_at(again, before=True))
            point = break_points.split_point(again) if broken.reason is FORCED else break_points.break_point(again)
            raised = break_points.earlier_raise(again, point)
            if raised is not None and (broken.reason is FORCED or not break_points.have_tracebacks(again, point)):
                again = self._fresh()
                capture.run_up_to(again, self.code, self.args, raised, broken)
                point = break_points.break_point(again)
                if broken.reason is not FORCED:
                    record = breaks.record(Break(RAISED_BEFORE), chain_at(again, before=True), cause=record)
            if broken.reason is DISABLED:
                point = below.captured_below(point, compile_call, self.options)
            replacement = breaking.build_break(
                again,
                self.code,
                point,
                capture.inputs(again),
                lambda outputs: self._compile_graph(again, outputs) if again.recorder.calls or outputs else None,
                self._callable_for if broken.reason is not LONG else self._callable_in_loop,
                broken.sizes,
            )
        except Break as refused:
            refused.let_go()
            earlier_step = break_points.step_outside(again) if refused.step is None else refused.step
            if earlier_step is not None and earlier_step < machine.steps:
                machine.steps = earlier_step
                forced = broken.reason is FORCED and refused.reason is LOOKS_AT_FRAME  # splitting would come here again
                return self._broken(machine, refused if forced or refused.step is not None else broken)
            return self._untouched(again, refused, breaks.record(refused, chain_at(again, before=True), cause=record))
        except BackendError as error:
            other = self._with_another_graph(error)
            if other is not None:
                return other
            return self._untouched(again, Break(BACKEND_FAILED, error))
        self._note(record)
        return self._publish(again, replacement, again.ledger.wanted)

    def _record_at(self, step: int, broken: Break) -> BreakRecord:
        """What is told about a break at a step that the capture went past."""
        again = self._fresh()
        capture.run_up_to(again, self.code, self.args, step, broken)
        return breaks.record(broken, chain_at(again, before=True))

    def _callable_for(self, function: FunctionType, known: dict[Any, Any]) -> _core.Callable:
        """How a continuation is entered with these options."""
        found: _core.Callable | None = known.get(self.options)
        if found is None:
            found = known[self.options] = _core.Callable(function, compile_call, self.options)
        return found

    def _callable_in_loop(self, function: FunctionType, known: dict[Any, Any]) -> _core.Callable:
        """The same in the middle of a long loop: if it does not end soon, Python is to go on with it."""
        _core.scratch(function.__code__)[_GOES_ON] = True
        return self._callable_for(function, known)

    def _is_error(self, machine: Any) -> bool:
        """Whether a graph break at this place is one."""
        if self.options.fullgraph:
            return True
        _, change = machine.modes.get((controls.change_regions,), (None, controls.NO_CHANGE))
        return controls.error_on_break(change) is True

    def _note(self, record: BreakRecord) -> None:
        self.notes.broken = record.summary
        self.notes.graph_break = record
        if record.reason not in NOT_COUNTED:
            counters.count("graph_break", f"{record.summary} @ {record.where}")
            journal.broken(record)

    def _note_recompile(self) -> None:
        recompile = recompiles.why(self.code, self.function, self.options, self.args)
        if recompile is not None:
            self.notes.recompile = recompile
            counters.count("recompiles", recompile.name)
            journal.recompiling(recompile)

    def _compile_graph(self, machine: Any, outputs: list[Value]) -> Any:
        module = machine.recorder.finish([capture.node_of(machine, value) for value in outputs])
        if not machine.recorder.calls:
            return module.forward  # it passes on numbers that Python drew
        self.notes.graph = module
        counters.count("graphs", "compiled")
        journal.graph_made(self.notes, module)
        compiled = registry.compile_with(self.options, module, machine.recorder.examples, machine.recorder.symbols)
        if machine.recorder.hangs_on_aot and registry.uses_aot(self.options):
            raise BackendError("the backend uses AOTAutograd, for which this graph does not do", module)
        return compiled

    def _untouched(self, machine: Any, broken: Break, record: BreakRecord | None = None) -> _core.Entry | None:
        """The frame runs as it is for as long as what led to the break holds."""
        record = record or breaks.record(broken, chain_at(machine))
        is_error = self._is_error(machine)
        self._note(record if is_error else record._replace(untouched=True))
        if is_error:
            raise FullGraphError(str(record))
        return self._publish(machine, self._as_it_is(), 0)

    def _as_it_is(self) -> CodeType:
        return identity.rewrite(self.code) if self.program.origin is None else continuation.plain(self.code)

    def _leave_alone(self) -> _core.Entry:
        """Captures gave nothing so often that the function runs as it is from now on, whatever comes."""
        self.notes.left_alone = True
        entry = _core.add_entry(self.code, self._as_it_is(), self.options, payload=self.notes)
        self._remember()
        journal.published(self.code, self.notes, entry)
        return entry

    def _were_classes_registered(self, machine: Any) -> bool:
        """Whether the backend, importing its parts, has registered classes where the capture relies on their number."""
        if abc.get_cache_token() == self.registrations:
            return False
        known: bool = machine.ledger.knows(machine.ledger.paths.start("object", abc.ABCMeta), facts.registrations)
        return known

    def _shapes(self, machine: Any) -> Any:
        """What has to hold of the symbolic numbers, and of where tensors lie, for the native guards."""
        symbols = machine.recorder.symbols
        if symbols is None and not machine.placements:
            return None
        found = conditions(symbols, self.code.co_varnames, machine.placements)
        for number, value in became_constant(symbols, self.history.marked) if symbols is not None else ():
            path = number.seen.path.text(self.code.co_varnames)
            raise DynamicError(
                f"dimension {number.dim} of {path} was marked as dynamic, but {self.code.co_qualname} works for the "
                f"size {value} only. Do not mark it, use maybe_mark_dynamic, or change what fixes it; "
                "FRAMELIFT_LOGS=dynamic shows the conditions and the lines that ask for them"
            )
        self.notes.conditions = found.notes
        if symbols is not None:
            logs.say("dynamic", lambda: dynamic.text(self.notes, symbols, self.code.co_varnames))
        return found.specification

    def _remember(self) -> None:
        number = id(self.code)
        _compiled[number] = weakref.ref(self.code, lambda gone: _compiled.pop(number, None))

    def _publish(self, machine: Any, replacement: CodeType, inputs: int) -> _core.Entry | None:
        if self._were_classes_registered(machine):
            return _Compilation(self.code, self.function, self.options, self.args).entry()
        if not self.options.fullgraph and gains.count(self.program, self.function, self.notes):
            for code in compiled_codes(self.code):
                for entry in _core.entries(code):
                    entry.invalidate()
            return self._leave_alone()
        shapes = self._shapes(machine)
        nodes, recorded = machine.ledger.finish()
        self.notes.guards = take_notes(recorded, self.code.co_varnames)
        self.notes.own = machine.own
        if settings.current().measure_guards:
            self.notes.measurements = Measurements(recorded, nodes, shapes, self.args, self.function)
        guards = _core.build_guards((self.state, nodes, shapes)) if nodes or machine.recorder.calls else None
        self._remember()
        entry = _core.add_entry(self.code, replacement, self.options, payload=self.notes, guards=guards, inputs=inputs)
        machine.assumptions.publish(entry, ever_doubted=not self.options.fullgraph)
        journal.published(self.code, self.notes, entry)
        return entry


def forget(options: Options) -> None:
    """Drop every entry for these very options."""
    with _lock:
        for code in _living():
            for entry in _core.entries(code):
                if entry.backend is options:
                    entry.invalidate()


def compiled_codes(code: CodeType) -> list[CodeType]:
    """Of a function and what continues it, the code objects with entries."""
    written = program_of(code).written
    return [other for other in _living() if program_of(other).written is written]


def _living() -> list[CodeType]:
    found = (reference() for reference in list(_compiled.values()))
    return [code for code in found if code is not None]
