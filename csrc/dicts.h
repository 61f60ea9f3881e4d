// Reading dicts and instance attributes without running anyone's code.
//
// CPython's own look-up calls `__eq__` of any key that happens to have the same hash. Here such a key, when it is not
// of a builtin type, makes the look-up give up instead, and a guard that cannot be decided fails.
#pragma once

#include "held.h"

namespace framelift {

// A key to look up, made ready once.
class Key {
 public:
  enum class Kind : unsigned char {
    kText,      // an exact str
    kConstant,  // another constant
    kIdentity,  // hashes and compares by identity: a type, a function, most objects
    kForeign,   // has a hash of its own: found only as the very object, by looking at every key
  };

  // False with an exception set.
  static bool make(PyObject* object, Key* key);

  // Where a dict's entries had this text last. Instances of a class, and dicts made alike, have it at the same place.
  Py_ssize_t hint() const { return hint_; }
  void set_hint(Py_ssize_t place) const { hint_ = place; }

  Kind kind() const { return kind_; }
  Py_hash_t hash() const { return hash_; }
  PyObject* object() const { return held_.get(); }  // null once the key has died
  int visit(visitproc visit, void* arg) const { return held_.visit(visit, arg); }

 private:
  Held held_;
  Py_hash_t hash_ = 0;
  mutable Py_ssize_t hint_ = 0;
  Kind kind_ = Kind::kText;
};

enum class Outcome : unsigned char { kFound, kAbsent, kUndecided };

struct Lookup {
  Outcome outcome = Outcome::kAbsent;
  PyObject* value = nullptr;  // borrowed
};

// In the storage of a dict or a subclass of one.
Lookup find_in_dict(PyObject* dict, const Key& key);

// In the instance's own attributes: never the type's, never a descriptor's.
Lookup find_attribute(PyObject* object, const Key& name);

// The place of a name among the keys that instances of a type share; -1 when it is not there.
Py_ssize_t index_of_name(const Key& name, struct _dictkeysobject* keys);

// For a key of any constant type whose hash is known, and for which no Key was made.
Lookup find_constant(PyObject* dict, PyObject* key, Py_hash_t hash);

// The instance's `__dict__`, made now where it has none yet; null when it cannot have one. Borrowed.
PyObject* dict_of(PyObject* object);

// Walks a dict's keys in the order in which Python iterates over them, also of an OrderedDict.
class KeyWalk {
 public:
  explicit KeyWalk(PyObject* dict);
  PyObject* next();  // null at the end; borrowed

 private:
  PyObject* dict_;
  Py_ssize_t position_ = 0;
  void* node_ = nullptr;
  bool ordered_;
};

// The n-th key in that order; null when there are not so many.
PyObject* key_at(PyObject* dict, Py_ssize_t n);

// put_hashed(dict, key, value, hash): set an entry under a hash that the key had once, without asking it.
PyObject* put_hashed(PyObject*, PyObject* const* args, Py_ssize_t count);

// The n-th element of a set in the order of iteration, borrowed; null if there is none, or it is no set.
PyObject* element_at(PyObject* set, Py_ssize_t n);

// Checks what this file assumes about the layout of OrderedDict. False with an exception set when it does not hold.
bool init_dicts();

}  // namespace framelift
