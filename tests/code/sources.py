"""Code objects to try things on: everything the standard library, torch and transformers contain.

A sample by default, all of it with FRAMELIFT_FULL=1. FRAMELIFT_SOURCES may name more folders, for
packages that are not installed for this Python.
"""

import os
import random
import sysconfig
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import CodeType

FULL = bool(os.environ.get("FRAMELIFT_FULL"))
SAMPLE = 120


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and all those among its constants."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from nested(const)


def files() -> list[Path]:
    """Source files, in an order that depends on nothing but their names."""
    library = Path(sysconfig.get_path("stdlib"))
    found = [path for path in library.rglob("*.py") if "site-packages" not in path.parts]
    for package in ("torch", "transformers"):
        spec = find_spec(package)
        if spec is not None:
            for folder in spec.submodule_search_locations or ():
                found += Path(folder).rglob("*.py")
    for folder in filter(None, os.environ.get("FRAMELIFT_SOURCES", "").split(os.pathsep)):
        found += Path(folder).rglob("*.py")
    found.sort()
    random.Random(20).shuffle(found)
    return found if FULL else found[:SAMPLE]


def code_objects() -> Iterator[CodeType]:
    """Every code object in those files that compile."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in files():
            try:
                module = compile(path.read_bytes(), str(path), "exec")
            except (SyntaxError, ValueError):  # files that are wrong on purpose
                continue
            yield from nested(module)
