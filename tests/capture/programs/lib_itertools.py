"""itertools."""

import itertools
import operator

import torch

from tests.capture.harness import program, tensor


class Noisy:
    """An iterable that says when it is started and when it gives an item."""

    def __init__(self, items, log):
        self.items = items
        self.log = log

    def __iter__(self):
        self.log.append("iter")
        for item in self.items:
            self.log.append(item)
            yield item


@program(graphs=1)
def chain(x):
    return [x + i for i in itertools.chain([1], (2, 3), range(2))]


@program(graphs=1)
def chain_of_nothing(x):
    return x + len(list(itertools.chain())), list(itertools.chain([], ()))


@program(tensor(3), [[1, 2], [3]], graphs=1, changed=[(tensor(3), [[4]]), (tensor(3), [])])
def chain_from_iterable(x, lists):
    for i in itertools.chain.from_iterable(lists):
        x = x * i
    return x + 1


@program(graphs=1)
def chain_is_lazy(x):
    log = []
    it = itertools.chain(Noisy([1, 2], log), Noisy([3], log))
    log.append("made")
    first = next(it)
    log.append("one")
    rest = list(it)
    return x + first, rest, log


@program(graphs=1)
def chain_type(x):
    it = itertools.chain([1])
    return x + 1, type(it) is itertools.chain, isinstance(it, itertools.chain), iter(it) is it


@program(graphs=1)
def chain_returned(x):
    return itertools.chain([x + 1], [2, 3])


@program(graphs=1)
def count(x):
    total = x
    for i in itertools.count(3, 2):
        if i > 9:
            break
        total = total + i
    return total


@program(graphs=1)
def count_default(x):
    c = itertools.count()
    return x + next(c) + next(c) + next(c), next(c)


@program(graphs=1)
def count_float(x):
    return x + 1, list(itertools.islice(itertools.count(0.5, 0.25), 4))


@program(graphs=1)
def count_of_a_string(x):
    try:
        itertools.count("a")
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def cycle(x):
    return [x + i for i, _ in zip(itertools.cycle([1, 2, 3]), range(7))]


@program(graphs=1)
def cycle_of_nothing(x):
    return x + 1, list(itertools.cycle([]))


@program(graphs=1)
def cycle_reads_once(x):
    log = []
    it = itertools.cycle(Noisy([1, 2], log))
    return x + 1, [next(it) for _ in range(5)], log


@program(graphs=1)
def repeat(x):
    return [i + 1 for i in itertools.repeat(x, 3)], list(itertools.repeat(1, 0)), list(itertools.repeat(1, -2))


@program(graphs=1)
def repeat_forever(x):
    return [i + j for i, j in zip(itertools.repeat(x), [1, 2])]


@program(graphs=1)
def repeat_by_keyword(x):
    return x + 1, list(itertools.repeat(object="a", times=2))


@program(graphs=1)
def map_with_repeat(x):
    return list(map(torch.add, [x, x * 2], itertools.repeat(1)))


@program(graphs=1)
def accumulate(x):
    return list(itertools.accumulate([x, x, x])), list(itertools.accumulate([1, 2, 3], operator.mul))


@program(graphs=1)
def accumulate_initial(x):
    return list(itertools.accumulate([1, 2], lambda a, b: a * 10 + b, initial=x)), list(
        itertools.accumulate([], initial=7)
    )


@program(graphs=1)
def accumulate_nothing(x):
    return x + 1, list(itertools.accumulate([]))


@program(graphs=1)
def compress(x):
    return [x + i for i in itertools.compress([1, 2, 3, 4], [1, 0, True])]


@program(graphs=1)
def dropwhile(x):
    return [x + i for i in itertools.dropwhile(lambda a: a < 2, [1, 2, 1, 3])]


@program(graphs=1)
def takewhile(x):
    source = iter([1, 2, 5, 1])
    return [x + i for i in itertools.takewhile(lambda a: a < 3, source)], list(source)


@program(graphs=1)
def filterfalse(x):
    return [x + i for i in itertools.filterfalse(lambda a: a % 2, range(5))], list(
        itertools.filterfalse(None, [0, 1, ""])
    )


@program(graphs=1)
def starmap(x):
    return list(itertools.starmap(torch.add, [(x, 1), (x, x)])), list(itertools.starmap(pow, ((2, 3), [3, 2])))


@program(graphs=1)
def pairwise(x):
    return [a * x + b for a, b in itertools.pairwise([1, 2, 3])], list(itertools.pairwise([1]))


@program(graphs=1)
def islice_stop(x):
    source = iter(range(10))
    return [x + i for i in itertools.islice(source, 3)], next(source)


