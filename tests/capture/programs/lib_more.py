"""The library, read as a list: each of its modules used as programs do."""

import abc
import array
import base64
import bisect
import builtins
import calendar
import collections
import colorsys
import contextlib
import copy
import dataclasses
import datetime as dt
import decimal
import difflib
import enum
import fnmatch
import fractions
import functools
import graphlib
import hashlib
import heapq
import inspect
import io
import itertools
import json
import keyword
import math
import numbers
import operator
import os
import pathlib
import posixpath
import pprint
import queue
import random
import re
import reprlib
import secrets
import shlex
import statistics
import string
import struct
import sys
import textwrap
import time
import types
import typing
import uuid
import warnings
import weakref
import zlib

import torch

from tests.capture.harness import program, tensor


class P:
    def __init__(self, a):
        self.a = a


class S:
    __slots__ = ("a", "b", "__weakref__")


class WithState:
    def __init__(self):
        self.a = [1]
        self.b = 2

    def __getstate__(self):
        return {"a": self.a}

    def __setstate__(self, s):
        self.a = s["a"]
        self.b = "restored"


class WithReduce:
    def __init__(self, n):
        self.n = n

    def __reduce__(self):
        return (WithReduce, (self.n + 1,))


class DL(list):
    pass


class NT(typing.NamedTuple):
    a: int
    b: list


@dataclasses.dataclass
class DC:
    a: int
    b: list = dataclasses.field(default_factory=list)


class E(enum.Enum):
    A = 1


OLD = P([1, {"k": (1, [2])}])


@program(graphs=1)
def typing_union(x):
    t = list[int] | None
    return x + 1, t, t.__args__, typing.get_origin(t) is types.UnionType, typing.get_args(t)


@program(graphs=1)
def typing_alias(x):
    t = dict[str, list[int]]
    return x + 1, t, t.__origin__, t.__args__, typing.get_args(t)[1].__args__, typing.get_origin(t)


@program(graphs=1)
def typing_alias_call(x):
    return x + 1, list[int]([1, 2]), dict[str, int](a=1), tuple[int, ...]((1,))


@program(graphs=1)
def typing_int_or(x):
    return (
        x + 1,
        int | str,
        isinstance(3, int | str),
        isinstance(3.0, int | None),
        (int | str) == (str | int),
        int | None,
    )


@program(graphs=1)
def typing_optional(x):
    t = typing.Optional[int]
    return x + 1, t, typing.get_args(t), typing.get_origin(t) is typing.Union


@program(graphs=1)
def typing_list(x):
    return x + 1, typing.List[int], typing.Dict[str, int], typing.Tuple[int, ...], typing.Callable[[int], str]


@program(graphs=1)
def typing_any(x):
    v: typing.Any = 3
    w: "list[int]" = [1]
    return x + v, w


@program(graphs=1)
def typing_literal(x):
    return x + 1, typing.Literal["a", "b"], typing.get_args(typing.Literal[1, 2])


@program(graphs=1)
def typing_cast(x):
    return typing.cast(list[int], [1]), x + 1, typing.cast("int", 5)


@program(graphs=1)
def typing_typevar(x):
    T = typing.TypeVar("T")
    return x + 1, T.__name__


@program(graphs=1)
def typing_annotations(x):
    def f(a: int, b: list[int] | None = None) -> str: ...

    return x + 1, f.__annotations__


@program(graphs=1)
def typing_hints(x):
    def f(a: int, b: str) -> str: ...

    return x + 1, typing.get_type_hints(f)


@program(graphs=1)
def typing_assert(x):
    return typing.assert_type(x, torch.Tensor) + 1


@program(graphs=1)
def typing_overload(x):
    @typing.final
    class A: ...

    return x + 1, A.__final__


@program(graphs=1)
def typing_no_type_check(x):
    return x + 1, typing.TYPE_CHECKING


@program(graphs=1)
def typing_genericalias_eq(x):
    return x + 1, list[int] == list[int], hash(list[int]) == hash(list[int]), list[int] is list, repr(list[int])


