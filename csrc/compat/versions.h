// Numbers by which an unchanged dict or type is known to be one.
//
// Every change of a dict gives it a version that no dict had before, up to Python 3.12; in 3.13 a dict that shares its
// values with an instance is changed through the instance without a new version. A type that is changed, or whose bases
// are, loses its version tag and gets a new one when next looked into.
#pragma once

#include "attributes.h"

#include <cstdint>

namespace framelift::compat {

constexpr bool kVersionsTell = PY_VERSION_HEX < 0x030D0000;

inline uint64_t version_of_dict(PyObject* dict) {
#if PY_VERSION_HEX < 0x030D0000
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag;
#pragma GCC diagnostic pop
#else
  (void)dict;
  return 0;
#endif
}

// 0: it has none at the moment.
inline uint64_t version_of_type(PyObject* type) {
  auto* object = reinterpret_cast<PyTypeObject*>(type);
  return PyType_HasFeature(object, Py_TPFLAGS_VALID_VERSION_TAG) ? object->tp_version_tag : 0;
}

}  // namespace framelift::compat
