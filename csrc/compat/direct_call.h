// Calls of Python functions in frames made here: what CPython does for calls between Python functions, without its
// general binding of arguments.
#pragma once

#include "thread.h"

namespace framelift::compat {

// How many arguments such a call gives to this code; -1 when it takes others than plain positional ones.
inline Py_ssize_t plain_parameters(const PyCodeObject* code) {
  constexpr int kPlain = CO_OPTIMIZED | CO_NEWLOCALS;
  constexpr int kOther = CO_VARARGS | CO_VARKEYWORDS;
  const bool plain = code->co_kwonlyargcount == 0 && (code->co_flags & (kPlain | kOther)) == kPlain;
  return plain ? code->co_argcount : -1;
}

// The thread that may call this function directly, which is the present one; null when CPython has to make the call.
inline PyThreadState* thread_for(PyFunctionObject* function) {
  PyThreadState* thread = known_thread();
  if (thread == nullptr || frames_are_hooked(thread)) [[unlikely]]
    return nullptr;
  const int slots = slots_of(reinterpret_cast<PyCodeObject*>(function->func_code));
  return _PyThreadState_HasStackSpace(thread, slots) ? thread : nullptr;
}

// Calls a function with as many arguments as it has plain parameters.
inline PyObject* call_directly(PyThreadState* thread, PyFunctionObject* function, PyObject* const* args,
                               Py_ssize_t count) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  Frame* frame = push_frame(thread, function, code);
  const Py_ssize_t locals = code->co_nlocalsplus;
  Py_ssize_t i = 0;
  for (; i < count; i++) frame->localsplus[i] = Py_NewRef(args[i]);
  for (; i < locals; i++) {
    frame->localsplus[i] = nullptr;
    asm volatile("" ::: "memory");  // or it becomes a call of memset, for which the whole function saves registers
  }
  return run_frame(thread, frame);
}

}  // namespace framelift::compat
