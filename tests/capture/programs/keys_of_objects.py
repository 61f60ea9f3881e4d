"""Dicts and sets with objects of the program's own as keys."""

import functools
import types

from tests.capture.harness import call, meanwhile, program, tensor


class Named:
    """Hashes as its name does, so that both may be keys of one dict."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Named) and other.name == self.name


BESIDE_THEIR_NAMES = {Named("a"): 1, "a": 2, "b": 3, Named("b"): 4}
OBJECTS = {Named("a"): 1, Named("b"): 4}
MEMO = {}


@program(graphs=1)
def only_objects(x):
    return x * OBJECTS[Named("a")] + OBJECTS[Named("b")], Named("c") in OBJECTS


@program(broken="comparison may run code of the user's")
def name_behind_an_object_with_its_hash(x):
    return x * BESIDE_THEIR_NAMES[Named("a")] + BESIDE_THEIR_NAMES["a"]


@program(broken="comparison may run code of the user's", changed=[(tensor(2), {Named("a"): 3, "a": 5})])
def through_an_argument(x, found=BESIDE_THEIR_NAMES):
    return x * found[Named("a")] + found["a"]


@program(steady=False, broken=None, changed=[(tensor(2, 3), "b"), (tensor(2, 3), "a"), (tensor(2, 3), "b")])
def memo_of_objects_and_their_hashes(x, name="a"):
    key = Named(name)
    if key not in MEMO:
        MEMO[key] = x.sum()
    if hash(key) not in MEMO:
        MEMO[hash(key)] = x.max()
    return x + MEMO[key] + MEMO[hash(key)]


class Plain:
    pass


class Never:
    """Not even equal to itself."""

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return False


def closure_over(number):
    return lambda: number


ONE, TWO = Plain(), Plain()
HOLDER = Plain()
HOLDER.now = TWO
TABLE = {ONE: 1, Plain(): 2}


def pairs():
    """Two objects of each kind: what holds for two must not be taken for granted of one."""
    return [
        (Plain(), Plain()),
        (Never(), Never()),
        (tensor(2), tensor(2)),
        (closure_over(1), closure_over(2)),
        (functools.partial(len), functools.partial(len)),
        (types.MethodType(len, ONE), types.MethodType(len, ONE)),
        (types.MethodType(len, ONE), types.MethodType(len, TWO)),
        ([], []),
    ]


X = tensor(2, 3)
TWO_OF_A_KIND = [call(X, *pair) for one, two in pairs() for pair in ((one, two), (one, one), (two, one), (two, two))]
HASHABLE = TWO_OF_A_KIND[:-4]


@program(X, Plain(), Plain(), changed=HASHABLE)
def keys_of_a_dict(x, first, second):
    return x + len({first: 1, second: 2})


@program(X, Plain(), Plain(), changed=HASHABLE)
def elements_of_a_set(x, first, second):
    return x + len({first} | {second}), first in {second}


@program(X, Plain(), Plain(), changed=HASHABLE)
def parts_of_keys(x, first, second):
    return x + len({(1, first), (1, second)})


@program(X, Plain(), Plain(), changed=TWO_OF_A_KIND, broken=None)
def numbers_of_objects(x, first, second):
    return x + len({id(first), id(second)})


@program(X, Plain(), Plain(), changed=TWO_OF_A_KIND)
def one_or_two(x, first, second):
    return x + (first is second)


@program(
    X,
    None,
    changed=[
        (X, meanwhile(lambda: setattr(HOLDER, "now", ONE))),
        (X, meanwhile(lambda: setattr(HOLDER, "now", Plain()))),
        (X, meanwhile(lambda: TABLE.update({HOLDER.now: 7}))),
    ],
)
def looked_up_in_a_table(x, _):
    return x + TABLE.get(HOLDER.now, 5)


@program([Plain() for _ in range(30)], X)
def many_keys(items, x):
    table = {item: number for number, item in enumerate(items)}
    return x + sum(table[item] for item in items), len(table)


@program([Plain()] * 30, X, changed=[([Plain() for _ in range(30)], X)])
def the_same_key_many_times(items, x):
    return x + len(set(items))


@program([Plain() for _ in range(40)], X, steady=False, changed=[([Plain()] * 40, X)])
def too_many_keys_to_compare(items, x):
    return x + len(set(items))


# ---- Sets that existed before

SEEN = {ONE, Plain(), (ONE, 1), "text", len}
NAMES = frozenset({Named("a"), Named("b")})


@program(
    X,
    None,
    graphs=1,
    changed=[
        (X, meanwhile(lambda: setattr(HOLDER, "now", ONE))),
        (X, meanwhile(lambda: SEEN.discard(ONE))),
        (X, meanwhile(lambda: SEEN.add(ONE))),
        (X, meanwhile(lambda: setattr(HOLDER, "now", Plain()))),
    ],
)
def looked_up_in_a_set(x, _):
    return x + (HOLDER.now in SEEN) + 2 * ((ONE, 1) in SEEN) + 4 * ("text" in SEEN)


@program(graphs=1, steady=False)
def added_to_a_set(x):
    if HOLDER.now in SEEN:
        return x
    SEEN.add(HOLDER.now)
    return x + len(SEEN)


@program(X, {Plain(), Plain()}, graphs=1, steady=False, broken=None, changed=[(X, {Plain()})] * 6)
def taken_out_of_a_set(x, items):
    for item in list(items):
        items.remove(item)
        x = x + len(items)
    return x


@program(graphs=1)
def found_by_what_it_is(x):
    return x + (Named("a") in NAMES) + 2 * (Named("c") in NAMES)
