"""Modes set, entered and left in the call: inference mode, devices, dtypes, flags, hooks on what autograd saves."""

import contextlib

import torch
from torch import nn
from torch.autograd.graph import save_on_cpu, saved_tensors_hooks
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import BaseTorchFunctionMode, TorchFunctionMode

from tests.capture.torch_cases import ALL, add, case


def numbers(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape) / 4


def applied(name, function, *shapes, graphs=1, breaks=0, grad=False, backends=("eager", "aot_eager")):
    def run(compile):
        f = compile(function)
        given = [numbers(*shape).requires_grad_(grad) for shape in shapes or ((2, 3),)]
        return f(*given), f(*given), state()

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


def state():
    """What a program must leave as it was, or as it set it."""
    found = (
        torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.backends.cudnn.enabled, torch.backends.cudnn.deterministic, torch.backends.cudnn.benchmark,
        torch.get_float32_matmul_precision(), torch.is_autocast_enabled("cpu"), torch._C._len_torch_function_stack(),
        torch.is_anomaly_enabled(), torch._C._get_math_sdp_enabled(), torch._C._get_flash_sdp_enabled(),
    )  # fmt: skip
    torch.set_default_device(None)
    torch.set_default_dtype(torch.float32)
    torch.use_deterministic_algorithms(False)
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.deterministic = torch.backends.cudnn.benchmark = False
    torch.set_anomaly_enabled(False)
    torch.set_grad_enabled(True)
    return found


# Inference mode


def in_inference(x):
    with torch.inference_mode():
        y = x * 2
        inside = torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    return y, y.is_inference(), y.requires_grad, inside, torch.is_inference_mode_enabled()


def left_for_a_while(x):
    with torch.inference_mode():
        with torch.inference_mode(False):
            y = x * 2
        z = x * 3
    return y, y.requires_grad, y.is_inference(), z, z.is_inference()


@torch.inference_mode()
def wholly(x):
    return x * 2 + torch.ones(3)


@torch.inference_mode
def wholly_without_brackets(x):
    return x * 2 + 1


@torch.inference_mode(False)
def not_at_all(x):
    return x * 2 + 1


def called_inside(x):
    return wholly(x).clone() + 1, wholly_without_brackets(x)


def of_an_input(x):
    return x * 2, x.is_inference()


for _grad in (False, True):
    _suffix = "_with_gradient" if _grad else ""
    applied(f"inference{_suffix}", in_inference, grad=_grad)
    applied(f"inference_left_for_a_while{_suffix}", left_for_a_while, grad=_grad)
    applied(f"inference_decorator{_suffix}", wholly, grad=_grad)
    applied(f"inference_decorator_without_brackets{_suffix}", wholly_without_brackets, grad=_grad)
    applied(f"inference_decorator_off{_suffix}", not_at_all, grad=_grad)
    applied(f"inference_of_callees{_suffix}", called_inside, grad=_grad)


def module_in_inference(x, layer):
    with torch.inference_mode():
        return layer(x).relu()


@case(graphs=1, backends=ALL)
def inference_of_a_module(compile):
    torch.manual_seed(1)
    layer = nn.Linear(3, 2)
    f = compile(module_in_inference)
    result = f(numbers(2, 3), layer)
    return result, result.is_inference(), f(numbers(2, 3), layer)


@case(graphs=1)
def inference_in_a_method(compile):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 2)

        @torch.inference_mode()
        def predict(self, x):
            return self.layer(x).softmax(-1)

        def forward(self, x):
            return self.predict(x).clone() + 1

    torch.manual_seed(1)
    model = Model()
    f = compile(model)
    return f(numbers(2, 3)), f(numbers(2, 3)).is_inference()


@case(graphs=1)
def inference_changes_in_place(compile):
    def f(x):
        with torch.inference_mode():
            x.add_(1)
            y = torch.zeros(3)
            y.add_(x)
        return y

    x = numbers(3)
    return compile(f)(x), x


@case(breaks=2)
def inference_with_break_inside(compile):
    def f(x):
        with torch.inference_mode():
            y = x * 2
            k = float(y.sum())
            z = y * k
        return z, z.is_inference(), torch.is_inference_mode_enabled()

    g = compile(f)
    return g(numbers(3)), g(numbers(3)), torch.is_inference_mode_enabled(), torch.is_grad_enabled()


