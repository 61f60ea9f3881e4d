// The native callable that framelift.compile returns for a function.
#pragma once

#include "record.h"
#include "ref.h"

namespace framelift {

bool init_callable(PyObject* module);

// What every callable of the process may do: compile, look an entry up, or only run its function untouched.
void set_stance(Action action);

// Calls what framelift.compile gave, or anything else, and gives back a tail call's marker as it is.
PyObject* call_without_tail_calls(PyObject* callable, PyObject* const* args, size_t count);

}  // namespace framelift
