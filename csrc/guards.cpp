#include "guards.h"

#include "guard_reader.h"

#include <algorithm>
#include <new>

namespace framelift {
namespace {

Guards* as_guards(PyObject* object) { return reinterpret_cast<Guards*>(object); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  for (const Guards::Node& node : as_guards(self)->nodes) {
    if (int stop = node.step.visit(visit, arg)) return stop;
  }
  for (const Check& check : as_guards(self)->checks) {
    if (int stop = check.visit(visit, arg)) return stop;
  }
  return 0;
}

// No tp_clear: what the guards own is immutable and made before them, so a cycle through them passes through an entry.
void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  as_guards(self)->~Guards();
  PyObject_GC_Del(self);
}

// The arguments of check() and failure().
struct Question {
  PyObject* const* slots;
  PyFunctionObject* function;
};

bool parse_question(Guards* self, PyObject* const* args, Py_ssize_t count, Question* question) {
  if (count != 2 || !PyTuple_CheckExact(args[0])) {
    PyErr_SetString(PyExc_TypeError, "expected a tuple of bound arguments and a function");
    return false;
  }
  if (PyTuple_GET_SIZE(args[0]) < self->slots) {
    PyErr_Format(PyExc_ValueError, "these guards read %zd argument slots, got %zd", self->slots,
                 PyTuple_GET_SIZE(args[0]));
    return false;
  }
  if (!PyFunction_Check(args[1]) && self->uses_function) {
    PyErr_Format(PyExc_TypeError, "these guards start from a function, got %R", args[1]);
    return false;
  }
  question->slots = reinterpret_cast<PyTupleObject*>(args[0])->ob_item;
  question->function = reinterpret_cast<PyFunctionObject*>(args[1]);
  return true;
}

PyObject* check_method(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  Guards* self = as_guards(object);
  Question question;
  if (!parse_question(self, args, count, &question)) return nullptr;
  auto list = Ref<>::steal(PyList_New(self->gathers));  // made first: it may start a garbage collection
  if (!list) return nullptr;
  std::vector<PyObject*> gathered(static_cast<size_t>(self->gathers), nullptr);
  if (!self->run(question.slots, question.function, gathered.data())) Py_RETURN_NONE;
  for (Py_ssize_t i = 0; i < self->gathers; i++) {
    PyObject* item = gathered[static_cast<size_t>(i)];
    PyList_SET_ITEM(list.get(), i, Ref<>::create(item != nullptr ? item : Py_None).release());
  }
  return list.release();
}

enum class Answer : unsigned char { kPassed, kFailed, kError };

Answer ask(PyObject* object, PyObject* const* args, Py_ssize_t count, Failure* failure) {
  Guards* self = as_guards(object);
  Question question;
  if (!parse_question(self, args, count, &question)) return Answer::kError;
  std::vector<PyObject*> gathered(static_cast<size_t>(self->gathers), nullptr);
  return self->run(question.slots, question.function, gathered.data(), failure) ? Answer::kPassed : Answer::kFailed;
}

PyObject* failure_method(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  Failure failure;
  Answer answer = ask(object, args, count, &failure);
  if (answer == Answer::kError) return nullptr;
  if (answer == Answer::kPassed) Py_RETURN_NONE;
  return Py_BuildValue("(nn)", failure.node, failure.check);
}

PyObject* culprit_method(PyObject* object, PyObject* const* args, Py_ssize_t count) {
  Failure failure;
  Answer answer = ask(object, args, count, &failure);
  if (answer == Answer::kError) return nullptr;
  if (answer == Answer::kPassed) Py_RETURN_NONE;
  auto found = Ref<>::create(failure.object != nullptr ? failure.object : Py_None);
  return Py_BuildValue("(nnO)", failure.node, failure.check, found.get());
}

PyObject* get_size(PyObject* self, void*) { return PyLong_FromSize_t(as_guards(self)->checks.size()); }
PyObject* get_gathers(PyObject* self, void*) { return PyLong_FromSsize_t(as_guards(self)->gathers); }

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat("<framelift guards, %zu checks on %zu objects>", as_guards(self)->checks.size(),
                              as_guards(self)->nodes.size());
}

PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"check", fast(check_method), METH_FASTCALL,
     "check(args, function, /)\n--\n\nThe gathered objects when every guard holds for these bound arguments, or None."},
    {"failure", fast(failure_method), METH_FASTCALL,
     "failure(args, function, /)\n--\n\nThe first guard that does not hold as (node, check), or None. Check -1: the "
     "object could not be reached. Node -1: the global state differs. Node -2: a "
     "condition on sizes does not hold."},
    {"culprit", fast(culprit_method), METH_FASTCALL,
     "culprit(args, function, /)\n--\n\nAs failure(), with the object the check was asked of: (node, check, object). "
     "Check -1: the object from which the next one could not be reached."},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef getset[] = {
    {"size", get_size, nullptr, "How many checks there are.", nullptr},
    {"gathers", get_gathers, nullptr, "How many objects the walk hands out.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

PyTypeObject GuardsType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.Guards",
    .tp_basicsize = sizeof(Guards),
    .tp_dealloc = dealloc,
    .tp_repr = repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "The conditions under which a cache entry may be used.",
    .tp_traverse = traverse,
    .tp_methods = methods,
    .tp_getset = getset,
};

bool Guards::walk(const Origins& origins, PyObject** gathered, Failure* failure) {
  PyObject** const found = reached.data();
  for (size_t i = 0; i < nodes.size(); i++) {
    const Node& node = nodes[i];
    PyObject* object = node.parent < 0 ? reach_root(node.step, origins) : reach(node.step, found[node.parent]);
    if (object == nullptr) [[unlikely]] {
      if (failure != nullptr) {
        *failure = {static_cast<Py_ssize_t>(i), -1, node.parent < 0 ? nullptr : found[node.parent]};
      }
      return false;
    }
    found[i] = object;
    for (int32_t c = node.first_check; c < node.checks_end; c++) {
      if (!holds(checks[static_cast<size_t>(c)], object, gathered)) [[unlikely]] {
        if (failure != nullptr) *failure = {static_cast<Py_ssize_t>(i), c - node.first_check, object};
        return false;
      }
    }
    if (node.out >= 0) gathered[node.out] = object;
  }
  return true;
}

bool Guards::run(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure) {
  if (state && !(*state == read_global_state())) {
    if (failure != nullptr) *failure = {-1, -1};
    return false;
  }
  const Origins origins{slots, function};
  if (!pins.stand() || !pins.hold(*this, origins, gathered)) {
    if (!walk(origins, gathered, failure)) return false;
    pins.settle(*this, reached);
  }
  if (shapes) {
    Py_ssize_t failed = shapes->first_failure(gathered);
    if (failed != -1) {
      if (failure != nullptr) *failure = {-2, failed};
      return false;
    }
  }
  return true;
}

bool Guards::gathers_first(Py_ssize_t count) const {
  return count <= gathers &&
         std::all_of(hands_out.begin(), hands_out.begin() + count, [](bool filled) { return filled; });
}

bool init_guards(PyObject* module) {
  return init_dicts() && init_accessors() && PyModule_AddType(module, &GuardsType) == 0;
}

Ref<Guards> build_guards(PyObject* specification) {
  Guards* raw = PyObject_GC_New(Guards, &GuardsType);
  if (raw == nullptr) return nullptr;
  PyObject head = raw->ob_base;
  new (raw) Guards();
  raw->ob_base = head;
  auto guards = Ref<Guards>::steal(raw);
  bool read = read_specification(specification, raw);
  PyObject_GC_Track(raw);
  if (!read) return nullptr;
  raw->reached.resize(raw->nodes.size());
  return guards;
}

}  // namespace framelift
