"""Classes made in the call, used inside of it and returned from it."""

import abc
import enum
from dataclasses import dataclass
from typing import NamedTuple

from tests.capture.harness import program


@program(graphs=1)
def used_inside(x):
    class C:
        factor = 3

        def __init__(self, value):
            self.value = value

        def run(self, y):
            return y * self.factor + self.value

    return C(2).run(x)


@program(graphs=1)
def returned(x):
    y = x + 1

    class C:
        """A document."""

        factor = 3

        def run(self, z):
            return z + y

    return C, y


@program(graphs=1)
def instance_returned(x):
    class C:
        def __init__(self, v):
            self.v = v

    return C(x + 1)


@program(graphs=1)
def class_and_instance_returned(x):
    class C:
        def me(self):
            return __class__

    c = C()
    c.value = x + 1
    return C, c, c.me() is C, type(c) is C, isinstance(c, C), issubclass(C, object)


@program(graphs=1)
def inherits_from_existing(x):
    class Child(Parent):
        def greet(self):
            return "child " + super().greet()

    return x + len(Child().greet()), Child, Child.label


class Parent:
    label = "parent"

    def greet(self):
        return "hello"


@program(graphs=1)
def inherits_from_made(x):
    class A:
        def f(self):
            return 1

    class B(A):
        def f(self):
            return super().f() + 1

    class C(B):
        pass

    return x + C().f(), [cls.__name__ for cls in C.__mro__], issubclass(C, A)


@program(graphs=1)
def class_attributes_written(x):
    class C:
        count = 0

        @classmethod
        def bump(cls):
            cls.count += 1
            return cls.count

    C.bump()
    C.extra = x + 1
    return C.bump() + x, C


@program(graphs=1)
def methods_of_every_kind(x):
    class C:
        def __init__(self):
            self._v = 1

        @staticmethod
        def s(a):
            return a + 1

        @classmethod
        def c(cls, a):
            return cls.__name__, a

        @property
        def v(self):
            return self._v

        @v.setter
        def v(self, new):
            self._v = new * 2

    c = C()
    c.v = 5
    return C.s(x), c.s(1), C.c(2), c.v


@program(graphs=1)
def body_runs_code(x):
    log = []

    class C:
        log.append("body")
        for i in range(3):
            log.append(i)
        del i
        if True:
            y = [k * 2 for k in range(2)]
        name = __qualname__

    return x + len(log), C.y, C.name, hasattr(C, "i")


@program(graphs=1)
def decorated_class(x):
    def add(cls):
        cls.added = 7
        return cls

    @add
    class C:
        pass

    return x + C.added


@program(graphs=1)
def class_decorator_that_replaces(x):
    @lambda cls: cls.__name__
    class C:
        pass

    return x + 1, C


@program(graphs=1)
def slots(x):
    class C:
        __slots__ = ("a", "b")

        def __init__(self, a):
            self.a = a

    c = C(3)
    return x + c.a, hasattr(c, "b"), hasattr(c, "__dict__")


@program(graphs=1)
def nested_classes(x):
    class Outer:
        class Inner:
            value = 4

        def get(self):
            return self.Inner.value

    return x + Outer().get(), Outer.Inner.__qualname__


@program(graphs=1)
def dunders(x):
    class V:
        def __init__(self, v):
            self.v = v

        def __add__(self, other):
            return V(self.v + other.v)

        def __eq__(self, other):
            return self.v == other.v

        def __getitem__(self, key):
            return key

        def __len__(self):
            return 2

        def __call__(self, a):
            return a * 2

        def __repr__(self):
            return "V!"

    return (V(x) + V(1)).v, V(1) == V(1), V(1)[3], len(V(1)), V(1)(4), repr(V(1)), bool(V(0))


@program(graphs=1)
def init_subclass(x):
    log = []

    class Base:
        def __init_subclass__(cls, tag=None, **kwargs):
            super().__init_subclass__(**kwargs)
            cls.tag = tag
            log.append(cls.__name__)

    class A(Base, tag="a"):
        pass

    class B(A):
        pass

    return x + 1, log, A.tag, B.tag


@program(graphs=1, steady=False)
def init_subclass_of_existing_base(x):
    class New(Registered, tag="n"):
        pass

    return x + len(Registered.known), New.tag


class Registered:
    known = []

    def __init_subclass__(cls, tag=None):
        cls.tag = tag
        Registered.known.append(cls.__name__)


