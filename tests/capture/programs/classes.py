"""Instances and attributes: methods, properties, descriptors, `__getattr__`, `__slots__`, `super`, metaclasses."""

import abc
import functools
from dataclasses import dataclass

from tests.capture.harness import program, tensor


class Base:
    kind = "base"
    shared = []

    def __init__(self, value=1):
        self.value = value

    def scaled(self, x):
        return x * self.value

    @classmethod
    def made(cls, value):
        return cls(value * 2)

    @staticmethod
    def plus(x, y):
        return x + y

    @property
    def double(self):
        return self.value * 2

    @double.setter
    def double(self, new):
        self.value = new / 2

    @double.deleter
    def double(self):
        self.value = None


class Derived(Base):
    kind = "derived"

    def __init__(self, value=2, other=3):
        super().__init__(value)
        self.other = other

    def scaled(self, x):
        return super().scaled(x) + self.other

    @classmethod
    def made(cls, value):
        made = super().made(value)
        made.other = -1
        return made

    @property
    def double(self):
        return super().double + 1


@program(tensor(2), Base(3), graphs=1, changed=[(tensor(2), Base(4)), (tensor(2), Derived(3))])
def method_of_an_argument(x, obj):
    return obj.scaled(x)


@program(graphs=1)
def made_in_the_call(x):
    obj = Base(x + 1)
    return obj.scaled(x), obj


@program(graphs=1)
def made_and_returned_twice(x):
    obj = Derived()
    obj.self = obj
    obj.tensor = x + 1
    return obj, [obj]


@program(tensor(2), Base(3), graphs=1)
def attribute_written(x, obj):
    obj.value += 1
    obj.fresh = x + obj.value
    return obj.fresh


@program(tensor(2), Base(3), graphs=1)
def attribute_deleted(x, obj):
    value = obj.value
    del obj.value
    try:
        obj.value
    except AttributeError as error:
        return x + value, str(error)


@program(tensor(2), Base(3), graphs=1)
def attribute_deleted_twice(x, obj):
    del obj.value
    try:
        del obj.value
    except AttributeError as error:
        return x + 1, str(error)


@program(graphs=1)
def class_and_static_methods(x):
    return Base.made(2).value + x, Base.plus(x, 1), Base().plus(x, 2), Derived.made(3).other, Base(1).made(5).value


@program(tensor(2), Base(3), graphs=1)
def property_of_an_argument(x, obj):
    first = obj.double
    obj.double = 10
    return x + first, obj.value, obj.double


@program(tensor(2), Base(3), graphs=1)
def property_deleted(x, obj):
    del obj.double
    return x + 1, obj.value


@program(graphs=1)
def property_of_made(x):
    d = Derived(4)
    return x + d.double, type(Derived.double)


class ReadOnly:
    @property
    def fixed(self):
        return 5

    @property
    def failing(self):
        raise AttributeError("inside the property")


@program(tensor(2), ReadOnly(), graphs=1)
def property_without_setter(x, obj):
    try:
        obj.fixed = 3
    except AttributeError as error:
        message = str(error)
    try:
        del obj.fixed
    except AttributeError as error:
        return x + obj.fixed, message, str(error)


@program(tensor(2), ReadOnly(), graphs=1)
def property_that_raises(x, obj):
    return x + 1, getattr(obj, "failing", "default"), hasattr(obj, "failing")


@program(graphs=1)
def super_chain(x):
    d = Derived(2, 5)
    return d.scaled(x), super(Derived, d).scaled(x), super(Derived, Derived).kind


class Left(Base):
    def scaled(self, x):
        return super().scaled(x) + 10


class Right(Base):
    def scaled(self, x):
        return super().scaled(x) * 100


class Diamond(Left, Right):
    def scaled(self, x):
        return -super().scaled(x)


@program(graphs=1)
def diamond(x):
    return Diamond(2).scaled(x), [c.__name__ for c in Diamond.__mro__]


