#include "bind.h"

#include "constants.h"
#include "dicts.h"

namespace framelift {
namespace {

// What CPython calls the names of the parameters, in the order of the slots.
PyObject* parameter(BorrowedRef<PyCodeObject> code, Py_ssize_t index) {
  return PyTuple_GET_ITEM(code->co_localsplusnames, index);
}

// The slot of the parameter with this name, or -1. Names are interned, so that looking at addresses nearly always does.
Py_ssize_t find_parameter(BorrowedRef<PyCodeObject> code, PyObject* name) {
  Py_ssize_t end = code->co_argcount + code->co_kwonlyargcount;
  for (Py_ssize_t i = code->co_posonlyargcount; i < end; i++) {
    if (parameter(code, i) == name) return i;
  }
  for (Py_ssize_t i = code->co_posonlyargcount; i < end; i++) {
    if (same_text(parameter(code, i), name)) return i;
  }
  return -1;
}

bool bind_keywords(Call& call, PyObject* const* values, PyObject* names, PyObject* rest) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
    PyObject* name = PyTuple_GET_ITEM(names, i);
    if (!PyUnicode_CheckExact(name)) return false;  // a subclass may compare in its own way
    Py_ssize_t index = find_parameter(call.code(), name);
    if (index >= 0) {
      if (call.slots()[index] != nullptr) return false;
      call.slots()[index] = values[i];
    } else if (rest == nullptr) {
      return false;
    } else if (PyDict_SetItem(rest, name, values[i]) < 0) {
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

bool bind_defaults(Call& call) {
  BorrowedRef<PyCodeObject> code = call.code();
  PyObject* defaults = call.function()->func_defaults;
  Py_ssize_t first = code->co_argcount - (defaults != nullptr ? PyTuple_GET_SIZE(defaults) : 0);
  for (Py_ssize_t i = code->co_argcount - 1; i >= 0; i--) {
    if (call.slots()[i] != nullptr) continue;
    if (i < first) return false;
    call.slots()[i] = PyTuple_GET_ITEM(defaults, i - first);
  }
  return true;
}

bool bind_keyword_defaults(Call& call) {
  BorrowedRef<PyCodeObject> code = call.code();
  PyObject* defaults = call.function()->func_kwdefaults;
  for (Py_ssize_t i = code->co_argcount; i < code->co_argcount + code->co_kwonlyargcount; i++) {
    if (call.slots()[i] != nullptr) continue;
    if (defaults == nullptr) return false;
    PyObject* name = parameter(code, i);
    PyObject* value = find_constant(defaults, name, PyObject_Hash(name)).value;
    if (value == nullptr) return false;
    call.slots()[i] = value;
  }
  return true;
}

bool collect_positional(Collected* collected, PyObject* const* args, Py_ssize_t count) {
  collected->positional = Ref<>::steal(PyTuple_New(count));
  if (!collected->positional) {
    PyErr_Clear();
    return false;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    PyTuple_SET_ITEM(collected->positional.get(), i, Ref<>::create(args[i]).release());
  }
  return true;
}

}  // namespace

bool bind_arguments(Call& call, PyObject* const* args, Py_ssize_t count, PyObject* names, Collected* collected) {
  BorrowedRef<PyCodeObject> code = call.code();
  PyObject** slots = call.slots();
  const Py_ssize_t positional = std::min<Py_ssize_t>(count, code->co_argcount);
  std::copy(args, args + positional, slots);
  if (count == code->co_argcount && count == call.arguments()) return names == nullptr || PyTuple_GET_SIZE(names) == 0;
  std::fill(slots + positional, slots + call.arguments(), nullptr);

  // What is made is made first: it may start a garbage collection, and the defaults are only borrowed.
  Py_ssize_t next = code->co_argcount + code->co_kwonlyargcount;
  if (code->co_flags & CO_VARARGS) {
    if (!collect_positional(collected, args + positional, count - positional)) return false;
    slots[next++] = collected->positional.get();
  } else if (count > positional) {
    return false;
  }
  if (code->co_flags & CO_VARKEYWORDS) {
    collected->keywords = Ref<>::steal(PyDict_New());
    if (!collected->keywords) PyErr_Clear();
    if (!collected->keywords) return false;
    slots[next] = collected->keywords.get();
  }
  if (names != nullptr && !bind_keywords(call, args + count, names, collected->keywords.get())) return false;
  return bind_defaults(call) && bind_keyword_defaults(call);
}

}  // namespace framelift
