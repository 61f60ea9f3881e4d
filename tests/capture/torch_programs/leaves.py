"""Leaves made in the call: used up inside, or given to the caller with what depends on them."""

import torch
from torch import nn

import framelift
from tests.capture.torch_cases import add


def detached(x):
    return x.detach().clone().requires_grad_()


def assigned(x):
    made = x.detach() * 2
    made.requires_grad = True
    return made


def zeros(x):
    return torch.zeros_like(x, requires_grad=True)


def written_out(x):
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def parameter(x):
    return nn.Parameter(x.detach() + 1)


def gradient(made, x):
    (made * x).pow(2).sum().backward()
    return made.grad


def gradient_and_result(made, x):
    result = (made * x).pow(2).sum()
    result.backward()
    return made.grad, result


def second_use(made, x):
    for _ in range(2):
        (made * x).pow(2).sum().backward()
        with torch.no_grad():
            made -= made.grad / 4
        made.grad = None
    return made.detach()


def value_only(made, x):
    return made.detach() + x


def first_gradient(made, x):
    return torch.autograd.grad((made * x).pow(3).sum(), made)[0]


def result(made, x):
    return (made * x).pow(2).sum()


def leaf(made, x):
    return made, made.is_leaf, made.requires_grad, made.grad


def leaf_and_result(made, x):
    return made, (made * x).pow(2).sum()


def leaf_after_backward(made, x):
    (made * x).pow(2).sum().backward()
    return made


def result_that_is_kept(made, x):
    result = (made * x).pow(2).sum()
    result.backward(retain_graph=True)
    return made, result


def second_gradient(made, x):
    (found,) = torch.autograd.grad((made * x).pow(3).sum(), made, create_graph=True)
    return made, found.sum()


def result_across_a_break(made, x):
    result = (made * x).pow(2)
    framelift.graph_break()
    result.sum().backward()
    return made.grad


def gradient_across_a_break(made, x):
    (made * x).pow(2).sum().backward()
    framelift.graph_break()
    (made * x).sum().backward()
    return made.grad


MADE = (detached, assigned, zeros, written_out, parameter)
STAY = (gradient, gradient_and_result, second_use, value_only, first_gradient)
LEAVE = (result, leaf, leaf_and_result, leaf_after_backward, result_that_is_kept, second_gradient)
ACROSS = (result_across_a_break, gradient_across_a_break)


def program(make, use):
    def function(x):
        return use(make(x), x)

    def run(compile):
        f = compile(function)
        found = []
        for grad in (False, False, True):
            x = torch.arange(1.0, 4.0).requires_grad_(grad)
            results = f(x)
            results = results if isinstance(results, tuple) else (results,)
            found.append([getattr(one, "is_leaf", None) for one in results])
            for one in results:
                if isinstance(one, torch.Tensor) and one.grad_fn is not None and one.dim() == 0:
                    try:
                        one.backward()
                    except RuntimeError as error:
                        found.append(str(error))
            found.append([results, x.grad, [one.grad for one in results if getattr(one, "is_leaf", False)]])
        return found

    return run


def register():
    for make in MADE:
        for use in (*STAY, *LEAVE, *ACROSS):
            for backend in ("eager", "aot_eager"):
                breaks = int(use in ACROSS) + int(
                    use is result_across_a_break
                )  # backward of what came before the break
                # Behind AOTAutograd a leaf that leaves has to be made by Python; a parameter is made before the graph.
                if backend == "aot_eager" and make is not parameter and use not in STAY:
                    breaks += 1
                name = f"{make.__name__}_{use.__name__}"
                add(globals(), f"{name}_on_{backend}", program(make, use), breaks=breaks, backends=(backend,))


register()
