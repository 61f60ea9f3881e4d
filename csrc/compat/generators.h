// Where CPython keeps the state of a generator or a coroutine: in a frame inside of the object.
#pragma once

#include "frame.h"

namespace framelift::compat {

inline Frame* frame_of(PyGenObject* generator) { return reinterpret_cast<Frame*>(generator->gi_iframe); }

inline bool is_created(PyGenObject* generator) { return generator->gi_frame_state == FRAME_CREATED; }
inline bool is_finished(PyGenObject* generator) { return generator->gi_frame_state >= FRAME_COMPLETED; }
inline bool is_running(PyGenObject* generator) { return generator->gi_frame_state == FRAME_EXECUTING; }

// The instruction with which it goes on, in code units from the beginning.
#if PY_VERSION_HEX < 0x030D0000
inline int next_of(Frame* frame) { return static_cast<int>(frame->prev_instr + 1 - _PyCode_CODE(code_of(frame))); }
inline void set_next(Frame* frame, int next) { frame->prev_instr = _PyCode_CODE(code_of(frame)) + next - 1; }
inline void set_suspended(PyGenObject* generator, bool) { generator->gi_frame_state = FRAME_SUSPENDED; }
#else
inline int next_of(Frame* frame) { return static_cast<int>(frame->instr_ptr - _PyCode_CODE(code_of(frame))); }
inline void set_next(Frame* frame, int next) { frame->instr_ptr = _PyCode_CODE(code_of(frame)) + next; }
inline void set_suspended(PyGenObject* generator, bool delegating) {
  generator->gi_frame_state = delegating ? FRAME_SUSPENDED_YIELD_FROM : FRAME_SUSPENDED;
}
#endif

}  // namespace framelift::compat
