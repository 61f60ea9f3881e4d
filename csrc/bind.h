// Binding the arguments of a call to the parameters of a function, as CPython does for every Python function.
#pragma once

#include "call.h"
#include "ref.h"

namespace framelift {

// What binding makes itself; it lives as long as the call.
struct Collected {
  Ref<> positional;  // for *args
  Ref<> keywords;    // for **kwargs
};

// Fills the argument slots of `call` from a vectorcall's arguments and the function's present defaults. False when
// these arguments do not fit, or only CPython can tell; no exception is set. The one to ask then is the function
// itself.
bool bind_arguments(Call& call, PyObject* const* args, Py_ssize_t count, PyObject* names, Collected* collected);

}  // namespace framelift
