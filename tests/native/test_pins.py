"""What guards leave out because nothing has changed.

Whatever is done to the objects between two checks, guards that have held before answer as guards that are new.
"""

from __future__ import annotations

import random
import types

import pytest
import torch

from tests.native.guarding import guards, node


def at(accessor, key, *checks, children=(), out=-1):
    return node(accessor, key, *children, checks=checks, out=out)


class Thing:
    """With a dict once it is asked for."""


class OtherThing(Thing):
    pass


class Leaf(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2))
        self.size = 2


class World:
    """Objects of every kind that guards read, and ways to change each a little."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        scope = {}
        exec("class A: limit = 3\nclass B(A): pass\ndef f(x, y=1, z='s'): return x", scope)
        self.cls, self.function = scope["B"], scope["f"]
        self.root = Thing()
        self.root.__dict__["leaf"] = Leaf()
        self.root.made = scope["B"]()
        self.root.made.__dict__["name"] = "made"
        self.root.list = [1, Leaf(), (2, "x")]
        self.root.tuple = ("a", 2.5, Leaf())
        self.root.settings = {"lr": 0.1, "inner": {"deep": Leaf()}}
        self.root.plain = Thing()
        self.root.plain.leaf, self.root.plain.size, self.root.plain.flag = Leaf(), 2, True
        self.root.function = scope["f"]
        self.root.cls = scope["B"]

    def nodes(self):
        root, made = self.root, self.root.made

        def leaf(accessor, key, module):
            return at(
                accessor, key, ("type_is", Leaf), ("has_attr", "_parameters"), ("lacks_attr", "absent"),
                children=[
                    at("attr", "size", ("equals", 2)),
                    at("attr", "_forward_hooks", ("length", 0)),
                    at(
                        "attr", "_parameters", ("keys", ("weight",)), ("lacks_key", "bias"),
                        children=[at("key", "weight", ("type_is", torch.nn.Parameter), ("is", module.weight))],
                    ),
                ],
            )  # fmt: skip

        children = [
            leaf("attr", "leaf", root.leaf),
            at(
                "attr", "made", ("type_is", self.cls), ("lookup_is", ("limit", 3)), ("lookup_absent", "nothing"),
                children=[
                    at("dict", None, ("has_key", "name"), children=[at("key", "name", ("equals", made.name))]),
                    at(
                        "type", None, ("type_lookup_absent", "other"),
                        children=[at("type_attr", "limit", ("equals", 3))],
                    ),
                ],
            ),
            at(
                "attr", "list", ("length", 3),
                children=[
                    at("item", 0, ("equals", 1)),
                    leaf("item", 1, root.list[1]),
                    at("item", 2, children=[at("item", 1, ("equals", "x"))]),
                ],
            ),
            at(
                "attr", "plain",
                ("type_is", Thing), ("has_attr", "size"), ("lacks_attr", "gone"), ("lacks_attr", "never"),
                children=[
                    leaf("attr", "leaf", root.plain.leaf),
                    at("attr", "size", ("equals", 2)),
                    at("attr", "flag", ("is", True)),
                ],
            ),
            at(
                "attr", "tuple", ("length", 3),
                children=[leaf("item", 2, root.tuple[2]), at("item", 0, ("equals", "a"))],
            ),
            at(
                "attr", "settings", ("keys", ("lr", "inner")),
                children=[
                    at("key", "lr", ("equals", 0.1)),
                    at("key", "inner", children=[leaf("key", "deep", root.settings["inner"]["deep"])]),
                    at("dict_key_at", 0, ("equals", "lr")),
                ],
            ),
            at(
                "attr", "function", ("is", self.function),
                children=[
                    at("code", None, ("is", self.function.__code__)),
                    at("defaults", None, ("length", 2), children=[at("item", 1, ("equals", "s"))]),
                    at("func_globals", None, ("has_key", "A")),
                ],
            ),
            at(
                "attr", "cls", ("is", self.cls), ("type_lookup_is", ("limit", 3)),
                children=[at("mro", None, ("length", 3))],
            ),
        ]  # fmt: skip
        return [at("local", 0, ("type_is", Thing), ("lacks_attr", "gone"), children=children)]

    def leaves(self):
        root = self.root
        found = [root.__dict__.get("leaf"), root.tuple[2]]
        if len(root.list) > 1:
            found.append(root.list[1])
        found.append(root.settings.get("inner", {}).get("deep"))
        return [module for module in found if isinstance(module, Leaf)]

    def change(self):
        """Change something; what puts it back, and what was done."""
        root, pick = self.root, self.random.choice
        name, do, undo = pick(self._changes(root, pick(self.leaves())))
        do()
        return name, undo

    def _changes(self, root, leaf):
        function, cls, base = self.function, self.cls, self.cls.__base__
        weight, code, defaults = leaf.weight, function.__code__, function.__defaults__
        hooks, attributes, item = leaf._forward_hooks, leaf.__dict__, root.list[0]
        other, copied = torch.nn.Parameter(torch.ones(2)), types.FunctionType(code, {})
        parameters, deep = leaf.__dict__["_parameters"], root.settings["inner"]

        def put(mapping, key, value):
            return lambda: mapping.__setitem__(key, value)

        def attribute(thing, name, value):
            return lambda: setattr(thing, name, value)

        def drop(thing, name):
            return lambda: thing.__dict__.pop(name, None)

        return [
            ("size", attribute(leaf, "size", 3), attribute(leaf, "size", 2)),
            ("the same size", attribute(leaf, "size", 1 + 1), lambda: None),
            ("an equal size", put(leaf.__dict__, "size", int("2")), lambda: None),
            ("another attribute", attribute(leaf, "counter", object()), lambda: None),
            ("an attribute that must be absent", attribute(leaf, "absent", 1), drop(leaf, "absent")),
            ("a hook", put(hooks, 1, print), hooks.clear),
            ("other hooks", put(leaf.__dict__, "_forward_hooks", {1: 2}), put(leaf.__dict__, "_forward_hooks", hooks)),
            ("the same hooks in another dict", put(leaf.__dict__, "_forward_hooks", {}), lambda: None),
            ("a parameter", put(parameters, "bias", weight), lambda: parameters.pop("bias")),
            ("a weight", put(parameters, "weight", other), put(parameters, "weight", weight)),
            ("a dict", attribute(leaf, "__dict__", dict(attributes)), attribute(leaf, "__dict__", attributes)),
            ("an emptier dict", attribute(leaf, "__dict__", {}), attribute(leaf, "__dict__", attributes)),
            ("a class", attribute(root, "__class__", OtherThing), attribute(root, "__class__", Thing)),
            ("a class attribute", attribute(cls, "limit", 4), lambda: delattr(cls, "limit")),
            ("an attribute of a base", attribute(base, "limit", 4), attribute(base, "limit", 3)),
            ("a new class attribute", attribute(base, "other", 4), lambda: delattr(base, "other")),
            ("an unrelated class attribute", attribute(base, "count", object()), lambda: None),
            ("a list item", put(root.list, 0, 9), put(root.list, 0, item)),
            ("a plain size", attribute(root.plain, "size", 3), attribute(root.plain, "size", 2)),
            ("an equal plain size", attribute(root.plain, "size", int("2")), lambda: None),
            ("a plain flag", attribute(root.plain, "flag", False), attribute(root.plain, "flag", True)),
            ("no plain size", lambda: delattr(root.plain, "size"), attribute(root.plain, "size", 2)),
            ("an attribute that was gone", attribute(root.plain, "gone", 3), lambda: delattr(root.plain, "gone")),
            ("a subclass", attribute(root.plain, "__class__", OtherThing), attribute(root.plain, "__class__", Thing)),
            ("another leaf", attribute(root.plain, "leaf", Leaf()), attribute(root.plain, "leaf", root.plain.leaf)),
            ("a name that others have too", attribute(Thing(), "never", 1), lambda: None),
            ("a dict for what had none", lambda: self.random.random() < 0.1 and root.plain.__dict__, lambda: None),
            ("a longer list", lambda: root.list.append(1), lambda: root.list.pop()),
            ("a dict item", put(root.settings, "lr", 0.2), put(root.settings, "lr", 0.1)),
            ("a dict in a dict", put(root.settings, "inner", {}), put(root.settings, "inner", deep)),
            ("an equal dict in a dict", put(root.settings, "inner", dict(deep)), lambda: None),
            ("code", attribute(function, "__code__", (lambda: 0).__code__), attribute(function, "__code__", code)),
            ("copied code", attribute(function, "__code__", code.replace()), attribute(function, "__code__", code)),
            ("defaults", attribute(function, "__defaults__", (1, "t")), attribute(function, "__defaults__", defaults)),
            ("equal defaults", attribute(function, "__defaults__", (1, "s")), lambda: None),
            ("no defaults", attribute(function, "__defaults__", None), attribute(function, "__defaults__", defaults)),
            ("a function", attribute(root, "function", copied), attribute(root, "function", function)),
            ("an equal tuple", attribute(root, "tuple", tuple(list(root.tuple))), lambda: None),
            ("another attribute of the root", attribute(root, "counter", object()), lambda: None),
        ]  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_held_guards_answer_as_new_ones_do(seed):
    world = World(seed)
    nodes = world.nodes()
    held = guards(*nodes)
    assert held.check((world.root,), print) is not None
    for step in range(60):
        done, undo = world.change()
        for _ in range(world.random.randint(1, 3)):
            assert held.failure((world.root,), print) == guards(*nodes).failure((world.root,), print), (step, done)
        undo()
        if world.random.random() < 0.8:
            assert held.failure((world.root,), print) == guards(*nodes).failure((world.root,), print), (step, done)


def test_an_object_in_the_place_of_a_dead_one_is_another():
    for _ in range(200):
        root = Thing()
        root.__dict__["inner"] = [Thing()]
        root.inner[0].__dict__["value"] = 1
        value = at("attr", "value", ("equals", 1))
        held = guards(at("local", 0, children=[at("attr", "inner", children=[at("item", 0, children=[value])])]))
        assert held.check((root,), print) is not None
        root.inner.clear()
        root.inner.append(Thing())
        root.inner[0].__dict__["value"] = 2
        assert held.check((root,), print) is None


def test_what_changes_every_time_costs_no_other_answer():
    root = Thing()
    root.__dict__.update(count=0, limit=5)
    held = guards(at("local", 0, ("has_attr", "count"), children=[at("attr", "limit", ("equals", 5))]))
    for count in range(200):
        root.count = count
        assert held.check((root,), print) is not None
    root.limit = 6
    assert held.check((root,), print) is None
    root.limit = 5
    assert held.check((root,), print) is not None


def test_instances_by_turns():
    things = [Thing() for _ in range(5)]
    for number, thing in enumerate(things):
        thing.__dict__["number"] = number
    held = guards(at("local", 0, ("type_is", Thing), children=[at("attr", "number", ("type_is", int))], out=0))
    for turn in range(200):
        thing = things[turn % 5]
        assert held.check((thing,), print) == [thing]
    things[3].number = "three"
    assert [held.check((thing,), print) is not None for thing in things] == [True, True, True, False, True]
