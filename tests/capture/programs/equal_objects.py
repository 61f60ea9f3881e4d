"""Objects that are equal without being one, as keys and in collections; collections changed in odd ways."""

import collections
import functools
import itertools
import operator
import types

import torch

from tests.capture.harness import call, meanwhile, program, tensor

X = tensor(2, 3)


class K:
    """Equal by its number."""

    def __init__(self, n, tag=""):
        self.n, self.tag = n, tag

    def __eq__(self, o):
        return isinstance(o, K) and self.n == o.n

    def __hash__(self):
        return hash(self.n % 3)

    def __repr__(self):
        return f"K{self.n}{self.tag}"

    def __lt__(self, o):
        return self.n < o.n


@program(
    *(X, {K(1): "a", K(4): "b", K(2): "c"}),
    steady=False,
    changed=[(X, {K(4): "a", K(1): "b"}), (X, {})],
    broken="keys with one hash",
)
def dict_of_equal_keys(x, d):
    d[K(1, "new")] = "z"
    d[K(7)] = d.pop(K(4), "none")
    d.setdefault(K(2, "dup"), "never")
    if K(2) in d:
        del d[K(2, "x")]
    e = dict(d)
    e.update({K(1, "third"): 9})
    return x + len(d), list(d), d, e, d == e, {k.tag for k in d}, K(9) in d, d.get(K(7)), [*d.items()][0]


@program(
    X,
    {K(1), K(4)},
    [K(4, "l"), K(2, "l")],
    broken="keys with one hash",
    steady=False,
    changed=[(X, {K(2)}, [K(2, "other")]), (X, set(), [])],
)
def sets_of_equal_elements(x, s, l):
    t = set(l)
    u = s | t
    v = s & t
    w = s - t
    y = s ^ t
    s.add(K(1, "again"))
    s.discard(K(4, "gone"))
    return (
        x + len(s),
        sorted(u),
        sorted(v),
        sorted(w),
        sorted(y),
        sorted(s),
        s <= u,
        s.isdisjoint(w),
        frozenset(l) == t,
        len({K(1), K(1, "b"), K(2)}),
    )


@program(X, [K(1), K(2), K(1, "b"), K(3)])
def lists_of_equal_objects(x, l):
    i = l.index(K(1, "q"), 1)
    c = l.count(K(1))
    l.remove(K(1, "z"))
    return (
        x + i,
        c,
        l,
        K(3) in l,
        l == [K(2), K(1), K(3)],
        l.index(K(3)),
        max(l),
        sorted(l, reverse=True),
        collections.Counter(l).most_common(1),
        list(dict.fromkeys(l + l)),
        [list(g) for _, g in itertools.groupby(sorted(l + [K(1, "g")]))],
    )


@program(
    X,
    collections.OrderedDict(a=1, b=2, c=3),
    collections.deque([1, 2, 3], 4),
    collections.defaultdict(list, a=[1]),
    collections.Counter("aab"),
)
def found_collections_changed(x, o, d, dd, c):
    o.move_to_end("a")
    o.popitem(last=False)
    o["z"] = 0
    o.move_to_end("z", last=False)
    d.rotate(1)
    d.append(9)
    d.append(10)
    d.extendleft([7])
    del d[1]
    d[0], d[-1] = d[-1], d[0]
    dd["b"].append(2)
    dd["a"] += [5]
    dd.pop("a").append(3)
    c.update(b=5)
    c.subtract("aa")
    c += collections.Counter(z=1)
    c["q"]
    return x + len(d), o, d, dd, c, list(reversed(o)), c.most_common(1)


@program(X, {"a": 1, "b": 2, "c": 3})
def found_dict_reordered(x, d):
    first = next(iter(d))
    d[first] = d.pop(first)
    d["b"] = 20
    view = d.keys()
    items = list(d.items())
    d.popitem()
    d |= {"n": 1, "c": 30}
    d["m"] = d
    return x + len(view), items, list(view), list(d.values())[0], first


class Box:
    items = []

    def __init__(self):
        self.own = []
        self.d = {}


BOX = Box()
SHARED = {"box": BOX, "own": BOX.own}


@program(steady=False)
def shared_state(x):
    BOX.own.append(len(Box.items))
    Box.items.append(SHARED["own"])
    SHARED["own"].append("x")
    BOX.d[len(BOX.d)] = BOX
    vars(BOX)["late"] = Box.items[-1]
    BOX.own = BOX.own + [1]
    SHARED["own"] = BOX.own
    return x + len(BOX.own), BOX.late is Box.items[0], SHARED["own"] is BOX.own, Box.items


def chain_of(n):
    head = None
    for i in range(n):
        head = types.SimpleNamespace(v=i, next=head)
    return head


@program(X, chain_of(4), changed=[(X, chain_of(3)), (X, chain_of(0))])
def list_reversed_in_place(x, head):
    prev, n = None, 0
    while head is not None:
        head.next, prev, head = prev, head, head.next
        n += 1
    return x + n, prev


class Tree:
    def __init__(self, v, *kids):
        self.v, self.kids, self.parent = v, list(kids), None
        for k in kids:
            k.parent = self

    def walk(self):
        yield self
        for k in self.kids:
            yield from k.walk()


@program(X, Tree(1, Tree(2, Tree(3)), Tree(4)), changed=[(X, Tree(1))])
def tree_changed_while_walked(x, t):
    out = []
    for n in t.walk():
        out.append(n.v)
        if n.v == 2:
            n.kids.append(Tree(5))
            n.parent.kids.append(n.kids.pop(0))
        n.v *= 10
    return x + sum(out), out, t


@program(X, [[1], [2], [3]], changed=[(X, [[1]] * 3)])
def nested_swaps(x, l):
    l[0], l[1] = l[1], l[0]
    l[0] += [9]
    l[-1][:] = l[0]
    l[0][0], l[1] = l[1], l[0][0]
    a, *b = l
    b.append(a)
    del l[1:]
    return x + len(l), l, a, b, a is l[0]


@program(X, iter([1, 2, 3, 4]), changed=[(X, iter([1])), (X, iter([]))])
def iterators_shared_and_left(x, it):
    a = next(it, 0)
    m = map(lambda v: v * 2, it)
    z = zip(it, m)
    first = next(z, None)
    e = enumerate(it, 5)
    return x + a, first, m, e, list(itertools.islice(it, 1))
