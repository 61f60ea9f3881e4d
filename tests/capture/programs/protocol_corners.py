"""Corners of Python's protocols that CPython's own tests look into."""

import collections
import functools
import types
import weakref

from tests.capture.harness import program, tensor


class Counting:
    def __init__(self):
        self.hashed = self.compared = 0

    def __hash__(self):
        self.hashed += 1
        return 42

    def __eq__(self, other):
        self.compared += 1
        return self is other


def asked(*keys):
    return [(key.hashed, key.compared) for key in keys]


@program(tensor(2), graphs=1)
def keys_hashed_once(x):
    first, second = Counting(), Counting()
    table = {first: 5}
    table.setdefault(second, 1)
    counts = [asked(first, second)]
    table.pop(second)
    counts.append(asked(first, second))
    copied = dict(table)
    copied.update({second: 3})
    counts.append(asked(first, second))
    return x + 1, counts, len(set(table)), len(dict.fromkeys(table)), asked(first, second)


@program(tensor(2), graphs=0, broken=True)
def replaced_while_iterating(x):
    table, seen, y = {0: 0, 1: 1, 2: 2}, [], x + 1
    try:
        for key in table:
            seen.append(key)
            del table[0]
            table[0] = 0
    except RuntimeError as error:
        return y, seen, str(error)
    return y, seen


@program(tensor(2), graphs=1)
def moved_while_iterating(x):
    table, seen = collections.OrderedDict(a=1, b=2), []
    try:
        for key in table:
            seen.append(key)
            table.move_to_end("a")
    except RuntimeError as error:
        return x + 1, seen, str(error)


@program(tensor(2), graphs=1)
def emptied_while_updating(x):
    class Emptying:
        def __hash__(self):
            return 0

        def __eq__(self, other):
            source.clear()
            return False

    source = {Emptying(): 0, 1: 1}
    try:
        {Emptying(): 0}.update(source)
    except RuntimeError as error:
        return x + 1, str(error)


@program(tensor(2), graphs=1)
def emptied_while_comparing(x):
    class First:
        def __eq__(self, other):
            second.clear()
            return NotImplemented

    class Second:
        def __eq__(self, other):
            first.clear()
            return NotImplemented

    first, second = [First()], [Second()]
    return x + 1, first == second


class Refusing:
    __contains__ = __iter__ = __add__ = __lt__ = __eq__ = __neg__ = __getitem__ = None

    __hash__ = object.__hash__


class Doubling:
    def __add__(self, other):
        return 5


class NotInPlace(Doubling):
    __iadd__ = None


def failure(function):
    try:
        return function()
    except TypeError as error:
        return str(error)


def add_in_place(value):
    value += 1
    return value


@program(tensor(2), graphs=1)
def methods_that_are_none(x):
    r = Refusing()
    tries = [
        lambda: 1 in r, lambda: iter(r), lambda: r + 1, lambda: r < 1, lambda: r == 1, lambda: -r, lambda: r[0],
        lambda: add_in_place(NotInPlace()), lambda: None(1), lambda: list(r),
    ]  # fmt: skip
    return x + 1, [failure(function) for function in tries]


class Setting:
    def __set__(self, instance, value):
        instance.__dict__["a"] = value


class WithSetting:
    a = Setting()


@program(tensor(2), graphs=1)
def descriptor_without_get(x):
    instance = WithSetting()
    before = type(instance.a).__name__
    instance.a = 42
    return x + 1, before, instance.a


class Forwarding:
    def __init__(self, to):
        object.__setattr__(self, "to", to)

    def __getattribute__(self, name):
        return (
            object.__getattribute__(self, "to") if name == "to" else getattr(object.__getattribute__(self, "to"), name)
        )


@program(tensor(2), Forwarding([1]), graphs=1)
def class_claimed(x, forwarding):
    return x + 1, isinstance(forwarding, list), isinstance(forwarding, int), isinstance(Forwarding(3), int | str)


def plain(value):
    return value


@program(tensor(2), graphs=1)
def bound_methods_of_c(x):
    row = [3]
    return (
        x + 1, [type(each).__name__ for each in (row.append, row.__len__, dict.fromkeys, plain.__call__.__call__)],
        plain.__call__.__call__(7), row.append.__name__, row.append.__self__ is row, hasattr(row.append, "__func__"),
        isinstance(row.append, types.MethodType), isinstance("".join, types.BuiltinMethodType),
    )  # fmt: skip


@program(tensor(2), graphs=1)
def partial_is_read_only(x):
    made = functools.partial(plain, 1)
    try:
        made.func = None
    except AttributeError as error:
        return x + 1, str(error), made()


class Stopping:
    def __getitem__(self, index):
        if index > 3:
            raise StopIteration
        return index


@program(tensor(2), graphs=1)
def sequence_that_stops(x):
    return x + 1, list(Stopping()), [item for item in Stopping()]


@program(tensor(2), graphs=1)
def context_of_its_own(x):
    def cycle():
        try:
            raise ValueError(1)
        except ValueError as error:
            error.__context__ = error
            raise TypeError(2)  # noqa: B904

    try:
        cycle()
    except TypeError as error:
        context = error.__context__
        return x + 1, type(context).__name__, context.__context__ is context


@program(tensor(2), ExceptionGroup("g", [TypeError(1), ValueError(2)]), graphs=1)
def group_that_existed(x, group):
    caught = []
    try:
        raise group
    except* TypeError as error:
        caught.append((error.message, [repr(each) for each in error.exceptions]))
    except* ValueError as error:
        caught.append((error.message, [repr(each) for each in error.exceptions]))
    return x + 1, caught


class Dropped:
    alive = 0

    def __init__(self):
        Dropped.alive += 1

    def __del__(self):
        Dropped.alive -= 1


@program(tensor(2), graphs=1, broken=True)
def objects_with_finalizers(x):
    def use():
        Dropped()
        return 1

    return x + use()


class WithMethod:
    def method(self):
        return 5


KEPT = WithMethod()


REFERENCE = weakref.WeakMethod(KEPT.method)


@program(tensor(2), broken=True)
def weak_method(x):
    reference = REFERENCE
    made = weakref.WeakMethod(KEPT.method)
    return x + reference()(), reference().__func__ is WithMethod.method, reference == made, reference() == KEPT.method
