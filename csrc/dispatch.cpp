#include "dispatch.h"

#include "guards.h"
#include "hook.h"

namespace framelift {
namespace {

Ref<>& strict_callback = *new Ref<>();  // never destroyed: the interpreter may be gone by then

Ref<> arguments_tuple(Call& call) {
  call.own_arguments();  // making a tuple may start a garbage collection
  auto tuple = Ref<>::steal(PyTuple_New(call.arguments()));
  if (!tuple) return nullptr;
  for (Py_ssize_t i = 0; i < call.arguments(); i++) {
    PyTuple_SET_ITEM(tuple.get(), i, Ref<>::create(call.slots()[i]).release());
  }
  return tuple;
}

bool accepts(const Entry* entry, Call& call, Failure* failure = nullptr) {
  Guards* guards = entry->guards.get();
  if (guards == nullptr) return true;
  call.reserve(guards->gathers);
  return guards->run(call.slots(), call.function().get(), call.gathered(), failure);
}

// Tells the strict call-back. It may do anything, so what was gathered has to be owned from here on.
bool tell(BorrowedRef<Entry> entry, Call& call, bool passed) {
  if (passed) call.own_gathered(entry->inputs);
  auto callback = strict_callback;
  Ref<> arguments = arguments_tuple(call);
  if (!arguments) return false;
  PyObject* args[] = {entry.object(), arguments.get(), call.function().object(), passed ? Py_True : Py_False};
  return static_cast<bool>(call_unseen(callback.borrow(), args, 4));
}

// As Record::use of the first that fits, with the call-back told of each.
Choice choose_strictly(Record* record, Call& call, BorrowedRef<> backend) {
  auto entries = record->entries;  // the call-back may change the list
  for (const Ref<Entry>& entry : entries) {
    if (!entry->usable_by(backend)) continue;
    bool passed = accepts(entry.get(), call);
    if (entry->guards && !tell(entry.borrow(), call, passed)) return {nullptr, true};
    if (!passed) continue;
    record->use(entry.borrow());
    return {entry};
  }
  return {};
}

Choice choose_existing(Record* record, Call& call, BorrowedRef<> backend) {
  if (strict_callback) [[unlikely]]
    return choose_strictly(record, call, backend);
  for (const Ref<Entry>& entry : record->entries) {
    if (!entry->usable_by(backend) || !accepts(entry.get(), call)) continue;
    Choice choice{entry};
    record->use(choice.entry.borrow());
    return choice;
  }
  return {};
}

// An entry that refuses the very call it was made for is a bug of whoever made it; saying so once is enough.
void report_misfit(BorrowedRef<PyCodeObject> code, Failure failure) {
  Record* record = record_of(code);
  if (record == nullptr || record->misfit_reported) return;
  record->misfit_reported = true;
  if (failure.node == -2) {
    PyErr_Format(PyExc_RuntimeError, "%U was compiled for sizes its guards refuse: condition %zd", code->co_qualname,
                 failure.check);
  } else if (failure.node < 0) {
    PyErr_Format(PyExc_RuntimeError, "%U was compiled for a global state other than the present one",
                 code->co_qualname);
  } else if (failure.check < 0) {
    PyErr_Format(PyExc_RuntimeError, "%U was compiled for arguments its guards refuse: node %zd cannot be reached",
                 code->co_qualname, failure.node);
  } else {
    PyErr_Format(PyExc_RuntimeError, "%U was compiled for arguments its guards refuse: check %zd of node %zd",
                 code->co_qualname, failure.check, failure.node);
  }
  report_unseen(code.object());
}

Choice compile(Call& call, const Source& source) {
  Ref<> arguments = arguments_tuple(call);
  if (!arguments) return {nullptr, true};
  Compiled compiled =
      ask_for_entry(source.callback, call.code(), call.function().object(), source.backend, arguments.borrow());
  if (compiled.failed || !compiled.entry) return {nullptr, compiled.failed};
  Failure failure;
  bool passed = accepts(compiled.entry.get(), call, &failure);
  if (strict_callback && compiled.entry->guards && !tell(compiled.entry.borrow(), call, passed)) return {nullptr, true};
  if (!passed) {
    report_misfit(call.code(), failure);
    return {};
  }
  return {std::move(compiled.entry)};
}

}  // namespace

Choice choose_entry(Record* record, Call& call, const Source& source) {
  if (record != nullptr) {
    Choice choice = choose_existing(record, call, source.backend);
    if (choice.entry || choice.failed) return choice;
  }
  return source.may_compile ? compile(call, source) : Choice();
}

void set_strict(Ref<> callback) {
  if (callback.get() == Py_None) callback.clear();
  std::swap(strict_callback, callback);
}

}  // namespace framelift
