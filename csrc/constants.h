// Comparing values of builtin types exactly, without running anyone's code.
#pragma once

#include "ref.h"

namespace framelift {

// None, Ellipsis, bool, int, float, complex, str, bytes, range, and tuples and frozensets of those: of exactly these
// types.
bool is_constant(PyObject* object);

// The same type and value: 1, True and 1.0 differ, 0.0 and -0.0 differ, a NaN is the same as one with the same bits.
// What is no constant is the same only as itself.
bool same_constant(PyObject* left, PyObject* right);

// Equal text; both are exact strings.
inline bool same_text(PyObject* left, PyObject* right) {
  if (left == right) return true;
  Py_ssize_t length = PyUnicode_GET_LENGTH(left);
  if (length != PyUnicode_GET_LENGTH(right) || PyUnicode_KIND(left) != PyUnicode_KIND(right)) return false;
  return memcmp(PyUnicode_DATA(left), PyUnicode_DATA(right), static_cast<size_t>(length * PyUnicode_KIND(left))) == 0;
}

}  // namespace framelift
