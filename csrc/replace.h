// Running replacement code in the frame that was made for the original.
#pragma once

#include "compat/frame.h"
#include "entry.h"
#include "ref.h"

#include <vector>

namespace framelift {

using Evaluate = PyObject* (*)(PyThreadState*, compat::Frame*, int);

// True when frames of `original` can run `replacement`: the same parameters, free variables and kind of function.
bool can_replace(BorrowedRef<PyCodeObject> original, BorrowedRef<PyCodeObject> replacement);

// `code` with its first `slots` local variables, arguments or not, as plain positional parameters; null with an
// exception set.
Ref<PyCodeObject> direct_variant(BorrowedRef<PyCodeObject> code, Py_ssize_t slots);

// A function like `function` in everything but its code.
Ref<PyFunctionObject> function_with_code(BorrowedRef<PyFunctionObject> function, BorrowedRef<PyCodeObject> code);

// Runs an entry's code in `frame`, which has not started yet, with the entry's inputs in the slots behind its
// arguments. Afterwards the frame is in the state in which its creator expects an evaluated frame to be on this Python.
PyObject* run_replacement(PyThreadState* thread, compat::Frame* frame, BorrowedRef<Entry> entry,
                          std::vector<Ref<>> inputs, Evaluate evaluate);

// Leaves a frame that has not started with the exception that is set.
PyObject* leave_with_error(PyThreadState* thread, compat::Frame* frame, Evaluate evaluate);

}  // namespace framelift
