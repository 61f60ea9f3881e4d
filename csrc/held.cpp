#include "held.h"

namespace framelift {
namespace {

bool lives_forever(PyObject* object) {
  if (PyModule_Check(object)) return true;
  if (PyType_Check(object)) return !PyType_HasFeature(reinterpret_cast<PyTypeObject*>(object), Py_TPFLAGS_HEAPTYPE);
  if (PyCFunction_Check(object)) {
    // A method of an object (`items.append`) holds that object: such a one is the user's.
    PyObject* owner = PyCFunction_GET_SELF(object);
    return owner == nullptr || PyModule_Check(owner) || PyType_Check(owner);
  }
  return false;
}

}  // namespace

bool Held::hold(PyObject* object, Held* held) {
  held->object_ = object;
  held->weak_ = false;
  if (!lives_forever(object) && PyType_SUPPORTS_WEAKREFS(Py_TYPE(object))) {
    held->owner_ = Ref<>::steal(PyWeakref_NewRef(object, nullptr));
    held->weak_ = static_cast<bool>(held->owner_);
    return held->weak_;
  }
  held->owner_ = Ref<>::create(object);
  return true;
}

}  // namespace framelift
