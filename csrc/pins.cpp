#include "pins.h"

#include "compat/versions.h"
#include "constants.h"
#include "guards.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace framelift {
namespace {

constexpr unsigned kFickle = 3;        // losses after which a word or an anchor is not relied on
constexpr unsigned kPatience = 24;     // rounds after which setting the pins gets rarer
constexpr unsigned kLongestWait = 10;  // as a power of two

uint64_t load(const void* where) {
  uint64_t word;
  std::memcpy(&word, where, sizeof(word));
  return word;
}

PyObject* dict_of_attributes(PyObject* object) {
  PyObject* dict = compat::attributes_of(object).dict;
  return dict != nullptr && PyDict_Check(dict) ? dict : nullptr;
}

// Objects that nothing else can ever take the place of.
bool lives_forever(PyObject* object) {
  return object == Py_None || PyBool_Check(object) || object == Py_Ellipsis || object == Py_NotImplemented;
}

bool can_change_type(PyObject* object) {
  return PyType_HasFeature(Py_TYPE(object), Py_TPFLAGS_HEAPTYPE) || PyModule_Check(object);
}

}  // namespace

// Goes through the nodes in the order of the walk and decides of each what of it can be pinned.
class Pins::Builder {
 public:
  Builder(Pins* pins, const Guards& guards, const std::vector<PyObject*>& found)
      : pins_(*pins), guards_(guards), found_(found), facts_(guards.nodes.size()) {}

  void build() {
    for (const Guards::Node& node : guards_.nodes) {
      if (node.parent >= 0) note_need(node);
    }
    for (size_t i = 0; i < guards_.nodes.size(); i++) place(i);
    pins_.stages_.push_back({pins_.words_.size(), -1, nullptr});
  }

 private:
  // What is known of a node while later ones are placed.
  struct Facts {
    bool relied_on = false;   // while the pins hold it is alive, and at the same address
    bool settled = false;     // and the very object
    bool items = false;       // the dict it is has not changed
    bool attributes = false;  // nor the dict of its attributes
    bool type = false;        // it is of the same type
    bool version = false;     // the type it is has not changed
    bool wants_items = false, wants_attributes = false, wants_type = false, wants_version = false;  // for its children
  };

  void note_need(const Guards::Node& child) {
    Facts& parent = facts_[static_cast<size_t>(child.parent)];
    switch (child.step.accessor) {
      case Accessor::kKey:
        parent.wants_items = true;
        break;
      case Accessor::kAttr:
      case Accessor::kDict:
        parent.wants_attributes = true;
        break;
      case Accessor::kType:
        parent.wants_type = true;
        break;
      case Accessor::kTypeAttr:
      case Accessor::kMro:
        parent.wants_version = true;
        break;
      default:
        break;
    }
  }

  // Whether the object is the same because what it is read from is.
  bool follows(const Guards::Node& node, PyObject* object) {
    if (node.parent < 0) return false;
    const Facts& parent = facts_[static_cast<size_t>(node.parent)];
    PyObject* from = found_[static_cast<size_t>(node.parent)];
    switch (node.step.accessor) {
      case Accessor::kKey:
        return parent.items;
      case Accessor::kDictKeyAt:
        return parent.items && PyDict_CheckExact(from);
      case Accessor::kAttr:
      case Accessor::kDict:
        return parent.attributes;
      case Accessor::kType:
        return parent.settled && parent.type;
      case Accessor::kTypeAttr:
      case Accessor::kMro:
        return parent.version;
      case Accessor::kItem:
        return parent.settled && PyTuple_CheckExact(from);
      case Accessor::kFuncClosure:
      case Accessor::kFuncGlobals:  // set once
        return parent.settled && PyFunction_Check(from);
      case Accessor::kCode:
        return parent.settled && pin_and_keep(&reinterpret_cast<PyFunctionObject*>(from)->func_code, object);
      case Accessor::kDefaults:
        return parent.settled && is_constant(object) &&
               pin_and_keep(&reinterpret_cast<PyFunctionObject*>(from)->func_defaults, object);
      default:
        return false;
    }
  }

