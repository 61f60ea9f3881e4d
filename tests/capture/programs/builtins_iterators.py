"""enumerate, zip, map, filter, reversed, iter, next: as values, half consumed and returned, errors."""

from tests.capture.harness import program, tensor


@program(tensor(2), ["a", "b"], graphs=1)
def enumerates(x, items):
    return (
        x + 1,
        list(enumerate(items)),
        list(enumerate(items, 5)),
        list(enumerate(items, start=-1)),
        dict(enumerate("ab")),
    )


@program(tensor(2), [1, 2, 3], ["a", "b"], graphs=1)
def zips(x, a, b):
    return (
        x + 1,
        list(zip(a, b)),
        list(zip(a)),
        list(zip()),
        list(zip(a, b, "xyz", strict=False)),
        dict(zip(b, a)),
        [*zip(*[(1, 2), (3, 4)])],
    )


@program(tensor(2), graphs=1)
def strict_zips(x):
    said = []
    for args in (([1], []), ([], [1]), ([1, 2], [1, 2], [1]), ([1], [1], [1, 2]), ([1], [1])):
        try:
            said.append(list(zip(*args, strict=True)))
        except ValueError as error:
            said.append(str(error))
    return x + 1, said


@program(tensor(2), [1, 2, 3], graphs=1)
def maps(x, items):
    def twice(n):
        return n * 2

    return (
        x + 1,
        list(map(twice, items)),
        list(map(lambda a, b: a + b, items, [10, 20])),
        list(map(str, items)),
        sum(map(len, ["a", "bb"])),
    )


@program(tensor(2), [0, 1, 2, 3], graphs=1)
def filters(x, items):
    return x + 1, list(filter(None, items)), list(filter(lambda n: n % 2, items)), list(filter(str.isalpha, "a1b"))


@program(tensor(2), graphs=1)
def tensor_maps(x):
    rows = [x, x + 1]
    return sum(map(lambda a, b: a * b, rows, rows)), [i * t for i, t in enumerate(rows)], list(zip(rows, [1, 2]))


@program(tensor(2), graphs=1)
def types(x):
    return (
        x + 1,
        type(enumerate([])),
        type(zip()),
        type(map(len, [])),
        type(filter(None, [])),
        type(reversed([])),
        type(iter([])),
        isinstance(zip(), zip),
    )


@program(tensor(2), [1, 2, 3], graphs=1)
def half_consumed_enumerate(x, items):
    e = enumerate(items, 3)
    next(e)
    return x + 1, e


@program(tensor(2), [1, 2, 3], graphs=1)
def half_consumed_zip(x, items):
    z = zip(items, "abc")
    next(z)
    s = zip([1], [2, 3], strict=True)
    next(s)
    return x + 1, z, s


def double(n):
    return n * 2


def odd(n):
    return n % 2


@program(tensor(2), [1, 2, 3], graphs=1)
def half_consumed_map(x, items):
    f = map(double, items)
    next(f)
    g = filter(odd, items)
    next(g)
    h = filter(None, [0, 1])
    return x + 1, f, g, h


@program(tensor(2), graphs=1)
def chained_iterators(x):
    e = enumerate(zip(map(double, [1, 2, 3]), filter(odd, range(10))))
    next(e)
    return x + 1, e


@program(tensor(2), [1, 2, 3], graphs=1)
def shared_source(x, items):
    it = iter(items)
    pairs = zip(it, it)
    next(pairs)
    return x + 1, it, pairs


@program(tensor(2), graphs=1)
def uneven_zip_consumes(x):
    a, b = iter([1, 2, 3]), iter([1])
    list(zip(a, b))
    return x + 1, list(a), list(b)


@program(tensor(2), graphs=1)
def reverses(x):
    class_ = Both([1, 2, 3])
    return (
        x + 1,
        list(reversed([1, 2])),
        list(reversed((1, 2))),
        list(reversed("ab")),
        list(reversed(range(3))),
        list(reversed({1: 2})),
        list(reversed(class_)),
        list(reversed(Own())),
    )


class Both:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


class Own:
    def __reversed__(self):
        return iter("own")


@program(tensor(2), graphs=1)
def iteration_protocols(x):
    return (
        x + 1,
        list(Both([4, 5])),
        [*Both("ab")],
        5 in Both([4, 5]),
        list(iter(Both([1]))),
        tuple(Steps(3)),
        max(Steps(4)),
        dict.fromkeys(Steps(2)),
    )


class Steps:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


@program(tensor(2), graphs=1)
def sentinel(x):
    left = [3, 2, 1, 0, 9]
    it = iter(lambda: left.pop(0), 0)
    return x + 1, list(it), left, list(it), type(it)


@program(tensor(2), graphs=1)
def next_default(x):
    it = iter([1])
    return x + next(it), next(it, None), next(it, 5), next(iter(()), x) is x


@program(tensor(2), graphs=1)
def next_ends(x):
    it = iter([])
    said = []
    for source in (
        iter([]),
        iter(()),
        zip(),
        map(len, []),
        enumerate([]),
        filter(None, [0]),
        reversed([]),
        iter({}),
        iter(""),
        (n for n in ()),
    ):
        try:
            next(source)
        except StopIteration as stop:
            said.append((stop.args, stop.value))
    return x + 1, said, list(it)


@program(tensor(2), graphs=1)
def errors(x):
    said = []
    for attempt in (
        lambda: next([]),
        lambda: next(5),
        lambda: iter(5),
        lambda: iter(5, 6),
        lambda: zip(5),
        lambda: zip([], 5),
        lambda: enumerate(5),
        lambda: enumerate([], "a"),
        lambda: enumerate(),
        lambda: map(len),
        lambda: map(),
        lambda: filter(None),
        lambda: filter(None, 5),
        lambda: reversed(5),
        lambda: reversed({1}),
        lambda: list(map(5, [1])),
        lambda: list(map(len, [1])),
        lambda: list(filter(lambda a, b: a, [1])),
        lambda: list(map(lambda a: a, [1], [2])),
        lambda: next(),
        lambda: iter(),
        lambda: {**5},
        lambda: sum(5),
        lambda: sorted(5),
        lambda: max(5),
        lambda: zip([1], foo=1),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), graphs=1)
def map_that_stops(x):
    def stop(n):
        if n == 2:
            raise StopIteration
        return n

    return x + 1, list(map(stop, [1, 2, 3]))


@program(tensor(2), graphs=1)
def lazy(x):
    log = []

    def note(n):
        log.append(n)
        return n

    m = map(note, [1, 2, 3])
    before = list(log)
    next(m)
    return x + 1, before, log, list(m), log


@program(tensor(2), [1, 2, 3], graphs=1)
def explicit_protocol(x, items):
    it = items.__iter__()
    z = zip(items)
    return x + it.__next__(), it.__iter__() is it, z.__next__(), z.__iter__() is z, list(it)
