"""Recursion to the limit, in every kind of frame, with replacements of every size."""

from __future__ import annotations

import sys

import pytest

from framelift import _core
from tests.native.replacing import Replacing, deeper, same, wider
from tests.processes import output_of

RESIZES = {"same": same, "deeper by 60": deeper(60), "deeper by 3000": deeper(3000), "wider by 700": wider(700)}


def depth_of(descend):
    """How deep `descend` gets before Python refuses; it takes a list to which each frame appends."""
    reached = []
    try:
        descend(reached)
    except RecursionError as error:
        assert str(error).startswith("maximum recursion depth exceeded")
        return len(reached)
    raise AssertionError("no RecursionError")


def plainly(reached):
    reached.append(1)
    plainly(reached)


def with_arguments(reached, a=1, *rest, b=2, **others):
    reached.append(1)
    with_arguments(reached, a, *rest, b=b, c=3)


def in_a_closure(reached):
    def inner():
        reached.append(1)
        inner()

    inner()


def in_generators(reached):
    def generator():
        reached.append(1)
        yield from generator()

    list(generator())


def in_a_method(reached):
    class Deep:
        def __getattr__(self, name):
            reached.append(1)
            return getattr(self, name + "x" if len(name) < 5 else name)

    Deep().a


def in_finally(reached):
    reached.append(1)
    try:
        in_finally(reached)
    finally:
        reached.append


def through_c(reached):
    reached.append(1)
    list(map(through_c, [reached]))


def in_a_class_body(reached):
    reached.append(1)

    class Body:
        in_a_class_body(reached)


KINDS = [plainly, with_arguments, in_a_closure, in_generators, in_a_method, in_finally, through_c, in_a_class_body]


@pytest.mark.parametrize("resize", RESIZES)
@pytest.mark.parametrize("descend", KINDS)
def test_limit_is_where_it_is_without_the_hook(descend, resize):
    expected = depth_of(descend)
    replacing = Replacing(RESIZES[resize])
    with replacing.scope():
        first = depth_of(descend)
        second = depth_of(descend)
    assert abs(first - second) <= 15  # the first time the call-back needs some of it
    # Through C code it is deeper on 3.12: calls of hooked frames are not counted as calls of C code.
    assert expected - 15 <= second <= max(expected + 2, sys.getrecursionlimit())
    assert descend.__name__ in replacing.names()
    assert abs(depth_of(descend) - expected) <= 15


@pytest.mark.parametrize("resize", RESIZES)
def test_references_are_steady_at_the_limit(resize):
    held = []
    replacing = Replacing(RESIZES[resize])
    with replacing.scope():
        depth_of(plainly)
        before = sys.getrefcount(held)
        for _ in range(10):
            try:
                recursion_with(held, held)
            except RecursionError:
                pass
        after = sys.getrefcount(held)
    assert after == before


def recursion_with(a, b, *rest):
    c = a
    return recursion_with(c, b, *rest, a)


def test_limit_reached_inside_the_callback():
    def endless(n):
        return endless(n + 1)

    def callback(code, function, backend, args):
        return endless(0)

    def target():
        return "ran"

    with _core.Scope("compile", callback):
        assert [target() for _ in range(3)] == ["ran"] * 3
    assert _core.actions(target.__code__) == ("default", "default")


@pytest.mark.parametrize("words", [0, 40, 3000])
def test_a_high_limit_does_not_crash(words):
    """A hooked frame takes C stack, which plain Python would not: it ends in a RecursionError at the worst."""
    source = f"""
        import sys
        from tests.native.replacing import Replacing, deeper

        sys.setrecursionlimit(1_000_000)
        def down(n):
            return 0 if n == 0 else 1 + down(n - 1)
        replacing = Replacing(deeper({words}))
        with replacing.scope():
            assert down(1800) == 1800
            try:
                print(down(200_000) == 200_000)
            except RecursionError:
                print("refused")
            assert down(1800) == 1800
        assert replacing.names() == ["down"]
        assert down(1800) == 1800
    """
    assert output_of(source).strip() in ("True", "refused")
