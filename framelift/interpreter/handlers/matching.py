"""Pattern matching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from framelift.code import Instr
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.values.base import Raised, Value
from framelift.values.known import NONE, Known, boolean
from framelift.values.sequence import make_tuple

MAPPING, SEQUENCE = 1 << 6, 1 << 5
_SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


@op("GET_LEN", takes=0)
def get_len(m: Machine, frame: Frame, instr: Instr) -> Value:
    return m.call(Known(len), [frame.stack[-1]])


@op("MATCH_MAPPING", takes=0)
def match_mapping(m: Machine, frame: Frame, instr: Instr) -> Value:
    return _matches(m, frame.stack[-1].cls, MAPPING, Mapping)


@op("MATCH_SEQUENCE", takes=0)
def match_sequence(m: Machine, frame: Frame, instr: Instr) -> Value:
    return _matches(m, frame.stack[-1].cls, SEQUENCE, Sequence)


def _matches(m: Machine, cls: type, flag: int, base: type) -> Value:
    """By the flag that a class has from its bases, or from being registered, which is still to happen."""
    return boolean(bool(cls.__flags__ & flag) or (bool(m.registered) and issubclass(cls, base)))


@op("MATCH_KEYS", takes=0)
def match_keys(m: Machine, frame: Frame, instr: Instr) -> Value:
    mapping, keys = frame.stack[-2], frame.stack[-1]
    missing = Known(object())
    found = []
    getter = m.getattr(mapping, "get")
    for key in m.unpack(keys):
        item = m.call(getter, [key, missing])
        if item is missing:
            return NONE
        found.append(item)
    return make_tuple(found)


@op("MATCH_CLASS")
def match_class(m: Machine, frame: Frame, instr: Instr, subject: Value, cls: Value, names: Value) -> Value:
    if not m.truth(m.call(Known(isinstance), [subject, cls])):
        return NONE
    found = []
    if instr.arg:
        positional = _match_args(m, cls, instr.arg)
        if positional is None:
            return make_tuple([subject])
        found += positional
    attributes = []
    for name in [*found, *m.unpack(names)]:
        assert isinstance(name, Known)
        try:
            attributes.append(m.getattr(subject, name.obj))
        except Raised as raised:
            if issubclass(raised.value.cls, AttributeError):
                return NONE
            raise
    return make_tuple(attributes)


def _match_args(m: Machine, cls: Value, count: int) -> list[Value] | None:
    """The names of positional patterns; None if the only one stands for the subject itself."""
    assert isinstance(cls, Known)
    listed = m.class_attribute(cls.obj, "__match_args__")
    if listed is None:
        if issubclass(cls.obj, _SELF_MATCHING) and count == 1:
            return None
        m.throw(TypeError, f"{cls.obj.__name__}() accepts 0 positional sub-patterns ({count} given)")
    names = m.unpack(listed)
    if len(names) < count:
        plural = "" if len(names) == 1 else "s"
        m.throw(TypeError, f"{cls.obj.__name__}() accepts {len(names)} positional sub-pattern{plural} ({count} given)")
    return names[:count]
