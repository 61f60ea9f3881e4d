"""Generators: consumed, half-consumed and returned, `send`, `throw`, `close`, `yield from`, return values."""

import framelift
from tests.capture.harness import program, tensor


def count(n):
    for i in range(n):
        yield i


def scaled(x, n):
    for i in range(n):
        yield x * i


@program(graphs=1)
def consumed_by_for(x):
    for i in count(3):
        x = x + i
    return x


@program(graphs=1)
def consumed_by_list(x):
    return list(scaled(x, 3))


@program(graphs=1)
def consumed_by_sum_and_unpacking(x):
    a, b, *rest = scaled(x, 4)
    return sum(scaled(x, 3)), a, b, rest, [*count(2), *count(2)]


@program(graphs=1)
def generator_expression(x):
    return sum(x * i for i in range(3))


@program(graphs=1)
def generator_expression_with_condition(x):
    return [*(x + i for i in range(6) if i % 2)], any(i > 3 for i in range(6)), all(i < 3 for i in range(6))


@program(graphs=1)
def next_by_hand(x):
    g = scaled(x, 3)
    return next(g), next(g), next(g), next(g, "end"), next(g, "end")


@program(graphs=1)
def stop_iteration_at_the_end(x):
    g = count(1)
    next(g)
    try:
        next(g)
    except StopIteration as stop:
        return x + 1, stop.value


def returning():
    yield 1
    return "result"


@program(graphs=1)
def return_value(x):
    g = returning()
    next(g)
    try:
        next(g)
    except StopIteration as stop:
        return x + 1, stop.value, stop.args


def accumulate():
    total = 0
    while True:
        received = yield total
        if received is None:
            return total
        total = total + received


@program(graphs=1)
def send(x):
    g = accumulate()
    next(g)
    return g.send(x), g.send(x + 1), g.send(2)


@program(graphs=1)
def send_to_the_end(x):
    g = accumulate()
    g.send(None)
    g.send(x)
    try:
        g.send(None)
    except StopIteration as stop:
        return stop.value + 1


@program(graphs=1)
def send_too_early(x):
    g = accumulate()
    try:
        g.send(1)
    except TypeError as error:
        return x + 1, str(error)


def catching(log):
    while True:
        try:
            value = yield len(log)
            log.append(value)
        except ValueError as error:
            log.append(error.args)
        finally:
            log.append("finally")


@program(broken="dropped inside")
def throw_handled_inside_and_dropped(x):
    log = []
    g = catching(log)
    next(g)
    g.throw(ValueError(1))
    g.send(2)
    g.throw(ValueError)
    return x + 1, log


@program(graphs=1)
def throw_handled_inside(x):
    log = []
    g = catching(log)
    next(g)
    g.throw(ValueError(1))
    g.send(2)
    g.throw(ValueError)
    g.close()
    return x + 1, log


@program(graphs=1)
def throw_not_handled(x):
    log = []
    g = catching(log)
    next(g)
    try:
        g.throw(KeyError("k"))
    except KeyError as error:
        log.append(error.args)
    return x + 1, log, next(g, "over")


@program(graphs=1)
def throw_at_the_start(x):
    g = count(3)
    try:
        g.throw(KeyError("k"))
    except KeyError as error:
        return x + 1, error.args, list(g)


@program(graphs=1)
def throw_after_the_end(x):
    g = count(0)
    list(g)
    try:
        g.throw(KeyError("k"))
    except KeyError as error:
        return x + 1, error.args


@program(graphs=1)
def close(x):
    log = []

    def g():
        try:
            yield 1
            yield 2
        finally:
            log.append("closed")

    it = g()
    next(it)
    it.close()
    it.close()
    return x + 1, log, list(it)


@program(graphs=1)
def close_before_start(x):
    log = []

    def g():
        log.append("started")
        yield 1

    it = g()
    it.close()
    return x + 1, log, list(it)


