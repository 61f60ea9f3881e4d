"""Objects that are keys of what they hold: of each shape, with each way to hash, made in the call or before.

When the residual makes such objects, none is complete while another is being filled, and `__hash__` may want more of it
than there is.
"""

from __future__ import annotations

import itertools

import pytest

from tests.capture.harness import check_source

WAYS_TO_HASH = {
    "by identity": "",
    "by an attribute": """
    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name
""",
    "by two": """
    def __hash__(self):
        return hash((self.name, self.extra))

    def __eq__(self, other):
        return isinstance(other, Key) and (self.name, self.extra) == (other.name, other.extra)
""",
    "by another object": """
    def __hash__(self):
        return hash(self.inner)

    def __eq__(self, other):
        return isinstance(other, Key) and self.inner == other.inner
""",
    "all alike": """
    def __hash__(self):
        return 5

    def __eq__(self, other):
        return isinstance(other, Key) and self.name == other.name
""",
}

SHAPES = {
    "value of its own dict": "d = {}; key.d = d; d[key] = x + 1; return d",
    "key first": "d = {}; key.d = d; d[key] = x + 1; return key",
    "set": "s = set(); key.s = s; s.add(key); return key, s",
    "frozenset": "s = frozenset([key]); key.s = s; return s, key",
    "tuple": "t = (key, 1); key.t = t; key.d = {t: x}; return t",
    "closure": "f = lambda: (key, d); d = {key: f}; key.f = f; return f",
    "closure from the key": "f = lambda: d; d = {key: x}; key.f = f; return key",
    "list": "l = [key]; d = {key: l}; l.append(d); key.l = l; return l",
    "two keys": "other = new('two'); d = {key: other, other: key}; key.d = other.d = d; return d",
    "two keys in a set": "other = new('two'); s = {key, other}; key.s = other.s = s; return other, s",
    "renamed since": "d = {key: x}; key.d = d; key.name = 'other'; key.extra = 9; return d, key in d",
    "inner object": "i = new('i'); d = {}; key.inner = i; d[key] = i; i.back = d; return i",
    "partial": "d = {}; f = functools.partial(dict.get, d); d[key] = f; key.f = f; return f",
    "bound method": "d = {}; key.m = d.__setitem__; d[key] = key; return key",
    "OrderedDict": "d = collections.OrderedDict(); d[key] = d; key.d = d; return key, list(d) == [key]",
    "defaultdict": "d = collections.defaultdict(list); d[key].append(d); key.d = d; return key",
    "Counter": "c = collections.Counter([key, key]); key.c = c; return key",
    "iterator": "it = iter({key: 1}); key.it = it; return key",
    "views": "d = {key: 1}; key.items = d.items(); key.keys = d.keys(); return key",
    "class": "Registry.known = {key: Registry}; key.registry = Registry; return Registry.known",
    "subclass of set": "s = Keys([key]); s.me = s; key.s = s; return s",
    "subclass of dict": "d = Table(); d[key] = d; d.key = key; key.d = d; return d",
}

PRELUDE = """
import collections
import functools


class Key:
    def __init__(self, name):
        self.name = name
{hashing}

class Keys(set):
    pass


class Table(dict):
    pass


class Registry:
    known = None


def new(name):
    key = Key(name)
    key.extra = 2
    key.inner = Key("in " + name)
    key.inner.extra = 3
    key.inner.inner = len(name)
    return key


def shape(x, key):
    {shape}


def made(x):
    return shape(x, new("one")), x + 1


OLD = [new("old")]


def found(x):
    return shape(x, OLD[0]), x + 1
"""


@pytest.mark.parametrize(("hashing", "shape"), list(itertools.product(WAYS_TO_HASH, SHAPES)))
@pytest.mark.parametrize("where", ["made", "found"])
def test_cycle(where, hashing, shape):
    source = PRELUDE.format(hashing=WAYS_TO_HASH[hashing], shape=SHAPES[shape])
    check_source(source, where, steady=False, broken=None)
