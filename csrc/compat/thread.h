// The state of the running thread, and whether anything but CPython evaluates its frames, read where CPython keeps
// them: both are asked for in every warm call, and the functions that tell cost as much as all else there.
#pragma once

#include "frame.h"

#undef _PyGC_FINALIZED  // a macro of the public headers that the internal ones define as a function
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>
#if PY_VERSION_HEX < 0x030C0000
#include <internal/pycore_pystate.h>
#endif

namespace framelift::compat {

#if PY_VERSION_HEX < 0x030C0000

inline bool init_thread() { return true; }

// The state of the running thread; null when only CPython can tell.
inline PyThreadState* known_thread() { return _PyThreadState_GET(); }

#else

inline PyThreadState* const volatile* gil_holder = nullptr;

// False when the GIL is not where the headers say.
inline bool init_thread() {
  gil_holder = reinterpret_cast<PyThreadState* const*>(&PyInterpreterState_Get()->ceval.gil->last_holder);
  return *gil_holder == PyThreadState_Get();
}

// Whoever runs holds the GIL, and the GIL knows its holder. Only where there never was a second interpreter: those
// change the thread's state without taking the GIL anew.
inline PyThreadState* known_thread() { return _PyRuntime.interpreters.next_id == 1 ? *gil_holder : nullptr; }

#endif

inline bool frames_are_hooked(PyThreadState* thread) { return thread->interp->eval_frame != nullptr; }

}  // namespace framelift::compat
