// The Python module framelift._core: the types of the other files and the views of a code object's record.
#include "call.h"
#include "callable.h"
#include "compat/thread.h"
#include "dispatch.h"
#include "entry.h"
#include "generators.h"
#include "global_state.h"
#include "guards.h"
#include "hook.h"
#include "iterators.h"
#include "lru_caches.h"
#include "record.h"
#include "replace.h"
#include "tail_call.h"
#include "tensor_checks.h"

namespace framelift {
namespace {

// Whether the guards know what they need and give what the replacement expects. False with a ValueError set.
bool guards_fit(BorrowedRef<PyCodeObject> original, BorrowedRef<PyCodeObject> replacement, const Guards* guards,
                Py_ssize_t inputs) {
  Py_ssize_t arguments = argument_slots(original);
  if (guards != nullptr && guards->slots > arguments) {
    PyErr_Format(PyExc_ValueError, "the guards read %zd argument slots, %U has %zd", guards->slots,
                 original->co_qualname, arguments);
    return false;
  }
  if (inputs < 0 || (inputs > 0 && (guards == nullptr || !guards->gathers_first(inputs)))) {
    PyErr_Format(PyExc_ValueError, "the guards do not gather the %zd inputs of the replacement for %U", inputs,
                 original->co_qualname);
    return false;
  }
  if (arguments + inputs > replacement->co_nlocals && inputs > 0) {
    PyErr_Format(PyExc_ValueError,
                 "the replacement for %U has no local variables for %zd inputs behind its %zd arguments",
                 original->co_qualname, inputs, arguments);
    return false;
  }
  if (guards != nullptr && !(original->co_flags & CO_OPTIMIZED)) {
    PyErr_Format(PyExc_ValueError, "%U is the body of a class or a module, which takes no guards",
                 original->co_qualname);
    return false;
  }
  return true;
}

// A replacement is an end product: never captured again.
bool seal(BorrowedRef<PyCodeObject> code, Action below) {
  Record* record = record_for(code);
  if (record == nullptr) return false;
  record->here = Action::kSkip;
  record->below = below;
  return true;
}

PyObject* add_entry(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"code", "replacement", "backend", "payload", "loaded", "guards", "inputs", nullptr};
  PyObject *code, *replacement, *backend = Py_None, *payload = Py_None, *guards = Py_None;
  int loaded = 0;
  Py_ssize_t inputs = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!|OOpOn:add_entry", const_cast<char**>(names), &PyCode_Type, &code,
                                   &PyCode_Type, &replacement, &backend, &payload, &loaded, &guards, &inputs)) {
    return nullptr;
  }
  auto original = BorrowedRef<PyCodeObject>::cast(code);
  auto other = Ref<PyCodeObject>::create(replacement);
  if (!can_replace(original, other.borrow())) {
    PyErr_Format(PyExc_ValueError,
                 "the replacement for %U must take the same parameters, have the same free variables and be the same "
                 "kind of function",
                 original->co_qualname);
    return nullptr;
  }
  if (code == replacement) {
    PyErr_Format(PyExc_ValueError, "%U cannot replace itself", original->co_qualname);
    return nullptr;
  }
  if (guards != Py_None && !Py_IS_TYPE(guards, &GuardsType)) {
    return PyErr_Format(PyExc_TypeError, "guards must be Guards or None, got %R", guards);
  }
  auto checked = guards == Py_None ? Ref<Guards>() : Ref<Guards>::create(guards);
  if (!guards_fit(original, other.borrow(), checked.get(), inputs)) return nullptr;
  Ref<PyCodeObject> direct = direct_variant(other.borrow(), argument_slots(original) + inputs);
  Record* record = record_for(original);
  if (!direct || record == nullptr) return nullptr;
  if (!seal(other.borrow(), record->below) || !seal(direct.borrow(), record->below)) return nullptr;
  Ref<Entry> entry =
      make_entry({std::move(other), std::move(direct), std::move(checked), inputs, Ref<>::create(backend),
                  Ref<>::create(payload), loaded ? Origin::kLoaded : Origin::kCompiled});
  if (!entry) return nullptr;
  record->add(entry);
  return entry.release_object();
}

