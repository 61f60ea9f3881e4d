"""Location tables: what is encoded is what `co_positions` decodes."""

from hypothesis import given
from hypothesis import strategies as st

from framelift.code.positions import encode

lines = st.integers(1, 5000)
columns = st.integers(0, 300)


@st.composite
def locations(draw):
    form = draw(st.integers(0, 3))
    if form == 0:
        return (None, None, None, None)
    line = draw(lines)
    if form == 1:
        return (line, line, None, None)
    end = line + draw(st.integers(0, 3))
    return (line, end, draw(columns), draw(columns))


@given(st.lists(st.tuples(locations(), st.integers(1, 20)), min_size=1), lines, st.booleans())
def test_encoded_positions_are_decoded_back(entries, first_line, merge) -> None:
    wanted = [position for position, units in entries for _ in range(units)]
    table = encode([position for position, _ in entries], [2 * units for _, units in entries], first_line, merge)
    empty = compile("", "", "exec")
    nop = empty.co_code[:2]
    code = empty.replace(co_code=nop * len(wanted), co_linetable=table, co_firstlineno=first_line)
    assert list(code.co_positions()) == wanted
