"""Exceptions: raised, handled, chained, escaping; `finally` in all its orders; `assert`."""

from tests.capture.harness import program, tensor


class Mine(Exception):
    pass


class WithInit(Exception):
    def __init__(self, code, text="none"):
        super().__init__(code, text)
        self.code = code


class WithText(ValueError):
    def __str__(self):
        return f"text of {self.args}"


@program(graphs=1)
def caught(x):
    try:
        raise ValueError("a")
    except ValueError:
        return x + 1


@program(graphs=1)
def caught_with_name(x):
    try:
        raise ValueError("a", 2)
    except ValueError as error:
        result = x + 1, error.args, str(error)
    return result


@program(graphs=1)
def name_is_deleted_after(x):
    try:
        raise ValueError("a")
    except ValueError as error:
        pass
    try:
        error
    except UnboundLocalError as unbound:
        return x + 1, str(unbound)


@program(graphs=1)
def second_clause(x):
    try:
        raise KeyError("k")
    except ValueError:
        return x
    except (IndexError, KeyError) as error:
        return x + 1, str(error)


@program(graphs=1)
def base_class_clause(x):
    try:
        raise KeyError("k")
    except LookupError:
        return x + 1


@program(graphs=1)
def bare_except(x):
    try:
        raise KeyError
    except:
        return x + 1


@program(graphs=1)
def not_caught_here(x):
    try:
        try:
            raise KeyError("k")
        except ValueError:
            return x
    except KeyError:
        return x + 1


@program(tensor(2), True, graphs=1, changed=[(tensor(2), False)])
def else_clause(x, fail):
    log = []
    try:
        if fail:
            raise ValueError
    except ValueError:
        log.append("except")
    else:
        log.append("else")
    finally:
        log.append("finally")
    return x + len(log), log


@program(graphs=1)
def finally_runs_on_return(x):
    log = []

    def f():
        try:
            return log.append("return") or 1
        finally:
            log.append("finally")

    return x + f(), log


@program(graphs=1)
def finally_replaces_return(x):
    def f():
        try:
            return 1
        finally:
            return 2

    return x + f()


@program(graphs=1)
def finally_swallows_exception(x):
    def f():
        for _ in range(1):
            try:
                raise ValueError
            finally:
                break
        return 3

    return x + f()


@program(graphs=1)
def finally_in_a_loop(x):
    log = []
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            log.append(i)
        finally:
            log.append(-i)
    return x + sum(log), log


@program(graphs=1)
def nested_finally(x):
    log = []
    try:
        try:
            raise ValueError("v")
        finally:
            log.append(1)
    except ValueError:
        log.append(2)
    finally:
        log.append(3)
    return x + 1, log


@program(graphs=1)
def raised_in_a_callee(x):
    def f(n):
        if n == 0:
            raise Mine("deep")
        return f(n - 1)

    try:
        f(3)
    except Mine as error:
        return x + 1, error.args


@program(graphs=1)
def class_with_init(x):
    try:
        raise WithInit(3)
    except WithInit as error:
        return x + error.code, error.args, str(error)


@program(graphs=1)
def class_with_text(x):
    try:
        raise WithText(3, 4)
    except ValueError as error:
        return x + 1, str(error), f"{error}"


@program(graphs=1)
def reraise(x):
    log = []
    try:
        try:
            raise Mine(1)
        except Mine:
            log.append(1)
            raise
    except Mine as error:
        log.append(error.args)
    return x + 1, log


@program(graphs=1)
def reraise_by_name(x):
    try:
        try:
            raise Mine(1)
        except Mine as error:
            raise error
    except Mine as again:
        return x + 1, again.args, again.__context__


@program(graphs=1)
def reraise_without_active(x):
    try:
        raise
    except RuntimeError as error:
        return x + 1, str(error)


@program(graphs=1)
def raise_from(x):
    try:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise Mine("outer") from error
    except Mine as error:
        return x + 1, type(error.__cause__), error.__cause__ is error.__context__, error.__suppress_context__


