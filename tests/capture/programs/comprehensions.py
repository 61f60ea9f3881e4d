"""Comprehensions, loops, conditions, the walrus, `del`."""

from tests.capture.harness import program, tensor


@program(graphs=1)
def list_comprehension(x):
    return [x * i for i in range(3)]


@program(graphs=1)
def dict_comprehension(x):
    return {k: x * v for k, v in {"a": 1, "b": 2}.items()}


@program(graphs=1)
def set_comprehension(x):
    return {i % 3 for i in range(10)}, x + 1


@program(graphs=1)
def nested_comprehension(x):
    return [[x + i * j for j in range(i)] for i in range(3)]


@program(graphs=1)
def two_loops(x):
    return [(i, j) for i in range(3) for j in range(i) if (i + j) % 2], x + 1


@program(graphs=1)
def variable_does_not_leak(x):
    i = 5
    squares = [i * i for i in range(3)]
    return x + i, squares


@program(graphs=1)
def comprehension_raises(x):
    i = 7
    try:
        [1 // (i - 1) for i in range(3)]
    except ZeroDivisionError:
        return x + i


@program(graphs=1)
def comprehension_with_closure(x):
    return [f() for f in [(lambda: x + i) for i in range(3)]]


@program(graphs=1)
def comprehension_in_class_scope(x):
    n = 3

    def f():
        return [n * i for i in range(n)]

    return x + sum(f())


@program(graphs=1)
def walrus_in_condition(x):
    items = [1, 2, 3]
    if (n := len(items)) > 2:
        return x + n


@program(graphs=1)
def walrus_in_comprehension(x):
    kept = [y for i in range(5) if (y := i * i) > 3]
    return x + y, kept


@program(graphs=1)
def walrus_in_while(x):
    items = [1, 2, 3]
    total = 0
    while items and (item := items.pop()):
        total += item
    return x + total, item


@program(tensor(2), 3, graphs=1, changed=[(tensor(2), 0), (tensor(2), -1)])
def while_loop(x, n):
    while n > 0:
        x = x + n
        n -= 1
    else:
        x = x * 2
    return x


@program(graphs=1)
def while_break_else(x):
    n = 0
    while True:
        n += 1
        if n > 4:
            break
    else:
        n = -1
    return x + n


@program(tensor(2), [1, 2, 3], graphs=1, changed=[(tensor(2), []), (tensor(2), [5, 2])])
def for_else(x, items):
    for item in items:
        if item == 5:
            break
        x = x + item
    else:
        x = -x
    return x


@program(graphs=1)
def for_continue(x):
    for i in range(5):
        if i % 2:
            continue
        x = x + i
    return x


@program(graphs=1)
def loop_over_dict_changes(x):
    d = {"a": 1, "b": 2}
    for key in list(d):
        d[key + key] = d.pop(key)
    return x + 1, d


@program(tensor(2), [1, 2, 3], graphs=1)
def list_grows_while_iterating(x, items):
    for item in items:
        if item < 10:
            items.append(item * 10)
    return x + len(items), items


@program(graphs=1)
def dict_changes_size_while_iterating(x):
    d = {"a": 1}
    try:
        for key in d:
            d["b"] = 2
    except RuntimeError as error:
        return x + 1, str(error)


@program(graphs=1)
def set_changes_size_while_iterating(x):
    s = {1}
    try:
        for item in s:
            s.add(2)
    except RuntimeError as error:
        return x + 1, str(error)


@program(graphs=1)
def conditional_expression(x):
    return x + (1 if x.dim() == 2 else 2), (0 or "a"), (1 and []), not 3


@program(graphs=1)
def short_circuit(x):
    log = []

    def f(value):
        log.append(value)
        return value

    f(0) and f(1)
    f(1) or f(2)
    f(0) or f(3) and f(4)
    return x + 1, log


@program(graphs=1)
def chained_comparison(x):
    log = []

    def f(value):
        log.append(value)
        return value

    return x + 1, f(1) < f(2) < f(3), f(3) < f(2) < f(1), 1 < 3 > 2 != 4 == 4, 1 in [1] in [[1]], log


@program(graphs=1)
def delete_local(x):
    y = x + 1
    z = y
    del y
    try:
        y
    except UnboundLocalError:
        return z


@program(graphs=1)
def delete_items(x):
    items = [0, 1, 2, 3, 4, 5]
    del items[0], items[1:3], items[-1]
    d = {"a": 1, "b": 2}
    del d["a"]
    return x + 1, items, d


@program(graphs=1)
def delete_tuple_target(x):
    a = b = c = 1
    del (a, b), [c]
    return x + 1, "a" in locals() if False else None


@program(graphs=1)
def range_forms(x):
    return x + 1, list(range(3)), list(range(1, 4)), list(range(5, 0, -2)), len(range(10)), range(3)[1], 2 in range(3)


@program(graphs=1)
def enumerate_start(x):
    return [x + i for i, _ in enumerate("abc", 2)], list(enumerate("ab", start=5))


@program(graphs=1)
def zip_strict(x):
    try:
        list(zip([1, 2], [1], strict=True))
    except ValueError as error:
        return x + 1, str(error), list(zip([1, 2], [3])), list(zip())


@program(graphs=1)
def iterating_over_a_tensor(x):
    return [row + 1 for row in x], [a + b for a, b in zip(x, x)]


@program(graphs=1)
def unpacking_a_tensor(x):
    a, b = x
    return a + b


@program(graphs=1)
def reversed_and_sorted(x):
    return x + 1, list(reversed([1, 2, 3])), sorted([3, 1, 2]), sorted("cab", reverse=True), sorted([-3, 2], key=abs)


@program(graphs=1)
def augmented_targets(x):
    items = [1, 2, 3]
    items[1] += 5
    d = {"a": 1}
    d["a"] *= 10
    y = x
    y = y + 1
    y -= 3
    return y, items, d


@program(graphs=1)
def in_place_tensor(x):
    y = x.clone()
    z = y
    y += 1
    y *= 2
    return z, y is z


@program(tensor(2), graphs=1)
def in_place_on_argument(x):
    x += 1
    return x


@program(graphs=1)
def nested_loops_with_flags(x):
    found = None
    for i in range(4):
        for j in range(4):
            if i * j == 6:
                found = i, j
                break
        if found:
            break
    return x + found[0], found


@program(graphs=1)
def pass_and_ellipsis(x):
    def f(): ...

    for _ in range(2):
        pass
    return x + 1, f(), ...


@program(graphs=1)
def long_loop(x):
    total = 0
    for i in range(2000):
        total += i
    return x + total
