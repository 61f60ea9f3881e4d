// Conditions on the numbers a graph was compiled for symbolically: sizes, strides and offsets of tensors, ints and
// floats.
//
// Each condition is a little program for a stack machine over the numbers of this call. Arithmetic that leaves 64 bits
// makes its condition false: such a call is compiled for on its own.
#pragma once

#include "ref.h"

#include <cstdint>
#include <vector>

namespace framelift {

struct ShapeGuards {
  enum class From : unsigned char { kSize, kStride, kOffset, kInt, kFloat };

  // Where a number comes from: an object the guard walk has gathered.
  struct Load {
    From from = From::kInt;
    int32_t out = 0;
    int32_t dim = 0;
  };

  struct Number {
    bool is_float = false;
    int64_t whole = 0;
    double real = 0;
  };

  enum class Op : unsigned char;

  struct Instr {
    Op op;
    int32_t index = 0;  // of a loaded number
    Number constant;
  };

  std::vector<Load> loads;
  std::vector<std::vector<Instr>> conditions;
  std::vector<Number> numbers;  // those of the call being checked

  // Reads `(loads, conditions)`; a load is (from, out, dim), a condition a tuple of (op, argument) pairs. False with a
  // ValueError (or worse) set.
  bool read(PyObject* specification, Py_ssize_t gathers);

  // The index of the first condition that does not hold, -1 when all do, -2 when a number cannot be had.
  Py_ssize_t first_failure(PyObject* const* gathered);

 private:
  bool load(PyObject* const* gathered);
};

}  // namespace framelift
