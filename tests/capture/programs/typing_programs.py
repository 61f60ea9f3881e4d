"""typing, types, abc at run time."""

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, MutableMapping, Sequence
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, Optional, Protocol, TypedDict, TypeVar, Union, cast, runtime_checkable

from tests.capture.harness import program, tensor

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, item: T):
        self.item = item

    def get(self) -> T:
        return self.item


class Movie(TypedDict, total=False):
    name: str
    year: int


@runtime_checkable
class HasArea(Protocol):
    def area(self): ...


class Square:
    def __init__(self, n):
        self.n = n

    def area(self):
        return self.n**2


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    def twice(self):
        return self.area() * 2


class Circle(Shape):
    def area(self):
        return 3


class MyMapping(Mapping):
    def __init__(self, d):
        self.d = d

    def __getitem__(self, k):
        return self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


class MySequence(Sequence):
    def __init__(self, items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


class MyMutable(MutableMapping):
    def __init__(self):
        self.d = {}

    def __getitem__(self, k):
        return self.d[k]

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


@program(tensor(2), graphs=1)
def generics(x):
    b = Box(x)
    return b.get() + 1, Box(3).get()


@program(tensor(2), graphs=1)
def casts(x):
    y = cast(int, 5)
    z: Optional[int] = y
    return x + z, typing.cast("str", x) is x


@program(tensor(2), graphs=1)
def typed_dicts(x):
    m = Movie(name="a", year=3)
    m["year"] += 1
    return x + m["year"], m, type(m), isinstance(m, dict)


@program(tensor(2), [1], graphs=1)
def abstract_checks(x, items):
    return (
        x + 1,
        isinstance(items, Sequence),
        isinstance({}, Mapping),
        isinstance(5, Iterable),
        isinstance("a", Hashable),
        isinstance([], Hashable),
        issubclass(dict, Mapping),
        isinstance(Circle(), Shape),
        isinstance(x, Iterable),
    )


@program(tensor(2), graphs=1)
def abstract_classes(x):
    try:
        Shape()
    except TypeError as error:
        said = type(error).__name__
    return x + Circle().twice(), said


@program(tensor(2), graphs=1)
def mapping_mixins(x):
    m = MyMapping({"a": 1, "b": 2})
    return (
        x + m["a"],
        m.get("q", 5),
        list(m.items()),
        list(m.keys()),
        "a" in m,
        len(m),
        dict(m),
        {**m},
        m == {"a": 1, "b": 2},
        list(m.values()),
    )


@program(tensor(2), graphs=1)
def sequence_mixins(x):
    s = MySequence([3, 1, 3])
    return x + s[0], s.index(1), s.count(3), 1 in s, list(s), list(reversed(s)), len(s)


@program(tensor(2), graphs=1)
def mutable_mixins(x):
    m = MyMutable()
    m["a"] = 1
    m.update(b=2)
    m.setdefault("c", 3)
    return x + m.pop("a"), m.d, m.pop("zz", None), len(m)


@program(tensor(2), SimpleNamespace(a=1, b=[2]), graphs=1)
def namespaces(x, n):
    n.c = 5
    n.b.append(3)
    made = SimpleNamespace(q=x, r=2)
    made.r += 1
    return (
        x + n.a,
        made.q + made.r,
        made == SimpleNamespace(q=x, r=3) if False else None,
        hasattr(n, "zz"),
        vars(made)["r"],
        SimpleNamespace(a=1) == SimpleNamespace(a=1),
    )


@program(tensor(2), graphs=1)
def proxies_made_here(x):
    d = {"a": 1}
    p = MappingProxyType(d)
    d["b"] = 2
    return x + p["b"], len(p), list(p.items()), dict(p)


@program(tensor(2), graphs=1)
def protocols(x):
    return x + Square(2).area(), isinstance(Square(1), HasArea), isinstance(5, HasArea)


@program(tensor(2), 5, graphs=1)
def unions(x, n):
    return x + n, isinstance(n, int | str), isinstance(n, Union[int, str]), isinstance(None, int | None)


@program(tensor(2), graphs=1)
def small_types(x):
    return (
        x + 1,
        types.FunctionType is type(lambda: 0),
        isinstance(len, types.BuiltinFunctionType),
        types.NoneType is type(None),
        isinstance(typing, types.ModuleType),
    )


def annotated(a: int, b: Any = 3) -> str:
    return str(a + b)


@program(tensor(2), graphs=1)
def annotations(x):
    def inner(a: int, b: "str" = "q") -> None:
        return None

    return x + 1, annotated(1), inner.__annotations__["b"], inner(1)


@program(graphs=1)
def unions_of_types_with_parameters(x):
    union = list[int] | None
    same = union == (None | list[int]), list[int] == list[int], list[int] == list[str], union == int
    return x + 1, union.__args__, (int | str).__args__, dict[str, int].__origin__, list[int].__args__, same