@program(graphs=1)
def raise_from_none(x):
    try:
        try:
            raise KeyError("inner")
        except KeyError:
            raise Mine("outer") from None
    except Mine as error:
        return x + 1, error.__cause__, type(error.__context__), error.__suppress_context__


@program(graphs=1)
def raise_from_class(x):
    try:
        raise Mine from ValueError
    except Mine as error:
        return x + 1, type(error.__cause__)


@program(graphs=1)
def raise_from_nonsense(x):
    try:
        raise Mine from 3
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def implicit_context(x):
    try:
        try:
            raise KeyError("inner")
        except KeyError:
            raise Mine("outer")
    except Mine as error:
        return x + 1, type(error.__context__), error.__context__.args, error.__suppress_context__


@program(graphs=1)
def implicit_context_of_builtin(x):
    try:
        try:
            raise KeyError("inner")
        except KeyError:
            [][3]
    except IndexError as error:
        return x + 1, type(error.__context__), error.args


@program(graphs=1)
def context_from_finally(x):
    try:
        try:
            raise KeyError("inner")
        finally:
            1 / 0
    except ZeroDivisionError as error:
        return x + 1, type(error.__context__), error.args


@program(graphs=1)
def no_context_after_handling(x):
    try:
        raise KeyError("first")
    except KeyError:
        pass
    try:
        raise Mine("second")
    except Mine as error:
        return x + 1, error.__context__


@program(graphs=1)
def raising_nonsense(x):
    try:
        raise 3
    except TypeError as error:
        return x + 1, str(error)


@program(graphs=1)
def catching_nonsense(x):
    try:
        try:
            raise ValueError
        except 3:
            pass
    except TypeError as error:
        return x + 1, str(error), type(error.__context__)


@program(graphs=1)
def returned_exception(x):
    try:
        raise Mine(1, x + 1)
    except Mine as error:
        return error.args[1] + 1, error.args


@program(graphs=1)
def made_and_returned(x):
    error = Mine("a", 2)
    error.extra = x + 1
    return error


@program(graphs=1)
def made_with_cause_and_returned(x):
    error = Mine("a")
    error.__cause__ = ValueError("b")
    return error, x + 1


@program(graphs=1)
def with_notes(x):
    try:
        error = ValueError("a")
        error.add_note("first")
        error.add_note("second")
        raise error
    except ValueError as caught:
        return x + 1, caught.__notes__


@program(graphs=1)
def index_error(x):
    try:
        [1, 2][5]
    except IndexError as error:
        return x + 1, str(error)


@program(graphs=1)
def key_error(x):
    try:
        {"a": 1}["b"]
    except KeyError as error:
        return x + 1, str(error), error.args


@program(graphs=1)
def attribute_error(x):
    class C:
        pass

    try:
        C().missing
    except AttributeError as error:
        return x + 1, str(error)


@program(graphs=1)
def attribute_error_facts(x):
    thing = Mine()
    try:
        thing.missing
    except AttributeError as error:
        return x + 1, error.name, error.obj is thing


@program(graphs=1)
def name_error(x):
    try:
        undefined_name
    except NameError as error:
        return x + 1, str(error), error.name


@program(graphs=1)
def unbound_local(x):
    try:
        if x is None:
            y = 1
        y
    except UnboundLocalError as error:
        return x + 1, str(error)


