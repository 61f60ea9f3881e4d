"""framelift: PyTorch programs as graphs, captured while they run as ordinary Python."""

from framelift import _support

_support.check()

import torch  # noqa: E402, F401  (before the native core, which is linked against its libraries and does not look for them)

from framelift import logs  # noqa: E402
from framelift.api import compile, counters, disable, explain, guards, list_backends, reset, set_logs  # noqa: E402
from framelift.controls import error_on_graph_break, graph_break  # noqa: E402
from framelift.installing import install, installed, uninstall  # noqa: E402
from framelift.marking import mark_dynamic, mark_static, mark_unbacked, maybe_mark_dynamic  # noqa: E402
from framelift.runtime.stance import set_stance  # noqa: E402

logs.switch_from_environment()

__all__ = [
    "compile",
    "counters",
    "disable",
    "error_on_graph_break",
    "explain",
    "graph_break",
    "guards",
    "install",
    "installed",
    "list_backends",
    "mark_dynamic",
    "mark_static",
    "mark_unbacked",
    "maybe_mark_dynamic",
    "reset",
    "set_logs",
    "set_stance",
    "uninstall",
]
