// What framelift knows about one code object, kept in the code object's own extra slot.
#pragma once

#include "entry.h"
#include "ref.h"

#include <vector>

namespace framelift {

// What the hook does with a frame.
enum class Action : unsigned char {
  kDefault,  // nothing said: whatever holds around this frame
  kCompile,  // look an entry up, compile when there is none
  kLookup,   // look an entry up, otherwise run untouched
  kSkip,     // run untouched
};

// Of two actions that both hold for a frame the one that allows less.
inline Action stricter(Action a, Action b) { return a < b ? b : a; }

// False, with a ValueError set, when there is no such action.
bool parse_action(const char* name, Action* action);
const char* action_name(Action action);

struct Record {
  std::vector<Ref<Entry>> entries;  // most recently used first
  Ref<> scratch;                    // a dict that survives recompiles; made when first asked for
  Action here = Action::kDefault;   // for frames of this code
  Action below = Action::kDefault;  // for the frames they call
  bool misfit_reported = false;     // an entry refused the call it was made for, and that was said

  ~Record();

  void use(BorrowedRef<Entry> entry);  // counts a hit and moves the entry to the front
  void add(Ref<Entry> entry);
  void drop(BorrowedRef<Entry> entry);
  void drop_all(BorrowedRef<> backend);  // null: of every backend
  void set_below(Action action);         // for the entries' code too, which the native callable runs by itself
};

bool init_records();

// Null when the code object has no record (and, for the second, when there is no memory for one: exception set).
Record* record_of(BorrowedRef<PyCodeObject> code);
Record* record_for(BorrowedRef<PyCodeObject> code);

}  // namespace framelift
