"""Dicts and sets with objects of the program's own as keys."""

from tests.capture.harness import program, tensor


class Named:
    """Hashes as its name does, so that both may be keys of one dict."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return isinstance(other, Named) and other.name == self.name


BESIDE_THEIR_NAMES = {Named("a"): 1, "a": 2, "b": 3, Named("b"): 4}
OBJECTS = {Named("a"): 1, Named("b"): 4}
MEMO = {}


@program(graphs=1)
def only_objects(x):
    return x * OBJECTS[Named("a")] + OBJECTS[Named("b")], Named("c") in OBJECTS


@program(broken="comparison may run code of the user's")
def name_behind_an_object_with_its_hash(x):
    return x * BESIDE_THEIR_NAMES[Named("a")] + BESIDE_THEIR_NAMES["a"]


@program(broken="comparison may run code of the user's", changed=[(tensor(2), {Named("a"): 3, "a": 5})])
def through_an_argument(x, found=BESIDE_THEIR_NAMES):
    return x * found[Named("a")] + found["a"]


@program(steady=False, broken=None, changed=[(tensor(2, 3), "b"), (tensor(2, 3), "a"), (tensor(2, 3), "b")])
def memo_of_objects_and_their_hashes(x, name="a"):
    key = Named(name)
    if key not in MEMO:
        MEMO[key] = x.sum()
    if hash(key) not in MEMO:
        MEMO[hash(key)] = x.max()
    return x + MEMO[key] + MEMO[hash(key)]
