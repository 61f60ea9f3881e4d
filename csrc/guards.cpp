#include "guards.h"

#include "compat/versions.h"

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

namespace {

constexpr unsigned char kSame = 1, kUnchanged = 2;

// The dict that holds an object's contents: itself, or that of its attributes.
PyObject* storage_of(PyObject* object) {
  if (PyDict_Check(object)) return object;
  PyObject* dict = compat::attributes_of(object).dict;
  return dict != nullptr && PyDict_Check(dict) ? dict : nullptr;
}

void remember(Guards::Memo* memo, const Watch& watch, PyObject* object) {
  memo->object = object;
  memo->type = Py_TYPE(object);
  memo->storage = nullptr;
  memo->version = 0;
  if (!watch.needs_stored) return;
  if (watch.needs_type) {
    if (PyType_Check(object)) memo->version = compat::version_of_type(object);
    return;
  }
  memo->storage = PyType_Check(object) ? nullptr : storage_of(object);
  if (memo->storage != nullptr) memo->version = compat::version_of_dict(memo->storage);
}

bool is_unchanged(const Guards::Memo& memo, const Watch& watch, PyObject* object) {
  if (object != memo.object || Py_TYPE(object) != memo.type) return false;
  if (!watch.needs_stored) return true;
  if (watch.needs_type) return memo.version != 0 && compat::version_of_type(object) == memo.version;
  if (memo.storage == nullptr || storage_of(object) != memo.storage) return false;
  if (compat::version_of_dict(memo.storage) != memo.version) return false;
  bool is_dict = memo.storage == object;
  return (!watch.needs_items || is_dict) && (!watch.needs_attrs || !is_dict);
}

// What a step leads to from an object that is as it was: where it led then. Null when that has to be looked up.
PyObject* step_again(Accessor accessor, const Guards::Memo& memo, unsigned char known, PyObject* from,
                     const Guards::Memo& parent) {
  switch (accessor) {
    case Accessor::kAttr:
      return (known & kUnchanged) && parent.storage != nullptr && parent.storage != from ? memo.object : nullptr;
    case Accessor::kKey:
      return (known & kUnchanged) && parent.storage == from ? memo.object : nullptr;
    case Accessor::kDict:
      return (known & kUnchanged) && parent.storage != nullptr && parent.storage != from ? parent.storage : nullptr;
    case Accessor::kItem:
      return (known & kSame) && PyTuple_CheckExact(from) ? memo.object : nullptr;
    default:
      return nullptr;
  }
}

bool is_read_from_dict(const Guards::Node& node) {
  Accessor accessor = node.step.accessor;
  return accessor == Accessor::kAttr || accessor == Accessor::kKey || accessor == Accessor::kDict;
}

// Whether a check holds for an object for good.
bool is_quiet(const Check& check) { return check.kind == CheckKind::kEquals || check.kind == CheckKind::kIs; }

Watch watch_of(const Check& check) {
  Watch watch;
  watch.skips = true;
  switch (check.kind) {
    case CheckKind::kTypeIs:
      break;
    case CheckKind::kIs:
    case CheckKind::kIsNot:
      watch.needs_same = true;
      break;
    case CheckKind::kEquals:
      watch.needs_same = true;
      break;
    case CheckKind::kLength:
    case CheckKind::kHasKey:
    case CheckKind::kLacksKey:
      watch.needs_items = true;
      break;
    case CheckKind::kHasAttr:
    case CheckKind::kLacksAttr:
      watch.needs_attrs = true;
      break;
    case CheckKind::kTypeLookupIs:
    case CheckKind::kTypeLookupAbsent:
      watch.needs_same = watch.needs_type = true;
      break;
    default:
      watch.skips = false;
  }
  return watch;
}

}  // namespace

