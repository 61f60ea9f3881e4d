// What framelift.compile(function) returns: an object that is called without a Python frame of its own, finds the entry
// for its call, and runs the entry's code in a twin of the function.
//
// A warm call of an entry without guards compares four pointers (the function's code and defaults may be assigned at
// any time) and one flag, then jumps into the twin. With guards it binds the arguments, runs the guards over them, and
// calls a twin that takes the bound arguments and what the guards gathered as plain positional ones.
#include "callable.h"

#include "bind.h"
#include "compat/direct_call.h"
#include "dispatch.h"
#include "record.h"
#include "replace.h"
#include "tail_call.h"
#include "thread_exit.h"

#include <structmember.h>

#include <algorithm>
#include <vector>

namespace framelift {
namespace {

// The user's function with the direct code of an entry.
struct DirectTwin {
  Ref<Entry> entry;
  Ref<PyFunctionObject> function;
  Py_ssize_t plain;  // how many plain parameters it has; -1 when it has others
};

struct Callable {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* dict;
  PyObject* weakrefs;
  Ref<PyFunctionObject> function;  // the user's
  Ref<> callback;                  // asked for an entry when there is none
  Ref<> backend;
  Ref<Entry> entry;               // one without guards, which then serves every call
  Ref<PyFunctionObject> twin;     // the user's function with that entry's code
  Py_ssize_t plain;               // how many plain parameters the twin has; -1 when it has others or may tail-call
  BorrowedRef<> source;           // the code the entry replaces; the entry turns invalid when that dies
  std::vector<DirectTwin> twins;  // for the entries with guards, most recently used first
  Ref<PyCodeObject> recorded;     // the code `record` is of
  Record* record;                 // as long as `recorded` lives
};

Action stance = Action::kCompile;  // of every callable of the process: what a user may restrict all of them to

Callable* as_callable(PyObject* object) { return reinterpret_cast<Callable*>(object); }

bool twin_is_current(const Callable* self) {
  const PyFunctionObject* function = self->function.get();
  const PyFunctionObject* twin = self->twin.get();
  return twin != nullptr && self->entry->valid && function->func_code == self->source.get() &&
         function->func_defaults == twin->func_defaults && function->func_kwdefaults == twin->func_kwdefaults;
}

void forget_twin(Callable* self) {
  self->twin.clear();
  self->entry.clear();
}

void forget_direct_twins(Callable* self) {
  std::vector<DirectTwin> gone;
  gone.swap(self->twins);
}

// What is known about the function's present code; null when that is nothing.
Record* present_record(Callable* self) {
  PyObject* code = self->function->func_code;
  if (self->record == nullptr || self->recorded.object() != code) {
    self->recorded = Ref<PyCodeObject>::create(code);
    self->record = record_of(self->recorded.borrow());
  }
  return self->record;
}

PyObject* call_function(PyFunctionObject* function, PyObject* const* args, size_t nargsf, PyObject* names) {
  return outlasting_thread_exit(
      [&] { return function->vectorcall(reinterpret_cast<PyObject*>(function), args, nargsf, names); });
}

// Remembers an entry without guards, and calls it as a function like the user's.
PyObject* call_unguarded(Callable* self, Ref<Entry> entry, BorrowedRef<PyCodeObject> source, PyObject* const* args,
                         size_t nargsf, PyObject* names) {
  Ref<PyFunctionObject> twin = function_with_code(self->function.borrow(), entry->code.borrow());
  if (!twin) return nullptr;
  forget_twin(self);
  self->entry = std::move(entry);
  self->twin = twin;
  self->plain = makes_tail_calls(self->entry->code.borrow()) ? -1 : compat::plain_parameters(self->entry->code.get());
  self->source = source.object();
  return call_function(twin.get(), args, nargsf, names);
}

// Makes the twin for an entry, and drops those of entries that are no more.
DirectTwin* add_direct_twin(Callable* self, BorrowedRef<Entry> entry) {
  std::vector<DirectTwin> twins;
  for (const DirectTwin& twin : self->twins) {
    if (twin.entry->valid && twin.entry.get() != entry.get()) twins.push_back(twin);
  }
  Ref<PyFunctionObject> function = function_with_code(self->function.borrow(), entry->direct.borrow());
  if (!function) return nullptr;
  twins.insert(twins.begin(),
               {Ref<Entry>::create(entry.get()), function, compat::plain_parameters(entry->direct.get())});
  twins.swap(self->twins);
  return &self->twins.front();
}

DirectTwin* find_direct_twin(Callable* self, BorrowedRef<Entry> entry) {
  auto& twins = self->twins;
  for (auto it = twins.begin(); it != twins.end(); ++it) {
    if (it->entry.get() != entry.get()) continue;
    if (it != twins.begin()) std::rotate(twins.begin(), it, it + 1);
    return &twins.front();
  }
  return nullptr;
}

PyObject* call_direct(Callable* self, BorrowedRef<Entry> entry, Call& call) {
  DirectTwin* twin = find_direct_twin(self, entry);
  if (twin == nullptr) {
    call.own_arguments();
    call.own_gathered(entry->inputs);
    twin = add_direct_twin(self, entry);
    if (twin == nullptr) return nullptr;
  }
  PyFunctionObject* function = twin->function.get();
  const Py_ssize_t count = call.arguments() + entry->inputs;
  PyThreadState* thread = count == twin->plain ? compat::thread_for(function) : nullptr;
  if (thread != nullptr) [[likely]]
    return outlasting_thread_exit([&] { return compat::call_directly(thread, function, call.slots(), count); });
  return call_function(function, call.slots(), static_cast<size_t>(count), nullptr);
}

// Kept out of `call`, which would otherwise save registers for it in every call.
[[gnu::noinline]] PyObject* call_guarded(Callable* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  Record* record = present_record(self);
  PyFunctionObject* original = self->function.get();
  if (record != nullptr && record->here == Action::kSkip) return call_function(original, args, nargsf, names);
  auto code = Ref<PyCodeObject>::create(original->func_code);
  Call call(code.borrow(), self->function.borrow());
  Collected collected;
  if (!bind_arguments(call, args, PyVectorcall_NARGS(nargsf), names, &collected)) {
    return call_function(original, args, nargsf, names);
  }
  bool may_compile = stance == Action::kCompile && (record == nullptr || record->here != Action::kLookup);
  Choice choice = choose_entry(record, call, {self->callback.borrow(), self->backend.borrow(), may_compile});
  if (choice.failed) return nullptr;
  if (!choice.entry) return call_function(original, args, nargsf, names);
  if (choice.entry->guards) [[likely]]
    return call_direct(self, choice.entry.borrow(), call);
  return call_unguarded(self, std::move(choice.entry), code.borrow(), args, nargsf, names);
}

// Kept out of `call`, as above.
[[gnu::noinline]] PyObject* call_once(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* names) {
  Callable* self = as_callable(callable);
  if (stance == Action::kSkip) [[unlikely]]
    return call_function(self->function.get(), args, nargsf, names);
  if (!twin_is_current(self)) [[likely]]
    return call_guarded(self, args, nargsf, names);
  PyFunctionObject* twin = self->twin.get();
  self->entry->hits++;
  return twin->vectorcall(reinterpret_cast<PyObject*>(twin), args, nargsf, names);
}

[[gnu::noinline]] PyObject* call_in_general(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* names) {
  return finish_tail_calls(call_once(callable, args, nargsf, names));
}

// The twin needs no reference of ours for the call: CPython's frame takes one before anything else can run. Every way
// out is a jump, so that the fast one needs no stack.
PyObject* call(PyObject* callable, PyObject* const* args, size_t nargsf, PyObject* names) {
  Callable* self = as_callable(callable);
  if (!twin_is_current(self) || names != nullptr || PyVectorcall_NARGS(nargsf) != self->plain ||
      stance == Action::kSkip) [[unlikely]]
    return call_in_general(callable, args, nargsf, names);
  PyThreadState* thread = compat::thread_for(self->twin.get());
  if (thread == nullptr) [[unlikely]]
    return call_in_general(callable, args, nargsf, names);
  self->entry->hits++;
  return compat::call_directly(thread, self->twin.get(), args, self->plain);
}

PyObject* create(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"function", "callback", "backend", nullptr};
  PyObject *function, *callback, *backend;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!OO:Callable", const_cast<char**>(keywords), &PyFunction_Type,
                                   &function, &callback, &backend)) {
    return nullptr;
  }
  PyObject* object = type->tp_alloc(type, 0);
  if (object == nullptr) return nullptr;
  Callable* self = as_callable(object);
  self->vectorcall = call;
  new (&self->function) Ref<PyFunctionObject>(Ref<PyFunctionObject>::create(function));
  new (&self->callback) Ref<>(Ref<>::create(callback));
  new (&self->backend) Ref<>(Ref<>::create(backend));
  new (&self->entry) Ref<Entry>();
  new (&self->twin) Ref<PyFunctionObject>();
  self->plain = -1;
  new (&self->source) BorrowedRef<>();
  new (&self->twins) std::vector<DirectTwin>();
  new (&self->recorded) Ref<PyCodeObject>();
  self->record = nullptr;
  return object;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  Callable* self = as_callable(object);
  Py_VISIT(self->dict);
  if (int stop = self->function.visit(visit, arg)) return stop;
  if (int stop = self->callback.visit(visit, arg)) return stop;
  if (int stop = self->backend.visit(visit, arg)) return stop;
  if (int stop = self->entry.visit(visit, arg)) return stop;
  if (int stop = self->recorded.visit(visit, arg)) return stop;
  for (const DirectTwin& twin : self->twins) {
    if (int stop = twin.entry.visit(visit, arg)) return stop;
    if (int stop = twin.function.visit(visit, arg)) return stop;
  }
  return self->twin.visit(visit, arg);
}

