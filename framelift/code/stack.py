"""How deep the stack is before each instruction, by following the flow from the entry.

Canonical effects are used, so that depths are the same for every Python. Instructions that cannot be
reached have the depth -1.
"""

from typing import Any, Final

from framelift.code.canonical import ENDS, JUMPS, OPS
from framelift.code.code import Code
from framelift.code.dialect import DIALECT
from framelift.code.errors import CodeError
from framelift.code.flow import covering
from framelift.code.instr import Region


def _effects(jump: bool) -> dict[str, Any]:
    """Net effects, as numbers where the argument does not matter."""
    found: dict[str, Any] = {}
    for name, op in OPS.items():
        counts = (op.jump_pops, op.jump_pushes) if jump else (op.pops, op.pushes)
        if isinstance(counts[0], int) and isinstance(counts[1], int):
            found[name] = counts[1] - counts[0]
        else:
            found[name] = op.effect
    return found


_FALL: Final = _effects(jump=False)
_JUMP: Final = _effects(jump=True)


def depths(code: Code) -> list[int]:
    """The depth before each instruction. Needs the indices to be right."""
    return _flow(code)[0]


def max_depth(code: Code) -> int:
    """The most values on the real stack at any time; NULLs and names of arguments count."""
    return _flow(code)[1]


def _flow(code: Code) -> tuple[list[int], int]:
    instrs = code.instrs
    count = len(instrs)
    found = [-1] * count
    regions = covering(code)
    entered: set[Region] = set()
    deepest = 0
    named = DIALECT.names_on_stack
    pending = [(0, 0)] if count else []
    while pending:
        index, depth = pending.pop()
        while found[index] < 0:
            found[index] = depth
            instr = instrs[index]
            op = instr.op
            region = regions[index]
            if region is not None and region not in entered:
                entered.add(region)
                start = region.depth + region.lasti + 1
                deepest = max(deepest, start)
                pending.append((region.handler.index, start))
            if op in JUMPS:
                assert instr.target is not None
                after = depth + _JUMP[op]
                deepest = max(deepest, after)
                pending.append((instr.target.index, after))
            effect = _FALL[op]
            depth += effect if type(effect) is int else effect(instr.arg)
            if depth < 0:
                raise CodeError(f"{instr} takes more from the stack than there is")
            if depth > deepest and instr.spelling != "RETURN_CONST":
                deepest = depth
            if named and op == "KW_NAMES":
                deepest = max(deepest, depth + 1)
            if op in ENDS:
                break
            index += 1
            if index == count:
                raise CodeError(f"control runs past the end, after {instr}")
        else:
            if found[index] != depth:
                raise CodeError(f"{instrs[index]} is reached with {found[index]} and with {depth} values on the stack")
    return found, deepest
