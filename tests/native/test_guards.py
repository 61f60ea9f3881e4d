"""Guard programs: every accessor and every check, passing and failing, and never running a line of the user's."""

from __future__ import annotations

import collections
import functools
import gc
import sys
import types
import weakref

import pytest
import torch

from framelift import _core
from tests.native.guarding import guards, holds, node, path, reached


class Explosive:
    """Fails the test when anybody asks it anything."""

    def _explode(self, *args):
        raise AssertionError("a guard ran user code")

    __eq__ = __hash__ = __getattr__ = __getattribute__ = __len__ = __getitem__ = __iter__ = _explode
    __bool__ = __contains__ = __call__ = __missing__ = _explode


class ExplosiveKey:
    """Hashes like whatever it is told to, and must not be compared."""

    armed = False

    def __init__(self, like):
        self.like = like

    def __hash__(self):
        assert not ExplosiveKey.armed, "a guard hashed a user's key"
        return hash(self.like)

    def __eq__(self, other):
        assert not ExplosiveKey.armed, "a guard compared a user's key"
        return self is other


@pytest.fixture
def armed():
    ExplosiveKey.armed = False
    yield lambda: setattr(ExplosiveKey, "armed", True)
    ExplosiveKey.armed = False


class Plain:
    pass


class Slotted:
    __slots__ = ("a", "b")


def plain(**attributes):
    made = Plain()
    made.__dict__.update(attributes)
    return made


# ---- accessors ----


def test_local():
    assert path().check((7,), None) == [7]
    assert guards(node("local", 1, out=0)).check((7, 8), None) == [8]


def test_roots_of_a_function():
    value = 1

    def function():
        return value

    program = guards(
        node("globals", None, out=0),
        node("builtins", None, out=1),
        node("closure", 0, node("cell", None, out=3), out=2),
        node("function", None, out=4),
    )
    found = program.check((), function)
    assert found[0] is globals()
    assert found[1] is function.__builtins__
    assert found[2] is function.__closure__[0]
    assert found[3:] == [1, function]
    assert guards(node("closure", 1)).failure((), function) == (0, -1)
    assert guards(node("closure", 0)).check((), plain) is None


def test_object_is_held_weakly():
    subject = Plain()
    program = guards(node("object", subject, out=0))
    assert program.check((), None) == [subject]
    watch = weakref.ref(subject)
    del subject
    assert watch() is None
    assert program.failure((), None) == (0, -1)


@pytest.mark.parametrize(
    "subject", [gc, len, int, 12345678, "text", (1, 2)], ids=lambda subject: type(subject).__name__
)
def test_object_that_lives_forever_or_cannot_be_weak(subject):
    assert guards(node("object", subject, out=0)).check((), None) == [subject]


@pytest.mark.parametrize("subject", [[1, 2], (1, 2), type("L", (list,), {"__getitem__": Explosive._explode})([1, 2])])
def test_item(subject):
    assert reached(subject, ("item", 1)) == 2
    assert reached(subject, ("item", 2)) is None


def test_item_of_other_things_fails():
    for subject in ({0: 1}, "ab", 5, Explosive()):
        assert path(("item", 0)).failure((subject,), None) == (1, -1)


KEYS = ["a", 1, 2.5, True, None, b"b", (1, "x"), (), int, len, test_item, 2**80, Plain(), "\u1234", 1j]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: type(key).__name__)
@pytest.mark.parametrize("others", [0, 1, 300])
def test_key(key, others):
    mixed = {i + 100: i for i in range(others)} | {key: "found"} | {f"k{i}": i for i in range(others)}
    assert reached(mixed, ("key", key)) == "found"
    del mixed[key]
    assert reached(mixed, ("key", key)) is None
    assert holds(mixed, "lacks_key", key)
    mixed[key] = 1
    assert holds(mixed, "has_key", key)
    assert not holds(mixed, "lacks_key", key)


