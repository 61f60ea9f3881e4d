"""Iterators of every kind, made before the call and in it: consumed at once, in a loop, by hand, around a break."""

from __future__ import annotations

import array
import collections
import csv
import io
import itertools
import json
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import framelift

X = torch.ones(2)


class Enumerating(enumerate):  # type: ignore[type-arg]
    pass


class Zipping(zip):  # type: ignore[type-arg]
    pass


class Mapping(map):  # type: ignore[type-arg]
    pass


class Filtering(filter):  # type: ignore[type-arg]
    pass


class Reversing(reversed):  # type: ignore[type-arg]
    pass


class Chaining(itertools.chain):  # type: ignore[type-arg]
    pass


class Own:
    def __init__(self) -> None:
        self.given = 0

    def __iter__(self) -> Own:
        return self

    def __next__(self) -> int:
        self.given += 1
        if self.given > 3:
            raise StopIteration
        return self.given


MAKERS: dict[str, Callable[[], Iterator[Any]]] = {
    "subclass of enumerate": lambda: Enumerating("abc"),
    "subclass of zip": lambda: Zipping("ab", "cd"),
    "subclass of map": lambda: Mapping(str, [1, 2]),
    "subclass of filter": lambda: Filtering(None, [0, 1, 2]),
    "subclass of reversed": lambda: Reversing([1, 2, 3]),
    "subclass of chain": lambda: Chaining([1], [2]),
    "object of the program": Own,
    "csv": lambda: csv.reader(io.StringIO("a,b\nc,d\n")),
    "lines": lambda: io.StringIO("x\ny\n"),
    "struct": lambda: struct.iter_unpack("h", b"abcd"),
    "matches": lambda: re.finditer("a", "aa"),
    "generator of matches": lambda: (match.start() for match in re.finditer("a", "aaa")),
    "json": lambda: json.JSONEncoder().iterencode([1, 2]),
    "array": lambda: iter(array.array("i", [1, 2, 3])),
    "memoryview": lambda: iter(memoryview(b"abc")),
    "bytearray": lambda: iter(bytearray(b"abc")),
    "numpy": lambda: iter(np.arange(3)),
    "tensor": lambda: iter(torch.arange(3)),
    "calls": lambda: iter(iter([1, 2, 0]).__next__, 0),
    "islice": lambda: itertools.islice(itertools.count(), 3),
    "cycle": lambda: itertools.islice(itertools.cycle("ab"), 3),
    "product": lambda: itertools.product("ab", repeat=2),
    "permutations": lambda: itertools.permutations("abc", 2),
    "groupby": lambda: itertools.groupby("aab"),
    "tee": lambda: itertools.tee([1, 2])[0],
    "accumulate": lambda: itertools.accumulate([1, 2, 3]),
    "starmap": lambda: itertools.starmap(max, [(1, 2)]),
    "takewhile": lambda: itertools.takewhile(bool, [1, 0]),
    "dropwhile": lambda: itertools.dropwhile(bool, [1, 0, 2]),
    "compress": lambda: itertools.compress("ab", [1, 0]),
    "zip_longest": lambda: itertools.zip_longest("a", "bc"),
    "pairwise": lambda: itertools.pairwise("abc"),
    "filterfalse": lambda: itertools.filterfalse(bool, [0, 1]),
    "chain": lambda: itertools.chain([1], (), (2, 3), {4: 5}),
    "chain of iterables": lambda: itertools.chain.from_iterable(iter([[1], range(2), "ab"])),
    "chain of chains": lambda: itertools.chain(itertools.chain([1], [2]), itertools.chain([3])),
    "repeat": lambda: itertools.repeat(1, 2),
    "deque": lambda: iter(collections.deque([1, 2])),
    "deque backwards": lambda: reversed(collections.deque([1, 2])),
    "OrderedDict": lambda: iter(collections.OrderedDict(a=1)),
    "values of an OrderedDict": lambda: iter(collections.OrderedDict(a=1).values()),
    "items": lambda: iter({1: 2}.items()),
    "dict backwards": lambda: reversed({1: 2, 3: 4}),
    "set": lambda: iter({1}),
    "range": lambda: iter(range(3)),
    "range backwards": lambda: reversed(range(3)),
    "large range": lambda: iter(range(10**20, 10**20 + 2)),
    "list backwards": lambda: reversed([1, 2]),
    "str": lambda: iter("abc"),
    "bytes": lambda: iter(b"abc"),
    "UserList": lambda: iter(collections.UserList([1, 2])),
}


def consumed(source: Iterator[Any]) -> Any:
    y = X + 1
    return list(source), y * 2


def looped(source: Iterator[Any]) -> Any:
    y = X + 1
    items = []
    for item in source:
        items.append(item)
    return items, list(source), y * 2


def stepped(source: Iterator[Any]) -> Any:
    y = X + 1
    first = next(source)
    return first, list(source), y * 2


def broken(source: Iterator[Any]) -> Any:
    y = X + 1
    items = []
    for item in source:
        items.append(item)
        framelift.graph_break()
    return items, y * 2


def plain(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return "tensor", value.tolist()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, re.Match) or type(value).__name__ == "_grouper":
        return type(value).__name__
    return value


@pytest.mark.parametrize("use", [consumed, looped, stepped, broken], ids=lambda use: use.__name__)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_iterator(make: Callable[[], Iterator[Any]], use: Callable[[Iterator[Any]], Any]) -> None:
    def made_and_used() -> Any:
        return use(make())

    expected = plain(use(make()))
    given = framelift.compile(use, backend="eager")
    made = framelift.compile(made_and_used, backend="eager")
    for _ in range(3):
        assert plain(given(make())) == expected
        assert plain(made()) == expected