// Cycles go through the dict and the twins. `function` and `entry` stay until the end, so that a call made by a
// finalizer finds a whole object.
int clear(PyObject* object) {
  Callable* self = as_callable(object);
  Py_CLEAR(self->dict);
  self->twin.clear();
  forget_direct_twins(self);
  return 0;
}

void dealloc(PyObject* object) {
  PyObject_GC_UnTrack(object);
  Callable* self = as_callable(object);
  if (self->weakrefs != nullptr) PyObject_ClearWeakRefs(object);
  clear(object);
  self->recorded.~Ref<PyCodeObject>();
  self->twins.~vector<DirectTwin>();
  self->twin.~Ref<PyFunctionObject>();
  self->entry.~Ref<Entry>();
  self->backend.~Ref<>();
  self->callback.~Ref<>();
  self->function.~Ref<PyFunctionObject>();
  Py_TYPE(object)->tp_free(object);
}

PyObject* bind(PyObject* object, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return Ref<>::create(object).release();
  return PyMethod_New(object, instance);
}

PyObject* repr(PyObject* object) {
  return PyUnicode_FromFormat("<framelift.compile of %R>", as_callable(object)->function.object());
}

PyObject* reduce(PyObject* object, PyObject*) { return PyObject_GetAttrString(object, "__qualname__"); }