  // Whether an object is alive and at the same address because it is the value of an attribute that has its own place.
  bool is_pointed_at(const Guards::Node& node) {
    if (node.parent < 0 || node.step.accessor != Accessor::kAttr) return false;
    Facts& parent = facts_[static_cast<size_t>(node.parent)];
    return parent.relied_on && pin_value(&parent, found_[static_cast<size_t>(node.parent)], node.step.key);
  }

  void place(size_t i) {
    Facts& facts = facts_[i];
    PyObject* object = found_[i];
    const Guards::Node& node = guards_.nodes[i];
    facts.relied_on = true;
    if (follows(node, object)) {
      facts.settled = true;
      if (node.out >= 0) pins_.outs_.push_back({node.out, object});
    } else if (is_pointed_at(node)) {
      facts.settled = lives_forever(object);
      if (node.out >= 0) pins_.outs_.push_back({node.out, object});
    } else {
      const bool lives = node.step.accessor == Accessor::kObject;  // no other object is ever there
      const bool wanted = facts.wants_items || facts.wants_attributes || facts.wants_version;
      facts.relied_on = lives || (wanted && !is_fickle(&node));
      pins_.stages_.push_back({pins_.words_.size(), static_cast<int32_t>(i), facts.relied_on ? object : nullptr});
      if (!facts.relied_on) return;
      facts.settled = lives;
    }
    pin_for_children(&facts, object);
    for (int32_t c = node.first_check; c < node.checks_end; c++) {
      const Check& check = guards_.checks[static_cast<size_t>(c)];
      if (!is_pinned(check, &facts, object)) pins_.again_.push_back({&check, object});
    }
  }

  void pin_for_children(Facts* facts, PyObject* object) {
    if (facts->wants_items) pin_items(facts, object);
    if (facts->wants_attributes) pin_attributes(facts, object);
    if (facts->wants_type) pin_type(facts, object);
    if (facts->wants_version) pin_version(facts, object);
  }

  // Whether a check holds as long as the pins do; adds the pins it takes.
  bool is_pinned(const Check& check, Facts* facts, PyObject* object) {
    switch (check.kind) {
      case CheckKind::kIs:
      case CheckKind::kIsNot:
      case CheckKind::kEquals:
        return facts->settled;
      case CheckKind::kTypeIs:
        return pin_type(facts, object);
      case CheckKind::kLength:
        return (facts->settled && PyTuple_Check(object)) || pin_items(facts, object);
      case CheckKind::kKeys:
        return PyDict_CheckExact(object) && pin_items(facts, object);
      case CheckKind::kHasKey:
      case CheckKind::kLacksKey:
        return pin_items(facts, object);
      case CheckKind::kHasAttr:
      case CheckKind::kLacksAttr:
        return pin_attributes(facts, object) || pin_value(facts, object, check.key);
      case CheckKind::kLookupIs:
      case CheckKind::kLookupAbsent:
        return pin_type(facts, object) && pin_version_of(Py_TYPE(object));
      case CheckKind::kTypeLookupIs:
      case CheckKind::kTypeLookupAbsent:
        return pin_version(facts, object);
      default:
        return false;
    }
  }

  bool pin_items(Facts* facts, PyObject* object) {
    if (!facts->items) facts->items = PyDict_Check(object) && pin(compat::version_word(object));
    return facts->items;
  }

  bool pin_attributes(Facts* facts, PyObject* object) {
    if (facts->attributes) return true;
    PyObject* dict = PyType_Check(object) || PyDict_Check(object) ? nullptr : dict_of_attributes(object);
    if (dict == nullptr || is_fickle(compat::version_word(dict))) return false;
    facts->attributes = pin_type(facts, object) /* the place depends on it */ && pin(compat::place_of_dict(object)) &&
                        pin(compat::version_word(dict));
    return facts->attributes;
  }

