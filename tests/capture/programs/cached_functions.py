"""functools.lru_cache and cache: what they give, whether the function runs, their counters."""

import functools
import weakref

from tests.capture.harness import program, tensor

calls = []
setting = 2


@functools.lru_cache(maxsize=4)
def plus_one(n):
    return n + 1


@functools.cache
def with_options(a, b=3, *, c=4):
    return a + b * c


@functools.lru_cache(typed=True)
def typed(n):
    return type(n).__name__


@functools.lru_cache
def told(n):
    calls.append(n)
    return n * 2


@functools.lru_cache(maxsize=2)
def of_two(n):
    return n * 3


@functools.lru_cache
def with_setting():
    return setting * 10


@functools.lru_cache
def makes_list(n):
    return [n]


@functools.lru_cache
def failing(n):
    raise ValueError(n)


@functools.lru_cache(maxsize=0)
def never_kept(n):
    return n - 1


class Speaker:
    def __init__(self):
        self.name = "s"

    @functools.lru_cache(None)
    def speak(self, text):
        return self.name + text


speaker = Speaker()
for number in (1, 2):
    told(number)
    of_two(number)
makes_list(5)
with_setting()
setting = 3


@program(tensor(2), graphs=1, steady=False)
def not_there_yet(x):
    return x + plus_one(2), plus_one(3), plus_one(2)


@program(tensor(2), graphs=1)
def there(x):
    return x + told(1), told(2), told(1)


@program(tensor(2), graphs=1)
def stale(x):
    return x + with_setting()


@program(tensor(2), graphs=1)
def same_object(x):
    return x + 1, makes_list(5), makes_list(5) is makes_list(5)


@program(tensor(2), graphs=1, steady=False)
def keywords(x):
    return x + with_options(1), with_options(1, c=2), with_options(b=2, a=1), with_options(1, 3)


@program(tensor(2), graphs=1, steady=False)
def by_type(x):
    return x + 1, typed(1), typed(True), typed(1.0), typed("1")


@program(tensor(2), broken="cached function", steady=False)
def does_more(x):
    return x + told(3), list(calls)


@program(tensor(2), broken="cached function", steady=False)
def dropped_again(x):
    return x + of_two(1), of_two(3), of_two(2), of_two(1)


@program(tensor(2), graphs=1, steady=False)
def makes_anew(x):
    made = makes_list(6)
    made.append(1)
    return x + 1, made, makes_list(6)


class Recipe:
    def __init__(self, sizes):
        self.sizes = sizes
        self.total = sum(sizes)


@functools.lru_cache(maxsize=8)
def recipe(pattern, sizes):
    return Recipe([size * len(pattern) for size in sizes])


@program(tensor(2), graphs=1)
def makes_an_object(x):
    found = recipe("ab", (1, 2))
    return x * found.total, found.sizes, recipe("ab", (1, 2)) is found


@program(tensor(2), 3, graphs=1, changed=[(tensor(2), 4), (tensor(3), 3)])
def makes_objects_of_arguments(x, n):
    found = recipe("abc", (n, 2))
    return x * found.total, recipe("abc", (n, 2)).sizes, recipe("d", (n,)).total


@functools.cache
def factors(n):
    return tuple((i, n // i) for i in range(1, n + 1) if n % i == 0)


@program(tensor(2), graphs=1)
def makes_a_tuple(x):
    return x + len(factors(12)), factors(12)[1], factors(12) is factors(12)


@functools.lru_cache
def clock_like(n):
    calls.append(n)
    return Recipe([n])


@program(tensor(2), broken="cached function", steady=False)
def makes_an_object_and_does_more(x):
    return x + clock_like(3).total, list(calls)


@program(tensor(2), broken="cached function", steady=False)
def raises(x):
    try:
        failing(1)
    except ValueError as error:
        return x + 1, error.args
    return x


@program(tensor(2), graphs=1, steady=False)
def without_room(x):
    return x + never_kept(3), never_kept(3)


@program(tensor(2), graphs=1, steady=False)
def method(x):
    return x + 1, speaker.speak("a"), speaker.speak("b"), speaker.speak("a")


@program(tensor(2), broken="cached function", steady=False)
def counters(x):
    y = x + plus_one(7) + plus_one(7)
    return y, plus_one.cache_info()


@program(tensor(2), broken="cached function", steady=False)
def cleared(x):
    y = x + plus_one(8)
    plus_one.cache_clear()
    return y + plus_one(8), plus_one.cache_info()


@program(tensor(2), [3], broken="cached function", steady=False)
def with_a_tensor(x, n):
    return x + plus_one(x).sum() * plus_one(n[0])


nothing = object()


@functools.cache
def of_reference(reference, n):
    return nothing if reference() is Speaker else n


@program(tensor(2), graphs=1, steady=False)
def weak_references(x):
    return x + 1, of_reference(weakref.ref(Speaker), 1) is nothing
