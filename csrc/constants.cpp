#include "constants.h"

#include "compat/set.h"
#include "tensor_checks.h"

#include <cstring>

namespace framelift {
namespace {

bool all_constant(PyObject* set) {
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(set, &position, &item, &hash)) {
    if (!is_constant(item)) return false;
  }
  return true;
}

bool same_tuple(PyObject* left, PyObject* right) {
  Py_ssize_t size = PyTuple_GET_SIZE(left);
  if (size != PyTuple_GET_SIZE(right)) return false;
  for (Py_ssize_t i = 0; i < size; i++) {
    if (!same_constant(PyTuple_GET_ITEM(left, i), PyTuple_GET_ITEM(right, i))) return false;
  }
  return true;
}

// Whether a set has an element that is exactly this one. The other direction follows from equal sizes.
bool has_element(PyObject* set, PyObject* wanted, Py_hash_t wanted_hash) {
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(set, &position, &item, &hash)) {
    if (hash == wanted_hash && same_constant(item, wanted)) return true;
  }
  return false;
}

bool same_set(PyObject* left, PyObject* right) {
  if (PySet_GET_SIZE(left) != PySet_GET_SIZE(right)) return false;
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(right, &position, &item, &hash)) {
    if (!has_element(left, item, hash)) return false;
  }
  return true;
}

// Ranges of the same numbers can still differ in where they would have ended.
bool same_range(PyObject* left, PyObject* right) {
  for (const char* name : {"start", "stop", "step"}) {
    Ref<> mine = Ref<>::steal(PyObject_GetAttrString(left, name));
    Ref<> theirs = Ref<>::steal(PyObject_GetAttrString(right, name));
    if (!mine || !theirs || !same_constant(mine.get(), theirs.get())) {
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

template <typename T>
bool same_bits(const T& left, const T& right) {
  return std::memcmp(&left, &right, sizeof(T)) == 0;
}

}  // namespace

bool is_constant(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type ||
      type == &PyBytes_Type || type == &PyComplex_Type || type == &PyRange_Type || object == Py_None ||
      object == Py_Ellipsis) {
    return true;
  }
  if (type == &PyTuple_Type) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); i++) {
      if (!is_constant(PyTuple_GET_ITEM(object, i))) return false;
    }
    return true;
  }
  return type == &PyFrozenSet_Type && all_constant(object);
}

bool same_constant(PyObject* left, PyObject* right) {
  if (left == right) return true;
  PyTypeObject* type = Py_TYPE(left);
  if (type != Py_TYPE(right)) return false;
  if (type == &PyLong_Type) return PyObject_RichCompareBool(left, right, Py_EQ) == 1;
  if (type == &PyUnicode_Type) return same_text(left, right);
  if (type == &PyFloat_Type) return same_bits(PyFloat_AS_DOUBLE(left), PyFloat_AS_DOUBLE(right));
  if (type == &PyTuple_Type) return same_tuple(left, right);
  if (type == &PyBytes_Type) return PyObject_RichCompareBool(left, right, Py_EQ) == 1;
  if (type == &PyComplex_Type) {
    return same_bits(reinterpret_cast<PyComplexObject*>(left)->cval, reinterpret_cast<PyComplexObject*>(right)->cval);
  }
  if (type == &PyFrozenSet_Type) return same_set(left, right);
  if (type == &PyRange_Type) return same_range(left, right);
  return same_device(left, right);
}

}  // namespace framelift
