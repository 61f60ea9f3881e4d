"""Classes that the library makes during the call: dataclasses, enumerations, named tuples, abstract classes."""

import abc
import collections
import dataclasses
import enum
import typing
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.capture.harness import program, tensor


@program(graphs=1)
def data_class(x):
    @dataclass
    class D:
        a: int
        b: int = 2

    return x + D(1).b, D(1, 3).a


@program(graphs=1)
def data_class_equality(x):
    @dataclass
    class D:
        a: int

    return x + 1, D(1) == D(1), D(1) != D(2), D(1) == 1


@program(graphs=1)
def data_class_shown(x):
    @dataclass
    class D:
        a: int
        b: list = field(default_factory=list)

    return x + 1, repr(D(1))


@program(graphs=1)
def data_class_ordered(x):
    @dataclass(order=True)
    class D:
        a: int
        b: int = field(default=0, compare=False)

    return x + 1, D(1, 5) < D(2, 0), D(1, 2) <= D(1, 1), sorted([D(3), D(1)])[0].a


@program(graphs=1)
def data_class_frozen(x):
    @dataclass(frozen=True)
    class D:
        a: int

    try:
        D(1).a = 2
    except dataclasses.FrozenInstanceError as error:
        return x + 1, str(error), hash(D(1)) == hash(D(1))


@program(graphs=1)
def data_class_returned(x):
    @dataclass
    class D:
        a: object

    return D(x + 1)


@program(graphs=1)
def data_class_itself_returned(x):
    @dataclass
    class D:
        a: int = 3

    return x + D().a, D


@program(graphs=1)
def data_class_inherits(x):
    @dataclass
    class A:
        a: int

    @dataclass
    class B(A):
        b: int = 5

    return x + B(1).b, B(1).a, [f.name for f in dataclasses.fields(B)]


@program(graphs=1)
def data_class_post_init(x):
    @dataclass
    class D:
        a: int
        b: dataclasses.InitVar[int] = 2
        c: int = field(init=False)

        def __post_init__(self, b):
            self.c = self.a + b

    return x + D(1).c


@program(graphs=1)
def data_class_with_slots(x):
    @dataclass(slots=True)
    class D:
        a: int
        b: int = 2

    return x + D(1).b


@program(graphs=1)
def data_class_keyword_only(x):
    @dataclass(kw_only=True)
    class D:
        a: int
        b: int = 2

    return x + D(a=1).b


@program(graphs=1)
def data_class_as_dict(x):
    @dataclass
    class D:
        a: int
        b: list

    return x + 1, dataclasses.asdict(D(1, [2])), dataclasses.astuple(D(1, [2])), dataclasses.replace(D(1, [2]), a=3).a


@program(graphs=1)
def data_class_with_class_variable(x):
    @dataclass
    class D:
        a: int
        k: typing.ClassVar[int] = 7

    return x + D.k, len(dataclasses.fields(D))


@program(graphs=1)
def data_class_matched(x):
    @dataclass
    class D:
        a: int
        b: int

    match D(1, 2):
        case D(a, 2):
            return x + a


@program(graphs=1)
def data_class_by_function(x):
    D = dataclasses.make_dataclass("D", [("a", int), ("b", int, field(default=4))])
    return x + D(1).b


@program
def data_class_bad_order(x):
    @dataclass
    class D:
        a: int = 1
        b: int

    return x


@program
def data_class_mutable_default(x):
    @dataclass
    class D:
        a: list = []

    return x


@program(graphs=1)
def data_class_is_one(x):
    @dataclass
    class D:
        a: int

    return x + 1, dataclasses.is_dataclass(D), dataclasses.is_dataclass(D(1)), dataclasses.is_dataclass(3)


@program(graphs=1)
def enumeration(x):
    class E(enum.Enum):
        A = 1
        B = 2

    return x + E.A.value, E.B.name


@program(graphs=1)
def enumeration_looked_up(x):
    class E(enum.Enum):
        A = 1
        B = 2

    return x + E(2).value, E["A"] is E.A, E(1) is E.A


@program(graphs=1)
def enumeration_iterated(x):
    class E(enum.Enum):
        A = 1
        B = 2
        C = 1

    return x + len(E), [e.name for e in E], E.C is E.A, list(E.__members__)


@program(graphs=1)
def enumeration_of_ints(x):
    class E(enum.IntEnum):
        A = 1
        B = 2

    return x + E.B, E.A + 1, E.A < E.B


@program(graphs=1)
def enumeration_with_auto(x):
    class E(enum.Enum):
        A = enum.auto()
        B = enum.auto()

    return x + E.B.value