@program(graphs=1)
def init_subclass_returned(x):
    class New(Registered, tag="n"):
        value = x + 1

    Registered.known.clear()
    return New


@program(graphs=1)
def set_name(x):
    class Field:
        def __set_name__(self, owner, name):
            self.owner_name = owner.__name__
            self.name = name

        def __get__(self, instance, owner):
            return self if instance is None else f"{self.owner_name}.{self.name}"

    class C:
        first = Field()
        second = Field()

    return x + 1, C().first, C().second, C.first.name


@program(graphs=1)
def metaclass(x):
    class Meta(type):
        def __new__(mcs, name, bases, namespace, **kwargs):
            namespace["added"] = len(namespace)
            made = super().__new__(mcs, name + "!", bases, namespace)
            made.kwargs = kwargs
            return made

        def __init__(cls, name, bases, namespace, **kwargs):
            super().__init__(name, bases, namespace)
            cls.initialised = True

        def __call__(cls, *args):
            return ("called", super().__call__(*args).v)

    class C(metaclass=Meta, option=3):
        def __init__(self, v):
            self.v = v

    return C(x + 1), C.__name__, C.kwargs, C.initialised, type(C).__name__


@program(graphs=1)
def existing_metaclass(x):
    class C(metaclass=Upper):
        def run(self):
            return 5

    return x + C().RUN(), C.made_by


class Upper(type):
    made_by = "Upper"

    def __new__(mcs, name, bases, namespace):
        upper = {k if k.startswith("__") else k.upper(): v for k, v in namespace.items()}
        return super().__new__(mcs, name, bases, upper)


@program(graphs=1)
def prepare(x):
    class C(metaclass=Preparing):
        a = 1
        b = extra + 1

    return x + C.b, C.extra


class Preparing(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return {"extra": 10}


@program(graphs=1)
def made_by_type(x):
    C = type("C", (Parent,), {"value": 5, "f": lambda self: self.value})
    return x + C().f(), C.__name__, C.label, C


@program(graphs=1)
def abstract(x):
    class A(abc.ABC):
        @abc.abstractmethod
        def f(self): ...

    class B(A):
        def f(self):
            return 1

    try:
        A()
    except TypeError as error:
        return x + B().f(), type(error)


@program(graphs=1)
def exception_class(x):
    class Failure(Exception):
        def __init__(self, code):
            super().__init__(f"code {code}")
            self.code = code

    try:
        raise Failure(3)
    except Failure as error:
        return x + error.code, str(error)


@program(graphs=1)
def exception_class_caught_by_base(x):
    class Failure(ValueError):
        pass

    try:
        raise Failure("a")
    except ValueError as error:
        return x + 1, type(error) is Failure, error.args


@program(graphs=1)
def context_manager_class(x):
    class M:
        def __enter__(self):
            return 3

        def __exit__(self, *args):
            return True

    with M() as value:
        x = x + value
        raise ValueError
    return x


@program(graphs=1)
def iterator_class(x):
    class It:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if not self.n:
                raise StopIteration
            self.n -= 1
            return self.n

    return [x + i for i in It(3)]


@program(graphs=1)
def subclass_of_builtin(x):
    class L(list):
        def total(self):
            return sum(self)

    items = L([1, 2, 3])
    items.append(4)
    return x + items.total(), len(items)


@program(graphs=1)
def same_class_statement_twice(x):
    def make(n):
        class C:
            value = n

        return C

    A, B = make(1), make(2)
    return x + A.value + B.value, A is B, A.__name__ == B.__name__, A, B


@program(graphs=1)
def bad_bases(x):
    try:

        class C(3):
            pass
    except TypeError as error:
        return x + 1, type(error)


@program(graphs=1)
def conflicting_order(x):
    class A:
        pass

    class B(A):
        pass

    try:

        class C(A, B):
            pass
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def annotations_in_body(x):
    class C:
        a: int = 3
        b: str

    return x + C.a, C.__annotations__


@program(graphs=1)
def generic_base(x):
    class C(list[int]):
        pass

    return x + len(C([1])), C.__bases__


@program(graphs=1)
def dataclass_in_the_call(x):
    @dataclass
    class D:
        a: int
        b: int = 2

    return x + D(1).b


@program(graphs=1)
def enum_in_the_call(x):
    class E(enum.Enum):
        A = 1
        B = 2

    return x + E.A.value


@program(graphs=1)
def named_tuple_in_the_call(x):
    class N(NamedTuple):
        a: int
        b: int = 2

    return x + N(1).b
