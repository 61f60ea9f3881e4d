"""inspect, weakref, types, abc, contextlib, logging, sys, os, warnings, time."""

import abc
import contextlib
import functools
import inspect
import io
import logging
import os
import sys
import time
import types
import warnings
import weakref

from tests.capture.harness import program

logger = logging.getLogger("framelift.tests.programs")
log = []


def parameters(a, b=2, /, c=[3], *rest, d, e=5, **more):
    pass


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


class Layer:
    def __init__(self, size=2):
        self.size = size

    @wrapped
    def forward(self, x, labels=None):
        return x + self.size


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Square(Shape):
    def area(self):
        return 4


Shape.register(int)


class ListHandler(logging.Handler):
    def emit(self, record):
        log.append(record.getMessage())


layer = Layer()
reference = weakref.ref(layer)
by_name = weakref.WeakValueDictionary({"layer": layer})
space = types.SimpleNamespace(a=1, b=[2])


@contextlib.contextmanager
def logged(value):
    log.append(("in", value))
    try:
        yield value + 1
    except KeyError:
        log.append("swallowed")
    finally:
        log.append(("out", value))


class Closer:
    closed = 0

    def close(self):
        self.closed += 1


@program(graphs=1)
def signature_names(x):
    found = inspect.signature(parameters).parameters
    return x + len(found), list(found), "d" in found, "z" in found, [p.name for p in found.values()]


@program(graphs=1)
def signature_kinds(x):
    found = inspect.signature(parameters).parameters
    return (
        x + 1,
        [(name, p.kind.name) for name, p in found.items()],
        found["rest"].kind == inspect.Parameter.VAR_POSITIONAL,
    )


@program(graphs=1)
def signature_defaults(x):
    found = inspect.signature(parameters).parameters
    return x + 1, found["b"].default, found["c"].default, found["a"].default is inspect.Parameter.empty, found.get("q")


@program(graphs=1)
def signature_of_a_method(x):
    keys = set(inspect.signature(layer.forward).parameters.keys())
    return layer.forward(x), keys, "self" in inspect.signature(Layer.forward).parameters


@program(graphs=1)
def signature_of_a_made_function(x):
    def made(p, q=x):
        return p

    found = inspect.signature(made).parameters
    return found["q"].default + 1, list(found)


@program(graphs=1)
def signature_returned(x):
    return x + 1, str(inspect.signature(parameters)), inspect.signature(Layer)


@program(graphs=1)
def signature_annotations(x):
    def made(p: int) -> str:
        return p

    return x + 1, inspect.signature(made).parameters["p"].annotation


@program(graphs=1)
def inspection(x):
    return (
        x + 1,
        inspect.isfunction(parameters),
        inspect.isclass(Layer),
        inspect.ismethod(layer.forward),
        inspect.ismodule(os),
    )


@program(graphs=1)
def weak_reference(x):
    return reference().forward(x), reference() is layer, weakref.ref(layer)() is layer


@program(graphs=1)
def weak_values(x):
    return by_name["layer"].forward(x), "layer" in by_name, by_name.get("none"), len(by_name)


@program(graphs=1)
def weak_reference_to_a_made_object(x):
    made = Layer(3)
    found = weakref.ref(made)
    return found().forward(x), made.size


@program(broken=None)
def weak_references_are_shared(x):
    return x + 1, weakref.ref(layer) is reference, weakref.ref(layer) == reference


@program(graphs=1)
def weak_proxy(x):
    return weakref.proxy(layer).forward(x), isinstance(weakref.proxy(layer), Layer)


@program(graphs=1)
def method_type(x):
    o = Layer(5)
    o.extra = types.MethodType(lambda self, y: y + self.size, o)
    return o.extra(x), o.extra.__self__ is o, o


@program(graphs=1)
def simple_namespace(x):
    made = types.SimpleNamespace(a=1, b=x)
    made.c = made.a + 1
    return made.b + made.c, made, made == types.SimpleNamespace(a=1), vars(types.SimpleNamespace(q=2))


@program(graphs=1, steady=False)
def simple_namespace_from_before(x):
    space.a += 1
    space.b.append(3)
    return x + space.a


@program(graphs=1)
def abstract_classes(x):
    return (
        x + Square().area(),
        isinstance(Square(), Shape),
        issubclass(int, Shape),
        isinstance(1, Shape),
        isinstance("a", Shape),
    )


@program(graphs=1)
def abstract_instance(x):
    try:
        Shape()
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1, steady=False)
def context_manager(x):
    with logged(1) as value:
        y = x + value
    return y


@program(graphs=1, steady=False)
def context_manager_swallows(x):
    with logged(1):
        raise KeyError("a")
    return x + 1


@program(graphs=1, steady=False)
def context_manager_lets_through(x):
    try:
        with logged(1):
            raise ValueError("a")
    except ValueError as error:
        return x + 1, error.args


@program(graphs=1, steady=False)
def context_manager_as_decorator(x):
    @logged(3)
    def inner(y):
        return y * 2

    return inner(x)


@program(graphs=1)
def other_managers(x):
    closer = Closer()
    with contextlib.nullcontext(5) as five, contextlib.closing(closer), contextlib.suppress(KeyError, IndexError):
        x = x + five
        log[99]
    return x, closer.closed


@program(graphs=1, steady=False)
def exit_stack(x):
    with contextlib.ExitStack() as stack:
        value = stack.enter_context(logged(1))
        stack.callback(log.append, "called")
        y = x + value
    return y


@program(graphs=1, steady=False)
def exit_stack_swallows(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(logged(1))
        stack.push(lambda *details: True)
        raise ValueError
    return x + 1


@program(graphs=1, steady=False)
def exit_stack_moved(x):
    with contextlib.ExitStack() as stack:
        value = stack.enter_context(logged(1))
        kept = stack.pop_all()
    log.append("left")
    kept.close()
    return x + value


@program(broken=None)
def redirected(x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        print("hidden")
    print("shown")
    return x + 1, text.getvalue()


@program(graphs=1)
def logging_disabled(x):
    logger.debug("not shown %s", 1)
    if logger.isEnabledFor(logging.DEBUG):
        return x
    return x + 1


@program(graphs=1)
def logging_by_name(x):
    logging.getLogger("framelift.tests.programs").debug("not shown")
    return x + logging.getLogger("framelift.tests.programs").getEffectiveLevel()


@program(broken=True, steady=False)
def logging_shown(x):
    own = logging.Logger("own")  # noqa: LOG001
    own.addHandler(ListHandler())
    own.info("shown %s", 1)
    return x + 1


@program(graphs=1)
def warned(x):
    warnings.warn("careful", stacklevel=1)
    return x + 1


@program(broken=True)
def clock(x):
    return x + (time.time() > 0), time.perf_counter() > 0


@program(graphs=1)
def environment(x):
    return (
        x + 1,
        os.environ.get("FRAMELIFT_NOT_SET"),
        os.getenv("FRAMELIFT_NOT_SET", "default"),
        "FRAMELIFT_NOT_SET" in os.environ,
    )


@program(graphs=1)
def file_names(x):
    names = os.path
    return x + 1, names.join("a", "b"), names.basename("a/b.c"), names.splitext("b.c"), names.dirname("a/b")


@program(graphs=1)
def system(x):
    return (
        x + 1,
        sys.version_info >= (3, 8),
        sys.version_info[0],
        sys.version_info.major,
        "os" in sys.modules,
        sys.byteorder,
        sys.maxsize > 0,
    )
