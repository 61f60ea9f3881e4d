"""What is compared of tensors, on the warm path and in words."""

from __future__ import annotations

import gc
import weakref

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from framelift import _core
from tests.native.guarding import guards, node


def accepts(meta, subject):
    native = guards(node("local", 0, checks=(("tensor", meta),))).check((subject,), None) is not None
    assert native == (meta.mismatch(subject) is None)
    return native


BASE = torch.zeros(2, 3)

OTHERS = [
    (torch.zeros(2, 3, dtype=torch.float64), "dtype was torch.float32, now torch.float64"),
    (torch.zeros(2, 3, device="meta"), "device was cpu, now meta"),
    (torch.zeros(2, 3).to_sparse(), "layout was torch.strided, now torch.sparse_coo"),
    (torch.zeros(2, 3, requires_grad=True), "requires_grad was False, now True"),
    (torch.zeros(2, 4), "shape was (2, 3), now (2, 4)"),
    (torch.zeros(2, 3, 1), "shape was (2, 3), now (2, 3, 1)"),
    (torch.zeros(()), "shape was (2, 3), now ()"),
    (torch.zeros(3, 2).T, "stride was (3, 1), now (1, 2)"),
    (torch.nn.Parameter(torch.zeros(2, 3), requires_grad=False), "type was Tensor, now Parameter"),
    (torch._neg_view(torch.zeros(2, 3)), "dispatch key set was "),
    (5, "type was Tensor, now int"),
    (None, "type was Tensor, now NoneType"),
]


def test_like_tensors_match():
    meta = _core.tensor_meta(BASE)
    assert accepts(meta, BASE)
    assert accepts(meta, torch.ones(2, 3))
    assert accepts(meta, torch.zeros(4, 3)[2:])


@pytest.mark.parametrize(("other", "message"), OTHERS, ids=lambda value: value if isinstance(value, str) else "")
def test_each_property_is_compared(other, message):
    meta = _core.tensor_meta(BASE)
    assert not accepts(meta, other)
    assert message in meta.mismatch(other)


def test_conjugate_and_inference():
    meta = _core.tensor_meta(torch.zeros(2, dtype=torch.complex64))
    assert not accepts(meta, torch.zeros(2, dtype=torch.complex64).conj())
    with torch.inference_mode():
        inference = torch.zeros(2, 3)
    assert not accepts(_core.tensor_meta(BASE), inference)


def test_requires_grad_can_change():
    tensor = torch.zeros(2, 3)
    meta = _core.tensor_meta(tensor)
    assert accepts(meta, tensor)
    tensor.requires_grad_()
    assert not accepts(meta, tensor)
    assert not accepts(meta, tensor * 2)


def test_dynamic_dimensions():
    meta = _core.tensor_meta(BASE, dynamic=(0,))
    assert accepts(meta, torch.zeros(7, 3))
    assert accepts(meta, torch.zeros(3, 7).T)
    assert not accepts(meta, torch.zeros(2, 4))
    assert not accepts(meta, torch.zeros(2, 3, 1))
    assert meta.mismatch(torch.zeros(2, 4)) == "shape was (any, 3), now (2, 4)"
    strict = _core.tensor_meta(BASE, dynamic=(0,), strides=True)
    assert accepts(strict, torch.zeros(7, 3))
    assert not accepts(strict, torch.zeros(3, 7).T)
    loose = _core.tensor_meta(BASE, strides=False)
    assert accepts(loose, torch.zeros(3, 2).T)


def test_bad_arguments():
    with pytest.raises(ValueError, match="no dimension 2 in a tensor of 2"):
        _core.tensor_meta(BASE, dynamic=(2,))
    with pytest.raises(TypeError, match="takes a tensor, got int"):
        _core.tensor_meta(5)


LAYOUTS = {
    "sparse": lambda n: torch.zeros(n, 3).to_sparse(),
    "csr": lambda n: torch.eye(n).to_sparse_csr(),
    "nested": lambda n: torch.nested.nested_tensor([torch.zeros(n), torch.zeros(2)]),
    "jagged": lambda n: torch.nested.nested_tensor([torch.zeros(n), torch.zeros(2)], layout=torch.jagged),
    "mkldnn": lambda n: torch.zeros(n, 3).to_mkldnn(),
    "quantized": lambda n: torch.quantize_per_tensor(torch.zeros(n, 3), 0.1, 0, torch.qint8),
    "zero": lambda n: torch.zeros(0, n),
}


@pytest.mark.parametrize("kind", LAYOUTS)
@pytest.mark.filterwarnings("ignore")
def test_other_layouts(kind):
    try:
        subject = LAYOUTS[kind](4)
    except (RuntimeError, NotImplementedError) as error:
        pytest.skip(str(error))
    meta = _core.tensor_meta(subject)
    assert accepts(meta, subject)
    assert not accepts(meta, BASE)
    assert not accepts(_core.tensor_meta(BASE), subject)
    if kind not in ("nested", "jagged"):
        assert not accepts(meta, LAYOUTS[kind](5))


class Wrapper(torch.Tensor):
    """A subclass that answers for its sizes and device in Python, and must not be asked."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            dtype=inner.dtype,
            device=inner.device,
            dispatch_sizes_strides_policy="sizes",
            dispatch_device=True,
        )

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise AssertionError("a guard ran user code")


def test_wrapper_subclasses_are_not_asked():
    subject = Wrapper(torch.zeros(2, 3))
    meta = _core.tensor_meta(subject)
    assert accepts(meta, subject)
    assert accepts(meta, Wrapper(torch.zeros(2, 3)))
    assert not accepts(meta, Wrapper(torch.zeros(2, 4)))
    assert not accepts(meta, Wrapper(torch.zeros(2, 3, device="meta")))
    assert not accepts(meta, BASE)
    assert not accepts(_core.tensor_meta(BASE), subject)


def test_active_modes_are_not_asked():
    class Explosive(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise AssertionError("a guard ran user code")

    meta = _core.tensor_meta(BASE)
    with Explosive():
        assert accepts(meta, BASE)


def test_fake_tensors_with_symbolic_sizes():
    mode = torch._subclasses.FakeTensorMode(shape_env=torch.fx.experimental.symbolic_shapes.ShapeEnv())
    fake = mode.from_tensor(torch.zeros(5, 6))
    meta = _core.tensor_meta(fake)
    assert accepts(meta, fake)
    assert not accepts(meta, BASE)


def test_meta_keeps_nothing_alive():
    def make():
        class Short(torch.Tensor):
            pass

        subject = torch.zeros(2).as_subclass(Short)
        return weakref.ref(Short), weakref.ref(subject), _core.tensor_meta(subject)

    kind, subject, meta = make()
    gc.collect()
    assert kind() is None
    assert subject() is None
    assert meta.mismatch(BASE) == "its type no longer exists"
