#include "generators.h"

#include "compat/generators.h"

#include <string>
#include <vector>

namespace framelift {
namespace {

PyGenObject* as_generator(PyObject* object) {
  bool is_one = PyGen_CheckExact(object) || PyCoro_CheckExact(object);
  return is_one ? reinterpret_cast<PyGenObject*>(object) : nullptr;
}

// The frame, if it may be looked at.
compat::Frame* resting_frame(PyObject* object) {
  PyGenObject* generator = as_generator(object);
  if (generator == nullptr || compat::is_finished(generator) || compat::is_running(generator)) return nullptr;
  return compat::frame_of(generator);
}

int variable_count(compat::Frame* frame) { return compat::code_of(frame)->co_nlocalsplus; }

bool handles_exception(PyGenObject* generator) {
  PyObject* handled = generator->gi_exc_state.exc_value;
  return handled != nullptr && handled != Py_None;
}

}  // namespace

PyObject* generator_code(PyObject* object) {
  compat::Frame* frame = resting_frame(object);
  return frame != nullptr ? reinterpret_cast<PyObject*>(compat::code_of(frame)) : nullptr;
}

PyObject* generator_globals(PyObject* object) {
  compat::Frame* frame = resting_frame(object);
  return frame != nullptr ? frame->f_globals : nullptr;
}

PyObject* generator_variable(PyObject* object, Py_ssize_t index) {
  compat::Frame* frame = resting_frame(object);
  return frame != nullptr && index < variable_count(frame) ? frame->localsplus[index] : nullptr;
}

PyObject* generator_stack(PyObject* object, Py_ssize_t index) {
  compat::Frame* frame = resting_frame(object);
  if (frame == nullptr || variable_count(frame) + index >= frame->stacktop) return nullptr;
  return frame->localsplus[variable_count(frame) + index];
}

PyObject* generator_position(PyObject* object, Ref<>* made) {
  PyGenObject* generator = as_generator(object);
  if (generator == nullptr) return nullptr;
  std::string text = "finished";
  if (compat::is_running(generator)) {
    text = "running";
  } else if (!compat::is_finished(generator)) {
    compat::Frame* frame = compat::frame_of(generator);
    int variables = variable_count(frame);
    text = compat::is_created(generator) ? "created" : handles_exception(generator) ? "handling" : "suspended";
    for (int number : {2 * compat::next_of(frame), frame->stacktop - variables}) {
      text.append(1, ' ').append(std::to_string(number));
    }
    text.append(1, ' ');
    for (int index = 0; index < variables; ++index) text += frame->localsplus[index] != nullptr ? '1' : '0';
  }
  *made = Ref<>::steal(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
  if (!*made) PyErr_Clear();
  return made->get();
}

PyObject* move_generator(PyObject*, PyObject* const* args, Py_ssize_t count) {
  compat::Frame* frame = count == 7 ? resting_frame(args[0]) : nullptr;
  if (frame == nullptr) {
    PyErr_SetString(PyExc_TypeError, "move_generator() takes a generator at rest and where it is to stand");
    return nullptr;
  }
  long offset = PyLong_AsLong(args[1]);
  PyObject *changed = args[3], *unbound = args[4], *values = args[5], *stack = args[6];
  int variables = variable_count(frame);
  PyCodeObject* code = compat::code_of(frame);
  bool fits = PyTuple_Check(changed) && PyTuple_Check(unbound) && PyTuple_Check(values) && PyTuple_Check(stack) &&
              PyTuple_GET_SIZE(changed) == PyTuple_GET_SIZE(values) && PyTuple_GET_SIZE(stack) <= code->co_stacksize;
  std::vector<std::pair<Py_ssize_t, PyObject*>> written;
  for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(changed); ++i) {
    written.emplace_back(PyLong_AsSsize_t(PyTuple_GET_ITEM(changed, i)), PyTuple_GET_ITEM(values, i));
  }
  for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(unbound); ++i) {
    written.emplace_back(PyLong_AsSsize_t(PyTuple_GET_ITEM(unbound, i)), nullptr);
  }
  for (auto& [index, value] : written) fits = fits && index >= 0 && index < variables;
  if (!fits || PyErr_Occurred()) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "that is not how this generator can stand");
    return nullptr;
  }
  // What is let go of may run code, which must find the generator in order.
  std::vector<PyObject*> dropped;
  for (auto& [index, value] : written) {
    dropped.push_back(frame->localsplus[index]);
    frame->localsplus[index] = Py_XNewRef(value);
  }
  for (int index = variables; index < frame->stacktop; ++index) dropped.push_back(frame->localsplus[index]);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(stack); ++i) {
    frame->localsplus[variables + i] = Py_NewRef(PyTuple_GET_ITEM(stack, i));
  }
  frame->stacktop = variables + static_cast<int>(PyTuple_GET_SIZE(stack));
  compat::set_next(frame, static_cast<int>(offset / 2));
  compat::set_suspended(as_generator(args[0]), args[2] == Py_True);
  for (PyObject* object : dropped) Py_XDECREF(object);
  Py_RETURN_NONE;
}

PyObject* end_generator(PyObject*, PyObject* object) {
  compat::Frame* frame = resting_frame(object);
  if (frame == nullptr) return PyErr_Format(PyExc_TypeError, "%R is no generator at rest", object);
  // The first instructions belong to no handler: what is thrown there leaves it, and it is cleared as usual.
  compat::set_next(frame, 1);
  compat::set_suspended(as_generator(object), false);
  auto thrown = Ref<>::steal(PyObject_CallMethod(object, "throw", "O", PyExc_GeneratorExit));
  if (thrown || !PyErr_ExceptionMatches(PyExc_GeneratorExit)) return thrown ? thrown.release() : nullptr;
  PyErr_Clear();
  Py_RETURN_NONE;
}

}  // namespace framelift
