"""Objects that are two in one call and one in the next."""

from tests.capture.harness import program, tensor


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
