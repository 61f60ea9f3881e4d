#include "record.h"

#include "compat/frame.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace framelift {
namespace {

Py_ssize_t extra_index = -1;

constexpr const char* kActionNames[] = {"default", "compile", "lookup", "skip"};

void free_record(void* extra) { delete static_cast<Record*>(extra); }

}  // namespace

bool parse_action(const char* name, Action* action) {
  for (size_t i = 0; i < std::size(kActionNames); i++) {
    if (std::strcmp(name, kActionNames[i]) != 0) continue;
    *action = static_cast<Action>(i);
    return true;
  }
  PyErr_Format(PyExc_ValueError, "expected 'default', 'compile', 'lookup' or 'skip', got '%s'", name);
  return false;
}

const char* action_name(Action action) { return kActionNames[static_cast<size_t>(action)]; }

Record::~Record() {
  for (const Ref<Entry>& entry : entries) {  // their code is gone, and its address may come to mean another
    entry->valid = false;
    entry->home = nullptr;
  }
}

void Record::use(BorrowedRef<Entry> entry) {
  entry->hits++;
  if (!entries.empty() && entries.front().get() == entry.get()) return;
  auto it = std::find_if(entries.begin(), entries.end(), [&](const Ref<Entry>& e) { return e.get() == entry.get(); });
  if (it != entries.end()) std::rotate(entries.begin(), it, it + 1);
}

void Record::add(Ref<Entry> entry) {
  entry->home = this;
  entries.insert(entries.begin(), std::move(entry));
}

void Record::drop(BorrowedRef<Entry> entry) {
  auto it = std::find_if(entries.begin(), entries.end(), [&](const Ref<Entry>& e) { return e.get() == entry.get(); });
  if (it == entries.end()) return;
  Ref<Entry> gone = std::move(*it);  // dies after the list is whole again
  entries.erase(it);
  gone->home = nullptr;
}

void Record::drop_all(BorrowedRef<> backend) {
  std::vector<Ref<Entry>> gone;
  std::vector<Ref<Entry>> kept;
  for (Ref<Entry>& entry : entries) {
    bool goes = !backend || entry->backend.get() == backend.get();
    (goes ? gone : kept).push_back(std::move(entry));
  }
  entries.swap(kept);
  for (const Ref<Entry>& entry : gone) {
    entry->valid = false;
    entry->home = nullptr;
  }
}

void Record::set_below(Action action) {
  below = action;
  for (const Ref<Entry>& entry : entries) {
    if (Record* inner = record_of(entry->code.borrow())) inner->below = action;
    if (Record* inner = record_of(entry->direct.borrow())) inner->below = action;
  }
}

bool init_records() {
  extra_index = compat::request_code_extra(free_record);
  if (extra_index >= 0) return true;
  PyErr_SetString(PyExc_ImportError, "framelift needs a code-object extra slot and this process has none left");
  return false;
}

Record* record_of(BorrowedRef<PyCodeObject> code) {
  void* extra = nullptr;
  if (compat::get_code_extra(code.object(), extra_index, &extra) < 0) {
    PyErr_Clear();
    return nullptr;
  }
  return static_cast<Record*>(extra);
}

Record* record_for(BorrowedRef<PyCodeObject> code) {
  if (Record* record = record_of(code)) return record;
  auto* record = new (std::nothrow) Record();
  if (record == nullptr) {
    PyErr_NoMemory();
    return nullptr;
  }
  if (compat::set_code_extra(code.object(), extra_index, record) < 0) {
    delete record;
    return nullptr;
  }
  return record;
}

}  // namespace framelift
