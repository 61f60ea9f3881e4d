"""Corners where language features meet: what is easily lost between them."""

import contextlib
import functools

from tests.capture.harness import program, tensor


class Base:
    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.seen = len(Base.registry)


class Left(Base):
    def who(self):
        return "left"


class Right(Base):
    def who(self):
        return "right"


@program(graphs=1)
def method_added_between_two_calls_of_it(x):
    def who(self):
        return "patched"

    first = Left().who()
    before, Left.who = Left.who, who
    second = Left().who()
    Left.who = before
    return x + 1, first, second, Left().who()


@program(graphs=1)
def attribute_of_base_seen_through_made_class(x):
    class Mine(Left, Right):
        pass

    Right.extra = 5
    value = Mine.extra
    del Right.extra
    return x + value, Mine().who(), hasattr(Mine, "extra")


@program(graphs=1)
def made_class_as_key_and_in_isinstance(x):
    class A:
        pass

    class B(A):
        pass

    table = {A: 1, B: 2}
    return x + table[B], isinstance(B(), A), isinstance(A(), (int, B)), type(B()) in table, issubclass(B, (A, int))


@program(graphs=1)
def made_class_compared_and_shown(x):
    class A:
        pass

    return x + 1, A == A, A is type(A()), A != int, repr(A), A.__name__, A.__module__


@program(graphs=1)
def made_class_with_closure_returned_in_a_list(x):
    made = []
    for i in range(2):

        class C:
            number = i

            def get(self):
                return number

        number = i
        made.append(C)
    return made, x + made[1].number


@program(graphs=1)
def instances_of_made_class_share_it(x):
    class P:
        def __init__(self, v):
            self.v = v

    pair = [P(x + 1), P(x + 2)]
    return pair, type(pair[0]) is type(pair[1])


@program(graphs=1)
def generator_method_with_super(x):
    class A:
        def items(self):
            yield 1
            yield 2

    class B(A):
        def items(self):
            yield 0
            yield from super().items()

    return x + sum(B().items()), list(B().items())


@program(graphs=1)
def half_consumed_generator_of_made_object(x):
    class A:
        def __init__(self):
            self.log = []

        def items(self):
            for i in range(3):
                self.log.append(i)
                yield x + i

    a = A()
    g = a.items()
    next(g)
    return g, a


@program(graphs=1)
def two_generators_sharing_an_iterator(x):
    source = iter([1, 2, 3, 4])

    def take():
        for item in source:
            yield x + item

    a, b = take(), take()
    return next(a), next(b), a, b


@program(graphs=1)
def returned_generator_refers_to_itself(x):
    holder = []

    def g():
        yield x + 1
        yield len(holder)

    it = g()
    holder.append(it)
    next(it)
    return holder


@program(graphs=1)
def exception_kept_and_raised_again(x):
    kept = None
    for _ in range(2):
        try:
            if kept is not None:
                raise kept
            raise ValueError("once")
        except ValueError as error:
            kept = error
    return x + 1, kept.args, kept.__context__


@program(graphs=1)
def exception_chain_of_three(x):
    try:
        try:
            try:
                {}["a"]
            except KeyError:
                [][0]
        except IndexError:
            raise RuntimeError("third")
    except RuntimeError as error:
        chain = []
        while error is not None:
            chain.append(type(error).__name__)
            error = error.__context__
        return x + 1, chain


@program(graphs=1)
def contextmanager_with_exception_and_return(x):
    log = []

    @contextlib.contextmanager
    def swallowing():
        try:
            yield
        except ValueError as error:
            log.append(error.args)

    def f():
        with swallowing():
            raise ValueError("in")
        return "after"

    return x + 1, f(), log


@program(graphs=1)
def finally_sees_the_exception(x):
    import sys

    seen = []

    def f():
        try:
            raise KeyError("k")
        finally:
            seen.append(sys.exc_info()[0])

    with contextlib.suppress(KeyError):
        f()
    seen.append(sys.exc_info()[0])
    return x + 1, seen


@program(graphs=1)
def return_in_finally_discards(x):
    def f():
        try:
            raise KeyError("lost")
        finally:
            return 5

    return x + f()


@program(graphs=1)
def property_made_by_hand(x):
    class A:
        def __init__(self):
            self.v = 1

        def get(self):
            return self.v

        def put(self, value):
            self.v = value * 2

        v2 = property(get, put, doc="text")

    a = A()
    a.v2 = 4
    return x + a.v2, A.v2.__doc__, A.v2.fget(a)


@program(graphs=1)
def wraps_on_a_method(x):
    def logged(function):
        @functools.wraps(function)
        def wrapper(self, *args):
            self.calls += 1
            return function(self, *args)

        return wrapper

    class A:
        calls = 0

        @logged
        def run(self, y):
            return y + self.calls

    a = A()
    return a.run(x), a.run(x), a.calls, A.calls, A.run.__name__


@program(graphs=1)
def equality_falls_back_to_identity(x):
    class A:
        def __eq__(self, other):
            return NotImplemented

        __hash__ = None

    a = A()
    return x + 1, a == a, a == A(), a != a, a in [a], [a] == [a]


@program(graphs=1)
def ordering_by_reflection(x):
    class A:
        def __init__(self, v):
            self.v = v

        def __gt__(self, other):
            return self.v > other.v

    return x + 1, A(1) < A(2), sorted([A(3), A(1), A(2)], key=lambda a: a.v)[0].v, max(A(1), A(2)).v


@program(graphs=1)
def star_arguments_from_a_generator(x):
    def f(*args, **kwargs):
        return sum(args), sorted(kwargs)

    return x + 1, f(*(i for i in range(3)), **{k: 1 for k in "ba"})


@program(tensor(2), [3, 1, 2], graphs=1)
def argument_list_sorted_and_aliased(x, items):
    alias = items
    alias.sort()
    del items[0]
    return x + alias[0], alias is items


@program(graphs=1)
def nested_functions_and_classes(x):
    def outer(n):
        class A:
            def inner(self):
                def deepest():
                    nonlocal n
                    n += 1
                    return n

                return deepest

        return A().inner()

    f = outer(5)
    return x + f() + f(), f


@program(graphs=1)
def comprehension_in_a_class_body(x):
    class A:
        numbers = [1, 2, 3]
        doubled = [n * 2 for n in numbers]

    return x + sum(A.doubled)


@program(graphs=1)
def walrus_and_closure(x):
    def f():
        if (n := 10) > 5:
            return lambda: n + 1
        return None

    return x + f()()


@program(graphs=1)
def delete_and_set_attribute_order(x):
    class A:
        pass

    a = A()
    a.one, a.two, a.three = 1, 2, x + 3
    del a.two
    a.two = 4
    return a, list(vars(a))


@program(tensor(2), {"a": 1, "b": 2}, graphs=1)
def argument_dict_reordered(x, d):
    d["a"] = d.pop("a") + 1
    d.update(c=3)
    return x + len(d), list(d)


class Loud(property):
    def __init__(self, read):
        property.__init__(self, read)


@program(graphs=1)
def instance_of_a_subclass_of_property(x):
    made = Loud(lambda self: 3)
    return x + isinstance(made, property) + made.fget(None), type(made).__name__


@program(broken=True)
def subclass_of_property_that_gets_out(x):
    y = x + 1
    return y, Loud(len).fget, Loud(len)