def test_key_is_found_as_python_finds_it():
    assert reached({True: "x"}, ("key", 1)) == "x"
    assert reached({1.0: "x"}, ("key", 1)) == "x"
    assert reached({(True,): "x"}, ("key", (1.0,))) == "x"


def test_key_of_a_dict_subclass_reads_its_storage():
    class Default(dict):
        __getitem__ = __missing__ = __contains__ = Explosive._explode

    assert reached(Default(a=1), ("key", "a")) == 1
    assert reached(Default(a=1), ("key", "b")) is None
    assert reached(collections.defaultdict(list), ("key", "a")) is None


@pytest.mark.parametrize("key", ["a", 5, (1, 2), Plain])
def test_key_gives_up_where_a_user_would_have_to_compare(armed, key):
    subject = {ExplosiveKey(key): 0, "other": 1}
    lookup = guards(node("local", 0, node("key", key)))
    has, lacks = (guards(node("local", 0, checks=((check, key),))) for check in ("has_key", "lacks_key"))
    armed()
    assert lookup.check((subject,), None) is None
    assert has.check((subject,), None) is None
    assert lacks.check((subject,), None) is None


def test_key_with_a_hash_of_its_own_is_found_by_identity(armed):
    key = ExplosiveKey("a")
    subject = {key: "found", "a": 2}
    lookup = path(("key", key))
    armed()
    assert lookup.check((subject,), None) == ["found"]
    assert lookup.check(({},), None) is None
    with pytest.raises(ValueError, match="lacks_key"):
        guards(node("local", 0, checks=(("lacks_key", key),)))


def test_dead_key():
    key = Plain()
    program = path(("key", key))
    subject = {key: 1}
    assert program.check((subject,), None) == [1]
    del key
    subject.clear()
    assert program.check((subject,), None) is None


def test_large_dicts_are_probed_like_cpython_does():
    subject = {i * 2**20: i for i in range(70_000)}
    for key in (0, 2**20, 69_999 * 2**20, 40_000 * 2**20):
        assert reached(subject, ("key", key)) == key >> 20
    for key in list(subject)[::3]:
        del subject[key]
    assert reached(subject, ("key", 3 * 2**20)) is None
    assert reached(subject, ("key", 4 * 2**20)) == 4
    texts = {f"name{i}": i for i in range(70_000)}
    assert reached(texts, ("key", "name66666")) == 66666
    assert reached(texts, ("key", "name99"[:5])) == 9
    assert reached(texts, ("key", "nothing")) is None


def test_dict_key_at():
    subject = {"a": 1, 5: 2, "c": 3}
    assert [reached(subject, ("dict_key_at", i)) for i in range(4)] == ["a", 5, "c", None]
    del subject["a"]
    assert [reached(subject, ("dict_key_at", i)) for i in range(3)] == [5, "c", None]
    assert reached(plain(x=1, y=2).__dict__, ("dict_key_at", 1)) == "y"


def test_order_of_an_ordered_dict():
    subject = collections.OrderedDict(a=1, b=2, c=3)
    subject.move_to_end("a")
    assert [reached(subject, ("dict_key_at", i)) for i in range(4)] == ["b", "c", "a", None]
    assert holds(subject, "keys", ("b", "c", "a"))
    assert not holds(subject, "keys", ("a", "b", "c"))


def test_attr_without_a_dict_and_with_one():
    subject = Plain()
    subject.x, subject.y = 1, 2
    assert reached(subject, ("attr", "y")) == 2
    assert reached(subject, ("attr", "z")) is None
    assert subject.__dict__ == {"x": 1, "y": 2}
    assert reached(subject, ("attr", "y")) == 2
    del subject.y
    assert reached(subject, ("attr", "y")) is None
    subject.__dict__ = {"y": 5}
    assert reached(subject, ("attr", "y")) == 5
    many = plain(**{f"a{i}": i for i in range(100)})
    assert reached(many, ("attr", "a99")) == 99