@program(graphs=1)
def bound_methods(x):
    obj = Base(3)
    f = obj.scaled
    return f(x), f.__self__ is obj, f.__func__ is Base.scaled, obj.scaled == obj.scaled, obj.scaled is obj.scaled, f


@program(graphs=1)
def unbound_call(x):
    return Base.scaled(Base(2), x), Derived.scaled(Derived(1, 1), x)


@program(graphs=1)
def method_on_instance(x):
    obj = Base(2)
    obj.scaled = lambda value: value + 100
    return obj.scaled(x)


@program(graphs=1)
def class_attribute_through_instance(x):
    a, b = Base(), Derived()
    a.kind = "own"
    return x + 1, a.kind, b.kind, Base.kind, type(b).kind, b.__class__.kind


@program(graphs=1, steady=False)
def class_list_mutated_in_a_method(x):
    obj = Base()
    obj.shared.append(1)
    return x + len(Base.shared)


class Counter:
    count = 0
    log = []

    def bump(self):
        Counter.count += 1
        self.log.append(self.count)
        return self.count


@program(graphs=1, steady=False)
def class_attribute_written(x):
    c = Counter()
    c.bump()
    return x + c.bump(), Counter.count


@program(graphs=1)
def class_attribute_added_and_removed(x):
    Counter.fresh = 5
    y = x + Counter().fresh
    del Counter.fresh
    return y, hasattr(Counter, "fresh")


@program(graphs=1, steady=False)
def class_attribute_written_on_subclass(x):
    Derived.kind = Derived.kind + "!"
    return x + len(Derived().kind), Base.kind


class Fallback:
    def __init__(self):
        self.known = 1

    def __getattr__(self, name):
        if name.startswith("x"):
            return len(name)
        raise AttributeError(f"no {name} here")


@program(tensor(2), Fallback(), graphs=1)
def getattr_fallback(x, obj):
    try:
        obj.missing
    except AttributeError as error:
        return x + obj.known + obj.xyz, str(error), hasattr(obj, "nope"), getattr(obj, "nope", 3)


class Everything:
    def __init__(self):
        self.value = 1

    def __getattribute__(self, name):
        if name == "magic":
            return 42
        return super().__getattribute__(name)

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2 if name == "doubled" else value)

    def __delattr__(self, name):
        super().__setattr__("deleted", name)
        super().__delattr__(name)


@program(tensor(2), Everything(), graphs=1)
def getattribute(x, obj):
    return x + obj.magic + obj.value


@program(tensor(2), Everything(), graphs=1)
def setattr_and_delattr(x, obj):
    obj.doubled = 4
    obj.plain = x + 1
    del obj.value
    return x + obj.doubled, obj.deleted


class Slotted:
    __slots__ = ("a", "b", "__weakref__")

    def __init__(self, a):
        self.a = a


class SlottedChild(Slotted):
    __slots__ = ("c",)


class SlottedWithDict(Slotted):
    pass


def slotted(a):
    made = Slotted(a)
    made.b = 5
    return made


@program(tensor(2), slotted(3), graphs=1, changed=[(tensor(2), slotted(4))])
def slots_of_an_argument(x, obj):
    obj.b = obj.a + 1
    return x + obj.b


@program(graphs=1)
def slots_of_made(x):
    obj = SlottedChild(1)
    obj.c = x + 1
    other = SlottedWithDict(2)
    other.free = 3
    return obj, other


@program(graphs=1)
def unset_slot_of_made(x):
    try:
        Slotted(1).b
    except AttributeError as error:
        return x + 1, str(error)


@program(tensor(2), Slotted(1), broken="the unset slot")
def unset_slot_of_an_argument(x, obj):
    return x + 1, hasattr(obj, "b"), hasattr(obj, "a")


@program(tensor(2), slotted(1), graphs=1)
def slot_deleted(x, obj):
    del obj.b
    return x + 1, hasattr(obj, "b")


@program(graphs=1)
def no_such_slot(x):
    try:
        Slotted(1).other = 2
    except AttributeError as error:
        return x + 1, str(error)


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(f"{self.name} must be positive")
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        delattr(instance, self.name)


