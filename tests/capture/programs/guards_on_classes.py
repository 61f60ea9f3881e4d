"""What was found out about a class is found out again when the class has changed."""

import abc
import collections.abc
import enum
import functools

from tests.capture.harness import meanwhile, program, tensor


class Animal:
    legs = 4

    def noise(self):
        return 1

    @property
    def size(self):
        return 2

    @staticmethod
    def helper():
        return 3

    @classmethod
    def maker(cls):
        return cls.legs


class Dog(Animal):
    pass


class Puppy(Dog):
    def noise(self):
        return super().noise() * 10


class Robot:
    legs = 2

    def noise(self):
        return 7


class Silent:
    def __getattr__(self, name):
        return len(name)


def assign(cls, name, value):
    return meanwhile(lambda: setattr(cls, name, value))


def remove(cls, name):
    return meanwhile(lambda: delattr(cls, name))


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__name__", "Beast"))])
def name_of_a_class(x, _):
    return x + len(Animal.__name__), Animal.__name__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__qualname__", "Zoo.Beast"))])
def qualified_name_of_a_class(x, _):
    return x + 1, Animal.__qualname__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def bases_of_a_class(x, _):
    return x + len(Dog.__bases__), Dog.__bases__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def order_of_a_class(x, _):
    return x + len(Puppy.__mro__), Puppy.__mro__, Puppy.mro()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def base_of_a_class(x, _):
    return x + 1, Dog.__base__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def instance_of_a_class(x, _):
    return x + isinstance(Puppy(), Animal), isinstance(Dog(), Robot), isinstance(Dog(), (int, Animal))


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def subclass_of_a_class(x, _):
    return x + issubclass(Puppy, Animal), issubclass(Dog, Robot), issubclass(Dog, Animal | Robot)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def method_through_super(x, _):
    return x + Puppy().noise()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "__bases__", (Robot,)))])
def attribute_of_a_base(x, _):
    return x + Puppy.legs, Puppy().legs


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "noise", lambda self: 5))])
def method_added_between_class_and_base(x, _):
    return x + Dog().noise()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "noise", lambda self: 5))])
def method_replaced(x, _):
    return x + Puppy().noise()


@program(
    tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "legs", 6)), (tensor(2), remove(Animal, "legs"))]
)
def attribute_replaced_and_removed(x, _):
    return x + getattr(Dog, "legs", 0)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "size", 9))])
def property_replaced_by_a_value(x, _):
    return x + Dog().size


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "size", property(lambda self: 9)))])
def property_replaced(x, _):
    return x + Dog().size


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "helper", staticmethod(lambda: 9)))])
def static_method_replaced(x, _):
    return x + Dog.helper() + Dog().helper()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Dog, "legs", 3))])
def class_method_sees_a_new_attribute(x, _):
    return x + Dog.maker()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Silent, "abcdef", 100))])
def fallback_no_longer_needed(x, _):
    return x + Silent().abcdef


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Silent, "__getattr__", lambda self, name: -1))])
def fallback_replaced(x, _):
    return x + Silent().abcdef


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__getattribute__", lambda self, name: 5))])
def attribute_access_replaced(x, _):
    return x + Dog().legs


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__len__", lambda self: 0))])
def truth_of_an_object(x, _):
    return x + 1 if Dog() else x - 1


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__bool__", lambda self: False))])
def truth_by_bool(x, _):
    return x + 1 if Dog() else x - 1


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__eq__", lambda self, other: True))])
def equality(x, _):
    return x + (Dog() == Dog())


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__call__", lambda self: 5))])
def becomes_callable(x, _):
    return x + callable(Dog()), Dog()() if callable(Dog()) else 0


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__iter__", lambda self: iter([1, 2])))])
def becomes_iterable(x, _):
    return x + isinstance(Dog(), collections.abc.Iterable)


@program(
    tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__init__", lambda self: setattr(self, "q", 1)))]
)
def constructor_added(x, _):
    return x + hasattr(Dog(), "q")


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__new__", lambda cls: 3))])
def new_added(x, _):
    return x + isinstance(Dog(), int)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__setattr__", lambda self, n, v: None))])
def assignment_replaced(x, _):
    dog = Dog()
    dog.q = 3
    return x + hasattr(dog, "q")


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "__doc__", "new"))])
def documentation(x, _):
    return x + 1, Animal.__doc__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "extra", 1))])
def names_of_a_class(x, _):
    return x + len(vars(Animal)), "extra" in Animal.__dict__, [n for n in Animal.__dict__ if n[0] != "_"]


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Animal, "extra", 1))])
def one_name_of_a_class(x, _):
    return x + Animal.__dict__.get("extra", 5), Animal.__dict__["legs"]


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: Animal.__annotations__.update(a=int)))])
def annotations_of_a_class(x, _):
    return x + len(Animal.__annotations__), Animal.__annotations__


