// Recursion under the hook.
//
// CPython runs calls between Python functions without using the C stack; with a frame hook installed each of them takes
// a piece of it. So that a program can recurse as deep as before, such a call is not counted as C recursion; what is
// checked instead is how much of the C stack is really left.
#pragma once

#include "compat/frame.h"

namespace framelift {

// False when too little of this thread's C stack is left to go on calling.
bool c_stack_left();

// For the time of one call: a call between Python functions that CPython takes for one of C code.
class UncountedRecursion {
 public:
  explicit UncountedRecursion(PyThreadState* thread) : thread_(thread) { compat::give_back_c_recursion(thread_, 1); }
  ~UncountedRecursion() { compat::give_back_c_recursion(thread_, -1); }
  UncountedRecursion(const UncountedRecursion&) = delete;
  UncountedRecursion& operator=(const UncountedRecursion&) = delete;

 private:
  PyThreadState* thread_;
};

}  // namespace framelift
