"""Graphs that raise only when they run: what is left is what Python leaves."""

import torch

from tests.capture.harness import program, tensor

LOG = []
TABLE = tensor(3, 2)


class Counter:
    steps = 0

    def __init__(self):
        self.seen = []


COUNTER = Counter()


def far():
    return torch.tensor([7])


def near():
    return torch.tensor([1])


@program(tensor(3), far(), changed=[(tensor(3), near())], fails=True)
def escapes(x, index):
    return x[index] + 1


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def caught(x, index):
    try:
        return x[index] + 1
    except IndexError:
        return x - 1


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def caught_and_shown(x, index):
    try:
        return x[index] + 1
    except IndexError as error:
        return x - 1, str(error), type(error)


def take(x, index):
    try:
        return x[index]
    except IndexError:
        return x[:1]


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def caught_in_a_callee(x, index):
    return take(x, index) + 1


@program(tensor(3), far(), [1], changed=[(tensor(3), near(), [2])], fails=True)
def list_changed_before(x, index, items):
    items.append(2)
    y = x[index]
    items.append(3)
    return y + len(items)


@program(tensor(3), far(), [1], graphs=1, changed=[(tensor(3), near(), [2])], fails=True)
def list_changed_before_and_after(x, index, items):
    try:
        items.append(2)
        y = x[index]
        items.append(3)
    except IndexError:
        items.append(4)
        y = x
    finally:
        items.append(5)
    return y + len(items)


@program(tensor(3), far(), steady=False, changed=[(tensor(3), near())], fails=True)
def global_changed_before(x, index):
    LOG.append(1)
    y = x[index]
    LOG.append(2)
    return y


@program(tensor(3), far(), steady=False, changed=[(tensor(3), near())], fails=True)
def attribute_changed_before(x, index):
    COUNTER.steps += 1
    y = x[index] * COUNTER.steps
    COUNTER.seen.append(COUNTER.steps)
    return y


@program(tensor(3), far(), {"a": 1}, changed=[(tensor(3), near(), {"a": 1})], fails=True)
def dict_changed_before(x, index, table):
    table["b"] = x + 1
    del table["a"]
    return x[index] + len(table)


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def grad_mode_is_left_as_it_was(x, index):
    try:
        with torch.no_grad():
            y = x[index]
    except IndexError:
        y = x
    return y + 1, torch.is_grad_enabled()


@program(tensor(3), far(), changed=[(tensor(3), near())], fails=True)
def grad_mode_after_an_escape(x, index):
    with torch.no_grad():
        return x[index] + 1


class Manager:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append("in")

    def __exit__(self, kind, error, trace):
        self.log.append(kind and kind.__name__)
        return True


@program(tensor(3), far(), [], graphs=1, changed=[(tensor(3), near(), [])], fails=True)
def swallowed_by_a_manager(x, index, log):
    y = x
    with Manager(log):
        y = x[index]
    return y + 1


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def in_a_loop(x, index):
    found = []
    for i in range(3):
        try:
            found.append(x[index - 6 * i])
        except IndexError:
            found.append(i)
    return found, x + 1


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def raised_again_as_another(x, index):
    try:
        try:
            return x[index] + 1
        except IndexError as error:
            raise ValueError("no such row") from error
    except ValueError as error:
        return x, str(error), type(error.__cause__)


@program(tensor(3), far(), changed=[(tensor(3), near())], fails=True)
def translated_and_escapes(x, index):
    try:
        return x[index] + 1
    except IndexError as error:
        raise ValueError("no such row") from error


@program(tensor(3), far(), changed=[(tensor(3), near())], fails=True)
def through_an_embedding(x, index):
    return torch.nn.functional.embedding(index, TABLE).sum() + x


@program(tensor(3), far(), [], graphs=1, changed=[(tensor(3), near(), [])], fails=True)
def random_numbers_before_and_caught(x, index, log):
    log.append(1)
    y = x + torch.rand(3)
    try:
        return y[index]
    except IndexError:
        return y + torch.rand(3)


@program(tensor(3), far(), [], changed=[(tensor(3), near(), [])], fails=True)
def tensor_changed_afterwards(x, index, log):
    log.append(1)
    y = x[index]
    x.add_(1)
    return y


def make_closure(index):
    seen = 0

    def run(x):
        nonlocal seen
        seen += 1
        return x[index] + seen

    return run


@program(make=True, steady=False, fails=True)
def closure_changed_before():
    return make_closure(far()), (tensor(3),)


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def with_every_kind_of_argument(x, index, /, *rest, key=2, **others):
    try:
        return x[index] + 1
    except IndexError:
        return x * key, rest, others


@program(tensor(3), far(), graphs=1, changed=[(tensor(3), near())], fails=True)
def generator_consumed(x, index):
    def rows():
        yield x[:1]
        try:
            yield x[index]
        except IndexError:
            yield x[1:2]

    return [row + 1 for row in rows()]


@program(tensor(3), far(), changed=[(tensor(3), near())], fails=True)
def finally_changes_a_global(x, index):
    try:
        return x[index]
    finally:
        LOG.append("done")
