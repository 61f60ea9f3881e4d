// Looking into generators and coroutines that stand at a yield, and having them stand at another one.
#pragma once

#include "ref.h"

namespace framelift {

// The code, the globals, a variable, a place on the stack; null if there is none. Borrowed.
PyObject* generator_code(PyObject* object);
PyObject* generator_globals(PyObject* object);
PyObject* generator_variable(PyObject* object, Py_ssize_t index);
PyObject* generator_stack(PyObject* object, Py_ssize_t index);

// Where it stands, as text: its state, the offset of the instruction with which it goes on, how much lies on its stack,
// and which of its variables are bound. Kept in `made`.
PyObject* generator_position(PyObject* object, Ref<>* made);

// move_generator(generator, offset, delegates, changed, unbound, values, stack): as if it had run up to the yield
// before that instruction. `changed` and `unbound` are indices of variables, `values` are those of the changed ones.
PyObject* move_generator(PyObject*, PyObject* const* args, Py_ssize_t count);

// end_generator(generator): as if it had returned.
PyObject* end_generator(PyObject*, PyObject* object);

}  // namespace framelift
