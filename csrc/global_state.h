// One packed word (a few, in fact) of everything global that changes what a torch operation does: grad mode, autocast,
// default dtype, deterministic and precision flags, mode stacks. No torch header here: see global_state.cpp.
#pragma once

#include "ref.h"

#include <array>
#include <bit>
#include <cstdint>

namespace framelift {

// Compared word by word, so there is no padding in it.
struct GlobalState {
  uint64_t included_keys;  // dispatch keys this thread adds; autocast and functorch show here
  uint64_t excluded_keys;
  uint64_t autocast_dtypes;  // one byte per device type of interest, where autocast is on
  uint32_t torch_function_modes;
  uint32_t dispatch_modes;
  uint32_t functorch_bytes;
  uint32_t saved_tensor_hooks;
  uint64_t float32_precision;  // one byte for each backend and kind of operation
  uint32_t flags;              // a bit for each yes-or-no; their names are in global_state.cpp
  uint8_t default_dtype;
  uint8_t torch_function;  // enabled, off for subclasses, off
  uint8_t linalg_backend;
  uint8_t unused;

  bool operator==(const GlobalState& other) const {
    using Words = std::array<uint64_t, 7>;
    return std::bit_cast<Words>(*this) == std::bit_cast<Words>(other);
  }
};
static_assert(sizeof(GlobalState) == 56);

GlobalState read_global_state();

bool init_global_state(PyObject* module);

// Null when `object` is not a State.
const GlobalState* global_state_in(PyObject* object);

// Modes that are active on this thread, from the outermost; null when there are not so many. Borrowed.
PyObject* torch_function_mode(Py_ssize_t index);
PyObject* dispatch_mode(Py_ssize_t index);

}  // namespace framelift
