#include "dicts.h"

#include "compat/attributes.h"
#include "compat/ordered_dict.h"
#include "compat/set.h"
#include "constants.h"
#include "tensor_checks.h"

namespace framelift {
namespace {

bool hashes_by_identity(PyTypeObject* type) {
  if (type == &PyCFunction_Type) return true;  // hashes by the address of what it is bound to
  return type->tp_hash == PyBaseObject_Type.tp_hash && type->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

// Whether a class keeps how a built-in base hashes and compares: an enumeration of strings, for one.
bool hashes_as_base(PyTypeObject* type) {
  for (PyTypeObject* base : {&PyUnicode_Type, &PyLong_Type, &PyFloat_Type, &PyBytes_Type}) {
    if (type->tp_hash == base->tp_hash && type->tp_richcompare == base->tp_richcompare) return true;
  }
  return false;
}

// Whether hashing and comparing an object runs no code of the user's.
bool compares_plainly(PyObject* object) {
  if (is_constant(object) || is_device(object) || hashes_by_identity(Py_TYPE(object))) return true;
  if (hashes_as_base(Py_TYPE(object))) return true;
  if (!PyTuple_CheckExact(object)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); i++) {
    if (!compares_plainly(PyTuple_GET_ITEM(object, i))) return false;
  }
  return true;
}

// Whether two different keys with the same hash are one to a dict.
Outcome compare_keys(PyObject* stored, PyObject* wanted, bool wanted_is_constant) {
  if (Py_TYPE(stored)->tp_richcompare == PyBaseObject_Type.tp_richcompare) return Outcome::kAbsent;
  if (is_plain_tensor(stored)) return Outcome::kAbsent;
  if (!compares_plainly(stored)) return Outcome::kUndecided;
  if (!wanted_is_constant) return Outcome::kAbsent;
  int equal = PyObject_RichCompareBool(stored, wanted, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal < 0 ? Outcome::kUndecided : equal > 0 ? Outcome::kFound : Outcome::kAbsent;
}

Py_ssize_t find_text(PyDictKeysObject* keys, PyObject* text, Py_hash_t hash) {
  const PyDictUnicodeEntry* entries = DK_UNICODE_ENTRIES(keys);
  return compat::probe(keys, hash, [&](Py_ssize_t index) {
    PyObject* stored = entries[index].me_key;
    if (stored == text) return true;
    return reinterpret_cast<PyASCIIObject*>(stored)->hash == hash && same_text(stored, text);
  });
}

// The same for a prepared key, which is interned: nearly always the address at the place of last time settles it.
Py_ssize_t find_text(PyDictKeysObject* keys, const Key& key) {
  PyObject* text = key.object();
  if (key.hint() < keys->dk_nentries && DK_UNICODE_ENTRIES(keys)[key.hint()].me_key == text) return key.hint();
  Py_ssize_t index = find_text(keys, text, key.hash());
  if (index >= 0) key.set_hint(index);
  return index;
}

Lookup value_or_absent(PyObject* value) {
  if (value == nullptr) return {};
  return {Outcome::kFound, value};
}

Lookup value_at(PyDictObject* dict, Py_ssize_t index) {
  if (index < 0) return {};
  if (dict->ma_values != nullptr) return value_or_absent(dict->ma_values->values[index]);
  return value_or_absent(DK_UNICODE_ENTRIES(dict->ma_keys)[index].me_value);
}

Lookup find_among_any(PyDictObject* dict, PyObject* wanted, Py_hash_t hash, bool wanted_is_constant) {
  const PyDictKeyEntry* entries = DK_ENTRIES(dict->ma_keys);
  Outcome outcome = Outcome::kAbsent;
  Py_ssize_t index = compat::probe(dict->ma_keys, hash, [&](Py_ssize_t at) {
    PyObject* stored = entries[at].me_key;
    if (stored == wanted) {
      outcome = Outcome::kFound;
    } else if (stored != nullptr && entries[at].me_hash == hash) {
      outcome = compare_keys(stored, wanted, wanted_is_constant);
    }
    return outcome != Outcome::kAbsent;
  });
  if (outcome != Outcome::kFound) return {outcome, nullptr};
  return value_or_absent(entries[index].me_value);
}

bool compares_by_identity(PyObject* object) {
  return Py_TYPE(object)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

Lookup find_very_object(PyObject* dict, PyObject* wanted) {
  PyObject *key, *value;
  Py_ssize_t position = 0;
  // An object that is equal to itself alone is not there, unless a key says that it is equal to it.
  bool decided = compares_by_identity(wanted);
  while (PyDict_Next(dict, &position, &key, &value)) {
    if (key == wanted) return {Outcome::kFound, value};
    decided = decided && (compares_by_identity(key) || is_plain_tensor(key) || compares_plainly(key));
  }
  return {decided ? Outcome::kAbsent : Outcome::kUndecided, nullptr};
}

}  // namespace

bool Key::make(PyObject* object, Key* key) {
  Ref<> interned;
  if (PyUnicode_CheckExact(object)) {
    PyObject* text = Ref<>::create(object).release();
    PyUnicode_InternInPlace(&text);
    interned = Ref<>::steal(text);
    object = text;
  }
  if (!Held::hold(object, &key->held_)) return false;
  bool constant = !hashes_by_identity(Py_TYPE(object)) && compares_plainly(object);
  if (constant || is_plain_tensor(object) || hashes_by_identity(Py_TYPE(object))) {
    key->hash_ = PyObject_Hash(object);
    key->kind_ = PyUnicode_CheckExact(object) ? Kind::kText : constant ? Kind::kConstant : Kind::kIdentity;
    return key->hash_ != -1;
  }
  key->kind_ = Kind::kForeign;
  return true;
}

Lookup find_in_dict(PyObject* object, const Key& key) {
  auto* dict = reinterpret_cast<PyDictObject*>(object);
  PyObject* wanted = key.object();
  if (wanted == nullptr) return {};
  if (key.kind() == Key::Kind::kForeign) return find_very_object(object, wanted);
  if (DK_IS_UNICODE(dict->ma_keys)) {
    if (key.kind() == Key::Kind::kText) return value_at(dict, find_text(dict->ma_keys, key));
    bool is_text = key.kind() == Key::Kind::kConstant && PyUnicode_Check(wanted);
    return is_text ? value_at(dict, find_text(dict->ma_keys, wanted, key.hash())) : Lookup();
  }
  return find_among_any(dict, wanted, key.hash(), key.kind() != Key::Kind::kIdentity);
}

Lookup find_constant(PyObject* object, PyObject* wanted, Py_hash_t hash) {
  auto* dict = reinterpret_cast<PyDictObject*>(object);
  if (!DK_IS_UNICODE(dict->ma_keys)) return find_among_any(dict, wanted, hash, true);
  return PyUnicode_Check(wanted) ? value_at(dict, find_text(dict->ma_keys, wanted, hash)) : Lookup();
}

Lookup find_attribute(PyObject* object, const Key& name) {
  compat::Attributes attributes = compat::attributes_of(object);
  if (attributes.dict != nullptr) {
    if (!PyDict_Check(attributes.dict)) return {Outcome::kUndecided, nullptr};
    return find_in_dict(attributes.dict, name);
  }
  if (attributes.keys == nullptr) return {};
  if (!DK_IS_UNICODE(attributes.keys)) return {Outcome::kUndecided, nullptr};
  Py_ssize_t index = find_text(attributes.keys, name);
  return index < 0 ? Lookup() : value_or_absent(attributes.values->values[index]);
}

Py_ssize_t index_of_name(const Key& name, struct _dictkeysobject* keys) { return find_text(keys, name); }

PyObject* dict_of(PyObject* object) {
  compat::Attributes attributes = compat::attributes_of(object);
  if (attributes.dict != nullptr || PyType_Check(object)) return attributes.dict;
  // Making a dict may start a garbage collection on some Pythons, which would run finalizers in the middle of a check.
  int collecting = PyGC_Disable();
  PyObject** place = _PyObject_GetDictPtr(object);
  if (place != nullptr && *place == nullptr) {
    *place = PyDict_New();
    if (*place == nullptr) PyErr_Clear();
  }
  if (collecting) PyGC_Enable();
  return place != nullptr ? *place : nullptr;
}

KeyWalk::KeyWalk(PyObject* dict) : dict_(dict), ordered_(PyODict_Check(dict)) {
  if (ordered_) node_ = compat::ordered(dict)->first;
}

PyObject* KeyWalk::next() {
  if (ordered_) {
    auto* node = static_cast<compat::OrderedNode*>(node_);
    if (node == nullptr) return nullptr;
    node_ = node->next;
    return node->key;
  }
  PyObject *key, *value;
  return PyDict_Next(dict_, &position_, &key, &value) ? key : nullptr;
}

PyObject* key_at(PyObject* object, Py_ssize_t n) {
  auto* dict = reinterpret_cast<PyDictObject*>(object);
  if (n < 0 || n >= dict->ma_used) return nullptr;
  PyDictKeysObject* keys = dict->ma_keys;
  if (!PyODict_Check(object) && dict->ma_values == nullptr && keys->dk_nentries == dict->ma_used) {  // no gaps
    return DK_IS_UNICODE(keys) ? DK_UNICODE_ENTRIES(keys)[n].me_key : DK_ENTRIES(keys)[n].me_key;
  }
  KeyWalk walk(object);
  PyObject* key = walk.next();
  while (n-- > 0 && key != nullptr) key = walk.next();
  return key;
}

PyObject* put_hashed(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 4 || !PyDict_Check(args[0]) || PyODict_Check(args[0]) || !PyLong_Check(args[3])) {
    PyErr_SetString(PyExc_TypeError, "put_hashed() takes a dict, a key, a value and a number");
    return nullptr;
  }
  Py_hash_t hash = PyLong_AsSsize_t(args[3]);
  if (hash == -1) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "-1 is not a hash");
    return nullptr;
  }
  if (_PyDict_SetItem_KnownHash(args[0], args[1], args[2], hash) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* element_at(PyObject* set, Py_ssize_t n) {
  if (!PyAnySet_Check(set)) return nullptr;
  PyObject* item;
  Py_ssize_t position = 0;
  Py_hash_t hash;
  while (_PySet_NextEntry(set, &position, &item, &hash)) {
    if (n-- == 0) return item;
  }
  return nullptr;
}

bool init_dicts() {
  if (compat::ordered_dict_is_as_expected()) return true;
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ImportError, "framelift does not know this Python's OrderedDict");
  return false;
}

}  // namespace framelift
