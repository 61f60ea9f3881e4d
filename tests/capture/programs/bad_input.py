"""Bad input: whatever Python raises, type, message and line, is raised under capture too, caught or not."""

import collections
import contextlib
import functools
import itertools
import operator
import types

import torch

from tests.capture.harness import program


class Ga:
    def __getattr__(self, n):
        raise KeyError(n)


class Gb:
    def __getattr__(self, n):
        raise AttributeError("no " + n)


class Unh:
    __hash__ = None


class BadEq:
    def __eq__(self, o):
        raise RuntimeError("eq")

    def __hash__(self):
        return 1


class BadHash:
    def __hash__(self):
        return "x"


class BadLen:
    def __len__(self):
        return -1


class BadLen2:
    def __len__(self):
        return "a"


class BadBool:
    def __bool__(self):
        return 3


class BadIter:
    def __iter__(self):
        return 3


class BadIndex:
    def __index__(self):
        return "a"


class BadRepr:
    def __repr__(self):
        return 3


class BadInit:
    def __init__(self):
        return 3


class NoExit:
    def __enter__(self):
        return 1


def two(a, b):
    return a


def kwo(*, a):
    return a


def star(*a, **k):
    return a, k


def with_it(m):
    with m:
        return 1


def set_item(o):
    o[0] = 1


def raise_it(e):
    raise e


def raise_from(e):
    raise ValueError("a") from e


def raise_nothing():
    raise


def assert_it(v):
    assert v, ("message", v)


def stops():
    yield 1
    raise StopIteration


def send_first():
    def g():
        yield

    return g().send(3)