  // One attribute of an object that has its values beside it, or its absence.
  bool pin_value(Facts* facts, PyObject* object, const Key& name) {
    compat::ValueArray array = compat::value_array_of(object);
    if (array.keys == nullptr || !DK_IS_UNICODE(array.keys)) return false;
    if (!pin_type(facts, object) || !pin(array.place) || !pin(compat::place_of_shared_keys(Py_TYPE(object))))
      return false;
    Py_ssize_t index = index_of_name(name, array.keys);
    return index < 0 ? pin(&array.keys->dk_nentries) : pin(&array.values->values[index]);
  }

  bool pin_type(Facts* facts, PyObject* object) {
    if (!facts->type) facts->type = !can_change_type(object) || pin(&object->ob_type);
    return facts->type;
  }

  bool pin_version(Facts* facts, PyObject* object) {
    if (!facts->version)
      facts->version = PyType_Check(object) && pin_version_of(reinterpret_cast<PyTypeObject*>(object));
    return facts->version;
  }

  bool pin_version_of(PyTypeObject* type) {
    compat::TypePlace place = compat::place_of_version(type);
    return pin(place.words[0]) && pin(place.words[1]);
  }

  bool is_fickle(const void* place) const {
    auto losses = pins_.losses_.find(place);
    return losses != pins_.losses_.end() && losses->second >= kFickle;
  }

  // For a pointer to something that can be kept alive without harm: nothing else can then be at its address.
  bool pin_and_keep(const void* pointer, PyObject* object) {
    if (!pin(pointer)) return false;
    pins_.kept_.push_back(Ref<>::create(object));
    return true;
  }

  // Whether a word will tell of changes.
  bool pin(const void* word) {
    if (word == nullptr || is_fickle(word)) return false;
    if (pinned_.insert(word).second) pins_.words_.push_back({word, load(word)});
    return true;
  }

  Pins& pins_;
  const Guards& guards_;
  const std::vector<PyObject*>& found_;
  std::vector<Facts> facts_;
  std::unordered_set<const void*> pinned_;
};

bool Pins::lose(const void* place) {
  lost_ = place;
  return false;
}

bool Pins::hold(const Guards& guards, const Origins& origins, PyObject** gathered) {
  for (const Out& out : outs_) gathered[out.index] = out.object;
  PyObject** const found = found_.data();
  const Word* const words = words_.data();
  size_t at = 0;
  for (const Stage& stage : stages_) {
    for (; at < stage.words_end; at++) {
      if (load(words[at].where) != words[at].value) [[unlikely]]
        return lose(words[at].where);
    }
    if (stage.node < 0) break;
    const Guards::Node& node = guards.nodes[static_cast<size_t>(stage.node)];
    PyObject* object = node.parent < 0 ? reach_root(node.step, origins) : reach(node.step, found[node.parent]);
    if (object == nullptr || (stage.expected != nullptr && stage.expected != object)) return lose(&node);
    found[stage.node] = object;
    if (node.out >= 0) gathered[node.out] = object;
    if (stage.expected != nullptr) continue;
    for (int32_t c = node.first_check; c < node.checks_end; c++) {
      if (!holds(guards.checks[static_cast<size_t>(c)], object, gathered)) return lose(&node);
    }
  }
  for (const Again& again : again_) {
    if (!holds(*again.check, again.object, gathered)) [[unlikely]]
      return lose(nullptr);
  }
  return true;
}

void Pins::clear() {
  words_.clear();
  stages_.clear();
  again_.clear();
  outs_.clear();
  kept_.clear();
  stand_ = false;
}

void Pins::settle(const Guards& guards, const std::vector<PyObject*>& found) {
  if (stand_) {
    losses_[lost_]++;
    if (++rounds_ > kPatience) wait_ = 1U << std::min(rounds_ - kPatience, kLongestWait);
    clear();
  }
  if (wait_ > 0) {
    wait_--;
    return;
  }
  found_ = found;
  Builder(this, guards, found).build();
  stand_ = true;
}

}  // namespace framelift
