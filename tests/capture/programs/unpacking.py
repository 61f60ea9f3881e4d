"""Star unpacking, slices, f-strings, imports in functions, globals read and written."""

import math

from tests.capture.harness import program, tensor

COUNT = 0
TABLE = {"a": 1}
SHARED = [1, 2]
GONE = 3


@program(graphs=1)
def starred_targets(x):
    a, *b = [1, 2, 3]
    *c, d = (1, 2, 3)
    e, *f, g = "abcd"
    h, *i = [1]
    (j, k), *l = [(1, 2), 3]
    return x + a, b, c, d, e, f, g, h, i, j, k, l


@program(graphs=1)
def starred_displays(x):
    a = [1, 2]
    return x + 1, [*a, 3, *a], (*a, *a), {*a, 5}, {**{"a": 1}, "b": 2, **{"a": 3}}, [*range(2), *"ab", *{"k": 1}]


@program(graphs=1)
def swap(x):
    a, b = 1, 2
    a, b = b, a
    a, b, c = b, a, a
    items = [1, 2, 3]
    items[0], items[2] = items[2], items[0]
    i = 0
    i, items[i] = 1, 9
    return x + a, b, c, items


@program(graphs=1)
def chained_assignment(x):
    a = b = [1]
    a.append(2)
    c = d = x + 1
    return a, b, c, d, a is b


@program(graphs=1)
def unpack_from_iterator(x):
    class It:
        pass

    a, b = iter([1, 2])
    (c,) = {"key": 1}
    return x + a + b, c


@program(graphs=1)
def too_many_from_an_endless_generator(x):
    def forever():
        while True:
            yield 1

    try:
        a, b = forever()
    except ValueError as error:
        return x + 1, str(error)


@program(graphs=1)
def slices_of_lists(x):
    a = [0, 1, 2, 3, 4, 5]
    return x + 1, a[1:3], a[:2], a[-2:], a[::2], a[::-1], a[4:1:-1], a[10:], a[:], a[slice(1, 4)]


@program(graphs=1)
def slices_of_strings_and_tuples(x):
    return x + 1, "hello"[1:3], "hello"[::-1], (1, 2, 3)[1:], b"abc"[:2], range(10)[2:5]


@program(graphs=1)
def slice_assignment(x):
    a = [0, 1, 2, 3]
    a[1:3] = [9, 9, 9]
    a[:1] = []
    a[::2] = [7, 7]
    a[len(a) :] = "xy"
    try:
        a[::2] = [1]
    except ValueError as error:
        return x + 1, a, str(error)


@program(tensor(2), [1, 2, 3, 4], graphs=1)
def slice_assignment_to_argument(x, a):
    a[1:2] = [x + 1, 5]
    del a[0]
    return len(a)


@program(tensor(4, 4), graphs=1)
def slices_of_tensors(x):
    return x[0], x[1:3], x[:, 1], x[..., -1], x[::2, 1:], x[None, 0], x[[0, 1]], x[-1, -1]


@program(tensor(4, 4), graphs=1)
def tensor_slice_assignment(x):
    y = x.clone()
    y[0] = 5
    y[1:3, 2] = y[0, 0]
    y[..., 0] += 1
    return y


@program(graphs=1)
def slice_object(x):
    s = slice(1, 10, 2)
    return x + s.start, s.stop, s.step, s.indices(6), s == slice(1, 10, 2), s


@program(graphs=1)
def f_strings(x):
    name, number, pi = "n", 42, 3.14159
    width = 8
    return (
        x + 1, f"{name}={number}", f"{pi:.2f}", f"{number:>{width}}", f"{name!r:>5}", f"{number=}", f"{'q'!s}",
        f"{number:#x} {number:,} {pi:e}", f"{{}}", f"{[1, name]}", f"{x.shape}", f"{None} {True}", f"{name!a}",
    )  # fmt: skip


class Formatted:
    def __format__(self, spec):
        return f"<{spec}>"

    def __str__(self):
        return "as str"

    def __repr__(self):
        return "as repr"


@program(graphs=1)
def f_string_of_object(x):
    f = Formatted()
    return x + 1, f"{f}", f"{f:abc}", f"{f!r}", f"{f!s}", str(f), repr(f), format(f, "q"), [f].__len__()