PyObject* reset(PyObject* object, PyObject*) {
  Callable* self = as_callable(object);
  forget_twin(self);
  forget_direct_twins(self);
  if (Record* record = record_of(BorrowedRef<PyCodeObject>::cast(self->function->func_code))) {
    record->drop_all(self->backend.borrow());
  }
  Py_RETURN_NONE;
}

// Attributes of the function that tools read off anything that looks like one.
PyObject* get_from_function(PyObject* object, void* name) {
  return PyObject_GetAttrString(as_callable(object)->function.object(), static_cast<const char*>(name));
}
int set_on_function(PyObject* object, PyObject* value, void* name) {
  return PyObject_SetAttrString(as_callable(object)->function.object(), static_cast<const char*>(name), value);
}

#define FORWARDED(name) {name, get_from_function, set_on_function, nullptr, const_cast<char*>(name)}

PyGetSetDef getset[] = {
    FORWARDED("__code__"),
    FORWARDED("__defaults__"),
    FORWARDED("__kwdefaults__"),
    FORWARDED("__globals__"),
    FORWARDED("__closure__"),
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

#undef FORWARDED

PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, "Pickled by name, as a function is."},
    {"reset", reset, METH_NOARGS, "Forget everything compiled for this function with this backend."},
    {nullptr, nullptr, 0, nullptr},
};

PyMemberDef members[] = {
    {"function", T_OBJECT, offsetof(Callable, function), READONLY, "The function as the user wrote it."},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Callable, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyTypeObject CallableType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.Callable",
    .tp_basicsize = sizeof(Callable),
    .tp_dealloc = dealloc,
    .tp_vectorcall_offset = offsetof(Callable, vectorcall),
    .tp_repr = repr,
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_weaklistoffset = offsetof(Callable, weakrefs),
    .tp_methods = methods,
    .tp_members = members,
    .tp_getset = getset,
    .tp_descr_get = bind,
    .tp_dictoffset = offsetof(Callable, dict),
    .tp_new = create,
};

}  // namespace

PyObject* call_without_tail_calls(PyObject* callable, PyObject* const* args, size_t count) {
  if (Py_IS_TYPE(callable, &CallableType)) return call_once(callable, args, count, nullptr);
  return PyObject_Vectorcall(callable, args, count, nullptr);
}

void set_stance(Action action) { stance = action; }

bool init_callable(PyObject* module) { return PyModule_AddType(module, &CallableType) == 0; }

}  // namespace framelift