def test_attr_is_the_instances_own():
    class Descriptors:
        shared = 1

        @property
        def computed(self):
            raise AssertionError("a guard ran user code")

        __getattr__ = Explosive._explode

    subject = Descriptors()
    for name in ("shared", "computed", "missing", "__dict__", "__class__"):
        assert reached(subject, ("attr", name)) is None
    assert reached(Explosive(), ("attr", "x")) is None
    assert reached(5, ("attr", "real")) is None


def test_attr_of_modules_functions_and_torch_modules():
    assert reached(types, ("attr", "FunctionType")) is types.FunctionType

    def function():
        pass

    assert reached(function, ("attr", "x")) is None
    function.x = 3
    assert reached(function, ("attr", "x")) == 3
    linear = torch.nn.Linear(2, 2)
    assert reached(linear, ("attr", "_parameters"), ("key", "weight")) is linear.weight


def test_dict():
    subject = plain(a=1)
    assert reached(subject, "dict") is subject.__dict__
    bare = Plain()
    bare.x = 3
    assert reached(bare, "dict") == {"x": 3}
    assert bare.x == 3
    assert reached(bare, "dict") is bare.__dict__
    empty = Plain()
    made = reached(empty, "dict")
    assert made == {}
    empty.late = 1
    assert empty.__dict__ == {"late": 1}
    assert reached(5, "dict") is None
    assert reached(int, "dict") is None or isinstance(reached(int, "dict"), dict)


def test_slot():
    subject = Slotted()
    subject.a = 5
    assert reached(subject, ("slot", Slotted.a)) == 5
    assert reached(subject, ("slot", Slotted.b)) is None
    assert reached(Plain(), ("slot", Slotted.a)) is None


def test_slot_of_a_dead_class():
    def make():
        class Short:
            __slots__ = ("a",)

        subject = Short()
        subject.a = 1
        return subject, path(("slot", Short.a))

    subject, program = make()
    assert program.check((subject,), None) == [1]
    del subject
    gc.collect()
    assert program.check((5,), None) is None


def test_types():
    class Meta(type):
        __getattribute__ = Explosive._explode

    class Base:
        x = 1

    class Derived(Base, metaclass=Meta):
        pass

    subject = Derived()
    assert reached(subject, "type") is Derived
    assert reached(subject, "type", ("type_attr", "x")) == 1
    assert reached(subject, "type", ("type_attr", "y")) is None
    assert reached(5, ("type_attr", "x")) is None
    assert reached(Derived, "mro") == (Derived, Base, object)
    assert reached(5, "mro") is None


def test_functions():
    def outer():
        cell = 1

        def inner(a, b=2, *, c=3):
            return cell

        return inner

    subject = outer()
    assert reached(subject, "code") is subject.__code__
    assert reached(subject, "defaults") == (2,)
    assert reached(subject, "kwdefaults") == {"c": 3}
    assert reached(subject, "func_closure", ("item", 0), "cell") == 1
    assert reached(subject, "func_globals") is globals()
    assert reached(subject, "func_dict") is subject.__dict__
    assert path("defaults").check((outer,), None) == [None]
    assert path("kwdefaults").check((outer,), None) == [None]
    assert path("func_closure").check((outer,), None) == [None]
    for accessor in ("code", "defaults", "kwdefaults", "func_closure", "func_globals", "func_dict"):
        assert path(accessor).failure((len,), None) == (1, -1)


def test_cells():
    full, empty = types.CellType(1), types.CellType()
    assert reached(full, "cell") == 1
    assert path("cell").failure((empty,), None) == (1, -1)
    assert reached(5, "cell") is None
    assert holds(full, "cell_empty", False)
    assert not holds(full, "cell_empty", True)
    assert holds(empty, "cell_empty", True)
    assert not holds(5, "cell_empty", True)


def test_bound_methods():
    class Owner:
        def method(self):
            pass

    owner = Owner()
    assert reached(owner.method, "method_self") is owner
    assert reached(owner.method, "method_func") is Owner.method
    assert reached(len, "method_self") is None
    assert reached(len, "method_func") is None