@program(graphs=1)
def islice_steps(x):
    source = iter(range(10))
    return x + 1, list(itertools.islice(source, 1, 8, 3)), list(source)


@program(graphs=1)
def islice_open(x):
    return x + 1, list(itertools.islice([1, 2, 3], 1, None)), list(itertools.islice([1, 2, 3], None))


@program(graphs=1)
def islice_takes_no_more_than_it_needs(x):
    log = []
    got = list(itertools.islice(Noisy(range(9), log), 1, 4, 2))
    return x + 1, got, log


@program(graphs=1)
def islice_refuses(x):
    messages = []
    for args in ((-1,), (0, -1), (0, 1, 0), ("a",), (0, 2.5)):
        try:
            itertools.islice([1], *args)
        except ValueError as error:
            messages.append(str(error))
    return x + 1, messages


@program(graphs=1)
def zip_longest(x):
    return [(x + a, b) for a, b in itertools.zip_longest([1, 2, 3], "ab", fillvalue=0)]


@program(graphs=1)
def zip_longest_of_three(x):
    return x + 1, list(itertools.zip_longest([1], [], [2, 3])), list(itertools.zip_longest())


@program(graphs=1)
def groupby(x):
    return [(k, list(g), x + k) for k, g in itertools.groupby([1, 1, 2, 3, 3], lambda a: a // 2)]


@program(graphs=1)
def groupby_without_key(x):
    return x + 1, [(k, len(list(g))) for k, g in itertools.groupby("aabbb")]


@program(graphs=1)
def groupby_groups_not_read(x):
    return x + 1, [k for k, _ in itertools.groupby([1, 1, 2, 2, 3])]


@program(graphs=1)
def groupby_groups_read_too_late(x):
    groups = [g for _, g in itertools.groupby([1, 1, 2])]
    return x + 1, [list(g) for g in groups]


@program(graphs=1)
def groupby_half_a_group(x):
    result = []
    for key, group in itertools.groupby([1, 1, 1, 2]):
        result.append((key, next(group)))
    return x + 1, result


@program(graphs=1)
def product(x):
    return [x + a * b for a, b in itertools.product([1, 2], [3, 4])], list(itertools.product([0, 1], repeat=2))


@program(graphs=1)
def product_of_nothing(x):
    return x + 1, list(itertools.product()), list(itertools.product([1], []))


@program(graphs=1)
def permutations(x):
    return [x * a + b for a, b in itertools.permutations([1, 2, 3], 2)], list(itertools.permutations("ab"))


@program(graphs=1)
def permutations_of_many(x):
    return x + 1, next(itertools.permutations(range(30))), len(next(itertools.combinations(range(40), 20)))


@program(graphs=1)
def combinations(x):
    return [x * a + b for a, b in itertools.combinations([1, 2, 3], 2)], list(itertools.combinations("ab", 3))


@program(graphs=1)
def combinations_of_tensors(x):
    return [a * b for a, b in itertools.combinations([x, x + 1, x + 2], 2)]


@program(graphs=1)
def combinations_with_replacement(x):
    return x + 1, list(itertools.combinations_with_replacement("ab", 2))


@program(graphs=1)
def product_returned_half_read(x):
    it = itertools.product([x + 1, 2], [3])
    next(it)
    return it


@program(graphs=1)
def tee(x):
    a, b = itertools.tee([x, x + 1, x + 2])
    next(a)
    return list(a), list(b)


@program(graphs=1)
def tee_three(x):
    log = []
    its = itertools.tee(Noisy([1, 2, 3], log), 3)
    return x + 1, next(its[0]), next(its[1]), list(its[2]), log, list(its[0])


@program(graphs=1)
def next_by_name(x):
    it = itertools.chain([1, 2])
    return x + it.__next__(), it.__iter__() is it, next(it), next(it, "end")


@program(graphs=1)
def unpacking(x):
    a, *b = itertools.islice(itertools.count(1), 4)
    return x + a, b


@program(graphs=1)
def recipes(x):
    def windowed(items, n):
        its = itertools.tee(items, n)
        for i, it in enumerate(its):
            next(itertools.islice(it, i, i), None)
        return zip(*its)

    return x + 1, list(windowed(range(5), 3)), dict(zip("ab", itertools.count(), strict=False))


@program(tensor(3), [1, 2, 3], changed=[(tensor(3), [5]), (tensor(3), [])])
def exception_in_the_middle(x, items):
    seen = []
    try:
        for i in itertools.starmap(lambda a: 6 // (a - 2), [(item,) for item in items]):
            seen.append(i)
    except ZeroDivisionError:
        seen.append("zero")
    return x + len(seen), seen
