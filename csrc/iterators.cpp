#include "iterators.h"

#include "compat/iterators.h"

#include <utility>

namespace framelift {
namespace {

PyTypeObject* chain_type = nullptr;

template <typename T>
T* as(PyObject* object) {
  return reinterpret_cast<T*>(object);
}

bool goes_forwards(PyObject* iterator) {
  return Py_IS_TYPE(iterator, &PyListIter_Type) || Py_IS_TYPE(iterator, &PyTupleIter_Type);
}

bool over_dict(PyObject* iterator) {
  return Py_IS_TYPE(iterator, &PyDictIterKey_Type) || Py_IS_TYPE(iterator, &PyDictIterValue_Type) ||
         Py_IS_TYPE(iterator, &PyDictIterItem_Type);
}

Py_ssize_t dict_items_ahead(compat::DictIterator* iterator) {
  if (iterator->source == nullptr) return 0;
  return iterator->used == as<PyDictObject>(iterator->source)->ma_used ? iterator->left : -1;
}

bool dict_entry_ahead(PyObject* object, Py_ssize_t n, PyObject** key, PyObject** value) {
  auto* iterator = as<compat::DictIterator>(object);
  if (n >= dict_items_ahead(iterator)) return false;
  Py_ssize_t position = iterator->position;
  for (Py_ssize_t i = 0; i <= n; i++) {
    if (!PyDict_Next(iterator->source, &position, key, value)) return false;
  }
  return true;
}

PyObject* keep(PyObject* made, Ref<>* kept) {
  *kept = Ref<>::steal(made);
  if (made == nullptr) PyErr_Clear();
  return made;
}

}  // namespace

Py_ssize_t items_ahead(PyObject* iterator) {
  if (goes_forwards(iterator)) {
    auto* sequence = as<compat::SequenceIterator>(iterator);
    if (sequence->source == nullptr) return 0;
    Py_ssize_t left = Py_SIZE(sequence->source) - sequence->index;
    return left > 0 ? left : 0;
  }
  if (Py_IS_TYPE(iterator, &PyListRevIter_Type)) {
    auto* sequence = as<compat::SequenceIterator>(iterator);
    return sequence->source != nullptr && sequence->index < Py_SIZE(sequence->source) ? sequence->index + 1 : 0;
  }
  if (Py_IS_TYPE(iterator, &PyRangeIter_Type)) return as<compat::RangeIterator>(iterator)->left();
  return over_dict(iterator) ? dict_items_ahead(as<compat::DictIterator>(iterator)) : -1;
}

PyObject* item_ahead(PyObject* iterator, Py_ssize_t n, Ref<>* made) {
  if (n >= items_ahead(iterator)) return nullptr;
  if (Py_IS_TYPE(iterator, &PyRangeIter_Type)) {
    return keep(PyLong_FromLongLong(as<compat::RangeIterator>(iterator)->at(n)), made);
  }
  if (over_dict(iterator)) {
    PyObject *key, *value;
    if (!dict_entry_ahead(iterator, n, &key, &value)) return nullptr;
    return Py_IS_TYPE(iterator, &PyDictIterKey_Type) ? key : value;
  }
  auto* sequence = as<compat::SequenceIterator>(iterator);
  Py_ssize_t index = goes_forwards(iterator) ? sequence->index + n : sequence->index - n;
  return PyTuple_Check(sequence->source) ? PyTuple_GET_ITEM(sequence->source, index)
                                         : PyList_GET_ITEM(sequence->source, index);
}

PyObject* key_ahead(PyObject* iterator, Py_ssize_t n) {
  PyObject *key, *value;
  return over_dict(iterator) && dict_entry_ahead(iterator, n, &key, &value) ? key : nullptr;
}

PyObject* iterator_source(PyObject* iterator) {
  if (Py_IS_TYPE(iterator, chain_type)) {
    PyObject* source = as<compat::Chain>(iterator)->source;
    return source != nullptr ? source : Py_None;
  }
  if (goes_forwards(iterator) || Py_IS_TYPE(iterator, &PyListRevIter_Type)) {
    return as<compat::SequenceIterator>(iterator)->source;
  }
  if (over_dict(iterator)) return as<compat::DictIterator>(iterator)->source;
  if (Py_IS_TYPE(iterator, &PyEnum_Type)) return as<compat::Enumerate>(iterator)->source;
  if (Py_IS_TYPE(iterator, &PyZip_Type)) return as<compat::Zip>(iterator)->sources;
  if (Py_IS_TYPE(iterator, &PyMap_Type)) return as<compat::Map>(iterator)->sources;
  return Py_IS_TYPE(iterator, &PyFilter_Type) ? as<compat::Filter>(iterator)->source : nullptr;
}

PyObject* chain_active(PyObject* iterator) {
  if (!Py_IS_TYPE(iterator, chain_type)) return nullptr;
  PyObject* active = as<compat::Chain>(iterator)->active;
  return active != nullptr ? active : Py_None;
}

PyObject* set_chain(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 3 || !Py_IS_TYPE(args[0], chain_type)) {
    PyErr_SetString(PyExc_TypeError, "set_chain() takes a chain and two iterators");
    return nullptr;
  }
  auto* chain = as<compat::Chain>(args[0]);
  Ref<> source = args[1] != Py_None ? Ref<>::create(args[1]) : Ref<>();
  Ref<> active = args[2] != Py_None ? Ref<>::create(args[2]) : Ref<>();
  // What was there is let go of last: that may run code which looks at the chain.
  auto source_before = Ref<>::steal(std::exchange(chain->source, source.release()));
  auto active_before = Ref<>::steal(std::exchange(chain->active, active.release()));
  Py_RETURN_NONE;
}

