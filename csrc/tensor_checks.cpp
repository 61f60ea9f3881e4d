// TensorMeta: what a graph was compiled for, of one of its tensors. Comparing takes a few loads from the tensor itself.
//
// A tensor subclass may answer `size()` or `device` with Python code. What is compared here are the fields the tensor
// was made with, which reading runs nothing; a subclass that keeps more than that is guarded through its attributes.
//
// An array of NumPy is compared as the tensor that would share its memory, and by whether it may be written to.
#include "tensor_checks.h"

#include "held.h"

#include <ATen/SparseTensorImpl.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/DynamicTypes.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/tensor_numpy.h>

#include <algorithm>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace framelift {
namespace {

// The device field itself: TensorImpl::device() may call into Python.
struct Fields : c10::TensorImpl {
  static std::optional<c10::Device> device_of(const c10::TensorImpl* tensor) { return tensor->*(&Fields::device_opt_); }
};

struct TensorMeta {
  PyObject_HEAD Held type;
  c10::DispatchKeySet keys;
  c10::ScalarType dtype;
  std::optional<c10::Device> device;
  c10::Layout layout;
  bool requires_grad;
  bool writeable;                // of an array
  bool coalesced;                // of a sparse tensor, as is the next
  int64_t sparse_dims;           // -1: it is not sparse
  bool symbolic;                 // sizes are expressions: nothing to compare here
  bool has_sizes;                // nested tensors have none
  bool has_strides;              // sparse tensors have none, and none are compared where sizes may vary
  std::vector<int64_t> sizes;    // -1 where any will do
  std::vector<int64_t> strides;  // the same
};

extern PyTypeObject TensorMetaType;

TensorMeta* as_meta(PyObject* object) { return reinterpret_cast<TensorMeta*>(object); }

const c10::TensorImpl* tensor_in(PyObject* object) { return THPVariable_Unpack(object).unsafeGetTensorImpl(); }

// Whether this is an array of NumPy's own class, which is known by its name: NumPy need not be there.
bool is_array(PyObject* object) {
  static PyTypeObject* array = nullptr;
  PyTypeObject* type = Py_TYPE(object);
  if (array == nullptr && !PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) &&
      std::string_view(type->tp_name) == "numpy.ndarray") {
    array = type;
  }
  return array != nullptr && type == array;
}

bool is_writeable(PyObject* array) {
  auto flags = Ref<>::steal(PyObject_GetAttrString(array, "flags"));
  auto found = Ref<>::steal(flags ? PyObject_GetAttrString(flags.get(), "writeable") : nullptr);
  if (!found) PyErr_Clear();
  return found.get() == Py_True;
}

// The tensor over an array's memory; undefined, and no exception set, where there can be none.
at::Tensor tensor_over(PyObject* array) {
  try {
    return torch::utils::tensor_from_numpy(array, /*warn_if_not_writeable=*/false);
  } catch (...) {
    PyErr_Clear();
    return {};
  }
}

// How many of a sparse tensor's dimensions are; -1 for others.
int64_t sparse_dims_of(const c10::TensorImpl* tensor) {
  if (tensor->layout() != c10::kSparse || !tensor->is_sparse() || tensor->is_python_dispatch()) return -1;
  return static_cast<const at::SparseTensorImpl*>(tensor)->sparse_dim();
}

bool coalesced(const c10::TensorImpl* sparse) { return static_cast<const at::SparseTensorImpl*>(sparse)->coalesced(); }

bool sizes_match(const TensorMeta* meta, c10::IntArrayRef sizes) {
  if (sizes.size() != meta->sizes.size()) return false;
  for (size_t i = 0; i < sizes.size(); i++) {
    if (sizes[i] != meta->sizes[i] && meta->sizes[i] >= 0) return false;
  }
  return true;
}

bool strides_match(const TensorMeta* meta, c10::IntArrayRef strides) {
  if (strides.size() != meta->strides.size()) return false;
  for (size_t i = 0; i < strides.size(); i++) {
    if (strides[i] != meta->strides[i] && meta->strides[i] >= 0) return false;
  }
  return true;
}

