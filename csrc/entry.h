// A cache entry: one replacement for one code object.
//
// Immutable once published, but for two things: it can become invalid (an object it depends on died), and it counts
// its hits. Entries are Python objects so that the compile driver and the debugging views can hold them.
#pragma once

#include "ref.h"

#include <vector>

namespace framelift {

struct Guards;
struct Record;

// How an entry came to be: compiled in this process, or loaded from disk.
enum class Origin : unsigned char { kCompiled, kLoaded };

struct Entry {
  PyObject_HEAD Ref<PyCodeObject> code;  // what runs instead; it has the original's parameters
  Ref<PyCodeObject> direct;    // the same with every argument slot, and the inputs, as plain positional parameters
  Ref<Guards> guards;          // when it may run; none: always
  Py_ssize_t inputs;           // how many gathered objects it finds in the slots behind its arguments
  Ref<> backend;               // identity decides whether a caller may use the entry
  Ref<> payload;               // the driver's own notes: graphs, reasons
  std::vector<Ref<>> watched;  // weak references whose callbacks invalidate this entry
  Ref<> handle;                // how those callbacks find this entry, or that it is gone; made with the first of them
  Record* home;                // the record that lists this entry; null when it was dropped
  unsigned long long hits;
  Origin origin;
  bool valid;

  bool usable_by(BorrowedRef<> wanted) const { return valid && backend.get() == wanted.get(); }
};

// The type object, ready after init_entry_type(). Returns false with an exception set when it cannot be made.
extern PyTypeObject EntryType;
bool init_entry_type(PyObject* module);

// What an entry is made of, as above.
struct Ingredients {
  Ref<PyCodeObject> code;
  Ref<PyCodeObject> direct;
  Ref<Guards> guards;
  Py_ssize_t inputs;
  Ref<> backend;
  Ref<> payload;
  Origin origin;
};
Ref<Entry> make_entry(Ingredients ingredients);

// Ends the entry's life in its record. Whoever holds it sees valid == false.
void invalidate(BorrowedRef<Entry> entry);

}  // namespace framelift
