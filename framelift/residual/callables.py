"""Making functions, classes and other callables again."""

from __future__ import annotations

import abc
import functools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from framelift.models import class_making, registry
from framelift.residual import make
from framelift.values.base import NULL, Value
from framelift.values.classes import ClassValue
from framelift.values.descriptors import DescriptorValue
from framelift.values.function import CellValue, FunctionValue, MethodValue
from framelift.values.keywrapper import KeyWrapperValue
from framelift.values.known import Known
from framelift.values.partial import PartialValue
from framelift.values.reasons import REBUILD, Break
from framelift.values.sequence import TupleValue
from framelift.values.superclass import SuperValue

if TYPE_CHECKING:
    from framelift.residual.rebuild import Rebuilder


def is_ours(filename: str) -> bool:
    """Polyfills make functions and objects that stand for built-in ones; they must not get out."""
    return filename.startswith(_MODELS)


_MODELS = registry.__file__.rpartition("registry")[0]


def _function(r: Rebuilder, value: FunctionValue) -> None:
    if len(value.closure) != len(value.code.co_freevars):
        raise Break(REBUILD, f"the function {value.qualname}, which is still being made")
    if is_ours(value.code.co_filename):
        raise Break(REBUILD, "a function of framelift's own")
    # Cells first: a function is often reachable from its own closure.
    if r.is_made_by(value, *value.closure):
        return
    none = Known(None)
    r.call(
        make.function,
        value.code,
        value.globals,
        (value.name, value.qualname),
        none if value.defaults is None else value.defaults,
        none if value.kwdefaults is None else value.kwdefaults,
        TupleValue(list(value.closure), tuple),
        none if value.annotations is None else value.annotations,
    )
    r.keep(value)
    special = {name: item for name, item in value.special.items() if name != "__dict__"}
    for name, item in (special | value.attributes.written).items():
        if item is not NULL:
            r.call(setattr, value, name, item)
            r.emit.pop()


def _cell(r: Rebuilder, value: CellValue) -> None:
    r.call(make.cell)
    r.keep(value)
    content = value.get(r.tracer)
    if content is not None:
        r.call(make.set_cell, value, content)
        r.emit.pop()


def _descriptor(r: Rebuilder, value: DescriptorValue) -> None:
    if value.cls not in (property, staticmethod, classmethod):
        raise Break(REBUILD, f"a {value.cls.__name__}")
    r.call(value.cls, *value.parts)
    r.keep(value)


def _made_class(r: Rebuilder, value: ClassValue) -> None:
    overlay = r.tracer.class_writes[value.obj]
    # Every name from the start, for their order; what is not there yet is put in afterwards.
    entries = {**dict.fromkeys(overlay), **value.seed["entries"]}
    bases = TupleValue(value.bases, tuple)
    r.emit.const_callee(class_making.new_class)
    for part in (value.seed["meta"], Known(value.seed["name"]), bases):
        r.load(part)
    for name, item in entries.items():
        r.emit.const(name)
        r.emit.const(item)
    r.emit.build_map(len(entries))
    r.emit.call(4)
    r.keep(value)
    names = tuple(name for name in overlay if name != "__slots__" and not _is_there(overlay[name], entries[name]))
    values = TupleValue([overlay[name] for name in names], tuple)
    r.call(class_making.set_attributes, value, names, values)
    r.emit.pop()
    for function in value.finish:
        r.call(function, value)
        r.emit.pop()
    for other in value.registered:
        r.call(abc.ABCMeta.register, value, other)
        r.emit.pop()


def _method(r: Rebuilder, value: MethodValue) -> None:
    r.call(types.MethodType if value.cls is types.MethodType else make.bound, value.function, value.receiver)
    r.keep(value)


def _super(r: Rebuilder, value: SuperValue) -> None:
    r.call(super, Known(value.after), value.owner)
    r.keep(value)


def _partial(r: Rebuilder, value: PartialValue) -> None:
    func, args, keywords = (value.part(r.tracer, name) for name in ("func", "args", "keywords"))
    r.call(make.partial, func, args, keywords)
    r.keep(value)
    for name, item in value.attributes.written.items():
        if item is not NULL:
            r.call(setattr, value, name, item)
            r.emit.pop()


def _key_wrapper(r: Rebuilder, value: KeyWrapperValue) -> None:
    if value.obj is None:
        r.call(functools.cmp_to_key, value.compare)
    else:
        r.call(make.key_wrapper, value.compare, value.obj)
    r.keep(value)


def _is_there(value: Value, entry: Any) -> bool:
    """Whether a name of a class has its value from the start."""
    return isinstance(value, Known) and value.literal and entry is not None and value.obj == entry


CALLABLE_MAKERS: dict[type, Callable[[Rebuilder, Any], None]] = {
    FunctionValue: _function,
    CellValue: _cell,
    MethodValue: _method,
    DescriptorValue: _descriptor,
    ClassValue: _made_class,
    SuperValue: _super,
    PartialValue: _partial,
    KeyWrapperValue: _key_wrapper,
}
