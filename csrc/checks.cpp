#include "checks.h"

#include "accessors.h"
#include "compat/set.h"
#include "constants.h"
#include "iterators.h"
#include "lru_caches.h"
#include "tensor_checks.h"

#include <cstring>

namespace framelift {
namespace {

// What a check's argument has to be.
enum class Wants : unsigned char {
  kType,
  kObject,
  kConstant,
  kCount,
  kKeys,
  kKey,
  kAbsentKey,
  kName,
  kNameAndObject,
  kConstants,
  kBool,
  kTensorMeta,
  kDevice,
  kHashed,
  kHashedPair,
};

struct Definition {
  const char* name;
  CheckKind kind;
  Wants wants;
};

constexpr Definition definitions[] = {
    {"type_is", CheckKind::kTypeIs, Wants::kType},
    {"is", CheckKind::kIs, Wants::kObject},
    {"is_not", CheckKind::kIsNot, Wants::kObject},
    {"equals", CheckKind::kEquals, Wants::kConstant},
    {"length", CheckKind::kLength, Wants::kCount},
    {"keys", CheckKind::kKeys, Wants::kKeys},
    {"has_key", CheckKind::kHasKey, Wants::kKey},
    {"lacks_key", CheckKind::kLacksKey, Wants::kAbsentKey},
    {"has_attr", CheckKind::kHasAttr, Wants::kName},
    {"lacks_attr", CheckKind::kLacksAttr, Wants::kName},
    {"lookup_is", CheckKind::kLookupIs, Wants::kNameAndObject},
    {"lookup_absent", CheckKind::kLookupAbsent, Wants::kName},
    {"type_lookup_is", CheckKind::kTypeLookupIs, Wants::kNameAndObject},
    {"type_lookup_absent", CheckKind::kTypeLookupAbsent, Wants::kName},
    {"set_is", CheckKind::kSetIs, Wants::kConstants},
    {"same_as", CheckKind::kSameAs, Wants::kCount},
    {"not_same_as", CheckKind::kNotSameAs, Wants::kCount},
    {"shares_memory", CheckKind::kSharesMemory, Wants::kCount},
    {"shares_no_memory", CheckKind::kSharesNoMemory, Wants::kCount},
    {"cell_empty", CheckKind::kCellEmpty, Wants::kBool},
    {"tensor_leaf", CheckKind::kTensorLeaf, Wants::kBool},
    {"tensor_hooked", CheckKind::kTensorHooked, Wants::kBool},
    {"deque_bound", CheckKind::kDequeBound, Wants::kCount},
    {"base_equals", CheckKind::kBaseEquals, Wants::kConstant},
    {"derives_from", CheckKind::kDerivesFrom, Wants::kType},
    {"does_not_derive_from", CheckKind::kDoesNotDeriveFrom, Wants::kType},
    {"abc_token", CheckKind::kAbcToken, Wants::kCount},
    {"more_ahead", CheckKind::kMoreAhead, Wants::kCount},
    {"no_more_ahead", CheckKind::kNoMoreAhead, Wants::kCount},
    {"zip_strict", CheckKind::kZipStrict, Wants::kBool},
    {"cache_has", CheckKind::kCacheHas, Wants::kHashed},
    {"cache_lacks", CheckKind::kCacheLacks, Wants::kHashed},
    {"cache_lacks_or", CheckKind::kCacheLacksOr, Wants::kHashedPair},
    {"cache_room", CheckKind::kCacheRoom, Wants::kCount},
    {"tensor", CheckKind::kTensor, Wants::kTensorMeta},
    {"generator_on", CheckKind::kGeneratorOn, Wants::kDevice},
};

bool refuse(PyObject* name, const char* wanted, PyObject* argument) {
  PyErr_Format(PyExc_ValueError, "check %R takes %s, got %R", name, wanted, argument);
  return false;
}

// Constants are owned, anything else is held so that it can die. Keys of a `keys` check are a tuple of either.
bool use_constant(PyObject* argument, Check* check) {
  if (is_constant(argument)) {
    check->constant = Ref<>::create(argument);
    return true;
  }
  return Held::hold(argument, &check->object);
}

// {element: element}, to find the exact element from an equal one.
bool use_constants(PyObject* argument, Check* check) {
  check->constant = Ref<>::steal(PyDict_New());
  if (!check->constant) return false;
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(argument, &position, &item, &hash)) {
    if (PyDict_SetItem(check->constant.get(), item, item) < 0) return false;
  }
  return true;
}

Py_ssize_t length_of(PyObject* object) {
  // Those first whose type says it in a flag; of the others a subclass has to be looked for in the bases of its type.
  if (PyList_Check(object) || PyTuple_Check(object) || PyBytes_Check(object)) return Py_SIZE(object);
  if (PyDict_Check(object)) return reinterpret_cast<PyDictObject*>(object)->ma_used;
  if (PyUnicode_Check(object)) return PyUnicode_GET_LENGTH(object);
  if (PyAnySet_Check(object)) return PySet_GET_SIZE(object);
  if (PyObject_TypeCheck(object, deque_type()) || PyByteArray_Check(object)) return Py_SIZE(object);
  if (PyRange_Check(object)) {
    Py_ssize_t length = PyRange_Type.tp_as_sequence->sq_length(object);
    if (length < 0) PyErr_Clear();
    return length;
  }
  return -1;
}

// Keys that can die are held by weak references.
bool is_key(PyObject* expected, PyObject* key) {
  if (expected == key) return true;
  if (PyWeakref_CheckRefExact(expected)) return reinterpret_cast<PyWeakReference*>(expected)->wr_object == key;
  return same_constant(expected, key);
}

// The elements of a set in the order of iteration.
bool elements_are(PyObject* set, PyObject* elements) {
  if (PySet_GET_SIZE(set) != PyTuple_GET_SIZE(elements)) return false;
  PyObject* item;
  Py_ssize_t position = 0, i = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(set, &position, &item, &hash)) {
    if (i >= PyTuple_GET_SIZE(elements) || !is_key(PyTuple_GET_ITEM(elements, i++), item)) return false;
  }
  return true;
}

