//===- LocatedJSON.h - JSON reading with located errors ---------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's JSON values do not know where in the text they stood. The readers of
// this project promise errors that name file, line and JSON path, so they read
// through a JSONCursor: it carries the path from the root, and when something
// is refused the path is walked once more over the text to find the line.
// Objects are read through JSONFields, which also refuses keys it was not
// asked for: a misspelt optional field is an error, not silence.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_LOCATEDJSON_H
#define PTXBENCH_SUPPORT_LOCATEDJSON_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ptxbench {

/// A JSON text with its name. Keeps the first error.
class JSONSource {
public:
  /// `text` must outlive the source. `firstLine` is the 1-based line of the
  /// file at which it begins (JSON Lines files are read line by line).
  JSONSource(llvm::StringRef text, llvm::StringRef path, unsigned firstLine = 1)
      : text(text), path(path), firstLine(firstLine) {}

  /// Parses the text. Errors: not UTF-8, not JSON, nested deeper than
  /// `maxDepth`; each with path, line and column.
  llvm::Expected<llvm::json::Value> parse();

  /// "path:line: PLACE: message" as an error.
  llvm::Error takeError();
  bool failed() const { return !message.empty(); }

  static constexpr unsigned maxDepth = 200;

private:
  friend class JSONCursor;

  llvm::StringRef text;
  std::string path;
  unsigned firstLine;
  std::string message;
};

/// One value of a document and the way to it.
class JSONCursor {
public:
  JSONCursor(JSONSource &source, const llvm::json::Value &root)
      : source(&source), value(&root) {}

  const llvm::json::Value &get() const { return *value; }
  JSONSource &getSource() const { return *source; }

  JSONCursor field(llvm::StringRef key, const llvm::json::Value &child) const;
  JSONCursor element(size_t index, const llvm::json::Value &child) const;

  /// The children of an object in the order of the text (LLVM's objects have
  /// none). Empty if it is no object; asObject() makes that an error.
  std::vector<JSONCursor> fieldsInOrder() const;
  /// The key of the last step; empty for the root and for array elements.
  llvm::StringRef key() const {
    return steps.empty() ? llvm::StringRef() : steps.back().key;
  }

  /// Records `message` as the document's error, unless it has one. Always
  /// false.
  bool fail(const llvm::Twine &message) const;

  /// "path:line: PLACE: message", where the value stands.
  std::string describe(const llvm::Twine &message) const;

  /// Each reads the value as one kind and fails otherwise. A double may also
  /// be one of the strings "NaN", "Infinity", "-Infinity".
  bool read(std::string &out) const;
  bool read(bool &out) const;
  bool read(uint64_t &out) const;
  bool read(unsigned &out) const;
  bool read(int64_t &out) const;
  bool read(double &out) const;
  template <typename T> bool read(std::optional<T> &out) const {
    T inner{};
    if (!read(inner))
      return false;
    out = std::move(inner);
    return true;
  }
  template <typename T> bool read(std::vector<T> &out) const {
    return forEach([&](const JSONCursor &item) {
      T inner{};
      if (!item.read(inner))
        return false;
      out.push_back(std::move(inner));
      return true;
    });
  }
  template <typename T> bool read(std::map<std::string, T> &out) const {
    const llvm::json::Object *object = asObject();
    if (!object)
      return false;
    for (const auto &entry : *object)
      if (!field(entry.first, entry.second).read(out[entry.first.str()]))
        return false;
    return true;
  }

  /// Calls `body` on each element of an array until one returns false.
  template <typename Fn> bool forEach(Fn &&body) const {
    const llvm::json::Array *array = asArray();
    if (!array)
      return false;
    for (size_t i = 0, e = array->size(); i != e; ++i)
      if (!body(element(i, (*array)[i])))
        return false;
    return true;
  }

  /// Null, with the error recorded, if it is of another kind.
  const llvm::json::Object *asObject() const;
  const llvm::json::Array *asArray() const;

private:
  struct Step {
    std::string key;
    size_t index = 0;
    bool isIndex = false;
  };
  /// Byte offset of the value, or of the last part of its path that is there.
  static size_t findOffset(llvm::StringRef text, llvm::ArrayRef<Step> steps);

  JSONSource *source;
  const llvm::json::Value *value;
  llvm::SmallVector<Step, 6> steps;
};

/// The fields of one object. Every method returns false once the document has
/// failed.
class JSONFields {
public:
  explicit JSONFields(const JSONCursor &cursor)
      : cursor(cursor), object(cursor.asObject()) {}

  /// Reads a field that must be there.
  template <typename T> bool required(llvm::StringRef key, T &out) {
    std::optional<JSONCursor> child = find(key, true);
    return child && child->read(out);
  }
  /// Reads a field if it is there; absent and present are both fine.
  template <typename T> bool optional(llvm::StringRef key, T &out) {
    std::optional<JSONCursor> child = find(key, false);
    return child ? child->read(out) : object != nullptr;
  }
  /// The field, marked as known. With `must`, its absence is an error.
  std::optional<JSONCursor> find(llvm::StringRef key, bool must);
  /// Marks a key as known without reading it.
  void ignore(llvm::StringRef key) { known.insert(key.str()); }
  /// Refuses keys that nobody asked for.
  bool finish();

private:
  JSONCursor cursor;
  const llvm::json::Object *object;
  std::set<std::string> known;
};

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_LOCATEDJSON_H
