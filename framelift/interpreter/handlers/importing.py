"""Imports inside of functions."""

from __future__ import annotations

import builtins
import importlib.util
import sys
import types
from typing import Any

from framelift.code import Instr
from framelift.guards import facts
from framelift.guards.observed import Observed
from framelift.interpreter.frame import Frame
from framelift.interpreter.machine import Machine
from framelift.interpreter.opcodes import op
from framelift.models.registry import model
from framelift.values.base import Raised, Value
from framelift.values.known import Known
from framelift.values.reasons import UNKNOWN_OPERATION, Break


@op("IMPORT_NAME")
def import_name(m: Machine, frame: Frame, instr: Instr, level: Value, names: Value) -> Value:
    assert isinstance(level, Known)
    name: str = instr.arg
    if level.obj:
        package = frame.globals.get(m, "__package__")
        if not isinstance(package, Known) or not isinstance(package.obj, str):
            raise Break(UNKNOWN_OPERATION, "a relative import without __package__")
        name = importlib.util.resolve_name("." * level.obj + name, package.obj)
    if isinstance(names, Known) and names.obj is None and not level.obj:
        full, name = name, name.partition(".")[0]
        _loaded(m, full)
        return _loaded(m, name)
    module = _loaded(m, name)
    for part in m.unpack(names):
        if isinstance(module, Known) and isinstance(part, Known):
            _check_part(module.obj, part.obj)
    return module


def _check_part(package: Any, name: str) -> None:
    """A module that is asked of its package, and that nobody imported yet, is left to Python too."""
    if type(package) is not types.ModuleType or name in vars(package):
        return
    if not hasattr(package, "__path__") or "__getattr__" in vars(package):
        return
    full = f"{package.__name__}.{name}"
    try:
        found = importlib.util.find_spec(full) is not None
    except (ImportError, ValueError, AttributeError):
        found = True
    if found:
        raise Break(UNKNOWN_OPERATION, f"the first import of {full}")


def _loaded(m: Machine, name: str) -> Value:
    """A module that has been imported before; importing one for the first time is left to Python."""
    path = m.ledger.paths.start("object", sys)
    modules = Observed(path, sys, m.ledger).child("dict").child("key", "modules")
    if not modules.learn(facts.has_key, name):
        raise Break(UNKNOWN_OPERATION, f"the first import of {name}")
    module = m.lift(modules.child("key", name))
    if isinstance(module, Known) and module.obj is None:
        raise Break(UNKNOWN_OPERATION, f"the import of {name}, which is forbidden")
    return module


@model(builtins.__import__)
def import_by_name(m: Any, name: Value, /, *args: Value, **kwargs: Value) -> Value:
    if args or kwargs or not isinstance(name, Known) or not isinstance(name.obj, str):
        raise Break(UNKNOWN_OPERATION, "__import__ with more than a name")
    _loaded(m, name.obj)
    return _loaded(m, name.obj.partition(".")[0])


@op("IMPORT_FROM", takes=0)
def import_from(m: Machine, frame: Frame, instr: Instr) -> Value:
    module = frame.stack[-1]
    try:
        return m.getattr(module, instr.arg)
    except Raised as raised:
        if not issubclass(raised.value.cls, AttributeError):
            raise
    package = _text(m, module, "__name__")
    if f"{package}.{instr.arg}" in sys.modules:
        raise Break(UNKNOWN_OPERATION, f"the import of {package}.{instr.arg}, which its package does not show")
    place = _text(m, module, "__file__")
    shown = f"cannot import name {instr.arg!r} from {package!r} ({place or 'unknown location'})"
    error = m.exception(ImportError, [Known(shown)])
    error.slots[ImportError.__dict__["name"]] = Known(package)
    if place is not None:
        error.slots[ImportError.__dict__["path"]] = Known(place)
    raise Raised(error)


def _text(m: Machine, module: Value, name: str) -> str | None:
    found = m.call(Known(getattr), [module, Known(name), Known(None)])
    return found.obj if isinstance(found, Known) else None
