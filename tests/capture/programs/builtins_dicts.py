"""Dicts and their views: methods, operators, order, errors; made in the call and existing before it."""
# ruff: noqa: F601, RUF024

from tests.capture.harness import program, tensor


@program(tensor(2), {"a": 1, "b": 2}, graphs=1, changed=[(tensor(2), {"b": 5, "a": 1, "z": 0}), (tensor(2), {"a": 2})])
def read_one_key(x, d):
    return x + d["a"]


@program(tensor(2), {"a": 1}, graphs=1, changed=[(tensor(2), {"b": 5}), (tensor(2), {})])
def write_needs_no_keys(x, d):
    d["new"] = x + 1
    d["other"] = 5
    return x * 2


@program(tensor(2), {"a": 1, "b": 2}, graphs=1, changed=[(tensor(2), {"a": 9, "c": 3})])
def write_then_iterate(x, d):
    d["c"] = 3
    d["a"] = 4
    del d["a"]
    d["a"] = 5
    return x + 1, list(d), list(d.items())


@program(tensor(2), {"a": 1}, graphs=1, changed=[(tensor(2), {"b": 1}), (tensor(2), {"a": 2})])
def get_and_contains(x, d):
    return x + d.get("a", 10), "a" in d, "q" not in d, d.get("q"), d.get("q", x) is x


@program(tensor(2), {"a": 1, "b": 2}, graphs=1)
def delete_and_pop(x, d):
    del d["a"]
    y = d.pop("b")
    z = d.pop("zz", 7)
    return x + y + z, d, "a" in d


@program(tensor(2), {"a": 1, "b": 2, "c": 3}, graphs=1)
def popitem(x, d):
    return x + 1, d.popitem(), d.popitem(), len(d)


@program(tensor(2), {"a": [1]}, graphs=1)
def setdefault(x, d):
    d.setdefault("a", []).append(2)
    d.setdefault("b", []).append(3)
    d.setdefault("c")
    return x + 1, d


@program(tensor(2), {"a": 1}, graphs=1)
def updates(x, d):
    d.update({"b": 2})
    d.update([("c", 3), ["d", 4]])
    d.update(e=5, f=6)
    d.update({"g": 7}, h=8)
    d |= {"i": 9}
    d |= [("j", 10)]
    return x + len(d), d


@program(tensor(2), graphs=1)
def merges(x):
    a, b = {"a": 1, "b": 2}, {"b": 3, "c": 4}
    c = a | b
    d = {**a, "x": 0, **b}
    return x + 1, c, d, a, list(c), c == d, a != b


@program(tensor(2), graphs=1)
def constructors(x):
    return (
        x + 1,
        dict(),
        dict(a=1),
        dict([(1, 2)], b=3),
        dict({"z": 1}, y=2),
        dict(zip("ab", range(2))),
        dict.fromkeys("abc"),
        dict.fromkeys([1, 2], 0),
        {k: v for k, v in [(1, x), (2, 3)]}[2],
    )


@program(tensor(2), graphs=1)
def shared_fromkeys(x):
    d = dict.fromkeys("ab", [])
    d["a"].append(1)
    return x + 1, d


@program(tensor(2), {"a": 1, "b": 2}, graphs=1, changed=[(tensor(2), {"b": 2, "a": 1})])
def iterate(x, d):
    keys = [k for k in d]
    values = [v for v in d.values()]
    for k, v in d.items():
        x = x + v
    return x, keys, values, len(d), bool(d), list(reversed(d)), list(reversed(d.items()))


@program(tensor(2), {"a": 1}, graphs=1, changed=[(tensor(2), {"b": 3}), (tensor(2), {})])
def length_only(x, d):
    return x + len(d) if d else x


@program(tensor(2), graphs=1)
def keys_of_all_kinds(x):
    d = {
        1: "a",
        "1": "b",
        (1, 2): "c",
        None: "d",
        1.5: "e",
        b"x": "f",
        True: "g",
        frozenset({1}): "h",
        int: "i",
        len: "j",
    }
    return x + 1, d, d[1.0], d[True], d[(1, 2)], d[frozenset([1])], d[int], d[len], 2 in d, (1, 2) in d


@program(tensor(2), {(1, 2): "a", 3: "b", None: "c", 2.5: "d"}, graphs=1)
def existing_keys_of_all_kinds(x, d):
    return x + 1, d[(1, 2)], d[3], d[None], d[2.5], (1, 3) in d, list(d)


class Ident:
    def __init__(self, n):
        self.n = n


class Equal:
    def __init__(self, n):
        self.n = n
        self.log = []

    def __hash__(self):
        self.log.append("hash")
        return self.n % 2

    def __eq__(self, other):
        self.log.append("eq")
        return isinstance(other, Equal) and self.n == other.n


@program(tensor(2), graphs=1)
def objects_as_keys(x):
    a, b = Ident(1), Ident(1)
    d = {a: 1, b: 2}
    d[a] = 3
    return x + d[b], d[a], len(d), Ident(1) in d


@program(tensor(2), graphs=1)
def hashed_objects_as_keys(x):
    a, b, c, e = Equal(1), Equal(3), Equal(1), Equal(2)
    d = {a: 1, b: 2}
    d[c] = 3
    return x + 1, len(d), d[a], d[b], e in d, next(iter(d)) is a, a.log, b.log, c.log, e.log


def with_object_keys():
    a, b = Ident(1), Ident(2)
    return {a: 1, b: tensor(2)}, a


@program(make=True, graphs=1, steady=False)
def existing_object_keys():
    d, a = with_object_keys()

    def fn(x, d, a):
        total = x + d[a]
        for k, v in d.items():
            total = total + v * k.n
        d[a] = 5
        return total

    return fn, lambda: (tensor(2), d, a)


