#include "hook.h"

#include "c_stack.h"
#include "dispatch.h"
#include "replace.h"
#include "tail_call.h"
#include "thread_exit.h"

namespace framelift {
namespace {

using compat::Frame;

// What the hook does with the frames that start: the action for those of which nothing else is said, whom to ask for an
// entry, and for which backend.
struct Program {
  Action action = Action::kDefault;
  Ref<> callback;
  Ref<> backend;
  Program* outer = nullptr;  // what holds again when this one ends
};

// A thread's programs, one for each Scope it is in and one for each running frame whose code says something about the
// frames below it. Not quite a stack: generators that hold a Scope each end in any order.
thread_local Program* innermost = nullptr;

Program& every_thread = *new Program();  // for threads that say nothing themselves; the interpreter dies before it

void begin(Program* program) {
  program->outer = innermost;
  innermost = program;
}

// False when the program is not one of this thread.
bool end(Program* program) {
  for (Program** link = &innermost; *link != nullptr; link = &(*link)->outer) {
    if (*link != program) continue;
    *link = program->outer;
    return true;
  }
  return false;
}

const Program& current() {
  return innermost != nullptr && innermost->action != Action::kDefault ? *innermost : every_thread;
}

// A program for the time of one C++ block.
class Within {
 public:
  explicit Within(Program program) : program_(std::move(program)) { begin(&program_); }
  ~Within() { end(&program_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  Program program_;
};

PyObject* meant_for_user = nullptr;  // exceptions of this kind are the call-back's answer to the user; never freed

int users = 0;                     // scopes entered plus the program for every thread
bool installed = false;            // CPython, or somebody who installed himself after us, calls the hook
Evaluate next_evaluate = nullptr;  // whoever was there before us; CPython's own as a rule

PyObject* evaluate(PyThreadState* thread, Frame* frame, int throwing);

void add_user() {
  if (users++ > 0) return;
  PyInterpreterState* interpreter = PyInterpreterState_Get();
  Evaluate top = _PyInterpreterState_GetEvalFrameFunc(interpreter);
  if (installed && top != next_evaluate) return;
  next_evaluate = top;
  _PyInterpreterState_SetEvalFrameFunc(interpreter, evaluate);
  installed = true;
}

void remove_user() {
  if (--users > 0) return;
  PyInterpreterState* interpreter = PyInterpreterState_Get();
  if (_PyInterpreterState_GetEvalFrameFunc(interpreter) != evaluate) return;  // whoever is on top goes on calling us
  _PyInterpreterState_SetEvalFrameFunc(interpreter, next_evaluate);
  installed = false;
}

// CPython's own evaluation (or that of whoever was there before us).
PyObject* go_on(PyThreadState* thread, Frame* frame, int throwing) {
  if (!c_stack_left() && !throwing) {
    PyErr_SetString(PyExc_RecursionError, "maximum recursion depth exceeded: the C stack is used up");
    throwing = 1;
  }
  UncountedRecursion uncounted(thread);
  return outlasting_thread_exit([&] { return next_evaluate(thread, frame, throwing); });
}

// Keeps the user's tracer or profiler from seeing our own frames.
class Untraced {
 public:
  Untraced() : thread_(PyThreadState_Get()) { PyThreadState_EnterTracing(thread_); }
  ~Untraced() { PyThreadState_LeaveTracing(thread_); }
  Untraced(const Untraced&) = delete;
  Untraced& operator=(const Untraced&) = delete;

 private:
  PyThreadState* thread_;
};

// `inputs` are what the entry's guards gathered, if there is an entry.
PyObject* run(PyThreadState* thread, Frame* frame, BorrowedRef<Entry> entry, std::vector<Ref<>> inputs) {
  if (entry) return finish_tail_calls(run_replacement(thread, frame, entry, std::move(inputs), go_on));
  return go_on(thread, frame, 0);
}

PyObject* run_with_below(PyThreadState* thread, Frame* frame, BorrowedRef<Entry> entry, std::vector<Ref<>> inputs,
                         Action below) {
  const Program& now = current();  // the call-back may have ended the one it was called for
  if (now.action == Action::kDefault) return run(thread, frame, entry, std::move(inputs));
  Within within({stricter(now.action, below), now.callback, now.backend});
  return run(thread, frame, entry, std::move(inputs));
}

// The entry for a frame, and what its guards gathered. Apart from evaluate() so that its locals do not lie on the C
// stack while the frame runs.
Choice choose_for_frame(Frame* frame, Record* record, bool may_compile, std::vector<Ref<>>* inputs) {
  const Program& program = current();
  Call call(compat::code_of(frame), compat::function_of(frame));
  std::copy(frame->localsplus, frame->localsplus + call.arguments(), call.slots());
  Choice choice = choose_entry(record, call, {program.callback.borrow(), program.backend.borrow(), may_compile});
  if (choice.entry) *inputs = call.take_gathered(choice.entry->inputs);
  return choice;
}

PyObject* evaluate(PyThreadState* thread, Frame* frame, int throwing) {
  const Program& program = current();
  if (throwing || program.action == Action::kDefault || program.action == Action::kSkip ||
      compat::owned_by_generator(frame)) {
    return go_on(thread, frame, throwing);
  }
  auto code = Ref<PyCodeObject>::create(compat::code_of(frame));  // outlives what the call-back or the frame does to it
  Record* record = record_of(code.borrow());
  Action here = record != nullptr ? stricter(program.action, record->here) : program.action;
  Choice choice;
  std::vector<Ref<>> inputs;
  if (here != Action::kSkip && !compat::has_local_monitoring(code.get()) &&
      (record != nullptr || here == Action::kCompile)) {
    choice = choose_for_frame(frame, record, here == Action::kCompile, &inputs);
    if (choice.failed) return leave_with_error(thread, frame, go_on);
    record = record_of(code.borrow());
  }
  BorrowedRef<Entry> entry = choice.entry.borrow();
  if (record == nullptr || record->below == Action::kDefault) return run(thread, frame, entry, std::move(inputs));
  return run_with_below(thread, frame, entry, std::move(inputs), record->below);
}

// Reports a call-back's error and sees to it that this code is never asked for again; silent when another thread asked
// at the same time and has reported it.
void report_once(BorrowedRef<PyCodeObject> code) {
  Record* record;
  {
    SavedError saved;
    record = record_for(code);
  }
  bool known = record != nullptr && record->here == Action::kSkip;
  if (record != nullptr) record->here = Action::kSkip;
  if (known) {
    PyErr_Clear();
  } else {
    PyErr_WriteUnraisable(code.object());
  }
}

// ---- Scope: a program for one thread, from __enter__ to __exit__ ----

struct Scope {
  PyObject_HEAD Program program;
  bool entered;  // the thread's list of programs then holds a reference
};

Scope* as_scope(PyObject* object) { return reinterpret_cast<Scope*>(object); }

PyObject* scope_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* names[] = {"action", "callback", "backend", nullptr};
  const char* text;
  PyObject *callback = Py_None, *backend = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO:Scope", const_cast<char**>(names), &text, &callback, &backend)) {
    return nullptr;
  }
  Action action;
  if (!parse_action(text, &action)) return nullptr;
  if (action == Action::kCompile && !PyCallable_Check(callback)) {
    PyErr_SetString(PyExc_TypeError, "Scope('compile', ...) needs a callable to ask for entries");
    return nullptr;
  }
  PyObject* self = type->tp_alloc(type, 0);
  if (self == nullptr) return nullptr;
  new (&as_scope(self)->program) Program{action, Ref<>::create(callback), Ref<>::create(backend)};
  return self;
}

PyObject* scope_enter(PyObject* self, PyObject*) {
  Scope* scope = as_scope(self);
  if (scope->entered) {
    PyErr_SetString(PyExc_RuntimeError, "this Scope is entered already; make one for each `with`");
    return nullptr;
  }
  scope->entered = true;
  begin(&Ref<Scope>::create(self).release()->program);
  add_user();
  return Ref<>::create(self).release();
}

PyObject* scope_exit(PyObject* self, PyObject*) {
  Scope* scope = as_scope(self);
  if (!scope->entered || !end(&scope->program)) {
    PyErr_SetString(PyExc_RuntimeError, "a Scope ends on the thread that entered it, and once");
    return nullptr;
  }
  auto held = Ref<>::steal(self);
  scope->entered = false;
  remove_user();
  Py_RETURN_NONE;
}

void scope_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  as_scope(self)->program.~Program();
  Py_TYPE(self)->tp_free(self);
}

int scope_traverse(PyObject* self, visitproc visit, void* arg) {
  if (int stop = as_scope(self)->program.callback.visit(visit, arg)) return stop;
  return as_scope(self)->program.backend.visit(visit, arg);
}

PyMethodDef scope_methods[] = {
    {"__enter__", scope_enter, METH_NOARGS, nullptr},
    {"__exit__", scope_exit, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject ScopeType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "framelift._core.Scope",
    .tp_basicsize = sizeof(Scope),
    .tp_dealloc = scope_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc =
        "Scope(action, callback=None, backend=None)\n--\n\n"
        "Within `with`, frames that start on this thread are treated so.",
    .tp_traverse = scope_traverse,
    .tp_methods = scope_methods,
    .tp_new = scope_new,
};

}  // namespace

bool init_hook(PyObject* module) { return PyModule_AddType(module, &ScopeType) == 0; }

void let_through(Ref<> kind) { meant_for_user = kind.release(); }

bool hook_installed() { return users > 0; }

void hook_every_thread(Action action, Ref<> callback, Ref<> backend) {
  bool was_on = every_thread.action != Action::kDefault;
  bool is_on = action != Action::kDefault;
  Program before =
      std::exchange(every_thread, is_on ? Program{action, std::move(callback), std::move(backend)} : Program());
  if (is_on && !was_on) add_user();
  if (was_on && !is_on) remove_user();
}

Ref<> call_unseen(BorrowedRef<> callable, PyObject* const* args, size_t count) {
  Within off({Action::kSkip});
  Untraced untraced;
  return Ref<>::steal(
      outlasting_thread_exit([&] { return PyObject_Vectorcall(callable.get(), args, count, nullptr); }));
}

void report_unseen(BorrowedRef<> where) {
  Within off({Action::kSkip});
  Untraced untraced;
  PyErr_WriteUnraisable(where.get());
}

Compiled ask_for_entry(BorrowedRef<> callback, BorrowedRef<PyCodeObject> code, BorrowedRef<> function,
                       BorrowedRef<> backend, BorrowedRef<> arguments) {
  if (compat::interpreter_is_ending()) return {};
  auto keep_callback = Ref<>::create(callback.get());
  auto keep_backend = Ref<>::create(backend.get());
  Ref<> answer;
  {
    Within off({Action::kSkip});
    Untraced untraced;
    PyObject* args[] = {code.object(), function.get(), backend.get(), arguments.get()};
    answer =
        Ref<>::steal(outlasting_thread_exit([&] { return PyObject_Vectorcall(callback.get(), args, 4, nullptr); }));
    if (answer && answer.get() != Py_None && !Py_IS_TYPE(answer.get(), &EntryType)) {
      PyErr_Format(PyExc_TypeError, "a compile call-back returns an Entry or None, got %.200s",
                   Py_TYPE(answer.get())->tp_name);
      answer.clear();
    }
    if (!answer) {
      if (!PyErr_ExceptionMatches(PyExc_Exception)) return {nullptr, true};
      if (meant_for_user != nullptr && PyErr_ExceptionMatches(meant_for_user)) return {nullptr, true};
      if (PyErr_ExceptionMatches(PyExc_RecursionError)) {  // says nothing about the code: it may go better next time
        PyErr_Clear();
        return {};
      }
      report_once(code);
    }
  }
  if (!answer || answer.get() == Py_None) return {};
  auto entry = Ref<Entry>::steal(answer.release());
  if (!entry->usable_by(backend) || entry->home != record_of(code)) return {};  // died meanwhile, or is another code's
  return {std::move(entry), false};
}

}  // namespace framelift
