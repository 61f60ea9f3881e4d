"""Closures: free variables read and written, cells shared, and functions that close over what they change."""

from tests.capture.harness import program, tensor


@program(graphs=1)
def reads_a_free_variable(x):
    y = x + 1

    def inner():
        return y * 2

    return inner()


@program(graphs=1)
def sees_later_assignment(x):
    def inner():
        return y * 2

    y = x + 1
    first = inner()
    y = x + 5
    return first, inner()


@program(graphs=1)
def nonlocal_counter(x):
    count = 0

    def bump():
        nonlocal count
        count += 1
        return count

    bump()
    bump()
    return x + count, bump()


@program(graphs=1)
def nonlocal_two_levels(x):
    total = x

    def outer():
        def inner():
            nonlocal total
            total = total + 1

        inner()
        inner()

    outer()
    return total


@program(graphs=1)
def cell_of_a_parameter(x):
    def grow():
        nonlocal x
        x = x * 2

    grow()
    grow()
    return x


@program(graphs=1)
def unbound_free_variable(x):
    def inner():
        return late

    try:
        inner()
    except NameError as error:
        message = str(error)
    late = 1
    return x + inner(), message


@program(graphs=1)
def deleted_free_variable(x):
    y = 1

    def inner():
        return y

    first = inner()
    del y
    try:
        inner()
    except NameError as error:
        return x + first, str(error)


@program(graphs=1)
def deleted_cell_in_its_own_frame(x):
    y = 1

    def inner():
        return y

    del y
    try:
        y
    except UnboundLocalError as error:
        return x + 1, str(error), inner


@program(make=True, graphs=1)
def closure_that_existed():
    scale = 3

    def run(x):
        return x * scale

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def closure_written():
    count = 0

    def run(x):
        nonlocal count
        count += 1
        return x + count

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def closure_container_written():
    seen = []

    def run(x):
        seen.append(len(seen))
        return x + len(seen)

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def cell_shared_by_two_that_existed():
    state = 1

    def bump():
        nonlocal state
        state *= 2

    def run(x):
        bump()
        y = x + state
        bump()
        return y * state

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def tensor_kept_in_a_cell():
    last = None

    def run(x):
        nonlocal last
        before, last = last, x + 1
        return x if before is None else before + x

    return run, (tensor(2),)


@program(make=True, graphs=1)
def cell_emptied():
    value = 3

    def run(x):
        nonlocal value
        y = x + value
        del value
        value = 3
        return y

    return run, (tensor(2),)


@program(make=True, graphs=1)
def returns_a_function_over_an_old_cell():
    value = 3

    def run(x):
        nonlocal value
        value = 3
        y = x + value

        def inner():
            return value

        return inner, y

    return run, (tensor(2),)


@program(graphs=1)
def loop_variable_in_closures(x):
    functions = [lambda: x * i for i in range(3)]
    return [f() for f in functions]


@program(graphs=1)
def loop_variable_as_default(x):
    functions = [lambda i=i: x * i for i in range(3)]
    return [f() for f in functions]


@program(graphs=1)
def closures_returned_from_a_loop(x):
    functions = []
    for i in range(3):

        def f():
            return x + i

        functions.append(f)
    return functions, x + 1


def make_adder(n):
    def add(value):
        return value + n

    return add


ADD_TWO = make_adder(2)


@program(graphs=1)
def calls_a_global_closure(x):
    return ADD_TWO(x) + make_adder(3)(x)


def make_pair():
    value = [0]

    def put(new):
        value[0] = new

    def get():
        return value[0]

    return put, get


PUT, GET = make_pair()


@program(graphs=1, steady=False)
def shared_state_of_global_closures(x):
    before = GET()
    PUT(before + 1)
    return x + GET()


@program(graphs=1)
def counter_object_from_closures(x):
    put, get = make_pair()
    put(x + 1)
    return get(), put, get


@program(graphs=1)
def self_reference(x):
    def f(n):
        return x if n == 0 else f(n - 1) + 1

    return f, f(3)


@program(graphs=1)
def mutually_recursive_closures(x):
    def even(n):
        return x if n == 0 else odd(n - 1)

    def odd(n):
        return x + 1 if n == 0 else even(n - 1)

    return even(5), odd, even


@program(graphs=1)
def class_body_reads_closure(x):
    y = 3

    class C:
        z = y + 1

    return x + C.z


@program(graphs=1)
def comprehension_reads_closure(x):
    k = 2

    def inner():
        return [x * k * i for i in range(2)]

    return inner()


@program(graphs=1)
def nested_default_and_closure(x):
    def outer(a):
        def inner(b=a + 1):
            return a * b

        return inner

    return outer(x)(), outer(2)(x)


@program(make=True, graphs=1)
def function_in_a_cell_replaced():
    def helper(x):
        return x + 1

    def run(x):
        return helper(x)

    return run, (tensor(2),)
