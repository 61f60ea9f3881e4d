"""Where control can go: to the next instruction, to a jump's target, to an exception handler."""

from framelift.code.canonical import ENDS
from framelift.code.code import Code
from framelift.code.instr import Instr, Region


def successors(code: Code, instr: Instr) -> list[Instr]:
    """The instructions that may be executed right after one, exceptions aside."""
    found = [] if instr.op in ENDS else [code.instrs[instr.index + 1]]
    if instr.target is not None and instr.target not in found:
        found.append(instr.target)
    return found


def covering(code: Code) -> list[Region | None]:
    """For each instruction, the region that its exceptions go through."""
    found: list[Region | None] = [None] * len(code.instrs)
    for region in code.regions:
        start, end = region.start.index, region.end.index + 1
        found[start:end] = [region] * (end - start)
    return found


def reachable(code: Code) -> list[bool]:
    """For each instruction, whether control can come to it at all."""
    found = [False] * len(code.instrs)
    regions = covering(code)
    pending = code.instrs[:1]
    while pending:
        instr = pending.pop()
        if found[instr.index]:
            continue
        found[instr.index] = True
        pending += successors(code, instr)
        region = regions[instr.index]
        if region is not None:
            pending.append(region.handler)
    return found
