// What the guards ask of torch's objects. No torch header here: those stay in tensor_checks.cpp.
#pragma once

#include "ref.h"

namespace framelift {

bool init_tensor_checks(PyObject* module);

bool is_tensor_meta(PyObject* object);

// Whether `object` is a tensor like the one `meta` was made from. Nothing is allocated and no Python code runs.
bool tensor_matches(PyObject* meta, PyObject* object);

// Whether both are torch.device objects for the same device: torch makes a new object for every mention of one.
bool same_device(PyObject* left, PyObject* right);

}  // namespace framelift
