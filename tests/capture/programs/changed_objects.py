"""Objects, functions and modules that are changed between calls."""

import builtins
import collections
import dataclasses
import enum
import functools
import itertools
import math
import operator
import types
import weakref

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


def after(*actions):
    return [(X, meanwhile(action)) for action in actions]


class Base:
    scale = 2

    def f(self, x):
        return x * self.scale


class Derived(Base):
    pass


OBJ = Derived()


def shadow_method():
    OBJ.f = lambda x: x - 100


def add_getattribute():
    Derived.__getattribute__ = lambda self, name: 7 if name == "scale" else object.__getattribute__(self, name)


def drop_getattribute():
    del Derived.__getattribute__


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Derived, "scale", 5),
        lambda: delattr(Derived, "scale"),
        lambda: setattr(OBJ, "scale", 9),
        lambda: setattr(Derived, "scale", property(lambda self: 11)),
        lambda: delattr(Derived, "scale"),
        add_getattribute,
        drop_getattribute,
        shadow_method,
        lambda: setattr(Derived, "f", property(lambda self: lambda x: x + 1000)),
    ),
)
def attribute_found_elsewhere(x, _):
    return OBJ.f(x)


class Desc:
    def __get__(self, obj, cls):
        return 3 if obj is None else 4


class Plain:
    v = Desc()


P = Plain()


@program(
    X,
    None,
    changed=after(
        lambda: P.__dict__.update(v=50),
        lambda: setattr(Desc, "__set__", lambda self, obj, value: None),
        lambda: delattr(Desc, "__set__"),
        lambda: setattr(Desc, "__get__", lambda self, obj, cls: 77),
        lambda: P.__dict__.clear(),
        lambda: delattr(Desc, "__get__"),
    ),
)
def descriptor_becomes_data(x, _):
    v = P.v
    return x + (v if isinstance(v, int) else 0), isinstance(v, Desc)


class A:
    def __init__(self, n):
        self.n = n

    def go(self, x):
        return x + self.n


class B(A):
    def go(self, x):
        return x - self.n

    def __len__(self):
        return 0


THING = A(2)


@program(X, None, changed=after(lambda: setattr(THING, "__class__", B), lambda: setattr(THING, "__class__", A)))
def class_assigned(x, _):
    return THING.go(x), bool(THING), type(THING).__name__


class Truthy:
    pass


T = Truthy()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Truthy, "__len__", lambda self: 0),
        lambda: setattr(Truthy, "__bool__", lambda self: True),
        lambda: delattr(Truthy, "__bool__"),
        lambda: setattr(Truthy, "__len__", None),
        lambda: delattr(Truthy, "__len__"),
    ),
)
def truth_is_added(x, _):
    try:
        return x + 1 if T else x - 1
    except TypeError as e:
        return str(e)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Truthy, "__eq__", lambda self, other: True),
        lambda: delattr(Truthy, "__eq__"),
        lambda: setattr(Truthy, "__contains__", lambda self, other: other == 3),
        lambda: setattr(Truthy, "__iter__", lambda self: iter([1, 2])),
        lambda: delattr(Truthy, "__contains__"),
    ),
)
def operators_are_added(x, _):
    try:
        c = (3 in T, 1 in T)
    except TypeError as e:
        c = str(e)
    return x + (T == 5), c


def helper(x, n=1, *, k=2):
    return x * n + k


def other(x, n=1, *, k=2):
    return x - n - k


def gen_code(x, n=1, *, k=2):
    yield x


@program(
    X,
    None,
    fails=None,
    changed=after(
        lambda: setattr(helper, "__defaults__", (5,)),
        lambda: setattr(helper, "__kwdefaults__", {"k": 7}),
        lambda: setattr(helper, "__code__", other.__code__),
        lambda: setattr(helper, "__defaults__", (True,)),
        lambda: setattr(helper, "__defaults__", (1.0,)),
        lambda: setattr(helper, "__kwdefaults__", None),
        lambda: setattr(helper, "__defaults__", None),
    ),
)
def function_parts_replaced(x, _):
    try:
        return helper(x)
    except TypeError as e:
        return str(e)


