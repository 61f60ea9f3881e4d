"""collections: OrderedDict, defaultdict, deque, Counter, ChainMap, UserDict, UserList, UserString."""
# ruff: noqa: RUF005

from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque

from tests.capture.harness import program, tensor


@program(tensor(2), OrderedDict(a=1, b=2, c=3), graphs=1)
def ordered_dict(x, d):
    d.move_to_end("a")
    d.move_to_end("c", last=False)
    d["z"] = 9
    first = d.popitem(last=False)
    last = d.popitem()
    return x + 1, list(d), first, last, list(reversed(d)), d, len(d), "a" in d


@program(tensor(2), graphs=1)
def ordered_dict_made_here(x):
    d = OrderedDict([("a", 1), ("b", 2)], c=3)
    e = OrderedDict(b=2, a=1)
    d.pop("c")
    d.setdefault("q", x)
    del d["q"]
    return (
        x + 1,
        d,
        d == e,
        d == {"b": 2, "a": 1},
        d != e,
        d.copy(),
        d | {"z": 1},
        {"y": 0} | d,
        repr(d),
        list(d.items()),
        OrderedDict.fromkeys("ab"),
    )


@program(tensor(2), OrderedDict(a=1, b=2), graphs=1)
def ordered_dict_views(x, d):
    return x + d["b"], list(d.keys()), list(d.values()), list(reversed(d.items())), d.keys(), iter(d), d.get("q", 5)


@program(tensor(2), graphs=1)
def ordered_dict_errors(x):
    d = OrderedDict(a=1)
    said = []
    for attempt in (
        lambda: d["q"],
        lambda: d.move_to_end("q"),
        lambda: OrderedDict().popitem(),
        lambda: d.pop("q"),
        lambda: d.pop("q", 5),
        lambda: d[[]],
        lambda: d.move_to_end(),
        lambda: d.__delitem__("zz"),
        lambda: OrderedDict(5),
        lambda: d < d,
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), graphs=1)
def ordered_dict_changed_while_iterating(x):
    d = OrderedDict(a=1, b=2)
    try:
        for k in d:
            d[k + "x"] = 1
    except RuntimeError as error:
        return x + 1, str(error)


@program(tensor(2), defaultdict(list, a=[1]), graphs=1)
def default_dict(x, d):
    d["a"].append(2)
    d["b"].append(3)
    return x + len(d["c"]), d, d.default_factory is list, "q" in d, d.get("q")


@program(tensor(2), graphs=1)
def default_dict_made_here(x):
    counts = defaultdict(int)
    for c in "hello":
        counts[c] += 1
    nested = defaultdict(lambda: defaultdict(list))
    nested["a"]["b"].append(1)
    plain = defaultdict(None, q=1)
    try:
        plain["z"]
    except KeyError as error:
        said = error.args
    return (
        x + counts["l"],
        dict(counts),
        counts,
        nested["a"]["b"],
        said,
        counts.copy(),
        repr(counts),
        counts == dict(counts),
        counts | {"z": 1},
    )


@program(tensor(2), graphs=1)
def default_dict_of_tensors(x):
    sums = defaultdict(lambda: 0)
    for i in range(4):
        sums[i % 2] = sums[i % 2] + x * i
    return dict(sums)


@program(tensor(2), graphs=1)
def default_dict_errors(x):
    said = []
    for attempt in (lambda: defaultdict(5), lambda: defaultdict(list)[[]], lambda: defaultdict(list, 5)):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


class Missing(dict):
    def __missing__(self, key):
        return f"no {key}"


@program(tensor(2), Missing(a=1), graphs=1)
def dict_with_missing(x, d):
    return x + d["a"], d["b"], d.get("b"), "b" in d, len(d)


@program(
    tensor(2), deque([1, 2, 3]), graphs=1, changed=[(tensor(2), deque([4])), (tensor(2), deque([1, 2, 3], maxlen=3))]
)
def deques(x, d):
    d.append(4)
    d.appendleft(0)
    d.extend([5, 6])
    d.extendleft("ab")
    d.rotate(2)
    d.rotate(-1)
    return x + d[0] if isinstance(d[0], int) else x, d.pop(), d.popleft(), len(d), list(d), d


