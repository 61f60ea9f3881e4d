"""operator."""

import operator

from tests.capture.harness import program, tensor

first_item = operator.itemgetter(1)
nested = operator.attrgetter("inner.value", "name")
add_two = operator.methodcaller("add", 2, alpha=3)


class Inner:
    def __init__(self, value):
        self.value = value


class Outer:
    def __init__(self):
        self.inner = Inner(4)
        self.name = "outer"

    def __add__(self, other):
        return ("add", other)

    def __iadd__(self, other):
        self.name += str(other)
        return self

    def __index__(self):
        return 5

    def __contains__(self, item):
        return item == "yes"

    def __getitem__(self, key):
        return ("item", key)


@program(graphs=1)
def arithmetic_of_tensors(x):
    return operator.add(x, 1), operator.mul(2, x), operator.neg(x), operator.truediv(x, 2), operator.pow(x, 2)


@program(graphs=1)
def comparison_of_tensors(x):
    return operator.lt(x, 3), operator.eq(x, x), operator.ge(3, x)


@program(graphs=1)
def items_of_tensors(x):
    return operator.getitem(x, 0), operator.getitem(x, (slice(None), 1))


@program(graphs=1)
def set_item_of_a_tensor(x):
    y = x.clone()
    operator.setitem(y, 0, 5.0)
    return y


@program(graphs=1)
def arithmetic_of_numbers(x):
    found = [operator.floordiv(7, 2), operator.mod(7, 3), operator.lshift(1, 3), operator.xor(5, 1), operator.inv(5)]
    return x + 1, found, operator.index(True), operator.pos(-1), operator.abs(-3), operator.truth([]), operator.not_(0)


@program(graphs=1)
def user_objects(x):
    o = Outer()
    return x + 1, operator.add(o, 1), operator.index(o), operator.contains(o, "yes"), operator.getitem(o, 3)


@program(graphs=1)
def in_place(x):
    items, o = [1], Outer()
    same = operator.iadd(items, [2]) is items
    operator.iadd(o, 7)
    return x + 1, items, same, o.name, operator.iadd(1, 2), operator.imul([1], 2)


@program(tensor(2), [1, 2], {"a": 1}, graphs=1)
def changes_to_arguments(x, items, table):
    operator.setitem(items, 0, 9)
    operator.delitem(table, "a")
    operator.iconcat(items, [3])
    return x + 1


@program(graphs=1)
def identity(x):
    a = []
    return x + 1, operator.is_(a, a), operator.is_(a, []), operator.is_not(None, a)


@program(graphs=1)
def searching(x):
    return x + 1, operator.countOf([1, 2, 1], 1), operator.indexOf("abc", "b"), operator.contains([1], 2)


@program(graphs=1)
def searching_in_vain(x):
    try:
        operator.indexOf([1], 2)
    except ValueError as error:
        return x + 1, str(error)


@program(graphs=1)
def concat(x):
    return x + 1, operator.concat([1], [2]), operator.concat("a", "b")


@program(graphs=1)
def concat_of_numbers(x):
    try:
        operator.concat(1, 2)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def index_of_a_float(x):
    try:
        operator.index(1.0)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def call(x):
    return operator.call(lambda a, b=1: a + b, x, b=3)


@program(graphs=1)
def itemgetter(x):
    one, two = operator.itemgetter(0), operator.itemgetter("a", "b")
    return one([x + 1]), two({"a": 1, "b": x}), operator.itemgetter(slice(1, 3))([1, 2, 3, 4])


@program(graphs=1)
def itemgetter_from_before(x):
    return x + first_item([1, 2]), sorted([(1, 3), (2, 1)], key=first_item)


@program(graphs=1)
def itemgetter_returned(x):
    return x + 1, operator.itemgetter(1, 2)


@program(graphs=1)
def itemgetter_fails(x):
    try:
        operator.itemgetter("z")({})
    except KeyError as error:
        return x + 1, error.args


@program(graphs=1)
def attrgetter(x):
    return operator.attrgetter("shape")(x), operator.attrgetter("inner.value")(Outer()), x + 1


@program(graphs=1)
def attrgetter_from_before(x):
    return x + 1, nested(Outer())


@program(graphs=1)
def attrgetter_of_a_number(x):
    try:
        operator.attrgetter(1)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def methodcaller(x):
    return operator.methodcaller("sum", dim=0)(x), operator.methodcaller("upper")("a")


@program(graphs=1)
def methodcaller_from_before(x):
    return add_two(x)


@program(graphs=1)
def methodcaller_over_a_list(x):
    return list(map(operator.methodcaller("mul", 2), [x, x + 1]))
