// Threads that end in the middle of our calls.
//
// A daemon thread that asks for the GIL when the interpreter is gone is ended by CPython with pthread_exit, which runs
// the destructors of every C++ frame on its stack: ours would touch thread states and objects that are no more, without
// the GIL. Such a thread sleeps for good instead, as CPython itself has it from 3.14 on; the process ends without it.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

namespace framelift {

// Runs what may run Python code while C++ objects of ours wait to be destroyed. The reference that is caught is null,
// as it always is for this type, and one sanitizer minds.
template <typename Run>
[[gnu::no_sanitize("undefined")]] auto outlasting_thread_exit(Run run) {
  try {
    return run();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

}  // namespace framelift
