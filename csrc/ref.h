// Ownership of Python references, visible in the type.
//
// Ref<T>          owns one reference and gives it up when it goes.
// BorrowedRef<T>  owns nothing; somebody else keeps the object alive.
//
// A raw PyObject* appears only at the border with CPython's C API.
#pragma once

#include <Python.h>

#include <utility>

namespace framelift {

template <typename T = PyObject>
class BorrowedRef {
 public:
  BorrowedRef() = default;
  BorrowedRef(T* object) : object_(object) {}

  template <typename U>
  static BorrowedRef cast(U* object) {
    return BorrowedRef(reinterpret_cast<T*>(object));
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  PyObject* object() const { return reinterpret_cast<PyObject*>(object_); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

template <typename T = PyObject>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref(const Ref& other) : object_(other.object_) { Py_XINCREF(object()); }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object()); }

  // Takes over a reference that the caller owned (what most of the C API returns).
  template <typename U>
  static Ref steal(U* object) {
    return Ref(reinterpret_cast<T*>(object));
  }

  // Adds a reference of our own to an object somebody else keeps.
  template <typename U>
  static Ref create(U* object) {
    Py_XINCREF(reinterpret_cast<PyObject*>(object));
    return Ref(reinterpret_cast<T*>(object));
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  PyObject* object() const { return reinterpret_cast<PyObject*>(object_); }
  BorrowedRef<T> borrow() const { return BorrowedRef<T>(object_); }
  explicit operator bool() const { return object_ != nullptr; }

  // Hands the reference to the caller.
  T* release() { return std::exchange(object_, nullptr); }
  PyObject* release_object() { return reinterpret_cast<PyObject*>(release()); }

  // Drops the reference after the member is already empty: what the drop runs sees no half-dead state.
  void clear() { Ref gone(std::move(*this)); }

  int visit(visitproc visit, void* arg) const {
    Py_VISIT(object());
    return 0;
  }

 private:
  explicit Ref(T* object) : object_(object) {}
  T* object_ = nullptr;
};

// Keeps the exception that is being handled out of the way of code that may raise one of its own.
class SavedError {
 public:
  SavedError() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~SavedError() { PyErr_Restore(type_, value_, traceback_); }
  SavedError(const SavedError&) = delete;
  SavedError& operator=(const SavedError&) = delete;

 private:
  PyObject* type_;
  PyObject* value_;
  PyObject* traceback_;
};

}  // namespace framelift