PyObject* build_guards_py(PyObject*, PyObject* specification) { return build_guards(specification).release_object(); }
PyObject* check_names_py(PyObject*, PyObject*) { return check_names().release(); }
PyObject* accessor_names_py(PyObject*, PyObject*) { return accessor_names().release(); }

// Takes one step as the guards do.
PyObject* reach_py(PyObject*, PyObject* args) {
  PyObject *name, *key, *object;
  if (!PyArg_ParseTuple(args, "OOO:reach", &name, &key, &object)) return nullptr;
  Step step;
  if (!parse_step(name, key, false, &step)) return nullptr;
  PyObject* found = reach(step, object);
  if (found == nullptr) return PyErr_Format(PyExc_LookupError, "accessor %R leads nowhere", name);
  return Ref<>::create(found).release();
}

// Answers one question as the guards do.
PyObject* holds_py(PyObject*, PyObject* args) {
  PyObject *name, *argument, *object;
  if (!PyArg_ParseTuple(args, "OOO:holds", &name, &argument, &object)) return nullptr;
  Check check;
  if (!parse_check(name, argument, &check)) return nullptr;
  return PyBool_FromLong(holds(check, object, nullptr));
}

PyObject* set_strict_py(PyObject*, PyObject* callback) {
  if (callback != Py_None && !PyCallable_Check(callback)) {
    return PyErr_Format(PyExc_TypeError, "set_strict() takes a callable or None, got %R", callback);
  }
  set_strict(Ref<>::create(callback));
  Py_RETURN_NONE;
}

PyObject* entries(PyObject*, PyObject* code) {
  if (!PyCode_Check(code)) return PyErr_Format(PyExc_TypeError, "entries() takes a code object, got %R", code);
  auto list = Ref<>::steal(PyList_New(0));
  if (!list) return nullptr;
  Record* record = record_of(BorrowedRef<PyCodeObject>::cast(code));
  if (record == nullptr) return list.release();
  auto now = record->entries;  // appending may run the garbage collector
  for (const Ref<Entry>& entry : now) {
    if (PyList_Append(list.get(), entry.object()) < 0) return nullptr;
  }
  return list.release();
}

PyObject* actions(PyObject*, PyObject* code) {
  if (!PyCode_Check(code)) return PyErr_Format(PyExc_TypeError, "actions() takes a code object, got %R", code);
  Record* record = record_of(BorrowedRef<PyCodeObject>::cast(code));
  Action here = record ? record->here : Action::kDefault;
  Action below = record ? record->below : Action::kDefault;
  return Py_BuildValue("(ss)", action_name(here), action_name(below));
}

PyObject* set_actions(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"code", "here", "below", nullptr};
  PyObject* code;
  const char *here = nullptr, *below = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|zz:set_actions", const_cast<char**>(names), &PyCode_Type, &code,
                                   &here, &below)) {
    return nullptr;
  }
  Record* record = record_for(BorrowedRef<PyCodeObject>::cast(code));
  if (record == nullptr) return nullptr;
  Action new_here = record->here, new_below = record->below;
  if (here != nullptr && !parse_action(here, &new_here)) return nullptr;
  if (below != nullptr && !parse_action(below, &new_below)) return nullptr;
  record->here = new_here;
  record->set_below(new_below);
  Py_RETURN_NONE;
}

PyObject* scratch(PyObject*, PyObject* code) {
  if (!PyCode_Check(code)) return PyErr_Format(PyExc_TypeError, "scratch() takes a code object, got %R", code);
  Record* record = record_for(BorrowedRef<PyCodeObject>::cast(code));
  if (record == nullptr) return nullptr;
  if (!record->scratch) {
    auto fresh = Ref<>::steal(PyDict_New());
    if (!fresh) return nullptr;
    record->scratch = std::move(fresh);
  }
  return Ref<>(record->scratch).release();
}