void Guards::prepare() {
  memos.resize(nodes.size());
  known.resize(nodes.size());
  briefs.resize(nodes.size());
  std::vector<bool> has_children(nodes.size(), false);
  for (size_t i = 0; i < nodes.size(); i++) {
    const Node& node = nodes[i];
    Watch& watch = briefs[i].watch;
    briefs[i].parent = node.parent;
    briefs[i].out = node.out;
    briefs[i].accessor = node.step.accessor;
    watch.skips = true;
    for (int32_t c = node.first_check; c < node.checks_end; c++) {
      const Check& check = checks[static_cast<size_t>(c)];
      Watch one = watch_of(check);
      watch.skips &= one.skips;
      watch.needs_same |= one.needs_same;
      watch.needs_items |= one.needs_items;
      watch.needs_attrs |= one.needs_attrs;
      watch.needs_type |= one.needs_type;
    }
    if (watch.needs_type && (watch.needs_items || watch.needs_attrs)) watch.skips = false;
    watch.needs_stored = watch.needs_items || watch.needs_attrs || watch.needs_type;
    if (node.parent < 0) continue;
    has_children[static_cast<size_t>(node.parent)] = true;
    if (is_read_from_dict(node)) briefs[static_cast<size_t>(node.parent)].watch.needs_stored = true;
  }
  for (size_t i = 0; i < nodes.size(); i++) {
    const Node& node = nodes[i];
    bool at_end = node.parent >= 0 && !has_children[i] && node.out < 0 && is_read_from_dict(node);
    briefs[i].watch.quiet = at_end && std::all_of(checks.begin() + node.first_check, checks.begin() + node.checks_end,
                                                  [](const Check& check) { return is_quiet(check); });
  }
}

bool Guards::checks_hold(size_t index, PyObject* object, PyObject** gathered, Failure* failure) const {
  const Node& node = nodes[index];
  for (int32_t c = node.first_check; c < node.checks_end; c++) {
    if (!holds(checks[static_cast<size_t>(c)], object, gathered)) [[unlikely]] {
      if (failure != nullptr) *failure = {static_cast<Py_ssize_t>(index), c - node.first_check, object};
      return false;
    }
  }
  return true;
}

bool Guards::walk(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure) {
  const Origins origins{slots, function};
  PyObject** const found = reached.data();
  const bool remembered = memos_hold;
  memos_hold = false;  // until the end is reached
  bool touched = false;
  for (size_t i = 0; i < briefs.size(); i++) {
    const Brief& brief = briefs[i];
    const Watch& watch = brief.watch;
    const auto parent = static_cast<size_t>(brief.parent);
    Memo& memo = memos[i];
    PyObject* object = nullptr;
    unsigned char now = 0;
    if (remembered && brief.parent >= 0) {
      object = step_again(brief.accessor, memo, known[parent], found[parent], memos[parent]);
      if (object != nullptr) {
        if (watch.quiet) continue;
        now = kSame;
      }
    }
    if (object == nullptr) {
      const Step& step = nodes[i].step;
      object = brief.parent < 0 ? reach_root(step, origins) : reach(step, found[parent]);
      if (object == nullptr) [[unlikely]] {
        if (failure != nullptr) *failure = {static_cast<Py_ssize_t>(i), -1};
        memos_hold = remembered && !touched;
        return false;
      }
    }
    found[i] = object;
    if (remembered && is_unchanged(memo, watch, object)) now |= kUnchanged;
    bool skip = (now & kUnchanged) && watch.skips && ((now & kSame) || !watch.needs_same);
    if (!skip && !checks_hold(i, object, gathered, failure)) [[unlikely]] {
      memos_hold = remembered && !touched;
      return false;
    }
    if (compat::kVersionsTell && !(now & kUnchanged)) {
      remember(&memo, watch, object);
      touched = true;
    }
    known[i] = now;
    if (brief.out >= 0) gathered[brief.out] = object;
  }
  memos_hold = compat::kVersionsTell;
  return true;
}

bool Guards::run(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure) {
  if (state && !(*state == read_global_state())) {
    if (failure != nullptr) *failure = {-1, -1};
    return false;
  }
  if (!walk(slots, function, gathered, failure)) return false;
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
  raw->prepare();
  return guards;
}

}  // namespace framelift