PyObject* iterator_function(PyObject* iterator) {
  if (Py_IS_TYPE(iterator, &PyMap_Type)) return as<compat::Map>(iterator)->function;
  return Py_IS_TYPE(iterator, &PyFilter_Type) ? as<compat::Filter>(iterator)->function : nullptr;
}

PyObject* number_ahead(PyObject* iterator, Py_ssize_t n, Ref<>* made) {
  if (!Py_IS_TYPE(iterator, &PyEnum_Type)) return nullptr;
  auto* counted = as<compat::Enumerate>(iterator);
  if (counted->long_index != nullptr || counted->index > PY_SSIZE_T_MAX - n - 1) return nullptr;
  return keep(PyLong_FromSsize_t(counted->index + n), made);
}

int zip_is_strict(PyObject* iterator) {
  return Py_IS_TYPE(iterator, &PyZip_Type) ? as<compat::Zip>(iterator)->strict != 0 : -1;
}

PyObject* move_enumerate(PyObject*, PyObject* const* args, Py_ssize_t count) {
  if (count != 2 || !Py_IS_TYPE(args[0], &PyEnum_Type) || !PyLong_Check(args[1])) {
    PyErr_SetString(PyExc_TypeError, "move_enumerate() takes an enumerate and a number");
    return nullptr;
  }
  Py_ssize_t moved = PyLong_AsSsize_t(args[1]);
  if (moved == -1 && PyErr_Occurred()) return nullptr;
  as<compat::Enumerate>(args[0])->index += moved;
  Py_RETURN_NONE;
}

namespace {

// Makes an iterator of each kind that has given one item, and looks at it.
bool structures_are_as_expected() {
  auto list = Ref<>::steal(Py_BuildValue("[iii]", 11, 12, 13));
  auto tuple = Ref<>::steal(list ? PyList_AsTuple(list.get()) : nullptr);
  auto dict = Ref<>::steal(Py_BuildValue("{i:i,i:i,i:i}", 11, 21, 12, 22, 13, 23));
  auto range = Ref<>::steal(PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyRange_Type), "iii", 11, 14, 1));
  if (!tuple || !dict || !range) return false;
  Ref<> made;
  auto at_12 = [&](PyObject* source) {
    auto iterator = Ref<>::steal(PyObject_GetIter(source));
    auto first = Ref<>::steal(iterator ? PyIter_Next(iterator.get()) : nullptr);
    if (!first || items_ahead(iterator.get()) != 2) return false;
    PyObject* item = item_ahead(iterator.get(), 0, &made);
    bool over_whole = PyRange_Check(source) || iterator_source(iterator.get()) == source;
    return item != nullptr && PyLong_AsLong(item) == 12 && over_whole;
  };
  auto wraps = [&](PyTypeObject* type, const char* format, PyObject* function) {
    auto inner = Ref<>::steal(PyObject_GetIter(list.get()));
    auto* called = reinterpret_cast<PyObject*>(type);
    auto outer = Ref<>::steal(function ? PyObject_CallFunction(called, format, function, inner.get())
                                       : PyObject_CallFunction(called, format, inner.get()));
    auto first = Ref<>::steal(outer ? PyIter_Next(outer.get()) : nullptr);
    PyObject* source = first ? iterator_source(outer.get()) : nullptr;
    if (source == nullptr) return false;
    if (source != inner.get() && !(PyTuple_Check(source) && PyTuple_GET_ITEM(source, 0) == inner.get())) return false;
    if (type == &PyZip_Type && zip_is_strict(outer.get()) != 0) return false;
    PyObject* number = type == &PyEnum_Type ? number_ahead(outer.get(), 0, &made) : nullptr;
    if (type == &PyEnum_Type && (number == nullptr || PyLong_AsLong(number) != 1)) return false;
    return iterator_function(outer.get()) == function;
  };
  auto chains = [&] {
    auto outer =
        Ref<>::steal(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(chain_type), list.get(), nullptr));
    if (!outer || chain_active(outer.get()) != Py_None) return false;
    PyObject* source = iterator_source(outer.get());
    auto first = Ref<>::steal(PyIter_Next(outer.get()));
    PyObject* active = first ? chain_active(outer.get()) : nullptr;
    return active != nullptr && iterator_source(outer.get()) == source && goes_forwards(source) &&
           iterator_source(active) == list.get() && items_ahead(active) == 2;
  };
  auto* to_int = reinterpret_cast<PyObject*>(&PyLong_Type);
  return at_12(list.get()) && at_12(tuple.get()) && at_12(dict.get()) && at_12(range.get()) &&
         wraps(&PyEnum_Type, "O", nullptr) && wraps(&PyZip_Type, "O", nullptr) && wraps(&PyMap_Type, "OO", to_int) &&
         wraps(&PyFilter_Type, "OO", to_int) && chains();
}

}  // namespace

bool init_iterators() {
  auto module = Ref<>::steal(PyImport_ImportModule("itertools"));
  if (!module) return false;
  chain_type = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(module.get(), "chain"));
  if (chain_type == nullptr) return false;
  if (structures_are_as_expected()) return true;
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ImportError, "framelift does not know this Python's iterators");
  return false;
}

}  // namespace framelift
