// Calls that a residual makes in place of returning.
//
// After a graph break the residual ends with a call of the continuation, whose result is its own. Made as an ordinary
// call, a break in a loop would nest one call deeper with every round. So the residual only says what is to be called
// and returns a marker; whoever ran the residual makes the call when that frame is gone.
#pragma once

#include "ref.h"

namespace framelift {

bool init_tail_calls();

// _core.tail_call(callable, *args): leaves the call to whoever runs the residual that returns the result.
PyObject* tail_call(PyObject* module, PyObject* const* args, Py_ssize_t count);

// Whether the code may return what tail_call() gives.
bool makes_tail_calls(BorrowedRef<PyCodeObject> code);

// _core.let_go_of_arguments(): for what was called in that way and has its arguments: they are its own from now on, and
// die when it lets go of them.
PyObject* let_go_of_arguments(PyObject* module, PyObject*);

extern PyObject* tail_call_marker;

PyObject* make_tail_calls(PyObject* result);

// What a residual has returned, its tail calls made.
inline PyObject* finish_tail_calls(PyObject* result) {
  if (result != tail_call_marker) [[likely]]
    return result;
  return make_tail_calls(result);
}

}  // namespace framelift