PyObject* reset(PyObject*, PyObject* code) {
  if (!PyCode_Check(code)) return PyErr_Format(PyExc_TypeError, "reset() takes a code object, got %R", code);
  if (Record* record = record_of(BorrowedRef<PyCodeObject>::cast(code))) {
    record->here = Action::kDefault;
    record->set_below(Action::kDefault);
    record->misfit_reported = false;
    record->scratch.clear();
    record->drop_all(nullptr);
  }
  Py_RETURN_NONE;
}

PyObject* hook_every_thread_py(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"action", "callback", "backend", nullptr};
  const char* text;
  PyObject *callback = Py_None, *backend = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO:hook_every_thread", const_cast<char**>(names), &text, &callback,
                                   &backend)) {
    return nullptr;
  }
  Action action;
  if (!parse_action(text, &action)) return nullptr;
  if (action == Action::kCompile && !PyCallable_Check(callback)) {
    PyErr_SetString(PyExc_TypeError, "hook_every_thread('compile', ...) needs a callable to ask for entries");
    return nullptr;
  }
  hook_every_thread(action, Ref<>::create(callback), Ref<>::create(backend));
  Py_RETURN_NONE;
}

PyObject* let_through_py(PyObject*, PyObject* kind) {
  if (!PyExceptionClass_Check(kind)) return PyErr_Format(PyExc_TypeError, "expected an exception class, got %R", kind);
  let_through(Ref<>::create(kind));
  Py_RETURN_NONE;
}

PyObject* set_stance_py(PyObject*, PyObject* name) {
  const char* text = PyUnicode_AsUTF8(name);
  Action action;
  if (text == nullptr || !parse_action(text, &action)) return nullptr;
  set_stance(action == Action::kDefault ? Action::kCompile : action);
  Py_RETURN_NONE;
}

PyObject* hook_installed_py(PyObject*, PyObject*) { return PyBool_FromLong(hook_installed()); }