def make_cell():
    n = 1

    def inner(x):
        return x + n

    def set_n(v):
        nonlocal n
        n = v

    def del_n():
        nonlocal n
        del n

    return inner, set_n, del_n


INNER, SET_N, DEL_N = make_cell()


@program(
    X,
    None,
    changed=after(
        lambda: SET_N(2),
        lambda: SET_N(True),
        lambda: SET_N(1.0),
        lambda: SET_N(-0.0),
        lambda: SET_N(torch.ones(3)),
        DEL_N,
        lambda: setattr(INNER.__closure__[0], "cell_contents", 10),
    ),
)
def cell_changed(x, _):
    try:
        return INNER(x)
    except NameError as e:
        return str(e)


MOD = types.ModuleType("made")
MOD.scale = 2


@program(
    X,
    None,
    changed=after(
        lambda: setattr(MOD, "scale", 3),
        lambda: delattr(MOD, "scale"),
        lambda: setattr(MOD, "__getattr__", lambda name: len(name)),
        lambda: setattr(MOD, "scale", None),
        lambda: delattr(MOD, "scale"),
        lambda: setattr(MOD, "__getattr__", lambda name: 100),
    ),
)
def module_attribute_comes_and_goes(x, _):
    try:
        return x * (MOD.scale or 0)
    except AttributeError as e:
        return str(e)


class Mod2(types.ModuleType):
    @property
    def scale(self):
        return 42


MOD3 = types.ModuleType("made3")
MOD3.scale = 3


@program(X, None, changed=after(lambda: setattr(MOD3, "__class__", Mod2)))
def class_of_module_assigned(x, _):
    return x * MOD3.scale


@program(
    X,
    None,
    changed=after(
        lambda: globals().__setitem__("len", lambda o: 100),
        lambda: globals().pop("len"),
        lambda: globals().__setitem__("max", min),
    ),
)
def builtins_shadowed(x, _):
    return x + len([1, 2]) + max(3, 4)


@program(
    X,
    [1, 2, 3],
    changed=[
        (X, [1, 2.0, 3]),
        (X, [True, 2, 3]),
        (X, ["1", 2, 3]),
        (X, [None, 2, 3]),
        (X, [[1], 2, 3]),
        (X, [1, 2, 3]),
    ],
)
def same_length_other_types(x, items):
    return x + 1, [type(i).__name__ for i in items], items * 2


@program(X, {"a": 1, "b": 2}, changed=[(X, {"b": 1, "a": 2}), (X, {"a": 1, 1: 2}), (X, {1: 1, True: 2}), (X, {1.0: 5})])
def order_and_kind_of_keys(x, d):
    return x + 1, list(d), [type(k).__name__ for k in d], [v for v in d.values()], d.get(1), d.get(True)


class S(str):
    def upper(self):
        return "no"

    def __len__(self):
        return 100


@program(X, "abc", changed=[(X, S("abc")), (X, "abd"), (X, S("abd"))])
def text_or_subclass(x, s):
    return x + len(s), s.upper(), s == "abc", f"{s}", s + "d", type(s + "d").__name__, {s: 1}.get("abc")


class I(int):
    def __add__(self, other):
        return 1000

    def __bool__(self):
        return False


@program(X, 3, changed=[(X, I(3)), (X, True), (X, I(4)), (X, 3)])
def number_or_subclass(x, n):
    return n + 1, 1 + n, x * n, bool(n), [0, 1, 2, 3, 4][n], range(n), n is True, not n


@program(
    X,
    0.0,
    changed=[
        (X, -0.0),
        (X, float("nan")),
        (X, float("nan")),
        (X, 0),
        (X, False),
        (X, 0j),
        (X, float("inf")),
        (X, 1e308),
    ],
)
def zeros(x, f):
    d = {f: 1}
    return x * f, f in [f], [f].count(f), f == f, d.get(0), str(f), [f] == [f], (f,) == (0,)


