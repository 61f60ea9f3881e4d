// Where CPython keeps dict entries and instance attributes. An instance may have no dict yet: its attributes are then
// an array beside it, in the order of keys that its type holds. Making the dict would slow the instance down for good.
#pragma once

#include "frame.h"

#undef _PyGC_FINALIZED  // a macro on 3.12, and a function in the headers below
#include <internal/pycore_dict.h>
#if PY_VERSION_HEX >= 0x030D0000
#include <internal/pycore_object.h>  // those of 3.11 and 3.12 are not C++
#endif

namespace framelift::compat {

struct Attributes {
  PyObject* dict = nullptr;  // when null, see the other two; when all are null there are no attributes
  PyDictKeysObject* keys = nullptr;
  PyDictValues* values = nullptr;
};

inline PyDictKeysObject* shared_keys(PyTypeObject* type) {
  return reinterpret_cast<PyHeapTypeObject*>(type)->ht_cached_keys;
}

#if PY_VERSION_HEX < 0x030C0000
inline Attributes managed_attributes(PyObject* object) {
  PyDictValues* values = reinterpret_cast<PyDictValues**>(object)[-4];
  if (values != nullptr) return {nullptr, shared_keys(Py_TYPE(object)), values};
  return {reinterpret_cast<PyObject**>(object)[-3], nullptr, nullptr};
}
#elif PY_VERSION_HEX < 0x030D0000
inline Attributes managed_attributes(PyObject* object) {
  char* either = reinterpret_cast<char**>(object)[-3];  // the lowest bit says which
  if (!(reinterpret_cast<uintptr_t>(either) & 1)) return {reinterpret_cast<PyObject*>(either), nullptr, nullptr};
  return {nullptr, shared_keys(Py_TYPE(object)), reinterpret_cast<PyDictValues*>(either + 1)};
}
#else
inline Attributes managed_attributes(PyObject* object) {
  if (PyDictObject* dict = _PyObject_GetManagedDict(object))
    return {reinterpret_cast<PyObject*>(dict), nullptr, nullptr};
  if (!PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_INLINE_VALUES)) return {};
  PyDictValues* values = _PyObject_InlineValues(object);
  if (!values->valid) return {};
  return {nullptr, shared_keys(Py_TYPE(object)), values};
}
#endif

inline Attributes attributes_of(PyObject* object) {
  if (PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_MANAGED_DICT)) return managed_attributes(object);
  PyObject** dict = _PyObject_GetDictPtr(object);  // only computes an address where the dict is not managed
  return {dict != nullptr ? *dict : nullptr, nullptr, nullptr};
}

inline Py_ssize_t entry_index(const PyDictKeysObject* keys, size_t bucket) {
  const int log2 = keys->dk_log2_size;
  const char* indices = keys->dk_indices;
  if (log2 < 8) return reinterpret_cast<const int8_t*>(indices)[bucket];
  if (log2 < 16) return reinterpret_cast<const int16_t*>(indices)[bucket];
  if (log2 < 32) return reinterpret_cast<const int32_t*>(indices)[bucket];
  return static_cast<Py_ssize_t>(reinterpret_cast<const int64_t*>(indices)[bucket]);
}

// Walks the buckets that a key with this hash can be in, as CPython does. `try_entry(index)` says true to stop there;
// the answer is that index, or -1.
template <typename Try>
Py_ssize_t probe(const PyDictKeysObject* keys, Py_hash_t hash, Try&& try_entry) {
  const size_t mask = (static_cast<size_t>(1) << keys->dk_log2_size) - 1;
  size_t perturb = static_cast<size_t>(hash);
  size_t bucket = perturb & mask;
  for (;;) {
    Py_ssize_t index = entry_index(keys, bucket);
    if (index == DKIX_EMPTY) return -1;
    if (index >= 0 && try_entry(index)) return index;
    perturb >>= 5;
    bucket = (bucket * 5 + perturb + 1) & mask;
  }
}

}  // namespace framelift::compat
