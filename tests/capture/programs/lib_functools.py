"""functools."""

import functools
import operator

import torch

from tests.capture.harness import program, tensor


def scale(x, by, shift=0):
    return x * by + shift


double = functools.partial(scale, by=2)
double.note = "doubles"
of_list = functools.partial(scale, by=2, shift=1)
calls = []


@functools.lru_cache(maxsize=4)
def cached(n):
    calls.append(n)
    return n + 1


@functools.cache
def cached_without_limit(n=3):
    return n * 2


def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) + 1

    return wrapper


@traced
def decorated(x):
    """A text."""
    return x * 2


class Model:
    made = 0

    def __init__(self, size):
        self.size = size

    @functools.cached_property
    def weight(self):
        type(self).made += 1
        return self.size * 2

    def scaled(self, x, by=1, shift=0):
        return x * by + shift + self.size

    tripled = functools.partialmethod(scaled, by=3)
    shifted = functools.partialmethod(scaled, 2, shift=5)

    @functools.singledispatchmethod
    def show(self, value):
        return "something"

    @show.register
    def _(self, value: int):
        return f"int {value + self.size}"


model = Model(5)


@functools.singledispatch
def describe(value):
    return "object"


@describe.register
def _(value: int):
    return f"int {value}"


@describe.register(list)
def _(value):
    return f"list of {len(value)}"


@functools.total_ordering
class Version:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.number < other.number


@program(graphs=1)
def reduce(x):
    return functools.reduce(operator.add, [x, x, x]), functools.reduce(lambda a, b: a * b, range(1, 5), x)


@program(graphs=1)
def reduce_of_one(x):
    return functools.reduce(operator.add, [x + 1]), functools.reduce(operator.add, [], 3)


@program(graphs=1)
def reduce_of_nothing(x):
    try:
        functools.reduce(operator.add, [])
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def partial(x):
    return functools.partial(scale, by=3)(x), functools.partial(torch.add, x)(1)


@program(graphs=1)
def partial_arguments(x):
    p = functools.partial(scale, x, shift=1)
    return p(2), p(by=3, shift=2), p.func is scale, p.args, p.keywords


@program(graphs=1)
def partial_of_partial(x):
    p = functools.partial(functools.partial(scale, by=2), shift=3)
    return p(x), p.func is scale, p.keywords


@program(graphs=1)
def partial_from_before(x):
    return double(x), double.note, double.keywords["by"], double.args


@program(graphs=1)
def partial_as_argument(x):
    return list(map(of_list, [x, x + 1]))


@program(graphs=1)
def partial_returned(x):
    p = functools.partial(scale, x + 1, by=2)
    p.extra = [1]
    return p, p.extra


@program(graphs=1)
def partial_sharing(x):
    items = [1]
    p = functools.partial(list.append, items)
    p(2)
    return x + len(items), p, items


@program(tensor(2), graphs=1, steady=False)
def partial_attribute_set(x):
    double.count = getattr(double, "count", 0) + 1
    return double(x)


@program(graphs=1)
def partial_of_a_method(x):
    return functools.partial(model.scaled, by=2)(x)


@program(graphs=1)
def partial_wrong_call(x):
    try:
        functools.partial(scale, 1, 2, 3)(4)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def partial_type(x):
    p = functools.partial(scale)
    return x + 1, isinstance(p, functools.partial), callable(p), type(p).__name__


@program(graphs=1)
def partialmethod(x):
    return model.tripled(x), model.shifted(x), model.tripled(x, shift=1)


@program(graphs=1)
def wraps(x):
    @traced
    def inner(y):
        """Inner text."""
        return y * 3

    return inner(x), inner.__name__, inner.__doc__, inner.__wrapped__(x), inner.__module__


@program(graphs=1)
def wraps_returned(x):
    @traced
    def inner(y):
        return y * 3

    inner.mark = 1
    return x + 1, inner


@program(graphs=1)
def wraps_from_before(x):
    return decorated(x), decorated.__name__, decorated.__doc__, decorated.__wrapped__(x)


@program(graphs=1)
def update_wrapper(x):
    def a():
        """A."""

    def b():
        return 1

    a.mark = 3
    functools.update_wrapper(b, a)
    return x + b(), b.__name__, b.mark, b.__doc__, b.__wrapped__ is a, b.__dict__


@program(broken="cached function", steady=False)
def lru_cache(x):
    calls.append("called")
    return x + cached(2) + cached(3) + cached(2), cached.cache_info().hits, cached.cache_info().misses


@program(graphs=1, steady=False)
def cached_property(x):
    m = Model(2)
    return x + m.weight + m.weight, Model.made, m.__dict__


@program(graphs=1, steady=False)
def cached_property_from_before(x):
    return x + model.weight, Model.made


@program(graphs=1)
def singledispatch(x):
    return x + 1, describe(1), describe([1, 2]), describe("a"), describe(True), describe(x)


@program(graphs=1)
def singledispatch_dispatch(x):
    return x + 1, describe.dispatch(bool) is describe.dispatch(int)


@program(broken=None, steady=False)
def singledispatchmethod(x):
    return x + 1, model.show(1), model.show("a")


@program(graphs=1)
def total_ordering(x):
    a, b = Version(1), Version(2)
    return x + 1, a <= b, a > b, a >= a, sorted([b, a])[1] is b, max(a, b) is b


@program(graphs=1)
def total_ordering_with_others(x):
    try:
        Version(1) <= 3
    except (TypeError, AttributeError) as error:
        return x + 1, type(error).__name__


@program(graphs=1)
def cmp_to_key(x):
    key = functools.cmp_to_key(lambda a, b: b - a)
    return x + 1, sorted([3, 1, 2], key=key), key(1) < key(2), max([1, 2], key=key)


@program(graphs=1)
def cmp_to_key_type(x):
    return x + 1, type(functools.cmp_to_key(lambda a, b: b - a)).__name__, functools.cmp_to_key(abs)(3).obj
