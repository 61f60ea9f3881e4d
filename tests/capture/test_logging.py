"""Messages that a captured function logs are emitted by the residual, as of the place where the program logged them."""

import logging

import pytest
import torch

import framelift
from tests.capture.harness import recording

log = logging.getLogger("tests.capture.test_logging")


class Lines(logging.Handler):
    """Keeps what was logged and where."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(
            (record.levelname, record.getMessage(), record.pathname, record.lineno, record.funcName, record.name)
        )


@pytest.fixture
def lines():
    handler = Lines()
    log.addHandler(handler)
    log.propagate, log.level = False, logging.INFO
    yield handler.lines
    log.removeHandler(handler)


def messages(x):
    y = x * 2
    log.info("two times %s: %d", "x", 2)
    log.debug("not shown")
    log.warning("no arguments")
    logging.getLogger("tests.capture.test_logging").error("found by name")
    return y + 1


def inner(value):
    log.info("in the call")
    log.info("of the caller", stacklevel=2)
    log.info("of the caller's caller", stacklevel=3)
    log.log(logging.ERROR, "an error of %s", (1, 2))
    return value + 1


def inlined(x):
    return inner(x) * inner(x)


def of_a_tensor(x):
    y = x * 2
    log.info("a tensor %s", y)
    return y + 1


def with_an_exception(x):
    y = x * 2
    try:
        raise ValueError(1)
    except ValueError:
        log.exception("caught")
    return y + 1


def called(function, x):
    return function(x)  # one line, which messages may name


@pytest.mark.parametrize(
    ("function", "whole"),
    [(messages, True), (inlined, True), (of_a_tensor, False), (with_an_exception, False)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_messages(function, whole, lines):
    expected = called(function, torch.ones(2))
    eager = list(lines)
    assert eager
    compiled = framelift.compile(function, backend=recording, fullgraph=whole)
    for _ in range(2):
        lines.clear()
        assert torch.equal(called(compiled, torch.ones(2)), expected)
        assert lines == eager


def test_level_is_guarded(lines):
    compiled = framelift.compile(messages, backend=recording, fullgraph=True)
    compiled(torch.ones(2))
    log.setLevel(logging.ERROR)
    lines.clear()
    compiled(torch.ones(2))
    assert [line[1] for line in lines] == ["found by name"]


class Counter(logging.Handler):
    """Counts what was logged, for those who ask while it goes on."""

    count = 0

    def emit(self, record):
        self.count += 1
        self.seen = record.getMessage()


@pytest.mark.parametrize("handler", [Lines(), Counter()], ids=["list", "number"])
def test_what_a_handler_keeps_is_looked_at_in_the_call(handler):
    """Where the program can see that something was logged it has been."""
    handler.seen = ""

    def looked_at(x):
        y = x + 1
        log.warning("first")
        found = len(handler.lines) if isinstance(handler, Lines) else handler.count
        log.warning("second")
        return y * found, handler.seen

    log.addHandler(handler)
    log.setLevel(logging.INFO)
    before, log.propagate = log.propagate, False
    try:
        compiled = framelift.compile(looked_at, backend="eager")
        for number in range(3):
            result, seen = compiled(torch.ones(2))
            assert result.tolist() == [2.0 * (2 * number + 1)] * 2
            assert seen == ("" if isinstance(handler, Lines) else "second")
    finally:
        log.removeHandler(handler)
        log.propagate = before
