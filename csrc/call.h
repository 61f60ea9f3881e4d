// One call on its way to an entry: its bound arguments, and behind them, in one array, what the guards gather.
#pragma once

#include "ref.h"

#include <algorithm>
#include <vector>

namespace framelift {

// How many slots at the start of a frame of this code hold arguments.
inline Py_ssize_t argument_slots(BorrowedRef<PyCodeObject> code) {
  return code->co_argcount + code->co_kwonlyargcount + ((code->co_flags & CO_VARARGS) != 0) +
         ((code->co_flags & CO_VARKEYWORDS) != 0);
}

// The references are borrowed, and good until Python code runs; before it does, own() makes them last.
class Call {
 public:
  Call(BorrowedRef<PyCodeObject> code, BorrowedRef<PyFunctionObject> function)
      : code_(code), function_(function), arguments_(argument_slots(code)) {
    reserve(0);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (is_owner_) owner = outer_;
  }

  // The innermost call on this thread that owns something.
  inline static thread_local Call* owner = nullptr;

  // Gives up what it owns; the frame of the call must have started.
  void let_go() {
    std::vector<Ref<>> gone;
    gone.swap(owned_);
  }

  BorrowedRef<PyCodeObject> code() const { return code_; }
  BorrowedRef<PyFunctionObject> function() const { return function_; }
  Py_ssize_t arguments() const { return arguments_; }
  PyObject** slots() { return data_; }
  PyObject** gathered() { return data_ + arguments_; }

  // Makes room for so many gathered objects; what was gathered before is forgotten.
  void reserve(Py_ssize_t gathers) {
    if (arguments_ + gathers <= capacity_) return;
    std::vector<PyObject*> bigger(static_cast<size_t>(arguments_ + gathers), nullptr);
    std::copy(data_, data_ + std::min(arguments_, capacity_), bigger.begin());
    large_.swap(bigger);
    data_ = large_.data();
    capacity_ = arguments_ + gathers;
  }

  void own_arguments() {
    if (owns_arguments_) return;
    owns_arguments_ = true;
    own(data_, arguments_);
  }
  void own_gathered(Py_ssize_t count) { own(gathered(), count); }

  // The first `count` gathered objects, for somebody who outlives this call.
  std::vector<Ref<>> take_gathered(Py_ssize_t count) {
    std::vector<Ref<>> taken;
    taken.reserve(static_cast<size_t>(count));
    for (Py_ssize_t i = 0; i < count; i++) taken.push_back(Ref<>::create(gathered()[i]));
    return taken;
  }

 private:
  static constexpr Py_ssize_t kSmall = 48;

  void own(PyObject** objects, Py_ssize_t count) {
    if (!is_owner_) {
      is_owner_ = true;
      outer_ = owner;
      owner = this;
    }
    for (Py_ssize_t i = 0; i < count; i++) owned_.push_back(Ref<>::create(objects[i]));
  }

  BorrowedRef<PyCodeObject> code_;
  BorrowedRef<PyFunctionObject> function_;
  Py_ssize_t arguments_;
  Py_ssize_t capacity_ = kSmall;
  PyObject** data_ = small_;
  bool owns_arguments_ = false;
  bool is_owner_ = false;
  Call* outer_ = nullptr;
  std::vector<PyObject*> large_;
  std::vector<Ref<>> owned_;
  PyObject* small_[kSmall];
};

}  // namespace framelift
