#include "global_state.h"

#include <ATen/Context.h>
#include <ATen/PythonTorchFunctionTLS.h>
#include <ATen/SavedTensorHooks.h>
#include <ATen/autocast_mode.h>
#include <c10/core/AutogradState.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>
#include <torch/csrc/PyInterpreter.h>
#include <torch/csrc/autograd/anomaly_mode.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

// From ATen/functorch/DynamicLayer.h, which includes a header that torch does not ship.
namespace at::functorch {
struct DynamicLayer;
TORCH_API const std::vector<DynamicLayer>& getDynamicLayerStack();
}  // namespace at::functorch

namespace framelift {
namespace {

// One bit of GlobalState::flags each, from bit 0. The names are for messages.
constexpr const char* kFlagNames[] = {
    "grad mode",
    "inference mode",
    "forward-mode grad",
    "view replay",
    "autocast cache",
    "anomaly mode",
    "NaN check of anomaly mode",
    "disabling of saved-tensor hooks",
    // From here on those of at::Context.
    "deterministic algorithms",
    "deterministic algorithms (warn only)",
    "filling of uninitialized memory",
    "cuDNN",
    "cuDNN benchmark",
    "cuDNN deterministic",
    "mkldnn",
    "mkldnn deterministic",
    "flash attention",
    "memory-efficient attention",
    "math attention",
    "cuDNN attention",
    "overrideable attention",
    "reduced precision in math attention",
    "fp16 accumulation",
    "fp16 reduction on CPU",
    "NNPACK",
};
constexpr int kFirstContextFlag = 8;
static_assert(std::size(kFlagNames) <= 32);

class Flags {
 public:
  explicit Flags(int first) : next_(first) {}
  void add(bool on) { bits_ |= static_cast<uint32_t>(on) << next_++; }
  uint32_t bits() const { return bits_; }

 private:
  uint32_t bits_ = 0;
  int next_;
};

constexpr c10::DeviceType kAutocastDevices[] = {c10::kCPU, c10::kCUDA, c10::kXPU,  c10::kMPS,
                                                c10::kHPU, c10::kXLA,  c10::kMTIA, c10::kPrivateUse1};
constexpr c10::DispatchKeySet kFunctorch(c10::DispatchKey::FuncTorchDynamicLayerFrontMode);
constexpr c10::DispatchKeySet kPythonModes(c10::DispatchKey::Python);

// Where autocast is off its dtype says nothing; that it is off everywhere shows in the excluded keys.
uint64_t autocast_dtypes() {
  uint64_t packed = 0;
  for (c10::DeviceType device : kAutocastDevices) {
    packed <<= 8;
    if (at::autocast::is_autocast_enabled(device)) {
      packed |= static_cast<uint8_t>(at::autocast::get_autocast_dtype(device)) + 1U;
    }
  }
  return packed;
}

// How many bytes functorch's stack of transforms takes: the size of one layer is not known here, and not needed to see
// that their number has changed.
uint32_t functorch_bytes(c10::DispatchKeySet included) {
  if (!included.has_any(kFunctorch)) [[likely]]
    return 0;
  const auto& layers = at::functorch::getDynamicLayerStack();
  return static_cast<uint32_t>(reinterpret_cast<const std::vector<std::byte>&>(layers).size());
}

// ---- What is the process's own: at::Context ----

uint64_t float32_precision(const at::Context& context) {
  using at::Float32Backend;
  using at::Float32Op;
  using at::Float32Precision;
  uint64_t packed = 0;
  for (Float32Backend backend : {Float32Backend::CUDA, Float32Backend::MKLDNN}) {
    for (Float32Op op : {Float32Op::MATMUL, Float32Op::CONV, Float32Op::RNN}) {
      Float32Precision precision = context.float32Precision(backend, op);
      if (precision == Float32Precision::NONE) precision = Float32Precision::IEEE;  // never set, and set back: the same
      packed = packed << 8 | static_cast<uint8_t>(precision);
    }
  }
  packed = packed << 8 | static_cast<uint8_t>(context.allowFP16ReductionCuBLAS());
  return packed << 8 | static_cast<uint8_t>(context.allowBF16ReductionCuBLAS());
}

void add_context_flags(const at::Context& context, Flags* flags) {
  flags->add(context.deterministicAlgorithms());
  flags->add(context.deterministicAlgorithmsWarnOnly());
  flags->add(context.deterministicFillUninitializedMemory());
  flags->add(context.userEnabledCuDNN());
  flags->add(context.benchmarkCuDNN());
  flags->add(context.deterministicCuDNN());
  flags->add(context.userEnabledMkldnn());
  flags->add(context.deterministicMkldnn());
  flags->add(context.userEnabledFlashSDP());
  flags->add(context.userEnabledMemEfficientSDP());
  flags->add(context.userEnabledMathSDP());
  flags->add(context.userEnabledCuDNNSDP());
  flags->add(context.userEnabledOverrideableSDP());
  flags->add(context.allowFP16BF16ReductionMathSDP());
  flags->add(context.allowFP16AccumulationCuBLAS());
  flags->add(context.allowFP16ReductionCPU());
  flags->add(context.userEnabledNNPACK());
}

// Says whether any byte of an object has changed since it was last asked. Asking an object of torch for thirty settings
// takes thirty calls into another library; seeing that none can have changed takes one comparison.
template <typename T>
class Watched {
 public:
  bool changed(const T& object) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&object);
    if (std::memcmp(last_, bytes, sizeof(T)) == 0) [[likely]]
      return false;
    std::memcpy(last_, bytes, sizeof(T));
    return true;
  }

