// The native callable that framelift.compile returns for a function.
#pragma once

#include "ref.h"

namespace framelift {

bool init_callable(PyObject* module);

}  // namespace framelift
