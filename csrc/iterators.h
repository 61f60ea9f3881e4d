// Looking into iterators without moving them.
//
// Nothing here depends on how far an iterator has come, only on what is still ahead: a guard on the item that comes
// next holds in every round of a loop.
#pragma once

#include "ref.h"

namespace framelift {

// How many items are ahead; -1 when that cannot be said (the dict has changed, another kind of iterator).
Py_ssize_t items_ahead(PyObject* iterator);

// The n-th item ahead (of a dict's items its value), borrowed; null if there is none. One that has to be made is kept
// in `made`.
PyObject* item_ahead(PyObject* iterator, Py_ssize_t n, Ref<>* made);

// Of a dict's items: the n-th key ahead, borrowed.
PyObject* key_ahead(PyObject* iterator, Py_ssize_t n);

// What it goes through: a list, a tuple, a dict; of enumerate and filter an iterator; of zip and map a tuple of them.
// Of a chain the iterator that gives what it goes through, or None.
PyObject* iterator_source(PyObject* iterator);

// What a chain of `itertools` is giving items from, or None; null for what is no chain.
PyObject* chain_active(PyObject* iterator);

// set_chain(chain, source, active): have it go on with these; None: with nothing.
PyObject* set_chain(PyObject*, PyObject* const* args, Py_ssize_t count);

// Of map and filter.
PyObject* iterator_function(PyObject* iterator);

// The number that an enumerate gives with its n-th item ahead.
PyObject* number_ahead(PyObject* iterator, Py_ssize_t n, Ref<>* made);

// 1 or 0; -1 for what is no zip.
int zip_is_strict(PyObject* iterator);

// move_enumerate(iterator, count): as if so many items had been taken, of which its source gives none.
PyObject* move_enumerate(PyObject*, PyObject* const* args, Py_ssize_t count);

// Checks what this file assumes about CPython's structures. False with an exception set.
bool init_iterators();

}  // namespace framelift
