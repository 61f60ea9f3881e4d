"""Leaving the interpreter, or forking it, while it is hooked: no noise, no crash, the right exit code."""

from __future__ import annotations

import pytest

from tests.processes import output_of, run_python

HOOKS = {
    "scope": "replacing.scope().__enter__()",
    "every thread": "_core.hook_every_thread('compile', replacing, replacing)",
    "identity": "identity.everywhere()",
}

PREAMBLE = """
import atexit, gc, os, sys, threading, time, weakref
import framelift
from framelift import _core
from framelift.runtime import identity
from tests.native.replacing import Replacing, deeper
replacing = Replacing(deeper(20))
def work(n=20):
    return sum(x * x for x in range(n)) + len([str(i) for i in range(n)])
expected = work()
"""

# Every one is a process that imports torch; the identity hook sees the most frames.
every_hook = pytest.mark.parametrize(
    "hook", ["identity", *(pytest.param(name, marks=pytest.mark.slow) for name in ("scope", "every thread"))]
)


def program(hook, body):
    return PREAMBLE + HOOKS[hook] + "\n" + body


@every_hook
def test_exit_while_hooked(hook):
    assert output_of(program(hook, "print(work() == expected, flush=True)")) == "True\n"


@every_hook
@pytest.mark.parametrize(
    ("end", "code", "error"),
    [
        ("sys.exit(3)", 3, ""),
        ("raise SystemExit('bye')", 1, "bye\n"),
        ("os._exit(5)", 5, ""),
        ("raise ValueError('uncaught')", 1, "ValueError: uncaught\n"),
    ],
)
def test_exit_codes(hook, end, code, error):
    done = run_python(program(hook, f"work()\n{end}"))
    assert done.returncode == code
    assert done.stderr.endswith(error)
    assert "Exception ignored" not in done.stderr


@every_hook
def test_what_runs_at_exit(hook):
    body = """
class Finalized:
    def __init__(self, name): self.name = name
    def __del__(self): print(self.name, sum(x for x in [1, 2, 3]))
kept = Finalized("module global")
cycle = [Finalized("cycle")]
cycle.append(cycle)
weakref.finalize(work, lambda: print("finalize", work() == expected))
atexit.register(lambda: print("atexit", work() == expected))
def generator():
    try:
        yield 1
    finally:
        print("generator", len([x for x in "ab"]))
half = generator()
next(half)
"""
    output = output_of(program(hook, body)).splitlines()
    assert sorted(output) == sorted(output_of(PREAMBLE + body).splitlines())
    assert {"atexit True", "module global 6", "finalize True"} <= set(output)


@every_hook
def test_threads_at_exit(hook):
    body = """
def forever():
    while True:
        assert work(5) is not None
def waits():
    time.sleep(0.3)
    print(work() == expected, flush=True)
for _ in range(4):
    threading.Thread(target=forever, daemon=True).start()
threading.Thread(target=waits).start()
time.sleep(0.1)
"""
    assert output_of(program(hook, body)) == "True\n"


@every_hook
def test_daemon_threads_that_hook_and_unhook_at_exit(hook):
    body = """
def forever():
    mine = Replacing(deeper(7))
    while True:
        with mine.scope():
            work(5)
for _ in range(4):
    threading.Thread(target=forever, daemon=True).start()
time.sleep(0.2)
print("done")
"""
    assert output_of(program(hook, body)) == "done\n"


@every_hook
def test_fork(hook):
    body = """
work()
sys.stdout.flush()
children = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        def fresh(n): return [work(i) for i in range(n)]
        assert len(fresh(5)) == 5 and work() == expected
        assert _core.hook_installed()
        _core.hook_every_thread("default")
        sys.exit(7)
    children.append(pid)
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children], work() == expected)
"""
    done = run_python("import warnings; warnings.simplefilter('ignore')\n" + program(hook, body))
    assert (done.returncode, done.stdout, done.stderr) == (0, "[7, 7, 7, 7] True\n", "")


def test_fork_in_a_scope_that_the_child_leaves():
    body = """
with replacing.scope():
    work()
    pid = os.fork()
    work()
assert not _core.hook_installed()
if pid == 0:
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert output_of(PREAMBLE + body) == "9\n"


@every_hook
def test_process_pool(hook):
    body = """
import multiprocessing
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [5, 10]) == [work(5), work(10)])
"""
    done = run_python("import warnings; warnings.simplefilter('ignore')\n" + program(hook, body))
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_module_is_dropped_while_hooked():
    body = """
import gc
del sys.modules["framelift._core"], framelift._core
gc.collect()
print(work() == expected)
"""
    assert output_of(program("scope", body)) == "True\n"
