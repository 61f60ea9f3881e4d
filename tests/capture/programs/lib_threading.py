"""Locks, attributes of each thread's own, and variables of contexts."""

import contextlib
import contextvars
import threading

import torch

from framelift.controls import graph_break
from tests.capture.harness import meanwhile, program, tensor

lock = threading.Lock()
again = threading.RLock()
done = []


@program(tensor(2), graphs=1)
def with_lock(x):
    with lock:
        done.append(lock.__class__.__name__)
        y = x + 1
    return y


@program(tensor(2), graphs=1)
def taken_and_given_back(x):
    got = lock.acquire()
    try:
        y = torch.sin(x)
    finally:
        lock.release()
    return y, got


@program(tensor(2), graphs=1)
def taken_twice(x):
    with again, again:
        y = x * 2
    return y


@program(tensor(2), broken="asked for")
def break_under_lock(x):
    with lock:
        y = x * 2
        graph_break()
        z = y + 1
    return y, z


@program(tensor(2), graphs=1)
def exception_under_lock(x):
    try:
        with lock:
            raise ValueError("inside")
    except ValueError as error:
        return x + 1, str(error)


@program(tensor(2), broken="unknown operation")
def perhaps_not_got(x):
    got = lock.acquire(False)
    if got:
        lock.release()
    return x + 1, got


# ---- Attributes of each thread's own

LOCAL = threading.local()
LOCAL.scale = 2.0


class WithDefault(threading.local):
    level = 5


class Prepared(threading.local):
    def __init__(self):
        self.level = 3


DEFAULTED, PREPARED = WithDefault(), Prepared()


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[
        (tensor(2), meanwhile(lambda: setattr(LOCAL, "scale", 3.0))),
        (tensor(2), meanwhile(lambda: setattr(LOCAL, "more", 1))),
        (tensor(2), meanwhile(lambda: setattr(DEFAULTED, "level", 7))),
    ],
)
def attributes_of_this_thread(x, _):
    return x * LOCAL.scale + getattr(LOCAL, "more", 10) + DEFAULTED.level


@program(graphs=1, steady=False)
def attributes_set_in_this_thread(x):
    LOCAL.count = getattr(LOCAL, "count", 0) + 1
    LOCAL.short = x + 1
    y = LOCAL.short
    del LOCAL.short
    return y * LOCAL.count, hasattr(LOCAL, "short")


@program
def missing_attribute_of_this_thread(x):
    return x + LOCAL.nothing


@program(broken="each thread's own")
def attributes_made_by_init_in_each_thread(x):
    return x + PREPARED.level


@program(broken="each thread's own")
def all_attributes_of_this_thread(x):
    return x + len(LOCAL.__dict__)


SET, UNSET = contextvars.ContextVar("set"), contextvars.ContextVar("unset")
DEFAULT = contextvars.ContextVar("default", default=4)
SET.set(2)


@program(
    tensor(2),
    None,
    graphs=1,
    changed=[
        (tensor(2), meanwhile(lambda: SET.set(3))),
        (tensor(2), meanwhile(lambda: UNSET.set(None))),
        (tensor(2), meanwhile(lambda: DEFAULT.set(9))),
    ],
)
def context_variables(x, _):
    return x * SET.get() + DEFAULT.get() + DEFAULT.get(7), UNSET.get("otherwise")


@program
def context_variable_without_a_value(x):
    return x + UNSET.get()


@program(graphs=1)
def context_variable_set_for_a_while(x):
    y = x + 1
    token = SET.set(5)
    try:
        y = y * SET.get()
    finally:
        SET.reset(token)
    return y, SET.get()


@program(steady=False, graphs=1)
def context_variable_left_set(x):
    SET.set(SET.get() + 1)
    UNSET.set([SET.get()])
    UNSET.get().append(3)
    return x * SET.get(), UNSET.get()


@program(graphs=1)
def context_variable_set_twice(x):
    outer = SET.set(5)
    seen = [SET.get()]
    inner = SET.set(6)
    LOCAL.noted = SET.get()
    seen += [SET.get(), inner.old_value, inner.var is SET]
    SET.reset(inner)
    seen.append(SET.get())
    SET.reset(outer)
    first = UNSET.set(1)
    UNSET.reset(first)
    return x + sum(map(int, seen)), seen, SET.get(), UNSET.get("nothing"), first.old_value is contextvars.Token.MISSING


@program(graphs=1, steady=False)
def token_returned(x):
    return x + 1, [SET.set(7)], SET.get()


@contextlib.contextmanager
def setting(value):
    token = SET.set(value)
    try:
        yield value
    finally:
        SET.reset(token)


@program(graphs=1)
def context_variable_set_by_a_manager(x):
    with setting(4):
        y = x * SET.get()
        with setting(5):
            y = y + SET.get()
    return y - SET.get()


@program(broken=True)
def graph_break_while_a_context_variable_is_set(x):
    with setting(4):
        y = x * SET.get()
        print(y.sum().item())
        y = y + SET.get()
    return y - SET.get()


@program(broken=True)
def context_variable_set_back_twice(x):
    token = SET.set(4)
    y = x + SET.get()
    SET.reset(token)
    try:
        SET.reset(token)
    except RuntimeError as error:
        return y, "used" in str(error)
    return y