@program(graphs=1)
def close_ignored(x):
    def g():
        try:
            yield 1
        except GeneratorExit:
            yield 2

    it = g()
    next(it)
    try:
        it.close()
    except RuntimeError as error:
        return x + 1, str(error)


@program(graphs=1)
def close_with_exception_in_finally(x):
    def g():
        try:
            yield 1
        finally:
            raise KeyError("in finally")

    it = g()
    next(it)
    try:
        it.close()
    except KeyError as error:
        return x + 1, error.args, type(error.__context__)


@program(graphs=1)
def yield_from(x):
    def outer():
        yield -1
        result = yield from scaled(x, 2)
        yield result

    return list(outer())


@program(graphs=1)
def yield_from_return_value(x):
    def outer():
        result = yield from returning()
        yield result
        yield from [10, 20]
        yield from "ab"

    return x + 1, list(outer())


@program(graphs=1)
def yield_from_send(x):
    def outer():
        result = yield from accumulate()
        yield ("sum", result)

    g = outer()
    next(g)
    g.send(x)
    g.send(3)
    return g.send(None)


@program(graphs=1)
def yield_from_throw(x):
    log = []

    def outer():
        try:
            yield from catching(log)
        except KeyError:
            yield "outer"

    g = outer()
    next(g)
    g.throw(ValueError(1))
    return x + 1, g.throw(KeyError), log


@program(graphs=1)
def yield_from_close(x):
    log = []

    def inner():
        try:
            yield 1
        finally:
            log.append("inner")

    def outer():
        try:
            yield from inner()
        finally:
            log.append("outer")

    g = outer()
    next(g)
    g.close()
    return x + 1, log


@program(graphs=1)
def yield_from_iterator_without_send(x):
    def outer():
        yield from iter([1, 2, 3])

    g = outer()
    next(g)
    try:
        g.send(5)
    except AttributeError as error:
        return x + 1, str(error)


@program(graphs=1)
def recursive_generator(x):
    def walk(tree):
        if isinstance(tree, list):
            for branch in tree:
                yield from walk(branch)
        else:
            yield tree

    return [x * leaf for leaf in walk([1, [2, [3, 4]], 5])]


@program(graphs=1)
def two_interleaved(x):
    a, b = scaled(x, 3), count(3)
    return [next(a) + next(b) for _ in range(3)]


@program(graphs=1)
def generator_of_generators(x):
    def chunks(n):
        for i in range(n):
            yield (x + i * j for j in range(2))

    return [list(chunk) for chunk in chunks(2)]


@program(graphs=1)
def raising_inside(x):
    def g():
        yield x
        raise ValueError("inside")

    it = g()
    next(it)
    try:
        next(it)
    except ValueError as error:
        return x + 1, error.args, list(it)


@program(graphs=1)
def stop_iteration_inside(x):
    def g():
        yield 1
        raise StopIteration("x")

    try:
        list(g())
    except RuntimeError as error:
        return x + 1, str(error), type(error.__cause__), error.__cause__ is error.__context__


@program(graphs=1)
def already_executing(x):
    def g():
        yield next(it)

    it = g()
    try:
        next(it)
    except ValueError as error:
        return x + 1, str(error)


@program(graphs=1)
def generator_is_its_iterator(x):
    g = count(2)
    return x + 1, iter(g) is g, hasattr(g, "send"), hasattr(g, "__len__")


@program(graphs=1)
def early_break(x):
    log = []

    def g():
        try:
            for i in range(10):
                yield i
        finally:
            log.append("finally")

    it = g()
    for i in it:
        if i == 2:
            break
    it.close()
    return x + i, log


@program(graphs=1)
def returned_unstarted(x):
    return scaled(x + 1, 3)


@program(graphs=1)
def returned_half_consumed(x):
    g = scaled(x + 1, 4)
    next(g)
    next(g)
    return g


@program(graphs=1)
def returned_finished(x):
    g = count(1)
    list(g)
    return g, x + 1


@program(graphs=1)
def returned_expression(x):
    y = x + 1
    return (y * i for i in range(3))


