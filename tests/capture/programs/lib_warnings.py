"""Filters of warnings, for a while and for good."""

import warnings

from framelift.controls import graph_break
from tests.capture.harness import program

# `steady=False`: how warnings are shown is another object in each call, as the harness itself catches them.


@program(graphs=1, steady=False)
def ignored_for_a_while(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("not shown")
        x = x + 1
    warnings.warn("shown")
    return x * 2


@program(graphs=1, steady=False)
def ignored_by_what_they_say(x):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*old", category=DeprecationWarning)
        warnings.warn("it is old", DeprecationWarning)
        warnings.warn("it is new", DeprecationWarning)
        warnings.warn("it is old", FutureWarning)
    return x + len(warnings.filters[0])


@program(graphs=1, steady=False)
def ignored_from_the_start(x):
    with warnings.catch_warnings(action="ignore"):
        warnings.warn("not shown")
    return x + 1


@program(graphs=2, broken="asked for", steady=False)
def ignored_around_a_break(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = x + 1
        graph_break()
        warnings.warn("not shown")
        y = y * 2
    warnings.warn("shown")
    return y


@program(broken="warn", steady=False)
def kept_in_a_list(x):
    with warnings.catch_warnings(record=True) as kept:
        warnings.simplefilter("always")
        warnings.warn("one")
        warnings.warn("two")
    return x + len(kept), [str(warning.message) for warning in kept]


@program(broken="warn", steady=False)
def made_an_error(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            warnings.warn("raised")
        except UserWarning as error:
            x = x + len(str(error))
    warnings.warn("shown")
    return x


@program(broken="warn", steady=False)
def made_an_error_in_the_list_that_was_there(x):
    warnings.simplefilter("error", RuntimeWarning)
    try:
        warnings.warn("raised", RuntimeWarning)
    except RuntimeWarning as error:
        return x + len(str(error))
    finally:
        warnings.filters.pop(0)


@program(graphs=1, steady=False)
def an_exception_leaves(x):
    filters = list(warnings.filters)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            raise ValueError("left")
    except ValueError as error:
        return x + len(str(error)), warnings.filters == filters


SHOWN = []


@program(broken="warn", steady=False)
def shown_by_a_function_of_the_program(x):
    before = warnings.showwarning
    warnings.showwarning = lambda message, *about: SHOWN.append(str(message))
    try:
        warnings.warn("one")
        warnings.warn("two")
        return x + len(SHOWN)
    finally:
        warnings.showwarning = before


@program(broken="warn", steady=False)
def kept_in_a_list_around_a_break(x):
    with warnings.catch_warnings(record=True) as kept:
        graph_break()
        warnings.warn("one")
        x = x + len(kept)
        warnings.warn("two")
    return x + len(kept)
