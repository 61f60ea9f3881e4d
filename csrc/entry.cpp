#include "entry.h"

#include "guards.h"
#include "record.h"

#include <new>

namespace framelift {
namespace {

Entry* as_entry(PyObject* object) { return reinterpret_cast<Entry*>(object); }

int traverse(PyObject* self, visitproc visit, void* arg) {
  Entry* entry = as_entry(self);
  if (int stop = entry->code.visit(visit, arg)) return stop;
  if (int stop = entry->direct.visit(visit, arg)) return stop;
  if (int stop = entry->guards.visit(visit, arg)) return stop;
  if (int stop = entry->backend.visit(visit, arg)) return stop;
  if (int stop = entry->payload.visit(visit, arg)) return stop;
  for (const Ref<>& weak : entry->watched) {
    if (int stop = weak.visit(visit, arg)) return stop;
  }
  return entry->handle.visit(visit, arg);
}

int clear(PyObject* self) {
  Entry* entry = as_entry(self);
  entry->valid = false;
  if (entry->handle) PyCapsule_SetContext(entry->handle.get(), nullptr);
  entry->payload.clear();
  std::vector<Ref<>> gone;
  gone.swap(entry->watched);
  return 0;
}

void dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Entry* entry = as_entry(self);
  clear(self);
  entry->~Entry();
  PyObject_GC_Del(self);
}

// The weak reference's callback: `self` is the entry's handle. When several things an entry depends on die together,
// CPython has taken hold of all their callbacks before it calls the first, and that call may free the entry.
PyObject* dependency_died(PyObject* self, PyObject*) {
  auto entry = Ref<Entry>::create(static_cast<Entry*>(PyCapsule_GetContext(self)));
  if (entry) invalidate(entry.borrow());
  Py_RETURN_NONE;
}

PyMethodDef dependency_died_def = {"dependency_died", dependency_died, METH_O, nullptr};

PyObject* depends_on(PyObject* self, PyObject* object) {
  Entry* entry = as_entry(self);
  if (!entry->handle) {
    entry->handle = Ref<>::steal(PyCapsule_New(&dependency_died_def, nullptr, nullptr));
    if (!entry->handle || PyCapsule_SetContext(entry->handle.get(), entry) < 0) return nullptr;
  }
  auto callback = Ref<>::steal(PyCFunction_New(&dependency_died_def, entry->handle.get()));
  if (!callback) return nullptr;
  auto weak = Ref<>::steal(PyWeakref_NewRef(object, callback.get()));
  if (!weak) return nullptr;
  entry->watched.push_back(std::move(weak));
  Py_RETURN_NONE;
}

PyObject* invalidate_method(PyObject* self, PyObject*) {
  invalidate(as_entry(self));
  Py_RETURN_NONE;
}

PyObject* get_code(PyObject* self, void*) { return Ref<>::create(as_entry(self)->code.get()).release(); }
PyObject* get_backend(PyObject* self, void*) { return Ref<>::create(as_entry(self)->backend.get()).release(); }
PyObject* get_payload(PyObject* self, void*) {
  const Ref<>& payload = as_entry(self)->payload;
  if (!payload) Py_RETURN_NONE;
  return Ref<>::create(payload.get()).release();
}
PyObject* get_guards(PyObject* self, void*) {
  const Ref<Guards>& guards = as_entry(self)->guards;
  if (!guards) Py_RETURN_NONE;
  return Ref<>::create(guards.get()).release();
}
PyObject* get_inputs(PyObject* self, void*) { return PyLong_FromSsize_t(as_entry(self)->inputs); }
PyObject* get_hits(PyObject* self, void*) { return PyLong_FromUnsignedLongLong(as_entry(self)->hits); }
PyObject* get_valid(PyObject* self, void*) { return PyBool_FromLong(as_entry(self)->valid); }
PyObject* get_origin(PyObject* self, void*) {
  return PyUnicode_FromString(as_entry(self)->origin == Origin::kCompiled ? "compiled" : "loaded");
}

PyObject* repr(PyObject* self) {
  Entry* entry = as_entry(self);
  return PyUnicode_FromFormat("<framelift entry for %U, %s, %llu hits>", entry->code->co_qualname,
                              entry->valid ? "valid" : "invalid", entry->hits);
}

PyMethodDef methods[] = {
    {"depends_on", depends_on, METH_O,
     "Invalidate this entry when the object dies. The object must support weak references."},
    {"invalidate", invalidate_method, METH_NOARGS, "Drop this entry from its cache for good."},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef getset[] = {
    {"code", get_code, nullptr, "The code object that runs instead.", nullptr},
    {"backend", get_backend, nullptr, "Only callers with this very backend use the entry.", nullptr},
    {"payload", get_payload, nullptr, "What the compile driver attached.", nullptr},
    {"guards", get_guards, nullptr, "When the entry may be used; None: always.", nullptr},
    {"inputs", get_inputs, nullptr, "How many gathered objects its code is given.", nullptr},
    {"hits", get_hits, nullptr, "How often the entry was used.", nullptr},
    {"valid", get_valid, nullptr, "False once something it depended on has died.", nullptr},
    {"origin", get_origin, nullptr, "'compiled' or 'loaded'.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

PyTypeObject EntryType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.Entry",
    .tp_basicsize = sizeof(Entry),
    .tp_dealloc = dealloc,
    .tp_repr = repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "One replacement for one code object.",
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = methods,
    .tp_getset = getset,
};

bool init_entry_type(PyObject* module) { return PyModule_AddType(module, &EntryType) == 0; }

Ref<Entry> make_entry(Ingredients ingredients) {
  Entry* entry = PyObject_GC_New(Entry, &EntryType);
  if (entry == nullptr) return nullptr;
  new (&entry->code) Ref<PyCodeObject>(std::move(ingredients.code));
  new (&entry->direct) Ref<PyCodeObject>(std::move(ingredients.direct));
  new (&entry->guards) Ref<Guards>(std::move(ingredients.guards));
  new (&entry->backend) Ref<>(std::move(ingredients.backend));
  new (&entry->payload) Ref<>(std::move(ingredients.payload));
  new (&entry->watched) std::vector<Ref<>>();
  new (&entry->handle) Ref<>();
  entry->home = nullptr;
  entry->inputs = ingredients.inputs;
  entry->hits = 0;
  entry->origin = ingredients.origin;
  entry->valid = true;
  PyObject_GC_Track(entry);
  return Ref<Entry>::steal(entry);
}

void invalidate(BorrowedRef<Entry> entry) {
  entry->valid = false;
  if (entry->home != nullptr) entry->home->drop(entry);
}

}  // namespace framelift
