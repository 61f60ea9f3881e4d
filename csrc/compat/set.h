// Walking a set with the hashes it has stored. From 3.13 on CPython exports the function but no longer declares it.
#pragma once

#include <Python.h>

#if PY_VERSION_HEX >= 0x030D0000
extern "C" PyAPI_FUNC(int) _PySet_NextEntry(PyObject* set, Py_ssize_t* position, PyObject** key, Py_hash_t* hash);
#endif
