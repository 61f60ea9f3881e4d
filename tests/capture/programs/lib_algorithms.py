"""heapq, bisect, statistics, fractions, numbers, random."""

import bisect
import fractions
import heapq
import numbers
import random
import statistics

import torch

from tests.capture.harness import program, tensor


class Job:
    def __init__(self, priority):
        self.priority = priority

    def __lt__(self, other):
        return self.priority < other.priority


heap = [5, 7, 9]
generator = random.Random(3)


@program(graphs=1)
def heap_made(x):
    h = []
    for number in (3, 1, 2):
        heapq.heappush(h, number)
    first = heapq.heappop(h)
    return x + first, h, heapq.heapreplace(h, 9), heapq.heappushpop(h, 0), h


@program(graphs=1)
def heapify(x):
    h = [(2, "b"), (1, "a"), (0, "c")]
    heapq.heapify(h)
    return x + 1, h, heapq.heappop(h)


@program(graphs=1, steady=False)
def heap_from_before(x):
    heapq.heappush(heap, 1)
    return x + heap[0], heapq.heappop(heap)


@program(tensor(2), [3, 2, 1], graphs=1)
def heap_argument(x, items):
    heapq.heapify(items)
    heapq.heappush(items, 0)
    return x + items[0]


@program(graphs=1)
def heap_of_objects(x):
    h = [Job(3), Job(1), Job(2)]
    heapq.heapify(h)
    return x + heapq.heappop(h).priority, [job.priority for job in h]


@program(graphs=1)
def largest(x):
    items = [4, 1, 5, 2]
    return x + 1, heapq.nlargest(2, items), heapq.nsmallest(2, items, key=lambda k: -k), heapq.nlargest(1, items)


@program(graphs=1)
def merge(x):
    return x + 1, list(heapq.merge([1, 4], [2, 3], [])), list(heapq.merge([3, 1], [2], reverse=True))


@program(graphs=1)
def empty_heap(x):
    try:
        heapq.heappop([])
    except IndexError as error:
        return x + 1, str(error)


@program(graphs=1)
def bisection(x):
    items = [1, 3, 3, 5]
    return (
        x + 1,
        bisect.bisect(items, 3),
        bisect.bisect_left(items, 3),
        bisect.bisect_right(items, 9),
        bisect.bisect_left(items, 3, 2),
    )


@program(graphs=1)
def bisection_by_key(x):
    return x + 1, bisect.bisect_left([Job(1), Job(3)], 2, key=lambda job: job.priority)


@program(tensor(2), [1, 4], graphs=1)
def insort(x, items):
    bisect.insort(items, 3)
    bisect.insort_left(items, 1)
    return x + len(items)


@program(graphs=1)
def negative_start(x):
    try:
        bisect.bisect([1], 1, -1)
    except ValueError as error:
        return x + 1, str(error)


@program(graphs=1)
def statistics_of_numbers(x):
    return (
        x + 1,
        statistics.mean([1, 2, 3]),
        statistics.median([3, 1, 2]),
        statistics.mode([1, 1, 2]),
        statistics.fmean([1.0, 2.0]),
    )


@program(graphs=1)
def deviations(x):
    return x + 1, statistics.stdev([1.0, 2.0, 4.0]), statistics.pvariance([1, 2, 3]), statistics.quantiles([1, 2, 3, 4])


@program(graphs=1)
def number_fractions(x):
    f = fractions.Fraction(1, 3) + fractions.Fraction(1, 6)
    return x + float(f), f.numerator, f.denominator, f == fractions.Fraction(1, 2), f > 0, str(f * 2)


@program(graphs=1)
def abstract_numbers(x):
    return (
        x + 1,
        isinstance(1, numbers.Number),
        isinstance(1.5, numbers.Integral),
        isinstance(True, numbers.Real),
        isinstance(x, numbers.Number),
    )


@program(broken=True)
def random_module(x):
    return x + random.random(), random.randint(1, 6), random.choice("abc"), random.gauss(0, 1)


@program(graphs=1, steady=False)
def random_instance(x):
    return x * generator.random(), generator.randrange(10)


@program(tensor(2), [1, 2, 3, 4], broken=True)
def random_shuffle(x, items):
    random.shuffle(items)
    return x + items[0], random.sample(range(9), 3)


@program(broken=True)
def random_between_operations(x):
    y = x + 1
    if random.random() < 0.5:
        y = y * 2
    return y - random.uniform(0, 1)


@program(broken=None)
def random_seeded(x):
    own = random.Random(5)
    return x + own.random(), own.getstate() == random.Random(5).getstate()


@program(tensor(3), graphs=1)
def numbers_drawn_before_the_graph(x):
    count, share = random.randint(1, 6), random.random()
    y = x * count + share
    return y - random.uniform(-1, 1), count, share, generator.gauss(0, 1), x * generator.randrange(2, 9, 3)


@program(tensor(3), graphs=1)
def numbers_drawn_that_make_sizes(x):
    n = random.randint(2, 4)
    return torch.zeros(n) + 1, x * n


@program(tensor(3), broken=None)
def drawn_in_a_loop_of_a_drawn_length(x):
    y = x * 2
    for _ in range(random.randint(1, 3)):
        y = y + random.random()
    return y


@program(tensor(3), broken=None)
def wrong_numbers_to_draw(x):
    y = x * 2
    try:
        return y + random.randint(3, 1)
    except ValueError as error:
        return y - 1, error.args


@program(tensor(3), [1], broken=None)
def drawn_beside_effects(x, items):
    items.append(random.random())
    y = x * items[-1]
    items.append(random.randint(1, 9))
    return y + len(items), list(items)


@program(tensor(3), range(3), graphs=1, changed=[(tensor(3), range(1, 7, 2)), (tensor(3), range(5, 5))])
def range_as_an_argument(x, numbers):
    for number in numbers:
        x = x + number
    return x, numbers, len(numbers), numbers.start
