"""More programs like those in silent wrong results reported of other systems."""

import functools

import torch

from tests.capture.harness import meanwhile, program, tensor


class History:
    entries = []
    table = {}
    seen = set()
    total = 0

    def add(self, item):
        self.entries.append(item)
        return len(self.entries)

    def put(self, key, item):
        self.table[key] = item

    def note(self, item):
        self.seen.add(item)

    def count(self):
        type(self).total += 1
        return self.total

    @classmethod
    def reset(cls):
        cls.entries = []

    def own(self, item):
        self.entries = [*self.entries, item]
        return self.entries


class Later(History):
    pass


@program(graphs=1, steady=False)
def class_list_seen_through_a_subclass(x):
    Later().add(1)
    return x + len(History.entries), Later.entries is History.entries


@program(graphs=1, steady=False)
def class_list_of_two_instances(x):
    a, b = History(), History()
    a.add(1)
    b.add(2)
    return x + len(a.entries), a.entries is b.entries


@program(graphs=1, steady=False)
def class_dict_changed_in_a_method(x):
    History().put("k", x + 1)
    return x + len(History.table), History.table["k"]


@program(graphs=1, steady=False)
def class_set_changed_in_a_method(x):
    History().note(3)
    return x + len(History.seen)


@program(graphs=1, steady=False)
def class_counter(x):
    return x + History().count(), History().count(), History.total


@program(graphs=1, steady=False)
def class_counter_of_a_subclass(x):
    Later().count()
    return x + Later.total, History.total, "total" in vars(Later)


@program(graphs=1, steady=False)
def class_list_replaced(x):
    History().add(1)
    before = History.entries
    History.reset()
    return x + len(before), History.entries, before is History.entries


@program(graphs=1)
def instance_hides_the_class_list(x):
    h = History()
    h.own(1)
    return x + len(h.entries), len(History.entries), "entries" in vars(h)


@program(graphs=1, steady=False)
def class_list_extended_in_place(x):
    h = History()
    h.entries += [1]
    return x + len(History.entries), h.entries is History.entries, "entries" in vars(h)


@program(graphs=1, steady=False)
def class_list_mutated_then_read_by_tensor_code(x):
    h = History()
    for i in range(3):
        h.add(x + i)
    return torch.stack(h.entries[-3:]), len(h.entries)


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


LEFT, RIGHT = Node(1), Node(1)


@program(tensor(2), LEFT, graphs=1, changed=[(tensor(2), RIGHT)])
def identity_with_a_global(x, node):
    return x + 1 if node is LEFT else x - 1


def pick(which):
    class Picked:
        def __deepcopy__(self, memo):
            return which

    return Picked()


@program(tensor(2), pick(LEFT), graphs=1, changed=[(tensor(2), pick(RIGHT)), (tensor(2), pick(LEFT))])
def identity_with_a_global_that_is_it(x, node):
    return x + 1 if node is LEFT else x - 1


@program(tensor(2), pick(LEFT), pick(LEFT), graphs=1, changed=[(tensor(2), pick(LEFT), pick(RIGHT))])
def identity_of_two_arguments(x, a, b):
    return x + 1 if a is b else x - 1


@program(tensor(2), pick(LEFT), pick(RIGHT), graphs=1, changed=[(tensor(2), pick(LEFT), pick(LEFT))])
def difference_of_two_arguments(x, a, b):
    return x + 1 if a is not b else x - 1


@program(tensor(2), [pick(LEFT), pick(RIGHT)], graphs=1, changed=[(tensor(2), [pick(RIGHT), pick(RIGHT)])])
def identity_in_a_list(x, nodes):
    return x + (nodes[0] is nodes[1]), LEFT in nodes, nodes.index(RIGHT)


@program(tensor(2), pick(LEFT), graphs=1, changed=[(tensor(2), pick(RIGHT))])
def identity_as_a_key(x, node):
    return x + {LEFT: 1, RIGHT: 2}[node]


TENSORS = [tensor(2), tensor(2)]


@program(pick(TENSORS[0]), pick(TENSORS[0]), graphs=1, changed=[(pick(TENSORS[0]), pick(TENSORS[1]))])
def identity_of_tensors(x, y):
    return x + 1 if x is y else x - y


@program(pick(TENSORS[0]), graphs=1, changed=[(pick(TENSORS[1]),)])
def identity_of_a_tensor_with_a_global(x):
    return x + 1 if x is TENSORS[0] else x - 1


@program(tensor(2), None, graphs=1, changed=[(tensor(2), meanwhile(lambda: globals().update(LEFT=RIGHT)))])
def identity_of_two_globals(x, _):
    return x + (LEFT is RIGHT)


@program(tensor(2), (1, 2), graphs=1)
def identity_of_what_was_made(x, pair):
    a, b = [1], [1]
    c = a
    return x + (a is b), a is c, pair is pair, (a, b) == (b, a), x is x, (x + 1) is (x + 1)


def make_counter():
    count = 0
    log = []

    def step(by=1):
        nonlocal count
        count += by
        log.append(count)
        return count

    def read():
        return count, len(log)

    return step, read


@program(make=True, graphs=1, steady=False)
def closure_of_a_function_changed():
    step, read = make_counter()

    def run(x):
        before = read()
        step()
        step(by=5)
        return x + read()[0], before, read()

    return run, (tensor(2),)