bool keys_are(PyObject* dict, PyObject* keys) {
  if (PyAnySet_Check(dict)) return elements_are(dict, keys);
  if (!PyDict_Check(dict) || reinterpret_cast<PyDictObject*>(dict)->ma_used != PyTuple_GET_SIZE(keys)) return false;
  KeyWalk walk(dict);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keys); i++) {
    PyObject* key = walk.next();
    if (key == nullptr || !is_key(PyTuple_GET_ITEM(keys, i), key)) return false;
  }
  return true;
}

bool set_is(PyObject* set, PyObject* elements) {
  if (!PyAnySet_CheckExact(set) || PySet_GET_SIZE(set) != PyDict_GET_SIZE(elements)) return false;
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(set, &position, &item, &hash)) {
    if (!is_constant(item)) return false;
    PyObject* expected = find_constant(elements, item, hash).value;
    if (expected == nullptr || !same_constant(expected, item)) return false;
  }
  return true;
}

// Whether an instance of a subclass of str, int, ... holds this constant; none of the subclass's methods are asked.
bool base_equals(PyObject* constant, PyObject* object) {
  if (constant == nullptr || !PyObject_TypeCheck(object, Py_TYPE(constant))) return false;
  if (PyFloat_CheckExact(constant)) {
    double left = PyFloat_AS_DOUBLE(constant), right = PyFloat_AS_DOUBLE(object);
    return std::memcmp(&left, &right, sizeof(double)) == 0;
  }
  if (PyComplex_CheckExact(constant)) {
    auto left = reinterpret_cast<PyComplexObject*>(constant)->cval;
    auto right = reinterpret_cast<PyComplexObject*>(object)->cval;
    return std::memcmp(&left, &right, sizeof(left)) == 0;
  }
  auto answer = Ref<>::steal(Py_TYPE(constant)->tp_richcompare(constant, object, Py_EQ));
  if (!answer) PyErr_Clear();
  return answer && answer.get() == Py_True;
}

// The maxlen of a deque, plus one; zero for none.
bool deque_bound_is(PyObject* object, Py_ssize_t wanted) {
  if (!PyObject_TypeCheck(object, deque_type())) return false;
  static PyObject* name = PyUnicode_InternFromString("maxlen");
  PyObject* getter = name != nullptr ? _PyType_Lookup(deque_type(), name) : nullptr;
  if (getter == nullptr || Py_TYPE(getter)->tp_descr_get == nullptr) return false;
  auto bound =
      Ref<>::steal(Py_TYPE(getter)->tp_descr_get(getter, object, reinterpret_cast<PyObject*>(Py_TYPE(object))));
  if (bound && bound.get() == Py_None) return wanted == 0;
  Py_ssize_t number = bound ? PyLong_AsSsize_t(bound.get()) : -1;
  if (PyErr_Occurred()) PyErr_Clear();
  return number >= 0 && number == wanted - 1;
}

// Whether one class is among those another inherits from, by method resolution alone.
bool derives_from(PyObject* cls, PyObject* base) {
  return PyType_Check(cls) && base != nullptr &&
         PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), reinterpret_cast<PyTypeObject*>(base));
}