@case(breaks=2)
def inference_with_gradients_and_a_break_inside(compile):
    def f(x):
        with torch.inference_mode(), torch.enable_grad():
            k = float(x.sum())
            y = x * k
            inside = torch.is_grad_enabled()
        return y, inside, torch.is_grad_enabled()

    return compile(f)(numbers(3)), torch.is_grad_enabled()


@case(graphs=1)
def inference_left_by_an_exception(compile):
    def f(x):
        try:
            with torch.inference_mode():
                y = x * 2
                raise ValueError
        except ValueError:
            return y, torch.is_inference_mode_enabled(), x + 1

    return compile(f)(numbers(3))


@case()
def inference_tensor_given(compile):
    f = compile(of_an_input)
    with torch.inference_mode():
        given = numbers(3)
    return f(given), f(numbers(3)), f(given)


# Devices


def device_inside(x):
    with torch.device("cpu"):
        y = torch.ones(3)
    return x + y, y.device, torch.zeros(2).device


def device_meta(x):
    with torch.device("meta"):
        y = torch.ones(3)
        z = nn.Linear(3, 2)
    return x + 1, y.device, y.shape, z.weight.device, z.weight.requires_grad


def devices_nested(x):
    with torch.device("cpu"):
        with torch.device("meta"):
            a = torch.empty(2)
        b = torch.empty(2)
        c = torch.empty(2, device="meta")
    return x * 2, a.device, b.device, c.device


def default_device_set(x):
    torch.set_default_device("meta")
    y = torch.ones(3)
    torch.set_default_device("cpu")
    z = torch.ones(3)
    return x + z, y.device, z.device, torch.get_default_device()


def default_device_left(x):
    torch.set_default_device("cpu")
    return x + torch.ones(3), torch.get_default_device()


def device_with_module_made(x):
    with torch.device("cpu"):
        layer = nn.Linear(3, 2)
        with torch.no_grad():
            layer.weight.fill_(0.5)
            layer.bias.fill_(0.1)
    return layer(x)


applied("device", device_inside)
applied("device_with_gradient", device_inside, grad=True)
applied("device_meta", device_meta)
applied("devices_nested", devices_nested)
applied("device_default_set", default_device_set, graphs=None, breaks=2)
applied("device_default_left", default_device_left, graphs=None, breaks=1)
applied("device_made_from_x", lambda x: device_from(x))
applied("device_of_arange", lambda x: x + device_arange())


def device_from(x):
    with x.device:
        return x + torch.zeros(3)


def device_arange():
    with torch.device("cpu"):
        return torch.arange(3) + torch.tensor([1, 2, 3])


@case()
def device_of_a_model_made_outside(compile):
    def f(x):
        with torch.device("cpu"):
            return layer(x) + torch.rand(2)

    torch.manual_seed(1)
    layer = nn.Linear(3, 2)
    return compile(f)(numbers(2, 3))


@case()
def device_default_between_calls(compile):
    f = compile(lambda x: (x * 2, torch.ones(3).device))
    first = f(numbers(3))
    torch.set_default_device("meta")
    second = f(torch.ones(3, device="cpu"))
    torch.set_default_device(None)
    return first, second, f(numbers(3)), state()


# Default dtype


def doubles_for_a_while(x):
    torch.set_default_dtype(torch.float64)
    y = torch.ones(3)
    torch.set_default_dtype(torch.float32)
    return x + y, torch.get_default_dtype()


def doubles_left(x):
    torch.set_default_dtype(torch.float64)
    return x + torch.ones(3), torch.get_default_dtype()


@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def halves_by_manager(x):
    with default_dtype(torch.bfloat16):
        y = torch.zeros(3)
        layer = nn.Linear(3, 2)
    return x.to(y.dtype), y.dtype, layer.weight.dtype


applied("dtype_for_a_while", doubles_for_a_while)
applied("dtype_left", doubles_left, graphs=None)
applied("dtype_by_manager", halves_by_manager)


# Flags


def deterministic(x):
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    y = x.cumsum(0)[0]
    torch.use_deterministic_algorithms(before)
    return y, torch.are_deterministic_algorithms_enabled()


