// Looking into the cache of what functools.lru_cache makes, without a call that its counters would show.
#pragma once

#include "ref.h"

namespace framelift {

// What a call with this key would find; null if it is not there or `object` is no such function. Borrowed.
PyObject* cached_result(PyObject* object, PyObject* key, Py_hash_t hash);

// The function behind the cache; null if `object` is none.
PyObject* cached_function(PyObject* object);

// Whether as many more results fit without dropping one.
bool cache_has_room(PyObject* object, Py_ssize_t more);

// cache_traits(function): (whether 1 and 1.0 are two keys, what separates keywords in a key).
PyObject* cache_traits(PyObject*, PyObject* object);

// Checks what this file assumes about CPython's structures. False with an exception set.
bool init_lru_caches();

}  // namespace framelift