def test_partials():
    subject = functools.partial(len, 1, x=2)
    assert reached(subject, "partial_func") is len
    assert reached(subject, "partial_args") == (1,)
    assert reached(subject, "partial_keywords") == {"x": 2}
    assert reached(len, "partial_func") is None


def test_weakrefs():
    target = Plain()
    subject = weakref.ref(target)
    assert reached(subject, "weakref") is target
    del target
    assert path("weakref").check((subject,), None) == [None]
    assert reached(5, "weakref") is None


def test_deques():
    subject = collections.deque(range(200))
    subject.rotate(70)
    assert [reached(subject, ("deque_item", i)) for i in (0, 63, 64, 199)] == [subject[i] for i in (0, 63, 64, 199)]
    assert reached(subject, ("deque_item", 200)) is None
    assert reached([1], ("deque_item", 0)) is None


def test_wrapped_functions():
    def function():
        pass

    assert reached(property(function), "property_get") is function
    assert path("property_get").check((property(),), None) in (None, [None])
    assert reached(staticmethod(function), "staticmethod_func") is function
    assert reached(classmethod(function), "classmethod_func") is function
    for accessor in ("property_get", "staticmethod_func", "classmethod_func"):
        assert reached(5, accessor) is None


def test_slices_and_ranges():
    assert [path(("slice_part", i)).check((slice(1, 2, None),), None) for i in range(3)] == [[1], [2], [None]]
    assert [reached(range(1, 20, 3), ("range_part", i)) for i in range(3)] == [1, 20, 3]
    assert reached(5, ("slice_part", 0)) is None
    assert reached(5, ("range_part", 0)) is None


def test_modes_of_torch():
    class Mode(torch.overrides.TorchFunctionMode):
        pass

    class Dispatch(torch.utils._python_dispatch.TorchDispatchMode):
        pass

    function, dispatch = guards(node("torch_function_mode", 0, out=0)), guards(node("dispatch_mode", 0, out=0))
    assert function.check((), None) is None
    assert dispatch.check((), None) is None
    with Mode() as mode:
        assert function.check((), None)[0] is mode
    with Dispatch() as mode:
        assert dispatch.check((), None)[0] is mode


# ---- checks ----


def test_type_is():
    assert holds(1, "type_is", int)
    assert not holds(True, "type_is", int)
    assert holds(Explosive(), "type_is", Explosive)


def test_type_is_of_a_dead_type():
    def make():
        class Short:
            pass

        return guards(node("local", 0, checks=(("type_is", Short),)))

    program = make()
    gc.collect()
    assert all(program.check((subject,), None) is None for subject in (1, Plain(), Explosive()))


def test_identity():
    subject = Plain()
    assert holds(subject, "is", subject)
    assert not holds(Plain(), "is", subject)
    assert holds(Plain(), "is_not", subject)
    assert not holds(subject, "is_not", subject)
    assert holds(None, "is", None)
    program = guards(node("local", 0, checks=(("is", subject),)))
    del subject
    assert not any(program.check((Plain(),), None) for _ in range(10))  # not even at the same address


NAN, OTHER_NAN = float("nan"), -float("nan")
CONSTANTS = [
    None, ..., True, False, 0, 1, -1, 2**63, -(2**200), 0.0, -0.0, 1.0, 2.5, NAN, OTHER_NAN, float("inf"), 0j, -0j, 1j,
    "", "a", "abc", "\u00e9", "\U0001f600", b"", b"a", (), (1,), (1.0,), (True,), (1, (2, "x")), frozenset(),
    frozenset({1}), frozenset({1.0}), frozenset({True}), frozenset({(1, "a"), "b"}), torch.float32, torch.float64,
    torch.strided, int, len, torch.device("cpu"), torch.device("cuda", 1), (torch.device("cpu"), torch.float32),
]  # fmt: skip


@pytest.mark.parametrize("left", range(len(CONSTANTS)))
def test_equals_itself_and_no_other(left):
    for right, other in enumerate(CONSTANTS):
        assert holds(other, "equals", CONSTANTS[left]) == (left == right), other


