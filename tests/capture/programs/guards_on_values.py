"""Whatever else a capture depends on: when it changes, the call is captured again."""

import collections
import functools
import math
import operator
import types

import torch

from tests.capture.harness import call, meanwhile, program, tensor

NUMBER = 3
NUMBERS = [1, 2, 3]
TABLE = {"a": 1, "b": {"c": 2}}
SPACE = types.SimpleNamespace(a=1, inner=types.SimpleNamespace(b=2))
FLAG = True


class Box:
    kind = "box"

    def __init__(self, value=1):
        self.value = value

    def get(self):
        return self.value


BOX = Box()
BOX.child = Box(5)


def helper(a, b=2, *, c=3):
    return a + b + c


def other_helper(a, b=2, *, c=3):
    return a - b - c


def set_global(name, value):
    return meanwhile(lambda: globals().__setitem__(name, value))


@program(
    tensor(2), None, graphs=1, changed=[(tensor(2), set_global("NUMBER", 4)), (tensor(2), set_global("NUMBER", 3.0))]
)
def global_number(x, _):
    return x + NUMBER, NUMBER


@program(tensor(2), None, graphs=1, changed=[(tensor(2), set_global("helper", other_helper))])
def global_function(x, _):
    return x + helper(1)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), set_global("len", lambda items: 50))])
def builtin_shadowed(x, _):
    return x + len(NUMBERS)


@program(tensor(2), None, changed=[(tensor(2), meanwhile(lambda: globals().pop("NUMBER")))])
def global_removed(x, _):
    return x + NUMBER


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(helper, "__defaults__", (20,))))])
def default_replaced(x, _):
    return x + helper(1)


@program(
    tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(helper, "__kwdefaults__", {"c": 9})))]
)
def keyword_default_replaced(x, _):
    return x + helper(1)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: helper.__kwdefaults__.update(c=9)))])
def keyword_default_changed_in_place(x, _):
    return x + helper(1)


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[(tensor(2), meanwhile(lambda: setattr(helper, "__code__", other_helper.__code__)))],
)
def code_replaced(x, _):
    return x + helper(1)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(helper, "__name__", "renamed")))])
def name_of_a_function(x, _):
    return x + len(helper.__name__), helper.__name__, helper.__qualname__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(helper, "__doc__", "text")))])
def text_of_a_function(x, _):
    return x + 1, helper.__doc__, helper.__module__


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(helper, "note", 5)))])
def attribute_of_a_function(x, _):
    return x + getattr(helper, "note", 1)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: helper.__annotations__.update(a=int)))])
def annotations_of_a_function(x, _):
    return x + len(helper.__annotations__), dict(helper.__annotations__)


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[(tensor(2), meanwhile(lambda: NUMBERS.append(9))), (tensor(2), meanwhile(NUMBERS.clear))],
)
def length_of_a_list(x, _):
    return x + len(NUMBERS)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: NUMBERS.__setitem__(1, 7)))])
def item_of_a_list(x, _):
    return x + NUMBERS[1]


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(NUMBERS.reverse))])
def order_of_a_list(x, _):
    total = x
    for number in NUMBERS:
        total = total * number + 1
    return total


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: TABLE["b"].update(c=5)))])
def nested_dict(x, _):
    return x + TABLE["b"]["c"]


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: TABLE.update(new=1)))])
def key_added(x, _):
    return x + ("new" in TABLE), TABLE.get("new")


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: TABLE.update(a=TABLE.pop("a"))))])
def order_of_a_dict(x, _):
    return x + 1, list(TABLE)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(SPACE.inner, "b", 9)))])
def nested_attributes(x, _):
    return x + SPACE.inner.b


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(SPACE, "inner", SPACE)))])
def object_replaced(x, _):
    return x + 1, hasattr(SPACE.inner, "a"), SPACE.inner is SPACE


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(BOX, "kind", "crate")))])
def attribute_over_a_class_attribute(x, _):
    return x + len(BOX.kind)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: setattr(BOX, "get", lambda: 77)))])
def method_over_a_class_method(x, _):
    return x + BOX.get()


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: delattr(BOX, "child")))])
def attribute_removed(x, _):
    return x + (BOX.child.value if hasattr(BOX, "child") else 0)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: BOX.__dict__.update(value=8)))])
def attribute_changed_through_the_dict(x, _):
    return x + BOX.value


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[(tensor(2), meanwhile(lambda: setattr(BOX, "__class__", type("New", (Box,), {"get": lambda self: 0}))))],
)
def class_of_an_object_replaced(x, _):
    return x + BOX.get()


@program(tensor(2), 0.0, graphs=1, changed=[(tensor(2), -0.0), (tensor(2), math.nan), (tensor(2), 0)])
def float_by_its_bits(x, number):
    return x + 1, math.copysign(1, number), repr(number)


@program(tensor(2), math.nan, graphs=1, changed=[(tensor(2), math.inf), (tensor(2), math.nan)])
def not_a_number(x, number):
    return x + 1, number == number, math.isnan(number)


@program(tensor(2), 1 + 2j, graphs=1, changed=[(tensor(2), 1 - 2j), (tensor(2), complex(-0.0, 2)), (tensor(2), 1)])
def complex_by_its_bits(x, number):
    return x + number.real, number


@program(tensor(2), "a", graphs=1, changed=[(tensor(2), "b"), (tensor(2), b"a"), (tensor(2), None)])
def text(x, word):
    return x + 1 if word == "a" else x - 1


@program(tensor(2), (1, (2, 3)), graphs=1, changed=[(tensor(2), (1, (2, 4))), (tensor(2), [1, (2, 3)])])
def nested_tuple(x, parts):
    return x + parts[1][1]