def deterministic_left(x):
    torch.use_deterministic_algorithms(True)
    return x * 2, torch.are_deterministic_algorithms_enabled()


def cudnn_flags(x):
    with torch.backends.cudnn.flags(enabled=False, deterministic=True):
        y = F.conv1d(x[None], torch.ones(1, 2, 2))
        inside = torch.backends.cudnn.enabled, torch.backends.cudnn.deterministic
    return y, inside, torch.backends.cudnn.enabled


def cudnn_set(x):
    torch.backends.cudnn.benchmark = True
    return x * 2, torch.backends.cudnn.benchmark


def matmul_precision(x):
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    y = x @ x.t()
    torch.set_float32_matmul_precision(before)
    return y, before


def tf32_flags(x):
    torch.backends.cuda.matmul.allow_tf32 = False
    return x @ x.t(), torch.backends.cuda.matmul.allow_tf32


def anomaly(x):
    with torch.autograd.set_detect_anomaly(False):
        return x * 2


def anomaly_on(x):
    with torch.autograd.detect_anomaly(check_nan=False):
        return x * 2, torch.is_anomaly_enabled()


def mkldnn_asked(x):
    return x * 2 if torch.backends.mkldnn.enabled and not torch.backends.mkldnn.deterministic else x


def mkldnn_set(x):
    torch.backends.mkldnn.enabled = False
    y = x * torch.backends.mkldnn.enabled
    torch.backends.mkldnn.enabled = True
    return y, torch.backends.mkldnn.enabled


def mkldnn_flags(x):
    with torch.backends.mkldnn.flags(enabled=False):
        return x @ x.t()


applied("flag_deterministic", deterministic)
applied("flag_deterministic_left", deterministic_left, graphs=None)
applied("flag_cudnn", cudnn_flags, graphs=None, breaks=1)
applied("flag_cudnn_set", cudnn_set, graphs=None)
applied("flag_mkldnn_asked", mkldnn_asked)
applied("flag_mkldnn_set", mkldnn_set)
applied("flag_matmul_precision", matmul_precision)
applied("flag_tf32", tf32_flags)
applied("flag_anomaly_off", anomaly, grad=True)
applied("flag_anomaly_on", anomaly_on, grad=True)
applied("flag_mkldnn", mkldnn_flags, graphs=None, breaks=1)
applied("flag_grad_left", lambda x: (torch.set_grad_enabled(False), x * 2)[1], grad=True, graphs=None)
applied("flag_fill_memory", lambda x: (x + 1, torch.utils.deterministic.fill_uninitialized_memory))


# Labels and the like


def labelled(x):
    with torch.profiler.record_function("outer"), torch.autograd.profiler.record_function("inner"):
        y = x * 2
    return y + 1


@torch.profiler.record_function("whole")
def labelled_function(x):
    return x * 2


def nvtx(x):
    with torch.autograd.profiler.emit_nvtx(enabled=False), contextlib.nullcontext():
        return x * 2


applied("label_nested", labelled)
applied("label_decorator", labelled_function)
applied("label_nvtx_off", nvtx)
applied("label_profile_off", lambda x: profiled(x))
applied("label_with_breaks", lambda x: label_broken(x), graphs=2, breaks=1)


def profiled(x):
    with torch.autograd.profiler.profile(enabled=False):
        return x * 2


def label_broken(x):
    with torch.profiler.record_function("part"):
        k = float(x.sum())
        return x * k


# Attention


def kernels(x):
    with sdpa_kernel(SDPBackend.MATH):
        a = F.scaled_dot_product_attention(x, x, x)
        with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH]):
            b = F.scaled_dot_product_attention(x, x, x)
    return a + b


def kernels_in_order(x):
    with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.MATH], set_priority=True):
        return F.scaled_dot_product_attention(x, x, x)


@sdpa_kernel(SDPBackend.MATH)
def kernel_decorator(x):
    return F.scaled_dot_product_attention(x, x, x)


applied("kernel_nested", kernels, (1, 2, 4, 8))
applied("kernel_in_order", kernels_in_order, (1, 2, 4, 8), breaks=2)
applied("kernel_decorator", kernel_decorator, (1, 2, 4, 8))
applied("kernel_by_old_manager", lambda x: old_manager(x), (1, 2, 4, 8))