@program(graphs=1)
def typing_isinstance_generic(x):
    try:
        isinstance([], list[int])
    except TypeError as e:
        return x + 1, str(e)


@program(graphs=1)
def copying_deep_dict(x):
    d = {"a": [1, {"b": (2, [3])}]}
    e = copy.deepcopy(d)
    e["a"][1]["b"][1].append(4)
    return x + 1, d, e


@program(graphs=1)
def copying_deep_old(x):
    n = copy.deepcopy(OLD)
    n.a.append(5)
    return x + 1, n, OLD.a is n.a


@program(graphs=1)
def copying_state(x):
    n = copy.copy(WithState())
    d = copy.deepcopy(WithState())
    return x + 1, n, d


@program(graphs=1)
def copying_reduce(x):
    return x + 1, copy.copy(WithReduce(1)).n, copy.deepcopy(WithReduce(1)).n


@program(graphs=1)
def copying_nt(x):
    n = NT(1, [2])
    d = copy.deepcopy(n)
    return x + 1, d, d.b is n.b, type(d) is NT, copy.copy(n)


@program(graphs=1)
def copying_dc(x):
    n = DC(1, [2])
    d = copy.deepcopy(n)
    return x + 1, d, d.b is n.b, d == n


@program(graphs=1)
def copying_set(x):
    s = {1, 2, (3, 4)}
    return x + 1, copy.deepcopy(s), copy.copy(s), copy.deepcopy(frozenset(s))


@program(graphs=1)
def copying_deque(x):
    d = collections.deque([[1], 2], 5)
    e = copy.deepcopy(d)
    f = copy.copy(d)
    return x + 1, e, e[0] is d[0], f, f[0] is d[0], e.maxlen


@program(graphs=1)
def copying_ordered(x):
    d = collections.OrderedDict(a=[1])
    e = copy.deepcopy(d)
    f = collections.defaultdict(list, a=[1])
    g = copy.deepcopy(f)
    return x + 1, e, g, g["new"], e["a"] is d["a"], copy.copy(f)


@program(graphs=1)
def copying_counter(x):
    c = collections.Counter("aab")
    return x + 1, copy.copy(c), copy.deepcopy(c), c.copy()


@program(graphs=1)
def copying_function(x):
    f = lambda: 1
    return x + 1, copy.deepcopy(f) is f, copy.copy(len) is len, copy.deepcopy(int) is int


@program(graphs=1)
def copying_deepcopy_hook(x):
    class H:
        def __deepcopy__(self, memo):
            return "deep"

        def __copy__(self):
            return "shallow"

    return x + 1, copy.copy(H()), copy.deepcopy([H()])


@program(graphs=1)
def copying_slots(x):
    s = S()
    s.a = [1]
    d = copy.deepcopy(s)
    c = copy.copy(s)
    return x + 1, d.a, c.a is s.a, hasattr(d, "b")


@program(graphs=1)
def copying_exception(x):
    e = copy.copy(ValueError(1, 2))
    return x + 1, e.args, type(e)


@program(graphs=1)
def copying_range_slice(x):
    return x + 1, copy.copy(range(3)), copy.deepcopy(slice(1, 2)), copy.deepcopy(Ellipsis), copy.copy(None)


@program(graphs=1)
def copying_enum(x):
    return x + 1, copy.deepcopy(E.A) is E.A, copy.copy([E.A])


@program(graphs=1)
def copying_subclass(x):
    d = DL([1, [2]])
    d.tag = [3]
    e = copy.deepcopy(d)
    f = copy.copy(d)
    return x + 1, e, e.tag is d.tag, f, f.tag is d.tag, type(f)


@program(graphs=1)
def copying_replace(x):
    return x + 1, dataclasses.replace(DC(1, [2]), a=5)


@program(graphs=1)
def view_of_bytes(x):
    v = memoryview(b"abc")
    return x + v[0], bytes(v), len(v), v.tolist(), v[1:].tobytes(), v.format, v.nbytes


@program(graphs=1)
def strings_template(x):
    return x + 1, string.Template("$a ${b} $$").substitute(a=1, b=2), string.Template("$a $q").safe_substitute(a=1)


