"""Why something could not be captured. Each kind is registered once, with an explanation and what to do about it."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, NamedTuple


class Reason(NamedTuple):
    """A kind of obstacle."""

    name: str
    explanation: str
    hint: str


REASONS: dict[str, Reason] = {}


def reason(name: str, explanation: str, hint: str) -> Reason:
    """Register a kind of obstacle."""
    assert name not in REASONS, f"reason {name!r} is registered twice"
    REASONS[name] = Reason(name, explanation, hint)
    return REASONS[name]


class Break(Exception):
    """Capture stops at the current instruction. The detail is formatted only when someone reads it."""

    def __init__(
        self,
        kind: Reason,
        *detail: Any,
        sizes: Mapping[str, tuple[int, ...]] | None = None,
        step: int | None = None,
    ) -> None:
        super().__init__(kind, *detail)
        self.reason = kind
        self.detail = detail
        self.sizes = sizes or {}  # which sizes of the result of the instruction depend on data
        self.step = step  # that of an earlier instruction, if that is where capture has to stop instead

    def let_go(self) -> None:
        """Forget where it came through: frames that have a break in a variable would be kept, with all they hold."""
        broken: BaseException | None = self
        while isinstance(broken, Break):
            broken.__traceback__ = None
            broken = broken.__context__

    def __str__(self) -> str:
        detail = " ".join(" ".join(map(_words, self.detail)).split())
        return f"{self.reason.name}: {detail}" if detail else self.reason.name


_SAID_AS_THEY_ARE = (str, int, float, BaseException)


def _words(part: Any) -> str:
    """What to call an object of the user's, without running code of its own."""
    if isinstance(part, _SAID_AS_THEY_ARE):
        return str(part)
    safe = isinstance(part, _NAMED) or not type(part).__flags__ & _HEAP_TYPE
    name = getattr(part, "__qualname__", getattr(part, "__name__", None)) if safe else None
    if not isinstance(name, str):
        return f"a {type(part).__qualname__}"
    home = getattr(part, "__module__", None)
    name = name.removeprefix("_VariableFunctionsClass.")  # where PyTorch keeps the functions of `torch`
    return f"{home}.{name}" if isinstance(home, str) and home != "builtins" else name


_HEAP_TYPE = 1 << 9


_NAMED = (
    type,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    types.GetSetDescriptorType,
)


UNKNOWN_CALL = reason(
    "unknown callable",
    "The program calls something that has no Python code and of which framelift has no model.",
    "Call it outside of the compiled region, or leave it to the graph break.",
)
UNKNOWN_OPERATION = reason(
    "unknown operation",
    "The program does something with a value that framelift has no model for.",
    "Rewrite the operation, or leave it to the graph break.",
)
LONG = reason(
    "long computation in Python",
    "A loop runs for long without a tensor operation. Capturing executes every instruction of it, and takes far longer"
    " than Python does.",
    "Do it before the compiled region, or keep its result. `settings.long_computation` is the limit; 0 removes it.",
)
FINALIZER = reason(
    "object with a finalizer",
    "The program makes an instance of a class with `__del__`, which has to run when the object is dropped. Objects that"
    " only exist while capturing are never dropped.",
    "Use a context manager or `try`/`finally`, or make the object outside of the compiled region.",
)
UNKNOWN_OBJECT = reason(
    "unknown kind of object",
    "The program uses an object of a type that framelift cannot look into.",
    "Keep such objects outside of the compiled region.",
)
DATA_DEPENDENT = reason(
    "value of a tensor needed",
    "Python needs to know the value inside a tensor, which is only there when the graph has run.",
    "Use torch.where or torch.cond, or leave it to the graph break.",
)
LOOKS_AT_FRAME = reason(
    "code that looks at its own frame",
    "The program asks for the frame it runs in, or runs text in it, which only works in the original frame.",
    "Do that outside of the compiled region.",
)
LIFETIME = reason(
    "lifetime of an object",
    "The program asks whether an object that it made is still there, which depends on who still holds it.",
    "Do that outside of the compiled region.",
)
ESCAPING_EXCEPTION = reason(
    "exception leaves the function",
    "The function ends with an exception.",
    "Nothing to do: Python raises it.",
)
OPCODE = reason(
    "unsupported instruction",
    "The instruction has no handler.",
    "Rewrite the statement, or leave it to the graph break.",
)
FAKE_FAILED = reason(
    "operation failed on fake tensors",
    "Running the operation on fake tensors, which have shapes but no data, raised an exception.",
    "If it fails eagerly too, mend the program; else leave it to the graph break.",
)
EFFECT = reason(
    "mutation that cannot be replayed",
    "The program changes an object in a way that framelift cannot perform afterwards.",
    "Make the change outside of the compiled region.",
)
REBUILD = reason(
    "value that cannot be rebuilt",
    "A value made while capturing has to exist when the function returns, and framelift cannot make it again.",
    "Keep the value inside of the compiled region.",
)
INTERNAL = reason(
    "error inside framelift",
    "Capturing failed with an exception of framelift's own: a bug in framelift.",
    "Please report it; the call runs as ordinary Python.",
)
BACKEND_FAILED = reason(
    "backend failed",
    "The graph was captured, but the backend raised an exception while compiling it.",
    "Try backend='eager' to see whether the capture is right, and report the backend's error to its authors.",
)
FORCED = reason(
    "forced by a test",
    "The setting `break_at` or `break_every` asked for a break here.",
    "Leave these settings at 0.",
)
ASKED_FOR = reason(
    "asked for",
    "The program calls `framelift.graph_break()` here, or a marker like it.",
    "Take the call away if the graph need not end here.",
)
DISABLED = reason(
    "call of a disabled function",
    "The function is marked with `framelift.disable` or `torch.compiler.disable`: it runs as ordinary Python.",
    "Take the mark away, or call the function outside of the compiled region.",
)
RAISED_BEFORE = reason(
    "exception that is alive at a graph break",
    "The graph breaks while an exception is being handled: Python raises that one, so that its traceback is right.",
    "Nothing to do about this one; the graph break it stands for comes later.",
)

NOT_COUNTED = frozenset({ESCAPING_EXCEPTION, RAISED_BEFORE})
"""Not breaks in the eyes of a user."""
