"""A frame that the native callable makes is a frame like any other: whoever keeps it finds what it held."""

from __future__ import annotations

import gc
import inspect
import itertools
import sys
import threading
import traceback
import weakref

import pytest

from framelift import _core
from framelift.runtime import identity


class Held:
    pass


def native(function):
    """From the second call on it goes straight into the entry's code."""
    return _core.Callable(function, identity.entry_for, None)


def keeps_its_frame(a, b):
    total = a + b
    return sys._getframe(), total


def keeps_its_frame_with_cells(a, b):
    inner = lambda: (a, b)
    return sys._getframe(), inner


def raises(a):
    local = [a]
    raise ValueError(local)


def deep(count, leave):
    if count == 0:
        return leave()
    held = [count]
    return [*deep(count - 1, leave), *held]


def yields(a):
    got = yield a
    yield got, sys._getframe().f_code.co_name


async def awaits(a):
    return a + 1


def drops(held):
    del held
    return gc.collect()


def looks_up():
    return [frame.function for frame in inspect.stack()[:2]], sys._getframe(1).f_code.co_name


@pytest.mark.parametrize("function", [keeps_its_frame, keeps_its_frame_with_cells])
@pytest.mark.parametrize("calls", [1, 5])
def test_a_kept_frame_has_its_variables(function, calls):
    call = native(function)
    frames = [call(n, 10)[0] for n in range(calls)]
    gc.collect()
    for n, frame in enumerate(frames):
        expected = function(n, 10)[0].f_locals
        assert {name: frame.f_locals[name] for name in ("a", "b")} == {"a": n, "b": 10}
        assert frame.f_locals.keys() == expected.keys()
        assert frame.f_lineno == function(n, 10)[0].f_lineno
        assert frame.f_back.f_code.co_name in ("<listcomp>", "test_a_kept_frame_has_its_variables")


def test_a_kept_frame_keeps_what_it_holds_and_no_longer():
    def keeps(held):
        return sys._getframe()

    call, held = native(keeps), Held()
    seen = weakref.ref(held)
    call(None), call(None)
    frame = call(held)
    del held
    assert seen() is not None
    frame.clear()
    assert seen() is None
    frame = None
    for _ in range(3):
        held = Held()
        seen = weakref.ref(held)
        frame = call(held)
        del held, frame
        gc.collect()
        assert seen() is None


def test_frames_of_a_traceback():
    call = native(raises)
    for n in range(3):
        with pytest.raises(ValueError) as caught:
            call(n)
        last = list(traceback.walk_tb(caught.value.__traceback__))[-1]
        assert last[0].f_code.co_name == "raises" and last[0].f_locals == {"a": n, "local": [n]}
        assert last[0].f_back.f_code.co_name == "test_frames_of_a_traceback"
        with pytest.raises(ValueError) as plainly:
            raises(n)
        assert last[1] == list(traceback.walk_tb(plainly.value.__traceback__))[-1][1]


def test_what_a_call_holds_is_let_go_of():
    def holds(a):
        b = Held()
        return weakref.ref(b)

    call = native(holds)
    for _ in range(4):
        argument = Held()
        count = sys.getrefcount(argument)
        assert call(argument)() is None
        assert sys.getrefcount(argument) == count


def test_recursion_through_frames():
    compiled = {}

    def down(n):
        return n if n == 0 else compiled["down"](n - 1) + 1

    compiled["down"] = native(down)
    for n in (0, 1, 50, 200):
        assert compiled["down"](n) == n
    with pytest.raises(RecursionError):
        compiled["down"](10**6)
    assert compiled["down"](100) == 100


def test_frames_kept_all_the_way_up():
    call = native(deep)
    frames = []

    def leave():
        frame = sys._getframe(1)
        while frame.f_code.co_name == "deep":
            frames.append(frame)
            frame = frame.f_back
        return []

    for _ in range(3):
        assert call(4, leave) == [1, 2, 3, 4]
    gc.collect()
    assert [frame.f_locals["count"] for frame in frames] == [0, 1, 2, 3, 4] * 3
    assert all(lower.f_back is upper for lower, upper in itertools.pairwise(frames[:5]))


def test_generators_and_coroutines():
    call = native(yields)
    for n in range(3):
        generator = call(n)
        assert next(generator) == n
        assert generator.send("sent") == ("sent", "yields")
    call = native(awaits)
    for n in range(3):
        with pytest.raises(StopIteration) as stopped:
            call(n).send(None)
        assert stopped.value.value == n + 1


def test_the_stack_as_seen_from_inside():
    call = native(looks_up)
    for _ in range(3):
        expected = "test_the_stack_as_seen_from_inside"
        assert call() == (["looks_up", expected], expected)


def test_arguments_given_up_in_the_call():
    call = native(drops)
    for _ in range(3):
        held = Held()
        seen = weakref.ref(held)
        call(held)
        del held
        assert seen() is None


def test_more_room_than_a_chunk_of_the_stack_has():
    names = ", ".join(f"a{n}" for n in range(3000))
    scope = {}
    exec(f"def wide(x):\n {names} = [x] * 3000\n return a0, a2999, inner(x) if inner else None", scope)
    scope["inner"] = None
    call = native(scope["wide"])
    for n in range(4):
        assert call(n) == (n, n, None)
    scope["inner"] = lambda x: native(keeps_its_frame)(x, 1)[1]
    for n in range(4):
        assert call(n) == (n, n, n + 1)


def test_in_many_threads():
    call = native(keeps_its_frame)
    call(1, 2), call(1, 2)
    wrong = []

    def work(number):
        for n in range(2000):
            frame, total = call(number, n)
            if total != number + n or frame.f_locals["a"] != number:
                wrong.append((number, n))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
