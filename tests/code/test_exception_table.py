"""Exception tables: parsing and writing are inverse, and agree with `dis`."""

import dis

from hypothesis import given
from hypothesis import strategies as st

from framelift.code.exception_table import parse, write
from tests.code import programs

offsets = st.integers(0, 1 << 20).map(lambda n: 2 * n)


@given(st.lists(st.tuples(offsets, offsets, offsets, st.integers(0, 300), st.booleans())))
def test_written_entries_are_parsed_back(entries) -> None:
    entries = [(start, start + length, handler, depth, lasti) for start, length, handler, depth, lasti in entries]
    assert parse(write(entries)) == entries


def test_tables_of_the_compiler() -> None:
    table = programs.handlers.__code__.co_exceptiontable
    assert write(parse(table)) == table
    theirs = [(e.start, e.end, e.target, e.depth, e.lasti) for e in dis.Bytecode(programs.handlers).exception_entries]
    ours = parse(table)
    assert len(ours) == len(theirs)
    assert [(e[0], *e[2:]) for e in ours] == [(e[0], *e[2:]) for e in theirs]
