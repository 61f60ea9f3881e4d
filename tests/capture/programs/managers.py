"""`with`: user-defined managers, contextlib's by inlining its code, ExitStack, suppress."""

import contextlib

from tests.capture.harness import program, tensor

LOG = []


class Manager:
    def __init__(self, name="m", swallow=False):
        self.name = name
        self.swallow = swallow
        self.log = []

    def __enter__(self):
        self.log.append(f"enter {self.name}")
        return self

    def __exit__(self, kind, value, traceback):
        self.log.append(f"exit {self.name} {kind.__name__ if kind else None}")
        return self.swallow


@program(graphs=1)
def plain(x):
    with Manager() as m:
        y = x + 1
    return y, m.log


@program(tensor(2), Manager(), graphs=1)
def of_an_argument(x, manager):
    with manager as m:
        y = x + len(m.log)
    return y, m is manager


@program(graphs=1)
def without_name(x):
    m = Manager()
    with m:
        x = x + 1
    return x, m.log


@program(graphs=1)
def several(x):
    a, b = Manager("a"), Manager("b")
    a.log = b.log
    with a, b:
        x = x + len(b.log)
    return x, b.log


@program(graphs=1)
def nested(x):
    log = []
    a, b = Manager("a"), Manager("b")
    a.log = b.log = log
    with a:
        with b:
            log.append("inside")
        log.append("between")
    return x + len(log), log


@program(graphs=1)
def swallows(x):
    m = Manager(swallow=True)
    with m:
        raise ValueError("gone")
    return x + 1, m.log


@program(graphs=1)
def does_not_swallow(x):
    m = Manager()
    try:
        with m:
            raise ValueError("kept")
    except ValueError as error:
        return x + 1, m.log, error.args


@program(graphs=1)
def return_inside(x):
    m = Manager()

    def f():
        with m:
            return x + 1

    return f(), m.log


@program(graphs=1)
def break_and_continue_inside(x):
    m = Manager()
    for i in range(4):
        with m:
            if i == 0:
                continue
            if i == 2:
                break
            x = x + i
    return x, m.log


@program(graphs=1)
def target_forms(x):
    class_ = Pair
    with class_() as (a, b):
        x = x + a + b
    holder = {}
    with class_() as holder["k"]:
        pass
    return x, holder


class Pair:
    def __enter__(self):
        return 1, 2

    def __exit__(self, *args):
        pass


class FailsInEnter:
    def __enter__(self):
        raise ValueError("enter")

    def __exit__(self, *args):
        LOG.append("never")


class FailsInExit:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        raise KeyError("exit")


@program(graphs=1)
def exception_in_enter(x):
    try:
        with FailsInEnter():
            pass
    except ValueError as error:
        return x + 1, error.args


@program(graphs=1)
def exception_in_exit(x):
    try:
        with FailsInExit():
            raise ValueError("body")
    except KeyError as error:
        return x + 1, type(error.__context__), error.__context__.args


@program(graphs=1)
def not_a_manager(x):
    results = []
    for thing in (3, OnlyEnter()):
        try:
            with thing:
                pass
        except TypeError as error:
            results.append(str(error))
    return x + 1, results


class OnlyEnter:
    def __enter__(self):
        pass


@contextlib.contextmanager
def logged(log, name):
    log.append(f"in {name}")
    try:
        yield len(log)
    except KeyError:
        log.append("handled")
    finally:
        log.append(f"out {name}")


@program(graphs=1)
def contextmanager(x):
    log = []
    with logged(log, "a") as n:
        x = x + n
    return x, log


@program(graphs=1)
def contextmanager_handles(x):
    log = []
    with logged(log, "a"):
        raise KeyError("k")
    return x + 1, log


@program(graphs=1)
def contextmanager_lets_through(x):
    log = []
    try:
        with logged(log, "a"):
            raise ValueError("v")
    except ValueError as error:
        return x + 1, log, error.args


@program(graphs=1)
def contextmanager_nested(x):
    log = []
    with logged(log, "a"), logged(log, "b"):
        log.append("body")
    return x + 1, log


@program(graphs=1)
def contextmanager_as_decorator(x):
    log = []

    @logged(log, "d")
    def f(v):
        return v + 1

    return f(f(x)), log


@program(graphs=1)
def contextmanager_made_in_the_call(x):
    @contextlib.contextmanager
    def manager():
        yield x + 1

    with manager() as y:
        return y * 2


@program(graphs=1)
def suppress(x):
    with contextlib.suppress(KeyError, ValueError):
        {}["missing"]
    with contextlib.suppress(ValueError):
        x = x + 1
    return x


@program(graphs=1)
def suppress_another(x):
    try:
        with contextlib.suppress(ValueError):
            raise KeyError("k")
    except KeyError:
        return x + 1


@program(graphs=1)
def nullcontext(x):
    with contextlib.nullcontext(5) as n:
        return x + n


@program(graphs=1)
def closing(x):
    class_ = Closable
    thing = class_()
    with contextlib.closing(thing) as t:
        y = x + t.value
    return y, thing.closed


class Closable:
    value = 3
    closed = False

    def close(self):
        self.closed = True


@program(graphs=1)
def exit_stack(x):
    log = []
    with contextlib.ExitStack() as stack:
        for name in "abc":
            stack.enter_context(logged(log, name))
        stack.callback(log.append, "callback")
        stack.push(lambda *args: log.append("pushed"))
        log.append("body")
    return x + len(log), log


@program(graphs=1)
def exit_stack_with_exception(x):
    log = []
    with contextlib.ExitStack() as stack:
        stack.enter_context(logged(log, "a"))
        stack.enter_context(Manager("m"))
        raise KeyError("k")
    return x + 1, log


@program(graphs=1)
def exit_stack_pop_all(x):
    log = []
    with contextlib.ExitStack() as stack:
        stack.callback(log.append, 1)
        kept = stack.pop_all()
    log.append(2)
    kept.close()
    return x + 1, log


@program(graphs=1)
def manager_base_class(x):
    class_ = Based
    with class_() as b:
        return x + b.value


class Based(contextlib.AbstractContextManager):
    value = 4

    def __exit__(self, *args):
        return None


@program(graphs=1)
def manager_in_a_generator(x):
    log = []

    def g():
        with logged(log, "g") as n:
            yield n
            yield n + 1

    return x + sum(g()), log


@program(graphs=1)
def manager_in_a_comprehension(x):
    log = []

    def f(i):
        with logged(log, i):
            return i * 2

    return [x + f(i) for i in range(2)], log


@program(graphs=1, steady=False)
def manager_that_writes_a_global(x):
    with WRITER:
        y = x + len(LOG)
    return y


class Writer:
    def __enter__(self):
        LOG.append("in")

    def __exit__(self, *args):
        LOG.append("out")


WRITER = Writer()


@program(graphs=1)
def exit_gets_the_exception(x):
    class_ = Keeper
    k = class_()
    with k:
        raise ValueError("seen", 1)
    return x + 1, k.kind, k.value.args


class Keeper:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.kind, self.value = kind, value
        return True


@program
def escapes_through_with(x):
    m = Manager()
    with m:
        y = x + 1
        raise ValueError("out")


@program(graphs=1)
def redirect_of_attributes(x):
    @contextlib.contextmanager
    def changed(obj, name, value):
        before = getattr(obj, name)
        setattr(obj, name, value)
        try:
            yield
        finally:
            setattr(obj, name, before)

    m = Manager()
    with changed(m, "name", "other"):
        inside = m.name
    return x + 1, inside, m.name
