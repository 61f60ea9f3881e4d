// The order of an OrderedDict is not that of its dict storage, and CPython's C API has no way to read it without making
// an iterator. These are the leading fields of its structures, which CPython keeps in a .c file; that they are as here
// is tried out when the module is loaded.
#pragma once

#include <Python.h>

namespace framelift::compat {

struct OrderedNode {
  PyObject* key;
  Py_hash_t hash;
  OrderedNode* next;
  OrderedNode* previous;
};

struct OrderedDict {
  PyDictObject storage;
  OrderedNode* first;
  OrderedNode* last;
};

inline OrderedDict* ordered(PyObject* dict) { return reinterpret_cast<OrderedDict*>(dict); }

inline bool ordered_dict_is_as_expected() {
  if (PyODict_Type.tp_basicsize < static_cast<Py_ssize_t>(sizeof(OrderedDict))) return false;
  PyObject* dict = PyODict_New();
  PyObject* one = PyLong_FromLong(1);
  PyObject* two = PyLong_FromLong(2);
  bool made =
      dict && one && two && PyODict_SetItem(dict, one, Py_None) == 0 && PyODict_SetItem(dict, two, Py_None) == 0;
  PyObject* moved = made ? PyObject_CallMethod(dict, "move_to_end", "O", one) : nullptr;
  bool right = moved != nullptr && ordered(dict)->first != nullptr && ordered(dict)->first->key == two &&
               ordered(dict)->last->key == one && ordered(dict)->first->next == ordered(dict)->last &&
               ordered(dict)->last->next == nullptr;
  Py_XDECREF(moved);
  Py_XDECREF(two);
  Py_XDECREF(one);
  Py_XDECREF(dict);
  return right;
}

}  // namespace framelift::compat
