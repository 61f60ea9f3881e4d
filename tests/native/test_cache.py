"""The entries of a code object: their order, who may use them, and what ends them."""

from __future__ import annotations

import gc
import sys
import types
import weakref

import pytest

from framelift import _core
from tests.native.replacing import Replacing, deeper, hits


def fresh(body="return 1", name="f"):
    namespace = {}
    exec(f"def {name}():\n    {body}", namespace)
    return namespace[name]


def answering(value):
    """Code that returns `value`."""
    return fresh(f"return {value!r}").__code__


class Thing:
    """Something that can be referenced weakly."""


def test_new_entries_come_first_and_are_used_first():
    f = fresh()
    first = _core.add_entry(f.__code__, answering("first"))
    second = _core.add_entry(f.__code__, answering("second"))
    assert _core.entries(f.__code__) == [second, first]
    with _core.Scope("lookup"):
        assert f() == "second"
    second.invalidate()
    with _core.Scope("lookup"):
        assert f() == "first"


def test_used_entries_move_to_the_front():
    f = fresh()
    backends = [object() for _ in range(4)]
    made = [_core.add_entry(f.__code__, answering(i), backend) for i, backend in enumerate(backends)]
    for i in (1, 3, 0, 2, 2, 1):
        with _core.Scope("lookup", None, backends[i]):
            assert f() == i
    assert _core.entries(f.__code__) == [made[i] for i in (1, 2, 0, 3)]
    assert [entry.hits for entry in made] == [1, 2, 2, 1]


def test_backends_match_by_identity():
    class Equal:
        def __eq__(self, other):
            return True

        def __hash__(self):
            return 0

    f = fresh()
    one, other = Equal(), Equal()
    _core.add_entry(f.__code__, answering("one"), one)
    with _core.Scope("lookup", None, other):
        assert f() == 1
    with _core.Scope("lookup", None, one):
        assert f() == "one"
    with _core.Scope("lookup"):
        assert f() == 1
    assert hits(f.__code__) == 1


def test_attributes_of_an_entry():
    f = fresh()
    backend, payload, code = object(), {"notes": 1}, answering(2)
    entry = _core.add_entry(f.__code__, code, backend=backend, payload=payload)
    assert (entry.code, entry.backend, entry.payload) == (code, backend, payload)
    assert entry.payload is payload
    assert (entry.hits, entry.valid, entry.origin) == (0, True, "compiled")
    assert repr(entry) == "<framelift entry for f, valid, 0 hits>"
    loaded = _core.add_entry(f.__code__, answering(3), loaded=True)
    assert (loaded.origin, loaded.backend, loaded.payload) == ("loaded", None, None)
    with pytest.raises(AttributeError):
        entry.hits = 3
    with pytest.raises(TypeError, match="cannot create"):
        _core.Entry()


def test_loaded_and_compiled_entries_stand_beside_each_other():
    f = fresh()
    loaded = _core.add_entry(f.__code__, answering("loaded"), loaded=True)
    with _core.Scope("compile", lambda *args: pytest.fail("there is an entry")):
        assert f() == "loaded"
    compiled = _core.add_entry(f.__code__, answering("compiled"))
    assert [entry.origin for entry in _core.entries(f.__code__)] == ["compiled", "loaded"]
    compiled.invalidate()
    assert _core.entries(f.__code__) == [loaded]


def test_scratch_survives_entries_and_ends_with_reset():
    f = fresh()
    scratch = _core.scratch(f.__code__)
    assert scratch == {}
    scratch["dimension"] = 3
    entry = _core.add_entry(f.__code__, answering(1))
    entry.invalidate()
    _core.add_entry(f.__code__, answering(2))
    with Replacing().scope():
        f()
    assert _core.scratch(f.__code__) is scratch
    _core.reset(f.__code__)
    assert _core.scratch(f.__code__) == {}
    assert scratch == {"dimension": 3}


def test_reset_drops_entries_and_actions():
    f = fresh()
    made = [_core.add_entry(f.__code__, answering(i), object()) for i in range(3)]
    _core.set_actions(f.__code__, here="lookup", below="skip")
    _core.reset(f.__code__)
    assert _core.entries(f.__code__) == []
    assert _core.actions(f.__code__) == ("default", "default")
    assert [entry.valid for entry in made] == [False] * 3
    _core.reset(f.__code__)
    _core.reset(fresh().__code__)
    replacing = Replacing()
    with replacing.scope():
        f()
    assert replacing.names() == ["f"]


def test_reset_that_is_reentered_by_what_it_frees():
    f = fresh()
    log = []

    class Payload:
        def __del__(self):
            log.append(len(_core.entries(f.__code__)))
            _core.reset(f.__code__)
            _core.add_entry(f.__code__, answering("from a finalizer"))

    for _ in range(3):
        _core.add_entry(f.__code__, answering(1), payload=Payload())
    _core.reset(f.__code__)
    assert len(log) == 3
    assert all(entry.valid for entry in _core.entries(f.__code__))


