#include "tail_call.h"

#include "call.h"
#include "callable.h"
#include "thread_exit.h"

#include <vector>

namespace framelift {
namespace {

// The call that the marker on its way up stands for. Empty in between.
struct Pending {
  Ref<> callable;
  std::vector<Ref<>> args;
};
thread_local Pending pending;

// The call being made, innermost first.
struct Making {
  Pending call;
  Making* outer;
  Call* owner = Call::owner;  // who owned arguments before
  Making();
  ~Making();
};
thread_local Making* making = nullptr;

Making::Making() : outer(making) {
  std::swap(call, pending);
  making = this;
}
Making::~Making() { making = outer; }

}  // namespace

PyObject* tail_call_marker = nullptr;

bool init_tail_calls() {
  tail_call_marker = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  return tail_call_marker != nullptr;
}

PyObject* tail_call(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count < 1) return PyErr_Format(PyExc_TypeError, "tail_call() takes a callable and its arguments");
  Pending next;
  next.callable = Ref<>::create(args[0]);
  next.args.reserve(static_cast<size_t>(count - 1));
  for (Py_ssize_t i = 1; i < count; i++) next.args.push_back(Ref<>::create(args[i]));
  std::swap(pending, next);
  return Ref<>::create(tail_call_marker).release();
}

bool makes_tail_calls(BorrowedRef<PyCodeObject> code) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(code->co_consts); i++) {
    PyObject* constant = PyTuple_GET_ITEM(code->co_consts, i);
    if (PyCFunction_Check(constant) &&
        PyCFunction_GET_FUNCTION(constant) == reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tail_call))) {
      return true;
    }
  }
  return false;
}

PyObject* make_tail_calls(PyObject* result) {
  while (result == tail_call_marker) {
    Py_DECREF(result);
    Making now;
    std::vector<PyObject*> args;
    args.reserve(now.call.args.size());
    for (const Ref<>& arg : now.call.args) args.push_back(arg.get());
    result = outlasting_thread_exit(
        [&] { return call_without_tail_calls(now.call.callable.get(), args.data(), args.size()); });
  }
  return result;
}

PyObject* let_go_of_arguments(PyObject*, PyObject*) {
  if (making != nullptr) {
    std::vector<Ref<>> gone;
    gone.swap(making->call.args);
    if (Call::owner != making->owner) Call::owner->let_go();
  }
  Py_RETURN_NONE;
}

}  // namespace framelift
