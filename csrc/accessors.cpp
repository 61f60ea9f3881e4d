#include "accessors.h"

#include "generators.h"
#include "global_state.h"
#include "iterators.h"
#include "lru_caches.h"
#include "tensor_checks.h"

#include <structmember.h>

namespace framelift {
namespace {

// What an accessor's key has to be.
enum class Wants : unsigned char {
  kNone,
  kIndex,
  kPart,
  kName,
  kAnyKey,
  kAnyObject,
  kMemberDescriptor,
  kFixedMember,
  kHashed
};

struct Definition {
  const char* name;
  Accessor accessor;
  Wants wants;
  const char* members[3] = {};  // of kFixedMember and kPart: which members of the type
  PyTypeObject* type = nullptr;
};

PyTypeObject* partial_type = nullptr;
PyTypeObject* the_deque_type = nullptr;
PyTypeObject* thread_local_type = nullptr;
PyObject* dunder_dict = nullptr;
PyObject* unset = nullptr;

const Definition definitions[] = {
    {"local", Accessor::kLocal, Wants::kIndex},
    {"globals", Accessor::kGlobals, Wants::kNone},
    {"builtins", Accessor::kBuiltins, Wants::kNone},
    {"closure", Accessor::kClosure, Wants::kIndex},
    {"function", Accessor::kFunction, Wants::kNone},
    {"object", Accessor::kObject, Wants::kAnyObject},
    {"torch_function_mode", Accessor::kTorchFunctionMode, Wants::kIndex},
    {"dispatch_mode", Accessor::kDispatchMode, Wants::kIndex},
    {"item", Accessor::kItem, Wants::kIndex},
    {"key", Accessor::kKey, Wants::kAnyKey},
    {"dict_key_at", Accessor::kDictKeyAt, Wants::kIndex},
    {"attr", Accessor::kAttr, Wants::kName},
    {"dict", Accessor::kDict, Wants::kNone},
    {"slot", Accessor::kMember, Wants::kMemberDescriptor},
    {"type", Accessor::kType, Wants::kNone},
    {"type_attr", Accessor::kTypeAttr, Wants::kName},
    {"cell", Accessor::kCell, Wants::kNone},
    {"code", Accessor::kCode, Wants::kNone},
    {"defaults", Accessor::kDefaults, Wants::kNone},
    {"kwdefaults", Accessor::kKwdefaults, Wants::kNone},
    {"func_closure", Accessor::kFuncClosure, Wants::kNone},
    {"func_globals", Accessor::kFuncGlobals, Wants::kNone},
    {"func_dict", Accessor::kFuncDict, Wants::kNone},
    {"method_func", Accessor::kMethodFunc, Wants::kNone},
    {"method_self", Accessor::kMethodSelf, Wants::kNone},
    {"partial_func", Accessor::kMember, Wants::kFixedMember, {"func"}},
    {"partial_args", Accessor::kMember, Wants::kFixedMember, {"args"}},
    {"partial_keywords", Accessor::kMember, Wants::kFixedMember, {"keywords"}},
    {"weakref", Accessor::kWeakref, Wants::kNone},
    {"deque_item", Accessor::kDequeItem, Wants::kIndex},
    {"property_get", Accessor::kMember, Wants::kFixedMember, {"fget"}, &PyProperty_Type},
    {"staticmethod_func", Accessor::kMember, Wants::kFixedMember, {"__func__"}, &PyStaticMethod_Type},
    {"classmethod_func", Accessor::kMember, Wants::kFixedMember, {"__func__"}, &PyClassMethod_Type},
    {"slice_part", Accessor::kSlicePart, Wants::kPart, {"start", "stop", "step"}, &PySlice_Type},
    {"range_part", Accessor::kMember, Wants::kPart, {"start", "stop", "step"}, &PyRange_Type},
    {"mro", Accessor::kMro, Wants::kNone},
    {"tensor_grad", Accessor::kTensorGrad, Wants::kNone},
    {"class_name", Accessor::kClassName, Wants::kNone},
    {"class_qualname", Accessor::kClassQualname, Wants::kNone},
    {"class_bases", Accessor::kClassBases, Wants::kNone},
    {"class_dict", Accessor::kClassDict, Wants::kNone},
    {"func_name", Accessor::kFuncName, Wants::kNone},
    {"func_qualname", Accessor::kFuncQualname, Wants::kNone},
    {"func_doc", Accessor::kFuncDoc, Wants::kNone},
    {"func_module", Accessor::kFuncModule, Wants::kNone},
    {"proxy_mapping", Accessor::kProxyMapping, Wants::kNone},
    {"func_annotations", Accessor::kFuncAnnotations, Wants::kNone},
    {"class_annotations", Accessor::kClassAnnotations, Wants::kNone},
    {"builtin_self", Accessor::kBuiltinSelf, Wants::kNone},
    {"iterator_source", Accessor::kIteratorSource, Wants::kNone},
    {"iterator_function", Accessor::kIteratorFunction, Wants::kNone},
    {"chain_active", Accessor::kChainActive, Wants::kNone},
    {"item_ahead", Accessor::kItemAhead, Wants::kIndex},
    {"key_ahead", Accessor::kKeyAhead, Wants::kIndex},
    {"number_ahead", Accessor::kNumberAhead, Wants::kIndex},
    {"cached_function", Accessor::kCachedFunction, Wants::kNone},
    {"cached_result", Accessor::kCachedResult, Wants::kHashed},
    {"exception_part", Accessor::kExceptionPart, Wants::kIndex},
    {"generator_code", Accessor::kGeneratorCode, Wants::kNone},
    {"generator_globals", Accessor::kGeneratorGlobals, Wants::kNone},
    {"generator_variable", Accessor::kGeneratorVariable, Wants::kIndex},
    {"generator_stack", Accessor::kGeneratorStack, Wants::kIndex},
    {"generator_position", Accessor::kGeneratorPosition, Wants::kNone},
    {"thread_dict", Accessor::kThreadDict, Wants::kNone},
    {"context_value", Accessor::kContextValue, Wants::kIndex},
};

const Definition* find_definition(PyObject* name) {
  if (!PyUnicode_CheckExact(name)) return nullptr;
  for (const Definition& definition : definitions) {
    if (PyUnicode_CompareWithASCIIString(name, definition.name) == 0) return &definition;
  }
  return nullptr;
}

bool refuse(PyObject* name, const char* wanted, PyObject* key) {
  PyErr_Format(PyExc_ValueError, "accessor %R takes %s, got %R", name, wanted, key);
  return false;
}

// A member descriptor names a type and an offset in its instances; only members that are objects are of use.
bool use_member(PyObject* name, PyObject* descriptor, Step* step) {
  if (!Py_IS_TYPE(descriptor, &PyMemberDescr_Type)) {
    return refuse(name, "a member descriptor (as `__slots__` makes)", descriptor);
  }
  auto* member = reinterpret_cast<PyMemberDescrObject*>(descriptor);
  if (member->d_member->type != T_OBJECT_EX && member->d_member->type != T_OBJECT) {
    return refuse(name, "a member that holds an object", descriptor);
  }
  if (member->d_member->type == T_OBJECT) step->accessor = Accessor::kMemberOrNone;
  step->number = member->d_member->offset;
  return Held::hold(reinterpret_cast<PyObject*>(member->d_common.d_type), &step->object);
}

bool use_member_of(PyObject* name, PyTypeObject* type, const char* member, Step* step) {
  auto text = Ref<>::steal(PyUnicode_InternFromString(member));
  if (!text) return false;
  PyObject* descriptor = _PyType_Lookup(type, text.get());
  if (descriptor == nullptr) return refuse(name, "a member this Python's type has", text.get());
  return use_member(name, descriptor, step);
}

bool use_index(PyObject* name, PyObject* key, Py_ssize_t limit, const char* wanted, Step* step) {
  if (!PyLong_CheckExact(key)) return refuse(name, wanted, key);
  step->number = PyLong_AsSsize_t(key);
  if (step->number == -1 && PyErr_Occurred()) PyErr_Clear();
  return (step->number >= 0 && step->number < limit) || refuse(name, wanted, key);
}

// A part that cannot be reached at all is an absent one: None where Python says None.
PyObject* or_none(PyObject* object) { return object != nullptr ? object : Py_None; }

PyObject* function_field(Accessor accessor, PyObject* from) {
  if (!PyFunction_Check(from)) return nullptr;
  auto* function = reinterpret_cast<PyFunctionObject*>(from);
  switch (accessor) {
    case Accessor::kCode:
      return function->func_code;
    case Accessor::kDefaults:
      return or_none(function->func_defaults);
    case Accessor::kKwdefaults:
      return or_none(function->func_kwdefaults);
    case Accessor::kFuncClosure:
      return or_none(function->func_closure);
    case Accessor::kFuncGlobals:
      return function->func_globals;
    case Accessor::kFuncName:
      return function->func_name;
    case Accessor::kFuncQualname:
      return function->func_qualname;
    case Accessor::kFuncDoc:
      return or_none(function->func_doc);
    case Accessor::kFuncModule:
      return or_none(function->func_module);
    default:
      return dict_of(from);
  }
}

// What a class written in Python keeps outside of its dictionary, and that dictionary.
PyObject* class_field(Accessor accessor, PyObject* from) {
  if (!PyType_Check(from) || !PyType_HasFeature(reinterpret_cast<PyTypeObject*>(from), Py_TPFLAGS_HEAPTYPE)) {
    return nullptr;
  }
  auto* type = reinterpret_cast<PyHeapTypeObject*>(from);
  switch (accessor) {
    case Accessor::kClassName:
      return type->ht_name;
    case Accessor::kClassQualname:
      return type->ht_qualname;
    case Accessor::kClassBases:
      return type->ht_type.tp_bases;
    default:
      return type->ht_type.tp_dict;
  }
}

// Python makes the dict when it is first asked for; the function or the class keeps it.
PyObject* annotations_by(PyTypeObject* kind, PyObject* from) {
  static PyObject* name = PyUnicode_InternFromString("__annotations__");
  PyObject* getter = name != nullptr ? _PyType_Lookup(kind, name) : nullptr;
  if (getter == nullptr || Py_TYPE(getter)->tp_descr_get == nullptr) return nullptr;
  auto found = Ref<>::steal(Py_TYPE(getter)->tp_descr_get(getter, from, reinterpret_cast<PyObject*>(kind)));
  if (!found) PyErr_Clear();
  return found.get();
}

PyObject* function_annotations(PyObject* from) {
  return PyFunction_Check(from) ? annotations_by(&PyFunction_Type, from) : nullptr;
}

PyObject* class_annotations(PyObject* from) {
  return PyType_Check(from) ? annotations_by(&PyType_Type, from) : nullptr;
}

// What a `types.MappingProxyType` is a view of: its only field.
PyObject* proxy_mapping(PyObject* from) {
  struct Proxy {
    PyObject_HEAD PyObject* mapping;
  };
  return Py_IS_TYPE(from, &PyDictProxy_Type) ? reinterpret_cast<Proxy*>(from)->mapping : nullptr;
}

PyObject* deque_item(PyObject* from, Py_ssize_t index) {
  if (!PyObject_TypeCheck(from, the_deque_type) || index >= Py_SIZE(from)) return nullptr;
  auto item = Ref<>::steal(the_deque_type->tp_as_sequence->sq_item(from, index));
  if (!item) PyErr_Clear();
  return item.get();  // the deque keeps it
}

// The attributes that a `threading.local` has in this thread. Where they have to be made first, a class with its own
// `__init__` would have it run.
PyObject* thread_dict(PyObject* from) {
  if (!PyObject_TypeCheck(from, thread_local_type) || Py_TYPE(from)->tp_init != thread_local_type->tp_init) {
    return nullptr;
  }
  auto dict = Ref<>::steal(thread_local_type->tp_getattro(from, dunder_dict));
  if (!dict) PyErr_Clear();
  return dict.get();  // the thread keeps it
}

// With or without what the variable itself has for the case that nobody set it.
PyObject* context_value(PyObject* from, bool or_default) {
  if (!PyContextVar_CheckExact(from)) return nullptr;
  PyObject* value = nullptr;
  if (PyContextVar_Get(from, or_default ? nullptr : unset, &value) < 0) {
    PyErr_Clear();
    return nullptr;
  }
  auto found = Ref<>::steal(value);
  return found ? found.get() : unset;  // the context or the variable keeps it
}

PyObject* member(const Step& step, PyObject* from) {
  auto* type = reinterpret_cast<PyTypeObject*>(step.object.get());
  if (type == nullptr || !PyObject_TypeCheck(from, type)) return nullptr;
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(from) + step.number);
}

PyObject* member_or_none(const Step& step, PyObject* from) {
  auto* type = reinterpret_cast<PyTypeObject*>(step.object.get());
  if (type == nullptr || !PyObject_TypeCheck(from, type)) return nullptr;
  PyObject* found = member(step, from);
  return found == nullptr ? Py_None : found;
}

PyObject* weakref_target(PyObject* from) {
  if (!PyWeakref_CheckRef(from)) return nullptr;
  PyObject* target = reinterpret_cast<PyWeakReference*>(from)->wr_object;
  return Py_REFCNT(target) > 0 ? target : Py_None;
}

PyObject* slice_part(PyObject* from, Py_ssize_t part) {
  if (!PySlice_Check(from)) return nullptr;
  auto* slice = reinterpret_cast<PySliceObject*>(from);
  return part == 0 ? slice->start : part == 1 ? slice->stop : slice->step;
}

// What every exception keeps outside of its dictionary.
PyObject* exception_part(PyObject* from, Py_ssize_t part) {
  if (!PyExceptionInstance_Check(from)) return nullptr;
  auto* exception = reinterpret_cast<PyBaseExceptionObject*>(from);
  switch (part) {
    case 0:
      return or_none(exception->args);
    case 1:
      return or_none(exception->context);
    case 2:
      return or_none(exception->cause);
    case 3:
      return exception->suppress_context ? Py_True : Py_False;
    case 4:
      return or_none(exception->traceback);
    default:
      return nullptr;
  }
}

PyObject* type_attribute(const Step& step, PyObject* from) {
  if (!PyType_Check(from)) return nullptr;
  PyObject* found = _PyType_Lookup(reinterpret_cast<PyTypeObject*>(from), step.key.object());
  if (found == nullptr && PyErr_Occurred()) PyErr_Clear();
  return found;
}

}  // namespace

