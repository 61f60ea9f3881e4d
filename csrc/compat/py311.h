// Frames of Python 3.11. The caller of the evaluation function clears the frame.
#pragma once

#include <cstring>

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

// Whoever keeps the frame's object gets what the frame holds with it: it is moved there, and the object stands alone.
inline void leave_to_object(Frame* frame, PyFrameObject* object) {
  PyFrameObject* back = PyFrame_GetBack(object);
  auto* own = reinterpret_cast<Frame*>(object->_f_frame_data);
  std::memcpy(own, frame,
              reinterpret_cast<char*>(&frame->localsplus[frame->stacktop]) - reinterpret_cast<char*>(frame));
  own->owner = FRAME_OWNED_BY_FRAME_OBJECT;
  own->frame_obj = nullptr;
  own->previous = nullptr;
  object->f_frame = own;
  object->f_back = back;
  if (!PyObject_GC_IsTracked(reinterpret_cast<PyObject*>(object))) PyObject_GC_Track(object);
}

inline void clear_frame(Frame* frame) {
  if (PyFrameObject* object = frame->frame_obj) [[unlikely]] {
    const bool kept = Py_REFCNT(object) > 1;
    if (kept) leave_to_object(frame, object);
    frame->frame_obj = nullptr;
    Py_DECREF(object);
    if (kept) return;
  }
  for (int i = 0; i < frame->stacktop; i++) Py_XDECREF(frame->localsplus[i]);
  Py_XDECREF(frame->f_locals);
  Py_DECREF(frame->f_func);
  Py_DECREF(frame->f_code);
}

// A frame on the data stack of the thread, where there is room for it; its variables are still to be set.
inline Frame* push_frame(PyThreadState* thread, PyFunctionObject* function, PyCodeObject* code) {
  auto* frame = reinterpret_cast<Frame*>(thread->datastack_top);
  thread->datastack_top += slots_of(code);
  Py_INCREF(function);
  _PyFrame_InitializeSpecials(frame, function, nullptr, code->co_nlocalsplus);
  return frame;
}

// Destructors run in here: like CPython, within the depth of the frame that is going.
inline PyObject* run_frame(PyThreadState* thread, Frame* frame) {
  PyObject* result = _PyEval_EvalFrameDefault(thread, frame, 0);
  thread->recursion_remaining--;
  clear_frame(frame);
  thread->recursion_remaining++;
  thread->datastack_top = reinterpret_cast<PyObject**>(frame);
  return result;
}

inline bool interpreter_is_ending() { return _Py_IsFinalizing(); }

inline Py_ssize_t request_code_extra(freefunc free) { return _PyEval_RequestCodeExtraIndex(free); }
inline int get_code_extra(PyObject* code, Py_ssize_t index, void** extra) {
  return _PyCode_GetExtra(code, index, extra);
}
inline int set_code_extra(PyObject* code, Py_ssize_t index, void* extra) {
  return _PyCode_SetExtra(code, index, extra);
}

}  // namespace framelift::compat
