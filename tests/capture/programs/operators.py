"""Operator methods with reflection and NotImplemented, comparison, hashing, truth, length, identity, isinstance."""

import collections.abc
import numbers
import typing

from tests.capture.harness import program, tensor


class Number:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        if isinstance(other, Number):
            return Number(self.value + other.value)
        if isinstance(other, int):
            return Number(self.value + other)
        return NotImplemented

    def __radd__(self, other):
        return Number(("radd", other, self.value))

    def __iadd__(self, other):
        self.value = self.value + (other.value if isinstance(other, Number) else other)
        return self

    def __sub__(self, other):
        return "sub"

    def __rsub__(self, other):
        return "rsub"

    def __mul__(self, other):
        return NotImplemented

    def __matmul__(self, other):
        return ("matmul", other)

    def __neg__(self):
        return Number(-self.value)

    def __pos__(self):
        return "pos"

    def __invert__(self):
        return "invert"

    def __abs__(self):
        return Number(abs(self.value))

    def __eq__(self, other):
        return isinstance(other, Number) and self.value == other.value

    def __lt__(self, other):
        if isinstance(other, Number):
            return self.value < other.value
        return NotImplemented

    def __hash__(self):
        return hash(self.value)

    def __bool__(self):
        return self.value != 0

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __index__(self):
        return int(self.value)

    def __divmod__(self, other):
        return ("divmod", other)

    def __pow__(self, other, modulo=None):
        return ("pow", other, modulo)

    def __rpow__(self, other):
        return ("rpow", other)

    def __round__(self, digits=None):
        return ("round", digits)

    def __repr__(self):
        return f"Number({self.value})"


class Better(Number):
    def __radd__(self, other):
        return "better radd"

    def __rsub__(self, other):
        return "better rsub"


@program(graphs=1)
def addition(x):
    return x + 1, (Number(1) + Number(2)).value, (Number(1) + 5).value, (5 + Number(1)).value, ("a" + Number(1)).value


@program(graphs=1)
def subclass_is_asked_first(x):
    return x + 1, Number(1) + Better(2), Number(1) - Better(2), Better(1) - Number(2), 1 - Better(1)


@program(graphs=1)
def not_implemented_both_ways(x):
    results = []
    for f in (lambda: Number(1) * 2, lambda: 2 * Number(1), lambda: Number(1) + "a", lambda: Number(1) < 3):
        try:
            results.append(f())
        except TypeError as error:
            results.append(str(error))
    return x + 1, results


@program(graphs=1)
def in_place(x):
    n = m = Number(1)
    n += 5
    k = Number(2)
    k -= 1
    s = "a"
    s += "b"
    t = (1,)
    t += (2,)
    items = alias = [1]
    items += (2, 3)
    items *= 2
    d = {"a": 1}
    d |= {"b": 2}
    return x + m.value, n is m, k, s, t, alias, d


@program(graphs=1)
def unary(x):
    return (-Number(3)).value, +Number(1), ~Number(1), abs(Number(-4)).value, not Number(0), -x, +x, ~(x > 2), -True


@program(graphs=1)
def conversions(x):
    n = Number(3)
    return x + int(n), float(n), [10, 20, 30, 40][n], divmod(n, 2), n**2, pow(n, 2, 5), 2**n, round(n), round(n, 1)


@program(graphs=1)
def index_protocol(x):
    return x + 1, list(range(Number(3))), "abc"[Number(1)], [0] * Number(2), [1, 2, 3][: Number(2)], bin(Number(5))


@program(graphs=1)
def comparison(x):
    a, b = Number(1), Number(2)
    return x + 1, a == b, a != b, a < b, a > b, a == Number(1), a == 1, 1 == a, sorted([b, a])[0].value, max(a, b).value


@program(graphs=1)
def comparison_of_what_has_none(x):
    class_ = Plain
    try:
        class_() < class_()
    except TypeError as error:
        message = str(error)
    a = class_()
    return x + 1, message, a == a, a == class_(), a != class_()


class Plain:
    pass


class Weird:
    def __eq__(self, other):
        return "yes"

    def __lt__(self, other):
        return []

    def __ne__(self, other):
        return 0


@program(graphs=1)
def comparison_gives_anything(x):
    w = Weird()
    return x + 1, w == 1, w != 1, w < 2, 1 == w, w > 2 if False else None, [w] == [3], 3 in [w]


@program(graphs=1)
def objects_as_keys(x):
    d = {Number(1): "one", Number(2): "two"}
    d[Number(1)] = "again"
    return x + len(d), d[Number(2)], Number(1) in d, Number(3) in d, d.get(Number(1)), 1 in d