@program(graphs=1)
def zero_division(x):
    results = []
    for f in (lambda: 1 / 0, lambda: 1 // 0, lambda: 1 % 0, lambda: 1.0 / 0, lambda: divmod(1, 0), lambda: 0**-1):
        try:
            f()
        except ZeroDivisionError as error:
            results.append(str(error))
    return x + 1, results


@program(graphs=1)
def type_errors_of_operators(x):
    results = []
    for f in (lambda: 1 + "a", lambda: [] + (), lambda: {} < {}, lambda: -"a", lambda: len(3), lambda: 3[0]):
        try:
            f()
        except TypeError as error:
            results.append(str(error))
    return x + 1, results


@program(graphs=1)
def unhashable(x):
    results = []
    for key in ([], {}, set(), ([],)):
        try:
            {key: 1}
        except TypeError as error:
            results.append(str(error))
    try:
        {[1]}
    except TypeError as error:
        results.append(str(error))
    return x + 1, results


@program(graphs=1)
def stop_iteration(x):
    try:
        next(iter([]))
    except StopIteration as error:
        return x + 1, error.value


@program(graphs=1)
def value_error_unpacking(x):
    results = []
    for values in ([1], [1, 2, 3], []):
        try:
            a, b = values
        except ValueError as error:
            results.append(str(error))
    try:
        a, *b, c = [1]
    except ValueError as error:
        results.append(str(error))
    try:
        a, b = 3
    except TypeError as error:
        results.append(str(error))
    return x + 1, results


@program(graphs=1)
def assertion_holds(x):
    assert x.dim() == 2, "never"
    return x + 1


@program(graphs=1)
def assertion_caught(x):
    try:
        assert x.dim() == 7, f"dim {x.dim()}"
    except AssertionError as error:
        return x + 1, error.args


@program(graphs=1)
def assertion_without_text(x):
    try:
        assert not x.shape
    except AssertionError as error:
        return x + 1, error.args


@program
def assertion_escapes(x):
    y = x + 1
    assert y.dim() == 1, "must be flat"
    return y


@program
def escapes(x):
    raise ValueError("a", 2)


@program
def escapes_from_a_callee(x):
    def f():
        return {}["missing"]

    y = x + 1
    f()
    return y


@program
def escapes_with_a_cause(x):
    try:
        {}["k"]
    except KeyError as error:
        raise Mine("b") from error


@program(steady=False)
def escapes_after_effects(x, items=None):
    STATE.append(1)
    y = x + 1
    raise Mine(len(STATE))


STATE = []


@program(tensor(2), [1], graphs=1)
def effects_before_a_caught_exception(x, items):
    try:
        items.append(2)
        raise Mine
    except Mine:
        items.append(3)
    return x + len(items)


@program(tensor(2), 3, graphs=1, changed=[(tensor(2), 0)])
def exception_for_control(x, n):
    while True:
        try:
            if n <= 0:
                raise StopIteration
            n -= 1
            x = x + 1
        except StopIteration:
            break
    return x


@program(graphs=1)
def exceptions_compare_by_identity(x):
    a, b = ValueError(1), ValueError(1)
    return x + 1, a == b, a == a, isinstance(a, Exception), issubclass(Mine, Exception), repr(a)


@program(graphs=1)
def exception_kinds_kept_in_a_variable(x):
    kinds = (KeyError, Mine)
    try:
        raise Mine
    except kinds:
        return x + 1


@program(graphs=1)
def exception_in_a_condition(x):
    def boom():
        raise Mine("c")

    try:
        return 1 if boom() else 2
    except Mine:
        return x + 1


@program(graphs=1)
def exception_in_an_argument(x):
    def boom():
        raise Mine("c")

    def f(*args):
        return args

    try:
        return f(1, [2, boom()], 3)
    except Mine:
        return x + 1


@program(graphs=1)
def nested_handlers_restore(x):
    import sys

    try:
        raise KeyError("outer")
    except KeyError:
        try:
            raise ValueError("inner")
        except ValueError:
            inner = sys.exc_info()[0]
        outer = sys.exc_info()[0]
    after = sys.exc_info()
    return x + 1, inner, outer, after


@program(graphs=1)
def return_from_handler_in_a_loop(x):
    def f():
        for i in range(5):
            try:
                if i == 2:
                    raise Mine(i)
            except Mine as error:
                return error.args[0]

    return x + f()


@program(graphs=1)
def system_exit_caught(x):
    try:
        raise SystemExit(3)
    except SystemExit as error:
        return x + error.code


@program(graphs=1)
def os_error_caught(x):
    try:
        raise OSError(2, "no file")
    except FileNotFoundError as error:
        return x + error.errno, error.strerror


@program(graphs=1)
def import_error_caught(x):
    try:
        raise ImportError("no", name="m")
    except ImportError as error:
        return x + 1, error.name, error.msg