@program(
    X,
    True,
    changed=[(X, 1), (X, 1.0), (X, 1 + 0j), (X, False), (X, 0)],
)
def one_as_key(x, k):
    d = {1: "int"}
    d[k] = "new"
    s = {k, 1, True, 1.0}
    return x + 1, d, s, list(d), (k, 1) == (1, k), k is True, str(k), {**d, k: 3}, frozenset([k])


LIST = [1, 2, 3]
VIEW = {"l": LIST}


def same():
    return LIST, VIEW


@program(X, None, changed=after(lambda: VIEW.update(l=[1, 2, 3]), lambda: VIEW.update(l=LIST)), steady=False)
def alias_of_globals(x, _):
    LIST.append(len(LIST))
    return x + len(VIEW["l"]), VIEW["l"] is LIST


class Slots:
    __slots__ = ("a", "__dict__")

    def __init__(self):
        self.a = 1


SL = Slots()


@program(
    X,
    None,
    broken=None,
    changed=after(
        lambda: setattr(SL, "b", 3),
        lambda: delattr(SL, "a"),
        lambda: SL.__dict__.update(a=10),
        lambda: setattr(Slots, "a", 100),
    ),
)
def slots_and_dict(x, _):
    return x + getattr(SL, "a", -1) + getattr(SL, "b", -2), list(SL.__dict__)


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def act(self, x):
        return x + self.value


@program(
    X,
    Color.RED,
    None,
    changed=[(X, Color.BLUE, None), (X, Color.RED, meanwhile(lambda: setattr(Color, "act", lambda s, x: x * 50)))],
)
def method_of_enum_replaced(x, c, _):
    return c.act(x), c is Color.RED, Color(1) is c, c.name


@dataclasses.dataclass
class D:
    a: int = 1
    b: list = dataclasses.field(default_factory=list)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(D, "a", 5),
        lambda: setattr(D.__init__, "__defaults__", (9, *D.__init__.__defaults__[1:])),
        lambda: setattr(D, "__post_init__", lambda s: 1 / 0),
        lambda: setattr(D, "__eq__", lambda s, o: False),
    ),
)
def dataclass_changed(x, _):
    d = D()
    return x + d.a, d == D(), d.b is D().b


part = functools.partial(helper, n=3)


@program(X, None, changed=after(lambda: part.keywords.update(n=4), lambda: part.__setstate__((other, (), {}, {}))))
def partial_changed(x, _):
    return part(x)


disp = functools.singledispatch(lambda v, x: x)


@program(
    X,
    None,
    changed=after(
        lambda: disp.register(int, lambda v, x: x + v),
        lambda: disp.register(object, lambda v, x: x * 10),
        lambda: disp.register(bool, lambda v, x: x + v),
    ),
)
def dispatch_registered(x, _):
    return disp(3, x), disp(True, x), disp("a", x)


import abc


class Shape(abc.ABC):
    pass


class Sq:
    pass


class Sq2(Sq):
    pass


@program(X, None, changed=after(lambda: Shape.register(Sq2), lambda: Shape.register(Sq)))
def abc_registered(x, _):
    return x + isinstance(Sq(), Shape), isinstance(Sq2(), Shape), issubclass(Sq, Shape)


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    def __init__(self, n=1):
        self.n = n


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Meta, "__call__", lambda cls, *a: type.__call__(cls, 99)),
        lambda: setattr(Meta, "attr", 4),
        lambda: setattr(WithMeta, "attr", 5),
        lambda: setattr(Meta, "attr", property(lambda cls: 6)),
        lambda: setattr(Meta, "__instancecheck__", lambda cls, o: o == 3),
        lambda: setattr(Meta, "__iter__", lambda cls: iter([1])),
        lambda: setattr(WithMeta, "__new__", lambda cls, *a: object.__new__(Sq)),
    ),
)
def metaclass_changed(x, _):
    o = WithMeta()
    try:
        it = list(WithMeta)
    except TypeError as e:
        it = str(e)
    return x + getattr(o, "n", 0), getattr(WithMeta, "attr", None), isinstance(3, WithMeta), it


