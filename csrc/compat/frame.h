// The interpreter's frames, the same on every Python we support.
//
// Each pyNNN.h defines the handful of accessors below for its Python. PY_VERSION_HEX appears only in this folder.
//
//   code_of, function_of          what runs in the frame, for which function object
//   set_code, set_function        replace them; the reference given is taken over
//   owned_by_generator            the frame lives inside a generator object
//   slots_of                      words a frame of this code takes on the data stack
//   push_frame, run_frame         make a frame and evaluate it; it is gone afterwards
//   give_back_c_recursion         let so many calls not count as C recursion
//   has_local_monitoring          a tool asked for events of exactly this code object (3.12+)
#pragma once

#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE
#endif
#include <Python.h>
#undef HAVE_STD_ATOMIC  // C's _Atomic is not C++; the internal headers have a fallback
#include <internal/pycore_code.h>
#include <internal/pycore_frame.h>

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000
#include "py311.h"
#elif PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030D0000
#include "py312.h"
#elif PY_VERSION_HEX >= 0x030D0000 && PY_VERSION_HEX < 0x030E0000 && !defined(Py_GIL_DISABLED)
#include "py313.h"
#else
#error "framelift supports Python 3.11, 3.12 and 3.13 with the GIL"
#endif
