"""Subclasses of built-in types: attributes, overridden methods, super(), mutation, identity."""
# ruff: noqa: FLY002, RUF005

from collections import OrderedDict, defaultdict, deque

from tests.capture.harness import program, tensor


class MyList(list):
    def __init__(self, items=(), name="n"):
        super().__init__(items)
        self.name = name

    def append(self, item):
        super().append(item)
        self.last = item

    def total(self):
        return sum(self)


class LoudList(list):
    def __len__(self):
        return 42

    def __getitem__(self, index):
        return ("item", super().__getitem__(index))

    def __iter__(self):
        return iter("iter")

    def __contains__(self, item):
        return "always"


class MyDict(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.log = getattr(self, "log", ()) + (key,)

    def __getitem__(self, key):
        return ("got", super().__getitem__(key))


class AttrDict(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self[name] = value


class MyTuple(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, items)

    def first(self):
        return self[0]


class MySet(set):
    def add(self, item):
        super().add(item + 1)


class MyStr(str):
    def shout(self):
        return self.upper() + "!"

    def __repr__(self):
        return "MyStr!"


class MyInt(int):
    def __add__(self, other):
        return MyInt(super().__add__(other) + 100)

    def half(self):
        return self / 2


class MyFloat(float):
    pass


@program(tensor(2), MyList([1, 2]), graphs=1)
def existing_list(x, items):
    items.append(3)
    items.extend([4])
    items.name = "changed"
    return x + items.total(), items.last, len(items), items[0], items, type(items[:]), isinstance(items, list)


@program(tensor(2), graphs=1)
def list_made_here(x):
    items = MyList([1], name="q")
    items.append(x)
    copied = MyList(items)
    return (
        items.last + 1,
        items,
        items.name,
        copied == items,
        items == [1, x] if False else None,
        items + [1],
        sorted(MyList([2, 1])),
        repr(MyList([1])),
    )


@program(tensor(2), graphs=1)
def overridden_list(x):
    items = LoudList([3, 1, 2])
    return (
        x + 1,
        len(items),
        items[0],
        list(items),
        9 in items,
        sorted(items),
        list.__len__(items),
        [*items],
        items.index(1),
        items.count(3),
        items.copy(),
        items * 2,
        items == [3, 1, 2],
        bool(items),
    )


@program(tensor(2), graphs=1)
def overridden_list_sorts(x):
    items = LoudList([3, 1])
    items.sort()
    items.reverse()
    items.remove(1)
    return x + 1, list.__getitem__(items, 0)


@program(tensor(2), MyDict(a=1), graphs=1)
def existing_dict(x, d):
    d["b"] = 2
    d.update(c=3)
    return x + 1, d["a"], d.get("a"), d.log, len(d), list(d), d == {"a": 1, "b": 2, "c": 3}, dict(d)


@program(tensor(2), graphs=1)
def dict_made_here(x):
    d = MyDict(a=x)
    d["b"] = 2
    e = d | {"z": 1}
    return x + 1, d, d.log, type(d.copy()), type(e), {**d}


@program(tensor(2), AttrDict(a=1), graphs=1)
def attribute_dict(x, d):
    d.b = 2
    made = AttrDict(q=x)
    made.r = 5
    return x + d.a, d.b, made.q + made.r, hasattr(d, "zz"), made


@program(tensor(2), graphs=1)
def tuples(x):
    t = MyTuple(1, 2)
    made = MyTuple(x, 5)
    return (
        x + t.first(),
        made.first() + 1,
        t[1],
        len(made),
        made,
        t == (1, 2),
        type(t + (1,)),
        hash(t) == hash((1, 2)),
        {t: 1}[(1, 2)],
        t[:] is t,
    )


@program(tensor(2), MySet([1]), graphs=1)
def sets(x, s):
    made = MySet([5])
    made.add(6)
    return x + 1, made, 7 in made, type(made | {1}), len(made)


@program(tensor(2), MyStr("ab"), MyInt(3), MyFloat(1.5), graphs=1)
def literals(x, s, i, f):
    return (
        x + i,
        s.shout(),
        s + "c",
        s == "ab",
        {s: 1}["ab"],
        s[0],
        len(s),
        f"{s}",
        repr(s),
        i + 1,
        i * 2,
        i.half(),
        [1, 2, 3, 4][i],
        i == 3,
        f * 2,
        int(i),
        str(s),
        s.upper(),
        range(i),
        "x" * i,
        s in "cab",
        isinstance(i, int),
        i > 2,
        bool(i),
        hash(s) == hash("ab"),
    )


@program(tensor(2), graphs=1)
def literals_made_here(x):
    s, i = MyStr("ab"), MyInt(3)
    s.note = "kept"
    j = i + 1
    return (
        x + j,
        s,
        i,
        j,
        s.note,
        s.shout(),
        MyFloat("2.5"),
        type(i * 2),
        ",".join([s, "c"]),
        "%s" % s,
        int.__add__(i, 1),
        s.split("a"),
    )


class Stack(OrderedDict):
    def push(self, k, v):
        self[k] = v
        self.move_to_end(k, last=False)


class Tree(defaultdict):
    def __init__(self):
        super().__init__(Tree)


class Window(deque):
    def mean(self):
        return sum(self) / len(self)


@program(tensor(2), graphs=1)
def of_collections(x):
    s = Stack(a=1)
    s.push("b", 2)
    t = Tree()
    t["a"]["b"] = x
    w = Window([1, 2, 3], 2)
    w.append(5)
    return x + w.mean(), s, list(s), t["a"]["b"] + 1, w, t


@program(tensor(2), Stack(a=1), Window([1, 2], 2), graphs=1)
def of_existing_collections(x, s, w):
    s.push("z", 0)
    w.append(3)
    s.note = 1
    w.note = 2
    return x + w.mean(), list(s)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class SlottedList(list):
    __slots__ = ("extra",)


@program(tensor(2), graphs=1)
def slots(x):
    s = Slotted(x)
    s.b = 2
    items = SlottedList([1])
    items.extra = 5
    said = []
    for attempt in (
        lambda: setattr(s, "c", 1),
        lambda: s.c,
        lambda: Slotted(1).b,
        lambda: setattr([], "a", 1),
        lambda: setattr(1, "a", 1),
        lambda: setattr(object(), "a", 1),
        lambda: s.__dict__,
    ):
        try:
            said.append(attempt())
        except AttributeError as error:
            said.append(str(error))
    return s.a + s.b, s, items, items.extra, said


class Meta(type):
    def __len__(cls):
        return 7


class WithMeta(list, metaclass=Meta):
    pass


@program(tensor(2), graphs=1)
def with_metaclass(x):
    return x + len(WithMeta), len(WithMeta([1])), WithMeta([1, 2])