@program(graphs=1)
def objects_in_sets(x):
    s = {Number(1), Number(1), Number(2)}
    s.add(Number(2))
    return x + len(s), Number(2) in s


@program(graphs=1)
def objects_as_keys_by_identity(x):
    a, b = Plain(), Plain()
    d = {a: 1, b: 2}
    return x + d[a] + d[b], Plain() in d, len({a, b, a})


@program(graphs=1)
def dict_with_object_keys_returned(x):
    return {Number(1): x + 1, Plain: 2}, x * 2


class Unhashable:
    def __eq__(self, other):
        return True


@program(graphs=1)
def eq_without_hash(x):
    try:
        {Unhashable(): 1}
    except TypeError as error:
        return x + 1, str(error), Unhashable.__hash__


class BadHash:
    def __hash__(self):
        raise ValueError("no hash")


@program(graphs=1)
def hash_that_raises(x):
    try:
        {BadHash(): 1}
    except ValueError as error:
        return x + 1, str(error)


@program(graphs=1)
def hash_function(x):
    return x + hash(Number(3)), hash(3), hash("a") == hash("a"), hash((1, 2)) == hash((1, 2)), hash(None) == hash(None)


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


class Truthy:
    def __bool__(self):
        return False

    def __len__(self):
        return 5


@program(tensor(2), Sized(0), graphs=1, changed=[(tensor(2), Sized(3))])
def truth_by_length(x, s):
    return (x + 1 if s else x - 1), len(s), bool(s)


@program(graphs=1)
def truth_protocols(x):
    return x + 1, bool(Truthy()), bool(Plain()), bool(Sized(2)), not Sized(0), bool([]), bool([0]), bool(""), bool(0.0)


@program(graphs=1)
def bad_truth_and_length(x):
    results = []
    for f in (lambda: bool(BadBool()), lambda: len(BadLen(-1)), lambda: len(BadLen("a")), lambda: len(3)):
        try:
            results.append(f())
        except (TypeError, ValueError) as error:
            results.append((type(error), str(error)))
    return x + 1, results


class BadBool:
    def __bool__(self):
        return 3


class BadLen:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


class Container:
    def __init__(self, **items):
        self.items = items
        self.log = []

    def __getitem__(self, key):
        self.log.append(key)
        return self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value

    def __delitem__(self, key):
        del self.items[key]

    def __contains__(self, key):
        return key in self.items

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __reversed__(self):
        return reversed(list(self.items))


@program(tensor(2), Container(a=1, b=2), graphs=1)
def container_protocol(x, c):
    c["c"] = x + 1
    del c["a"]
    return c["b"], "a" in c, len(c), list(c), list(reversed(c)), c["c"], [*c], dict.fromkeys(c)


class OldSequence:
    def __getitem__(self, index):
        if index > 2:
            raise IndexError(index)
        return index * 10


@program(graphs=1)
def old_iteration_protocol(x):
    s = OldSequence()
    return x + sum(s), list(s), 20 in s, [*s]


class Slicer:
    def __getitem__(self, key):
        return key


@program(graphs=1)
def keys_of_every_kind(x):
    s = Slicer()
    return x + 1, s[1], s[1:2], s[::3], s[1, 2], s[1:2, ...], s[()], s[None]


@program(graphs=1)
def containment_by_iteration(x):
    class_ = OnlyIter
    return x + 1, 2 in class_(), 9 in class_()


class OnlyIter:
    def __iter__(self):
        return iter([1, 2, 3])


@program(graphs=1)
def not_iterable_not_container(x):
    results = []
    for f in (lambda: 1 in Plain(), lambda: iter(Plain()), lambda: Plain()[0], lambda: len(Plain())):
        try:
            results.append(f())
        except TypeError as error:
            results.append(str(error))
    return x + 1, results


@program(graphs=1)
def isinstance_forms(x):
    return (
        x + 1, isinstance(3, int), isinstance(3, (str, int)), isinstance(3, int | str), isinstance(True, int),
        isinstance([], list | None), isinstance(None, int | None), isinstance("a", (int, (float, str))),
        isinstance(Number(1), Number), isinstance(Better(1), Number), isinstance(3, object), isinstance(int, type),
    )  # fmt: skip


@program(graphs=1)
def isinstance_with_abstract_classes(x):
    abc = collections.abc
    return (
        x + 1, isinstance([], abc.Sequence), isinstance({}, abc.Mapping), isinstance(3, numbers.Number),
        isinstance(Sized(1), abc.Sized), isinstance(Plain(), abc.Hashable), isinstance(Unhashable(), abc.Hashable),
        isinstance(OnlyIter(), abc.Iterable), isinstance(iter([]), abc.Iterator), isinstance(len, abc.Callable),
        issubclass(list, abc.MutableSequence), issubclass(dict, abc.Sequence),
    )  # fmt: skip


