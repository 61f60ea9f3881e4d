// What a guard asks of an object it has reached. A check answers yes or no; it raises nothing and runs no code of the
// user's.
#pragma once

#include "dicts.h"
#include "held.h"

namespace framelift {

enum class CheckKind : unsigned char {
  kTypeIs,
  kIs,
  kIsNot,
  kEquals,
  kLength,
  kKeys,
  kHasKey,
  kLacksKey,
  kHasAttr,
  kLacksAttr,
  kLookupIs,
  kLookupAbsent,
  kTypeLookupIs,
  kTypeLookupAbsent,
  kSetIs,
  kSameAs,
  kNotSameAs,
  kSharesMemory,
  kSharesNoMemory,
  kCellEmpty,
  kTensorLeaf,
  kTensorHooked,
  kDequeBound,
  kBaseEquals,
  kDerivesFrom,
  kDoesNotDeriveFrom,
  kAbcToken,
  kMoreAhead,
  kNoMoreAhead,
  kZipStrict,
  kCacheHas,
  kCacheLacks,
  kCacheLacksOr,
  kCacheRoom,
  kTensor,
  kGeneratorOn,
};

struct Check {
  CheckKind kind = CheckKind::kIs;
  Py_ssize_t number = 0;  // a length, an out-index, or a truth value
  Held object;
  Key key;
  Ref<> constant;

  int visit(visitproc visit, void* arg) const {
    if (int stop = object.visit(visit, arg)) return stop;
    if (int stop = key.visit(visit, arg)) return stop;
    return constant.visit(visit, arg);
  }
};

// Reads a check and its argument from a specification. False with a ValueError (or worse) set.
bool parse_check(PyObject* name, PyObject* argument, Check* check);

// `gathered` is what the walk has put there so far.
bool holds_otherwise(const Check& check, PyObject* object, PyObject* const* gathered);

inline bool holds(const Check& check, PyObject* object, PyObject* const* gathered) {
  switch (check.kind) {
    case CheckKind::kTypeIs:
      return check.object.is(reinterpret_cast<PyObject*>(Py_TYPE(object)));
    case CheckKind::kIs:
      return check.object.is(object);
    case CheckKind::kEquals:
      return check.constant.get() == object || holds_otherwise(check, object, gathered);
    default:
      return holds_otherwise(check, object, gathered);
  }
}

Ref<> check_names();

}  // namespace framelift
