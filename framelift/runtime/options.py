"""What one use of `compile` asks for. Equal options are one object, so that the cache can match them by identity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Backend = str | Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Options:
    """A backend and how to capture for it."""

    backend: Backend
    fullgraph: bool = False
    dynamic: bool | None = None
    mode: str | None = None
    backend_options: tuple[tuple[str, Any], ...] = ()

    def __reduce__(self) -> Any:
        return interned, (self.backend, self.fullgraph, self.dynamic, self.mode, dict(self.backend_options))


_known: dict[Any, Options] = {}


def interned(
    backend: Backend, fullgraph: bool, dynamic: bool | None, mode: str | None, backend_options: dict[str, Any]
) -> Options:
    """The options with these values."""
    pairs = tuple(sorted(backend_options.items()))
    key = (backend if isinstance(backend, str) else id(backend), fullgraph, dynamic, mode, repr(pairs))
    found = _known.get(key)
    if found is None:  # keeps the backend, so that its id stays its own
        found = _known[key] = Options(backend, fullgraph, dynamic, mode, pairs)
    return found
