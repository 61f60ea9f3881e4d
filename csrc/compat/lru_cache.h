// The fields of what functools.lru_cache makes, which CPython keeps in a .c file. That they are as here is tried out
// when the module is loaded.
#pragma once

#include <Python.h>

namespace framelift::compat {

// What the cache of a bounded one holds under each key.
struct CacheLink {
  PyObject_HEAD CacheLink* previous;
  CacheLink* next;
  Py_hash_t hash;
  PyObject* key;
  PyObject* result;
};

struct CachedFunction {
  CacheLink root;
  void* call;
  int typed;
  PyObject* cache;
  Py_ssize_t hits;
  PyObject* function;
  Py_ssize_t most;  // negative: without a limit
  Py_ssize_t misses;
  PyObject* keyword_mark;
};

}  // namespace framelift::compat