class Machine:
    def __init__(self):
        state = {"n": 0}

        def advance():
            state["n"] += 1
            return state["n"]

        self.advance = advance
        self.state = lambda: dict(state)


@program(make=True, graphs=1, steady=False)
def closure_of_an_attribute_changed():
    machine = Machine()

    def run(x):
        first = machine.advance()
        return x * first + machine.advance(), machine.state()

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def closure_changed_by_the_caller():
    value = 1

    def read():
        return value

    def run(x):
        nonlocal value
        before = read()
        value = value + 1
        return x * before + read()

    return run, (tensor(2),)


@program(make=True, graphs=1, steady=False)
def closure_holds_a_tensor_that_is_replaced():
    held = tensor(2)

    def swap(y):
        nonlocal held
        old, held = held, y
        return old

    def run(x):
        old = swap(x + 1)
        return old + held, held is not old

    return run, (tensor(2),)


@program(make=True, graphs=1)
def two_closures_over_one_cell():
    def run(x):
        n = 1

        def up():
            nonlocal n
            n += 1

        def down():
            nonlocal n
            n -= 3

        up()
        first = n
        down()
        up()
        return x + n, first, up, down

    return run, (tensor(2),)


ITEMS = [1, 2]


@program(tensor(2), pick(ITEMS), pick(ITEMS), graphs=1, steady=False, changed=[(tensor(2), [1], [1])])
def one_list_for_two_parameters(x, a, b):
    a.append(len(b))
    b.append(len(a))
    return x + len(a), a == b, a is b


@program(tensor(2), pick(ITEMS), graphs=1, steady=False, changed=[(tensor(2), [1, 2])])
def list_is_also_a_global(x, items):
    items.append(3)
    return x + len(ITEMS), items is ITEMS


@program(tensor(2), [[1]] * 3, graphs=1, changed=[(tensor(2), [[1], [1], [1]])])
def one_list_three_times_inside(x, rows):
    rows[0].append(2)
    return x + sum(map(len, rows))


@program(tensor(2), {"a": ITEMS, "b": ITEMS}, graphs=1, changed=[(tensor(2), {"a": [1, 2], "b": [1, 2]})])
def one_list_under_two_keys(x, table):
    table["a"].clear()
    return x + len(table["b"])


@program(tensor(2), pick(LEFT), graphs=1, steady=False)
def object_reached_in_two_ways(x, node):
    LEFT.value += 1
    return x + node.value


def collect(item, into=[]):
    into.append(item)
    return into


def keep(item, *, into={}):
    into[item] = len(into)
    return into


@program(graphs=1, steady=False)
def default_list_across_calls(x):
    return x + len(collect(1)), collect(2) is collect(3)


@program(graphs=1, steady=False)
def keyword_default_across_calls(x):
    return x + len(keep("a")), keep("b")


@program(graphs=1, steady=False)
def default_of_the_function_itself(x, seen=[]):
    seen.append(len(seen))
    return x + sum(seen), seen


@program(graphs=1)
def default_made_in_the_call(x):
    def gather(item, into=[]):
        into.append(item)
        return into

    gather(1)
    return x + len(gather(2)), gather


@program(graphs=1, steady=False)
def default_tensor_changed(x):
    return accumulate(x), accumulate(x)


def accumulate(x, total=tensor(2, 3)):
    total += x
    return total.clone()


@program(graphs=1, steady=False)
def default_dict_holds_what_was_made(x):
    found = keep("t")
    found["x"] = x + 1
    return keep("u")["x"]


class Cached:
    calls = 0

    @functools.cached_property
    def table(self):
        type(self).calls += 1
        return {"k": 1}


CACHED = Cached()


@program(graphs=1, steady=False)
def cached_property_of_an_old_object(x):
    CACHED.table["k"] += 1
    return x + CACHED.table["k"], Cached.calls, "table" in vars(CACHED)


@program(graphs=1, steady=False)
def cached_property_of_a_new_object(x):
    c = Cached()
    return x + c.table["k"], c.table is c.table, c.__dict__


@program(tensor(2), [tensor(2)], graphs=1)
def tensor_in_a_list_is_rebound(x, items):
    y = items[0]
    items[0] = x
    return y is items[0], items[0] is x, y + 1


@program(tensor(2), graphs=1)
def view_and_its_base(x):
    view = x[:1]
    view.add_(10)
    return x, view, x + 1


@program(tensor(2), graphs=1)
def returned_twice_is_one_object(x):
    y = x + 1
    return y, [y, y], {"y": y}


@program(tensor(2), [], graphs=1)
def stored_and_returned_is_one_object(x, log):
    y = x + 1
    log.append(y)
    log.append(log)
    return y


@program(tensor(2), graphs=1, steady=False)
def global_rebound_and_read(x):
    global LEFT
    before = LEFT
    LEFT = Node(before.value + 1, before)
    return x + LEFT.value, LEFT.next is before


@program(tensor(2), True, graphs=1, changed=[(tensor(2), 1), (tensor(2), False), (tensor(2), 0)])
def true_and_one(x, flag):
    return x + 1 if flag is True else x - 1


@program(tensor(2), {1: "a"}, graphs=1, changed=[(tensor(2), {True: "a"}), (tensor(2), {1.0: "a"})])
def keys_that_are_equal(x, table):
    return x + 1, table[1], [type(key) for key in table]
