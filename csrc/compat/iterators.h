// The fields of CPython's own iterators, which it keeps in .c files. That they are as here is tried out when the module
// is loaded.
#pragma once

#include <Python.h>

namespace framelift::compat {

// Over a list or a tuple, forwards or (a list) backwards. No source: it has ended.
struct SequenceIterator {
  PyObject_HEAD Py_ssize_t index;
  PyObject* source;
};

struct RangeIterator {
  PyObject_HEAD
#if PY_VERSION_HEX < 0x030C0000
      long index;
#endif
  long start;
  long step;
  long length;

#if PY_VERSION_HEX < 0x030C0000
  Py_ssize_t left() const { return length - index; }
  long long at(Py_ssize_t ahead) const { return start + (index + static_cast<long long>(ahead)) * step; }
#else
  Py_ssize_t left() const { return length; }
  long long at(Py_ssize_t ahead) const { return start + static_cast<long long>(ahead) * step; }
#endif
};

// Over the keys, values or items of a dict. No source: it has ended.
struct DictIterator {
  PyObject_HEAD PyObject* source;
  Py_ssize_t used;  // how many entries the dict had at the start
  Py_ssize_t position;
  PyObject* result;
  Py_ssize_t left;
};

struct Enumerate {
  PyObject_HEAD Py_ssize_t index;
  PyObject* source;
  PyObject* result;
  PyObject* long_index;  // in place of `index` when that is too small
};

struct Zip {
  PyObject_HEAD Py_ssize_t size;
  PyObject* sources;  // a tuple
  PyObject* result;
  int strict;
};

struct Map {
  PyObject_HEAD PyObject* sources;  // a tuple
  PyObject* function;
};

// Of `itertools`. No source: it has ended. Nothing active: the next item comes from the next that the source gives.
struct Chain {
  PyObject_HEAD PyObject* source;
  PyObject* active;
};

struct Filter {
  PyObject_HEAD PyObject* function;
  PyObject* source;
};

}  // namespace framelift::compat
