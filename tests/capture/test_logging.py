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