class NonData:
    def __get__(self, instance, owner):
        return (instance is None, owner.__name__)


class Described:
    size = Positive()
    where = NonData()


@program(tensor(2), Described(), graphs=1)
def data_descriptor(x, obj):
    first = obj.size
    obj.size = 5
    try:
        obj.size = -1
    except ValueError as error:
        message = str(error)
    second = obj.size
    del obj.size
    return x + second, first, message, obj.size, type(Described.size)


@program(graphs=1)
def dictionary_of_a_class(x):
    return x + 1, Described.size is Described.__dict__["size"], "where" in vars(Described)


@program(graphs=1)
def non_data_descriptor(x):
    obj = Described()
    first = obj.where
    obj.where = "own"
    return x + 1, first, obj.where, Described.where


@program(graphs=1)
def descriptor_in_dict_is_ignored(x):
    obj = Described()
    obj.__dict__["size"] = 99
    return x + obj.size


class Cached:
    def __init__(self):
        self.calls = 0

    @functools.cached_property
    def value(self):
        self.calls += 1
        return self.calls + 10


@program(graphs=1)
def cached_property(x):
    obj = Cached()
    return x + obj.value + obj.value, obj.calls, obj


@program(tensor(2), Cached(), graphs=1)
def cached_property_of_an_argument(x, obj):
    return x + obj.value + obj.value


@program(tensor(2), Base(3), graphs=1)
def instance_dict(x, obj):
    obj.__dict__["added"] = 5
    return x + obj.added, sorted(obj.__dict__), vars(obj) is obj.__dict__, "value" in vars(obj)


@program(tensor(2), Base(3), graphs=1)
def instance_dict_updated(x, obj):
    obj.__dict__.update(value=7, other=x + 1)
    for name, value in list(vars(obj).items()):
        setattr(obj, name + "_copy", value)
    return obj.value_copy + obj.other


class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.through_meta = True
        return made

    def __getattr__(cls, name):
        return f"meta {name}"

    @property
    def meta_property(cls):
        return cls.__name__ + "!"

    def meta_method(cls, x):
        return x + len(cls.__name__)

    def __instancecheck__(cls, obj):
        return obj == 5

    def __contains__(cls, item):
        return item in cls.members

    def __iter__(cls):
        return iter(cls.members)

    def __len__(cls):
        return len(cls.members)

    def __getitem__(cls, key):
        return cls.members[key]

    def __bool__(cls):
        return False


class WithMeta(metaclass=Meta):
    members = [1, 2, 3]

    def __init__(self, a=0):
        self.a = a


@program(graphs=1)
def metaclass_call(x):
    obj = WithMeta(3)
    return x + obj.a, obj.through_meta, obj


@program(graphs=1)
def metaclass_attributes(x):
    return WithMeta.meta_method(x), WithMeta.meta_property, WithMeta.unknown, hasattr(WithMeta(), "meta_method")


@program(graphs=1)
def metaclass_protocols(x):
    return (
        x + len(WithMeta), list(WithMeta), 2 in WithMeta, WithMeta[1], bool(WithMeta), isinstance(5, WithMeta),
        isinstance(WithMeta(), WithMeta), isinstance(6, WithMeta),
    )  # fmt: skip


class New:
    instances = 0

    def __new__(cls, value):
        if value is None:
            return "not an instance"
        made = super().__new__(cls)
        made.new = value
        return made

    def __init__(self, value):
        self.init = value


@program(graphs=1)
def dunder_new(x):
    return New(x + 1), New(None)


class Singleton:
    one = None

    def __new__(cls):
        if cls.one is None:
            cls.one = super().__new__(cls)
        return cls.one


@program(graphs=1, steady=False)
def singleton(x):
    a, b = Singleton(), Singleton()
    a.value = 3
    return x + b.value, a is b


