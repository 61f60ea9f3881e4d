"""When the hook is installed, and what scopes and the actions of code objects make of a frame."""

from __future__ import annotations

import threading

import pytest

from framelift import _core
from tests.native.replacing import Replacing
from tests.processes import output_of


def fresh(source="def f(): return g()\ndef g(): return 1"):
    """Functions whose code objects nothing is known of yet."""
    namespace = {}
    exec(source, namespace)
    return namespace["f"], namespace["g"]


def test_hook_is_installed_only_within_a_scope():
    replacing = Replacing()
    f, g = fresh()
    assert not _core.hook_installed()
    with replacing.scope():
        assert _core.hook_installed()
        with replacing.scope():
            assert _core.hook_installed()
        assert _core.hook_installed()
        f()
    assert not _core.hook_installed()
    replaced = replacing.names()
    f()
    assert replacing.names() == replaced == ["f", "g"]
    assert [entry.hits for entry in _core.entries(g.__code__)] == [0]


def test_hook_is_removed_when_the_scope_is_left_by_an_exception():
    with pytest.raises(ZeroDivisionError):
        with Replacing().scope():
            1 / 0
    assert not _core.hook_installed()


def test_inner_scope_decides_and_outer_comes_back():
    outer, inner = Replacing(), Replacing()
    f, g = fresh()
    with outer.scope():
        with inner.scope():
            f()
        with _core.Scope("skip"):
            f()
        assert outer.names() == []
        f()
    assert inner.names() == outer.names() == ["f", "g"]


def test_scope_that_says_default_leaves_it_to_every_thread():
    replacing, everywhere = Replacing(), Replacing()
    f, g = fresh()
    _core.hook_every_thread("compile", everywhere, everywhere)
    try:
        with replacing.scope():
            with _core.Scope("default"):
                f()
    finally:
        _core.hook_every_thread("default")
    assert replacing.names() == []
    assert everywhere.names()[:2] == ["f", "g"]


def test_lookup_uses_entries_and_makes_none():
    replacing = Replacing()
    f, g = fresh()
    _core.add_entry(g.__code__, (lambda: "looked up").__code__, replacing)
    with replacing.scope("lookup"):
        assert f() == "looked up"
    assert replacing.names() == []


def test_skip_uses_nothing():
    replacing = Replacing()
    f, g = fresh()
    _core.add_entry(g.__code__, (lambda: "looked up").__code__, replacing)
    with replacing.scope("skip"):
        assert f() == 1
    assert replacing.names() == []


ACTIONS = ["default", "compile", "lookup", "skip"]


def effect(action):
    """(whether an entry is used, whether one is made)"""
    return action in ("compile", "lookup"), action == "compile"


def stricter(*actions):
    return max(actions, key=ACTIONS.index)


@pytest.mark.parametrize("here", ACTIONS)
@pytest.mark.parametrize("scope", ACTIONS[1:])
def test_of_scope_and_code_the_stricter_action_holds(scope, here):
    used, made = effect(stricter(scope, here))
    backend = Replacing()
    f, g = fresh()
    _core.set_actions(g.__code__, here=here)
    with backend.scope(scope):
        g()
    assert backend.names() == (["g"] if made else [])
    f, g = fresh()
    _core.set_actions(g.__code__, here=here)
    _core.add_entry(g.__code__, (lambda: "entry").__code__, backend)
    with backend.scope(scope):
        assert g() == ("entry" if used else 1)


@pytest.mark.parametrize("below", ACTIONS)
@pytest.mark.parametrize("scope", ACTIONS[1:])
def test_action_below_holds_for_called_frames_and_not_for_the_frame_itself(scope, below):
    """A frame that is skipped by its scope is not looked at, so that what it says of those below it has no effect."""
    backend = Replacing()
    f, g = fresh("def f(): return g()\ndef g(): return h()\ndef h(): return 1")
    _core.set_actions(f.__code__, below=below)
    assert _core.actions(f.__code__) == ("default", below)
    with backend.scope(scope):
        f()
    made_here, made_below = effect(scope)[1], effect(stricter(scope, below))[1]
    assert backend.names() == (["f"] if made_here else []) + (["g", "h"] if made_below else [])


def test_action_below_ends_with_the_frame():
    backend = Replacing()
    f, g = fresh()
    _core.set_actions(f.__code__, below="skip")
    with backend.scope():
        f()
        assert backend.names() == ["f"]
        g()
    assert backend.names() == ["f", "g"]


