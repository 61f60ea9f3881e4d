"""`Code` -> code object: real instructions, then their sizes, then the tables.

The first pass writes each canonical instruction as one or more real ones, with jumps still open. The
second finds the distances, which decide how many EXTENDED_ARGs a jump needs, which move everything
behind it: from the smallest sizes on, until nothing grows.
"""

import dis
from collections.abc import Sequence
from itertools import accumulate, count, pairwise
from types import CodeType
from typing import Final

from framelift.code import exception_table, positions
from framelift.code.canonical import ENDS
from framelift.code.code import Code
from framelift.code.dialect import DIALECT
from framelift.code.dialect.base import CHOICE, CONST, INT, JUMP, LOWER, NAME, NOTHING, SHIFTED, SLOT, TABLE
from framelift.code.errors import CodeError
from framelift.code.instr import JOINED, WIDE, WIDE_NO_INTERRUPT, Instr, Position, PositionTable
from framelift.code.layout import Layout
from framelift.code.stack import max_depth

_EXTENDED_ARG: Final = dis.opmap["EXTENDED_ARG"]
_WRITINGS: Final = {op: tuple(writing) for op, writing in DIALECT.writings.items()}  # plain tuples unpack faster
_PATIENCE: Final = 20
_WIDE: Final = frozenset({WIDE, WIDE_NO_INTERRUPT})
_BY_VALUE: Final = frozenset({int, str, bytes, bool, type(None), type(...)})
"""Types whose equal values are interchangeable."""


class _Encoded(dict[int, bytes]):
    """`arg << 8 | opcode` -> the bytes of an instruction, its EXTENDED_ARGs and caches included."""

    def __missing__(self, key: int) -> bytes:
        opcode, arg = key & 255, key >> 8
        extended = b""
        for shift in (24, 16, 8):
            if arg >> shift:
                extended += bytes((_EXTENDED_ARG, arg >> shift & 255))
        found = extended + bytes((opcode, arg & 255)) + bytes(2 * DIALECT.caches[opcode])
        if arg < 1 << 16:
            self[key] = found
        return found


_ENCODED: Final = _Encoded()


def assemble(code: Code) -> CodeType:
    """A code object with these instructions. `code` keeps everything but its indices."""
    return _Assembly(code).build()


