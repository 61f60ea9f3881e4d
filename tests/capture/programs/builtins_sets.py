"""Sets and frozensets: methods, operators, order of iteration, errors."""
# ruff: noqa: FURB171

from tests.capture.harness import program, tensor


@program(tensor(2), {1, 2}, graphs=1, changed=[(tensor(2), {1, 2, 3})])
def changes(x, s):
    s.add(3)
    s.add(3)
    s.discard(1)
    s.discard(99)
    s.remove(2)
    return x + len(s), s


@program(tensor(2), {1, 2, 3}, {3, 4}, graphs=1)
def operators(x, a, b):
    return x + 1, a | b, a & b, a - b, a ^ b, b - a, a < b, a <= a, a == b, a != b, {3} < b, a > {1}, a >= {1, 2, 3}


@program(tensor(2), {1, 2, 3}, graphs=1)
def methods(x, a):
    return (
        x + 1,
        a.union([4], (5,), {6}),
        a.intersection([1, 9]),
        a.difference({1}, [2]),
        a.symmetric_difference([3, 7]),
        a.issubset([1, 2, 3, 4]),
        a.issuperset((1,)),
        a.isdisjoint("ab"),
        a.copy(),
        a.union(),
    )


@program(tensor(2), {1, 2, 3}, graphs=1)
def in_place(x, a):
    b = a
    a |= {4}
    a &= {1, 2, 4, 9}
    a -= {1}
    a ^= {2, 7}
    a.update([8], (9,))
    a.intersection_update([4, 7, 8])
    a.difference_update([4])
    a.symmetric_difference_update([1])
    return x + 1, a is b, a


@program(tensor(2), graphs=1)
def in_place_made_here(x):
    a = {1, 2, 3}
    a |= {40}
    a &= {1, 2, 40, 9}
    a.update(range(5))
    a -= {1}
    return x + len(a), a, list(a)


@program(tensor(2), {5, 3, 100, 17}, graphs=1, changed=[(tensor(2), {3, 5}), (tensor(2), {"a", "b"})])
def order_of_existing(x, s):
    return x + 1, list(s), [n for n in s], tuple(s)


@program(tensor(2), {"pear", "apple", "fig"}, graphs=1)
def order_of_strings(x, s):
    return x + 1, list(s), ",".join(s), list({"u", "v", "w"}), sorted(s)


@program(tensor(2), graphs=1)
def order_of_made(x):
    s = {33, 1, 65, 2}
    s.add(97)
    for n in range(40):
        s.add(n)
    for n in range(2, 38):
        s.discard(n)
    t = set([8, 0, 16])
    return x + 1, list(s), list(t), list(s | t), list(t - {0}), list(frozenset((16, 8, 0)))


@program(tensor(2), {8, 1, 16}, graphs=1)
def order_of_results(x, s):
    return x + 1, list(s | {0}), list(s.copy()), list(set(s)), list(s - {1}), list(frozenset(s)), list({*s, 5})


@program(tensor(2), graphs=1)
def pops(x):
    s = {3, 1, 2}
    first = s.pop()
    return x + first, s, s.pop(), s.pop()


@program(tensor(2), {7}, graphs=1)
def pop_single(x, s):
    return x + s.pop()


@program(tensor(2), graphs=1)
def frozen(x):
    f = frozenset([1, 2])
    return (
        x + 1,
        f | {3},
        {3} | f,
        f & {1},
        f - {1},
        f ^ {5},
        f == {1, 2},
        hash(f) == hash(frozenset({2, 1})),
        f in {frozenset({1, 2})},
        {f: 1}[frozenset([2, 1])],
        {1, 2} in {f},
        f.copy() is f,
        frozenset(f) is f,
        f.union([9]),
    )


@program(tensor(2), frozenset({1, 2}), graphs=1, changed=[(tensor(2), frozenset({1, 3}))])
def existing_frozen(x, f):
    return x + (1 if 2 in f else 0), f, len(f)


class Ident:
    pass


class Equal:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 7

    def __eq__(self, other):
        return isinstance(other, Equal) and self.n == other.n


@program(tensor(2), graphs=1)
def objects(x):
    a, b = Ident(), Ident()
    s = {a, b, a}
    s.discard(b)
    e = {Equal(1), Equal(1), Equal(2)}
    return x + len(s), a in s, b in s, len(e), Equal(2) in e, Equal(3) in e, {int, str} == {str, int}


@program(tensor(2), graphs=1)
def tensors(x):
    y = x + 1
    s = {x, y, x}
    return x + len(s), y in s, (x + 1) in s


@program(tensor(2), graphs=1)
def errors(x):
    s = {1}
    said = []
    for attempt in (
        lambda: s.remove(9),
        lambda: s.add([]),
        lambda: s.add({}),
        lambda: {[]},
        lambda: set().pop(),
        lambda: s | [1],
        lambda: s & [1],
        lambda: s < [1],
        lambda: hash(s),
        lambda: set(5),
        lambda: s.union(5),
        lambda: s.add(),
        lambda: s.add(1, 2),
        lambda: frozenset(1, 2),
        lambda: set(1, 2),
        lambda: s[0],
        lambda: frozenset().add(1),
        lambda: s.update(5),
        lambda: [] in s,
        lambda: {1} in s,
        lambda: s.symmetric_difference(),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said, s


@program(tensor(2), {1, 2, 3}, graphs=1)
def changed_while_iterating(x, s):
    try:
        for n in s:
            s.add(n + 10)
    except RuntimeError as error:
        return x + 1, str(error)


@program(tensor(2), {1, 2, 3}, graphs=1)
def half_consumed(x, s):
    i = iter(s)
    next(i)
    j = iter({10, 20, 30})
    next(j)
    return x + 1, i, j


@program(tensor(2), graphs=1)
def comprehensions(x):
    return x + 1, {n % 3 for n in range(10)}, {c for c in "hello"}, frozenset(n for n in (1, 1)), {*[1, 2], *(2, 3)}


@program(tensor(2), graphs=1)
def texts(x):
    return x + 1, repr({1}), repr(set()), str(frozenset()), repr(frozenset({1})), f"{ {2} }", repr({(1, 2)})


@program(tensor(2), graphs=1)
def truth_and_length(x):
    return x + 1, bool(set()), bool({0}), len({1, 1, 2}), not frozenset()


@program(tensor(2), {1, 2}, graphs=1)
def membership_of_existing(x, s):
    return x + (1 in s), 5 in s, "a" not in s, (1,) in s


@program(tensor(2), graphs=1)
def equal_numbers(x):
    s = {1, 1.0, True}
    s.add(0.0)
    s.add(False)
    return x + 1, s, len(s), {True} | {1}, {1} & {1.0}


@program(tensor(2), {1, 2}, graphs=1)
def cleared(x, s):
    s.clear()
    s.add(5)
    return x + 1, s, list(s)
