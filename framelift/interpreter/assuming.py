"""Assuming things that are only known when the graph has run (see values/assumptions.py).

Above all, branches on tensors that are there to raise: `assert x.all()`, `if (x < 0).any(): raise ...`. Programs check
their data and expect it to be right. So does capture, and goes on in the same graph, which gives the condition back.
And branches that the state of a module decides, which lasts (models/module_state.py). A comparison of random numbers
that can only end one way is nothing to assume (graph/random_bounds.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from framelift.code import Instr
from framelift.code.flow import successors
from framelift.graph import random_bounds
from framelift.interpreter.frame import Frame, Program
from framelift.models import module_state, torch_scalars
from framelift.values.assumptions import Assumption, Place
from framelift.values.base import Value
from framelift.values.reasons import DATA_DEPENDENT, Break
from framelift.values.symbol import SymbolValue
from framelift.values.tensor import TensorValue

if TYPE_CHECKING:
    from framelift.interpreter.machine import Machine

FURTHEST = 200
"""How many instructions a branch may take to raise."""

_RAISES = frozenset({"RAISE_VARARGS", "RERAISE"})
_JUMPS_IF = {"POP_JUMP_IF_TRUE": True, "POP_JUMP_IF_FALSE": False}


def assume(
    m: Machine,
    otherwise: Break,
    condition: TensorValue | SymbolValue | None = None,
    truth: bool = True,
    holds: Callable[[], bool] | None = None,
    lasts: bool = False,
) -> None:
    """Take something for granted, or raise the break if it was wrong too often here."""
    frame = m.frame
    assert frame is not None
    program, index = frame.program, frame.pc - 1
    at = index if program.origin is None else program.origin.positions[index]
    place = Place(program.written.doubts, at)
    if place.is_doubted:
        raise otherwise
    m.assumptions.made.append(Assumption(condition, truth, holds, otherwise, place, m.steps, lasts))


def assumed(m: Machine, frame: Frame, jump: Instr, value: Value) -> bool | None:
    """What a tensor is taken to be where `jump` branches on it; None if both ways are as likely."""
    if isinstance(value, SymbolValue):
        return _assumed_number(m, frame, jump, value)
    if not isinstance(value, TensorValue) or jump.op not in _JUMPS_IF or value.fake.numel() != 1:
        return None
    if torch_scalars.known_data(value) is not None:
        return None
    if torch._C._are_functorch_transforms_active():
        return None  # it stands for many
    otherwise = Break(DATA_DEPENDENT, "a branch on a tensor")
    truth = _without_raising(frame.program, jump)
    if truth is not None:
        assume(m, otherwise, value, truth)
        return truth
    certain = random_bounds.outcome(value.node)
    if certain is not None:
        return certain
    now = module_state.truth_now(m, value)
    if now is not None:
        assume(m, otherwise, value, now, lasts=True)
    return now


def _assumed_number(m: Machine, frame: Frame, jump: Instr, value: SymbolValue) -> bool | None:
    """The same for a condition on numbers that only the graph knows."""
    if jump.op not in _JUMPS_IF or value.cls is not bool or value.sym.node.has_hint():
        return None
    truth = _without_raising(frame.program, jump)
    if truth is not None:
        assume(m, Break(DATA_DEPENDENT, "a number that only the graph computes"), value, truth)
        promise: Any = torch._check
        negated: Any = torch.sym_not
        m.evaluate(lambda: promise(value.sym if truth else negated(value.sym)))
    return truth


def is_only_checked(m: Machine) -> bool:
    """Whether the result of the current instruction goes to a branch that is there to raise, and nowhere else."""
    frame = m.frame
    assert frame is not None
    instrs = frame.program.code.instrs
    following = instrs[frame.pc]
    if following.op == "TO_BOOL":
        following = instrs[frame.pc + 1]
    return following.op in _JUMPS_IF and _without_raising(frame.program, following) is not None


def _without_raising(program: Program, jump: Instr) -> bool | None:
    """What a branch has to find for nothing to be raised; None if that does not hang on it."""
    assert jump.target is not None
    jumped = only_raises(program, jump.target)
    fallen = only_raises(program, program.code.instrs[jump.index + 1])
    return None if jumped is fallen else _JUMPS_IF[jump.op] is not jumped


def only_raises(program: Program, start: Instr) -> bool:
    """Whether control that comes to an instruction can only end in an exception that the function lets out."""
    seen: set[int] = set()
    pending = [start]
    raises = False
    while pending:
        instr = pending.pop()
        if instr.index in seen:
            continue
        seen.add(instr.index)
        if len(seen) > FURTHEST or instr.op == "RETURN_VALUE":
            return False
        if instr.op in _RAISES:
            if _is_caught(program, instr):
                return False
            raises = True
        pending += successors(program.code, instr)
    return raises


def _is_caught(program: Program, instr: Instr) -> bool:
    """Whether an `except` of the same function stands around: then it is one more way through it."""
    region = program.handlers[instr.index]
    if region is None:
        return False
    instrs = program.code.instrs[region.handler.index : region.handler.index + 8]
    return not any(following.op == "WITH_EXCEPT_START" for following in instrs)
