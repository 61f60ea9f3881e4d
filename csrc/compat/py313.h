// Frames of Python 3.13. The evaluation function itself clears the frame it ran.
#pragma once

#include <limits>

namespace framelift::compat {

using Frame = _PyInterpreterFrame;

inline constexpr bool kEvaluationClearsFrame = true;

inline PyCodeObject* code_of(Frame* frame) { return _PyFrame_GetCode(frame); }
inline PyFunctionObject* function_of(Frame* frame) { return reinterpret_cast<PyFunctionObject*>(frame->f_funcobj); }

inline int slots_of(PyCodeObject* code) { return code->co_framesize; }

inline void set_code(Frame* frame, PyCodeObject* code) {
  frame->f_executable = reinterpret_cast<PyObject*>(code);
  frame->instr_ptr = _PyCode_CODE(code);
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

// A frame on the data stack of the thread, where there is room for it; its variables are still to be set.
inline Frame* push_frame(PyThreadState* thread, PyFunctionObject* function, PyCodeObject*) {
  Py_INCREF(function);
  return _PyFrame_PushUnchecked(thread, function, std::numeric_limits<int>::max());
}

inline PyObject* run_frame(PyThreadState* thread, Frame* frame) { return _PyEval_EvalFrameDefault(thread, frame, 0); }

inline bool interpreter_is_ending() { return Py_IsFinalizing(); }

inline Py_ssize_t request_code_extra(freefunc free) { return PyUnstable_Eval_RequestCodeExtraIndex(free); }
inline int get_code_extra(PyObject* code, Py_ssize_t index, void** extra) {
  return PyUnstable_Code_GetExtra(code, index, extra);
}
inline int set_code_extra(PyObject* code, Py_ssize_t index, void* extra) {
  return PyUnstable_Code_SetExtra(code, index, extra);
}

}  // namespace framelift::compat