bool matches(const TensorMeta* meta, const c10::TensorImpl* tensor) {
  if (tensor->key_set() != meta->keys || c10::typeMetaToScalarType(tensor->dtype()) != meta->dtype ||
      Fields::device_of(tensor) != meta->device || tensor->layout() != meta->layout ||
      tensor->requires_grad() != meta->requires_grad || tensor->has_symbolic_sizes_strides() != meta->symbolic) {
    return false;
  }
  if (meta->sparse_dims >= 0 && (sparse_dims_of(tensor) != meta->sparse_dims || coalesced(tensor) != meta->coalesced)) {
    return false;
  }
  if (meta->has_sizes && !sizes_match(meta, tensor->sizes_default())) return false;
  return !meta->has_strides || strides_match(meta, tensor->strides_default());
}

std::string repr_of(PyObject* object) {
  auto text = Ref<>::steal(PyObject_Repr(object));
  const char* chars = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (chars == nullptr) PyErr_Clear();
  return chars != nullptr ? chars : "?";
}

std::string name_of(c10::ScalarType dtype) { return repr_of(reinterpret_cast<PyObject*>(torch::getTHPDtype(dtype))); }
std::string name_of(c10::Layout layout) { return repr_of(reinterpret_cast<PyObject*>(torch::getTHPLayout(layout))); }
std::string name_of(const std::optional<c10::Device>& device) { return device ? device->str() : "no device"; }
std::string name_of(int64_t number) { return std::to_string(number); }
std::string name_of(bool value) { return value ? "True" : "False"; }
std::string name_of(c10::DispatchKeySet keys) { return c10::toString(keys); }
std::string name_of(c10::IntArrayRef numbers) {
  std::string text = "(";
  for (size_t i = 0; i < numbers.size(); i++) {
    if (i > 0) text += ", ";
    text += numbers[i] < 0 ? "any" : std::to_string(numbers[i]);
  }
  return text + ")";
}

template <typename T>
std::string change(const char* name, const T& before, const T& now) {
  return std::string(name) + " was " + name_of(before) + ", now " + name_of(now);
}

// How `tensor` differs, the most telling property first; empty when it does not.
std::string describe_mismatch(const TensorMeta* meta, const c10::TensorImpl* tensor) {
  c10::ScalarType dtype = c10::typeMetaToScalarType(tensor->dtype());
  if (dtype != meta->dtype) return change("dtype", meta->dtype, dtype);
  if (Fields::device_of(tensor) != meta->device) return change("device", meta->device, Fields::device_of(tensor));
  if (tensor->layout() != meta->layout) return change("layout", meta->layout, tensor->layout());
  if (tensor->requires_grad() != meta->requires_grad) {
    return change("requires_grad", meta->requires_grad, tensor->requires_grad());
  }
  if (tensor->has_symbolic_sizes_strides() != meta->symbolic) {
    return change("having symbolic sizes", meta->symbolic, !meta->symbolic);
  }
  if (tensor->key_set() != meta->keys) return change("dispatch key set", meta->keys, tensor->key_set());
  if (meta->sparse_dims >= 0) {
    const int64_t dims = sparse_dims_of(tensor);
    if (dims != meta->sparse_dims) return change("the number of sparse dimensions", meta->sparse_dims, dims);
    if (coalesced(tensor) != meta->coalesced) return change("being coalesced", meta->coalesced, !meta->coalesced);
  }
  if (meta->has_sizes && !sizes_match(meta, tensor->sizes_default())) {
    return change("shape", c10::IntArrayRef(meta->sizes), tensor->sizes_default());
  }
  if (meta->has_strides && !strides_match(meta, tensor->strides_default())) {
    return change("stride", c10::IntArrayRef(meta->strides), tensor->strides_default());
  }
  return "";
}

PyObject* mismatch(PyObject* self, PyObject* object) {
  TensorMeta* meta = as_meta(self);
  PyObject* type = meta->type.get();
  if (type == nullptr) return PyUnicode_FromString("its type no longer exists");
  if (!meta->type.is(reinterpret_cast<PyObject*>(Py_TYPE(object)))) {
    return PyUnicode_FromFormat("type was %s, now %s", reinterpret_cast<PyTypeObject*>(type)->tp_name,
                                Py_TYPE(object)->tp_name);
  }
  at::Tensor over;
  if (is_array(object)) {
    over = tensor_over(object);
    if (!over.defined()) return PyUnicode_FromString("an array that no tensor can share the memory of");
    if (is_writeable(object) != meta->writeable) {
      return PyUnicode_FromString(change("being writeable", meta->writeable, !meta->writeable).c_str());
    }
  }
  std::string text = describe_mismatch(meta, over.defined() ? over.unsafeGetTensorImpl() : tensor_in(object));
  if (text.empty()) Py_RETURN_NONE;
  return PyUnicode_FromString(text.c_str());
}

