// Reading a guard specification, as framelift/guards hands it over, into a guard program.
#pragma once

#include "guards.h"

namespace framelift {

// Fills nodes, checks and the counts of `guards`. False with a ValueError (or worse) set.
bool read_specification(PyObject* specification, Guards* guards);

}  // namespace framelift
