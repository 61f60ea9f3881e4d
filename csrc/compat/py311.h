// Frames of Python 3.11. The caller of the evaluation function clears the frame.
#pragma once

namespace framelift::compat {

using Frame = _PyInterpreterFrame;

inline constexpr bool kEvaluationClearsFrame = false;

inline PyCodeObject* code_of(Frame* frame) { return frame->f_code; }
inline PyFunctionObject* function_of(Frame* frame) { return frame->f_func; }

inline int slots_of(PyCodeObject* code) {
  return code->co_nlocalsplus + code->co_stacksize + static_cast<int>(FRAME_SPECIALS_SIZE);
}

inline void set_code(Frame* frame, PyCodeObject* code) {
  frame->f_code = code;
  frame->prev_instr = _PyCode_CODE(code) - 1;
}

inline void set_function(Frame* frame, PyFunctionObject* function) { frame->f_func = function; }

inline bool owned_by_generator(Frame* frame) { return frame->owner == FRAME_OWNED_BY_GENERATOR; }
inline bool has_local_monitoring(PyCodeObject*) { return false; }

// Only Python frames are counted here.
inline void give_back_c_recursion(PyThreadState*, int) {}

// Here whoever makes a frame must clear it, by means that CPython keeps to itself.
inline bool call_directly(PyFunctionObject*, PyObject* const*, Py_ssize_t, PyObject**) { return false; }

inline bool interpreter_is_ending() { return _Py_IsFinalizing(); }

inline Py_ssize_t request_code_extra(freefunc free) { return _PyEval_RequestCodeExtraIndex(free); }
inline int get_code_extra(PyObject* code, Py_ssize_t index, void** extra) {
  return _PyCode_GetExtra(code, index, extra);
}
inline int set_code_extra(PyObject* code, Py_ssize_t index, void* extra) {
  return _PyCode_SetExtra(code, index, extra);
}

}  // namespace framelift::compat
