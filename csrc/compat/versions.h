// Words of memory by which an unchanged dict, instance or type is known to be one.
//
// Every change of a dict gives it a version that no dict had before. The exception is a dict that shares its values
// with an instance (3.13): it is changed through the instance without a new version. A type that is changed, or whose
// bases are, loses its version tag and gets a new one when next looked into.
#pragma once

#include "attributes.h"

#include <cstddef>
#include <cstdint>

namespace framelift::compat {

// Where the version of a dict stands; null when it does not tell of every change.
inline const void* version_word(PyObject* dict) {
  auto* object = reinterpret_cast<PyDictObject*>(dict);
#if PY_VERSION_HEX >= 0x030D0000
  if (object->ma_values != nullptr && object->ma_values->embedded) return nullptr;
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return &object->ma_version_tag;
#pragma GCC diagnostic pop
}

// Where the pointer to the dict of an object's attributes stands, for an object that has one; null when unknown. Once
// there is a dict, there is never an array of values instead of it again.
inline const void* place_of_dict(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (PyType_HasFeature(type, Py_TPFLAGS_MANAGED_DICT)) {
    return reinterpret_cast<PyObject**>(object) - 3;
  }
  return type->tp_dictoffset > 0 ? reinterpret_cast<char*>(object) + type->tp_dictoffset : nullptr;
}

// Where the attributes of an object stand that are not in a dict of their own: an array of values beside the object.
struct ValueArray {
  PyDictKeysObject* keys = nullptr;  // null: they are in a dict
  PyDictValues* values = nullptr;
  const void* place = nullptr;  // the word that changes when the array is given up
};

inline ValueArray value_array_of(PyObject* object) {
  if (!PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_MANAGED_DICT)) return {};
  auto** words = reinterpret_cast<PyObject**>(object);
#if PY_VERSION_HEX < 0x030C0000
  PyDictValues* values = managed_attributes(object).values;
  const void* place = words - 4;
#elif PY_VERSION_HEX < 0x030D0000
  PyDictValues* values = managed_attributes(object).values;
  const void* place = words - 3;
#else
  (void)words;
  if (!PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_INLINE_VALUES)) return {};
  PyDictValues* values = _PyObject_InlineValues(object);  // a dict, if there is one, shares them while they are valid
  if (!values->valid) values = nullptr;
  const void* place = values;
#endif
  if (values == nullptr) return {};
  return {shared_keys(Py_TYPE(object)), values, place};
}

inline const void* place_of_shared_keys(PyTypeObject* type) {
  return &reinterpret_cast<PyHeapTypeObject*>(type)->ht_cached_keys;
}

// The words that change with a type; all null while it has no version.
struct TypePlace {
  const void* words[2] = {nullptr, nullptr};
};

inline TypePlace place_of_version(PyTypeObject* type) {
  // The version is half a word, and nothing but padding follows it.
  static_assert(sizeof(type->tp_version_tag) == 4 &&
                offsetof(PyTypeObject, tp_finalize) == offsetof(PyTypeObject, tp_version_tag) + 8);
  if (!PyType_HasFeature(type, Py_TPFLAGS_VALID_VERSION_TAG) || type->tp_version_tag == 0) return {};
  return {{&type->tp_flags, &type->tp_version_tag}};
}

}  // namespace framelift::compat