class Virtual(collections.abc.Sized):
    pass


class HookMeta(type):
    def __instancecheck__(cls, obj):
        return getattr(obj, "quacks", False)

    def __subclasscheck__(cls, other):
        return other.__name__.startswith("P")


class Duck(metaclass=HookMeta):
    pass


class Quacker:
    quacks = True


@program(graphs=1)
def instancecheck_of_a_metaclass(x):
    return (
        x + 1, isinstance(Quacker(), Duck), isinstance(3, Duck), isinstance(Duck(), Duck), issubclass(Plain, Duck),
        issubclass(Sized, Duck), isinstance(Quacker(), (int, Duck)),
    )  # fmt: skip


@program(graphs=1)
def issubclass_forms(x):
    return x + 1, issubclass(Better, Number), issubclass(bool, (str, int)), issubclass(int, int | str)


@program(graphs=1)
def isinstance_nonsense(x):
    results = []
    for f in (lambda: isinstance(3, 3), lambda: issubclass(3, int), lambda: isinstance(3, list[int])):
        try:
            f()
        except TypeError as error:
            results.append(str(error))
    return x + 1, results


@typing.runtime_checkable
class HasArea(typing.Protocol):
    def area(self): ...


class Shape:
    def area(self):
        return 1


@program(graphs=1)
def runtime_protocol(x):
    return x + 1, isinstance(Shape(), HasArea), isinstance(Plain(), HasArea)


@program(graphs=1)
def isinstance_of_tensors(x):
    import torch

    return x + 1, isinstance(x, torch.Tensor), isinstance(x, (int, torch.Tensor)), isinstance(x, torch.nn.Parameter)


class Liar:
    @property
    def __class__(self):
        return int


@program(tensor(2), Liar(), graphs=1)
def class_that_lies(x, obj):
    return x + 1, isinstance(obj, int), type(obj) is Liar, obj.__class__


@program(tensor(2), [1], [1], graphs=1)
def identity_of_equal_lists(x, a, b):
    return x + 1, a is b, a == b, a is a


@program(tensor(2), *[[1]] * 2, graphs=1)
def identity_of_one_list(x, a, b):
    a.append(2)
    return x + len(b), a is b


@program(tensor(2), *[tensor(2)] * 2, graphs=1)
def identity_of_tensors(x, a, b):
    return x + 1, a is b, a is x, x is x


@program(tensor(2), 1000, 1000, graphs=1, changed=[(tensor(2), 1000, 1001)])
def identity_of_numbers(x, a, b):
    return x + 1, a == b, a is None, None is None, a is not b if a != b else None


@program(graphs=1)
def identity_of_singletons(x):
    n = None
    return x + 1, n is None, True is True, ... is ..., NotImplemented is NotImplemented, () is ()


@program(graphs=1)
def tensor_operators(x):
    return (
        x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x / 2, 2 / x, x // 2, x % 2, x**2, 2**x, x @ x.T, x < 2, 2 < x, x == 1,
        x != 1, (x > 1) & (x < 3), (x > 1) | (x < 3), abs(x), divmod(x, 2) if False else None, round(x) if False else 0,
    )  # fmt: skip


class TensorFriend:
    def __radd__(self, other):
        return "radd"

    def __add__(self, other):
        return "add"


@program(graphs=1)
def object_with_tensor_operator(x):
    return x + 1, TensorFriend() + x


@program(graphs=1)
def mixed_numbers(x):
    return x + (1 + 2.5), 1 + True, 3 / 2, 2**-1, 1 < 2.5, 1 == 1.0, (1 + 2j).real, int("12"), float("1.5"), str(3)


@program(graphs=1)
def operator_on_subclass_of_builtin(x):
    return x + 1, MyInt(3) + 4, type(MyInt(3) + 4), MyInt(3) == 3, MyStr("a") + "b", MyList([1]) + [2], MyInt(5).twice()


class MyInt(int):
    def twice(self):
        return self * 2


class MyStr(str):
    pass


class MyList(list):
    def first(self):
        return self[0]


@program(graphs=1)
def list_subclass(x):
    items = MyList([x, 2])
    items.append(3)
    items.note = "n"
    return items.first() + len(items), items, isinstance(items, list), items == [x, 2, 3] if False else None


@program(graphs=1)
def getitem_on_class(x):
    return x + 1, Generic[int], Generic["a"]


class Generic:
    def __class_getitem__(cls, item):
        return (cls.__name__, item)


@program(tensor(2), graphs=1)
def in_place_on_what_is_no_tensor(x):
    total = 0
    for row in (x, x * 2):
        total += row
    factor = 2.0
    factor *= x
    items = [1]
    items += x
    return total, factor, items