bool mark_dynamic(PyObject* dims, std::vector<int64_t>* numbers) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(dims); i++) {
    Py_ssize_t dim = PyNumber_AsSsize_t(PyTuple_GET_ITEM(dims, i), PyExc_ValueError);
    if (dim == -1 && PyErr_Occurred()) return false;
    if (dim < 0 || dim >= static_cast<Py_ssize_t>(numbers->size())) {
      PyErr_Format(PyExc_ValueError, "no dimension %zd in a tensor of %zu", dim, numbers->size());
      return false;
    }
    (*numbers)[static_cast<size_t>(dim)] = -1;
  }
  return true;
}

void capture(TensorMeta* meta, const c10::TensorImpl* tensor, bool with_strides) {
  meta->keys = tensor->key_set();
  meta->dtype = c10::typeMetaToScalarType(tensor->dtype());
  meta->device = Fields::device_of(tensor);
  meta->layout = tensor->layout();
  meta->requires_grad = tensor->requires_grad();
  meta->sparse_dims = sparse_dims_of(tensor);
  meta->coalesced = meta->sparse_dims >= 0 && coalesced(tensor);
  meta->symbolic = tensor->has_symbolic_sizes_strides();
  meta->has_sizes = !meta->symbolic && !tensor->is_nested();
  meta->has_strides = with_strides && meta->has_sizes && meta->layout == c10::kStrided;
  if (meta->has_sizes) meta->sizes = tensor->sizes_default().vec();
  if (meta->has_strides) meta->strides = tensor->strides_default().vec();
}

PyObject* tensor_meta(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"tensor", "dynamic", "strides", nullptr};
  PyObject *tensor, *dynamic = nullptr, *strides = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O!O:tensor_meta", const_cast<char**>(names), &tensor, &PyTuple_Type,
                                   &dynamic, &strides)) {
    return nullptr;
  }
  at::Tensor over = is_array(tensor) ? tensor_over(tensor) : at::Tensor();
  if (!over.defined() && !PyObject_TypeCheck(tensor, reinterpret_cast<PyTypeObject*>(THPVariableClass))) {
    return PyErr_Format(PyExc_TypeError, "tensor_meta() takes a tensor, got %.200s", Py_TYPE(tensor)->tp_name);
  }
  bool is_dynamic = dynamic != nullptr && PyTuple_GET_SIZE(dynamic) > 0;
  bool some_strides = PyTuple_CheckExact(strides);
  int with_strides = some_strides ? 1 : strides == Py_None ? !is_dynamic : PyObject_IsTrue(strides);
  if (with_strides < 0) return nullptr;
  TensorMeta* meta = PyObject_GC_New(TensorMeta, &TensorMetaType);
  if (meta == nullptr) return nullptr;
  PyObject head = meta->ob_base;
  new (meta) TensorMeta();
  meta->ob_base = head;
  auto owned = Ref<>::steal(meta);
  bool held = Held::hold(reinterpret_cast<PyObject*>(Py_TYPE(tensor)), &meta->type);
  PyObject_GC_Track(meta);
  if (!held) return nullptr;
  meta->writeable = over.defined() && is_writeable(tensor);
  capture(meta, over.defined() ? over.unsafeGetTensorImpl() : tensor_in(tensor), with_strides != 0);
  if (is_dynamic && !mark_dynamic(dynamic, &meta->sizes)) return nullptr;
  if (some_strides && meta->has_strides && !mark_dynamic(strides, &meta->strides)) return nullptr;
  return owned.release();
}

int traverse(PyObject* self, visitproc visit, void* arg) { return as_meta(self)->type.visit(visit, arg); }

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  as_meta(self)->~TensorMeta();
  PyObject_GC_Del(self);
}

PyObject* repr(PyObject* self) {
  TensorMeta* meta = as_meta(self);
  std::string text =
      name_of(meta->dtype) + ", " + name_of(c10::IntArrayRef(meta->sizes)) + ", " + name_of(meta->device);
  return PyUnicode_FromFormat("<framelift tensor meta: %s>", text.c_str());
}

PyMethodDef methods[] = {
    {"mismatch", mismatch, METH_O,
     "mismatch(object, /)\n--\n\nIn words, one way in which the object differs from the tensor; None when it does "
     "not."},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject TensorMetaType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.TensorMeta",
    .tp_basicsize = sizeof(TensorMeta),
    .tp_dealloc = dealloc,
    .tp_repr = repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "What is compared of a tensor.",
    .tp_traverse = traverse,
    .tp_methods = methods,
};

