// A frame that has not started holds its arguments in its first slots, NULL in the other locals, and nothing else. So
// other code with the same parameters can run in it as it is: the code object is exchanged, and where the new code
// needs more slots the frame grows, since a frame about to start is the last one on the thread's data stack. CPython
// then runs, unwinds and clears the frame as any other; no second frame exists.
//
// When the chunk of the data stack has no room to grow, the replacement is called as a function instead and CPython is
// made to discard the untouched frame.
#include "replace.h"

#include "thread_exit.h"

#include "call.h"

namespace framelift {
namespace {

using compat::Frame;

constexpr int kGeneratorKinds = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;
constexpr int kSameFlags = kGeneratorKinds | CO_VARARGS | CO_VARKEYWORDS | CO_OPTIMIZED | CO_NEWLOCALS;

bool make_room(PyThreadState* thread, Frame* frame, PyCodeObject* original, PyCodeObject* replacement) {
  int has = compat::slots_of(original);
  int needs = compat::slots_of(replacement);
  if (needs <= has) return true;
  PyObject** end = reinterpret_cast<PyObject**>(frame) + has;
  if (end != thread->datastack_top || needs - has >= thread->datastack_limit - end) return false;
  thread->datastack_top += needs - has;
  return true;
}

bool exchange_code(Frame* frame, BorrowedRef<PyCodeObject> code) {
  auto original = Ref<PyCodeObject>::steal(compat::code_of(frame));
  if (code->co_flags & kGeneratorKinds) {
    // The generator object is sized and named after the frame's function.
    auto function = Ref<PyFunctionObject>::steal(compat::function_of(frame));
    Ref<PyFunctionObject> twin = function_with_code(function.borrow(), code);
    if (!twin) {
      function.release();
      original.release();
      return false;
    }
    compat::set_function(frame, twin.release());
  }
  for (int i = original->co_nlocalsplus; i < code->co_nlocalsplus; i++) frame->localsplus[i] = nullptr;
  frame->stacktop = code->co_nlocalsplus;
  compat::set_code(frame, Ref<PyCodeObject>::create(code.get()).release());
  return true;
}

// The call that made this frame, once more, for other code.
PyObject* call_again(Frame* frame, BorrowedRef<Entry> entry, const std::vector<Ref<>>& inputs) {
  PyFunctionObject* function = compat::function_of(frame);
  if (!(entry->code->co_flags & CO_OPTIMIZED)) {  // a class or a module: only here can a namespace be given
    return PyEval_EvalCodeEx(entry->code.object(), frame->f_globals, frame->f_locals, nullptr, 0, nullptr, 0, nullptr,
                             0, nullptr, function->func_closure);
  }
  Ref<PyFunctionObject> twin = function_with_code(function, entry->direct.borrow());
  if (!twin) return nullptr;
  std::vector<PyObject*> arguments(frame->localsplus, frame->localsplus + argument_slots(entry->code.borrow()));
  for (const Ref<>& input : inputs) arguments.push_back(input.get());
  return outlasting_thread_exit(
      [&] { return PyObject_Vectorcall(twin.object(), arguments.data(), arguments.size(), nullptr); });
}

// Has CPython clear a frame that will not run: it unwinds from its very start, out of sight of tracers.
void discard(PyThreadState* thread, Frame* frame, Evaluate evaluate) {
  if (!compat::kEvaluationClearsFrame) return;
  SavedError saved;
  PyErr_SetNone(PyExc_RuntimeError);
  PyThreadState_EnterTracing(thread);
  evaluate(thread, frame, 1);
  PyThreadState_LeaveTracing(thread);
  PyErr_Clear();
}

}  // namespace

bool can_replace(BorrowedRef<PyCodeObject> original, BorrowedRef<PyCodeObject> replacement) {
  return original->co_argcount == replacement->co_argcount &&
         original->co_posonlyargcount == replacement->co_posonlyargcount &&
         original->co_kwonlyargcount == replacement->co_kwonlyargcount &&
         original->co_nfreevars == replacement->co_nfreevars &&
         (original->co_flags & kSameFlags) == (replacement->co_flags & kSameFlags);
}

Ref<PyCodeObject> direct_variant(BorrowedRef<PyCodeObject> code, Py_ssize_t slots) {
  constexpr int kCollecting = CO_VARARGS | CO_VARKEYWORDS;
  if (code->co_argcount == slots && code->co_posonlyargcount == 0 && code->co_kwonlyargcount == 0 &&
      !(code->co_flags & kCollecting)) {
    return Ref<PyCodeObject>::create(code.get());
  }
  auto replace = Ref<>::steal(PyObject_GetAttrString(code.object(), "replace"));
  auto nothing = Ref<>::steal(PyTuple_New(0));
  auto changes = Ref<>::steal(Py_BuildValue("{s:n,s:i,s:i,s:i}", "co_argcount", slots, "co_posonlyargcount", 0,
                                            "co_kwonlyargcount", 0, "co_flags", code->co_flags & ~kCollecting));
  if (!replace || !nothing || !changes) return nullptr;
  return Ref<PyCodeObject>::steal(PyObject_Call(replace.get(), nothing.get(), changes.get()));
}

Ref<PyFunctionObject> function_with_code(BorrowedRef<PyFunctionObject> function, BorrowedRef<PyCodeObject> code) {
  auto twin = Ref<PyFunctionObject>::steal(
      PyFunction_NewWithQualName(code.object(), function->func_globals, function->func_qualname));
  if (!twin) return nullptr;
  auto share = [](PyObject*& field, PyObject* value) {
    auto gone = Ref<>::steal(field);
    field = Ref<>::create(value).release();
  };
  share(twin->func_name, function->func_name);
  share(twin->func_builtins, function->func_builtins);
  share(twin->func_defaults, function->func_defaults);
  share(twin->func_kwdefaults, function->func_kwdefaults);
  share(twin->func_closure, function->func_closure);
  share(twin->func_module, function->func_module);
  return twin;
}

PyObject* run_replacement(PyThreadState* thread, Frame* frame, BorrowedRef<Entry> entry, std::vector<Ref<>> inputs,
                          Evaluate evaluate) {
  BorrowedRef<PyCodeObject> code = entry->code.borrow();
  if (!make_room(thread, frame, compat::code_of(frame), code.get())) {
    PyObject* result = call_again(frame, entry, inputs);
    discard(thread, frame, evaluate);
    return result;
  }
  if (!exchange_code(frame, code)) return leave_with_error(thread, frame, evaluate);
  PyObject** slot = frame->localsplus + argument_slots(code);
  for (Ref<>& input : inputs) *slot++ = input.release();
  return evaluate(thread, frame, 0);
}

PyObject* leave_with_error(PyThreadState* thread, Frame* frame, Evaluate evaluate) {
  return evaluate(thread, frame, 1);
}

}  // namespace framelift