@program(graphs=1)
def enumeration_with_methods(x):
    class E(enum.Enum):
        A = 1
        B = 2

        def double(self):
            return self.value * 2

        @classmethod
        def first(cls):
            return cls.A

    return x + E.B.double(), E.first().name


@program(graphs=1)
def enumeration_of_flags(x):
    class F(enum.Flag):
        A = 1
        B = 2
        C = 4

    both = F.A | F.B
    return x + both.value, F.A in both, F.C in both, bool(F.A & F.B)


@program(graphs=1)
def enumeration_returned(x):
    class E(enum.Enum):
        A = 1

    return x + 1, E.A, E


@program(graphs=1)
def enumeration_by_function(x):
    E = enum.Enum("E", "A B")
    return x + E.B.value, E.A.name


@program(graphs=1)
def enumeration_compared(x):
    class E(enum.Enum):
        A = 1
        B = 2

    return x + 1, E.A == E.A, E.A != E.B, E.A is E.B, {E.A: 1}[E.A], isinstance(E.A, E)


@program(graphs=1)
def enumeration_of_text(x):
    class E(str, enum.Enum):
        A = "a"

    return x + 1, E.A.upper(), E.A == "a", E("a") is E.A


@program
def enumeration_unknown_value(x):
    class E(enum.Enum):
        A = 1

    return x, E(5)


@program(graphs=1)
def named_tuple_class(x):
    class N(NamedTuple):
        a: int
        b: int = 2

    return x + N(1).b, N(1).a, N(1, 3)[1]


@program(graphs=1)
def named_tuple_by_function(x):
    N = collections.namedtuple("N", "a b")  # noqa: PYI024
    n = N(1, 2)
    return x + n.a, n._asdict(), n._replace(a=5).a, N._fields


@program(graphs=1)
def named_tuple_with_defaults(x):
    N = collections.namedtuple("N", ["a", "b"], defaults=[7])  # noqa: PYI024
    return x + N(1).b, N._field_defaults


@program(graphs=1)
def named_tuple_returned(x):
    N = collections.namedtuple("N", "a b")  # noqa: PYI024
    return N(x + 1, 2)


@program(graphs=1)
def named_tuple_unpacked(x):
    N = collections.namedtuple("N", "a b")  # noqa: PYI024
    a, b = N(x, 2)
    return a + b, repr(N(1, 2)), N(1, 2) == (1, 2)


@program(graphs=1)
def named_tuple_subclassed(x):
    class N(collections.namedtuple("Base", "a b")):  # noqa: PYI024
        @property
        def total(self):
            return self.a + self.b

    return x + N(1, 2).total


@program(graphs=1)
def named_tuple_by_typing(x):
    N = NamedTuple("N", [("a", int), ("b", str)])
    return x + N(1, "q").a


@program(graphs=1)
def abstract_class(x):
    class A(abc.ABC):
        @abc.abstractmethod
        def f(self): ...

    class B(A):
        def f(self):
            return 3

    return x + B().f(), isinstance(B(), A), issubclass(B, A), isinstance(3, A)


@program
def abstract_class_refuses(x):
    class A(metaclass=abc.ABCMeta):
        @abc.abstractmethod
        def f(self): ...

    try:
        A()
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def abstract_class_registers(x):
    class A(abc.ABC):
        pass

    A.register(int)
    return x + 1, isinstance(3, A), issubclass(bool, A), isinstance("s", A)


@program(graphs=1)
def abstract_class_with_hook(x):
    class A(abc.ABC):
        @classmethod
        def __subclasshook__(cls, other):
            return hasattr(other, "quack") or NotImplemented

    class Duck:
        def quack(self): ...

    return x + 1, isinstance(Duck(), A), issubclass(int, A)


@program(graphs=1)
def abstract_properties(x):
    class A(abc.ABC):
        @property
        @abc.abstractmethod
        def p(self): ...

    class B(A):
        @property
        def p(self):
            return 4

    return x + B().p, sorted(A.__abstractmethods__), sorted(B.__abstractmethods__)


@program(graphs=1)
def protocol_class(x):
    @typing.runtime_checkable
    class P(typing.Protocol):
        def quack(self): ...

    class Duck:
        def quack(self): ...

    return x + 1, isinstance(Duck(), P), isinstance(3, P)


@program(graphs=1)
def typed_dict_class(x):
    class M(typing.TypedDict):
        a: int

    m = M(a=1)
    return x + m["a"], m


@program(broken="cached function")
def generic_class(x):
    T = typing.TypeVar("T")

    class Box(typing.Generic[T]):
        def __init__(self, item):
            self.item = item

    return Box(x).item + 1, Box[int](3).item


@program(graphs=1)
def new_type(x):
    Id = typing.NewType("Id", int)
    return x + Id(3), Id.__name__