class M1:
    def who(self):
        return 1


class M2:
    def who(self):
        return 2


class Multi(M1):
    def who(self):
        return super().who() * 10


MM = Multi()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Multi, "__bases__", (M2,)), lambda: setattr(M2, "who", lambda s: 5), lambda: delattr(M2, "who")
    ),
)
def bases_assigned(x, _):
    try:
        return x + MM.who(), [c.__name__ for c in Multi.__mro__]
    except AttributeError as e:
        return str(e)


Q = collections.deque([1, 2, 3], maxlen=3)


@program(
    X,
    None,
    steady=False,
    changed=after(
        lambda: Q.rotate(1),
        lambda: Q.clear(),
        lambda: Q.extend("abcd"),
        lambda: globals().__setitem__("Q", collections.deque([1, 2])),
    ),
)
def deque_between(x, _):
    Q.append(len(Q))
    Q.rotate(-1)
    Q.appendleft(Q[-1])
    return x + len(Q), list(Q), Q.maxlen


COUNT = itertools.count(3)
ITER = iter([1, 2, 3, 4, 5, 6, 7, 8, 9])


@program(X, None, steady=False, changed=after(lambda: next(ITER, 0), lambda: next(COUNT), lambda: list(ITER)))
def iterators_across_calls(x, _):
    return x + next(ITER, 0), next(COUNT), next(ITER, -1)


def gen():
    total = 0
    try:
        while True:
            got = yield total
            total += got if got is not None else 1
    finally:
        LIST.append("closed")


G = gen()


@program(X, None, steady=False, broken=None, changed=after(lambda: next(G), lambda: G.send(100), G.close, lambda: None))
def generator_across_calls(x, _):
    return x + next(G, -5)


class Call:
    def __call__(self, x):
        return x + 1


CALL = Call()


@program(
    X,
    None,
    changed=after(
        lambda: setattr(CALL, "__call__", lambda x: x * 0),
        lambda: setattr(Call, "__call__", lambda s, x: x * 3),
        lambda: setattr(Call, "__call__", staticmethod(lambda x: x * 4)),
        lambda: setattr(Call, "__call__", Derived),
    ),
)
def call_replaced(x, _):
    r = CALL(x) if not isinstance(vars(Call)["__call__"], type) else 1
    return r


Pt = collections.namedtuple("Pt", "a b")  # noqa: PYI024


@program(
    X,
    Pt(1, 2),
    None,
    changed=[
        (X, Pt(2, 1), None),
        (X, (1, 2), None),
        (X, Pt(1, 2), meanwhile(lambda: setattr(Pt, "a", property(lambda s: 50)))),
        (X, Pt(1, 2), meanwhile(lambda: setattr(Pt, "__iter__", lambda s: iter([8, 9])))),
    ],
)
def namedtuple_changed(x, p, _):
    a, b = p
    return x + getattr(p, "a", 7), a, b, p[0], list(p), p == (1, 2)


class Missing(dict):
    def __missing__(self, k):
        return 3


MS = Missing(a=1)


@program(
    X,
    None,
    changed=after(
        lambda: MS.update(b=4),
        lambda: setattr(Missing, "__missing__", lambda s, k: 9),
        lambda: MS.pop("a"),
        lambda: setattr(Missing, "__getitem__", lambda s, k: 20),
        lambda: setattr(Missing, "get", lambda s, k: 21),
    ),
)
def missing_changed(x, _):
    return x + MS["b"] + MS["a"], MS.get("b"), "b" in MS, MS.setdefault if False else 0


