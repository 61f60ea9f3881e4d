"""Classes made in the call as parts of other things: types with parameters, dataclasses, unions."""

import abc
import collections
import dataclasses
import enum
import functools
import types
import typing

import torch

import framelift
from tests.capture.harness import call, meanwhile, program, tensor

T = typing.TypeVar("T")


@program(graphs=1)
def alias_of_made(x):
    class A:
        v = 3

    a = list[A]
    return x + 1, a.__args__[0] is A, a.__args__[0].v


@program(graphs=1)
def alias_returned(x):
    class A:
        v = 3

    return x + 1, A, list[A]


@program(graphs=1)
def union_returned(x):
    class A:
        v = 3

    u = A | None
    return x + u.__args__[0].v, A, u


@program(broken=None)
def optional_returned(x):
    class A:
        v = 3

    u = typing.Optional[A]
    return x + u.__args__[0].v, A, u


@program(broken=None)
def annotation_made(x):
    class A:
        v = 3

    def f(a: A, b: list[A], c: A | int, d: typing.Dict[str, A]):
        pass

    return x + 1, f, typing.get_type_hints(f)["a"] is A


@program(broken=None)
def dc_made(x):
    class A:
        v = 3

    @dataclasses.dataclass
    class B:
        a: A
        b: list[A] = dataclasses.field(default_factory=list)
        c: typing.Optional[A] = None

    return x + 1, B(A()), [f.type for f in dataclasses.fields(B)], A


@program(broken=None)
def generic_box(x):
    class Box(typing.Generic[T]):
        def __init__(self, v):
            self.v = v

        def get(self):
            return self.v

    class IntBox(Box[int]):
        pass

    return Box(x).get() + IntBox(2).get() + Box[float](3.0).get(), Box, IntBox


@program(broken=None)
def generic_box2(x):
    class Box(typing.Generic[T]):
        def __init__(self, v):
            self.v = v

    b = Box[int](2)
    return x + b.v, b.__orig_class__, Box


@program(broken=None)
def generic_only(x):
    class Box(typing.Generic[T]):
        def __init__(self, v):
            self.v = v

    return x + Box(3).v


@program(graphs=1)
def namedtuple_type(x):
    class A:
        v = 2

    NT = typing.NamedTuple("NT", [("a", A), ("b", int)])
    return x + NT(A(), 2).b, NT


@program(graphs=1)
def partial_of_class(x):
    class A:
        def __init__(self, v):
            self.v = v

    p = functools.partial(A, 3)
    return x + p().v, p


@program(graphs=1)
def dict_of_class(x):
    class A:
        pass

    return x + 1, {A: 1, "k": A}, (A,), {A}


@program(broken=None)
def isinstance_union(x):
    class A:
        pass

    class B:
        pass

    return x + isinstance(A(), A | B) + isinstance(3, A | B), isinstance(A(), typing.Union[A, int])


@program(graphs=1)
def method_of_class(x):
    class A:
        @classmethod
        def f(cls):
            return cls

        @staticmethod
        def g():
            return 1

    return x + A.g(), A.f, A().f() is A, A.g


@program(broken=None)
def gen_alias_break(x):
    class A:
        v = 3

    a = list[A]
    y = x + 1
    framelift.graph_break()
    return y + a.__args__[0].v, a, A


@program(graphs=1)
def newtype(x):
    class A:
        v = 1

    N = typing.NewType("N", A)
    return x + N(A()).v, N.__supertype__ is A


@program(broken=None)
def protocol_generic(x):
    class P(typing.Protocol[T]):
        def go(self) -> T: ...

    class Q(P[int]):
        def go(self):
            return 3

    return x + Q().go()


@program(graphs=1)
def abc_generic(x):
    class S(collections.abc.Sequence):
        def __len__(self):
            return 2

        def __getitem__(self, i):
            if i > 1:
                raise IndexError
            return i

    return x + sum(S()) + S().index(1), list(reversed(S())), 1 in S(), S().count(0)


@program(graphs=1)
def user_class_getitem(x):
    class A:
        def __class_getitem__(cls, k):
            return (cls.__name__, k)

    return x + 1, A[3]


@program(graphs=1)
def mro_entries(x):
    class E:
        def __mro_entries__(self, bases):
            return (dict,)

    class D(E()):
        pass

    return x + len(D(a=1)), D.__mro__[1], D.__orig_bases__[0].__class__.__name__