bool parse_step(PyObject* name, PyObject* key, bool root, Step* step) {
  const Definition* definition = find_definition(name);
  if (definition == nullptr) {
    PyErr_Format(PyExc_ValueError, "unknown accessor %R", name);
    return false;
  }
  if (is_root(definition->accessor) != root) {
    PyErr_Format(PyExc_ValueError, root ? "accessor %R needs a parent node" : "accessor %R can only be a root", name);
    return false;
  }
  step->accessor = definition->accessor;
  switch (definition->wants) {
    case Wants::kNone:
      return key == Py_None || refuse(name, "None", key);
    case Wants::kIndex:
      return use_index(name, key, PY_SSIZE_T_MAX, "an index from 0", step);
    case Wants::kPart:
      if (!use_index(name, key, 3, "0 (start), 1 (stop) or 2 (step)", step)) return false;
      if (definition->accessor == Accessor::kSlicePart) return true;
      return use_member_of(name, definition->type, definition->members[step->number], step);
    case Wants::kName:
      return PyUnicode_CheckExact(key) ? Key::make(key, &step->key) : refuse(name, "a str", key);
    case Wants::kAnyKey:
      return Key::make(key, &step->key);
    case Wants::kAnyObject:
      return Held::hold(key, &step->object);
    case Wants::kMemberDescriptor:
      return use_member(name, key, step);
    case Wants::kHashed:
      step->number = PyObject_Hash(key);
      step->owned = Ref<>::create(key);
      return step->number != -1;
    case Wants::kFixedMember:
      if (key != Py_None) return refuse(name, "None", key);
      return use_member_of(name, definition->type ? definition->type : partial_type, definition->members[0], step);
  }
  return false;
}

