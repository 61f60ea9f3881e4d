"""What is kept of a ledger once its guards are built: words only.

An entry lives as long as the code object it belongs to, and nothing the garbage collector sees leads from there to what
the entry holds. So it must not hold the user's objects: paths become text, answers become what a message would show.
"""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from framelift import _core
from framelift.guards.facts import FACTS, Fact
from framelift.guards.ledger import Asker, Guard
from framelift.paths import reach
from framelift.paths.path import Path

_SHOWN_AS_THEY_ARE = frozenset({int, float, bool, str, bytes, complex, type(None)})
_NAMED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ModuleType,
)
_LONGEST = 120
_ABSENT = "<nothing>"


class Word(str):
    """What stands for an object in a sentence."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class GuardNote(NamedTuple):
    """One guard, for reports."""

    path: str
    fact: str
    args: tuple[Any, ...]
    answer: Any
    asker: Asker

    def __str__(self) -> str:
        answer = self.answer
        positive = answer is not False and answer != _ABSENT
        template = _SAYS.get(self.fact) or _SAYS.get((self.fact, positive)) or "{fact} of {path} is {answer}"
        return template.format(fact=self.fact, path=self.path, arg=self._argument, answer=word(answer))

    @property
    def _argument(self) -> Word:
        return word(self.args[0]) if self.args else Word()

    def failure(self, obj: Any) -> str:
        """What is different, now that `obj` is at the end of the path."""
        if isinstance(self.answer, _core.TensorMeta):
            return f"{self.path}: {self.answer.mismatch(obj)}"
        fact = FACTS.get(self.fact)
        if fact is None:
            return f"no longer so: {self}"
        old, new = word(self.answer), self._new_answer(fact, obj)
        return fact.when_false.format(path=self.path, arg=self._argument, old=old, new=new)

    def _new_answer(self, fact: Fact, obj: Any) -> Word:
        if any(isinstance(arg, Word) for arg in self.args):  # the object asked about is no longer at hand
            return word(not self.answer) if isinstance(self.answer, bool) else Word("something else")
        try:
            return word(brief(fact.measure(obj, *self.args)))
        except Exception:  # noqa: BLE001  (an object of another kind, of which this cannot be asked)
            return Word(f"a {type(obj).__qualname__}")


_SAYS: dict[Any, str] = {
    "type_of": "type({path}) is {answer}",
    "identity": "{path} is {answer}",
    "value": "{path} == {answer}",
    "base_value": "{path} == {answer}",
    "length": "len({path}) == {answer}",
    "keys": "list({path}) == {answer}",
    ("has_key", True): "{arg} in {path}",
    ("has_key", False): "{arg} not in {path}",
    ("has_attribute", True): "{path} has its own attribute {arg}",
    ("has_attribute", False): "{path} has no attribute {arg} of its own",
    ("class_attribute", True): "{path} has the class attribute {arg}: {answer}",
    ("class_attribute", False): "{path} has no class attribute {arg}",
    "elements": "set({path}) == {answer}",
    "ordered_elements": "list({path}) == {answer}",
    "deque_bound": "{path}.maxlen == {answer}",
    ("cell_empty", True): "{path} is not bound",
    ("cell_empty", False): "{path} is bound",
    ("derives_from", True): "{path} derives from {arg}",
    ("derives_from", False): "{path} does not derive from {arg}",
    "tensor": "{path} is like {answer}",
    "same_as": "{path} is {arg}",
    "not_same_as": "{path} is not {arg}",
    "shares_memory": "{path} shares the memory of {arg}",
    "shares_no_memory": "{path} shares no memory with {arg}",
}


class NodeNotes(NamedTuple):
    """What is guarded of one object."""

    path: str
    guards: list[GuardNote]


def take_notes(nodes: list[tuple[Path, list[Guard]]], argument_names: tuple[str, ...]) -> list[NodeNotes]:
    """The notes of each node of the guard program, in preorder."""
    found = []
    for path, guards in nodes:
        text = path.text(argument_names)
        notes = [
            GuardNote(
                text,
                _name(guard.fact, guard.check[0]),
                tuple(_argument(arg, argument_names) for arg in guard.args),
                brief(guard.answer),
                guard.asker,
            )
            for guard in guards
        ]
        found.append(NodeNotes(text, notes))
    return found


def _name(fact: Fact | None, check: str) -> str:
    return check if fact is None else fact.name


def _argument(arg: Any, argument_names: tuple[str, ...]) -> Any:
    return Word(arg.text(argument_names)) if isinstance(arg, Path) else brief(arg)


def brief(answer: Any) -> Any:
    """An answer without the objects in it."""
    kind = type(answer)
    if kind in _SHOWN_AS_THEY_ARE or kind is _core.TensorMeta:
        return answer
    if kind is tuple or kind is frozenset:
        return kind(brief(item) for item in answer)
    if answer is reach.ABSENT:
        return Word(_ABSENT)
    if issubclass(kind, type):
        return Word(answer.__qualname__)
    name = (getattr(answer, "__qualname__", None) or answer.__name__) if issubclass(kind, _NAMED) else None
    return Word(f"<{kind.__name__} {name}>" if isinstance(name, str) else f"<{kind.__name__}>")


def word(answer: Any) -> Word:
    """A brief answer as it stands in a sentence."""
    text = repr(answer)
    return Word(text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ...")