@program
def unhashable_key(x):
    y = x + 1
    try:
        result = {[]: 1}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_set(x):
    y = x + 1
    try:
        result = {[1], 2}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_lookup(x):
    y = x + 1
    try:
        result = {}[[]]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_object(x):
    y = x + 1
    try:
        result = {Unh(): 1}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_in(x):
    y = x + 1
    try:
        result = [] in {}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_in_set(x):
    y = x + 1
    try:
        result = {} in {1}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def bad_equality_in_dict(x):
    y = x + 1
    try:
        result = {BadEq(): 1}[BadEq()]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def bad_hash(x):
    y = x + 1
    try:
        result = hash(BadHash())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_missing(x):
    y = x + 1
    try:
        result = two(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_missing_two(x):
    y = x + 1
    try:
        result = two()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_too_many(x):
    y = x + 1
    try:
        result = two(1, 2, 3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_unexpected(x):
    y = x + 1
    try:
        result = two(1, 2, c=3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_twice(x):
    y = x + 1
    try:
        result = two(1, a=2)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_keyword_only(x):
    y = x + 1
    try:
        result = kwo(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_keyword_missing(x):
    y = x + 1
    try:
        result = kwo()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_class(x):
    y = x + 1
    try:
        result = Ga(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_builtin(x):
    y = x + 1
    try:
        result = len()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_builtin_many(x):
    y = x + 1
    try:
        result = len(1, 2)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_method(x):
    y = x + 1
    try:
        result = [].append()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_method_many(x):
    y = x + 1
    try:
        result = [].append(1, 2)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def arity_of_a_type(x):
    y = x + 1
    try:
        result = int(1, 2, 3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def getattr_raises_key_error(x):
    y = x + 1
    try:
        result = Ga().q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def getattr_raises_attribute_error(x):
    y = x + 1
    try:
        result = Gb().q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def getattr_with_default(x):
    y = x + 1
    try:
        result = getattr(Ga(), "q", 5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def hasattr_other_error(x):
    y = x + 1
    try:
        result = hasattr(Ga(), "q")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def star_of_an_int(x):
    y = x + 1
    try:
        result = two(*5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def star_of_none(x):
    y = x + 1
    try:
        result = two(*None)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def double_star_of_an_int(x):
    y = x + 1
    try:
        result = two(**5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def double_star_of_a_list(x):
    y = x + 1
    try:
        result = two(**[1])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def double_star_int_keys(x):
    y = x + 1
    try:
        result = star(**{1: 2})
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def double_star_twice(x):
    y = x + 1
    try:
        result = star(**{"a": 1}, **{"a": 2})
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def keyword_and_double_star(x):
    y = x + 1
    try:
        result = star(a=1, **{"a": 2})
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def list_star_int(x):
    y = x + 1
    try:
        result = [*5]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def tuple_star_int(x):
    y = x + 1
    try:
        result = (*5,)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def set_star_int(x):
    y = x + 1
    try:
        result = {*5}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def dict_star_int(x):
    y = x + 1
    try:
        result = {**5}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def dict_star_list(x):
    y = x + 1
    try:
        result = {**[1]}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unpack_int(x):
    y = x + 1
    try:
        result = (lambda: [a for a, b in [5]])()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unpack_short(x):
    y = x + 1
    try:
        result = (lambda: [a for a, b in [(1,)]])()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unpack_long(x):
    y = x + 1
    try:
        result = (lambda: [a for a, b in [(1, 2, 3)]])()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def not_iterable(x):
    y = x + 1
    try:
        result = list(3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def not_iterable_for(x):
    y = x + 1
    try:
        result = [i for i in 3]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def not_subscriptable(x):
    y = x + 1
    try:
        result = (3)[0]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def not_callable(x):
    y = x + 1
    try:
        result = (3)()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def none_attribute(x):
    y = x + 1
    try:
        result = None.q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def int_attribute(x):
    y = x + 1
    try:
        result = (3).q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def list_attribute(x):
    y = x + 1
    try:
        result = [].q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def function_attribute(x):
    y = x + 1
    try:
        result = two.q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def module_attribute(x):
    y = x + 1
    try:
        result = operator.q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def class_attribute(x):
    y = x + 1
    try:
        result = Ga.q
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def tensor_attribute(x):
    y = x + 1
    try:
        result = x.no_such_attribute
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def index_range(x):
    y = x + 1
    try:
        result = [1][5]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def index_type(x):
    y = x + 1
    try:
        result = [1]["a"]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def tuple_range(x):
    y = x + 1
    try:
        result = (1,)[5]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def string_range(x):
    y = x + 1
    try:
        result = "a"[5]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def key_missing(x):
    y = x + 1
    try:
        result = {"a": 1}["b"]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def key_missing_int(x):
    y = x + 1
    try:
        result = {}[3]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def pop_empty(x):
    y = x + 1
    try:
        result = [].pop()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def pop_range(x):
    y = x + 1
    try:
        result = [1].pop(5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def remove_missing(x):
    y = x + 1
    try:
        result = [].remove(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def index_missing(x):
    y = x + 1
    try:
        result = [].index(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def set_remove_missing(x):
    y = x + 1
    try:
        result = set().remove(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def dict_popitem_empty(x):
    y = x + 1
    try:
        result = {}.popitem()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def deque_empty(x):
    y = x + 1
    try:
        result = collections.deque().popleft()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def next_end(x):
    y = x + 1
    try:
        result = next(iter([]))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def next_not_iterator(x):
    y = x + 1
    try:
        result = next([1])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def iter_not_iterator(x):
    y = x + 1
    try:
        result = iter(BadIter())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def len_of_int(x):
    y = x + 1
    try:
        result = len(3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def len_negative(x):
    y = x + 1
    try:
        result = len(BadLen())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def len_not_int(x):
    y = x + 1
    try:
        result = len(BadLen2())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def bool_not_bool(x):
    y = x + 1
    try:
        result = bool(BadBool())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def index_not_int(x):
    y = x + 1
    try:
        result = [1][BadIndex()]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def repr_not_str(x):
    y = x + 1
    try:
        result = repr(BadRepr())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def init_not_none(x):
    y = x + 1
    try:
        result = BadInit()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def add_types(x):
    y = x + 1
    try:
        result = 1 + "a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def add_types_swapped(x):
    y = x + 1
    try:
        result = "a" + 1
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def sub_list(x):
    y = x + 1
    try:
        result = [] - []
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def mul_lists(x):
    y = x + 1
    try:
        result = [1] * [2]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def mul_float(x):
    y = x + 1
    try:
        result = [1] * 1.5
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def neg_str(x):
    y = x + 1
    try:
        result = -"a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def invert_float(x):
    y = x + 1
    try:
        result = ~1.5
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def matmul_ints(x):
    y = x + 1
    try:
        result = 1 @ 2
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def compare_types(x):
    y = x + 1
    try:
        result = 1 < "a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def compare_dicts(x):
    y = x + 1
    try:
        result = {} < {}
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def compare_none(x):
    y = x + 1
    try:
        result = None < 1
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def compare_complex(x):
    y = x + 1
    try:
        result = 1j < 2j
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def in_int(x):
    y = x + 1
    try:
        result = 1 in 3
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def in_str(x):
    y = x + 1
    try:
        result = 1 in "a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def division_by_zero(x):
    y = x + 1
    try:
        result = 1 / 0
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def floor_division_by_zero(x):
    y = x + 1
    try:
        result = 1 // 0
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def modulo_by_zero(x):
    y = x + 1
    try:
        result = 1 % 0
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def float_division_by_zero(x):
    y = x + 1
    try:
        result = 1.0 / 0
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def float_modulo(x):
    y = x + 1
    try:
        result = 1.0 % 0.0
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def divmod_by_zero(x):
    y = x + 1
    try:
        result = divmod(1, 0)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def zero_to_negative(x):
    y = x + 1
    try:
        result = 0**-1
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def shift_negative(x):
    y = x + 1
    try:
        result = 1 << -1
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def int_of_text(x):
    y = x + 1
    try:
        result = int("a")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def float_of_text(x):
    y = x + 1
    try:
        result = float("a")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def int_of_list(x):
    y = x + 1
    try:
        result = int([])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def int_base(x):
    y = x + 1
    try:
        result = int("z", 40)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def chr_range(x):
    y = x + 1
    try:
        result = chr(-1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def ord_long(x):
    y = x + 1
    try:
        result = ord("ab")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def range_zero_step(x):
    y = x + 1
    try:
        result = range(0, 1, 0)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def range_float(x):
    y = x + 1
    try:
        result = range(1.5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def slice_zero_step(x):
    y = x + 1
    try:
        result = [1][::0]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def slice_bad(x):
    y = x + 1
    try:
        result = [1]["a":]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def sum_strings(x):
    y = x + 1
    try:
        result = sum(["a"])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def max_empty(x):
    y = x + 1
    try:
        result = max([])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def min_mixed(x):
    y = x + 1
    try:
        result = min([1, "a"])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def sorted_mixed(x):
    y = x + 1
    try:
        result = sorted([1, "a"])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def zip_strict(x):
    y = x + 1
    try:
        result = list(zip([1], [1, 2], strict=True))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def join_ints(x):
    y = x + 1
    try:
        result = ",".join([1])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def format_bad(x):
    y = x + 1
    try:
        result = "{:d}".format("a")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def format_missing(x):
    y = x + 1
    try:
        result = "{a}".format()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def format_index(x):
    y = x + 1
    try:
        result = "{1}".format(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def percent_missing(x):
    y = x + 1
    try:
        result = "%s %s" % (1,)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def percent_many(x):
    y = x + 1
    try:
        result = "%s" % (1, 2)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def percent_type(x):
    y = x + 1
    try:
        result = "%d" % "a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def fstring_bad_spec(x):
    y = x + 1
    try:
        result = f"{1:z}"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def encode_bad(x):
    y = x + 1
    try:
        result = "é".encode("ascii")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def decode_bad(x):
    y = x + 1
    try:
        result = b"\xff".decode("ascii")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def bytes_of_large(x):
    y = x + 1
    try:
        result = bytes([300])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def bytes_of_str(x):
    y = x + 1
    try:
        result = bytes("a")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def isinstance_bad(x):
    y = x + 1
    try:
        result = isinstance(1, 5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def issubclass_bad(x):
    y = x + 1
    try:
        result = issubclass(1, int)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def issubclass_bad_second(x):
    y = x + 1
    try:
        result = issubclass(int, 5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def super_bad(x):
    y = x + 1
    try:
        result = super(int, "a")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def type_bad(x):
    y = x + 1
    try:
        result = type(1, 2)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def type_bases(x):
    y = x + 1
    try:
        result = type("A", (1,), {})
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def setattr_name(x):
    y = x + 1
    try:
        result = setattr(Ga(), 5, 1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def setattr_int(x):
    y = x + 1
    try:
        result = setattr(5, "a", 1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def setattr_builtin(x):
    y = x + 1
    try:
        result = setattr(int, "a", 1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def delattr_missing(x):
    y = x + 1
    try:
        result = delattr(BadLen(), "q")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def with_nothing(x):
    y = x + 1
    try:
        result = with_it(3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def with_no_exit(x):
    y = x + 1
    try:
        result = with_it(NoExit())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def reduce_empty(x):
    y = x + 1
    try:
        result = functools.reduce(operator.add, [])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def itertools_bad(x):
    y = x + 1
    try:
        result = list(itertools.islice([1], -1))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def callable_none(x):
    y = x + 1
    try:
        result = None()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def string_modify(x):
    y = x + 1
    try:
        result = set_item("abc")
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def tuple_modify(x):
    y = x + 1
    try:
        result = set_item((1, 2))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def object_modify(x):
    y = x + 1
    try:
        result = set_item(object())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def dict_update_bad(x):
    y = x + 1
    try:
        result = {}.update([1])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def dict_of_bad(x):
    y = x + 1
    try:
        result = dict([(1,)])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def raise_int(x):
    y = x + 1
    try:
        result = raise_it(5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def raise_from_int(x):
    y = x + 1
    try:
        result = raise_from(5)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def raise_nothing(x):
    y = x + 1
    try:
        result = raise_nothing()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def assert_message(x):
    y = x + 1
    try:
        result = assert_it(0)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def global_missing(x):
    y = x + 1
    try:
        result = no_such_global
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def recursion(x):
    y = x + 1
    try:
        result = (lambda f: f(f, 3))(lambda f, n: 1 / n if n == 0 else f(f, n - 1))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def generator_raised(x):
    y = x + 1
    try:
        result = list(1 / i for i in (1, 0))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def generator_stop(x):
    y = x + 1
    try:
        result = list(stops())
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def send_first(x):
    y = x + 1
    try:
        result = send_first()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def exception_args(x):
    y = x + 1
    try:
        result = raise_it(ValueError(1, [2]))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def exception_class(x):
    y = x + 1
    try:
        result = raise_it(KeyError)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def hash_of_list(x):
    y = x + 1
    try:
        result = hash([])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def hash_of_nested(x):
    y = x + 1
    try:
        result = hash((1, []))
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def frozen_add(x):
    y = x + 1
    try:
        result = frozenset().add(1)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def partial_call(x):
    y = x + 1
    try:
        result = functools.partial(two, 1)()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def attrgetter_missing(x):
    y = x + 1
    try:
        result = operator.attrgetter("a.b")(3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def itemgetter_missing(x):
    y = x + 1
    try:
        result = operator.itemgetter(5)([1])
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def tensor_shape(x):
    y = x + 1
    try:
        result = x + torch.ones(7, 9)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def tensor_view(x):
    y = x + 1
    try:
        result = x.view(100)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def tensor_index(x):
    y = x + 1
    try:
        result = x[50]
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def tensor_dim(x):
    y = x + 1
    try:
        result = x.sum(9)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def tensor_dtype(x):
    y = x + 1
    try:
        result = x + "a"
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="mutation that cannot be replayed")
def tensor_attribute_set(x):
    y = x + 1
    try:
        result = setattr(x, "shape", 3)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def torch_missing(x):
    y = x + 1
    try:
        result = torch.no_such_function(x)
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program(broken="operation failed")
def torch_arity(x):
    y = x + 1
    try:
        result = torch.relu()
    except Exception as error:
        return y, type(error), str(error), error.args
    return y, result


@program
def unhashable_key_escapes(x):
    y = x + 1
    return y, {[]: 1}


@program
def arity_missing_escapes(x):
    y = x + 1
    return y, two(1)


@program
def star_of_an_int_escapes(x):
    y = x + 1
    return y, two(*5)


@program
def list_star_int_escapes(x):
    y = x + 1
    return y, [*5]


@program
def unpack_short_escapes(x):
    y = x + 1
    return y, (lambda: [a for a, b in [(1,)]])()


@program
def key_missing_escapes(x):
    y = x + 1
    return y, {"a": 1}["b"]


@program
def division_by_zero_escapes(x):
    y = x + 1
    return y, 1 / 0


@program
def getattr_raises_key_error_escapes(x):
    y = x + 1
    return y, Ga().q


@program(broken="operation failed")
def tensor_shape_escapes(x):
    y = x + 1
    return y, x + torch.ones(7, 9)


@program
def raise_from_int_escapes(x):
    y = x + 1
    return y, raise_from(5)


@program
def assert_message_escapes(x):
    y = x + 1
    return y, assert_it(0)


@program
def generator_raised_escapes(x):
    y = x + 1
    return y, list(1 / i for i in (1, 0))


@program
def with_no_exit_escapes(x):
    y = x + 1
    return y, with_it(NoExit())


@program
def global_missing_escapes(x):
    y = x + 1
    return y, no_such_global


@program
def not_callable_escapes(x):
    y = x + 1
    return y, (3)()


@program
def compare_types_escapes(x):
    y = x + 1
    return y, 1 < "a"


@program
def exception_args_escapes(x):
    y = x + 1
    return y, raise_it(ValueError(1, [2]))


@program
def int_of_text_escapes(x):
    y = x + 1
    return y, int("a")


@program
def sorted_mixed_escapes(x):
    y = x + 1
    return y, sorted([1, "a"])


@program
def bad_hash_escapes(x):
    y = x + 1
    return y, hash(BadHash())


@program
def recursion_escapes(x):
    y = x + 1
    return y, (lambda f: f(f, 3))(lambda f, n: 1 / n if n == 0 else f(f, n - 1))


@program
def init_not_none_escapes(x):
    y = x + 1
    return y, BadInit()