@program(tensor(2), {1, 2}, graphs=1, changed=[(tensor(2), {1, 3}), (tensor(2), {1}), (tensor(2), frozenset({1, 2}))])
def elements_of_a_set(x, items):
    return x + sum(items), 2 in items, type(items)


@program(tensor(2), range(3), graphs=1, changed=[(tensor(2), range(0, 3, 2)), (tensor(2), range(4))])
def range_argument(x, numbers):
    return x + sum(numbers), len(numbers)


@program(tensor(2), slice(1), graphs=1, changed=[(tensor(2), slice(0, 1)), (tensor(2), slice(None))])
def slice_argument(x, part):
    return x[part], part.stop


@program(tensor(2), None, graphs=1, changed=[(tensor(2), 0), (tensor(2), False), (tensor(2), "")])
def what_is_false(x, thing):
    return x + 1 if thing is None else x - 1 if not thing else x


SHARED = [1, 2]


@program(tensor(2), [SHARED, SHARED], graphs=1, changed=[(tensor(2), [[1, 2], [1, 2]])])
def aliases_in_a_list(x, pair):
    pair[0].append(3)
    return x + len(pair[1]), pair[0] is pair[1]


@program(tensor(2), Box(SHARED), SHARED, graphs=1, changed=[(tensor(2), Box([1, 2]), [1, 2])])
def aliases_between_arguments(x, box, items):
    box.value.append(3)
    return x + len(items), box.value is items


SAME = tensor(2)


@program(SAME, SAME, graphs=1, changed=[(tensor(2), tensor(2))])
def the_same_tensor_twice(x, y):
    x.add_(1)
    return y * 2, x is y


@program({"x": SAME, "y": SAME}, graphs=1, changed=[({"x": tensor(2), "y": tensor(2)},)])
def the_same_tensor_in_a_dict(table):
    table["x"].mul_(2)
    return table["y"] + 1


@program([SAME], SAME, graphs=1, changed=[([tensor(2)], tensor(2))])
def tensor_also_in_a_list(items, x):
    items[0] = items[0] + 1
    return items[0] is x, x + 1


@program(tensor(4), graphs=1, changed=[(tensor(2, 2),), (tensor(4, dtype=torch.int64),), (tensor(4, grad=True),)])
def kinds_of_tensors(x):
    return x + 1, x.dim(), x.dtype, x.requires_grad, tuple(x.shape)


@program(tensor(2), operator.itemgetter(0), graphs=1, steady=False, changed=[(tensor(2), operator.itemgetter(1))])
def getter_argument(x, get):
    return x + get([1, 2])


@program(
    tensor(2),
    functools.partial(helper, 1),
    graphs=1,
    changed=[
        (tensor(2), functools.partial(helper, 2)),
        (tensor(2), functools.partial(helper, 1, c=9)),
        (tensor(2), functools.partial(other_helper, 1)),
    ],
)
def partial_argument(x, function):
    return x + function()


@program(tensor(2), Box(2).get, graphs=1, changed=[(tensor(2), Box(3).get)])
def method_argument(x, method):
    return x + method(), method.__self__.value


@program(tensor(2), [3].append, graphs=1, changed=[(tensor(2), [4].append), (tensor(2), {4}.add)])
def builtin_method_argument(x, method):
    method(9)
    return x + 1, method.__self__


@program(tensor(2), "abc".upper, graphs=1, changed=[(tensor(2), "abd".upper), (tensor(2), "abc".title)])
def builtin_method_of_text(x, method):
    return x + 1, method()


@program(tensor(2), lambda: 1, graphs=1, changed=[(tensor(2), lambda: 2)])
def function_argument(x, function):
    return x + function()


def make_adder(n):
    def add(m):
        return n + m

    return add


@program(tensor(2), make_adder(1), graphs=1, changed=[(tensor(2), make_adder(1)), (tensor(2), make_adder(2))])
def closure_argument(x, function):
    return x + function(1)


@program(
    call(tensor(2), a=1),
    graphs=1,
    changed=[call(tensor(2), a=2), call(tensor(2), b=1), call(tensor(2), a=1, b=1), call(tensor(2))],
)
def keywords(x, **options):
    return x + sum(options.values()), list(options)


@program(call(tensor(2), 1), graphs=1, changed=[call(tensor(2)), call(tensor(2), 1, 2), call(tensor(2), 2)])
def more_positional_arguments(x, *numbers):
    return x + sum(numbers), numbers


@program(
    tensor(2),
    collections.deque([1, 2], 3),
    graphs=1,
    changed=[
        (tensor(2), collections.deque([1, 2], 2)),
        (tensor(2), collections.deque([1, 2])),
        (tensor(2), collections.deque([2, 1], 3)),
    ],
)
def deque_argument(x, items):
    items.append(3)
    return x + items[0], items.maxlen, len(items)


@program(
    tensor(2), collections.OrderedDict(a=1, b=2), graphs=1, changed=[(tensor(2), collections.OrderedDict(b=2, a=1))]
)
def ordered_dict_argument(x, table):
    return x + next(iter(table.values())), list(table)


@program(
    tensor(2),
    collections.defaultdict(list, a=[1]),
    graphs=1,
    changed=[
        (tensor(2), collections.defaultdict(dict, a=[1])),
        (tensor(2), collections.defaultdict(list)),
    ],
)
def default_dict_argument(x, table):
    return x + len(table["a"]), table["q"]


VIEWED = {"a": 1}
VIEW = types.MappingProxyType(VIEWED)


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: VIEWED.update(a=2, b=3)))])
def read_only_view(x, _):
    return x + VIEW["a"], len(VIEW), "b" in VIEW, list(VIEW.items()), VIEW | {"z": 1}, repr(VIEW), VIEW == VIEWED