@program(graphs=1)
def returned_inside_try(x):
    def g():
        try:
            yield x + 1
            yield x + 2
        finally:
            LOG.append("done")

    it = g()
    next(it)
    return it


LOG = []


@program(graphs=1)
def returned_with_yield_from(x):
    def outer():
        yield from scaled(x, 3)
        yield "end"

    g = outer()
    next(g)
    return g


@program(graphs=1)
def returned_closure_generator(x):
    total = 0

    def g():
        nonlocal total
        for i in range(3):
            total += i
            yield x + total

    it = g()
    next(it)
    return it, lambda: total


@program(graphs=1)
def returned_in_a_with(x):
    class Manager:
        def __enter__(self):
            return 5

        def __exit__(self, *args):
            LOG.append("left")

    manager = Manager()

    def g():
        with MANAGER as value:
            yield x + value
            yield value

    it = g()
    next(it)
    return it


class Manager:
    def __enter__(self):
        return 5

    def __exit__(self, *args):
        LOG.append("left")


MANAGER = Manager()


@program(tensor(2), 3, graphs=1, changed=[(tensor(2), 0), (tensor(2), 5)])
def pipeline(x, n):
    def numbers():
        yield from range(n)

    def doubled(source):
        for item in source:
            yield item * 2

    return x + sum(doubled(numbers()))


@program(graphs=1)
def zip_enumerate_map(x):
    result = []
    for i, (a, b) in enumerate(zip(count(3), scaled(x, 3))):
        result.append(b + a + i)
    return result, list(map(lambda v: v + 1, count(2)))


@program(graphs=1)
def lazy_evaluation_order(x):
    log = []

    def g():
        for i in range(3):
            log.append(("give", i))
            yield i

    for i in g():
        log.append(("take", i))
    return x + 1, log


@program(graphs=1)
def first_iterable_is_evaluated_at_once(x):
    log = []

    def source():
        log.append("evaluated")
        return range(2)

    g = (i for i in source())
    log.append("made")
    list(g)
    return x + 1, log


@program(graphs=1)
def handled_exception_in_generator_is_its_own(x):
    import sys

    def g():
        try:
            raise KeyError("inside")
        except KeyError:
            yield sys.exc_info()[0]
        yield sys.exc_info()[0]

    it = g()
    a = next(it)
    outside = sys.exc_info()[0]
    b = next(it)
    return x + 1, a, outside, b


@program(graphs=1)
def async_function_driven_by_hand(x):
    async def inner(v):
        return v + 1

    async def outer(v):
        return await inner(v) * 2

    coroutine = outer(x)
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value


@program(graphs=1)
def iterator_class(x):
    class Countdown:
        def __init__(self, n):
            self.n = n

        def __iter__(self):
            return self

        def __next__(self):
            if self.n == 0:
                raise StopIteration
            self.n -= 1
            return self.n

    return [x + i for i in COUNTDOWN(3)]


class COUNTDOWN:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


@program
def outermost_generator(x):
    return list(scaled(x, 2))


@program(broken=True)
def dropped_early_after_a_break(x):
    log = []

    def g():
        try:
            yield 1
            yield 2
        finally:
            log.append("finally")

    for _ in g():
        x = x + 1
        framelift.graph_break()
        break
    log.append("after")
    return x + 1, log


@program(broken=True)
def dropped_by_an_exception_after_a_break(x):
    log = []

    def g():
        try:
            yield 1
        finally:
            log.append("finally")

    try:
        for _ in g():
            framelift.graph_break()
            raise ValueError
    except ValueError:
        log.append("caught")
    return x + 1, log


@program(broken=True)
def dropped_at_the_end_after_a_break(x):
    log = []
    g = catching(log)
    next(g)
    framelift.graph_break()
    g.throw(ValueError(1))
    return x + 1, log


@program(broken="dropped inside")
def dropped_early(x):
    log = []

    def g():
        try:
            yield 1
            yield 2
        finally:
            log.append("finally")

    for _ in g():
        break
    log.append("after")
    return x + 1, log
