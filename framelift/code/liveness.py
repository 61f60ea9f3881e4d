"""Which local variables may still be read, at every instruction: what a continuation has to be handed.

Sets of slots are bits of an integer. Cells and free variables count as live everywhere, because others
may read them; `locals()` and frame inspection are not reads.
"""

from typing import Final

from framelift.code.canonical import ENDS
from framelift.code.code import Code
from framelift.code.flow import covering

_USES: Final = frozenset({"LOAD_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR", "LOAD_CLOSURE", "MAKE_CELL"})
_KILLS: Final = frozenset({"STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"})


def live_before(code: Code) -> list[int]:
    """The slots live before each instruction, as bits. Needs the indices to be right."""
    count = len(code.instrs)
    live = [0] * (count + 1)
    steps = _steps(code)
    changed = True
    while changed:
        changed = False
        for index, following, target, handler, kept, used in steps:
            after = live[following]
            if target >= 0:
                after |= live[target]
            before = after & kept | used
            if handler >= 0:
                before |= live[handler]
            if before != live[index]:
                live[index] = before
                changed = True
    always = cells(code)
    return [bits | always for bits in live[:count]]


def _steps(code: Code) -> list[tuple[int, int, int, int, int, int]]:
    """From last to first: index, next or `count`, target or -1, handler or -1, mask of what survives, what is used."""
    regions = covering(code)
    count = len(code.instrs)
    steps = []
    for index, instr in enumerate(code.instrs):
        op = instr.op
        bit = 1 << instr.arg if op in _USES or op in _KILLS else 0
        region = regions[index]
        steps.append(
            (
                index,
                count if op in ENDS else index + 1,
                -1 if instr.target is None else instr.target.index,
                -1 if region is None else region.handler.index,
                ~bit if op in _KILLS else -1,
                bit if op in _USES else 0,
            )
        )
    steps.reverse()
    return steps


def cells(code: Code) -> int:
    """The slots that hold cells, as bits."""
    return sum(1 << number for number, slot in enumerate(code.slots) if slot.is_cell)


def members(bits: int) -> list[int]:
    """The slots in a set, in order."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]