PyObject* reach_other_root(const Step& step, const Origins& origins) {
  switch (step.accessor) {
    case Accessor::kGlobals:
      return origins.function->func_globals;
    case Accessor::kBuiltins:
      return origins.function->func_builtins;
    case Accessor::kClosure: {
      PyObject* closure = origins.function->func_closure;
      return closure != nullptr ? sequence_item(closure, step.number) : nullptr;
    }
    case Accessor::kFunction:
      return reinterpret_cast<PyObject*>(origins.function);
    case Accessor::kObject:
      return step.object.get();
    case Accessor::kTorchFunctionMode:
      return torch_function_mode(step.number);
    case Accessor::kDispatchMode:
      return dispatch_mode(step.number);
    default:
      return nullptr;
  }
}

PyObject* reach_otherwise(const Step& step, PyObject* from) {
  switch (step.accessor) {
    case Accessor::kDictKeyAt:
      return PyDict_Check(from) ? key_at(from, step.number) : element_at(from, step.number);
    case Accessor::kDict:
      return dict_of(from);
    case Accessor::kMember:
      return member(step, from);
    case Accessor::kMemberOrNone:
      return member_or_none(step, from);
    case Accessor::kType:
      return reinterpret_cast<PyObject*>(Py_TYPE(from));
    case Accessor::kTypeAttr:
      return type_attribute(step, from);
    case Accessor::kCell:
      return PyCell_Check(from) ? PyCell_GET(from) : nullptr;
    case Accessor::kMethodFunc:
      return PyMethod_Check(from) ? PyMethod_GET_FUNCTION(from) : nullptr;
    case Accessor::kMethodSelf:
      return PyMethod_Check(from) ? PyMethod_GET_SELF(from) : nullptr;
    case Accessor::kWeakref:
      return weakref_target(from);
    case Accessor::kDequeItem:
      return deque_item(from, step.number);
    case Accessor::kSlicePart:
      return slice_part(from, step.number);
    case Accessor::kMro:
      return PyType_Check(from) ? reinterpret_cast<PyTypeObject*>(from)->tp_mro : nullptr;
    case Accessor::kTensorGrad:
      return tensor_grad(from);
    case Accessor::kClassName:
    case Accessor::kClassQualname:
    case Accessor::kClassBases:
    case Accessor::kClassDict:
      return class_field(step.accessor, from);
    case Accessor::kProxyMapping:
      return proxy_mapping(from);
    case Accessor::kFuncAnnotations:
      return function_annotations(from);
    case Accessor::kClassAnnotations:
      return class_annotations(from);
    case Accessor::kBuiltinSelf:
      return PyCFunction_Check(from) ? PyCFunction_GET_SELF(from) : nullptr;
    case Accessor::kIteratorSource:
      return iterator_source(from);
    case Accessor::kIteratorFunction:
      return iterator_function(from);
    case Accessor::kChainActive:
      return chain_active(from);
    case Accessor::kItemAhead:
      return item_ahead(from, step.number, &step.owned);
    case Accessor::kKeyAhead:
      return key_ahead(from, step.number);
    case Accessor::kNumberAhead:
      return number_ahead(from, step.number, &step.owned);
    case Accessor::kCachedFunction:
      return cached_function(from);
    case Accessor::kCachedResult:
      return cached_result(from, step.owned.get(), step.number);
    case Accessor::kExceptionPart:
      return exception_part(from, step.number);
    case Accessor::kGeneratorCode:
      return generator_code(from);
    case Accessor::kGeneratorGlobals:
      return generator_globals(from);
    case Accessor::kGeneratorVariable:
      return generator_variable(from, step.number);
    case Accessor::kGeneratorStack:
      return generator_stack(from, step.number);
    case Accessor::kGeneratorPosition:
      return generator_position(from, &step.owned);
    case Accessor::kThreadDict:
      return thread_dict(from);
    case Accessor::kContextValue:
      return context_value(from, step.number != 0);
    default:
      return function_field(step.accessor, from);
  }
}

Ref<> accessor_names() {
  auto names = Ref<>::steal(PyFrozenSet_New(nullptr));
  for (const Definition& definition : definitions) {
    auto name = Ref<>::steal(PyUnicode_FromString(definition.name));
    if (!names || !name || PySet_Add(names.get(), name.get()) < 0) return nullptr;
  }
  return names;
}

PyTypeObject* deque_type() { return the_deque_type; }

bool init_accessors() {
  auto import_type = [](const char* module_name, const char* name) -> PyTypeObject* {
    auto module = Ref<>::steal(PyImport_ImportModule(module_name));
    return module ? reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(module.get(), name)) : nullptr;
  };
  partial_type = import_type("functools", "partial");
  the_deque_type = partial_type != nullptr ? import_type("collections", "deque") : nullptr;
  thread_local_type = the_deque_type != nullptr ? import_type("_thread", "_local") : nullptr;
  dunder_dict = PyUnicode_InternFromString("__dict__");
  unset = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
  return thread_local_type != nullptr && dunder_dict != nullptr && unset != nullptr;
}

PyObject* unset_value() { return unset; }

}  // namespace framelift
