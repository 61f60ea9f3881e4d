"""A `Code` as text for people: lines, indices, operations, arguments, jumps and exception regions."""

from framelift.code.canonical import OPS
from framelift.code.code import CELL, FREE, Code
from framelift.code.instr import Instr

_WIDTH = 24


def listing(code: Code, *, offsets: bool = False) -> str:
    """One instruction a line; `>>` marks what is jumped to, numbers after `->` are indices."""
    code.renumber()
    entered = {instr.target for instr in code.instrs if instr.target is not None}
    entered.update(region.handler for region in code.regions)
    rows = [_header(code)]
    line: int | None = None
    for instr in code.instrs:
        shown = "" if instr.line == line or instr.line is None else str(instr.line)
        line = instr.line
        mark = ">>" if instr in entered else "  "
        at = f"{instr.offset if instr.offset >= 0 else '':>6}" if offsets else ""
        argument = _argument(code, instr)
        rows.append(f"{shown:>5}{at} {mark} {instr.index:>4}  {instr.op:<{_WIDTH}} {argument}".rstrip())
    for region in code.regions:
        mark = ", lasti" if region.lasti else ""
        rows.append(
            f"region {region.start.index}..{region.end.index} -> {region.handler.index}, depth {region.depth}{mark}"
        )
    return "\n".join(rows) + "\n"


def _header(code: Code) -> str:
    arguments = set(code.arguments())
    words = []
    for number, (name, kind) in enumerate(code.slots):
        what = "free" if kind & FREE else "cell" if kind & CELL else ""
        if number in arguments:
            what = f"argument {what}".rstrip()
        words.append(f"{number} {name} ({what})" if what else f"{number} {name}")
    return f"{code.qualname}: " + (", ".join(words) or "no variables")


def _argument(code: Code, instr: Instr) -> str:
    if instr.target is not None:
        return f"-> {instr.target.index}"
    if instr.arg is None and instr.op != "LOAD_CONST":
        return ""
    kind = OPS[instr.op].argument if instr.op in OPS else ""
    if kind == "slot":
        return f"{instr.arg} ({code.slots[instr.arg].name})"
    if kind in ("name", "operator"):
        return str(instr.arg)
    return repr(instr.arg)