def test_entry_ends_with_what_it_depends_on():
    f = fresh()
    thing = Thing()
    entry = _core.add_entry(f.__code__, answering("depends"))
    entry.depends_on(thing)
    with _core.Scope("lookup"):
        assert f() == "depends"
        del thing
        assert f() == 1
    assert not entry.valid
    assert _core.entries(f.__code__) == []
    assert repr(entry) == "<framelift entry for f, invalid, 1 hits>"


def test_entry_ends_with_what_dies_in_a_cycle():
    f = fresh()
    things = [Thing(), Thing()]
    things[0].other, things[1].other = things[1], things[0]
    entry = _core.add_entry(f.__code__, answering("depends"))
    for thing in things:
        entry.depends_on(thing)
    del things, thing
    assert entry.valid
    gc.collect()
    assert not entry.valid


@pytest.mark.parametrize("hold", [True, False])
def test_several_dependencies_die_at_once(hold):
    """CPython calls the second callback although the first has freed the entry."""
    f = fresh()
    for together in (1, 2, 5):
        thing, others = Thing(), [Thing() for _ in range(together)]
        for other in others:
            other.ring = others
        kept = []
        for _ in range(3):
            entry = _core.add_entry(f.__code__, answering("depends"))
            for other in others:
                entry.depends_on(other)
            entry.depends_on(thing)
            entry.depends_on(thing)
            if hold:
                kept.append(entry)
        del entry, other, others
        gc.collect()
        del thing
        assert _core.entries(f.__code__) == []
        assert not any(entry.valid for entry in kept)


def test_dependency_outlives_the_entry():
    f = fresh()
    thing = Thing()
    _core.add_entry(f.__code__, answering(1)).depends_on(thing)
    assert weakref.getweakrefcount(thing) == 1
    _core.reset(f.__code__)
    assert weakref.getweakrefcount(thing) == 0
    del thing


def test_what_cannot_be_referenced_weakly_is_refused():
    entry = _core.add_entry(fresh().__code__, answering(1))
    with pytest.raises(TypeError, match="weak reference to 'int' object"):
        entry.depends_on(3)
    assert entry.valid


def test_entry_can_depend_on_its_own_function_and_payload():
    f = fresh()
    payload = Thing()
    entry = _core.add_entry(f.__code__, answering(1), payload=payload)
    entry.depends_on(payload)
    entry.depends_on(f)
    gone = weakref.ref(f)
    del f, payload
    gc.collect()
    assert gone() is None
    assert not entry.valid


def test_invalidate_twice_and_after_reset():
    f = fresh()
    entry = _core.add_entry(f.__code__, answering(1))
    other = _core.add_entry(f.__code__, answering(2))
    entry.invalidate()
    entry.invalidate()
    assert _core.entries(f.__code__) == [other]
    _core.reset(f.__code__)
    other.invalidate()
    assert not entry.valid and not other.valid
    with _core.Scope("lookup"):
        assert f() == 1


@pytest.mark.parametrize("resize", [deeper(0), deeper(4000)])
def test_entry_invalidated_while_its_code_runs(resize):
    namespace = {}
    exec(
        "def f(n):\n    before = n\n    end()\n    inner = f(n - 1) if n else 0\n    return before + inner + len([n])",
        namespace,
    )
    f = namespace["f"]

    def end():
        _core.reset(f.__code__)
        gc.collect()

    namespace["end"] = end
    expected = f(3)
    replacing = Replacing(resize)
    with replacing.scope():
        assert f(3) == expected
    assert replacing.names().count("f") == 4


def test_code_freed_while_its_entry_runs():
    log = []

    class Payload:
        def __del__(self):
            log.append("freed")

    def callback(code, function, backend, args):
        return _core.add_entry(code, code.replace(), backend, Payload())

    for generator in (False, True):
        log.clear()
        body = "holder.pop(); collect(); log.append('ran'); " + ("yield 3" if generator else "return 3")
        namespace = {"holder": [], "collect": gc.collect, "log": log}
        exec(f"def f():\n    {body}", namespace)
        namespace["holder"].append(namespace.pop("f"))
        with _core.Scope("compile", callback):
            result = namespace["holder"][0]()
            assert (list(result) if generator else result) in (3, [3])
        gc.collect()
        assert sorted(log) == ["freed", "ran"]


def test_code_freed_by_the_callback_that_is_asked_about_it():
    namespace = {}
    holder = []

    def callback(code, function, backend, args):
        entry = _core.add_entry(code, code.replace(), backend)
        holder.clear()
        function.__code__ = (lambda: "other").__code__
        del code
        gc.collect()
        return entry

    holder.append(fresh("return [x for x in (1, 2)]"))
    with _core.Scope("compile", callback):
        assert holder[0]() == [1, 2]


def test_entry_outlives_its_code():
    f = fresh()
    entry = _core.add_entry(f.__code__, answering(1))
    assert entry.valid
    del f
    gc.collect()
    assert not entry.valid
    entry.invalidate()
    entry.depends_on(entry.code.__class__)
    assert entry.code.co_name == "f"


def with_parameters(text, prefix="def"):
    namespace = {}
    exec(f"{prefix} f({text}): return 1", namespace)
    return namespace["f"].__code__


