"""The conformance harness: a program runs eagerly and compiled, and nothing may tell the two apart.

A corpus is a file in `tests/capture/programs/` of small functions:

    from tests.capture.harness import call, program, tensor

    @program(tensor(2, 3), [1, 2], graphs=1, changed=[(tensor(2, 3), [1, 2, 3]), call(tensor(4), items=[])])
    def appends(x, items):
        items.append(3)
        return x + len(items)

Without inputs each required parameter gets a tensor. Each program is called with equal inputs twice, with the tensors'
values changed, then with each of `changed`; results, exceptions, printed text and warnings, and what became of the
arguments, globals, closure, defaults and classes in reach must be those of plain Python, aliasing included.

`graphs`: how many the first call compiles (left out: as many as it likes). `steady=False`: a later equal call may need
another entry (the program changed what it depends on). `broken=True`, or a part of the reason: at present the program
breaks; it fails when that is no longer so (None: either is right). A program that ends in an exception may break.
`fails=True`: some call's graph raises when it runs, and the call is run again (None: either is right).
`make=True`: the function is a factory that gives `(fn, args)`, `args` a tuple or, if it cannot be deep-copied, a
function that makes one. In a test of your own: `check(fn, *inputs, ...)`, `check_source(text, "name", *inputs, ...)`.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import io
import itertools
import random
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

import framelift
from framelift import _core, settings
from framelift.residual import failing
from tests.capture.describe import Description, plain
from tests.capture.worlds import PROGRAMS, Arguments, Corpus, World, names_used, world_of

PROGRAMS_FOLDER = Path(__file__).parent / "programs"

_graphs: list[torch.fx.GraphModule] = []


def recording(graph: torch.fx.GraphModule, examples: list[torch.Tensor]) -> Callable[..., Any]:
    """A backend that runs graphs as they are and counts them."""
    _graphs.append(graph)
    return graph.forward


def tensor(*shape: int, grad: bool = False, dtype: torch.dtype = torch.float32, start: int = 1) -> torch.Tensor:
    """A tensor of different small numbers."""
    count = 1
    for size in shape:
        count *= size
    return torch.arange(start, start + count).reshape(shape).to(dtype).requires_grad_(grad)


def call(*args: Any, **kwargs: Any) -> Arguments:
    """Inputs with keywords among them."""
    return Arguments(args, kwargs)


class _Meanwhile:
    def __init__(self, action: Callable[[], Any]) -> None:
        self.action = action

    def __deepcopy__(self, memo: dict[int, Any]) -> None:
        self.action()


def meanwhile(action: Callable[[], Any]) -> Any:
    """For `changed`: an argument that is None, and something that happens right before the call."""
    return _Meanwhile(action)


@dataclass(frozen=True)
class Expectation:
    """What is said about a program besides that it does what Python does."""

    graphs: int | None = None
    broken: bool | str | None = False
    steady: bool = True
    make: bool = False
    fails: bool | None = False


@dataclass(frozen=True)
class Program:
    """A program of a corpus."""

    function: Callable[..., Any]
    given: tuple[Any, ...]
    changed: tuple[Arguments, ...]
    expected: Expectation

    @property
    def inputs(self) -> Arguments:
        if self.given or self.expected.make:
            return _arguments(self.given)
        return Arguments(_default_inputs(self.function), {})


def program(*inputs: Any, changed: Any = (), **expected: Any) -> Callable[[Any], Any]:
    """Register a program of a corpus; see the module's text."""

    def register(function: Any) -> Any:
        programs = function.__globals__.setdefault(PROGRAMS, {})
        assert function.__name__ not in programs, f"there are two programs {function.__name__}"
        programs[function.__name__] = _program(function, inputs, changed, Expectation(**expected))
        return function

    if len(inputs) == 1 and isinstance(inputs[0], types.FunctionType):  # @program without brackets
        function, inputs = inputs[0], ()
        return register(function)
    return register


def _program(function: Any, inputs: tuple[Any, ...], changed: Any, expected: Expectation) -> Program:
    return Program(function, inputs, tuple(map(_arguments, changed)), expected)


def _arguments(inputs: Any) -> Arguments:
    if isinstance(inputs, Arguments):
        return inputs
    if len(inputs) == 1 and isinstance(inputs[0], Arguments):
        return inputs[0]
    return Arguments(tuple(inputs), {})


def _default_inputs(function: Any) -> tuple[Any, ...]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    required = [
        parameter for parameter in parameters if parameter.kind in kinds and parameter.default is parameter.empty
    ]
    return tuple(tensor(2, 3, start=number + 1) for number in range(len(required)))


