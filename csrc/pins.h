// What a walk over the guards need not do again: words of memory which say that nothing has changed.
//
// After a walk that held, the objects it reached are remembered with the words that tell of changes: where an object's
// type and dict are, the versions of dicts and types. While those are the same, what was read from the dicts is the
// same and alive, and what was found out about it still holds. A call then compares words, walks the few nodes that
// cannot be pinned (arguments, cells, items of lists), and checks again what has no version: tensors.
//
// No address is read before the words that prove it alive: pins stand in the order of the walk, holders first. Objects
// that are only pointed to may die and others take their place; so identity alone is never trusted, except for what an
// unchanged dict or tuple holds.
#pragma once

#include "accessors.h"
#include "checks.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace framelift {

struct Guards;

class Pins {
 public:
  bool stand() const { return stand_; }

  // Whether all is as it was when the pins were set. Otherwise the walk has to be done; `settle` tells its outcome.
  bool hold(const Guards& guards, const Origins& origins, PyObject** gathered);

  // After a walk that held: sets the pins for what it found, by node.
  void settle(const Guards& guards, const std::vector<PyObject*>& found);

 private:
  struct Word {
    const void* where;
    uint64_t value;
  };
  // Words up to an end, then a node to walk. If an object is expected there, it has to be that, and what else has to
  // hold for it is pinned or checked again; otherwise all checks are made.
  struct Stage {
    size_t words_end;
    int32_t node;  // -1: none
    PyObject* expected;
  };
  struct Again {
    const Check* check;
    PyObject* object;
  };
  struct Out {
    int32_t index;
    PyObject* object;
  };
  class Builder;

  bool lose(const void* place);
  void clear();

  std::vector<Word> words_;
  std::vector<Stage> stages_;
  std::vector<Again> again_;
  std::vector<Out> outs_;
  std::vector<Ref<>> kept_;       // code and constants only, so that no cycle can pass here
  std::vector<PyObject*> found_;  // by node
  // How often a word, or the object of a node, was another though the guards held.
  std::unordered_map<const void*, unsigned> losses_;
  const void* lost_ = nullptr;  // what was not as expected on the last call
  unsigned rounds_ = 0;         // how often the pins were set
  unsigned wait_ = 0;           // walks to go before they are set again
  bool stand_ = false;
};

}  // namespace framelift
