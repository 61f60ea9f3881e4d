"""The packed global state: every setting that changes what an operation does is seen, and seen to be undone."""

from __future__ import annotations

import contextlib
import threading

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from framelift import _core
from tests.native.guarding import guards


@contextlib.contextmanager
def setting(get, change, value):
    before = get()
    change(value)
    try:
        yield
    finally:
        change(before)


def backend_flag(module, name, value):
    return lambda: setting(lambda: getattr(module, name), lambda new: setattr(module, name, new), value)


def toggled(module, name):
    return backend_flag(module, name, not getattr(module, name))


class FunctionMode(torch.overrides.TorchFunctionMode):
    pass


class DispatchMode(TorchDispatchMode):
    pass


@contextlib.contextmanager
def vmapped():
    level = torch._C._functorch._vmap_increment_nesting(3, "error")
    try:
        yield level
    finally:
        torch._C._functorch._vmap_decrement_nesting()


cuda = torch.backends.cuda
STATES = {
    "grad mode": torch.no_grad,
    "inference mode": torch.inference_mode,
    "forward-mode grad": lambda: torch.autograd.forward_ad._set_fwd_grad_enabled(False),
    "autocast cpu": lambda: torch.autocast("cpu", torch.bfloat16),
    "autocast cuda": lambda: setting(
        lambda: torch.is_autocast_enabled("cuda"), lambda on: torch.set_autocast_enabled("cuda", on), True
    ),
    "default dtype": lambda: setting(torch.get_default_dtype, torch.set_default_dtype, torch.float64),
    "default device": lambda: torch.device("meta"),
    "deterministic": lambda: setting(
        torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms, True
    ),
    "fill uninitialized": toggled(torch.utils.deterministic, "fill_uninitialized_memory"),
    "torch function off": torch._C.DisableTorchFunction,
    "torch function off for subclasses": torch._C.DisableTorchFunctionSubclass,
    "torch function mode": FunctionMode,
    "dispatch mode": DispatchMode,
    "functorch": vmapped,
    "saved tensor hooks": lambda: torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x),
    "no saved tensor hooks": lambda: torch.autograd.graph.disable_saved_tensors_hooks("no"),
    "anomaly": lambda: torch.autograd.detect_anomaly(check_nan=False),
    "cudnn": toggled(torch.backends.cudnn, "enabled"),
    "cudnn benchmark": toggled(torch.backends.cudnn, "benchmark"),
    "cudnn deterministic": toggled(torch.backends.cudnn, "deterministic"),
    "mkldnn": lambda: torch.backends.mkldnn.flags(enabled=not torch._C._get_mkldnn_enabled()),
    "matmul precision high": lambda: setting(
        torch.get_float32_matmul_precision, torch.set_float32_matmul_precision, "high"
    ),
    "matmul precision medium": lambda: setting(
        torch.get_float32_matmul_precision, torch.set_float32_matmul_precision, "medium"
    ),
    "flash": lambda: setting(cuda.flash_sdp_enabled, cuda.enable_flash_sdp, not cuda.flash_sdp_enabled()),
    "efficient": lambda: setting(
        cuda.mem_efficient_sdp_enabled, cuda.enable_mem_efficient_sdp, not cuda.mem_efficient_sdp_enabled()
    ),
    "math": lambda: setting(cuda.math_sdp_enabled, cuda.enable_math_sdp, not cuda.math_sdp_enabled()),
    "cudnn sdp": lambda: setting(cuda.cudnn_sdp_enabled, cuda.enable_cudnn_sdp, not cuda.cudnn_sdp_enabled()),
    "fp16 reduction": toggled(cuda.matmul, "allow_fp16_reduced_precision_reduction"),
    "bf16 reduction": toggled(cuda.matmul, "allow_bf16_reduced_precision_reduction"),
    "fp16 accumulation": toggled(cuda.matmul, "allow_fp16_accumulation"),
    "tf32 in cudnn": toggled(torch.backends.cudnn, "allow_tf32"),
}


def test_nothing_changed():
    before = _core.global_state()
    assert before == _core.global_state()
    assert before.difference(_core.global_state()) is None


@pytest.mark.parametrize("name", STATES)
@pytest.mark.filterwarnings("ignore")
def test_each_setting_is_seen(name):
    before = _core.global_state()
    program = guards(state=before)
    assert program.check((), None) == []
    with STATES[name]():
        now = _core.global_state()
        assert now != before
        assert isinstance(before.difference(now), str)
        assert program.failure((), None) == (-1, -1)
        inside = guards(state=now)
        assert inside.check((), None) == []
    assert _core.global_state() == before
    assert program.check((), None) == []
    assert inside.check((), None) is None


def test_words():
    before = _core.global_state()
    with torch.no_grad():
        assert before.difference(_core.global_state()) == "grad mode was on, now off"
    with STATES["default dtype"]():
        assert before.difference(_core.global_state()) == "default dtype was Float, now Double"
    with FunctionMode():
        assert before.difference(_core.global_state()) == "the number of torch-function modes was 0, now 1"
    with vmapped():
        assert before.difference(_core.global_state()) is not None
    with pytest.raises(TypeError, match="takes a State"):
        before.difference(5)


def test_the_autocast_cache_counts_under_autocast():
    for device in ("cpu", "cuda"):
        with setting(
            lambda: torch.is_autocast_enabled(device), lambda on: torch.set_autocast_enabled(device, on), True
        ):
            before = _core.global_state()
            with setting(torch.is_autocast_cache_enabled, torch.set_autocast_cache_enabled, False):
                assert before.difference(_core.global_state()) == "autocast cache was on, now off"
            assert before == _core.global_state()


def test_new_precision_settings():
    before = _core.global_state()
    for subject in (torch.backends.cuda.matmul, torch.backends.cudnn.conv, torch.backends.mkldnn.matmul):
        with setting(lambda: subject.fp32_precision, lambda new: setattr(subject, "fp32_precision", new), "tf32"):
            now = _core.global_state()
        assert subject is torch.backends.cudnn.conv or before != now
        assert before == _core.global_state()


def test_depths_and_dtypes_are_told_apart():
    with torch.autocast("cpu", torch.bfloat16):
        one = _core.global_state()
    with torch.autocast("cpu", torch.float16):
        other = _core.global_state()
    assert "autocast dtypes" in one.difference(other)
    with vmapped():
        one = _core.global_state()
        with vmapped():
            other = _core.global_state()
    assert "functorch" in one.difference(other)
    with DispatchMode():
        one = _core.global_state()
        with DispatchMode():
            other = _core.global_state()
    assert "dispatch modes" in one.difference(other)


def test_state_is_of_the_thread():
    before, seen = _core.global_state(), []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(_core.global_state()))
        thread.start()
        thread.join()
    assert before.difference(seen[0]) is None
    assert hash(before) == hash(seen[0])