def check(function: types.FunctionType, *inputs: Any, changed: Any = (), **expected: Any) -> None:
    """Compare a function's eager and compiled runs."""
    described = _program(function, inputs, changed, Expectation(**expected))
    _check(lambda: (world_of(function), described))


def check_source(source: str, name: str, *inputs: Any, changed: Any = (), **expected: Any) -> None:
    """Compare the runs of the function `name` of a source text, executed once for each."""
    corpus = Corpus(source, "tests.capture.generated", "<generated>")

    def world() -> tuple[World, Program]:
        module = corpus.module()
        function = vars(module)[name]
        return World(function, module), _program(function, inputs, changed, Expectation(**expected))

    _check(world)


def check_program(corpus: Corpus, name: str, again: bool = False) -> None:
    """Compare the runs of a program of a corpus; `again`: with its eager run of last time, if it came last."""
    _check(lambda: _world_in(corpus, name), eager=_last_eager_run(corpus, name) if again else None)


def _world_in(corpus: Corpus, name: str) -> tuple[World, Program]:
    module = corpus.module()
    found = vars(module)[PROGRAMS][name]
    return World(found.function, module), found


@functools.lru_cache(maxsize=1)
def _last_eager_run(corpus: Corpus, name: str) -> _Run:
    return _run(*_world_in(corpus, name), compiled=False)


def _check(make_world: Callable[[], tuple[World, Program]], eager: _Run | None = None) -> None:
    eager = eager or _run(*make_world(), compiled=False)
    with _strictly():
        compiled = _run(*make_world(), compiled=True)
    for label, plainly, captured in zip(eager.labels, eager.ends, compiled.ends, strict=True):
        assert captured == plainly, _difference(label, plainly, captured)
    forced = settings.current()
    if not (forced.break_at or forced.break_every):  # with breaks forced by a test only the outcome is to be the same
        compiled.check_counts(eager)


@contextlib.contextmanager
def _strictly() -> Iterator[None]:
    """Bugs of framelift's own are raised, also those met where nothing can be raised."""
    before = settings.change(raise_internal_errors=True)
    hook, lost = sys.unraisablehook, []
    sys.unraisablehook = lambda args: lost.append(args.exc_value)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        settings.change(raise_internal_errors=before.raise_internal_errors)
    for error in lost:
        raise error


def _difference(label: str, eager: list[str], captured: list[str]) -> str:
    shown = "\n".join(difflib.unified_diff(eager, captured, "eager", "compiled", lineterm="", n=2))
    return f"{label} ends differently:\n{shown}"


@dataclass
class _Run:
    """What came of the calls of one world."""

    expected: Expectation
    labels: list[str]
    ends: list[list[str]]
    raised: list[bool]
    graphs: list[int]
    entries: list[int]
    breaks: list[list[str]]
    failed: int = 0

    def check_counts(self, eager: _Run) -> None:
        expected, first = self.expected, self.breaks[0]
        assert expected.fails in (None, bool(self.failed)), f"the graphs of {self.failed} calls raised"
        if expected.broken is None:
            return
        if expected.broken:
            assert first, "captured now, though marked as broken: take the mark away"
            if isinstance(expected.broken, str):
                assert any(expected.broken in reason for reason in first), f"broke for another reason: {first}"
        else:
            kept = [
                reason for reason in itertools.chain(*self.breaks) if not _is_escape(reason) or not any(eager.raised)
            ]
            assert not kept, f"was not captured: {kept}"
        if expected.graphs is not None and not (eager.raised[0] and first):
            assert self.graphs[0] == expected.graphs, f"compiled {self.graphs[0]} graphs instead of {expected.graphs}"
        if expected.steady:
            for number in (1, 2):
                assert self.entries[number] == self.entries[0], f"{self.labels[number]} made another entry"


def _is_escape(reason: str) -> bool:
    return reason.startswith("exception leaves the function")


def _run(world: World, found: Program, compiled: bool) -> _Run:
    world.enter()
    expected, inputs = found.expected, found.inputs
    make_args = inputs.fresh
    if expected.make:
        function, given = world.function()
        world = World(function, world.module)
        make_args = (lambda: Arguments(given(), {})) if callable(given) else _arguments(given).fresh
    function = framelift.compile(world.function, backend=recording) if compiled else world.function
    random.seed(0)
    torch.default_generator.manual_seed(0)
    calls = [("the first call", make_args), ("the second call", make_args)]
    calls.append(("the call with other numbers", lambda: _perturbed(make_args())))
    calls += [(f"the call with changed inputs {n}", other.fresh) for n, other in enumerate(found.changed)]
    run = _Run(expected, [label for label, _ in calls], [], [], [], [], [])
    reruns = failing.count
    for _, arguments in calls:
        before = len(_graphs), _breaks()
        _call(run, world, function, arguments())
        run.graphs.append(len(_graphs) - before[0])
        run.breaks.append([reason for reason, count in _breaks().items() if count > before[1].get(reason, 0)])
        run.breaks[-1] += _escapes(world)
        run.entries.append(len(_core.entries(world.code)) if world.code is not None else 0)
    del _graphs[:]
    run.failed = failing.count - reruns
    return run