@program(graphs=1)
def old_formatting(x):
    return x + 1, "%s %d %.2f" % ("a", 3, 2.5), "%(k)s" % {"k": 1}, "{} {1} {k}".replace("{1}", "{}").format(1, 2, k=3)


@program(graphs=1)
def string_methods(x):
    s = " Hello, World "
    return x + len(s), s.strip().lower().split(", "), "-".join(["a", "b"]), s.replace("l", "L"), s.find("W"), "a" in s


@program(graphs=1)
def imports_in_function(x):
    import math as m
    import os.path
    from collections import OrderedDict as Ordered
    from math import floor, pi

    return x + floor(pi), m.ceil(1.5), os.path.join("a", "b"), Ordered.__name__


@program(broken="the first import")
def import_missing(x):
    try:
        import module_that_is_nowhere
    except ImportError as error:
        return x + 1, str(error)


@program(graphs=1)
def import_missing_name(x):
    try:
        from math import nothing_of_that_name
    except ImportError as error:
        return x + 1, type(error)


@program(graphs=1)
def reads_globals(x):
    return x + COUNT + len(TABLE) + math.floor(2.5)


@program(graphs=1, steady=False)
def writes_global(x):
    global COUNT
    COUNT += 1
    return x + COUNT


@program(graphs=1, steady=False)
def writes_global_tensor(x):
    global LAST
    LAST = x + 1
    return LAST * 2


@program(graphs=1)
def writes_new_global_then_deletes(x):
    global TEMPORARY
    TEMPORARY = 5
    y = x + TEMPORARY
    del TEMPORARY
    try:
        TEMPORARY
    except NameError as error:
        return y, str(error)


@program(graphs=1, steady=False)
def mutates_global_containers(x):
    SHARED.append(len(SHARED))
    TABLE["new"] = x + 1
    return x + len(SHARED), TABLE


@program(graphs=1)
def returns_global_container(x):
    return SHARED, x + SHARED[0], SHARED is TABLE


@program(graphs=1)
def globals_in_a_callee(x):
    return helper(x) + COUNT


def helper(x):
    global COUNT
    before = COUNT
    COUNT = 10
    y = x + COUNT
    COUNT = before
    return y


@program(graphs=1)
def shadowed_builtin(x):
    len = lambda value: 100
    return x + len([])


@program(graphs=1)
def global_shadows_builtin(x):
    global abs
    abs = lambda value: 7
    y = x + abs(-1)
    del abs
    return y + abs(-1)


@program(graphs=1)
def globals_function(x):
    return x + globals()["GONE"], "COUNT" in globals()


@program(graphs=1)
def locals_function(x):
    a = 1
    return x + locals()["a"], sorted(locals())


@program(graphs=1)
def module_attribute_access(x):
    return x * math.pi, math.e


@program(tensor(2), (1, [2, {"k": 3}]), graphs=1, changed=[(tensor(2), (1, [2, {"k": 4}]))])
def nested_argument(x, tree):
    one, (two, inner) = tree
    return x + one + two + inner["k"], tree


@program(graphs=1)
def unpack_in_for(x):
    total = 0
    for a, (b, *c) in [(1, (2, 3, 4)), (5, (6,))]:
        total += a + b + len(c)
    return x + total


@program(graphs=1)
def bytes_and_numbers(x):
    return (
        x + 1,
        b"ab" + b"c",
        0x1F,
        1_000,
        1e3,
        2j * 2j,
        7 // 2,
        -7 // 2,
        -7 % 3,
        2**10,
        5 & 3,
        5 | 3,
        5 ^ 3,
        ~5,
        1 << 4,
    )


@program(graphs=1)
def nan_and_negative_zero(x):
    nan = float("nan")
    return x + 1, nan == nan, [nan] == [nan], nan, -0.0, 0.0 == -0.0, math.copysign(1, -0.0)


@program(tensor(2), -0.0, graphs=1, changed=[(tensor(2), 0.0), (tensor(2), float("nan")), (tensor(2), 1)])
def float_argument(x, f):
    return x * f, f
