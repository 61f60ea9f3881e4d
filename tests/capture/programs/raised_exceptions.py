"""Exceptions raised before a break: their tracebacks, contexts and the exception being handled."""

import contextlib
import sys
import traceback

import torch

import framelift
from tests.capture.harness import call, meanwhile, program, tensor

gb = framelift.graph_break


def lines(e):
    return [(f.f_code.co_name, n) for f, n in traceback.walk_tb(e.__traceback__)]


def deep(x, n):
    if n == 0:
        raise ValueError("deep")
    return deep(x, n - 1)


@program(broken=None)
def in_except(x):  # 2
    try:
        x = x + 1
        raise ValueError("a")
    except ValueError as e:
        x = x * 2
        gb()
        x = x + len(str(e))
    return x


@program(broken=None)
def bare_raise(x):
    try:
        try:
            x = x + 1
            raise KeyError("k")
        except KeyError:
            x = x * 2
            gb()
            raise
    except KeyError as e:
        return x + 1, lines(e)


@program(broken=None)
def escapes(x):
    try:
        x = x + 1
        raise KeyError("k")
    except KeyError:
        x = x * 2
        gb()
        raise


@program(broken=None)
def deep_caught(x):
    try:
        x = x + 1
        deep(x, 2)
    except ValueError as e:
        x = x * 2
        gb()
        err = e
    return x + 1, lines(err), str(err)


@program(broken=None)
def chained(x):
    try:
        try:
            deep(x, 1)
        except ValueError as e:
            x = x + 1
            gb()
            raise KeyError("b") from e
    except KeyError as k:
        gb()
        return x * 2, lines(k), lines(k.__cause__), k.__context__ is k.__cause__


@program(broken=None)
def context(x):
    try:
        try:
            raise ValueError("a")
        except ValueError:
            x = x + 1
            raise KeyError("b")
    except KeyError as k:
        x = x * 2
        gb()
        return x + 1, type(k.__context__).__name__, lines(k), lines(k.__context__)


@program(broken=None)
def in_finally(x):
    log = []
    try:
        try:
            x = x + 1
            raise ValueError("v")
        finally:
            x = x * 2
            gb()
            log.append(sys.exc_info()[0].__name__)
            x = x + 3
    except ValueError as e:
        log.append(lines(e))
    return x, log


@program(broken=None)
def builtin_error(x):
    try:
        x = x + 1
        {}["k"]
    except KeyError as e:
        x = x * 2
        gb()
        return x + 1, lines(e), e.args


@program(broken=None)
def raised_twice(x):
    e = ValueError("t")
    try:
        raise e
    except ValueError:
        pass
    try:
        x = x + 1
        raise e
    except ValueError as e2:
        x = x * 2
        gb()
        return x + 1, lines(e2)


@program(broken=None)
def through_manager(x):
    class M:
        def __enter__(self):
            return self

        def __exit__(self, t, v, tb):
            gb()
            self.seen = lines(v)
            return True

    with M() as m:
        x = x + 1
        raise ValueError("in")
    return x * 2, m.seen


@program(broken=None)
def inlined_handler(x):
    def f(x):
        try:
            deep(x, 1)
        except ValueError as e:
            x = x + 1
            gb()
            return x * 2, lines(e)

    y, l = f(x)
    return y + 1, l


@program(broken=True)
def inlined_handler_of_a_break(x):
    def f(x):
        try:
            return open("no such folder/no such file")
        except OSError as e:
            return x * 2, lines(e)

    y, l = f(x + 1)
    return y + 1, l


@program(broken=None)
def nested_handlers(x):
    try:
        raise ValueError("outer")
    except ValueError as a:
        try:
            raise KeyError("inner")
        except KeyError as b:
            x = x + 1
            gb()
            x = x * 2
            r = (lines(a), lines(b), b.__context__ is a, sys.exc_info()[1] is b)
        r += (sys.exc_info()[1] is a,)
    return x, r, sys.exc_info()[1]


@program(broken=None)
def in_loop(x):
    out = []
    for i in range(3):
        try:
            x = x + 1
            if i:
                raise ValueError(i)
        except ValueError as e:
            gb()
            x = x * 2
            out.append((e.args, lines(e)))
    return x, out


@program(broken=None)
def exc_object_kept(x):
    errs = []
    for i in range(2):
        try:
            deep(x, i)
        except ValueError as e:
            errs.append(e)
    x = x + 1
    gb()
    return x * 2, [lines(e) for e in errs]


@program(broken=None)
def group(x):
    try:
        x = x + 1
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError as e:
        gb()
        x = x * 2
    except* TypeError as e:
        x = x - 1
    return x


ERRORS = [ValueError("one"), ValueError("two")]


def raised_deeper(error):
    raise error


@program(broken=None)
def found_exception_raised_and_caught(x):
    try:
        raise ERRORS[0]
    except ValueError:
        x = x + 1
    return x * 2, lines(ERRORS[0])


@program(broken=None)
def found_exceptions_raised_deeper(x):
    for error in ERRORS:
        try:
            raised_deeper(error)
        except ValueError:
            x = x + 1
    return x * 2, [lines(error) for error in ERRORS]


@program(broken=None)
def found_exception_raised_before_a_break(x):
    try:
        raised_deeper(ERRORS[1])
    except ValueError:
        x = x + 1
    gb()
    return x * 2, [lines(error) for error in ERRORS]