@program(graphs=1)
def strings_formatter(x):
    return x + 1, string.Formatter().format("{0!r:>5} {k}", "a", k=3), string.capwords("a b")


@program(graphs=1)
def strings_consts(x):
    return x + 1, string.ascii_letters, string.digits.find("5"), string.punctuation[:3], string.hexdigits


@program(graphs=1)
def text_wrapping(x):
    return (
        x + 1,
        textwrap.wrap("the quick brown fox", 8),
        textwrap.dedent(" a\n b"),
        textwrap.indent("a\nb", "-"),
        textwrap.shorten("a b c d e", 6),
        textwrap.fill("aa bb cc", 5),
    )


@program(graphs=1)
def statistics_of_a_list(x):
    d = [1.5, 2.5, 3.5, 4.0]
    return (
        x + 1,
        statistics.mean(d),
        statistics.median(d),
        statistics.stdev(d),
        statistics.variance(d),
        statistics.pstdev(d),
        statistics.mode([1, 1, 2]),
        statistics.median_low(d),
        statistics.median_high(d),
        statistics.harmonic_mean(d),
        statistics.geometric_mean(d),
        statistics.multimode([1, 1, 2, 2]),
        statistics.fmean(d),
        statistics.quantiles(d, n=4),
    )


@program(graphs=1)
def statistics_of_nothing(x):
    try:
        statistics.mean([])
    except statistics.StatisticsError as e:
        return x + 1, str(e)


@program(graphs=1)
def correlation(x):
    return (
        x + 1,
        statistics.correlation([1, 2, 3], [1, 2, 4]),
        statistics.covariance([1, 2, 3], [1, 2, 4]),
        statistics.linear_regression([1, 2, 3], [1, 2, 4]),
    )


@program(graphs=1)
def normal_distribution(x):
    n = statistics.NormalDist(0, 1)
    return x + 1, n.mean, n.stdev, n.pdf(0), n.cdf(0.5)


@program(graphs=1)
def fraction_arithmetic(x):
    F = fractions.Fraction
    f = F(3, 4)
    return (
        x + float(f),
        f + 1,
        f * f,
        f / 3,
        -f,
        f**2,
        abs(F(-1, 2)),
        F("1/3"),
        F(0.5),
        f.limit_denominator(2),
        f < 1,
        f == F(6, 8),
        hash(f) == hash(F(3, 4)),
        round(f),
        int(f),
        f // F(1, 3),
        f % F(1, 3),
        str(f),
        repr(f),
        math.floor(f),
        math.ceil(f),
        divmod(f, F(1, 3)),
        bool(F(0)),
        1 + f,
        2 - f,
        1 / f,
    )


@program(graphs=1)
def fraction_by_zero(x):
    try:
        fractions.Fraction(1, 0)
    except ZeroDivisionError as e:
        return x + 1, str(e)


@program(graphs=1)
def kinds_of_numbers(x):
    N = numbers
    return (
        x + 1,
        isinstance(1, N.Integral),
        isinstance(1j, N.Complex),
        isinstance(fractions.Fraction(1, 2), N.Rational),
        isinstance("a", N.Number),
        issubclass(int, N.Real),
        isinstance(True, N.Integral),
    )


@program(graphs=1)
def dates_and_times(x):
    d = dt.date(2024, 1, 31)
    return (
        x + 1,
        d + dt.timedelta(days=1),
        d.isoformat(),
        (dt.date(2024, 3, 1) - d).days,
        dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc).weekday(),
    )


@program(graphs=1)
def pure_paths(x):
    p = pathlib.PurePosixPath("a/b.txt")
    return x + 1, p.name, p.suffix, str(p.parent / "c"), p.parts


@program(graphs=1)
def paths_as_text(x):
    return (
        x + 1,
        os.path.join("a", "b"),
        os.path.basename("a/b.c"),
        os.path.splitext("b.c"),
        os.path.dirname("a/b"),
        os.path.normpath("a/../b"),
    )


@program(graphs=1)
def keywords(x):
    return x + 1, keyword.iskeyword("if"), keyword.iskeyword("foo")


