"""`exec` and `eval` of text that is known, in namespaces that are known: what is made of the text is traced."""

from __future__ import annotations

import functools
from types import CodeType
from typing import Any

from framelift.interpreter import calls
from framelift.interpreter.frame import Frame
from framelift.models.contents import is_none
from framelift.models.registry import model
from framelift.values.attribute_dict import NamespaceDict
from framelift.values.base import Value
from framelift.values.dict_namespace import DictNamespace
from framelift.values.known import NONE, Known
from framelift.values.mapping import DictValue, key_of
from framelift.values.namespace import Namespace
from framelift.values.reasons import LOOKS_AT_FRAME, UNKNOWN_OPERATION, Break


@model(exec)
def execute(m: Any, source: Value, /, globals: Value = NONE, locals: Value = NONE) -> Value:  # noqa: A002
    if is_none(globals):
        raise Break(LOOKS_AT_FRAME, "exec()")
    _run(m, source, "exec", globals, locals)
    return NONE


@model(eval)
def evaluate(m: Any, source: Value, /, globals: Value = NONE, locals: Value = NONE) -> Value:  # noqa: A002
    if is_none(globals):
        globals = m.call(Known(_OWN_GLOBALS), [])  # noqa: A001
        locals = m.call(Known(_OWN_LOCALS), []) if is_none(locals) else locals  # noqa: A001
    return _run(m, source, "eval", globals, locals)


_OWN_GLOBALS, _OWN_LOCALS = globals, locals


def _run(m: Any, source: Value, kind: str, globals_: Value, locals_: Value) -> Value:
    code = _code(m, source, kind)
    if not isinstance(globals_, DictValue):
        raise Break(UNKNOWN_OPERATION, f"{kind}() in a {globals_.cls.__name__}")
    _give_builtins(m, globals_)
    frame = calls.push(m, code, [], _namespace(globals_), [])
    assert isinstance(frame, Frame)
    frame.names = globals_ if is_none(locals_) else locals_
    result: Value = m.run(frame)
    return result


def _code(m: Any, source: Value, kind: str) -> CodeType:
    if not isinstance(source, Known) or type(source.obj) not in (str, CodeType):
        raise Break(UNKNOWN_OPERATION, f"{kind}() of text that is not known")
    if isinstance(source.obj, CodeType):
        return source.obj
    try:
        return _compiled(source.obj.lstrip(" \t") if kind == "eval" else source.obj, kind)
    except (SyntaxError, ValueError) as error:
        raise Break(UNKNOWN_OPERATION, f"{kind}() of text that is no program: {error}") from None


@functools.lru_cache(1000)
def _compiled(text: str, kind: str) -> CodeType:
    return compile(text, "<string>", kind, dont_inherit=True)


def _namespace(mapping: DictValue) -> Namespace:
    return mapping.namespace if type(mapping) is NamespaceDict else DictNamespace(mapping)


def _give_builtins(m: Any, globals_: DictValue) -> None:
    """Python puts the built-in names where they are missing."""
    name = Known("__builtins__")
    found = globals_.get(m, key_of(m, name))
    if found is None:
        m.call_method(globals_, "__setitem__", [name, m.lift(m.start("builtins"))])
    elif found.seen is None and not (isinstance(found, DictValue) and found.count(m) == 0):
        raise Break(UNKNOWN_OPERATION, "built-in names of the program's own")


@model(compile)
def compile_text(m: Any, source: Value, filename: Value, mode: Value, /, *args: Value, **kwargs: Value) -> Value:
    parts = [source, filename, mode, *args, *kwargs.values()]
    if not all(isinstance(part, Known) and part.literal for part in parts):
        raise Break(UNKNOWN_OPERATION, "compile() of text that is not known")
    options = {name: value.obj for name, value in kwargs.items() if isinstance(value, Known)}
    try:
        made = compile(*(part.obj for part in parts[: 3 + len(args)]), **{"dont_inherit": True, **options})  # type: ignore[attr-defined]
    except (SyntaxError, ValueError, TypeError) as error:
        raise Break(UNKNOWN_OPERATION, f"compile() of text that is no program: {error}") from None
    if not isinstance(made, CodeType):
        raise Break(UNKNOWN_OPERATION, "a syntax tree")
    return Known(made)