class _Assembly:
    """The state of one `assemble`; the methods without underscore serve the dialect's lowering."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.instrs = code.instrs
        self.layout = Layout(code)
        self.named_calls: set[int] = set()
        self.extra_stack = 0
        self._names = list(code.names)
        self._name_indices = {name: index for index, name in reversed(list(enumerate(code.names)))}
        self._consts = list(code.consts)
        self._const_ids: dict[int, int] = {id(value): index for index, value in reversed(list(enumerate(code.consts)))}
        self._const_values: dict[tuple[type, object], int] | None = None
        self._slots = self.layout.order
        # The real instructions: `arg << 8 | opcode`, and the canonical one each comes from
        self._keys: list[int] = []
        self._origins: list[Instr] = []
        self._starts: list[int] = []
        self._jumps: list[tuple[int, Instr | int, bool]] = []
        self._detours: list[tuple[int, Instr, tuple[str, ...]]] = []
        code.renumber()
        self._entered = self._entries()

    # For the dialect

    def emit(self, opcode: int, arg: int, instr: Instr) -> None:
        self._keys.append(arg << 8 | opcode)
        self._origins.append(instr)

    def emit_jump(self, opcode: int, target: Instr | int, instr: Instr) -> None:
        """A jump to an instruction, or to the real instruction of a number."""
        backward = isinstance(target, Instr) and target.index <= instr.index
        self._jumps.append((len(self._keys), target, backward))
        self.emit(opcode, 256 if instr.spelling in _WIDE else 0, instr)

    def emit_loop_end(self, instr: Instr) -> None:
        """A `FOR_ITER`, which really jumps to the end mark of its loop. A loop without gets one."""
        target, marks = instr.target, DIALECT.loop_end
        if target is None:
            raise CodeError(f"{instr} has no target")
        first = target.index - len(marks)
        if first > instr.index and tuple(mark.op for mark in self.instrs[first : target.index]) == marks:
            self.emit_jump(dis.opmap["FOR_ITER"], self.instrs[first], instr)
        else:
            self._emit_far(dis.opmap["FOR_ITER"], instr, marks)

    def here(self) -> int:
        return len(self._keys)

    def is_entered(self, instr: Instr) -> bool:
        """Whether control may come to an instruction from elsewhere, or a region begins or ended there."""
        return instr in self._entered

    def name_index(self, name: str) -> int:
        found = self._name_indices.setdefault(name, len(self._names))
        if found == len(self._names):
            self._names.append(name)
        return found

    def slot_index(self, slot: int) -> int:
        return self._slots[slot]

    def const_index(self, value: object) -> int:
        found = self._const_ids.get(id(value))
        if found is not None:
            return found
        if type(value) in _BY_VALUE:
            known = self._const_values
            if known is None:
                known = self._const_values = {
                    (type(other), other): index
                    for index, other in reversed(list(enumerate(self._consts)))
                    if type(other) in _BY_VALUE
                }
            index = known.setdefault((type(value), value), len(self._consts))
            if index < len(self._consts):
                return index
        self._const_ids[id(value)] = len(self._consts)
        self._consts.append(value)
        return len(self._consts) - 1

    # The passes

    def build(self) -> CodeType:
        code, layout = self.code, self.layout
        self._lower()
        chunks, offsets = self._place()
        sizes = list(map(len, chunks))
        return layout.code_object(
            stacksize=max(code.stacksize, max_depth(code) + self.extra_stack),
            codestring=b"".join(chunks),
            consts=tuple(self._consts),
            names=tuple(self._names),
            linetable=positions.encode(self._positions(), sizes, code.firstlineno, DIALECT.merges_positions),
            exceptiontable=exception_table.write(self._regions(offsets)) if code.regions else b"",
        )

    def _entries(self) -> set[Instr]:
        instrs = self.instrs
        if not instrs or instrs[-1].op not in ENDS:
            raise CodeError("control runs past the end")
        entered = {instr.target for instr in instrs if instr.target is not None}
        for region in self.code.regions:
            entered.add(region.start)
            entered.add(region.handler)
            if region.end.index + 1 < len(instrs):
                entered.add(instrs[region.end.index + 1])
        for instr in entered:
            if not 0 <= instr.index < len(instrs) or instrs[instr.index] is not instr:
                raise CodeError(f"{instr} is referred to but not in the list")
        return entered

    def _lower(self) -> None:  # noqa: C901
        """Write every instruction, as the dialect says."""
        keys, origins, starts = self._keys, self._origins, self._starts
        names, slots, const_ids = self._name_indices, self._slots, self._const_ids
        writings, fusions = _WRITINGS, DIALECT.fusions
        skip = 0
        for index, instr in enumerate(self.instrs):
            if instr.index != index:
                raise CodeError(f"{instr} stands in the list twice")
            if skip:
                skip -= 1
                starts.append(len(keys) - 1)
                continue
            starts.append(len(keys))
            if instr.spelling in fusions:
                skip = self._fuse(instr) - 1
                if skip >= 0:
                    continue
                skip = 0
                self.extra_stack = 1  # a fused instruction may do without a place that its pieces need
            writing = writings.get(instr.op)
            if writing is None:
                raise CodeError(f"{instr} cannot be written for Python {DIALECT.version}")
            kind, opcode, extra = writing
            arg = instr.arg
            if kind == NOTHING:
                keys.append(opcode)
            elif kind == SLOT:
                keys.append(slots[arg] << 8 | opcode)
            elif kind == CHOICE:
                keys.append(slots[arg] << 8 | (opcode if instr.spelling is None else extra))
            elif kind == SHIFTED:
                found = names.get(arg)
                if found is None:
                    found = self.name_index(arg)
                keys.append((found << extra[0] | extra[1]) << 8 | opcode)
            elif kind == CONST:
                found = const_ids.get(id(arg))
                if found is None:
                    found = self.const_index(arg)
                keys.append(found << 8 | opcode)
            elif kind == LOWER:
                extra(self, instr)
                continue
            elif kind == INT:
                keys.append(arg << 8 | opcode)
            elif kind == NAME:
                keys.append(self.name_index(arg) << 8 | opcode)
            elif kind == TABLE:
                keys.append(extra[arg] << 8 | opcode)
            else:
                assert kind == JUMP
                self._write_jump(instr, *extra)
                continue
            origins.append(instr)
        starts.append(len(keys))
        for place, instr, marks in self._detours:
            self._add_detour(place, instr, marks)

    def _fuse(self, instr: Instr) -> int:
        """Write several pieces as the one instruction they came from; how many, or 0."""
        opcode, ops, encode = DIALECT.fusions[instr.spelling or ""]
        pieces = self.instrs[instr.index : instr.index + len(ops)]
        if len(pieces) != len(ops) or not pieces:
            return 0
        for piece, op in zip(pieces, ops, strict=True):
            if piece.op != op:
                return 0
            if piece is not instr and (
                piece.spelling != JOINED
                or piece in self._entered
                or (piece.where is not instr.where and piece.position != instr.position)
            ):
                return 0
        arg = encode(self, pieces)
        if arg < 0:
            return 0
        self.emit(opcode, arg, instr)
        return len(ops)

    def _write_jump(self, instr: Instr, forward: int, backward: int | None) -> None:
        target = instr.target
        if target is None:
            raise CodeError(f"{instr} has no target")
        if target.index > instr.index:
            self.emit_jump(forward, target, instr)
        elif backward is None:
            self._emit_far(forward, instr, ())
        else:
            self.emit_jump(backward, target, instr)

    def _emit_far(self, opcode: int, instr: Instr, marks: tuple[str, ...]) -> None:
        """A jump that cannot reach its target, but something after everything else that can."""
        self._detours.append((len(self._keys), instr, marks))
        self.emit(opcode, 0, instr)

    def _add_detour(self, place: int, instr: Instr, marks: tuple[str, ...]) -> None:
        self._jumps.append((place, len(self._keys), False))
        for op in marks:
            self.emit(dis.opmap[op], 0, instr)
        assert instr.target is not None
        # Without a check for interrupts: no exception may arise here, outside of the jump's region.
        self._jumps.append((len(self._keys), instr.target, True))
        self.emit(dis.opmap["JUMP_BACKWARD_NO_INTERRUPT"], 0, instr)

    def _place(self) -> tuple[list[bytes], list[int]]:
        """The bytes of each real instruction, and the offset of each and of the end."""
        keys, starts = self._keys, self._starts
        chunks = list(map(_ENCODED.__getitem__, keys))
        sizes = list(map(len, chunks))
        jumps = [
            (place, starts[target.index] if isinstance(target, Instr) else target, backward)
            for place, target, backward in self._jumps
        ]
        for attempt in count():
            if attempt == _PATIENCE:  # sizes that were remembered fit no longer: grow from the smallest
                for place, _, _ in jumps:
                    sizes[place] = len(_ENCODED[keys[place] & 255])
            offsets = [0, *accumulate(sizes)]
            settled = True
            for place, target, backward in jumps:
                distance = offsets[target] - offsets[place + 1] >> 1
                chunk = _ENCODED[(-distance if backward else distance) << 8 | keys[place] & 255]
                chunks[place] = chunk
                if len(chunk) != sizes[place]:
                    sizes[place] = len(chunk)
                    settled = False
            if settled:
                break
        return chunks, offsets

    def _positions(self) -> list[Position]:
        found: list[Position] = []
        table: PositionTable | None = None
        units: Sequence[Position] = ()
        for instr in self._origins:
            where = instr.where
            if isinstance(where, PositionTable):
                if where is not table:
                    table, units = where, where.positions()
                found.append(units[instr.offset >> 1])
            else:
                found.append(where)
        return found

    def _regions(self, offsets: list[int]) -> list[exception_table.Entry]:
        starts = self._starts
        entries = [
            (
                offsets[starts[region.start.index]],
                offsets[starts[region.end.index + 1]],
                offsets[starts[region.handler.index]],
                region.depth,
                region.lasti,
            )
            for region in self.code.regions
        ]
        entries = sorted(entry for entry in entries if entry[0] < entry[1])
        for before, after in pairwise(entries):
            if after[0] < before[1]:
                raise CodeError(f"regions overlap at offset {after[0]}")
        return entries
