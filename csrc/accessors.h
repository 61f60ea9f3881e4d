// How a guard gets from one object to the next. Reading is all that happens: no descriptor, no `__getattr__`, no
// `__getitem__` of the user's runs, and every object is handed on as a borrowed reference.
#pragma once

#include "dicts.h"
#include "held.h"

namespace framelift {

enum class Accessor : unsigned char {
  // Roots: where a walk begins.
  kLocal,
  kGlobals,
  kBuiltins,
  kClosure,
  kFunction,
  kObject,
  kTorchFunctionMode,
  kDispatchMode,
  // Steps from an object reached before.
  kItem,
  kKey,
  kDictKeyAt,
  kAttr,
  kDict,
  kMemberOrNone,  // one that Python shows as None while it is not set
  kMember,        // "slot", and the fields of builtin types that are members too: partials, properties, ranges …
  kType,
  kTypeAttr,
  kCell,
  kCode,
  kDefaults,
  kKwdefaults,
  kFuncClosure,
  kFuncGlobals,
  kFuncDict,
  kMethodFunc,
  kMethodSelf,
  kWeakref,
  kDequeItem,
  kSlicePart,
  kMro,
  kTensorGrad,
  kClassName,
  kClassQualname,
  kClassBases,
  kClassDict,
  kFuncName,
  kFuncQualname,
  kFuncDoc,
  kFuncModule,
  kProxyMapping,
  kFuncAnnotations,
  kClassAnnotations,
  kBuiltinSelf,
  kIteratorSource,
  kIteratorFunction,
  kChainActive,
  kItemAhead,
  kKeyAhead,
  kNumberAhead,
  kCachedFunction,
  kCachedResult,
  kExceptionPart,
  kGeneratorCode,
  kGeneratorGlobals,
  kGeneratorVariable,
  kGeneratorStack,
  kGeneratorPosition,
  kThreadDict,
  kContextValue,
};

inline bool is_root(Accessor accessor) { return accessor <= Accessor::kDispatchMode; }

// One accessor with its key, made ready.
struct Step {
  Accessor accessor = Accessor::kLocal;
  Py_ssize_t number = 0;  // an index, or a member's offset
  Key key;
  Held object;          // of kObject; of kMember the type that has the member
  mutable Ref<> owned;  // of kCachedResult the key; else what had to be made on the last walk

  int visit(visitproc visit, void* arg) const {
    if (int stop = key.visit(visit, arg)) return stop;
    if (int stop = owned.visit(visit, arg)) return stop;
    return object.visit(visit, arg);
  }
};

// Reads an accessor and its key from a specification. False with a ValueError (or worse) set.
bool parse_step(PyObject* name, PyObject* key, bool root, Step* step);

// From where a root step starts.
struct Origins {
  PyObject* const* slots;  // the bound arguments
  PyFunctionObject* function;
};

// The object a step leads to, or null.
PyObject* reach_other_root(const Step& step, const Origins& origins);
PyObject* reach_otherwise(const Step& step, PyObject* from);

inline PyObject* reach_root(const Step& step, const Origins& origins) {
  return step.accessor == Accessor::kLocal ? origins.slots[step.number] : reach_other_root(step, origins);
}

inline PyObject* sequence_item(PyObject* from, Py_ssize_t index) {
  if (PyTuple_Check(from)) return index < PyTuple_GET_SIZE(from) ? PyTuple_GET_ITEM(from, index) : nullptr;
  if (PyList_Check(from)) return index < PyList_GET_SIZE(from) ? PyList_GET_ITEM(from, index) : nullptr;
  return nullptr;
}

inline PyObject* reach(const Step& step, PyObject* from) {
  switch (step.accessor) {
    case Accessor::kAttr:
      return find_attribute(from, step.key).value;
    case Accessor::kItem:
      return sequence_item(from, step.number);
    case Accessor::kKey:
      return PyDict_Check(from) ? find_in_dict(from, step.key).value : nullptr;
    default:
      return reach_otherwise(step, from);
  }
}

Ref<> accessor_names();

// Looks the types up that Python only makes at run time. False with an exception set.
// What `context_value` leads to where a context variable has no value.
PyObject* unset_value();

bool init_accessors();

// collections.deque, whose C type has no name in the API.
PyTypeObject* deque_type();

}  // namespace framelift
