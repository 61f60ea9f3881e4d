// Frames of Python 3.12. The evaluation function itself clears the frame it ran.
#pragma once

namespace framelift::compat {

using Frame = _PyInterpreterFrame;

inline constexpr bool kEvaluationClearsFrame = true;

inline PyCodeObject* code_of(Frame* frame) { return frame->f_code; }
inline PyFunctionObject* function_of(Frame* frame) { return reinterpret_cast<PyFunctionObject*>(frame->f_funcobj); }

inline int slots_of(PyCodeObject* code) { return code->co_framesize; }

inline void set_code(Frame* frame, PyCodeObject* code) {
  frame->f_code = code;
  frame->prev_instr = _PyCode_CODE(code) - 1;
}

inline void set_function(Frame* frame, PyFunctionObject* function) {
  frame->f_funcobj = reinterpret_cast<PyObject*>(function);
}

inline bool owned_by_generator(Frame* frame) { return frame->owner == FRAME_OWNED_BY_GENERATOR; }

inline bool has_local_monitoring(PyCodeObject* code) {
  if (code->_co_monitoring == nullptr) return false;
  for (auto tools : code->_co_monitoring->local_monitors.tools) {
    if (tools != 0) return true;
  }
  return false;
}

// The evaluation of a frame counts as two calls of C code (PY_EVAL_C_STACK_UNITS in ceval.c).
inline void give_back_c_recursion(PyThreadState* thread, int calls) { thread->c_recursion_remaining += 2 * calls; }

// Runs a function whose parameters are plain positional ones, all given, in a frame made here: what CPython does for
// calls between Python functions, without its general argument binding. False when this call is not of that kind.
inline bool call_directly(PyFunctionObject* function, PyObject* const* args, Py_ssize_t count, PyObject** result) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  constexpr int kPlain = CO_OPTIMIZED | CO_NEWLOCALS;
  constexpr int kOther = CO_VARARGS | CO_VARKEYWORDS;
  if (code->co_argcount != count || code->co_kwonlyargcount != 0 || (code->co_flags & (kPlain | kOther)) != kPlain) {
    return false;
  }
  PyThreadState* thread = PyThreadState_Get();
  if (!_PyThreadState_HasStackSpace(thread, code->co_framesize) ||
      _PyInterpreterState_GetEvalFrameFunc(thread->interp) != _PyEval_EvalFrameDefault) {
    return false;
  }
  Py_INCREF(function);
  Frame* frame = _PyFrame_PushUnchecked(thread, function, static_cast<int>(count));
  for (Py_ssize_t i = 0; i < count; i++) frame->localsplus[i] = Py_NewRef(args[i]);
  *result = _PyEval_EvalFrameDefault(thread, frame, 0);
  return true;
}

inline bool interpreter_is_ending() { return _Py_IsFinalizing(); }

inline Py_ssize_t request_code_extra(freefunc free) { return PyUnstable_Eval_RequestCodeExtraIndex(free); }
inline int get_code_extra(PyObject* code, Py_ssize_t index, void** extra) {
  return PyUnstable_Code_GetExtra(code, index, extra);
}
inline int set_code_extra(PyObject* code, Py_ssize_t index, void* extra) {
  return PyUnstable_Code_SetExtra(code, index, extra);
}

}  // namespace framelift::compat
