// From a call to the entry that serves it: walking the entries, asking for a new one, and strict mode.
#pragma once

#include "call.h"
#include "record.h"

namespace framelift {

// Who is asked for an entry when none fits, and for which backend.
struct Source {
  BorrowedRef<> callback;
  BorrowedRef<> backend;
  bool may_compile;
};

struct Choice {
  Ref<Entry> entry;     // none: the original is to run
  bool failed = false;  // an exception is set
};

// The entry whose guards hold for `call`, with what they gathered in it. The entry found moves to the front of its
// record. Finding one runs no Python code, outside of strict mode.
Choice choose_entry(Record* record, Call& call, const Source& source);

// Sets the callable that hears of every evaluation of guards: (entry, args, function, passed). None ends it.
void set_strict(Ref<> callback);

}  // namespace framelift
