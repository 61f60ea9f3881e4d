"""Weak references, to objects that existed before and to objects made in the call."""

import datetime as dt
import weakref

import framelift
from tests.capture.harness import meanwhile, program, tensor


class Plain:
    def __init__(self, a):
        self.a = a


OLD = Plain(3)
TO_OLD = weakref.ref(OLD)
HOLDER = Plain(None)


@program(graphs=1)
def to_a_made_object(x):
    p = Plain(1)
    r = weakref.ref(p)
    return x + r().a, r() is p


@program(graphs=1)
def to_a_made_object_in_a_list(x):
    items = [Plain(1), Plain(2)]
    refs = [weakref.ref(item) for item in items]
    return x + sum(ref().a for ref in refs), refs[0]() is items[0]


@program(graphs=1)
def returned_with_its_object(x):
    p = Plain(x + 1)
    return weakref.ref(p), p


@program(graphs=1)
def returned_without_its_object(x):
    p = Plain(x + 1)
    return weakref.ref(p), p.a


@program(graphs=1, steady=False)
def object_kept_by_an_old_one(x):
    HOLDER.a = Plain(4)
    r = weakref.ref(HOLDER.a)
    return x + r().a


@program(graphs=1)
def object_kept_by_a_closure(x):
    def make():
        p = Plain(5)
        return weakref.ref(p), lambda: p

    r, keep = make()
    return x + r().a, keep


@program(broken="let go of")
def object_let_go_of(x):
    r = weakref.ref(Plain(1))
    return x + 1, r() is None


@program(broken="let go of")
def object_deleted(x):
    p = Plain(1)
    r = weakref.ref(p)
    y = x + r().a
    del p
    return y, r() is None


@program(broken=True)
def object_deleted_after_a_break(x):
    p = Plain(1)
    framelift.graph_break()
    r = weakref.ref(p)
    y = x + r().a
    del p
    return y, r() is None


@program(broken=True)
def function_not_read_after_a_break(x):
    def f():
        return 6

    r = [weakref.ref(f)]
    framelift.graph_break()
    y = x + 1
    framelift.graph_break()
    return y + r[0]()()


@program(broken=True)
def object_not_read_after_a_break(x):
    p = Plain(3)
    framelift.graph_break()
    r = [weakref.ref(p)]
    framelift.graph_break()
    return x + r[0]().a


@program(graphs=1)
def as_a_key(x):
    p, q = Plain(1), Plain(2)
    table = {weakref.ref(p): 1, weakref.ref(q): 2}
    return x + table[weakref.ref(p)], len(table), weakref.ref(p) in table, weakref.ref(p) == weakref.ref(q), p, q


@program(graphs=1)
def to_itself(x):
    p = Plain(1)
    p.me = weakref.ref(p)
    return x + p.me().a, p


@program(graphs=1)
def with_a_callback(x):
    seen = []
    p = Plain(1)
    r = weakref.ref(p, seen.append)
    return x + r().a, seen, p, r


@program(graphs=1)
def to_a_made_class(x):
    class C:
        n = 4

    r = weakref.ref(C)
    return x + r().n, r() is C


@program(graphs=1)
def to_a_made_function(x):
    def f():
        return 6

    r = weakref.ref(f)
    return x + r()()


@program(graphs=1)
def of_an_old_object(x):
    return x + TO_OLD().a, TO_OLD() is OLD


@program(graphs=1)
def dates_as_keys(x):
    table = {dt.date(2024, 1, 1): 5}
    return x + table[dt.date(2024, 1, 1)], dt.timedelta(1) in {dt.timedelta(days=1)}


@program(tensor(2), dt.date(2024, 1, 1), graphs=1, steady=False, changed=[(tensor(2), dt.date(2024, 1, 2))])
def dates_as_arguments(x, day):
    return x + day.day, {dt.date(2024, 1, 1): 1}.get(day)


# ---- Weak collections that existed before

YOUNG = Plain(4)
WEAK_KEYS = weakref.WeakKeyDictionary({OLD: 2})
WEAK_SET = weakref.WeakSet([OLD])
WEAK_VALUES = weakref.WeakValueDictionary({"old": OLD})
NOW = Plain(OLD)


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[
        (tensor(2), meanwhile(lambda: setattr(NOW, "a", YOUNG))),
        (tensor(2), meanwhile(lambda: WEAK_KEYS.update({YOUNG: 5}))),
        (tensor(2), meanwhile(lambda: WEAK_SET.add(YOUNG))),
        (tensor(2), meanwhile(lambda: setattr(NOW, "a", Plain(7)))),
    ],
)
def looked_up_weakly(x, _):
    return x * WEAK_KEYS.get(NOW.a, 9) + (NOW.a in WEAK_SET) + (NOW.a in WEAK_KEYS)


@program(graphs=1, steady=False)
def counted_weakly(x):
    WEAK_KEYS[OLD] = WEAK_KEYS[OLD] + 1
    return x * WEAK_KEYS[OLD]


@program(graphs=1)
def value_held_weakly(x):
    return x * WEAK_VALUES["old"].a, "new" in WEAK_VALUES


@program(tensor(2), broken="a weak reference with a callback", steady=False, changed=[(tensor(2),), (tensor(2),)])
def new_key_held_weakly(x):
    y = x + 1
    WEAK_KEYS[YOUNG] = WEAK_KEYS.get(YOUNG, 0) + 1
    return y * len(WEAK_KEYS)