// The number of times that a class has been registered with an abstract one, in the whole process.
bool abc_token_is(Py_ssize_t wanted) {
  static PyObject* counter = [] {
    auto module = Ref<>::steal(PyImport_ImportModule("_abc"));
    return module ? PyObject_GetAttrString(module.get(), "get_cache_token") : nullptr;
  }();
  auto token = Ref<>::steal(counter != nullptr ? PyObject_CallNoArgs(counter) : nullptr);
  Py_ssize_t number = token ? PyLong_AsSsize_t(token.get()) : -1;
  if (PyErr_Occurred()) PyErr_Clear();
  return number == wanted;
}

// Whether a call with the key would run the function, or give the constant that running it gave.
bool cache_lacks_or(PyObject* object, const Check& check) {
  if (cached_function(object) == nullptr) return false;
  PyObject* found = cached_result(object, PyTuple_GET_ITEM(check.constant.get(), 0), check.number);
  return found == nullptr || same_constant(PyTuple_GET_ITEM(check.constant.get(), 1), found);
}

PyObject* look_up(PyTypeObject* type, const Key& name) {
  PyObject* found = _PyType_Lookup(type, name.object());
  if (found == nullptr && PyErr_Occurred()) PyErr_Clear();
  return found;
}

bool has_key(PyObject* dict, const Key& key, Outcome wanted) {
  return PyDict_Check(dict) && find_in_dict(dict, key).outcome == wanted;
}

PyTypeObject* as_type(PyObject* object) { return reinterpret_cast<PyTypeObject*>(object); }

}  // namespace

bool parse_check(PyObject* name, PyObject* argument, Check* check) {
  const Definition* found = nullptr;
  for (const Definition& definition : definitions) {
    if (PyUnicode_CheckExact(name) && PyUnicode_CompareWithASCIIString(name, definition.name) == 0) found = &definition;
  }
  if (found == nullptr) {
    PyErr_Format(PyExc_ValueError, "unknown check %R", name);
    return false;
  }
  check->kind = found->kind;
  switch (found->wants) {
    case Wants::kType:
      return PyType_Check(argument) ? Held::hold(argument, &check->object) : refuse(name, "a type", argument);
    case Wants::kObject:
      return Held::hold(argument, &check->object);
    case Wants::kConstant:
      return use_constant(argument, check);
    case Wants::kCount:
      if (!PyLong_CheckExact(argument)) return refuse(name, "a number from 0", argument);
      check->number = PyLong_AsSsize_t(argument);
      if (check->number == -1 && PyErr_Occurred()) PyErr_Clear();
      return check->number >= 0 || refuse(name, "a number from 0", argument);
    case Wants::kKeys:
      if (!PyTuple_CheckExact(argument)) return refuse(name, "a tuple of keys", argument);
      check->constant = Ref<>::create(argument);
      return true;
    case Wants::kKey:
      return Key::make(argument, &check->key);
    case Wants::kAbsentKey:
      if (!Key::make(argument, &check->key)) return false;
      // Without asking its __eq__ nobody can say that no equal key is there.
      return check->key.kind() != Key::Kind::kForeign ||
             refuse(name, "a constant or an object that hashes by identity", argument);
    case Wants::kName:
      return PyUnicode_CheckExact(argument) ? Key::make(argument, &check->key) : refuse(name, "a str", argument);
    case Wants::kNameAndObject:
      if (!PyTuple_CheckExact(argument) || PyTuple_GET_SIZE(argument) != 2 ||
          !PyUnicode_CheckExact(PyTuple_GET_ITEM(argument, 0))) {
        return refuse(name, "a pair of a str and an object", argument);
      }
      return Key::make(PyTuple_GET_ITEM(argument, 0), &check->key) &&
             Held::hold(PyTuple_GET_ITEM(argument, 1), &check->object);
    case Wants::kConstants:
      if (!PyFrozenSet_CheckExact(argument) || !is_constant(argument)) {
        return refuse(name, "a frozenset of constants", argument);
      }
      return use_constants(argument, check);
    case Wants::kBool:
      check->number = argument == Py_True;
      return PyBool_Check(argument) || refuse(name, "a bool", argument);
    case Wants::kHashed:
      check->constant = Ref<>::create(argument);
      check->number = PyObject_Hash(argument);
      return check->number != -1;
    case Wants::kHashedPair:
      if (!PyTuple_CheckExact(argument) || PyTuple_GET_SIZE(argument) != 2) return refuse(name, "a pair", argument);
      check->constant = Ref<>::create(argument);
      check->number = PyObject_Hash(PyTuple_GET_ITEM(argument, 0));
      return check->number != -1;
    case Wants::kTensorMeta:
      check->constant = Ref<>::create(argument);
      return is_tensor_meta(argument) || refuse(name, "a TensorMeta", argument);
    case Wants::kDevice:
      check->constant = Ref<>::create(argument);
      return is_device(argument) || refuse(name, "a torch.device", argument);
  }
  return false;
}

