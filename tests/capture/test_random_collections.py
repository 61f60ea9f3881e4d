"""Random sequences of operations on a list, a dict and sets, compared with plain Python."""

from __future__ import annotations

import random

import pytest

from tests.capture.harness import check_source, tensor

LIST = """
a.append({v}) | a.insert({i}, {v}) | a.pop() if a else 0 | a.pop(0) if a else 0 | a.extend([{v}, {v}]) | a.reverse()
a.sort(key=repr) | a[{i}:{j}] = [{v}] | del a[{i}:{j}] | out.append(len(a)) | out.append({v} in a) | a += ({v},)
out.append(a[{i}:{j}]) | out.append(list(reversed(a))) | a.remove({v}) if {v} in a else 0 | a[0:0] = a[1:2]
out.append(a[0] if a else None) | it = iter(a); out.append(next(it, None)); kept.append(it) | a.clear()
"""
DICT = """
d[{k}] = {v} | d.pop({k}, None) | out.append(d.get({k})) | out.append({k} in d) | d.setdefault({k}, {v})
d.update({{{k}: {v}, {q}: {v}}}) | out.append(list(d)) | out.append(list(d.items())) | out.append(len(d))
d.popitem() if d else 0 | out.append(d.copy()) | d.clear() | out.append(list(reversed(d))) | out.append(bool(d))
kept.append(d.keys()) | out.append(d == {{{k}: {v}}}) | out.append(d.keys() & {{{k}, {q}}})
"""
SET = """
s.add({n}) | s.discard({n}) | out.append({n} in s) | out.append(len(s)) | s -= {{{n}}} | s ^= {{{n}}} | u.add({n})
s &= {{{n}, 1, 2, 3, 16, 8}} | out.append(sorted(u)) | u.discard({n}) | u.update(range({i})) | out.append(list(u))
out.append(list(u - {{{n}}})) | out.append(list(u & {{1, 2, 8, 16, 33}})) | u.pop() if u else 0 | out.append(s < u)
out.append(list(set(u))) | out.append(list(u.union([{n}, 64]))) | out.append(repr(u)) | u |= {{{n} * 8}}
"""
KINDS = [("a", LIST, [1, 2, 3, 1]), ("d", DICT, {"a": 1, "b": 2, "c": 3}), ("s", SET, {1, 2, 3, 16})]


def _statement(rng: random.Random, templates: str) -> str:
    choices = [part.strip() for line in templates.strip().splitlines() for part in line.split(" | ")]
    numbers = {"v": rng.choice([1, 2, 3, 7]), "n": rng.randrange(40), "i": rng.randrange(4), "j": rng.randrange(5)}
    return rng.choice(choices).format(**numbers, k=repr(rng.choice("abcde")), q=repr(rng.choice("abcde")))


@pytest.mark.parametrize("seed", range(60))
def test_operations(seed: int) -> None:
    rng = random.Random(seed)
    name, templates, start = KINDS[seed % len(KINDS)]
    body = "\n    ".join(_statement(rng, templates) for _ in range(rng.randrange(3, 12)))
    source = f"def f(x, {name}):\n    out, kept, u = [], [], {{8, 1}}\n    {body}\n    return x + 1, out, kept, u\n"
    check_source(source, "f", tensor(2), start, graphs=1)
