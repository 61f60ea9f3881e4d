#include "shape_guards.h"

#include "tensor_checks.h"

#include <cmath>
#include <cstring>

namespace framelift {

enum class ShapeGuards::Op : unsigned char {
  kVariable,
  kConstant,
  kAdd,
  kMul,
  kFloorDiv,
  kMod,
  kTrueDiv,
  kPow,
  kMin,
  kMax,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
  kNot,
  kFloor,
  kCeil,
  kTrunc,
  kToFloat,
  kAbs,
  kSqrt,
  kLog2,
  kCos,
  kSin,
  kTan,
  kCosh,
  kSinh,
  kTanh,
  kAcos,
  kAsin,
  kAtan,
  kWhere,
};

namespace {

using Number = ShapeGuards::Number;
using Op = ShapeGuards::Op;

constexpr size_t kMostOnStack = 64;

struct Definition {
  const char* name;
  Op op;
  int takes;
};

constexpr Definition definitions[] = {
    {"variable", Op::kVariable, 0},
    {"constant", Op::kConstant, 0},
    {"add", Op::kAdd, 2},
    {"mul", Op::kMul, 2},
    {"floordiv", Op::kFloorDiv, 2},
    {"mod", Op::kMod, 2},
    {"truediv", Op::kTrueDiv, 2},
    {"pow", Op::kPow, 2},
    {"min", Op::kMin, 2},
    {"max", Op::kMax, 2},
    {"eq", Op::kEq, 2},
    {"ne", Op::kNe, 2},
    {"lt", Op::kLt, 2},
    {"le", Op::kLe, 2},
    {"gt", Op::kGt, 2},
    {"ge", Op::kGe, 2},
    {"and", Op::kAnd, 2},
    {"or", Op::kOr, 2},
    {"not", Op::kNot, 1},
    {"floor", Op::kFloor, 1},
    {"ceil", Op::kCeil, 1},
    {"trunc", Op::kTrunc, 1},
    {"to_float", Op::kToFloat, 1},
    {"abs", Op::kAbs, 1},
    {"sqrt", Op::kSqrt, 1},
    {"log2", Op::kLog2, 1},
    {"cos", Op::kCos, 1},
    {"sin", Op::kSin, 1},
    {"tan", Op::kTan, 1},
    {"cosh", Op::kCosh, 1},
    {"sinh", Op::kSinh, 1},
    {"tanh", Op::kTanh, 1},
    {"acos", Op::kAcos, 1},
    {"asin", Op::kAsin, 1},
    {"atan", Op::kAtan, 1},
    {"where", Op::kWhere, 3},
};

constexpr struct {
  const char* name;
  ShapeGuards::From from;
} origins[] = {
    {"size", ShapeGuards::From::kSize}, {"stride", ShapeGuards::From::kStride}, {"offset", ShapeGuards::From::kOffset},
    {"int", ShapeGuards::From::kInt},   {"float", ShapeGuards::From::kFloat},
};

bool complain(const char* expected, PyObject* got) {
  PyErr_Format(PyExc_ValueError, "%s, got %R", expected, got);
  return false;
}

Number whole(int64_t value) { return {false, value, 0}; }
Number real(double value) { return {true, 0, value}; }
double as_real(const Number& number) { return number.is_float ? number.real : static_cast<double>(number.whole); }
bool truth(const Number& number) { return number.is_float ? number.real != 0 : number.whole != 0; }

int compare(const Number& left, const Number& right) {
  if (!left.is_float && !right.is_float) return left.whole < right.whole ? -1 : left.whole > right.whole;
  double a = as_real(left), b = as_real(right);
  return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}

// Whole results of real functions, where they fit.
bool to_whole(double value, Number* result) {
  if (!(std::fabs(value) < 9e18)) return false;
  *result = whole(static_cast<int64_t>(value));
  return true;
}

bool floor_divide(const Number& left, const Number& right, Number* quotient, Number* remainder) {
  if (left.is_float || right.is_float) {
    double divisor = as_real(right);
    if (divisor == 0) return false;
    double floored = std::floor(as_real(left) / divisor);
    *quotient = real(floored);
    *remainder = real(as_real(left) - floored * divisor);
    return true;
  }
  if (right.whole == 0 || (right.whole == -1 && left.whole == INT64_MIN)) return false;
  int64_t divided = left.whole / right.whole, rest = left.whole % right.whole;
  if (rest != 0 && (rest < 0) != (right.whole < 0)) {
    divided--;
    rest += right.whole;
  }
  *quotient = whole(divided);
  *remainder = whole(rest);
  return true;
}

bool power(const Number& base, const Number& exponent, Number* result) {
  if (base.is_float || exponent.is_float || exponent.whole < 0) {
    *result = real(std::pow(as_real(base), as_real(exponent)));
    return true;
  }
  int64_t product = 1;
  if (exponent.whole > 64) return false;
  for (int64_t i = 0; i < exponent.whole; i++) {
    if (__builtin_mul_overflow(product, base.whole, &product)) return false;
  }
  *result = whole(product);
  return true;
}

bool binary(Op op, const Number& left, const Number& right, Number* result) {
  bool floats = left.is_float || right.is_float;
  Number ignored;
  switch (op) {
    case Op::kAdd:
      if (floats) return *result = real(as_real(left) + as_real(right)), true;
      return *result = whole(0), !__builtin_add_overflow(left.whole, right.whole, &result->whole);
    case Op::kMul:
      if (floats) return *result = real(as_real(left) * as_real(right)), true;
      return *result = whole(0), !__builtin_mul_overflow(left.whole, right.whole, &result->whole);
    case Op::kFloorDiv:
      return floor_divide(left, right, result, &ignored);
    case Op::kMod:
      return floor_divide(left, right, &ignored, result);
    case Op::kTrueDiv:
      if (as_real(right) == 0) return false;
      return *result = real(as_real(left) / as_real(right)), true;
    case Op::kPow:
      return power(left, right, result);
    case Op::kMin:
      return *result = compare(left, right) <= 0 ? left : right, true;
    case Op::kMax:
      return *result = compare(left, right) >= 0 ? left : right, true;
    case Op::kEq:
      return *result = whole(compare(left, right) == 0), true;
    case Op::kNe:
      return *result = whole(compare(left, right) != 0), true;
    case Op::kLt:
      return *result = whole(compare(left, right) == -1), true;
    case Op::kLe:
      return *result = whole(compare(left, right) == -1 || compare(left, right) == 0), true;
    case Op::kGt:
      return *result = whole(compare(left, right) == 1), true;
    case Op::kGe:
      return *result = whole(compare(left, right) == 1 || compare(left, right) == 0), true;
    case Op::kAnd:
      return *result = whole(truth(left) && truth(right)), true;
    case Op::kOr:
      return *result = whole(truth(left) || truth(right)), true;
    default:
      return false;
  }
}

// A function of the math module: false where Python raises an exception.
bool apply(double (*function)(double), double operand, Number* result) {
  double value = function(operand);
  if (std::isnan(value) && !std::isnan(operand)) return false;
  if (std::isinf(value) && std::isfinite(operand)) return false;
  *result = real(value);
  return true;
}

bool unary(Op op, const Number& operand, Number* result) {
  switch (op) {
    case Op::kNot:
      return *result = whole(!truth(operand)), true;
    case Op::kFloor:
      return operand.is_float ? to_whole(std::floor(operand.real), result) : (*result = operand, true);
    case Op::kCeil:
      return operand.is_float ? to_whole(std::ceil(operand.real), result) : (*result = operand, true);
    case Op::kTrunc:
      return operand.is_float ? to_whole(std::trunc(operand.real), result) : (*result = operand, true);
    case Op::kToFloat:
      return *result = real(as_real(operand)), true;
    case Op::kAbs:
      if (operand.is_float) return *result = real(std::fabs(operand.real)), true;
      if (operand.whole == INT64_MIN) return false;
      return *result = whole(operand.whole < 0 ? -operand.whole : operand.whole), true;
    case Op::kSqrt:
      return apply(std::sqrt, as_real(operand), result);
    case Op::kLog2:
      return apply(std::log2, as_real(operand), result);
    case Op::kCos:
      return apply(std::cos, as_real(operand), result);
    case Op::kSin:
      return apply(std::sin, as_real(operand), result);
    case Op::kTan:
      return apply(std::tan, as_real(operand), result);
    case Op::kCosh:
      return apply(std::cosh, as_real(operand), result);
    case Op::kSinh:
      return apply(std::sinh, as_real(operand), result);
    case Op::kTanh:
      return apply(std::tanh, as_real(operand), result);
    case Op::kAcos:
      return apply(std::acos, as_real(operand), result);
    case Op::kAsin:
      return apply(std::asin, as_real(operand), result);
    case Op::kAtan:
      return apply(std::atan, as_real(operand), result);
    default:
      return false;
  }
}

bool holds(const std::vector<ShapeGuards::Instr>& condition, const std::vector<Number>& numbers) {
  Number stack[kMostOnStack];
  size_t depth = 0;
  for (const ShapeGuards::Instr& instr : condition) {
    Number result;
    switch (instr.op) {
      case Op::kVariable:
        stack[depth++] = numbers[static_cast<size_t>(instr.index)];
        continue;
      case Op::kConstant:
        stack[depth++] = instr.constant;
        continue;
      case Op::kNot:
      case Op::kFloor:
      case Op::kCeil:
      case Op::kTrunc:
      case Op::kToFloat:
      case Op::kAbs:
      case Op::kSqrt:
      case Op::kLog2:
      case Op::kCos:
      case Op::kSin:
      case Op::kTan:
      case Op::kCosh:
      case Op::kSinh:
      case Op::kTanh:
      case Op::kAcos:
      case Op::kAsin:
      case Op::kAtan:
        if (!unary(instr.op, stack[depth - 1], &result)) return false;
        stack[depth - 1] = result;
        continue;
      case Op::kWhere:
        depth -= 2;
        stack[depth - 1] = truth(stack[depth - 1]) ? stack[depth] : stack[depth + 1];
        continue;
      default:
        depth--;
        if (!binary(instr.op, stack[depth - 1], stack[depth], &result)) return false;
        stack[depth - 1] = result;
    }
  }
  return truth(stack[0]);
}

bool read_number(PyObject* object, Number* number) {
  if (PyFloat_CheckExact(object)) return *number = real(PyFloat_AS_DOUBLE(object)), true;
  if (!PyLong_Check(object)) return false;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  *number = whole(value);
  return overflow == 0;
}

// One (op, argument) pair; keeps count of how much is on the stack.
bool read_instr(PyObject* pair, size_t loads, ShapeGuards::Instr* instr, int* depth) {
  if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) return complain("an instruction is a pair", pair);
  PyObject *name = PyTuple_GET_ITEM(pair, 0), *argument = PyTuple_GET_ITEM(pair, 1);
  const Definition* found = nullptr;
  for (const Definition& definition : definitions) {
    if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, definition.name) == 0) found = &definition;
  }
  if (found == nullptr) return complain("an operation of a shape guard has a known name", name);
  instr->op = found->op;
  if (found->op == Op::kConstant && !read_number(argument, &instr->constant)) {
    return complain("a constant is an int of 64 bits or a float", argument);
  }
  if (found->op == Op::kVariable) {
    if (!read_number(argument, &instr->constant) || instr->constant.is_float || instr->constant.whole < 0 ||
        static_cast<size_t>(instr->constant.whole) >= loads) {
      return complain("a variable is the index of a load", argument);
    }
    instr->index = static_cast<int32_t>(instr->constant.whole);
  }
  if (*depth < found->takes) return complain("an operation has its operands on the stack", pair);
  *depth += 1 - found->takes;
  if (*depth > static_cast<int>(kMostOnStack)) return complain("a condition is not nested too deeply", pair);
  return true;
}

