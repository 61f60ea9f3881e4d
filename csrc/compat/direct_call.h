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

// Calls a function with as many arguments as it has plain parameters. False when CPython has to do it.
inline bool call_directly(PyFunctionObject* function, PyObject* const* args, Py_ssize_t count, PyObject** result) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  PyThreadState* thread = current_thread();
  if (!_PyThreadState_HasStackSpace(thread, slots_of(code)) || frames_are_hooked(thread)) [[unlikely]]
    return false;
  Frame* frame = push_frame(thread, function, code, static_cast<int>(count));
  for (Py_ssize_t i = 0; i < count; i++) frame->localsplus[i] = Py_NewRef(args[i]);
  *result = run_frame(thread, frame);
  return true;
}

}  // namespace framelift::compat
