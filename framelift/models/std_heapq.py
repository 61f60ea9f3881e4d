"""Models of what `heapq` and `bisect` have in C; the rest of them is inlined."""

from __future__ import annotations

import bisect
import heapq
from typing import Any

from framelift.models.registry import polyfill

_siftup: Any = heapq._siftup  # type: ignore[attr-defined]
_siftdown: Any = heapq._siftdown  # type: ignore[attr-defined]
_siftup_max: Any = heapq._siftup_max  # type: ignore[attr-defined]


@polyfill(heapq.heappush)
def heappush(heap: Any, item: Any, /) -> None:
    heap.append(item)
    _siftdown(heap, 0, len(heap) - 1)


@polyfill(heapq.heappop)
def heappop(heap: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        first = heap[0]
        heap[0] = last
        _siftup(heap, 0)
        return first
    return last


@polyfill(heapq.heapreplace)
def heapreplace(heap: Any, item: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _siftup(heap, 0)
    return first


@polyfill(heapq.heappushpop)
def heappushpop(heap: Any, item: Any, /) -> Any:
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _siftup(heap, 0)
    return item


@polyfill(heapq.heapify)
def heapify(heap: Any, /) -> None:
    for index in reversed(range(len(heap) // 2)):
        _siftup(heap, index)


@polyfill(heapq._heappop_max)  # type: ignore[attr-defined]
def heappop_max(heap: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        first = heap[0]
        heap[0] = last
        _siftup_max(heap, 0)
        return first
    return last


@polyfill(heapq._heapreplace_max)  # type: ignore[attr-defined]
def heapreplace_max(heap: Any, item: Any, /) -> Any:
    if not heap:
        raise IndexError("index out of range")
    first = heap[0]
    heap[0] = item
    _siftup_max(heap, 0)
    return first


@polyfill(heapq._heapify_max)
def heapify_max(heap: Any, /) -> None:
    for index in reversed(range(len(heap) // 2)):
        _siftup_max(heap, index)


@polyfill(bisect.bisect_right)
def bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo


@polyfill(bisect.bisect_left)
def bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


@polyfill(bisect.insort_right)
def insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


@polyfill(bisect.insort_left)
def insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)