@program(tensor(2), graphs=1)
def tensors_as_keys(x):
    y = x + 1
    d = {x: 1, y: 2}
    return x + d[y], d[x], x in d, len(d)


@program(tensor(2), graphs=1)
def views(x):
    d = {"a": 1, "b": 2, "c": 3}
    k, v, i = d.keys(), d.values(), d.items()
    d["d"] = 4
    return (
        x + 1,
        len(k),
        "d" in k,
        4 in v,
        ("d", 4) in i,
        ("d", 5) in i,
        list(k),
        list(v),
        list(i),
        k == {"a", "b", "c", "d"},
        k == d.keys(),
        {"a"} < k,
        k >= {"a"},
        k.isdisjoint({"z"}),
        repr(k),
        repr(v),
        repr(i),
    )


@program(tensor(2), graphs=1)
def view_set_operations(x):
    a, b = {1: "a", 2: "b", 3: "c"}, {2: "b", 3: "x", 4: "d"}
    return (
        x + 1,
        a.keys() & b.keys(),
        a.keys() | b.keys(),
        a.keys() - b.keys(),
        a.keys() ^ b.keys(),
        a.items() & b.items(),
        a.items() - b.items(),
        a.keys() & [1, 9],
        {1, 2} | a.keys(),
        {1, 7} - a.keys(),
        a.items() == b.items(),
        a.keys() - [1],
    )


@program(tensor(2), {"a": 1, "b": 2}, graphs=1)
def returned_views(x, d):
    made = {"q": x}
    return x + 1, d.keys(), made.values(), made.items(), d


@program(tensor(2), {"a": 1, "b": 2, "c": 3}, graphs=1)
def half_consumed(x, d):
    i = iter(d)
    next(i)
    j = iter({1: 2, 3: 4}.items())
    next(j)
    k = reversed({1: 2, 3: 4})
    next(k)
    return x + 1, i, j, k


@program(tensor(2), {"a": 1, "b": 2}, graphs=1)
def changed_while_iterating(x, d):
    try:
        for k in d:
            d[k + "x"] = 1
    except RuntimeError as error:
        return x + 1, str(error), d


@program(tensor(2), {"a": 1, "b": 2}, graphs=1)
def values_changed_while_iterating(x, d):
    for k in d:
        d[k] = d[k] + 1
    return x + d["a"]


@program(tensor(2), {"a": 1}, graphs=1)
def missing_keys(x, d):
    said = []
    for attempt in (
        lambda: d["q"],
        lambda: d[3],
        lambda: d[(1, 2)],
        lambda: d.pop("q"),
        lambda: {}.popitem(),
        lambda: d.__delitem__("q"),
        lambda: d[[1]],
        lambda: d.get([1]),
        lambda: {[]: 1},
        lambda: d.update(5),
        lambda: d.update([1]),
        lambda: d.update([(1, 2, 3)]),
        lambda: dict(5),
        lambda: dict([1, 2]),
        lambda: d.get(),
        lambda: d.get(1, 2, 3),
        lambda: d.pop(),
        lambda: d.setdefault(),
        lambda: d.keys(1),
        lambda: d + d,
        lambda: d < d,
        lambda: d | [1],
        lambda: dict(1, 2),
        lambda: hash(d),
        lambda: [] in d,
        lambda: d.items() & 5,
    ):
        try:
            said.append(attempt())
        except Exception as error:
            said.append((type(error).__name__, str(error), error.args))
    return x + 1, said


@program(tensor(2), {"a": 1, "b": {"c": [1, 2]}}, graphs=1, changed=[(tensor(2), {"a": 2, "b": {"c": [1], "z": 5}})])
def nested(x, d):
    d["b"]["c"].append(x)
    d["b"]["d"] = d["b"]
    return x + d["a"]


@program(tensor(2), graphs=1)
def equality(x):
    return (
        x + 1,
        {"a": 1} == {"a": 1.0},
        {"a": 1, "b": 2} == {"b": 2, "a": 1},
        {"a": [1]} == {"a": [1]},
        {} == [],
        {"a": 1} != {"a": 2},
        {1: Equal(1)} == {1: Equal(1)},
        {1: Equal(1)} == {1: Equal(2)},
    )


@program(tensor(2), {"a": 1}, graphs=1)
def copies(x, d):
    c = d.copy()
    c["b"] = 2
    e = dict(d)
    e["z"] = 1
    return x + 1, c, e, d


@program(tensor(2), {"a": 1}, graphs=1)
def cleared(x, d):
    d.clear()
    d["n"] = 1
    return x + len(d), d


@program(tensor(2), graphs=1)
def cyclic(x):
    d = {}
    d["me"] = d
    return x + 1, d, repr(d)


@program(tensor(2), graphs=1)
def comprehension_order(x):
    d = {c: i for i, c in enumerate("hello world")}
    return x + 1, d, {v: k for k, v in d.items()}, sorted(d), max(d, key=d.get), sorted(d.items(), key=lambda kv: kv[1])


@program(tensor(2), {"x": 1, "y": 2}, graphs=1)
def as_keywords(x, d):
    def f(**kw):
        kw["z"] = 3
        return kw

    return x + 1, f(**d), f(a=1, **d), d


@program(tensor(2), {"a": tensor(2), "b": [tensor(2)]}, graphs=1)
def dict_of_tensors(x, d):
    out = {k: (v if isinstance(v, list) else v + x) for k, v in d.items()}
    out["b"] = [t * 2 for t in out["b"]]
    return out