PyCFunction with_keywords(PyCFunctionWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef functions[] = {
    {"add_entry", with_keywords(add_entry), METH_VARARGS | METH_KEYWORDS,
     "add_entry(code, replacement, backend=None, payload=None, loaded=False, guards=None, inputs=0)\n--\n\n"
     "Publish a replacement for `code`, in front of the others. It runs where the guards hold, with the first `inputs` "
     "objects they gather in the local variables behind its arguments."},
    {"build_guards", build_guards_py, METH_O,
     "build_guards(specification, /)\n--\n\nThe guard program for (state, nodes), where a node is (accessor, key, "
     "checks, children, out)."},
    {"check_names", check_names_py, METH_NOARGS, "check_names()\n--\n\nThe checks there are."},
    {"accessor_names", accessor_names_py, METH_NOARGS, "accessor_names()\n--\n\nThe accessors there are."},
    {"reach", reach_py, METH_VARARGS,
     "reach(accessor, key, object, /)\n--\n\nWhere one step of a path leads. LookupError: nowhere."},
    {"holds", holds_py, METH_VARARGS,
     "holds(check, argument, object, /)\n--\n\nWhether one check holds, of those that look at one object only."},
    {"put_hashed", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(put_hashed)), METH_FASTCALL,
     "put_hashed(dict, key, value, hash, /)\n--\n\nSet an entry under a hash that the key had once."},
    {"set_chain", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_chain)), METH_FASTCALL,
     "set_chain(chain, source, active, /)\n--\n\nHave an itertools.chain go on with these; None: with nothing."},
    {"move_enumerate", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(move_enumerate)), METH_FASTCALL,
     "move_enumerate(iterator, count, /)\n--\n\nAs if so many items had been taken, of which its source gives none."},
    {"move_generator", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(move_generator)), METH_FASTCALL,
     "move_generator(generator, offset, delegates, changed, unbound, values, stack, /)\n--\n\nHave it stand at the "
     "yield "
     "before an instruction, with other variables and another stack."},
    {"end_generator", end_generator, METH_O,
     "end_generator(generator, /)\n--\n\nAs if it had returned: none of its own code runs."},
    {"cache_traits", cache_traits, METH_O,
     "cache_traits(function, /)\n--\n\nOf what lru_cache made: whether keys differ by type, and the mark that "
     "separates keywords in a key."},
    {"set_strict", set_strict_py, METH_O,
     "set_strict(callback, /)\n--\n\nCall callback(entry, args, function, passed) after every evaluation of guards; "
     "None ends it."},
    {"entries", entries, METH_O, "entries(code)\n--\n\nThe entries of a code object, most recently used first."},
    {"actions", actions, METH_O, "actions(code)\n--\n\nWhat is done with its frames, and with the frames below them."},
    {"set_actions", with_keywords(set_actions), METH_VARARGS | METH_KEYWORDS,
     "set_actions(code, here=None, below=None)\n--\n\nEach 'default', 'compile', 'lookup' or 'skip'; None: unchanged."},
    {"scratch", scratch, METH_O, "scratch(code)\n--\n\nA dict kept with the code object across recompiles."},
    {"reset", reset, METH_O, "reset(code)\n--\n\nForget all there is about a code object."},
    {"hook_every_thread", with_keywords(hook_every_thread_py), METH_VARARGS | METH_KEYWORDS,
     "hook_every_thread(action, callback=None, backend=None)\n--\n\n"
     "For threads without a Scope of their own; 'default' ends it."},
    {"tail_call", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(tail_call)), METH_FASTCALL,
     "tail_call(callable, /, *args)\n--\n\nFor residual code: return this in place of the result of the call."},
    {"let_go_of_arguments", let_go_of_arguments, METH_NOARGS,
     "let_go_of_arguments()\n--\n\nFor code entered by a tail call: nobody else is to hold its arguments any more."},
    {"let_through", let_through_py, METH_O,
     "let_through(kind)\n--\n\nRaise such exceptions of a compile call-back in the user's call."},
    {"set_stance", set_stance_py, METH_O,
     "set_stance(action, /)\n--\n\nWhat every callable may do: 'compile', 'lookup' or 'skip'."},
    {"hook_installed", hook_installed_py, METH_NOARGS, "hook_installed()\n--\n\nWhether CPython calls the hook now."},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "framelift._core",
    .m_doc = "The native core: frame hook, cache, dispatch.",
    .m_size = -1,
    .m_methods = functions,
};

// Frames and threads are laid out anew by each release of Python, the small ones too.
bool built_for_this_python() {
  if (Py_Version == PY_VERSION_HEX && compat::init_thread()) return true;
  PyErr_Format(PyExc_ImportError,
               "framelift was built for Python " PY_VERSION
               " and this is %.20s: build it again (make build, or "
               "pip install --no-build-isolation .).",
               Py_GetVersion());
  return false;
}

}  // namespace
}  // namespace framelift

PyMODINIT_FUNC PyInit__core() {
  using namespace framelift;
  if (!built_for_this_python()) return nullptr;
  auto module = Ref<>::steal(PyModule_Create(&definition));
  if (!module || !init_records() || !init_tail_calls() || !init_entry_type(module.get()) || !init_hook(module.get()) ||
      !init_callable(module.get()) || !init_guards(module.get()) || !init_iterators() || !init_lru_caches() ||
      !init_global_state(module.get()) || !init_tensor_checks(module.get()) ||
      PyModule_AddObjectRef(module.get(), "UNSET", unset_value()) < 0) {
    return nullptr;
  }
  return module.release();
}
