"""Listings."""

from framelift.code import Instr, read
from framelift.code.listing import listing


def f(a, b):
    try:
        while a:
            a = b(a, key=None)
    except ValueError:
        pass
    return lambda: b


def test_listing_shows_what_people_need() -> None:
    code = read(f.__code__)
    text = listing(code)
    assert text.startswith("f: 0 a (argument), 1 b (argument cell)\n")
    assert "LOAD_FAST                0 (a)" in text
    assert "KW_NAMES                 ('key',)" in text
    assert ">>" in text
    assert "-> " in text
    assert "region " in text
    assert "depth 0" in text
    code.insert_before(code.instrs[0], [Instr("NOP")])
    assert len(listing(code, offsets=True).splitlines()) == len(code.instrs) + 1 + len(code.regions)