class Meta(type):
    def __call__(cls, *args):
        return super().__call__(*args)

    @property
    def label(cls):
        return cls.__name__ * 2


class Labelled(metaclass=Meta):
    pass


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Labelled, "__name__", "L"))])
def property_of_the_metaclass(x, _):
    return x + len(Labelled.label), Labelled.label


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Meta, "__call__", lambda cls: 5))])
def metaclass_call_replaced(x, _):
    return x + 1, type(Labelled())


class Shape(abc.ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return True if hasattr(other, "area") else NotImplemented


class Square:
    def area(self):
        return 4


class Blob:
    pass


class Registry(abc.ABC):  # noqa: B024
    pass


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: Registry.register(Blob)))])
def registered_with_an_abstract_class(x, _):
    return x + isinstance(Blob(), Registry), issubclass(Square, Registry)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), None), (tensor(2), assign(Blob, "area", 1))])
def hook_of_an_abstract_class(x, _):
    return x + isinstance(Square(), Shape), isinstance(Blob(), Shape), isinstance(3, Shape)


@program(tensor(2), graphs=1, steady=False)
def registers_during_the_call(x):
    before = isinstance(Blob(), Registry)
    Registry.register(Blob)
    return x + isinstance(Blob(), Registry), before


@program(tensor(2), graphs=1, steady=False)
def registers_and_asks_for_a_base(x):
    Registry.register(Animal)
    return x + issubclass(Puppy, Registry), isinstance(Dog(), Registry), isinstance(Robot(), Registry)


@program(tensor(2), graphs=1, steady=False)
def registers_by_decorator(x):
    @Registry.register
    class Mine:
        pass

    return x + isinstance(Mine(), Registry), issubclass(Mine, Registry)


@program(tensor(2))
def registering_in_a_circle(x):
    class Below(Registry):
        pass

    Below.register(Registry)
    return x


@program(tensor(2), [1], graphs=1)
def abstract_classes_of_the_library(x, items):
    kinds = collections.abc
    return (
        x + isinstance(items, kinds.Sequence),
        isinstance({}, kinds.Mapping),
        isinstance(items, kinds.Hashable),
        isinstance(len, kinds.Callable),
        isinstance(Square(), kinds.Sized),
        issubclass(dict, kinds.MutableMapping),
        isinstance(iter(items), kinds.Iterator),
        isinstance((i for i in items), kinds.Generator),
    )


@program(tensor(2), graphs=1)
def abstract_classes_and_made_ones(x):
    class Bag:
        def __len__(self):
            return 0

        def __iter__(self):
            return iter(())

        def __contains__(self, item):
            return False

    kinds = collections.abc
    return (
        x + isinstance(Bag(), kinds.Collection),
        issubclass(Bag, kinds.Sized),
        isinstance(Bag(), kinds.Hashable),
        issubclass(Bag, kinds.Callable),
    )


class Plug:
    def __instancecheck__(self, obj):
        return obj == 3

    def __subclasscheck__(self, cls):
        return cls is int


PLUG = Plug()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Plug, "__instancecheck__", lambda self, obj: True))])
def own_instance_check(x, _):
    return x + isinstance(3, PLUG), isinstance(4, PLUG), issubclass(int, PLUG), issubclass(str, PLUG)


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def darker(self):
        return self.value - 1


@program(tensor(2), Color.RED, graphs=1, changed=[(tensor(2), Color.BLUE)])
def members_of_an_enumeration(x, color):
    return x + color.darker(), color is Color.RED, color.name


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Color, "darker", lambda self: 50))])
def method_of_an_enumeration(x, _):
    return x + Color.RED.darker()


@functools.total_ordering
class Ranked:
    def __init__(self, rank):
        self.rank = rank

    def __eq__(self, other):
        return self.rank == other.rank

    def __lt__(self, other):
        return self.rank < other.rank


@program(tensor(2), None, graphs=1, changed=[(tensor(2), assign(Ranked, "__lt__", lambda self, other: False))])
def ordering(x, _):
    return x + (Ranked(1) < Ranked(2)), Ranked(1) >= Ranked(2), sorted([Ranked(2), Ranked(1)])[0].rank


@program(tensor(2), Dog(), graphs=1, changed=[(tensor(2), Puppy()), (tensor(2), Robot()), (tensor(2), 5)])
def class_of_an_argument(x, obj):
    return x + len(type(obj).__name__), type(obj) is Dog, isinstance(obj, Animal)


@program(tensor(2), Dog, graphs=1, changed=[(tensor(2), Puppy), (tensor(2), Robot), (tensor(2), int)])
def a_class_as_an_argument(x, cls):
    return x + len(cls.__name__), cls.__mro__, issubclass(cls, Animal), getattr(cls, "legs", 0)
