"""Objects that are two in one call and one in the next."""

import copy

import framelift
from tests.capture.harness import call, program, tensor


class Box:
    def __init__(self, value):
        self.value = value


def twice(make):
    """Arguments of a later call: the same object two times."""
    made = make()
    return tensor(2), made, made


@program(tensor(2), [1, 2], [1, 2], graphs=1, changed=[twice(lambda: [1, 2])])
def lists(x, first, second):
    first.append(3)
    return x + len(first), len(second)


@program(tensor(2), {"a": 1}, {"a": 1}, graphs=1, changed=[twice(lambda: {"a": 1})])
def dicts(x, first, second):
    first["a"] = 5
    return x + first["a"], second["a"]


@program(tensor(2), Box(1), Box(1), graphs=1, changed=[twice(lambda: Box(1))])
def objects(x, first, second):
    before = second.value
    first.value = 7
    return x + first.value, before, second.value


@program(tensor(2), [Box(1), Box(2)], Box(3), graphs=1, changed=[twice(lambda: [Box(1), Box(2)])])
def inner_objects(x, boxes, other):
    last = boxes[-1]
    last.value = 9
    return x + 1, [box.value for box in boxes], (other if isinstance(other, Box) else other[-1]).value


@program(tensor(2), [1], [2], broken=None, changed=[twice(lambda: [3])])
def before_a_break(x, first, second):
    first.append(4)
    print("between")
    return x + len(first), second


# ---- What was two objects is one in a later call

X = tensor(2)


def two_and_one(make):
    one, two = make(), make()
    return [call(X, one, one), call(X, one, two), call(X, two, two)]


@program(X, [1], [1], changed=[*two_and_one(lambda: [1]), *two_and_one(dict), *two_and_one(lambda: Box(1))])
def copies_of_one_or_two(x, first, second):
    copies = copy.deepcopy([first, second])
    return x + (copies[0] is copies[1]), copies


@program(X, tensor(3), tensor(3), changed=two_and_one(lambda: tensor(3)))
def attributes_of_tensors(x, first, second):
    first.note = 1
    second.note = 2
    return x + first.note


@program(X, tensor(3), tensor(3), changed=two_and_one(lambda: tensor(3)))
def dicts_of_tensors(x, first, second):
    first.note = 1
    second.__dict__["other"] = 2
    return x + len(first.__dict__) + second.other, vars(second)


@program
def dict_of_a_tensor_and_its_attributes(x):
    x.note = 3
    x.__dict__["more"] = 4
    del x.note
    return x + x.more + len(x.__dict__)


@program(X, broken="the __dict__ of a tensor made in the call")
def dict_of_a_tensor_made_here(x):
    made = x + 1
    made.note = 3
    return made.__dict__["note"], made


def changed_object(x, box, entries):
    framelift.graph_break()
    box.other = 2
    return x + len(entries), entries


def changed_dict(x, box, entries):
    framelift.graph_break()
    entries["value"] = 5
    return x + box.value, entries


@program(broken="asked for")
def own_dict_beside_its_object(x):
    found = []
    for change in (changed_object, changed_dict):
        for own in (False, True, False):
            box = Box(1)
            found.append(change(x, box, box.__dict__ if own else {"value": 1}))
            found.append(vars(box))
    return found
