"""The exception table of a code object: entries of (start, length, handler, depth and lasti), as varints.

Numbers are written in groups of six bits, the highest first. Bit 6 of a byte says that another follows,
bit 7 marks the first byte of an entry. Offsets count code units.
"""

from collections.abc import Iterable

Entry = tuple[int, int, int, int, bool]
"""Start, end (excluded), handler, all in bytes; depth; whether the raising offset is pushed."""


def parse(table: bytes) -> list[Entry]:
    """The entries of a table, in order."""
    numbers: list[int] = []
    value = 0
    for byte in table:
        value = value << 6 | byte & 63
        if not byte & 64:
            numbers.append(value)
            value = 0
    return [
        (start * 2, (start + length) * 2, handler * 2, depth_lasti >> 1, bool(depth_lasti & 1))
        for start, length, handler, depth_lasti in zip(*[iter(numbers)] * 4, strict=True)
    ]


def write(entries: Iterable[Entry]) -> bytes:
    """The table of some entries."""
    out = bytearray()
    for start, end, handler, depth, lasti in entries:
        first = len(out)
        for value in (start >> 1, (end - start) >> 1, handler >> 1, depth << 1 | lasti):
            shift = 0
            while value >> shift >= 64:
                shift += 6
            while shift:
                out.append(value >> shift & 63 | 64)
                shift -= 6
            out.append(value & 63)
        out[first] |= 128
    return bytes(out)