def test_equals_a_copy():
    assert holds(int("1" + "0" * 50), "equals", 10**50)
    assert holds("abcd"[:3], "equals", "abc")
    assert holds((1, "xyz"[:2]), "equals", (1, "xy"))
    assert holds(frozenset([b"1", 2.0]), "equals", frozenset([2.0, b"1"]))
    assert holds(float("1.5"), "equals", 1.5)
    assert holds(torch.device("cuda:1"), "equals", torch.device("cuda", 1))
    assert not holds(Explosive(), "equals", 1)
    assert not holds(1, "equals", Explosive())
    assert not holds((Explosive(),), "equals", (1,))


class Number(int):
    __eq__ = __hash__ = Explosive._explode


def test_equals_never_asks_a_subclass():
    assert not holds(Number(1), "equals", 1)


LENGTHS = [
    [1, 2], (1, 2), {1: 1, 2: 2}, {1, 2}, frozenset({1, 2}), "ab", b"ab", bytearray(b"ab"), collections.deque([1, 2]),
    range(2), torch.Size([3, 4]), collections.OrderedDict(a=1, b=2),
    type("L", (list,), {"__len__": Explosive._explode})("ab"),
]  # fmt: skip


@pytest.mark.parametrize("subject", LENGTHS, ids=lambda subject: type(subject).__name__)
def test_length(subject):
    assert holds(subject, "length", 2)
    assert not holds(subject, "length", 3)


def test_length_of_other_things_fails():
    assert not holds(Explosive(), "length", 0)
    assert not holds(5, "length", 0)
    assert not holds(range(2**70), "length", 0)


def test_keys():
    assert holds({}, "keys", ())
    assert holds({"a": 1, 2: 3, int: 4}, "keys", ("a", 2, int))
    assert not holds({"a": 1, 2: 3}, "keys", (2, "a"))
    assert not holds({"a": 1}, "keys", ("a", "b"))
    assert not holds({True: 1}, "keys", (1,))
    assert not holds([], "keys", ())


def test_keys_compares_no_user_keys(armed):
    key = ExplosiveKey("a")
    subject, program = {key: 1}, guards(node("local", 0, checks=(("keys", (key,)),)))
    other = guards(node("local", 0, checks=(("keys", ("a",)),)))
    armed()
    assert program.check((subject,), None) is not None
    assert other.check((subject,), None) is None


def test_has_and_lacks_attr():
    subject = Plain()
    subject.x = 1
    assert holds(subject, "has_attr", "x")
    assert not holds(subject, "lacks_attr", "x")
    assert not holds(subject, "has_attr", "__class__")
    assert holds(subject, "lacks_attr", "y")
    assert holds(5, "lacks_attr", "y")
    assert not holds(5, "has_attr", "real")
    assert holds(Explosive(), "lacks_attr", "y")


def test_attr_dict_with_keys_of_the_users(armed):
    subject = Plain()
    subject.__dict__[ExplosiveKey("x")] = 1
    checks = [guards(node("local", 0, checks=((check, "x"),))) for check in ("has_attr", "lacks_attr")]
    armed()
    assert [program.check((subject,), None) for program in checks] == [None, None]


def test_lookup():
    class Base:
        def method(self):
            pass

    class Derived(Base):
        pass

    subject, method = Derived(), Base.method
    assert holds(subject, "lookup_is", ("method", method))
    assert not holds(subject, "lookup_is", ("other", method))
    assert holds(subject, "lookup_absent", "other")
    assert not holds(subject, "lookup_absent", "method")
    assert holds(Derived, "type_lookup_is", ("method", method))
    assert holds(Derived, "type_lookup_absent", "other")
    assert not holds(Derived, "type_lookup_absent", "method")
    assert not holds(subject, "type_lookup_is", ("method", method))
    assert not holds(subject, "type_lookup_absent", "other")
    program = guards(node("local", 0, checks=(("lookup_is", ("method", method)), ("lookup_absent", "other"))))
    assert program.check((subject,), None) is not None
    Derived.method = lambda self: None
    assert program.failure((subject,), None) == (0, 0)
    del Derived.method
    Base.other = 1
    assert program.failure((subject,), None) == (0, 1)


