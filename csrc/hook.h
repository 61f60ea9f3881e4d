// The frame hook (PEP 523): sees every Python frame that starts while someone needs it.
#pragma once

#include "record.h"
#include "ref.h"

namespace framelift {

bool init_hook(PyObject* module);

// Sets a program for frames of every thread that has none of its own; Action::kDefault ends it.
void hook_every_thread(Action action, Ref<> callback, Ref<> backend);

// Exceptions of this kind from a call-back are raised in the user's call instead of being reported.
void let_through(Ref<> kind);

// True while CPython calls the hook.
bool hook_installed();

// Calls something of ours, or of whoever steers us, unseen: with the hook off and out of sight of tracers.
Ref<> call_unseen(BorrowedRef<> callable, PyObject* const* args, size_t count);
void report_unseen(BorrowedRef<> where);  // the exception that is set, as one nobody can handle

// Asks `callback` for an entry for a frame of `code` with these bound arguments, with the hook off. Errors are reported
// once and the code is never asked for again; only what is no Exception (KeyboardInterrupt, SystemExit) comes back as
// an error.
struct Compiled {
  Ref<Entry> entry;
  bool failed = false;
};
Compiled ask_for_entry(BorrowedRef<> callback, BorrowedRef<PyCodeObject> code, BorrowedRef<> function,
                       BorrowedRef<> backend, BorrowedRef<> arguments);

}  // namespace framelift