def test_action_below_ends_with_an_exception():
    backend = Replacing()
    f, g = fresh("def f(): g(); raise KeyError\ndef g(): pass")
    _core.set_actions(f.__code__, below="skip")
    with backend.scope():
        try:
            f()
        except KeyError:
            pass
        g()
    assert backend.names() == ["f", "g"]


def test_action_below_cannot_be_loosened_further_below():
    backend = Replacing()
    f, g = fresh("def f(): return g()\ndef g(): return h()\ndef h(): return 1")
    _core.set_actions(f.__code__, below="lookup")
    _core.set_actions(g.__code__, here="compile", below="compile")
    with backend.scope():
        f()
    assert backend.names() == ["f"]


def test_skipped_frame_still_says_what_holds_below():
    backend = Replacing()
    f, g = fresh("def f(): return g()\ndef g(): return h()\ndef h(): return 1")
    _core.set_actions(f.__code__, here="skip")
    with backend.scope():
        f()
    assert backend.names() == ["g", "h"]


def test_scope_inside_a_skipped_region_decides_again():
    backend, inner = Replacing(), Replacing()
    namespace = {"inner": inner}
    exec("def f():\n    with inner.scope(): return g()\ndef g(): return 1", namespace)
    _core.set_actions(namespace["f"].__code__, below="skip")
    with backend.scope():
        namespace["f"]()
    assert backend.names() == ["f"]
    assert inner.names() == ["g"]


def test_scopes_left_in_another_order():
    """As generators do that hold a scope each: what is left decides, and nothing is used after its scope ended."""
    first, second = Replacing(), Replacing()

    def holding(replacing):
        with replacing.scope():
            yield

    f, g = fresh()
    a, b = holding(first), holding(second)
    next(a), next(b)
    a.close()
    g()
    assert (first.names(), second.names()) == ([], ["g"])
    b.close()
    assert not _core.hook_installed()
    third = Replacing()
    with threading_hook(third):
        del a, b, first, second
        f()
    assert third.names()[:1] == ["f"]


class threading_hook:
    """hook_every_thread as a context."""

    def __init__(self, replacing):
        self.replacing = replacing

    def __enter__(self):
        _core.hook_every_thread("compile", self.replacing, self.replacing)

    def __exit__(self, *exc):
        _core.hook_every_thread("default")


def test_scope_ended_in_a_frame_it_began_before():
    """`below` of the frame came from the scope that ends in it; after the frame that scope must be gone too."""
    replacing = Replacing()
    scope = replacing.scope()
    namespace = {"scope": scope}
    exec("def f():\n    scope.__exit__(None, None, None)\n    return g()\ndef g(): return 1", namespace)
    f, g = namespace["f"], namespace["g"]
    _core.set_actions(f.__code__, below="compile")
    scope.__enter__()
    assert f() == 1
    assert not _core.hook_installed()
    other = Replacing()
    names = replacing.names()
    with threading_hook(other):
        g()
    assert replacing.names() == names
    assert "g" in other.names()


def test_every_thread_ended_in_a_frame_with_an_action_below():
    """The call-back is freed while frames below still hold the action that came with it."""
    made = []

    def program():
        def callback(code, function, backend, args):
            made.append(code.co_name)
            return _core.add_entry(code, code.replace(), backend)

        _core.hook_every_thread("compile", callback)

    namespace = {"off": lambda: _core.hook_every_thread("default")}
    exec("def f():\n    off()\n    return [g() for _ in range(3)]\ndef g(): return object()", namespace)
    _core.set_actions(namespace["f"].__code__, below="compile")
    program()
    assert len(namespace["f"]()) == 3
    assert not _core.hook_installed()
    assert "f" in made


def test_scope_cannot_be_entered_twice_or_left_without():
    scope = Replacing().scope()
    with pytest.raises(RuntimeError, match="ends on the thread that entered it"):
        scope.__exit__(None, None, None)
    with scope:
        with pytest.raises(RuntimeError, match="entered already"):
            scope.__enter__()
    with scope:  # again, but not at the same time
        assert _core.hook_installed()


def test_scope_of_another_thread_cannot_be_left():
    scope = Replacing().scope()
    errors = []

    def leave():
        try:
            scope.__exit__(None, None, None)
        except RuntimeError as error:
            errors.append(str(error))

    with scope:
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
    assert errors == ["a Scope ends on the thread that entered it, and once"]