WR = weakref.ref(OBJ)
HOLD = [A(1)]
WR2 = weakref.ref(HOLD[0])


@program(X, None, changed=after(lambda: HOLD.clear(), lambda: HOLD.append(A(3))))
def weak_dies(x, _):
    o = WR2()
    return x + (o.n if o is not None else 100), bool(HOLD)


class Order:
    def __init__(self, k):
        self.k = k

    def __lt__(self, o):
        return self.k < o.k


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Order, "__lt__", lambda s, o: s.k > o.k), lambda: setattr(Order, "__gt__", lambda s, o: True)
    ),
)
def sorting_changed(x, _):
    l = sorted([Order(3), Order(1), Order(2)])
    return x + l[0].k, [o.k for o in l], max(Order(1), Order(5), Order(2)).k


class Num:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return NotImplemented

    def __hash__(self):
        return 1


class RNum(Num):
    def __radd__(self, o):
        return 5


@program(
    X,
    None,
    changed=after(
        lambda: setattr(RNum, "__radd__", lambda s, o: 6),
        lambda: setattr(Num, "__add__", lambda s, o: 7),
        lambda: delattr(RNum, "__radd__"),
        lambda: setattr(Num, "__radd__", lambda s, o: 8),
        lambda: delattr(Num, "__add__"),
        lambda: setattr(Num, "__iadd__", lambda s, o: 9),
    ),
)
def reflection_changed(x, _):
    a = Num(1)
    b = a
    a += RNum(2)
    return x + (Num(1) + RNum(2)), a


class Hashy:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 1

    def __eq__(self, o):
        return self.n == o.n


HD = {Hashy(1): "a", Hashy(2): "b"}


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Hashy, "__eq__", lambda s, o: False),
        lambda: setattr(Hashy, "__eq__", lambda s, o: True),
        lambda: setattr(Hashy, "__hash__", None),
    ),
)
def hash_changed(x, _):
    try:
        return x + 1, HD.get(Hashy(2)), Hashy(1) in HD
    except TypeError as e:
        return str(e)


@program(X, None, changed=after(lambda: setattr(torch, "made_up", 3), lambda: delattr(torch, "made_up")))
def attribute_of_torch(x, _):
    return x + getattr(torch, "made_up", 0), hasattr(torch, "made_up")


class Ctx:
    def __enter__(self):
        return 1

    def __exit__(self, *a):
        return False


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Ctx, "__exit__", lambda *a: True),
        lambda: setattr(Ctx, "__enter__", lambda s: 5),
        lambda: delattr(Ctx, "__exit__"),
    ),
)
def manager_changed(x, _):
    try:
        with Ctx() as n:
            x = x + n
            raise ValueError("v")
    except (ValueError, TypeError) as e:
        return x + 1, str(e)
    return x + 1, "swallowed"


class MatchMe:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


@program(
    X,
    None,
    changed=after(
        lambda: setattr(MatchMe, "__match_args__", ("b", "a")),
        lambda: setattr(MatchMe, "__match_args__", ("a",)),
        lambda: delattr(MatchMe, "__match_args__"),
    ),
)
def match_args_changed(x, _):
    try:
        match MatchMe(1, 2):
            case MatchMe(1, b):
                return x + b, "first"
            case MatchMe(a, 1):
                return x + a, "second"
    except TypeError as e:
        return str(e)


@program(
    X,
    None,
    changed=after(
        lambda: setattr(Derived, "__init_subclass__", classmethod(lambda cls, **k: setattr(cls, "tag", k))),
        lambda: setattr(Derived, "__class_getitem__", classmethod(lambda cls, k: (cls.__name__, k))),
    ),
)
def subclass_hook_added(x, _):
    try:

        class Made(Derived, a=1):
            pass

        got = getattr(Made, "tag", None)
    except TypeError as e:
        got = str(e)
    try:
        item = Derived[3]
    except TypeError as e:
        item = str(e)
    return x + 1, got, item
