"""The location table of a code object: which source positions its instructions come from.

An entry covers up to eight code units. Its first byte holds a form and the length; the form with the
fewest bytes that can express the position is taken, exactly as CPython's compiler does, so that
unchanged code keeps its table to the byte. Reading goes through `co_positions`.
"""

from collections.abc import Iterable, Sequence

from framelift.code.instr import NOWHERE, Position

_ONE_LINE = 10
_NO_COLUMN = 13
_LONG = 14
_NONE = 15


def encode(positions: Iterable[Position], sizes: Sequence[int], first_line: int, merge: bool) -> bytes:
    """The table for instructions at `positions` that take `sizes` bytes each.

    With `merge`, neighbours at the same position share an entry; otherwise each has its own.
    """
    out = bytearray()
    line = first_line
    if not merge:
        for position, size in zip(positions, sizes, strict=True):
            line = _entry(out, position, size >> 1, line)
        return bytes(out)
    current: Position = NOWHERE
    total = 0
    for position, size in zip(positions, sizes, strict=True):
        if position is not current and position != current:
            if total:
                line = _entry(out, current, total >> 1, line)
            current = position
            total = 0
        total += size
    if total:
        _entry(out, current, total >> 1, line)
    return bytes(out)


def _entry(out: bytearray, position: Position, units: int, before: int) -> int:
    """Write one position, in entries of at most eight units; gives the line to count from next."""
    while units > 8:
        before = _short_entry(out, position, 7, before)
        units -= 8
    return _short_entry(out, position, units - 1, before)


def _short_entry(out: bytearray, position: Position, length: int, before: int) -> int:
    line, end_line, column, end_column = position
    if line is None:
        out.append(0x80 | _NONE << 3 | length)
        return before
    delta = line - before
    if column is None or end_column is None:
        if end_line is None or end_line == line:
            out.append(0x80 | _NO_COLUMN << 3 | length)
            _signed(out, delta)
            return line
    elif end_line == line:
        if not delta and column < 80 and 0 <= end_column - column < 16:
            out.append(0x80 | column >> 3 << 3 | length)
            out.append((column & 7) << 4 | end_column - column)
            return line
        if 0 <= delta < 3 and column < 128 and end_column < 128:
            out.append(0x80 | _ONE_LINE + delta << 3 | length)
            out.append(column)
            out.append(end_column)
            return line
    out.append(0x80 | _LONG << 3 | length)
    _signed(out, delta)
    _unsigned(out, (line if end_line is None else end_line) - line)
    _unsigned(out, 0 if column is None else column + 1)
    _unsigned(out, 0 if end_column is None else end_column + 1)
    return line


def _signed(out: bytearray, value: int) -> None:
    _unsigned(out, -value << 1 | 1 if value < 0 else value << 1)


def _unsigned(out: bytearray, value: int) -> None:
    while value >= 64:
        out.append(value & 63 | 64)
        value >>= 6
    out.append(value)
