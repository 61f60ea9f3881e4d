// An object that the guards remember without keeping the user's objects alive.
#pragma once

#include "ref.h"

namespace framelift {

// Weak where the object can die before the process does, strong otherwise: modules, static types and builtin functions
// live as long as it anyway, and what cannot be referenced weakly (numbers, strings, tuples) has to be owned.
class Held {
 public:
  Held() = default;

  // False with an exception set when no weak reference could be made for want of memory.
  static bool hold(PyObject* object, Held* held);

  // Null once the object is dead.
  PyObject* get() const { return alive() ? object_ : nullptr; }

  // Whether `other` is the object. A dead object is nobody, also when its address is in use again.
  bool is(const PyObject* other) const { return other == object_ && alive(); }

  explicit operator bool() const { return object_ != nullptr; }
  int visit(visitproc visit, void* arg) const { return owner_.visit(visit, arg); }

 private:
  bool alive() const { return !weak_ || reinterpret_cast<PyWeakReference*>(owner_.get())->wr_object == object_; }

  PyObject* object_ = nullptr;
  Ref<> owner_;  // the object, or a weak reference to it
  bool weak_ = false;
};

}  // namespace framelift
