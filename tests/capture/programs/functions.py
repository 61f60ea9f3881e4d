"""Functions: signatures, calls of every form, defaults, recursion, decorators, functions made in the call."""

import functools

from tests.capture.harness import call, program, tensor


@program(graphs=1)
def positional(x, y):
    return x - y


@program(tensor(2), graphs=1, changed=[call(tensor(2), 5), call(tensor(2), b=7)])
def with_default(x, b=2):
    return x * b


@program(call(tensor(2), scale=3), graphs=1, changed=[call(tensor(2)), call(tensor(2), scale=0.5)])
def keyword_only(x, *, scale=1):
    return x * scale


@program(call(tensor(2), 2), graphs=1)
def positional_only(x, k, /):
    return x + k


@program(call(tensor(2), 1, 2, 3), graphs=1, changed=[call(tensor(2)), call(tensor(2), 5)])
def varargs(x, *rest):
    return x + sum(rest), rest


@program(call(tensor(2), a=1, b=2), graphs=1, changed=[call(tensor(2), b=2, a=1), call(tensor(2))])
def varkeywords(x, **named):
    for value in named.values():
        x = x + value
    return x, named, list(named)


@program(call(tensor(2), 2, 3, d=4, e=5), graphs=1, changed=[call(tensor(2), 2), call(tensor(2), b=1, z=2)])
def everything(a, /, b, *rest, d=10, **named):
    return a * b + d, rest, named


def helper(a, b=2, /, c=3, *rest, d, e=5, **named):
    return a + b * c + d * e + sum(rest) + sum(named.values())


@program(graphs=1)
def calls_of_every_form(x):
    one = helper(x, d=1)
    two = helper(x, 1, 2, 3, 4, d=5)
    three = helper(x, 1, c=7, d=2, e=3, f=4)
    four = helper(*[x, 1, 2], **{"d": 3, "g": 1})
    five = helper(*(x,), *(1, 2), d=1, **{"h": 2}, **{"i": 3})
    return one, two, three, four, five


@program(graphs=1)
def missing_argument(x):
    try:
        helper(x)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def missing_two(x):
    def f(a, b, c):
        return a

    try:
        f(1)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def missing_three_keywords(x):
    def f(*, a, b, c):
        return a

    try:
        f()
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def too_many_arguments(x):
    def f(a, b=1):
        return a

    try:
        f(1, 2, 3)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def too_many_arguments_for_one(x):
    def f(a):
        return a

    try:
        f(1, 2)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def too_many_arguments_for_none(x):
    def f():
        return 1

    try:
        f(1)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def too_many_with_keyword_only(x):
    def f(a, *, b=1):
        return a

    try:
        f(1, 2, b=3)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def unexpected_keyword(x):
    def f(a):
        return a

    try:
        f(1, zzz=2)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def twice_given(x):
    def f(a, b):
        return a

    try:
        f(1, a=2)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def positional_only_by_keyword(x):
    def f(a, b, /):
        return a

    try:
        f(1, b=2)
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def positional_only_name_in_keywords(x):
    def f(a, /, **named):
        return a, named

    return f(x + 1, a=3)


@program(graphs=1)
def keyword_given_twice_by_stars(x):
    def f(**named):
        return named

    try:
        f(**{"a": 1}, **{"a": 2})
    except TypeError as error:
        return x + 1, str(error).split(".")[-1]


@program(graphs=1)
def star_of_what_is_not_iterable(x):
    def f(*args):
        return args

    try:
        f(*3)
    except TypeError as error:
        return x + 1, type(error)


@program(graphs=1)
def call_of_what_is_not_callable(x):
    try:
        3(x)
    except TypeError as error:
        return x + 1, str(error)


def factorial(n, x):
    return x if n <= 1 else n * factorial(n - 1, x)


@program(tensor(2), 4, graphs=1, changed=[(tensor(2), 6)])
def recursion(x, n):
    return factorial(n, x)


def is_even(n, x):
    return x if n == 0 else is_odd(n - 1, x + 1)


def is_odd(n, x):
    return -x if n == 0 else is_even(n - 1, x + 2)


@program(tensor(2), 5, graphs=1)
def mutual_recursion(x, n):
    return is_even(n, x)


@program(graphs=1)
def recursion_of_a_local_function(x):
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    return x + fib(7)


def gathers(x, into=[]):
    into.append(len(into))
    return x + len(into), into


