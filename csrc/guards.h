// The guard program of a cache entry: a walk over the objects a capture looked at, with what it found out about each.
//
// The walk is one pass over an array in preorder, so that an object is checked before anything is read off it. Nothing
// in it runs Python code or lets go of the interpreter lock; the objects it gathers are therefore still alive when it
// returns, and stay so until the caller runs something.
#pragma once

#include "accessors.h"
#include "checks.h"
#include "global_state.h"
#include "pins.h"
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

struct Guards {
  PyObject_HEAD

      struct Node {
    int32_t parent = -1;  // -1: a root
    int32_t first_check = 0;
    int32_t checks_end = 0;
    int32_t out = -1;  // where the object goes, if anywhere
    Step step;
  };

  std::vector<Node> nodes;
  std::vector<Check> checks;
  std::vector<PyObject*> reached;  // by node; only of use during a walk
  Pins pins;                       // what of the last walk need not be done again
  std::optional<GlobalState> state;
  std::optional<ShapeGuards> shapes;
  std::vector<bool> hands_out;  // by out-index: whether a node fills it
  Py_ssize_t slots = 0;         // how many argument slots the walk reads from
  Py_ssize_t gathers = 0;       // room the gathered objects need
  bool uses_function = false;

  // Whether everything is as it was. `gathered` has room for `gathers` references and gets borrowed ones.
  bool run(PyObject* const* slots, PyFunctionObject* function, PyObject** gathered, Failure* failure = nullptr);

  // Whether the first `count` gathered objects are all there.
  bool gathers_first(Py_ssize_t count) const;

 private:
  bool walk(const Origins& origins, PyObject** gathered, Failure* failure);
};

extern PyTypeObject GuardsType;
bool init_guards(PyObject* module);

// Builds the program of a specification `(state, nodes)`. Null with a ValueError (or worse) set.
Ref<Guards> build_guards(PyObject* specification);

}  // namespace framelift
