"""Locks."""

import threading

import torch

from framelift.controls import graph_break
from tests.capture.harness import program, tensor

lock = threading.Lock()
again = threading.RLock()
done = []


@program(tensor(2), graphs=1)
def with_lock(x):
    with lock:
        done.append(lock.__class__.__name__)
        y = x + 1
    return y


@program(tensor(2), graphs=1)
def taken_and_given_back(x):
    got = lock.acquire()
    try:
        y = torch.sin(x)
    finally:
        lock.release()
    return y, got


@program(tensor(2), graphs=1)
def taken_twice(x):
    with again, again:
        y = x * 2
    return y


@program(tensor(2), broken="asked for")
def break_under_lock(x):
    with lock:
        y = x * 2
        graph_break()
        z = y + 1
    return y, z


@program(tensor(2), graphs=1)
def exception_under_lock(x):
    try:
        with lock:
            raise ValueError("inside")
    except ValueError as error:
        return x + 1, str(error)


@program(tensor(2), broken="unknown operation")
def perhaps_not_got(x):
    got = lock.acquire(False)
    if got:
        lock.release()
    return x + 1, got
