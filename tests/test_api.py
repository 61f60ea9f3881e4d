"""The public functions refuse what they cannot use, in words that say what they expected."""

from __future__ import annotations

import functools

import pytest

import framelift
from framelift import _core
from framelift.runtime.backends import registry

BACKENDS = "aot_eager, cudagraphs, eager, inductor"
MODES = "default, reduce-overhead, max-autotune, max-autotune-no-cudagraphs"


def function(a, b=2):
    """A document."""
    return a + b


def messages(kind, call):
    with pytest.raises(kind) as caught:
        call()
    assert caught.type is kind
    return str(caught.value)


@pytest.mark.parametrize("wrong", [3, None, "text", 2.5, [], {}, (function,), NotImplemented])
def test_what_is_not_callable_is_refused(wrong):
    expected = f"compile() takes a function or another callable, got {wrong!r}"
    assert messages(TypeError, lambda: framelift.compile(wrong)) == expected
    assert messages(TypeError, lambda: framelift.compile(backend="eager")(wrong)) == expected
    assert messages(TypeError, lambda: framelift.compile(disable=True)(wrong)) == expected


@pytest.mark.parametrize("wrong", ["nothing", "", "Inductor", "eager "])
def test_unknown_backend_is_refused_with_the_known_ones(wrong):
    message = messages(ValueError, lambda: framelift.compile(function, backend=wrong))
    assert message.startswith(f"unknown backend {wrong!r}; expected one of ")
    assert message.endswith(", or a callable")
    for name in BACKENDS.split(", "):
        assert name in message
    assert messages(ValueError, lambda: framelift.compile(backend=wrong)) == message


@pytest.mark.parametrize("wrong", [3, None, [], b"eager", ("eager",)])
def test_backend_of_a_wrong_type_is_refused(wrong):
    expected = f"backend must be a name or a callable (graph_module, example_inputs), got {wrong!r}"
    assert messages(TypeError, lambda: framelift.compile(function, backend=wrong)) == expected


@pytest.mark.parametrize("wrong", ["fast", "", "max_autotune"])
def test_unknown_mode_is_refused_with_the_known_ones(wrong):
    expected = f"unknown mode {wrong!r}; expected one of {MODES}"
    assert messages(ValueError, lambda: framelift.compile(function, mode=wrong)) == expected


@pytest.mark.parametrize("wrong", [3, ["default"], b"default", True])
def test_mode_of_a_wrong_type_is_refused(wrong):
    expected = f"mode must be a str or None, got {wrong!r}"
    assert messages(TypeError, lambda: framelift.compile(function, mode=wrong)) == expected


@pytest.mark.parametrize("wrong", [3, "trace", ["a"], ("a", 1)])
def test_options_must_be_a_mapping(wrong):
    expected = f"options must be a mapping of backend options, got {wrong!r}"
    assert messages(TypeError, lambda: framelift.compile(function, options=wrong)) == expected


def test_unknown_option_is_refused_with_ones_like_it():
    message = messages(ValueError, lambda: framelift.compile(function, options={"max_autotun": True}))
    assert message.startswith("unknown option 'max_autotun' for backend 'inductor'; is one of these meant: max_auto")
    assert "list_options" in messages(ValueError, lambda: framelift.compile(function, options={"§": True}))


def test_option_of_a_wrong_type_is_refused():
    message = messages(TypeError, lambda: framelift.compile(function, options={"max_autotune": "yes"}))
    assert message == "option 'max_autotune' for backend 'inductor' must be of type bool, got 'yes'"


def test_option_that_may_be_none_is_accepted_as_none():
    assert framelift.compile(function, options={"bundle_triton_into_fx_graph_cache": None})(1) == 3


def test_options_may_be_written_with_dashes():
    compiled = framelift.compile(function, options={"epilogue-fusion": True, "triton.cudagraphs": False})
    assert dict(compiled._framelift_options.backend_options) == {"epilogue_fusion": True, "triton.cudagraphs": False}


def test_unknown_setting_is_refused_with_the_known_ones():
    message = messages(TypeError, lambda: framelift.settings.change(recompile_limits=3))
    assert message.startswith("unknown setting 'recompile_limits'; expected one of ")
    assert "recompile_limit" in message


def test_mode_and_options_exclude_each_other():
    expected = "give either mode or options: a mode is a named set of options"
    assert messages(ValueError, lambda: framelift.compile(function, mode="default", options={})) == expected


@pytest.mark.parametrize("name", ["fullgraph", "disable"])
@pytest.mark.parametrize("wrong", [1, 0, None, "yes"])
def test_flags_are_booleans(name, wrong):
    message = messages(TypeError, lambda: framelift.compile(function, **{name: wrong}))
    assert message == f"{name} must be a bool, got {wrong!r}"


@pytest.mark.parametrize("wrong", [1, 0, "auto"])
def test_dynamic_is_a_boolean_or_none(wrong):
    message = messages(TypeError, lambda: framelift.compile(function, dynamic=wrong))
    assert message == f"dynamic must be a bool, got {wrong!r}"


@pytest.mark.parametrize("name", ["fulgraph", "model", "guards", "nopython"])
def test_unknown_keyword_is_refused_by_name(name):
    message = messages(TypeError, lambda: framelift.compile(function, **{name: True}))
    assert message.startswith(f"compile() got an unexpected keyword argument '{name}'")


def test_options_are_keywords_only():
    assert "positional argument" in messages(TypeError, lambda: framelift.compile(function, True))


def test_refusal_changes_nothing():
    before = _core.entries(function.__code__), _core.actions(function.__code__), dict(vars(function))
    for wrong in ({"backend": "nothing"}, {"mode": "fast"}, {"fullgraph": 1}, {"unknown": 1}):
        with pytest.raises((TypeError, ValueError)):
            framelift.compile(function, **wrong)
    assert (_core.entries(function.__code__), _core.actions(function.__code__), dict(vars(function))) == before
    assert not _core.hook_installed()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"fullgraph": True},
        {"dynamic": True},
        {"dynamic": False},
        {"dynamic": None},
        {"backend": "eager"},
        {"backend": "aot_eager"},
        {"backend": lambda graph, inputs: graph},
        {"backend": functools.partial(function, 1)},
        {"mode": "default"},
        {"mode": "reduce-overhead"},
        {"mode": "max-autotune"},
        {"options": {"max_autotune": False}},
        {"options": {}},
    ],
)
def test_what_is_accepted_gives_what_the_function_gives(options):
    assert framelift.compile(function, **options)(1) == 3
    assert framelift.compile(**options)(function)(1, b=5) == 6


def test_disable_gives_the_function_itself():
    assert framelift.compile(function, disable=True) is function
    assert framelift.compile(disable=True)(function) is function


def test_compiled_function_can_be_compiled_again():
    once = framelift.compile(function)
    twice = framelift.compile(once, backend="eager")
    assert twice(1) == once(1) == 3
    assert twice.__name__ == "function"


def test_backends_are_listed():
    assert set(BACKENDS.split(", ")) <= set(registry.names())
    assert list(registry.names()) == sorted(registry.names())


def test_public_names():
    assert framelift.__all__ == sorted(framelift.__all__)
    assert all(hasattr(framelift, name) for name in framelift.__all__)
