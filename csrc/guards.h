// The guard program of a cache entry: a walk over the objects a capture looked at, with what it found out about each.
//
// The walk is one pass over an array in preorder, so that an object is checked before anything is read off it. Nothing
// in it runs Python code or lets go of the interpreter lock; the objects it gathers are therefore still alive when it
// returns, and stay so until the caller runs something.
#pragma once

#include "accessors.h"
#include "checks.h"
#include "global_state.h"
#include "shape_guards.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace framelift {

// Which check of which node failed. Node -1: the global state; check -1: the node could not be reached. Node -2: a
// condition on sizes or numbers, `check` being its index.
struct Failure {
  Py_ssize_t node = -1;
  Py_ssize_t check = -1;
  PyObject* object = nullptr;  // borrowed: what the check was asked of, or the last object on the way
};

// What the checks of a node depend on. Checks that depend on nothing else need no repeating while that is unchanged.
struct Watch {
  bool skips = false;         // the checks may be left out at all
  bool needs_same = false;    // it has to be the very object
  bool needs_items = false;   // the dict it is
  bool needs_attrs = false;   // the dict of its attributes
  bool needs_type = false;    // the class it is, with its bases
  bool needs_stored = false;  // any of these, or a child that is read from its dict
  bool quiet = false;         // a constant or a known object at the end of a path: as long as its holder is unchanged
};

struct Guards {
  PyObject_HEAD

      struct Node {
    int32_t parent = -1;  // -1: a root
    int32_t first_check = 0;
    int32_t checks_end = 0;
    int32_t out = -1;  // where the object goes, if anywhere
    Step step;
  };

  // Of each node what a walk needs where nothing has changed: little, and all in one place.
  struct Brief {
    int32_t parent = -1;
    int32_t out = -1;
    Accessor accessor = Accessor::kLocal;
    Watch watch;
  };

  // What a node's object was when its checks last held.
  struct Memo {
    PyObject* object = nullptr;  // borrowed, and only compared unless it is known to live
    PyTypeObject* type = nullptr;
    PyObject* storage = nullptr;  // its dict, or itself for a dict
    uint64_t version = 0;         // of that dict, or of the type it is
  };

  std::vector<Node> nodes;
  std::vector<Check> checks;
  std::vector<PyObject*> reached;  // by node; only of use during a walk
  std::vector<Brief> briefs;
  std::vector<Memo> memos;           // by node, of the last walk that held
  std::vector<unsigned char> known;  // by node, during a walk: whether the object is the same, and unchanged
  bool memos_hold = false;
  std::optional<GlobalState> state;
  std::optional<ShapeGuards> shapes;
  std::vector<bool> hands_out;  // by out-index: whether a node fills it
  Py_ssize_t slots = 0;         // how many argument slots the walk reads from
  Py_ssize_t gathers = 0;       // room the gathered objects need
  bool uses_function = false;

  // Whether everything is as it was. `gathered` has room for `gathers` references and gets borrowed ones.
  bool run(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure = nullptr);

  // Works out, after all nodes are there, what each depends on.
  void prepare();

  // Whether the first `count` gathered objects are all there.
  bool gathers_first(Py_ssize_t count) const;

 private:
  bool walk(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure);
  bool checks_hold(size_t index, PyObject* object, PyObject** gathered, Failure* failure) const;
};

extern PyTypeObject GuardsType;
bool init_guards(PyObject* module);

// Builds the program of a specification `(state, nodes)`. Null with a ValueError (or worse) set.
Ref<Guards> build_guards(PyObject* specification);

}  // namespace framelift
