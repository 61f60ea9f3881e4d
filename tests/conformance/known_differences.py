"""Tests of CPython that end differently under framelift for a reason that is known and accepted.

Each entry says on which Pythons and why. Nothing belongs here that framelift could do better: most are what CPython
does differently under any frame hook, and such an entry holds for a test only as long as it ends the same way under a
hook that leaves every frame as it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Known:
    """Tests, by a pattern of their ids, and why they end differently on some Pythons."""

    pattern: str
    pythons: tuple[str, ...]
    reason: str
    under_any_hook: bool = True


ALL = ("3.11", "3.12", "3.13")

KNOWN: tuple[Known, ...] = (
    Known(
        "test.test_monitoring.*",
        ("3.12", "3.13"),
        "Under any frame hook CPython reports C_RETURN when a Python function returns too, and no STOP_ITERATION.",
    ),
    Known(
        "test.test_sys_settrace.*.test_20_async_for_loop",
        ("3.12", "3.13"),
        "Under any frame hook CPython does not specialize SEND, whose general form reports one more exception.",
    ),
    Known(
        "test.test_monitoring.ExceptionMonitoringTest.test_no_unwind_for_shim_frame",
        ("3.13",),
        "It looks for a specialized instruction in the function's own code, which CPython never uses under a hook.",
        under_any_hook=False,
    ),
    Known(
        "test.test_generators.__test__.syntax",
        ALL,
        "It asks whether gi_code is the function's code; what runs is the replacement.",
        under_any_hook=False,
    ),
    Known(
        "test.test_sys.SysModuleTest.test_getframe",
        ALL,
        "It asks whether f_code is the function's code; what runs is the replacement.",
        under_any_hook=False,
    ),
    Known(
        "test.test_call.TestRecursion.test_super_deep",
        ("3.12", "3.13"),
        "It recurses 90,000 deep; under any frame hook a call between Python functions takes room on the C stack.",
    ),
    Known(
        "test.test_tracemalloc.TestTracemallocEnabled.test_get_traced_memory",
        ALL,
        "It measures the memory that a first call takes, and with it what rewriting the function takes.",
        under_any_hook=False,
    ),
    Known(
        "test.test_descr.ClassPropertiesAndMethods.test_slots",
        ALL,
        "It counts the objects alive before and after a first call; the entry made for the method is one more.",
        under_any_hook=False,
    ),
    *(
        Known(
            pattern,
            ALL,
            "`trace` finds a method's class by who refers to its code object; to a replacement only the cache does.",
            under_any_hook=False,
        )
        for pattern in (
            "test.test_trace.TestCallers.test_loop_caller_importing",
            "test.test_trace.TestFuncs.test_inst_method_calling",
        )
    ),
    *(
        Known(
            f"test.test_dis.Dis*Tests.{test}",
            ALL,
            "It looks for specialized instructions in the function's own code; the replacement is what gets them.",
            under_any_hook=False,
        )
        for test in (
            "test_*_specialize",
            "test_loop_quicken",
            "test_show_caches",
            "test_super_instructions",
        )
    ),
)


def among(different: Collection[str], under_any_hook: Collection[str], version: str) -> dict[str, str]:
    """Those tests of `different` that are known to differ on this Python, with the reason."""
    minor = version.rpartition(".")[0]
    return {
        test: known.reason
        for test in different
        for known in KNOWN
        if minor in known.pythons and fnmatchcase(test, known.pattern)
        if test in under_any_hook or not known.under_any_hook
    }
