"""The number of the thread is assumed to stay the same; on another one the call is right all the same."""

import threading

import torch

import framelift
from tests.capture.harness import recording

NAMES: dict[int, int] = {}


def named(x):
    y = x * 2
    return y + NAMES.get(threading.get_ident(), 0)


def test_another_thread():
    NAMES.clear()
    NAMES[threading.get_ident()] = 5
    compiled = framelift.compile(named, backend=recording, fullgraph=True)
    assert compiled(torch.ones(2)).tolist() == [7, 7]
    found = []
    for _ in range(5):
        thread = threading.Thread(target=lambda: found.append(compiled(torch.ones(2)).tolist()))
        thread.start()
        thread.join()
    assert found == [[2, 2]] * 5
    assert compiled(torch.ones(2)).tolist() == [7, 7]
