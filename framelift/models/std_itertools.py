"""Models of `itertools`. Nearly all are polyfills: what checks its arguments at once is a function that does so and
returns a generator for the rest.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

from framelift.models.registry import model, polyfill
from framelift.values.base import Tracer, Value
from framelift.values.combined import ArrangementIterator, ChainIterator, TeeIterator
from framelift.values.generator import GeneratorValue
from framelift.values.iterators import IteratorValue
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break
from framelift.values.sequence import TupleValue

_NOTHING = object()


@model(itertools.chain)
def chain(m: Tracer, /, *iterables: Value) -> Value:
    return ChainIterator(m.iterator(TupleValue(list(iterables), tuple)))


@model(itertools.chain.__dict__["from_iterable"])
def chain_from_iterable(m: Tracer, cls: Value, iterables: Value, /) -> Value:
    if not isinstance(cls, Known) or cls.obj is not itertools.chain:
        raise Break(UNKNOWN_OPERATION, "a subclass of chain")
    return ChainIterator(m.iterator(iterables))


@polyfill(itertools.count)
def count(start: Any = 0, step: Any = 1) -> Any:
    for number in (start, step):
        if isinstance(number, (str, bytes, list, tuple, dict, set, type(None))):
            raise TypeError("a number is required")
    return _count(start, step)


def _count(number: Any, step: Any) -> Any:
    while True:
        yield number
        number = number + step


@polyfill(itertools.cycle)
def cycle(iterable: Any, /) -> Any:
    return _cycle(iter(iterable))


def _cycle(iterator: Any) -> Any:
    saved = []
    for item in iterator:
        saved.append(item)
        yield item
    while saved:
        for item in saved:
            yield item


@polyfill(itertools.repeat)
def repeat(object: Any, times: Any = _NOTHING) -> Any:  # noqa: A002
    return _forever(object) if times is _NOTHING else _repeat(object, operator.index(times))


def _forever(item: Any) -> Any:
    while True:
        yield item


def _repeat(item: Any, times: int) -> Any:
    for _ in range(times):
        yield item


@polyfill(itertools.accumulate)
def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    return _accumulate(iter(iterable), func, initial)


def _accumulate(iterator: Any, func: Any, total: Any) -> Any:
    if total is None:
        for first in iterator:
            total = first
            break
        else:
            return
    yield total
    for item in iterator:
        total = total + item if func is None else func(total, item)
        yield total


@polyfill(itertools.compress)
def compress(data: Any, selectors: Any) -> Any:
    return _compress(iter(data), iter(selectors))


def _compress(data: Any, selectors: Any) -> Any:
    for item, chosen in zip(data, selectors, strict=False):
        if chosen:
            yield item


@polyfill(itertools.dropwhile)
def dropwhile(predicate: Any, iterable: Any, /) -> Any:
    return _dropwhile(predicate, iter(iterable))


def _dropwhile(predicate: Any, iterator: Any) -> Any:
    for item in iterator:
        if not predicate(item):
            yield item
            break
    for item in iterator:
        yield item


@polyfill(itertools.takewhile)
def takewhile(predicate: Any, iterable: Any, /) -> Any:
    return _takewhile(predicate, iter(iterable))


def _takewhile(predicate: Any, iterator: Any) -> Any:
    for item in iterator:
        if not predicate(item):
            return
        yield item


@polyfill(itertools.filterfalse)
def filterfalse(predicate: Any, iterable: Any, /) -> Any:
    return _filterfalse(predicate, iter(iterable))


def _filterfalse(predicate: Any, iterator: Any) -> Any:
    for item in iterator:
        if not (item if predicate is None or predicate is bool else predicate(item)):
            yield item


@polyfill(itertools.starmap)
def starmap(function: Any, iterable: Any, /) -> Any:
    return _starmap(function, iter(iterable))


def _starmap(function: Any, iterator: Any) -> Any:
    for args in iterator:
        yield function(*args)


@polyfill(itertools.pairwise)
def pairwise(iterable: Any, /) -> Any:
    return _pairwise(iter(iterable))


def _pairwise(iterator: Any) -> Any:
    for first in iterator:
        before = first
        break
    else:
        return
    for item in iterator:
        yield before, item
        before = item


@polyfill(itertools.islice)
def islice(iterable: Any, /, *bounds: Any) -> Any:
    if not 1 <= len(bounds) <= 3:
        expected = "at least 2 arguments" if not bounds else "at most 4 arguments"
        raise TypeError(f"islice expected {expected}, got {len(bounds) + 1}")
    start, step = 0, 1
    if len(bounds) == 1:
        stop = _bound(bounds[0], None, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    else:
        message = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        start = _bound(bounds[0], 0, message)
        stop = _bound(bounds[1], None, "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
        if len(bounds) == 3:
            step = _bound(bounds[2], 1, "Step for islice() must be a positive integer or None.")
    if step == 0:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start, stop, step)


def _bound(number: Any, otherwise: Any, complaint: str) -> Any:
    if number is None:
        return otherwise
    try:
        found = operator.index(number)
    except TypeError:
        found = -1
    if found < 0:
        raise ValueError(complaint)
    return found


def _islice(iterator: Any, upcoming: int, stop: int | None, step: int) -> Any:
    taken = 0
    while True:
        while taken < upcoming:
            if next(iterator, _NOTHING) is _NOTHING:
                return
            taken += 1
        if stop is not None and taken >= stop:
            return
        item = next(iterator, _NOTHING)
        if item is _NOTHING:
            return
        taken += 1
        upcoming += step
        if stop is not None and upcoming > stop:
            upcoming = stop
        yield item


@polyfill(itertools.zip_longest)
def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    return _zip_longest([iter(iterable) for iterable in iterables], fillvalue)


def _zip_longest(iterators: Any, fillvalue: Any) -> Any:
    active = len(iterators)
    while active:
        items = []
        for index in range(len(iterators)):
            item = fillvalue
            if iterators[index] is not None:
                item = next(iterators[index], _NOTHING)
                if item is _NOTHING:
                    iterators[index] = None
                    active -= 1
                    if not active:
                        return
                    item = fillvalue
            items.append(item)
        yield tuple(items)


@polyfill(itertools.groupby)
def groupby(iterable: Any, key: Any = None) -> Any:
    return _groupby(iter(iterable), key)


def _groupby(iterator: Any, key: Any) -> Any:
    current_key = current_item = target_key = _NOTHING
    newest = None

    def step() -> bool:
        nonlocal current_key, current_item
        item = next(iterator, _NOTHING)
        if item is _NOTHING:
            return False
        current_key = item if key is None else key(item)
        current_item = item
        return True

    def members(wanted: Any, ticket: Any) -> Any:
        nonlocal current_item
        while newest is ticket:
            if current_item is _NOTHING and not step():
                return
            if not (wanted is current_key or wanted == current_key):
                return
            item, current_item = current_item, _NOTHING
            yield item

    while True:
        newest = None
        while current_key is _NOTHING or (
            target_key is not _NOTHING and (target_key is current_key or target_key == current_key)
        ):
            if not step():
                return
        target_key = current_key
        newest = [None]  # a new object: only the newest group gives items
        yield current_key, members(target_key, newest)


def _batched() -> None:
    @polyfill(itertools.batched)  # type: ignore[attr-defined]
    def batched(iterable: Any, n: Any, **options: Any) -> Any:
        strict = options.pop("strict", False)
        if options:
            raise TypeError(f"batched() got an unexpected keyword argument {next(iter(options))!r}")
        if n < 1:
            raise ValueError("n must be at least one")
        return _batches(iter(iterable), n, strict)


def _batches(iterator: Any, size: int, strict: Any) -> Any:
    batch = []
    for item in iterator:
        batch.append(item)
        if len(batch) == size:
            yield tuple(batch)
            batch = []
    if batch:
        if strict:
            raise ValueError("batched(): incomplete batch")
        yield tuple(batch)


if hasattr(itertools, "batched"):
    _batched()


# ---- What reads its sources whole before the first item


@model(itertools.product)
def product(m: Tracer, *iterables: Value, repeat: Value | None = None) -> Value:
    pools = [m.unpack(iterable) for iterable in iterables]
    return ArrangementIterator(itertools.product, pools * _size(m, repeat, 1), ())


def _arrangement(kind: Any) -> None:
    @model(kind)
    def make(m: Tracer, iterable: Value, r: Value | None = None) -> Value:
        if r is None and kind is not itertools.permutations:
            raise Break(UNKNOWN_OPERATION, f"{kind.__name__}() without its second argument")
        pool = m.unpack(iterable)
        return ArrangementIterator(kind, [pool], (_size(m, r, len(pool)),))


for _kind in (itertools.permutations, itertools.combinations, itertools.combinations_with_replacement):
    _arrangement(_kind)


def _size(m: Tracer, size: Value | None, otherwise: int) -> int:
    if size is None or (isinstance(size, Known) and size.obj is None):
        return otherwise
    if not isinstance(size, Known) or type(size.obj) not in (int, bool) or size.obj < 0:
        raise Break(UNKNOWN_OPERATION, "an arrangement of an unusual size")
    return int(size.obj)


@model(itertools.tee)
def tee(m: Tracer, iterable: Value, n: Value | None = None, /) -> Value:
    number = _size(m, n, 2)
    kind: type = type(itertools.tee(())[0])
    source = m.iterator(iterable)
    if isinstance(source, TeeIterator):
        raise Break(UNKNOWN_OPERATION, "tee() of what tee() gave")
    buffer: list[Value] = []
    return TupleValue([TeeIterator(source, buffer, kind) for _ in range(number)], tuple)


# ---- The iterator protocol itself, called by name


def _protocol(kind: type, methods: Callable[[str], Any]) -> None:
    @model(methods("__iter__"))
    def iterate(m: Tracer, self: Value, /) -> Value:
        return self

    @model(methods("__next__"))
    def advance(m: Tracer, self: Value, /) -> Value:
        if not isinstance(self, IteratorValue | GeneratorValue):
            raise Break(UNKNOWN_OPERATION, f"an iterator of type {kind.__name__} that existed before")
        item = m.next(self)
        if item is None:
            m.throw(StopIteration)
        return item


for _type in {found for found in vars(itertools).values() if isinstance(found, type) and "__next__" in vars(found)}:
    _protocol(_type, vars(_type).__getitem__)
