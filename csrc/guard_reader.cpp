#include "guard_reader.h"

#include <algorithm>

namespace framelift {
namespace {

bool complain(const char* expected, PyObject* got) {
  PyErr_Format(PyExc_ValueError, "%s, got %R", expected, got);
  return false;
}

bool is_tuple(PyObject* object, Py_ssize_t size) {
  return PyTuple_CheckExact(object) && PyTuple_GET_SIZE(object) == size;
}

class Reader {
 public:
  explicit Reader(Guards* guards) : guards_(guards) {}

  bool read_nodes(PyObject* nodes, int32_t parent) {
    if (!PyTuple_CheckExact(nodes)) return complain("nodes are a tuple", nodes);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(nodes); i++) {
      if (!read_node(PyTuple_GET_ITEM(nodes, i), parent)) return false;
    }
    return true;
  }

 private:
  bool read_node(PyObject* tuple, int32_t parent) {
    if (!is_tuple(tuple, 5)) return complain("a node is a tuple (accessor, key, checks, children, out)", tuple);
    PyObject *accessor = PyTuple_GET_ITEM(tuple, 0), *key = PyTuple_GET_ITEM(tuple, 1);
    PyObject *checks = PyTuple_GET_ITEM(tuple, 2), *children = PyTuple_GET_ITEM(tuple, 3);
    Guards::Node node;
    node.parent = parent;
    if (!parse_step(accessor, key, parent < 0, &node.step) || !read_checks(checks, &node)) return false;
    if (!read_out(PyTuple_GET_ITEM(tuple, 4), &node)) return false;
    note_origin(node.step);
    auto index = static_cast<int32_t>(guards_->nodes.size());
    guards_->nodes.push_back(std::move(node));
    return read_nodes(children, index);
  }

  bool read_out(PyObject* out, Guards::Node* node) {
    if (!PyLong_CheckExact(out)) return complain("a node's out is an int, -1 for none", out);
    Py_ssize_t number = PyLong_AsSsize_t(out);
    bool overflow = number == -1 && PyErr_Occurred();
    if (overflow) PyErr_Clear();
    constexpr Py_ssize_t kMost = 1 << 20;
    if (overflow || number < -1 || number >= kMost) return complain("a node's out is -1 or an index", out);
    node->out = static_cast<int32_t>(number);
    if (number < 0) return true;
    auto index = static_cast<size_t>(number);
    if (index >= guards_->hands_out.size()) guards_->hands_out.resize(index + 1, false);
    if (guards_->hands_out[index]) return complain("two nodes have the same out", out);
    guards_->hands_out[index] = true;
    guards_->gathers = static_cast<Py_ssize_t>(guards_->hands_out.size());
    return true;
  }

  bool read_checks(PyObject* checks, Guards::Node* node) {
    if (!PyTuple_CheckExact(checks)) return complain("checks are a tuple", checks);
    node->first_check = static_cast<int32_t>(guards_->checks.size());
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(checks); i++) {
      PyObject* pair = PyTuple_GET_ITEM(checks, i);
      if (!is_tuple(pair, 2)) return complain("a check is a pair (check, argument)", pair);
      Check check;
      if (!parse_check(PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1), &check)) return false;
      if (!refers_back(check, pair)) return false;
      guards_->checks.push_back(std::move(check));
    }
    node->checks_end = static_cast<int32_t>(guards_->checks.size());
    return true;
  }

  // These compare with an object that an earlier node has gathered.
  bool refers_back(const Check& check, PyObject* pair) {
    if (check.kind < CheckKind::kSameAs || check.kind > CheckKind::kSharesNoMemory) return true;
    auto index = static_cast<size_t>(check.number);
    if (index < guards_->hands_out.size() && guards_->hands_out[index]) return true;
    return complain("checks like same_as name the out of an earlier node", pair);
  }

  void note_origin(const Step& step) {
    if (step.accessor == Accessor::kLocal) guards_->slots = std::max(guards_->slots, step.number + 1);
    guards_->uses_function |= step.accessor >= Accessor::kGlobals && step.accessor <= Accessor::kFunction;
  }

  Guards* guards_;
};

}  // namespace

bool read_specification(PyObject* specification, Guards* guards) {
  if (!is_tuple(specification, 2) && !is_tuple(specification, 3)) {
    return complain("guards are a tuple (state, nodes) or (state, nodes, shapes)", specification);
  }
  PyObject* state = PyTuple_GET_ITEM(specification, 0);
  if (state != Py_None) {
    const GlobalState* wanted = global_state_in(state);
    if (wanted == nullptr) return complain("the state is None or a State", state);
    guards->state = *wanted;
  }
  if (!Reader(guards).read_nodes(PyTuple_GET_ITEM(specification, 1), -1)) return false;
  if (PyTuple_GET_SIZE(specification) == 2 || PyTuple_GET_ITEM(specification, 2) == Py_None) return true;
  return guards->shapes.emplace().read(PyTuple_GET_ITEM(specification, 2), guards->gathers);
}

}  // namespace framelift