def test_scope_that_is_never_left_does_no_harm_when_its_thread_ends():
    """In a process of its own: nobody can leave that scope any more, and the hook stays installed."""
    source = """
        import gc, threading
        from framelift import _core
        from tests.native.replacing import Replacing

        replacing = Replacing()
        threads = [threading.Thread(target=lambda: replacing.scope().__enter__()) for _ in range(20)]
        for thread in threads:
            thread.start()
            thread.join()
        gc.collect()
        before = len(replacing.replaced)
        def f(): return sum(i for i in range(4))
        assert f() == 6
        for again in [threading.Thread(target=f) for _ in range(20)]:
            again.start()
            again.join()
        assert len(replacing.replaced) == before
        with replacing.scope():
            assert f() == 6
        print(_core.hook_installed(), len(replacing.replaced) - before)
    """
    assert output_of(source) == "True 2\n"


def test_scope_is_for_its_thread_only():
    replacing = Replacing()
    f, g = fresh()
    with replacing.scope():
        thread = threading.Thread(target=f)
        thread.start()
        thread.join()
    assert not {"f", "g"} & set(replacing.names())


def test_every_thread_is_for_threads_old_and_new():
    replacing = Replacing()
    f, g = fresh()
    start, done = threading.Event(), threading.Event()

    def old():
        start.wait()
        f()
        done.set()

    thread = threading.Thread(target=old)
    thread.start()
    with threading_hook(replacing):
        start.set()
        done.wait()
        new = threading.Thread(target=g)
        new.start()
        new.join()
    thread.join()
    assert {"f", "g"} <= set(replacing.names())
    assert not _core.hook_installed()


def test_every_thread_can_be_set_again_and_ended_twice():
    first, second = Replacing(), Replacing()
    f, g = fresh()
    _core.hook_every_thread("compile", first, first)
    _core.hook_every_thread("compile", second, second)
    g()
    _core.hook_every_thread("default")
    assert not _core.hook_installed()
    _core.hook_every_thread("default")
    assert not _core.hook_installed()
    assert first.names() == []
    assert second.names()[0] == "g"


def test_another_frame_hook_on_top_of_ours():
    """PyTorch's own hook installs itself over ours, ours goes and comes while it is there, and both end."""
    source = """
        import torch
        from torch._C._dynamo import eval_frame
        from framelift import _core
        from tests.native.replacing import Replacing

        def f(): return g() + 1
        def g(): return 1
        seen = []
        def run():
            replacing = Replacing()
            with replacing.scope():
                assert f() == 2
            seen.append(len(replacing.replaced))

        run()
        with Replacing().scope():
            eval_frame.set_eval_frame(False)
        run(); run()
        eval_frame.set_eval_frame(None)
        run(); run()
        assert f() == 2
        print(_core.hook_installed(), seen)
    """
    assert output_of(source) == "False [2, 2, 2, 2, 2]\n"


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: _core.Scope(), TypeError, "missing required argument 'action'"),
        (lambda: _core.Scope(3), TypeError, "must be str"),
        (lambda: _core.Scope("no"), ValueError, "expected 'default', 'compile', 'lookup' or 'skip', got 'no'"),
        (lambda: _core.Scope("compile"), TypeError, "needs a callable"),
        (lambda: _core.Scope("compile", 3), TypeError, "needs a callable"),
        (lambda: _core.hook_every_thread("compile"), TypeError, "needs a callable"),
        (lambda: _core.hook_every_thread("off"), ValueError, "got 'off'"),
        (lambda: _core.set_actions(3), TypeError, "code"),
        (lambda: _core.set_actions(fresh()[0].__code__, here="x"), ValueError, "got 'x'"),
        (lambda: _core.set_actions(fresh()[0].__code__, "skip", "x"), ValueError, "got 'x'"),
        (lambda: _core.actions(fresh()[0]), TypeError, "actions.. takes a code object"),
    ],
)
def test_bad_arguments_change_nothing(make, kind, message):
    with pytest.raises(kind, match=message):
        make()
    assert not _core.hook_installed()


def test_actions_are_set_one_by_one_and_reset():
    f, _ = fresh()
    code = f.__code__
    assert _core.actions(code) == ("default", "default")
    _core.set_actions(code, here="lookup")
    _core.set_actions(code, below="skip")
    assert _core.actions(code) == ("lookup", "skip")
    with pytest.raises(ValueError):
        _core.set_actions(code, here="skip", below="wrong")
    assert _core.actions(code) == ("lookup", "skip")
    _core.set_actions(code, None, "default")
    assert _core.actions(code) == ("lookup", "default")
    _core.reset(code)
    assert _core.actions(code) == ("default", "default")