bool holds_otherwise(const Check& check, PyObject* object, PyObject* const* gathered) {
  switch (check.kind) {
    case CheckKind::kTypeIs:
    case CheckKind::kIs:
      return false;  // decided where they are asked
    case CheckKind::kIsNot:
      return !check.object.is(object);
    case CheckKind::kEquals:
      if (check.constant) return same_constant(check.constant.get(), object);
      return check.object.is(object) || (check.object.get() && same_constant(check.object.get(), object));
    case CheckKind::kLength:
      return length_of(object) == check.number;
    case CheckKind::kKeys:
      return keys_are(object, check.constant.get());
    case CheckKind::kHasKey:
      return has_key(object, check.key, Outcome::kFound);
    case CheckKind::kLacksKey:
      return has_key(object, check.key, Outcome::kAbsent);
    case CheckKind::kHasAttr:
      return find_attribute(object, check.key).outcome == Outcome::kFound;
    case CheckKind::kLacksAttr:
      return find_attribute(object, check.key).outcome == Outcome::kAbsent;
    case CheckKind::kLookupIs: {
      PyObject* found = look_up(Py_TYPE(object), check.key);
      return found != nullptr && check.object.is(found);
    }
    case CheckKind::kLookupAbsent:
      return look_up(Py_TYPE(object), check.key) == nullptr;
    case CheckKind::kTypeLookupIs: {
      PyObject* found = PyType_Check(object) ? look_up(as_type(object), check.key) : nullptr;
      return found != nullptr && check.object.is(found);
    }
    case CheckKind::kTypeLookupAbsent:
      return PyType_Check(object) && look_up(as_type(object), check.key) == nullptr;
    case CheckKind::kSetIs:
      return set_is(object, check.constant.get());
    case CheckKind::kSameAs:
      return gathered[check.number] == object;
    case CheckKind::kNotSameAs:
      return gathered[check.number] != object;
    case CheckKind::kSharesMemory:
      return memory_of(gathered[check.number]) == memory_of(object);
    case CheckKind::kSharesNoMemory:
      return memory_of(gathered[check.number]) != memory_of(object);
    case CheckKind::kTensorLeaf:
      return tensor_leaf(object) == check.number;
    case CheckKind::kTensorHooked:
      return tensor_hooked(object) == check.number;
    case CheckKind::kCellEmpty:
      return PyCell_Check(object) && (PyCell_GET(object) == nullptr) == (check.number != 0);
    case CheckKind::kDequeBound:
      return deque_bound_is(object, check.number);
    case CheckKind::kBaseEquals:
      return base_equals(check.constant.get(), object);
    case CheckKind::kDerivesFrom:
      return derives_from(object, check.object.get());
    case CheckKind::kDoesNotDeriveFrom:
      return PyType_Check(object) && !derives_from(object, check.object.get());
    case CheckKind::kAbcToken:
      return abc_token_is(check.number);
    case CheckKind::kMoreAhead:
      return items_ahead(object) > check.number;
    case CheckKind::kNoMoreAhead: {
      Py_ssize_t ahead = items_ahead(object);
      return ahead >= 0 && ahead <= check.number;
    }
    case CheckKind::kZipStrict:
      return zip_is_strict(object) == check.number;
    case CheckKind::kCacheHas:
      return cached_result(object, check.constant.get(), check.number) != nullptr;
    case CheckKind::kCacheLacks:
      return cached_function(object) != nullptr && cached_result(object, check.constant.get(), check.number) == nullptr;
    case CheckKind::kCacheLacksOr:
      return cache_lacks_or(object, check);
    case CheckKind::kCacheRoom:
      return cache_has_room(object, check.number);
    case CheckKind::kTensor:
      return tensor_matches(check.constant.get(), object);
    case CheckKind::kGeneratorOn:
      return generator_on(object, check.constant.get());
  }
  return false;
}

Ref<> check_names() {
  auto names = Ref<>::steal(PyFrozenSet_New(nullptr));
  for (const Definition& definition : definitions) {
    auto name = Ref<>::steal(PyUnicode_FromString(definition.name));
    if (!names || !name || PySet_Add(names.get(), name.get()) < 0) return nullptr;
  }
  return names;
}

}  // namespace framelift
