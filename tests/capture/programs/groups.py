"""Exception groups and `except*`."""

from tests.capture.harness import program


class Mine(Exception):
    pass


@program(graphs=1)
def all_taken(x):
    try:
        raise ExceptionGroup("g", [ValueError(1), ValueError(2)])
    except* ValueError as group:
        result = x + len(group.exceptions), group.message
    return result


@program(graphs=1)
def split_between_clauses(x):
    log = []
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), ValueError(3)])
    except* ValueError as group:
        log.append(("value", [e.args for e in group.exceptions]))
    except* KeyError as group:
        log.append(("key", [e.args for e in group.exceptions]))
    return x + 1, log


@program(graphs=1)
def rest_goes_on(x):
    log = []
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
        except* ValueError:
            log.append("value")
    except ExceptionGroup as group:
        log.append([type(e) for e in group.exceptions])
    return x + 1, log


@program(graphs=1)
def nested_groups(x):
    log = []
    try:
        try:
            raise ExceptionGroup("a", [ValueError(1), ExceptionGroup("b", [KeyError(2), ValueError(3)])])
        except* ValueError as group:
            log.append((group.message, len(group.exceptions), type(group.exceptions[1])))
    except ExceptionGroup as rest:
        log.append((rest.message, rest.exceptions[0].message, rest.exceptions[0].exceptions[0].args))
    return x + 1, log


@program(graphs=1)
def naked_exception_is_wrapped(x):
    try:
        raise ValueError("alone")
    except* ValueError as group:
        result = type(group), group.message, group.exceptions[0].args
    return x + 1, result


@program(graphs=1)
def naked_exception_passes(x):
    try:
        try:
            raise KeyError("alone")
        except* ValueError:
            pass
    except KeyError as error:
        return x + 1, error.args


@program(graphs=1)
def raised_in_a_clause(x):
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            raise Mine("new")
    except ExceptionGroup as group:
        return x + 1, [type(e) for e in group.exceptions]


@program(graphs=1)
def reraised_in_a_clause(x):
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            raise
    except ExceptionGroup as group:
        return x + 1, [type(e) for e in group.exceptions], group.message


@program(graphs=1)
def no_exception(x):
    try:
        y = x + 1
    except* ValueError:
        y = x
    else:
        y = y + 1
    return y


@program(graphs=1)
def split_and_subgroup(x):
    group = ExceptionGroup("g", [ValueError(1), KeyError(2)])
    taken, rest = group.split(ValueError)
    only = group.subgroup(lambda e: isinstance(e, KeyError))
    return x + 1, [e.args for e in taken.exceptions], [e.args for e in rest.exceptions], len(only.exceptions)


@program(graphs=1)
def group_made_and_returned(x):
    return ExceptionGroup("g", [ValueError(1)]), x + 1


@program(graphs=1)
def base_group_becomes_group(x):
    return type(BaseExceptionGroup("g", [ValueError(1)])), type(BaseExceptionGroup("g", [SystemExit()])), x + 1


@program(graphs=1)
def bad_groups(x):
    results = []
    for args in (("g", []), ("g", 3), ("g", [3]), (3, [ValueError()])):
        try:
            ExceptionGroup(*args)
        except (TypeError, ValueError) as error:
            results.append((type(error), str(error)))
    return x + 1, results


@program
def group_escapes(x):
    y = x + 1
    raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