def test_set_is():
    assert holds({1, "a"}, "set_is", frozenset({"a", 1}))
    assert holds(frozenset({1, "a"}), "set_is", frozenset({"a", 1}))
    assert holds(set(range(500)), "set_is", frozenset(range(500)))
    assert holds(set(), "set_is", frozenset())
    assert not holds({1, "b"}, "set_is", frozenset({"a", 1}))
    assert not holds({True}, "set_is", frozenset({1}))
    assert not holds({1}, "set_is", frozenset({1, 2}))
    assert not holds([1], "set_is", frozenset({1}))
    assert not holds(type("S", (set,), {})([1]), "set_is", frozenset({1}))


def test_set_is_compares_no_user_elements(armed):
    subject, program = {ExplosiveKey(1)}, guards(node("local", 0, checks=(("set_is", frozenset({1})),)))
    armed()
    assert program.check((subject,), None) is None


def test_same_as():
    program = guards(
        node("local", 0, out=0),
        node("local", 1, checks=(("same_as", 0),)),
        node("local", 2, checks=(("not_same_as", 0),)),
    )
    one, other = Plain(), Plain()
    assert program.check((one, one, other), None) is not None
    assert program.failure((one, other, other), None) == (1, 0)
    assert program.failure((one, one, one), None) == (2, 0)


# ---- the program ----


def test_failure_numbers_nodes_in_preorder():
    program = guards(
        node("local", 0, node("item", 0, checks=(("equals", 1),)), node("item", 1, node("attr", "x"))),
        node("local", 1, checks=(("type_is", int), ("equals", 5))),
        state=_core.global_state(),
    )
    assert program.size == 3
    assert program.failure(([1, plain(x=1)], 5), None) is None
    assert program.failure(([2, plain(x=1)], 5), None) == (1, 0)
    assert program.failure(([1], 5), None) == (2, -1)
    assert program.failure(([1, plain()], 5), None) == (3, -1)
    assert program.failure(([1, plain(x=1)], 6), None) == (4, 1)
    assert program.failure(([1, plain(x=1)], "6"), None) == (4, 0)
    with torch.no_grad():
        assert program.failure(([1, plain(x=1)], 5), None) == (-1, -1)
        assert program.check(([1, plain(x=1)], 5), None) is None


def test_gathered_may_have_gaps_from_python():
    assert guards(node("local", 0, out=2)).check((5,), None) == [None, None, 5]