@program(graphs=1, steady=False)
def default_mutated_between_calls(x):
    return gathers(x)


@program(tensor(2), graphs=1, steady=False)
def own_default_mutated(x, seen=[]):
    seen.append(1)
    return x + len(seen)


def scale_by(factor):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * factor

        return wrapper

    return decorate


@scale_by(3)
def decorated(x, y=1):
    """A text."""
    return x + y


@program(graphs=1)
def calls_decorated(x):
    return decorated(x), decorated(x, y=2), decorated.__name__, decorated.__doc__


@program(graphs=1)
def decorates_in_the_call(x):
    @scale_by(2)
    def inner(y):
        return y + 1

    return inner(x), inner.__name__


@program(graphs=1)
def returns_a_function(x):
    y = x + 1

    def inner(z, k=2):
        """A document."""
        return z + y * k

    return inner, inner(x)


@program(graphs=1)
def returns_a_lambda(x):
    y = x * 2
    return lambda z=y: z + y


@program(graphs=1)
def returns_functions_sharing_a_cell(x):
    count = 0
    y = x + 1

    def up():
        nonlocal count
        count += 1
        return y + count

    def read():
        return count

    up()
    return up, read, read()


@program(graphs=1)
def function_attributes(x):
    def inner():
        return inner.count

    inner.count = 3
    inner.tensor = x + 1
    return inner, inner() + x


@program(graphs=1)
def function_with_annotations(x):
    def inner(a: int, b: "str" = "b", *, c: list[int] = None) -> float:
        return a

    return inner, x + 1


@program(graphs=1)
def function_with_mutable_default_returned(x):
    items = [x + 1]

    def inner(a=items, *, b=items):
        return a, b

    return inner, items


@program(graphs=1)
def lambda_in_a_container(x):
    table = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
    return table["add"](x, 1), table["sub"](x, 1)


@program(graphs=1)
def function_as_argument(x):
    def twice(f, a):
        return f(f(a))

    return twice(lambda a: a * 2, x)


@program(graphs=1)
def method_as_argument(x):
    items = []
    for put in (items.append, items.append):
        put(x + 1)
    return items


@program(graphs=1)
def function_identity(x):
    def f():
        pass

    g = f
    return x + 1, f is g, f is not None, f == g, f is (lambda: 0)


def counting(x):
    counting.calls += 1
    return x + counting.calls


counting.calls = 0


@program(graphs=1, steady=False)
def writes_function_attribute(x):
    return counting(x)


@program(graphs=1)
def reads_function_facts(x):
    return x + 1, helper.__name__, helper.__qualname__, helper.__defaults__, helper.__kwdefaults__, helper.__module__


@program(graphs=1)
def reads_code_facts(x):
    return x + helper.__code__.co_argcount, helper.__code__.co_varnames[:2]


@program(graphs=1)
def partial_application(x):
    f = functools.partial(helper, x, d=4)
    return f(), f(1), f(1, c=2)


@program(graphs=1)
def many_levels(x):
    def a(v):
        return b(v) + 1

    def b(v):
        return c(v) * 2

    def c(v):
        return v - 3

    return a(x)


@program(graphs=1)
def docstring_only(x):
    def nothing():
        """Nothing."""

    return x + 1, nothing()


@program(graphs=1)
def default_evaluated_once(x):
    calls = []

    def value():
        calls.append(1)
        return 5

    def f(a=value()):
        return a

    return x + f() + f(), calls


@program(graphs=1)
def keyword_order(x):
    def f(**named):
        return list(named)

    return x + 1, f(b=1, a=2, **{"d": 3, "c": 4})


@program(graphs=1)
def evaluation_order(x):
    log = []

    def note(value):
        log.append(value)
        return value

    def f(*args, **kwargs):
        return args, kwargs

    result = f(note(1), *[note(2)], key=note(3), **{"k": note(4)})
    return x + 1, log, result


@program
def no_tensor_at_all(x):
    return 1


@program(3, "a", graphs=0)
def plain_python(n, s):
    return n + 1, s * n


@program(tensor(2), [1, 2], graphs=1, changed=[(tensor(2), [1, 2, 3])])
def appends(x, items):
    items.append(3)
    return x + len(items), items


@program(tensor(2), graphs=1)
def raises_later(x):
    y = x + 1
    raise ValueError("no", 3)