 private:
  unsigned char last_[sizeof(T)] = {};
};

// The one part of the context that lies outside of it: a map from (backend, operation) to a precision, whose entries
// stay where they are. It is private, and an explicit instantiation may name what is private.
template <auto member>
struct Reveal {
  friend auto precision_map() { return member; }
};
auto precision_map();
template struct Reveal<&at::Context::fp32_precision>;

class Precisions {
 public:
  explicit Precisions(const at::Context& context) {
    for (const auto& [key, precision] : context.*precision_map()) entries_.push_back(&precision);
  }
  uint64_t packed() const {
    uint64_t packed = 0;
    for (const at::Float32Precision* entry : entries_) packed = packed << 4 | static_cast<uint64_t>(*entry);
    return packed;
  }

 private:
  std::vector<const at::Float32Precision*> entries_;
};

struct ProcessState {
  uint64_t float32_precision;
  uint32_t flags;
  uint8_t linalg_backend;
};

struct ProcessView {
  const at::Context& context = at::globalContext();
  const Precisions precisions{context};
  Watched<at::Context> watched;
  uint64_t last_precisions = ~uint64_t{0};
  ProcessState state = {};
};

const ProcessState& process_state() {
  static ProcessView view;
  uint64_t precisions = view.precisions.packed();
  if (view.watched.changed(view.context) || precisions != view.last_precisions) [[unlikely]] {
    view.last_precisions = precisions;
    Flags flags(kFirstContextFlag);
    add_context_flags(view.context, &flags);
    view.state = {float32_precision(view.context), flags.bits(),
                  static_cast<uint8_t>(view.context.linalgPreferredBackend())};
  }
  return view.state;
}

// ---- What is the thread's own ----

// torch keeps these in thread-local variables of its libraries. Their addresses stay the same for a thread, and looking
// our one variable up is cheaper than asking for each of theirs.
struct ThreadView {
  const c10::AutogradState* autograd;
  const at::impl::SavedTensorDefaultHooksTLS* hooks;
  const at::impl::PythonTorchFunctionTLS* functions;
  Watched<at::impl::PythonTorchFunctionTLS> watched;
  uint32_t function_modes;
  uint8_t function_state;
};
thread_local ThreadView thread_view = {};

