"""Lists and tuples: methods, operators, slices, sorting, errors; made in the call and existing before it."""
# ruff: noqa: PLE0643, RUF005, RUF016

from tests.capture.harness import program, tensor


@program(tensor(2), [1, 2, 3], graphs=1, changed=[(tensor(2), []), (tensor(2), [9, 9, 9, 9])])
def append_needs_no_length(x, items):
    items.append(x.sum())
    return x + 1


@program(tensor(2), [1, 2], graphs=1)
def extend_each_way(x, items):
    items.extend((3, 4))
    items.extend([5])
    items += {6: 1}
    items += "ab"
    items.extend(n * 2 for n in range(2))
    return x + len(items), items


@program(tensor(2), [1, 2], graphs=1)
def extend_by_itself(x, items):
    items.extend(items)
    items += items
    return x * len(items)


@program(tensor(2), [3, 1, 2], graphs=1, changed=[(tensor(2), [3, 1, 9])])
def pop_reads_one(x, items):
    return x + items.pop(), items.pop(0)


@program(tensor(2), [1, 2, 3, 4], graphs=1)
def insert_positions(x, items):
    items.insert(0, 10)
    items.insert(-1, 20)
    items.insert(100, 30)
    items.insert(-100, 40)
    return x + 1, list(items)


@program(tensor(2), [1, 2, 3, 2], graphs=1)
def remove_first(x, items):
    items.remove(2)
    return x + 1, items.index(2), items.count(2), items.count(7)


@program(tensor(2), [1, 2, 3], graphs=1)
def clear_and_reverse(x, items):
    items.reverse()
    copied = items.copy()
    items.clear()
    items.append(5)
    return x + 1, copied


@program(tensor(2), graphs=1)
def items_by_index(x):
    items = [x, x + 1, x * 2]
    items[0] = items[-1]
    items[1] += 1
    return items[0] + items[1], items[True]


@program(tensor(2), [0, 1, 2, 3, 4, 5], graphs=1)
def slices(x, items):
    items[1:3] = [10, 11, 12]
    items[::2] = ["a"] * len(items[::2])
    del items[:1]
    items[2:2] = (7,)
    del items[::-2]
    return x + 1, items[1:], items[::-1], items[-2:], items[5:1], items[:]


@program(tensor(2), graphs=1)
def slice_copies(x):
    inner = [1]
    outer = [inner, inner]
    copied = outer[:]
    copied[0].append(2)
    return x + 1, outer, copied


@program(tensor(2), graphs=1)
def nested_concatenation_keeps_identity(x):
    inner = [1]
    joined = [inner] + [inner]
    joined[0].append(2)
    times = [inner] * 2
    times[1].append(3)
    best = max([inner], [[0]])
    best[0].append(4)
    return x + 1, inner, joined, times


@program(tensor(2), graphs=1)
def arithmetic(x):
    a = [1, 2]
    b = a
    b += [3]
    c = a + [4]
    d = 2 * a
    a *= 2
    return x + 1, a, b, c, d, (1, 2) + (3,), (1,) * 3, 3 * (x,), a is b


@program(tensor(2), graphs=1)
def comparisons(x):
    return (
        x + 1,
        [1, 2] == [1, 2],
        [1, 2] != [1, 3],
        [1, 2] < [1, 3],
        [1] <= [1, 0],
        (1, 2) > (1,),
        (1, 2) >= (1, 2),
        [1] == (1,),
        () < (0,),
        [1, "a"] < [2, 1],
        [[1], (2,)] == [[1], (2,)],
    )


class Loud:
    def __init__(self, n):
        self.n = n
        self.calls = []

    def __eq__(self, other):
        self.calls.append("eq")
        return isinstance(other, Loud) and self.n == other.n

    def __lt__(self, other):
        self.calls.append("lt")
        return self.n < other.n

    __hash__ = None


@program(tensor(2), graphs=1)
def search_calls_eq(x):
    a, b, c = Loud(1), Loud(2), Loud(2)
    items = [a, b]
    found = [c in items, items.index(c), items.count(c), a in items, Loud(9) in items]
    return x + 1, found, a.calls, b.calls, c.calls


@program(tensor(2), graphs=1)
def comparison_of_objects(x):
    a, b = [Loud(1), Loud(2)], [Loud(1), Loud(3)]
    return x + 1, a == b, a < b, b < a, a != b


@program(tensor(2), [5, 3, 4, 1], graphs=1)
def sort_existing(x, items):
    items.sort()
    return x + items[0]


@program(tensor(2), graphs=1)
def sort_with_key(x):
    words = ["bb", "a", "CC", "d", "eee"]
    words.sort(key=len)
    first = list(words)
    words.sort(key=str.lower, reverse=True)
    return x + 1, first, words, sorted(words, key=lambda w: (-len(w), w)), sorted({3, 1, 2}), sorted("hello")


@program(tensor(2), graphs=1)
def sort_objects(x):
    items = [Loud(n) for n in (3, 1, 2, 1, 5, 4, 0)]
    items.sort()
    return x + 1, [i.n for i in items], [i.n for i in sorted(items, reverse=True)]


@program(tensor(2), graphs=1)
def sort_is_stable(x):
    pairs = [(n % 3, n) for n in range(10)]
    return (
        x + 1,
        sorted(pairs, key=lambda p: p[0]),
        sorted(pairs, key=lambda p: p[0], reverse=True),
        [p.n for p in sorted([Loud(n % 2) for n in range(6)], reverse=True)],
    )


@program(tensor(2), graphs=1)
def sort_fails(x):
    items = [3, 1, "a", 2]
    try:
        items.sort()
    except TypeError as error:
        return x + 1, str(error), items


