"""The counters of `functools.lru_cache`: a call made while capturing is not made again."""

from __future__ import annotations

import functools
from typing import Any

import torch

import framelift


class Made:
    def __init__(self, number: int) -> None:
        self.number = number


def _program() -> tuple[Any, Any]:
    @functools.lru_cache(maxsize=4)
    def made(number: int) -> Made:
        return Made(number * 2)

    def program(x: torch.Tensor, number: int) -> tuple[Any, ...]:
        return x + made(number).number, made(1).number, made(number) is made(number)

    return program, made


def test_counters() -> None:
    (plain, theirs), (program, mine) = _program(), _program()
    compiled = framelift.compile(program, backend="eager")
    for number in (2, 2, 3, 2, 3, 1, 2):
        x = torch.arange(3.0)
        result, expected = compiled(x, number), plain(x, number)
        assert torch.equal(result[0], expected[0])
        assert result[1:] == expected[1:]
        assert mine.cache_info() == theirs.cache_info()


def test_an_object_is_made_once() -> None:
    program, made = _program()
    framelift.compile(program, backend="eager")(torch.arange(3.0), 5)
    assert made.cache_info().misses == 2
    assert made(5) is made(5)