def _escapes(world: World) -> list[str]:
    """Captures that ended in an exception: a program that raises none must not have any."""
    entries = [] if world.code is None else _core.entries(world.code)
    ends = [getattr(entry.payload, "broken", None) or "" for entry in entries]
    return [end for end in ends if _is_escape(end)]


def _breaks() -> dict[str, int]:
    return framelift.counters()["graph_break"]


def _call(run: _Run, world: World, function: Callable[..., Any], arguments: Arguments) -> None:
    text = io.StringIO()
    about = Description(world.module.__name__)
    raised = False
    with contextlib.redirect_stdout(text), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = function(*arguments.args, **arguments.kwargs)
        except Exception as error:
            raised = True
            _check_not_ours(error)
            about.add("raises", error)
            about.lines.append(f"at {_place(error, world.module)}")
        else:
            about.add("result", result)
    about.add("arguments", [*arguments.args, arguments.kwargs])
    _describe_state(about, world)
    about.drain()
    about.lines.append(f"printed {plain(text.getvalue())!r}")
    about.lines.append(f"warned {[(w.category.__name__, str(w.message)) for w in warned]}")
    about.lines.append(f"random {hash(random.getstate())} {hash(torch.get_rng_state().numpy().tobytes())}")
    about.lines.append(f"torch {_torch_state()}")
    run.ends.append(about.lines)
    run.raised.append(raised)


def _check_not_ours(error: BaseException) -> None:
    """Bugs of framelift's own are raised in strict mode; they show as they are."""
    last = _places(error)[-1][0]
    if "/framelift/framelift/" in last or last.startswith(str(Path(framelift.__file__).parent)):
        raise error


def _places(error: BaseException) -> list[tuple[str, int]]:
    """Files and lines of a traceback."""
    return [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]


def _place(error: BaseException, module: types.ModuleType) -> str:
    """The deepest line of the program's own file that the exception went through."""
    own = getattr(module, "__file__", None)
    lines = [line for filename, line in _places(error) if filename == own]
    return f"line {lines[-1]}" if lines else "no line of the program"


def _torch_state() -> list[Any]:
    """What of PyTorch's state a program may leave changed."""
    return [
        *(torch.is_grad_enabled(), torch.is_inference_mode_enabled(), torch.get_default_dtype()),
        *(torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"), torch.is_autocast_cache_enabled()),
        *(torch.are_deterministic_algorithms_enabled(), torch.get_deterministic_debug_mode()),
        *(torch._C._len_torch_function_stack(), torch._C._len_torch_dispatch_stack(), torch.is_anomaly_enabled()),
    ]


def _describe_state(about: Description, world: World) -> None:
    function = getattr(world.function, "__func__", world.function)
    for number, cell in enumerate(getattr(function, "__closure__", None) or ()):
        about.add(f"closure {number}", cell)
    about.add("defaults", [getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)])
    for name in names_used(function, world.module):
        if name in vars(world.module) and name != PROGRAMS:
            about.add(f"global {name}", vars(world.module)[name])


def _perturbed(arguments: Arguments) -> Arguments:
    """The same arguments with other numbers in their floating-point tensors."""
    seen: set[int] = set()
    todo: list[Any] = [arguments.args, arguments.kwargs]
    while todo:
        obj = todo.pop()
        if id(obj) in seen:
            continue
        seen.add(id(obj))
        if isinstance(obj, torch.Tensor) and obj.is_floating_point():
            with torch.no_grad():
                obj.mul_(0.5).add_(1)
        elif isinstance(obj, np.ndarray):
            if obj.dtype.kind == "f" and obj.flags.writeable:
                obj *= 0.5
                obj += 1
        elif isinstance(obj, list | tuple | set | frozenset):
            todo += obj
        elif isinstance(obj, dict):
            todo += obj.values()
        else:
            todo.append(getattr(obj, "__dict__", {}))
    return arguments


def corpora() -> list[tuple[Corpus, str]]:
    """Every program of every corpus."""
    found = []
    for path in sorted(PROGRAMS_FOLDER.glob("*.py")):
        corpus = Corpus.of(path)
        found += [(corpus, name) for name in vars(corpus.module()).get(PROGRAMS, {})]
    return found
