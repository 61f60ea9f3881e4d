"""copy."""

import copy
import enum

from tests.capture.harness import program, tensor


class Plain:
    def __init__(self, value):
        self.value = value
        self.items = [value]


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


class Custom:
    def __init__(self, value):
        self.value = value

    def __copy__(self):
        return Custom(self.value + 1)

    def __deepcopy__(self, memo):
        return Custom(copy.deepcopy(self.value, memo))


class Stateful:
    def __init__(self):
        self.value = 1

    def __getstate__(self):
        return {"value": 5}


class Numbers(list):
    def __init__(self, items=()):
        super().__init__(items)
        self.note = "n"


class Color(enum.Enum):
    RED = 1


config = Plain({"sizes": [1, 2], "name": "a"})


@program(graphs=1)
def copies_of_lists(x):
    items = [1, [2, 3]]
    shallow, deep = copy.copy(items), copy.deepcopy(items)
    items[1].append(4)
    return x + 1, shallow, deep, shallow[1] is items[1], deep[1] is items[1]


@program(graphs=1)
def copies_of_dicts(x):
    table = {"a": [1], "b": (2, [3])}
    shallow, deep = copy.copy(table), copy.deepcopy(table)
    table["a"].append(x + 1)
    return shallow["a"] is table["a"], deep, table


@program(graphs=1)
def copies_of_constants(x):
    items = (1, "a", None, 2.5, (3, 4))
    return (
        x + 1,
        copy.copy(items) is items,
        copy.deepcopy(items) is items,
        copy.deepcopy(len) is len,
        copy.copy(Plain) is Plain,
    )


@program(graphs=1)
def copies_of_sets(x):
    return x + 1, copy.copy({1, 2}), copy.deepcopy({1, (2, 3)}), copy.deepcopy(frozenset([1]))


@program(graphs=1)
def copies_of_objects(x):
    o = Plain(1)
    shallow, deep = copy.copy(o), copy.deepcopy(o)
    shallow.value = 7
    return x + o.value, shallow.items is o.items, deep.items is o.items, deep.items, type(deep) is Plain, deep


@program(graphs=1)
def copies_of_what_existed(x):
    deep = copy.deepcopy(config)
    deep.value["sizes"].append(3)
    return x + len(deep.value["sizes"]), len(config.value["sizes"]), deep


@program(tensor(2), [1, [2]], graphs=1, changed=[(tensor(2), [[]])])
def copies_of_arguments(x, items):
    deep = copy.deepcopy(items)
    deep.append(1)
    return x + len(deep), deep, copy.copy(items)


@program(graphs=1)
def sharing_is_kept(x):
    inner = [1]
    deep = copy.deepcopy([inner, inner, {"k": inner}])
    return x + 1, deep[0] is deep[1], deep[2]["k"] is deep[0], deep[0] is inner


@program(graphs=1)
def cycles(x):
    items = [1]
    items.append(items)
    o = Plain(2)
    o.me = o
    deep, other = copy.deepcopy(items), copy.deepcopy(o)
    return x + 1, deep[1] is deep, deep is items, other.me is other


@program(graphs=1)
def slots(x):
    o = Slotted([1])
    deep, shallow = copy.deepcopy(o), copy.copy(o)
    return x + 1, deep.a, deep.a is o.a, shallow.a is o.a, hasattr(deep, "b")


@program(graphs=1)
def hooks(x):
    o = Custom(3)
    return x + copy.copy(o).value, copy.deepcopy(o).value, copy.deepcopy([o, o])[0].value


@program(graphs=1)
def subclass_of_list(x):
    o = Numbers([1, [2]])
    deep = copy.deepcopy(o)
    return x + 1, deep, type(deep) is Numbers, deep.note, deep[1] is o[1], copy.copy(o)


@program(graphs=1)
def enums(x):
    return x + 1, copy.copy(Color.RED) is Color.RED, copy.deepcopy({"c": Color.RED})["c"] is Color.RED


@program(graphs=1)
def bound_methods(x):
    o = Plain(1)
    method = copy.deepcopy([o, o.__init__])[1]
    return x + 1, method.__self__ is o


@program(graphs=1)
def own_state(x):
    return x + copy.copy(Stateful()).value


@program(broken=None)
def tensors(x):
    y = copy.deepcopy(x)
    y += 1
    return x, y


@program(graphs=1)
def exceptions(x):
    return x + 1, copy.copy(ValueError(1)).args


class Holder:
    def __init__(self):
        self.items = [1, {"a": [2]}]


holder = Holder()


@program(graphs=1)
def deep_copy_of_attributes(x):
    made = copy.deepcopy(holder.__dict__)
    made["items"].append(3)
    return x + 1, made, holder.items