@pytest.mark.parametrize(
    ("specification", "message"),
    [
        (5, "guards are a tuple"),
        ((None,), "guards are a tuple"),
        ((5, ()), "the state is None or a State"),
        ((None, []), "nodes are a tuple"),
        ((None, (5,)), "a node is a tuple"),
        ((None, (("nowhere", 0, (), (), -1),)), "unknown accessor 'nowhere'"),
        ((None, (("item", 0, (), (), -1),)), "needs a parent"),
        ((None, (("local", 0, (), (("local", 0, (), (), -1),), -1),)), "can only be a root"),
        ((None, (("local", -1, (), (), -1),)), "takes an index from 0, got -1"),
        ((None, (("local", "x", (), (), -1),)), "takes an index from 0, got 'x'"),
        ((None, (("globals", 0, (), (), -1),)), "takes None, got 0"),
        ((None, (("local", 0, 5, (), -1),)), "checks are a tuple"),
        ((None, (("local", 0, (5,), (), -1),)), "a check is a pair"),
        ((None, (("local", 0, (("is", 5, 6),), (), -1),)), "a check is a pair"),
        ((None, (("local", 0, (("unheard", 5),), (), -1),)), "unknown check 'unheard'"),
        ((None, (("local", 0, (("type_is", 5),), (), -1),)), "takes a type, got 5"),
        ((None, (("local", 0, (("length", -5),), (), -1),)), "takes a number from 0, got -5"),
        ((None, (("local", 0, (("keys", [1]),), (), -1),)), "takes a tuple of keys"),
        ((None, (("local", 0, (("has_attr", 1),), (), -1),)), "takes a str, got 1"),
        ((None, (("local", 0, (("lookup_is", 1),), (), -1),)), "takes a pair of a str and an object"),
        ((None, (("local", 0, (("set_is", {1}),), (), -1),)), "takes a frozenset of constants"),
        ((None, (("local", 0, (("cell_empty", 1),), (), -1),)), "takes a bool"),
        ((None, (("local", 0, (("tensor", 1),), (), -1),)), "takes a TensorMeta"),
        ((None, (("local", 0, (("same_as", 0),), (), 0),)), "name the out of an earlier node"),
        ((None, (("local", 0, (), (), 0), ("local", 1, (), (), 0))), "two nodes have the same out"),
        ((None, (("local", 0, (), (), "x"),)), "a node's out is an int"),
        ((None, (("local", 0, (), (("slot", 5, (), (), -1),), -1),)), "takes a member descriptor"),
        ((None, (("local", 0, (), (("slice_part", 3, (), (), -1),), -1),)), "takes 0 (start), 1 (stop) or 2 (step)"),
    ],
)
def test_bad_specifications_are_refused_in_words(specification, message):
    with pytest.raises(ValueError) as caught:
        _core.build_guards(specification)
    assert message in str(caught.value)


def test_names():
    assert {"type_is", "is", "equals", "tensor", "lookup_is"} < _core.check_names()
    assert {"local", "item", "key", "attr", "mro"} < _core.accessor_names()


def test_check_wants_enough_arguments_and_a_function():
    with pytest.raises(ValueError, match="read 2 argument slots, got 1"):
        guards(node("local", 1)).check((1,), None)
    with pytest.raises(TypeError, match="start from a function"):
        guards(node("globals", None)).check((), None)


def test_references_stay_steady():
    class Thing:
        __slots__ = ("s", "__dict__", "__weakref__")

    thing = Thing()
    thing.s, thing.a, thing.d = [object()], {"k": (1, object())}, collections.deque([object()])
    tensor = torch.ones(2, 3)
    program = guards(
        node(
            "local", 0,
            node("slot", Thing.s, node("item", 0, out=0), checks=(("type_is", list), ("length", 1)), out=1),
            node("attr", "a", node("key", "k", node("item", 1, out=2), checks=(("length", 2),))),
            node("attr", "d", node("deque_item", 0, out=3)),
            node("dict", None, checks=(("has_key", "a"), ("lacks_key", "b"), ("keys", ("a", "d")))),
            checks=(("type_is", Thing), ("lookup_absent", "x"), ("lookup_is", ("s", Thing.s))),
        ),
        node("local", 1, checks=(("tensor", _core.tensor_meta(tensor)),), out=4),
        node("object", thing, out=5),
        state=_core.global_state(),
    )  # fmt: skip
    watched = [thing, thing.s, thing.s[0], thing.a["k"][1], thing.d[0], tensor, Thing, "a", program]
    args, wrong = (thing, tensor), (thing, 5)
    before = [sys.getrefcount(subject) for subject in watched]
    blocks = sys.getallocatedblocks()
    for _ in range(100_000):
        program.check(args, None)
        program.check(wrong, None)
    assert [sys.getrefcount(subject) for subject in watched] == before
    assert abs(sys.getallocatedblocks() - blocks) < 100


def test_guards_are_collected_with_what_they_refer_to():
    class Holder:
        pass

    holder = Holder()
    holder.guards = guards(node("object", holder), node("local", 0, checks=(("type_is", Holder),)))
    watch = weakref.ref(holder)
    del holder
    gc.collect()
    assert watch() is None