@program(tensor(2), graphs=1)
def deques_made_here(x):
    d = deque("abc", maxlen=4)
    d.extend("de")
    d.insert(0, "z") if len(d) < 4 else None
    d.remove("c")
    d.reverse()
    d[0] = x
    e = d.copy()
    del e[0]
    return (
        d[0] + 1,
        list(e),
        d.maxlen,
        e,
        deque([1, 2]) == deque([1, 2]),
        deque([1]) + deque([2]),
        deque([1]) * 2,
        deque([1, 2]) < deque([1, 3]),
        1 in deque([1]),
        deque([1, 1]).count(1),
        deque([1, 2]).index(2),
        repr(deque([1], 3)),
        bool(deque()),
    )


@program(tensor(2), graphs=1)
def deque_errors(x):
    d = deque([1, 2], maxlen=2)
    said = []
    for attempt in (
        lambda: deque().pop(),
        lambda: deque().popleft(),
        lambda: d[5],
        lambda: d["a"],
        lambda: d.remove(9),
        lambda: d.index(9),
        lambda: d.insert(0, 1),
        lambda: deque(maxlen=-1),
        lambda: deque(5),
        lambda: hash(d),
        lambda: d + [1],
        lambda: d.append(),
        lambda: deque([1], 2, 3),
        lambda: deque(maxlen="a"),
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    return x + 1, said


@program(tensor(2), graphs=1)
def deque_changed_while_iterating(x):
    d = deque([1, 2])
    try:
        for n in d:
            d.append(n)
    except RuntimeError as error:
        return x + 1, str(error)


@program(tensor(2), deque([1, 2, 3]), graphs=1)
def half_consumed_deques(x, d):
    i = iter(d)
    next(i)
    j = reversed(deque("abc"))
    next(j)
    return x + 1, i, j


@program(tensor(2), deque([tensor(2)], maxlen=2), graphs=1)
def deque_of_tensors(x, d):
    d.append(x + 1)
    d.append(d[0] * 2)
    return sum(d)


@program(tensor(2), graphs=1)
def counters(x):
    c = Counter("hello")
    d = Counter(a=1, l=1)
    c["z"] += 5
    c.update("hh")
    c.subtract({"h": 1})
    return (
        x + c["l"],
        c,
        c.most_common(2),
        sorted(c.elements()),
        c + d,
        c - d,
        c & d,
        c | d,
        c["nothing"],
        c.total(),
        Counter([1, 1]) == Counter({1: 2}),
        +Counter(a=-1, b=1),
        dict(c),
        len(c),
        repr(Counter("aab")),
    )


@program(tensor(2), Counter("ab"), graphs=1)
def existing_counter(x, c):
    c["a"] += 1
    c.update(["q"])
    del c["zz"]
    return x + c["a"], c


@program(tensor(2), {"a": 1}, {"a": 2, "b": 3}, graphs=1)
def chain_maps(x, first, second):
    c = ChainMap(first, second)
    c["z"] = 5
    child = c.new_child({"q": 1})
    return x + c["a"], c["b"], list(c), "b" in c, len(c), child["q"], c.parents["a"], c.get("nope"), dict(c), first


@program(tensor(2), graphs=1)
def user_collections(x):
    d = UserDict(a=1)
    d["b"] = 2
    items = UserList([1, 2])
    items.append(3)
    items += [4]
    s = UserString("ab")
    return (
        x + d["a"],
        d.data,
        list(d),
        len(items),
        items[0],
        items.data,
        (items + [9]).data,
        str(s.upper()),
        "a" in s,
        d == {"a": 1, "b": 2},
        d.get("q"),
        repr(d),
        repr(items),
    )


@program(tensor(2), UserDict(a=1), UserList([1]), graphs=1)
def existing_user_collections(x, d, items):
    d["n"] = 1
    items.append(2)
    items.extend([3])
    return x + d["a"], len(items), "n" in d