@program(tensor(2), graphs=1)
def sort_many(x):
    numbers = [(n * 7919) % 1009 for n in range(300)]
    items = [Loud(n) for n in numbers[:60]]
    items.sort()
    return x + 1, sorted(numbers), [i.n for i in items]


@program(tensor(2), graphs=1)
def tuples(x):
    t = (1, x, "a", 1)
    u = (1, "a", 1)
    return t[1] + 1, t[0], t[-1], t[1:], u.count(1), u.index("a"), len(t), t[:] is t, tuple(t) is t


@program(tensor(2), graphs=1)
def errors(x):
    said = []
    items = [1, 2]
    for attempt in (
        lambda: items[5],
        lambda: items["a"],
        lambda: items[1.0],
        lambda: items.pop(9),
        lambda: [].pop(),
        lambda: items.remove(9),
        lambda: items.index(9),
        lambda: (1, 2).index(3),
        lambda: (1, 2)[7],
        lambda: (1, 2)["x"],
        lambda: items + (1,),
        lambda: (1,) + [1],
        lambda: items * "a",
        lambda: items < (1,),
        lambda: items.insert("a", 1),
        lambda: items.append(),
        lambda: items.append(1, 2),
        lambda: items.extend(5),
        lambda: items.pop(1, 2),
        lambda: items.sort(1),
        lambda: items.sort(foo=1),
        lambda: items.index(),
        lambda: items.__setitem__(7, 1),
        lambda: items.__delitem__(7),
        lambda: items.__setitem__(slice(0, 1), 5),
        lambda: items.__setitem__(slice(None, None, 2), [1, 2, 3]),
        lambda: hash([]),
        lambda: hash(([],)),
        lambda: list(5),
        lambda: list(1, 2),
        lambda: tuple(5),
        lambda: items[slice("a")],
        lambda: items[::0],
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said, items


@program(tensor(2), graphs=1)
def assignment_to_tuple(x):
    t = (1, 2)
    try:
        t[0] = 5
    except TypeError as error:
        said = str(error)
    try:
        del t[0]
    except TypeError as error:
        return x + 1, said, str(error)


@program(tensor(2), graphs=1)
def changed_while_iterating(x):
    items = [1, 2, 3, 4, 5, 6]
    seen = []
    for n in items:
        seen.append(n)
        if n % 2:
            items.remove(n)
        if len(seen) > 10:
            break
    return x + 1, items, seen


@program(tensor(2), graphs=1)
def grows_while_iterating(x):
    items = [1]
    for n in items:
        if n < 5:
            items.append(n + 1)
    it = iter(items)
    list(it)
    items.append(9)
    return x + 1, items, list(it)


@program(tensor(2), [1, 2, 3], graphs=1)
def half_consumed_iterators(x, items):
    it = iter(items)
    next(it)
    back = reversed(items)
    next(back)
    done = iter([1])
    list(done)
    fresh = iter((1, 2, 3))
    next(fresh)
    tail = reversed((1, 2, 3))
    next(tail)
    return x + 1, it, back, done, fresh, tail


@program(tensor(2), [1, 2, 3], graphs=1)
def iterator_of_changed_list(x, items):
    it = iter(items)
    next(it)
    items.append(4)
    return x + next(it), it


@program(tensor(2), [[1], [2]], graphs=1)
def nested_existing(x, rows):
    rows[0].append(3)
    rows.append(rows[1])
    rows[2].append(4)
    return x + len(rows), rows[1] is rows[2]


@program(tensor(2), graphs=1)
def cyclic(x):
    items = [1]
    items.append(items)
    return x + 1, items, repr(items)


class Named:
    def __repr__(self):
        return "N!"


@program(tensor(2), graphs=1)
def texts(x):
    return x + 1, repr([1, "a", Named()]), str((Named(),)), f"{[Named(), (1,)]}", repr([]), repr(()), str([None, 1.5])


@program(tensor(2), graphs=1)
def unpacking(x):
    a, *b = [1, 2, 3]
    *c, d = (x, x + 1)
    (e, f), g = [1, 2], 3
    return d, a, b, len(c), [*b, *c[1:], *"ab"], (*b, e, f, g)


@program(tensor(2), graphs=1)
def unpack_errors(x):
    said = []
    for wrong in ([1], [1, 2, 3], 5):
        try:
            a, b = wrong
        except (ValueError, TypeError) as error:
            said.append(str(error))
    try:
        a, b, *c = [1]
    except ValueError as error:
        said.append(str(error))
    return x + 1, said


class Two:
    def __index__(self):
        return 2


@program(tensor(2), graphs=1)
def index_objects(x):
    items = [1, 2, 3, 4]
    return x + items[Two()], items[: Two()], items * Two(), items.pop(Two()), "abc"[Two()], range(5)[Two()]


@program(tensor(2), [1, 2, 3], graphs=1)
def unbound_methods(x, items):
    list.append(items, 4)
    add = items.append
    add(5)
    return x + list.__len__(items), list.__getitem__(items, 1), list.__contains__(items, 5)


@program(tensor(2), [tensor(2), tensor(2)], graphs=1)
def lists_of_tensors(x, tensors):
    tensors.append(x)
    tensors[0] = tensors[1] + tensors[2]
    total = sum(tensors)
    return total, tensors.pop()


@program(tensor(2), graphs=1)
def list_of_many(x):
    return x + 1, list(range(5)), list("abc"), list({1: 2}), list((1, 2)), list(), tuple(), tuple("ab"), list(iter([1]))


@program(tensor(2), [1, 2, 3], [1, 2, 3], graphs=1)
def equal_existing(x, a, b):
    return x + (1 if a == b else 2), a is b, a != b


@program(tensor(2), graphs=1, steady=False)
def list_in_default(x, kept=[]):
    kept.append(len(kept))
    return x + 1