def closure(count):
    names = [f"v{i}" for i in range(count)]
    namespace = {}
    exec(
        f"def make():\n    {'; '.join(n + ' = 0' for n in names) or 'pass'}\n"
        f"    def f(): return [{', '.join(names)}]\n    return f",
        namespace,
    )
    return namespace["make"]().__code__


@pytest.mark.parametrize(
    ("original", "replacement"),
    [
        (with_parameters("a"), with_parameters("")),
        (with_parameters("a"), with_parameters("a, b")),
        (with_parameters("a"), with_parameters("*a")),
        (with_parameters("a"), with_parameters("**a")),
        (with_parameters("a"), with_parameters("*, a")),
        (with_parameters("a"), with_parameters("a, /")),
        (with_parameters("a"), with_parameters("a", "async def")),
        (closure(1), closure(0)),
        (closure(1), closure(2)),
        ((lambda: 1).__code__, (lambda: (yield)).__code__),
        ((lambda: 1).__code__, compile("1", "", "exec")),
        (compile("1", "", "exec"), (lambda: 1).__code__),
    ],
)
def test_incompatible_replacement_is_refused(original, replacement):
    before = len(_core.entries(original))
    with pytest.raises(ValueError, match="must take the same parameters, have the same free variables"):
        _core.add_entry(original, replacement)
    assert len(_core.entries(original)) == before
    assert _core.actions(replacement) == ("default", "default")


def test_code_cannot_replace_itself():
    f = fresh()
    with pytest.raises(ValueError, match="f cannot replace itself"):
        _core.add_entry(f.__code__, f.__code__)
    assert _core.actions(f.__code__) == ("default", "default")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: _core.add_entry(), "missing required argument 'code'"),
        (lambda: _core.add_entry(fresh(), fresh().__code__), "must be code, not function"),
        (lambda: _core.add_entry(fresh().__code__, fresh()), "must be code, not function"),
        (lambda: _core.add_entry(fresh().__code__, fresh().__code__, wrong=1), "wrong"),
        (lambda: _core.entries(fresh()), "takes a code object, got <function f"),
        (lambda: _core.scratch("x"), "takes a code object, got 'x'"),
        (lambda: _core.reset(None), "takes a code object, got None"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_replacement_is_never_replaced_again():
    f = fresh()
    replacing = Replacing()
    code = answering("replacement")
    entry = _core.add_entry(f.__code__, code, replacing)
    with replacing.scope():
        assert f() == "replacement"
        assert types.FunctionType(code, {})() == "replacement"
    assert replacing.names() == []
    assert (entry.hits, _core.actions(code)) == (1, ("skip", "default"))


def test_action_below_goes_over_to_replacements():
    f = fresh("return (lambda: 2)()")
    _core.set_actions(f.__code__, below="skip")
    early = _core.add_entry(f.__code__, f.__code__.replace())
    assert _core.actions(early.code) == ("skip", "skip")
    _core.set_actions(f.__code__, below="lookup")
    assert _core.actions(early.code) == ("skip", "lookup")
    _core.reset(f.__code__)
    assert _core.actions(f.__code__) == ("default", "default")


def test_nothing_is_kept_that_nobody_needs():
    backend, payload, thing = Thing(), Thing(), Thing()
    objects = [backend, payload, thing]
    f = fresh()
    code = answering(1)
    counts = [sys.getrefcount(x) for x in (*objects, code, f.__code__)]
    for _ in range(10):
        entry = _core.add_entry(f.__code__, code, backend, payload)
        entry.depends_on(thing)
        with _core.Scope("lookup", None, backend):
            f()
    del entry
    _core.reset(f.__code__)
    assert [sys.getrefcount(x) for x in (*objects, code, f.__code__)] == counts


def test_scope_frees_callback_and_backend():
    class Callback:
        def __call__(self, code, function, backend, args):
            return None

    callback, backend = Callback(), Thing()
    counts = sys.getrefcount(callback), sys.getrefcount(backend)
    scope = _core.Scope("compile", callback, backend)
    for _ in range(10):
        with scope:
            fresh()()
    del scope
    _core.hook_every_thread("compile", callback, backend)
    fresh()()
    _core.hook_every_thread("default")
    assert (sys.getrefcount(callback), sys.getrefcount(backend)) == counts


def test_code_object_dies_with_its_entries():
    class Payload(Thing):
        pass

    alive = []
    replacing = Replacing()
    for _ in range(20):
        f = fresh("return [i for i in range(3)]")
        payload = Payload()
        alive.append(weakref.ref(payload))
        _core.add_entry(f.__code__, f.__code__.replace(), payload=payload)
        _core.scratch(f.__code__)["x"] = payload
        with replacing.scope():
            f()
    replacing.replaced.clear()
    del f, payload
    gc.collect()
    assert [reference() for reference in alive] == [None] * 20


def test_entry_in_a_cycle_of_its_own_is_collected():
    f = fresh()
    payload = Thing()
    entry = _core.add_entry(f.__code__, answering(1), payload=payload)
    payload.entry = entry
    gone = weakref.ref(payload)
    entry.invalidate()
    del entry, payload
    gc.collect()
    assert gone() is None
