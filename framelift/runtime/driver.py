"""The compile driver: from a call without an entry to an entry."""

from __future__ import annotations

import threading
import weakref
from types import CodeType, FunctionType
from typing import Any

from framelift import _core, settings
from framelift.errors import BackendError, CompileError, FullGraphError
from framelift.guards.notes import GuardNote, take_notes
from framelift.interpreter import capture
from framelift.residual import breaking, build
from framelift.runtime import counters, identity
from framelift.runtime.backends import registry
from framelift.runtime.options import Options
from framelift.values.reasons import BACKEND_FAILED, ESCAPING_EXCEPTION, FORCED, INTERNAL, LOOKS_AT_FRAME, Break
from framelift.values.tensor import TensorValue

_lock = threading.RLock()

_core.let_through(CompileError)

# By identity: code objects compare by content, and equal ones are still two.
_compiled: dict[int, weakref.ref[CodeType]] = {}


def reset() -> None:
    """Forget every entry made here."""
    with _lock:
        for reference in list(_compiled.values()):
            code = reference()
            if code is not None:
                _core.reset(code)
        _compiled.clear()


class Compiled:
    """What an entry remembers about its making."""

    __slots__ = ("graph", "guards", "broken")

    def __init__(self) -> None:
        self.graph: Any = None
        self.guards: list[list[GuardNote]] = []
        self.broken: str | None = None


def compile_call(code: CodeType, function: FunctionType, options: object, args: tuple[Any, ...]) -> _core.Entry:
    """An entry for a call of `function`, whose argument slots hold `args`."""
    assert isinstance(options, Options)
    with _lock:
        return _Compilation(code, function, options, args).entry()


class _Compilation:
    def __init__(self, code: CodeType, function: FunctionType, options: Options, args: tuple[Any, ...]) -> None:
        self.code = code
        self.function = function
        self.options = options
        self.args = args
        self.notes = Compiled()
        self.state = _core.global_state()

    def entry(self) -> _core.Entry:
        machine = capture.machine_for(self.function)
        machine.force = self._forced()
        try:
            result = capture.run(machine, self.code, self.args)
            if machine.recorder.calls == 0:
                return self._publish(machine, identity.rewrite(self.code), 0)
            replacement = build.build(
                machine,
                self.code,
                result,
                capture.inputs(machine),
                lambda outputs: self._compile_graph(machine, outputs),
            )
        except Break as broken:
            return self._broken(machine, broken)
        except BackendError as error:
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

    def _forced(self) -> int:
        """After how many instructions a test wants a break."""
        chosen = settings.current()
        if not (chosen.break_at or chosen.break_every):
            return 0
        continues = "origin" in _core.scratch(self.code)
        return chosen.break_every + continues if chosen.break_every else 0 if continues else chosen.break_at

    def _broken(self, machine: Any, broken: Break) -> _core.Entry:
        """Capture what comes before the break, let Python run the instruction, and go on after it."""
        if self.options.fullgraph or machine.steps == 0 or broken.reason is LOOKS_AT_FRAME:
            return self._untouched(machine, broken)
        again = capture.machine_for(self.function)
        try:
            capture.run_up_to(again, self.code, self.args, machine.steps, broken)
            point = breaking.split_point(again) if broken.reason is FORCED else breaking.break_point(again)
            raised = breaking.earlier_raise(again, point)
            if raised is not None:
                again = capture.machine_for(self.function)
                capture.run_up_to(again, self.code, self.args, raised, broken)
                point = breaking.break_point(again)
            replacement = breaking.build_break(
                again,
                self.code,
                point,
                capture.inputs(again),
                lambda outputs: self._compile_graph(again, outputs) if again.recorder.calls else None,
                self._callable_for,
            )
        except Break as refused:
            return self._untouched(again, refused)
        except BackendError as error:
            return self._untouched(again, Break(BACKEND_FAILED, error))
        self._note(again, broken)
        return self._publish(again, replacement, again.ledger.wanted)

    def _callable_for(self, function: FunctionType, known: dict[Any, Any]) -> _core.Callable:
        """How a continuation is entered with these options."""
        found: _core.Callable | None = known.get(self.options)
        if found is None:
            found = known[self.options] = _core.Callable(function, compile_call, self.options)
        return found

    def _note(self, machine: Any, broken: Break) -> None:
        self.notes.broken = str(broken)
        if broken.reason is not ESCAPING_EXCEPTION:
            counters.count("graph_break", f"{broken} @ {capture.where(machine)}")

    def _compile_graph(self, machine: Any, outputs: list[TensorValue]) -> Any:
        module = machine.recorder.finish([tensor.node for tensor in outputs])
        self.notes.graph = module
        counters.count("graphs", "compiled")
        return registry.compile_with(self.options, module, machine.recorder.examples)

    def _untouched(self, machine: Any, broken: Break) -> _core.Entry:
        """The frame runs as it is for as long as what led to the break holds."""
        self._note(machine, broken)
        if self.options.fullgraph:
            raise FullGraphError(
                f"{broken}\n{capture.where(machine)}\n{broken.reason.explanation} {broken.reason.hint}"
            )
        return self._publish(machine, identity.rewrite(self.code), 0)

    def _publish(self, machine: Any, replacement: CodeType, inputs: int) -> _core.Entry:
        nodes, recorded = machine.ledger.finish()
        self.notes.guards = take_notes(recorded, self.code.co_varnames)
        guards = _core.build_guards((self.state, nodes)) if nodes or machine.recorder.calls else None
        number = id(self.code)
        _compiled[number] = weakref.ref(self.code, lambda gone: _compiled.pop(number, None))
        return _core.add_entry(self.code, replacement, self.options, payload=self.notes, guards=guards, inputs=inputs)
