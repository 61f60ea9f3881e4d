#include "lru_caches.h"

#include "compat/lru_cache.h"

namespace framelift {
namespace {

PyTypeObject* cached_type = nullptr;

compat::CachedFunction* as_cached(PyObject* object) {
  return Py_IS_TYPE(object, cached_type) ? reinterpret_cast<compat::CachedFunction*>(object) : nullptr;
}

// Makes a bounded and an unbounded one, and looks into them.
bool structures_are_as_expected(PyObject* functools) {
  if (cached_type->tp_basicsize < static_cast<Py_ssize_t>(sizeof(compat::CachedFunction))) return false;
  auto* to_int = reinterpret_cast<PyObject*>(&PyLong_Type);
  for (const char* limit : {"8", "-1"}) {
    PyObject* most = limit[0] == '-' ? Py_None : nullptr;
    auto eight = Ref<>::steal(PyLong_FromLong(8));
    auto decorator = Ref<>::steal(PyObject_CallMethod(functools, "lru_cache", "O", most ? most : eight.get()));
    auto made = Ref<>::steal(decorator ? PyObject_CallOneArg(decorator.get(), to_int) : nullptr);
    auto key = Ref<>::steal(PyUnicode_FromString("17"));
    auto result = Ref<>::steal(made && key ? PyObject_CallOneArg(made.get(), key.get()) : nullptr);
    if (!result || as_cached(made.get()) == nullptr) return false;
    auto* cached = as_cached(made.get());
    bool fits = cached->misses == 1 && cached->hits == 0 && cached->typed == 0 && cached->function == to_int &&
                PyDict_CheckExact(cached->cache) && (most ? cached->most < 0 : cached->most == 8);
    if (!fits || cached_result(made.get(), key.get(), PyObject_Hash(key.get())) != result.get()) return false;
  }
  return true;
}

}  // namespace

PyObject* cached_result(PyObject* object, PyObject* key, Py_hash_t hash) {
  compat::CachedFunction* cached = as_cached(object);
  if (cached == nullptr || !PyDict_CheckExact(cached->cache)) return nullptr;
  PyObject* found = _PyDict_GetItem_KnownHash(cached->cache, key, hash);
  if (found == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  return cached->most < 0 ? found : reinterpret_cast<compat::CacheLink*>(found)->result;
}

PyObject* cached_function(PyObject* object) {
  compat::CachedFunction* cached = as_cached(object);
  return cached != nullptr ? cached->function : nullptr;
}

bool cache_has_room(PyObject* object, Py_ssize_t more) {
  compat::CachedFunction* cached = as_cached(object);
  return cached != nullptr && (cached->most < 0 || PyDict_GET_SIZE(cached->cache) + more <= cached->most);
}

PyObject* cache_traits(PyObject*, PyObject* object) {
  compat::CachedFunction* cached = as_cached(object);
  if (cached == nullptr) return PyErr_Format(PyExc_TypeError, "expected what lru_cache makes, got %R", object);
  return Py_BuildValue("(OO)", cached->typed ? Py_True : Py_False, cached->keyword_mark);
}

bool init_lru_caches() {
  auto module = Ref<>::steal(PyImport_ImportModule("functools"));
  if (!module) return false;
  cached_type = reinterpret_cast<PyTypeObject*>(PyObject_GetAttrString(module.get(), "_lru_cache_wrapper"));
  if (cached_type == nullptr) return false;
  if (structures_are_as_expected(module.get())) return true;
  if (!PyErr_Occurred()) PyErr_SetString(PyExc_ImportError, "framelift does not know this Python's lru_cache");
  return false;
}

}  // namespace framelift