ThreadView& this_thread() {
  ThreadView& view = thread_view;
  if (view.autograd == nullptr) [[unlikely]] {
    view.autograd = &c10::AutogradState::get_tls_state();
    view.hooks = &at::SavedTensorDefaultHooks::get_tls_state();
    view.functions = &at::impl::PythonTorchFunctionTLS::get_state();
    view.function_state = static_cast<uint8_t>(at::impl::PythonTorchFunctionTLS::get_disabled_state());
    view.function_modes = static_cast<uint32_t>(at::impl::PythonTorchFunctionTLS::stack_len());
    view.watched.changed(*view.functions);
  }
  if (view.watched.changed(*view.functions)) [[unlikely]] {
    view.function_state = static_cast<uint8_t>(at::impl::PythonTorchFunctionTLS::get_disabled_state());
    view.function_modes = static_cast<uint32_t>(at::impl::PythonTorchFunctionTLS::stack_len());
  }
  return view;
}

uint32_t thread_flags(const ThreadView& thread, bool autocasting) {
  using torch::autograd::AnomalyMode;
  Flags flags(0);
  flags.add(thread.autograd->get_grad_mode());
  flags.add(thread.autograd->get_inference_mode());
  flags.add(thread.autograd->get_fw_grad_mode());
  flags.add(thread.autograd->get_view_replay_enabled());
  flags.add(autocasting && at::autocast::is_autocast_cache_enabled());
  flags.add(AnomalyMode::is_enabled());
  flags.add(AnomalyMode::should_check_nan());
  flags.add(thread.hooks->disabled_error_message.has_value());
  return flags.bits();
}

// ---- State: a snapshot as a Python object ----

struct State {
  PyObject_HEAD GlobalState value;
};

extern PyTypeObject StateType;

const GlobalState& value_of(PyObject* object) { return reinterpret_cast<State*>(object)->value; }

std::string change(const char* name, uint64_t before, uint64_t now) {
  return std::string(name) + " was " + std::to_string(before) + ", now " + std::to_string(now);
}