PyMethodDef functions[] = {
    {"tensor_meta", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tensor_meta)),
     METH_VARARGS | METH_KEYWORDS,
     "tensor_meta(tensor, dynamic=(), strides=None)\n--\n\nWhat is to be compared of tensors like this one: not the "
     "sizes "
     "of the `dynamic` dimensions, and strides unless there are such dimensions. `strides` says otherwise: True, "
     "False, or "
     "the dimensions whose strides are not compared."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool init_tensor_checks(PyObject* module) {
  return PyModule_AddType(module, &TensorMetaType) == 0 && PyModule_AddFunctions(module, functions) == 0;
}

bool is_tensor_meta(PyObject* object) { return Py_IS_TYPE(object, &TensorMetaType); }

bool tensor_matches(PyObject* object, PyObject* tensor) {
  const TensorMeta* meta = as_meta(object);
  if (!meta->type.is(reinterpret_cast<PyObject*>(Py_TYPE(tensor)))) return false;
  if (!is_array(tensor)) return matches(meta, tensor_in(tensor));
  at::Tensor over = tensor_over(tensor);
  return over.defined() && is_writeable(tensor) == meta->writeable && matches(meta, over.unsafeGetTensorImpl());
}

bool tensor_number(PyObject* object, TensorNumber which, int32_t dim, int64_t* number) {
  at::Tensor over = is_array(object) ? tensor_over(object) : at::Tensor();
  if (!over.defined() && !PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(THPVariableClass))) return false;
  const c10::TensorImpl* tensor = over.defined() ? over.unsafeGetTensorImpl() : tensor_in(object);
  if (tensor->has_symbolic_sizes_strides() || tensor->is_nested()) return false;
  if (which == TensorNumber::kOffset) {
    *number = tensor->storage_offset();
    return true;
  }
  if (which == TensorNumber::kStride && tensor->layout() != c10::kStrided) return false;
  c10::IntArrayRef numbers = which == TensorNumber::kSize ? tensor->sizes_default() : tensor->strides_default();
  if (static_cast<size_t>(dim) >= numbers.size()) return false;
  *number = numbers[static_cast<size_t>(dim)];
  return true;
}

bool same_device(PyObject* left, PyObject* right) {
  return THPDevice_Check(left) && THPDevice_Check(right) &&
         reinterpret_cast<THPDevice*>(left)->device == reinterpret_cast<THPDevice*>(right)->device;
}

bool is_device(PyObject* object) { return THPDevice_Check(object); }

const void* memory_of(PyObject* object) {
  if (!THPVariable_Check(object)) return nullptr;
  const c10::TensorImpl* tensor = tensor_in(object);
  return tensor->has_storage() ? static_cast<const void*>(tensor->unsafe_storage().unsafeGetStorageImpl()) : tensor;
}

bool generator_on(PyObject* object, PyObject* device) {
  return THPGenerator_Check(object) &&
         reinterpret_cast<THPGenerator*>(object)->cdata.device() == reinterpret_cast<THPDevice*>(device)->device;
}

bool is_plain_tensor(PyObject* object) { return THPVariable_CheckTypeExact(Py_TYPE(object)); }

int tensor_leaf(PyObject* object) {
  if (!THPVariable_Check(object)) return -1;
  const auto& tensor = THPVariable_Unpack(object);
  return tensor.defined() && tensor.is_leaf();
}

int tensor_hooked(PyObject* object) {
  if (!THPVariable_Check(object)) return -1;
  const auto* variable = reinterpret_cast<THPVariable*>(object);
  return variable->backward_hooks != nullptr || variable->post_accumulate_grad_hooks != nullptr;
}

// A tensor of C++ keeps the Python object it once had for as long as it lives itself.
PyObject* tensor_grad(PyObject* object) {
  if (!THPVariable_Check(object)) return nullptr;
  const auto& tensor = THPVariable_Unpack(object);
  if (!tensor.defined()) return nullptr;
  const at::Tensor& grad = tensor.unsafeGetTensorImpl()->grad();
  auto wrapped = Ref<>::steal(THPVariable_Wrap(grad));
  if (!wrapped) PyErr_Clear();
  return wrapped.get();
}

}  // namespace framelift