bool read_load(PyObject* tuple, Py_ssize_t gathers, ShapeGuards::Load* load) {
  PyObject* name;
  int out, dim;
  if (!PyTuple_CheckExact(tuple) || !PyArg_ParseTuple(tuple, "Uii", &name, &out, &dim)) {
    PyErr_Clear();
    return complain("a load is a tuple (from, out, dim)", tuple);
  }
  if (out < 0 || out >= gathers || dim < 0) return complain("a load reads a gathered object", tuple);
  load->out = out;
  load->dim = dim;
  for (const auto& origin : origins) {
    if (PyUnicode_CompareWithASCIIString(name, origin.name) == 0) {
      load->from = origin.from;
      return true;
    }
  }
  return complain("a load has a known origin", name);
}

}  // namespace

bool ShapeGuards::read(PyObject* specification, Py_ssize_t gathers) {
  if (!PyTuple_CheckExact(specification) || PyTuple_GET_SIZE(specification) != 2 ||
      !PyTuple_CheckExact(PyTuple_GET_ITEM(specification, 0)) ||
      !PyTuple_CheckExact(PyTuple_GET_ITEM(specification, 1))) {
    return complain("shape guards are a tuple (loads, conditions)", specification);
  }
  PyObject *given = PyTuple_GET_ITEM(specification, 0), *programs = PyTuple_GET_ITEM(specification, 1);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given); i++) {
    Load load;
    if (!read_load(PyTuple_GET_ITEM(given, i), gathers, &load)) return false;
    loads.push_back(load);
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(programs); i++) {
    PyObject* program = PyTuple_GET_ITEM(programs, i);
    if (!PyTuple_CheckExact(program)) return complain("a condition is a tuple", program);
    std::vector<Instr> condition;
    int depth = 0;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(program); k++) {
      Instr instr{};
      if (!read_instr(PyTuple_GET_ITEM(program, k), loads.size(), &instr, &depth)) return false;
      condition.push_back(instr);
    }
    if (depth != 1) return complain("a condition leaves one number", program);
    conditions.push_back(std::move(condition));
  }
  numbers.resize(loads.size());
  return true;
}

bool ShapeGuards::load(PyObject* const* gathered) {
  for (size_t i = 0; i < loads.size(); i++) {
    const Load& load = loads[i];
    PyObject* object = gathered[load.out];
    Number& number = numbers[i];
    switch (load.from) {
      case From::kInt:
        if (!PyLong_CheckExact(object) || !read_number(object, &number)) return false;
        break;
      case From::kFloat:
        if (!PyFloat_CheckExact(object)) return false;
        number = real(PyFloat_AS_DOUBLE(object));
        break;
      default:
        number.is_float = false;
        if (!tensor_number(object,
                           load.from == From::kSize     ? TensorNumber::kSize
                           : load.from == From::kStride ? TensorNumber::kStride
                                                        : TensorNumber::kOffset,
                           load.dim, &number.whole)) {
          return false;
        }
    }
  }
  return true;
}

Py_ssize_t ShapeGuards::first_failure(PyObject* const* gathered) {
  if (!load(gathered)) return -2;
  for (size_t i = 0; i < conditions.size(); i++) {
    if (!holds(conditions[i], numbers)) return static_cast<Py_ssize_t>(i);
  }
  return -1;
}

}  // namespace framelift