std::string hexadecimal(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

std::string describe_difference(const GlobalState& before, const GlobalState& now) {
  for (size_t bit = 0; bit < std::size(kFlagNames); bit++) {
    bool was = before.flags >> bit & 1;
    if (was != (now.flags >> bit & 1))
      return std::string(kFlagNames[bit]) + (was ? " was on, now off" : " was off, now on");
  }
  if (before.default_dtype != now.default_dtype) {
    return std::string("default dtype was ") + c10::toString(static_cast<c10::ScalarType>(before.default_dtype)) +
           ", now " + c10::toString(static_cast<c10::ScalarType>(now.default_dtype));
  }
  const std::pair<const char*, uint64_t GlobalState::*> words[] = {
      {"autocast dtypes", &GlobalState::autocast_dtypes},
      {"float32 precision", &GlobalState::float32_precision},
  };
  if (before.torch_function != now.torch_function) {
    return change("the state of __torch_function__", before.torch_function, now.torch_function);
  }
  const std::pair<const char*, uint32_t GlobalState::*> counts[] = {
      {"the number of torch-function modes", &GlobalState::torch_function_modes},
      {"the number of dispatch modes", &GlobalState::dispatch_modes},
      {"the size of functorch's stack of transforms", &GlobalState::functorch_bytes},
      {"the number of saved-tensor hooks", &GlobalState::saved_tensor_hooks},
  };
  for (auto [name, field] : counts) {
    if (before.*field != now.*field) return change(name, before.*field, now.*field);
  }
  for (auto [name, field] : words) {
    if (before.*field != now.*field) {
      return std::string(name) + " were " + hexadecimal(before.*field) + ", now " + hexadecimal(now.*field);
    }
  }
  if (before.linalg_backend != now.linalg_backend) {
    return change("the preferred linear-algebra backend", before.linalg_backend, now.linalg_backend);
  }
  return "this thread's dispatch keys were " + hexadecimal(before.included_keys) + " without " +
         hexadecimal(before.excluded_keys) + ", now " + hexadecimal(now.included_keys) + " without " +
         hexadecimal(now.excluded_keys);
}

PyObject* difference(PyObject* self, PyObject* other) {
  const GlobalState* now = global_state_in(other);
  if (now == nullptr) return PyErr_Format(PyExc_TypeError, "difference() takes a State, got %R", other);
  if (value_of(self) == *now) Py_RETURN_NONE;
  return PyUnicode_FromString(describe_difference(value_of(self), *now).c_str());
}

PyObject* compare(PyObject* self, PyObject* other, int operation) {
  const GlobalState* now = global_state_in(other);
  if (now == nullptr || (operation != Py_EQ && operation != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((value_of(self) == *now) == (operation == Py_EQ));
}

Py_hash_t hash(PyObject* self) {
  const GlobalState& state = value_of(self);
  auto mixed = static_cast<Py_hash_t>(state.flags ^ state.included_keys ^ state.excluded_keys << 1);
  return mixed == -1 ? -2 : mixed;
}

void dealloc(PyObject* self) { PyObject_Free(self); }

PyMethodDef methods[] = {
    {"difference", difference, METH_O,
     "difference(other, /)\n--\n\nIn words, one way in which `other` differs from this state; None when it does not."},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject StateType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.State",
    .tp_basicsize = sizeof(State),
    .tp_dealloc = dealloc,
    .tp_hash = hash,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Everything global that changes what a torch operation does.",
    .tp_richcompare = compare,
    .tp_methods = methods,
};

PyObject* global_state(PyObject*, PyObject*) {
  State* state = PyObject_New(State, &StateType);
  if (state == nullptr) return nullptr;
  state->value = read_global_state();
  return reinterpret_cast<PyObject*>(state);
}

PyMethodDef functions[] = {
    {"global_state", global_state, METH_NOARGS, "global_state()\n--\n\nThe state that holds on this thread now."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

GlobalState read_global_state() {
  const c10::impl::LocalDispatchKeySet local = c10::impl::tls_local_dispatch_key_set();
  const ProcessState& process = process_state();
  const ThreadView& thread = this_thread();
  const bool autocasting = !local.excluded_.has_all(c10::autocast_dispatch_keyset);
  GlobalState state;
  state.included_keys = local.included_.raw_repr();
  state.excluded_keys = local.excluded_.raw_repr();
  state.autocast_dtypes = autocasting ? autocast_dtypes() : 0;
  state.torch_function_modes = thread.function_modes;
  state.dispatch_modes = 0;
  if (local.included_.has_any(kPythonModes)) {
    state.dispatch_modes = static_cast<uint32_t>(c10::impl::TorchDispatchModeTLS::stack_len());
  }
  state.functorch_bytes = functorch_bytes(local.included_);
  state.saved_tensor_hooks = static_cast<uint32_t>(thread.hooks->stack.size());
  state.float32_precision = process.float32_precision;
  state.flags = thread_flags(thread, autocasting) | process.flags;
  state.default_dtype = static_cast<uint8_t>(c10::get_default_dtype_as_scalartype());
  state.torch_function = thread.function_state;
  state.linalg_backend = process.linalg_backend;
  state.unused = 0;
  return state;
}

const GlobalState* global_state_in(PyObject* object) {
  return Py_IS_TYPE(object, &StateType) ? &value_of(object) : nullptr;
}

PyObject* torch_function_mode(Py_ssize_t index) {
  if (index >= at::impl::PythonTorchFunctionTLS::stack_len()) return nullptr;
  return at::impl::PythonTorchFunctionTLS::get_stack_at(index)->ptr(getPyInterpreter());
}

PyObject* dispatch_mode(Py_ssize_t index) {
  if (index >= c10::impl::TorchDispatchModeTLS::stack_len()) return nullptr;
  return c10::impl::TorchDispatchModeTLS::get_stack_at(index)->ptr(getPyInterpreter());
}

bool init_global_state(PyObject* module) {
  return PyModule_AddType(module, &StateType) == 0 && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace framelift