def old_manager(x):
    with torch.backends.cuda.sdp_kernel(enable_flash=False, enable_math=True, enable_mem_efficient=False):
        return F.scaled_dot_product_attention(x, x, x)


# Hooks on what autograd saves


def hooked(name, body, graphs=None, breaks=0, backends=("eager", "aot_eager")):
    def run(compile):
        x = numbers(3).requires_grad_()
        f = compile(body)
        for _ in range(2):
            result = f(x)
            result.sum().backward()
        return result, x.grad

    add(globals(), name, run, graphs=graphs, breaks=breaks, backends=backends)


def pack_half(t):
    return t.to(torch.bfloat16)


def unpack_half(t):
    return t.to(torch.float32)


def saved_in_half(x):
    with saved_tensors_hooks(pack_half, unpack_half):
        y = x.sin() * x.exp()
    return y * 2


def saved_on_cpu(x):
    with save_on_cpu():
        return (x * x.sin()).exp()


def saved_doubled(x):
    with saved_tensors_hooks(lambda t: t * 1, lambda t: t * 2):
        return x * x


def saved_in_a_list(x):
    with saved_tensors_hooks(lambda t: [t, 2], lambda p: p[0] * p[1]):
        return x * x


def saved_nested(x):
    with saved_tensors_hooks(lambda t: t + 1, lambda t: t):
        a = x * x
        with saved_tensors_hooks(lambda t: t * 2, lambda t: t):
            b = a * a
    return b


def saved_disabled(x):
    with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
        return x * x


hooked("saved_in_half", saved_in_half, breaks=2)
hooked("saved_on_cpu", saved_on_cpu, breaks=2)
hooked("saved_doubled", saved_doubled, breaks=2)
hooked("saved_in_a_list", saved_in_a_list, breaks=2)
hooked("saved_nested", saved_nested, breaks=2)
hooked("saved_disabled", saved_disabled, graphs=1)


@case()
def saved_hooks_around(compile):
    f = compile(lambda x: (x * x).sum())
    x = numbers(3).requires_grad_()
    with saved_tensors_hooks(lambda t: t * 1, lambda t: t * 2):
        f(x).backward()
    first = x.grad.clone()
    f(x).backward()
    return first, x.grad


@case(breaks=2, backends=("eager",))
def saved_hooks_that_count(compile):
    packed = []

    def pack(t):
        packed.append(tuple(t.shape))
        return t

    def f(x):
        with saved_tensors_hooks(pack, lambda t: t):
            return (x * x).sum()

    x = numbers(3).requires_grad_()
    compile(f)(x).backward()
    return x.grad, packed


# Modes that see every function


class Doubling(TorchFunctionMode):
    """Adds twice."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result * 2 if func is torch.add else result


class Counting(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))


class OtherDtype(TorchFunctionMode):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in (torch.zeros, torch.ones, torch.empty, torch.full):
            kwargs.setdefault("dtype", self.dtype)
        return func(*args, **kwargs)


def mode_doubling(x):
    with Doubling():
        y = torch.add(x, 1)
    return y, torch.add(x, 1)


def mode_counting(x):
    mode = Counting()
    with mode:
        y = torch.sin(x) + x.cos()
    return y, mode.seen


def mode_dtype(x):
    with OtherDtype(torch.float64):
        y = torch.ones(3)
    return x + y, torch.ones(1).dtype


def modes_nested(x):
    with Doubling(), BaseTorchFunctionMode(), Doubling():
        return torch.add(x, 1)


applied("mode_doubling", mode_doubling)
applied("mode_counting", mode_counting)
applied("mode_dtype", mode_dtype)
applied("modes_nested", modes_nested)


@case()
def mode_made_outside(compile):
    mode = Counting()

    def f(x):
        with mode:
            return torch.sin(x) * 2

    return compile(f)(numbers(3)), mode.seen


@case(breaks=1)
def mode_around(compile):
    f = compile(lambda x: torch.add(x, 1))
    with Doubling():
        first = f(numbers(3))
    return first, f(numbers(3))