class Registry:
    known = []

    def __init_subclass__(cls, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag
        Registry.known.append(cls.__name__)


class Member(Registry, tag="m"):
    pass


@program(graphs=1)
def init_subclass_of_existing(x):
    return x + len(Registry.known), Member.tag


class Abstract(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def twice(self):
        return self.area() * 2


class Square(Abstract):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


@program(graphs=1)
def abstract_class(x):
    return x + Square(3).twice(), isinstance(Square(1), Abstract)


@program(graphs=1)
def abstract_class_instantiated(x):
    try:
        Abstract()
    except TypeError as error:
        return x + 1, str(error)


@dataclass
class Data:
    a: int
    b: list = None

    def __post_init__(self):
        if self.b is None:
            self.b = [self.a]


@program(graphs=1)
def dataclass_made(x):
    d = Data(3)
    return x + d.a, d, d == Data(3), d != Data(4)


@program(tensor(2), Base(1), Base(1), graphs=1)
def different_objects(x, a, b):
    a.value = 5
    return x + b.value, a is b, a == b


@program(tensor(2), *[Base(1)] * 2, graphs=1)
def same_object_twice(x, a, b):
    a.value = 5
    return x + b.value, a is b, a == b


@program(graphs=1)
def type_of_things(x):
    obj = Derived()
    return x + 1, type(obj) is Derived, type(obj).__name__, isinstance(obj, Base), type(type(obj)), type(3), type(None)


@program(graphs=1)
def getattr_setattr_by_name(x):
    obj = Base(1)
    for name in ("p", "q"):
        setattr(obj, name, x + len(name))
    delattr(obj, "p")
    return getattr(obj, "q"), hasattr(obj, "p"), getattr(obj, "p", None), obj


class Callable:
    def __init__(self, k):
        self.k = k

    def __call__(self, x, *, plus=0):
        return x * self.k + plus


@program(tensor(2), Callable(3), graphs=1, changed=[(tensor(2), Callable(4))])
def callable_object(x, f):
    return f(x), f(x, plus=1), callable(f)


@program(graphs=1)
def callable_made(x):
    return Callable(2)(x), list(map(Callable(3), [x]))


@program(tensor(2), Base(2), graphs=1)
def method_of_an_object_replaced(x, obj):
    Base.extra = lambda self, y: y + self.value
    result = obj.extra(x)
    del Base.extra
    return result


@program(tensor(2), Base(2), graphs=1)
def class_of_an_object_changed(x, obj):
    obj.__class__ = Derived
    obj.other = 4
    return obj.scaled(x), type(obj) is Derived


@program(make=True, graphs=1)
def bound_method_compiled():
    return Base(3).scaled, (tensor(2),)


@program(graphs=1)
def private_names(x):
    return Private().reveal() + x, sorted(vars(Private()))


class Private:
    def __init__(self):
        self.__hidden = 3

    def reveal(self):
        return self.__hidden


@program(graphs=1)
def object_compared_and_printed(x):
    obj = object()
    return x + 1, obj == obj, obj != obj, obj == object(), bool(obj), isinstance(obj, object)


@program(graphs=1)
def prints(x):
    print("value", x.shape, 3, sep="-", end="!\n")
    y = x + 1
    print("after")
    return y


class Wrapper:
    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        return getattr(self.inner, name)


@program(make=True, graphs=1)
def delegating_wrapper():
    def run(x, obj):
        return obj.scaled(x), obj.kind, obj.double

    return run, lambda: (tensor(2), Wrapper(Base(4)))


class Tree:
    def __init__(self, value, *children):
        self.value = value
        self.children = list(children)
        for child in children:
            child.parent = self

    def total(self):
        return self.value + sum(child.total() for child in self.children)


@program(tensor(2), Tree(1, Tree(2), Tree(3, Tree(4))), graphs=1)
def cyclic_structure(x, tree):
    leaf = tree.children[1].children[0]
    leaf.value = x
    return tree.total(), leaf.parent.parent is tree


@program(graphs=1)
def cyclic_structure_made(x):
    return Tree(x + 1, Tree(1), Tree(2, Tree(3)))
