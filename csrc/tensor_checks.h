// What the guards ask of torch's objects. No torch header here: those stay in tensor_checks.cpp.
#pragma once

#include "ref.h"

#include <cstdint>

namespace framelift {

bool init_tensor_checks(PyObject* module);

bool is_tensor_meta(PyObject* object);

// Whether `object` is a tensor like the one `meta` was made from, or such an array. No Python code runs.
bool tensor_matches(PyObject* meta, PyObject* object);

enum class TensorNumber : unsigned char { kSize, kStride, kOffset };

// One number of a tensor's geometry, or of an array's in items. False when it has none such.
bool tensor_number(PyObject* object, TensorNumber which, int32_t dim, int64_t* number);

// Whether both are torch.device objects for the same device: torch makes a new object for every mention of one.
bool same_device(PyObject* left, PyObject* right);

bool is_device(PyObject* object);

// What holds the data of a tensor: its storage, or for one without it the tensor itself. Null for other objects.
const void* memory_of(PyObject* object);

// Whether this is a torch.Generator for a device.
bool generator_on(PyObject* object, PyObject* device);

// Whether this is a tensor of PyTorch's own two classes, which compare and hash by identity as keys.
bool is_plain_tensor(PyObject* object);

// Whether autograd made this tensor from others (0) or not (1); -1 if it is no tensor.
int tensor_leaf(PyObject* object);

// Whether a tensor ever had hooks that see its gradient; -1: it is no tensor.
int tensor_hooked(PyObject* object);

// The gradient a leaf holds, or None; borrowed, the tensor keeps it. Null if there is no tensor or none can be had.
PyObject* tensor_grad(PyObject* object);

}  // namespace framelift
