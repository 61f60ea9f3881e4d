"""Code that asks for its variables by name: `locals()`, `eval("...")`.

A continuation has the variables that are still read, under other circumstances than those the user wrote; code that can
see all of them is not split.
"""

from __future__ import annotations

import itertools

from framelift.code import Instr
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine

_ASKING = frozenset({"locals", "eval", "exec"})
_ASKING_WITHOUT_ARGUMENTS = frozenset({"vars", "dir"})


def asks(m: Machine, frame: Frame) -> bool:
    """Whether the code of a frame calls a built-in that looks at the frame's variables."""
    instrs = frame.program.code.instrs
    return any(
        instr.op in ("LOAD_GLOBAL", "LOAD_NAME")
        and (instr.arg in _ASKING or (instr.arg in _ASKING_WITHOUT_ARGUMENTS and _is_bare_call(following)))
        and frame.globals.get(m, instr.arg) is None  # the built-in, not something of the user's with its name
        for instr, following in itertools.pairwise(instrs)
    )


def _is_bare_call(instr: Instr) -> bool:
    return instr.op == "CALL" and instr.arg == 0