@program(graphs=1)
def packing(x):
    return x + 1, struct.pack("<I", 5), struct.unpack("<I", b"\x05\0\0\0"), struct.calcsize("<IH")


@program(graphs=1)
def topological_order(x):
    return x + 1, list(graphlib.TopologicalSorter({"b": ["a"], "c": ["b"]}).static_order())


@program(graphs=1)
def match_object(x):
    m = re.match(r"(?P<a>\d+)-(\w+)", "12-ab c")
    return (
        x + int(m["a"]),
        m.group(1, 2),
        m.groups(),
        m.groupdict(),
        m.span(),
        m.start(2),
        m.end("a"),
        m.string,
        m.re.pattern,
        m.lastindex,
        m.expand(r"\1"),
        bool(m),
    )


@program(graphs=1)
def pattern_object(x):
    p = re.compile(r"a+", re.I)
    return (
        x + 1,
        p.findall("aAbaa"),
        p.sub("-", "aab"),
        p.split("xaay"),
        [m.group() for m in p.finditer("aba")],
        p.fullmatch("aaa") is not None,
        p.flags,
        p.pattern,
        p.groups,
        re.escape("a.b"),
        p.subn("q", "aba"),
        re.split(",", "a,b"),
        re.findall("(a)(b)", "abab"),
        p.search("zzz"),
    )


@program(graphs=1)
def bad_pattern_caught(x):
    try:
        re.compile("(")
    except re.error as e:
        return x + 1, str(e), e.pos


@program(graphs=1)
def pattern_with_a_function(x):
    return x + 1, re.sub(r"(\w)", lambda m: m[1] * 2, "ab"), re.compile("a") == re.compile("a"), re.match("b", "a")


@program(graphs=1)
def signature_of_a_made_function(x):
    def f(a, b=1, *args, c: int, d=2, **kw) -> str: ...

    s = inspect.signature(f)
    return (
        x + len(s.parameters),
        str(s),
        list(s.parameters),
        s.parameters["c"].annotation,
        s.parameters["b"].default,
        s.parameters["args"].kind,
        s.return_annotation,
    )


@program(graphs=1)
def inspecting_bind(x):
    def f(a, b=1, *, c=3): ...

    b = inspect.signature(f).bind(1, c=5)
    b.apply_defaults()
    return x + 1, b.arguments, b.args, b.kwargs


@program(graphs=1)
def inspecting_cls(x):
    return (
        x + 1,
        str(inspect.signature(P)),
        inspect.isclass(P),
        inspect.isfunction(P.__init__),
        inspect.ismethod(OLD.__init__),
        inspect.isgeneratorfunction(lambda: (yield)),
        inspect.isroutine(len),
        inspect.isbuiltin(len),
    )


@program(graphs=1)
def inspecting_params(x):
    s = inspect.Signature([inspect.Parameter("a", inspect.Parameter.POSITIONAL_ONLY)])
    return x + 1, str(s)


@program(graphs=1)
def inspecting_full(x):
    def f(a, *, b=2): ...

    return x + 1, inspect.getfullargspec(f).args, inspect.getfullargspec(f).kwonlydefaults


@program(graphs=1)
def import_of_a_module(x):
    import colorsys

    return x + colorsys.rgb_to_hsv(0.5, 0.2, 0.1)[0]


@program(graphs=1)
def import_of_names(x):
    from calendar import isleap as leap
    from calendar import monthrange

    return x + leap(2024), monthrange(2024, 2)


@program(graphs=1)
def import_of_a_submodule(x):
    import collections.abc
    import os.path as p

    return x + 1, p.join("a", "b"), collections.abc.Sized


@program
def import_of_a_missing_name(x):
    from os import no_such_name


@program(graphs=1)
def import_of_a_missing_name_caught(x):
    try:
        from os import no_such_name
    except ImportError as e:
        return x + 1, e.name


@program(graphs=1)
def import_by_function(x):
    m = __import__("math")
    import importlib

    return x + m.floor(1.5), importlib.import_module("math") is m
