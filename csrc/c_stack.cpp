#include "c_stack.h"

#include <pthread.h>

#include <algorithm>
#include <cstdint>

namespace framelift {
namespace {

constexpr size_t kReserve = 256 * 1024;  // for what a frame itself may call in C

// The lowest address this thread should reach; zero when the system does not tell.
uintptr_t lowest_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* base = nullptr;
  size_t size = 0;
  int failed = pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  if (failed) return 0;
  return reinterpret_cast<uintptr_t>(base) + std::min(kReserve, size / 4);
}

}  // namespace

bool c_stack_left() {
  static thread_local uintptr_t lowest = lowest_address();
  char here;
  return reinterpret_cast<uintptr_t>(&here) > lowest;
}

}  // namespace framelift
