//===- LocatedJSON.cpp - JSON reading with located errors -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser proper is LLVM's. What is added here: a bound on the nesting
// before it runs (it recurses), and a walk over the already accepted text that
// finds the line of a value when an error must be placed.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/LocatedJSON.h"
#include "ptxbench/Support/BoundedJSON.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <limits>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// JSONSource
//===----------------------------------------------------------------------===//

llvm::Expected<llvm::json::Value> JSONSource::parse() {
  static_assert(maxDepth == maxJSONDepth);
  if (std::optional<unsigned> line = findTooDeepLine(text))
    return llvm::createStringError(path + ":" + Twine(*line + firstLine).str() +
                                   ": expected JSON nested at most " +
                                   Twine(maxDepth).str() + " deep");
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (parsed)
    return parsed;
  // LLVM's parser says "[LINE:COLUMN, byte=N]: what" with its own line count.
  std::string what;
  unsigned row = 1, column = 0;
  llvm::handleAllErrors(parsed.takeError(),
                        [&](const llvm::json::ParseError &error) {
                          llvm::raw_string_ostream os(what);
                          error.log(os);
                        });
  StringRef rest = what;
  if (rest.consume_front("[")) {
    (void)rest.consumeInteger(10, row);
    (void)rest.consume_front(":");
    (void)rest.consumeInteger(10, column);
    rest = rest.split("]: ").second;
  }
  return llvm::createStringError(
      path + ":" + Twine(row + firstLine - 1).str() + ":" +
      Twine(column).str() + ": expected valid JSON but got: " + rest.str());
}

llvm::Error JSONSource::takeError() {
  if (message.empty())
    return llvm::Error::success();
  return llvm::createStringError(message);
}

//===----------------------------------------------------------------------===//
// JSONCursor
//===----------------------------------------------------------------------===//

JSONCursor JSONCursor::field(StringRef key,
                             const llvm::json::Value &child) const {
  JSONCursor result(*this);
  result.value = &child;
  result.steps.push_back({key.str(), 0, false});
  return result;
}

JSONCursor JSONCursor::element(size_t index,
                               const llvm::json::Value &child) const {
  JSONCursor result(*this);
  result.value = &child;
  result.steps.push_back({"", index, true});
  return result;
}

namespace {
/// Walks over a text that is known to be JSON.
class Walker {
public:
  explicit Walker(StringRef text) : text(text) {}

  size_t position = 0;

  void skipSpace() {
    while (position < text.size() && llvm::isSpace(text[position]))
      ++position;
  }
  bool consume(char c) {
    skipSpace();
    if (position >= text.size() || text[position] != c)
      return false;
    ++position;
    return true;
  }
  /// Passes a string literal and returns it with its quotes.
  StringRef string() {
    skipSpace();
    size_t begin = position;
    if (!consume('"'))
      return "";
    while (position < text.size() && text[position] != '"')
      position += text[position] == '\\' ? 2 : 1;
    position = std::min(position + 1, text.size());
    return text.slice(begin, position);
  }
  void value() {
    skipSpace();
    if (position >= text.size())
      return;
    if (text[position] == '"') {
      string();
      return;
    }
    if (text[position] != '{' && text[position] != '[') {
      while (position < text.size() &&
             !StringRef(",]} \t\r\n").contains(text[position]))
        ++position;
      return;
    }
    unsigned depth = 0;
    do {
      char c = text[position];
      if (c == '"') {
        string();
        continue;
      }
      depth += c == '{' || c == '[';
      depth -= c == '}' || c == ']';
      ++position;
    } while (depth && position < text.size());
  }

private:
  StringRef text;
};
} // namespace

size_t JSONCursor::findOffset(StringRef text, llvm::ArrayRef<Step> steps) {
  Walker walker(text);
  for (const Step &step : steps) {
    bool found = false;
    if (step.isIndex) {
      if (!walker.consume('['))
        break;
      for (size_t i = 0; i != step.index; ++i) {
        walker.value();
        walker.consume(',');
      }
      found = true;
    } else if (walker.consume('{')) {
      do {
        StringRef literal = walker.string();
        walker.consume(':');
        llvm::Expected<llvm::json::Value> key = llvm::json::parse(literal);
        if (!key) {
          llvm::consumeError(key.takeError());
          break;
        }
        if (key->getAsString() == StringRef(step.key)) {
          found = true;
          break;
        }
        walker.value();
      } while (walker.consume(','));
    }
    if (!found)
      break;
  }
  walker.skipSpace();
  return walker.position;
}

std::vector<JSONCursor> JSONCursor::fieldsInOrder() const {
  std::vector<std::pair<size_t, JSONCursor>> children;
  if (const llvm::json::Object *object = value->getAsObject()) {
    for (const auto &entry : *object) {
      JSONCursor child = field(entry.first, entry.second);
      size_t offset = findOffset(source->text, child.steps);
      children.emplace_back(offset, std::move(child));
    }
  }
  llvm::sort(children,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<JSONCursor> result;
  for (auto &child : children)
    result.push_back(std::move(child.second));
  return result;
}

std::string JSONCursor::describe(const Twine &message) const {
  std::string place;
  for (const Step &step : steps) {
    if (step.isIndex)
      place += "[" + std::to_string(step.index) + "]";
    else
      place += (place.empty() ? "" : ".") + step.key;
  }
  unsigned line =
      source->firstLine +
      source->text.take_front(findOffset(source->text, steps)).count('\n');
  return (Twine(source->path) + ":" + Twine(line) + ": " +
          (place.empty() ? "top level" : place) + ": " + message)
      .str();
}

bool JSONCursor::fail(const Twine &message) const {
  if (!source->failed())
    source->message = describe(message);
  return false;
}

static const char *kindName(const llvm::json::Value &value) {
  switch (value.kind()) {
  case llvm::json::Value::Null:
    return "null";
  case llvm::json::Value::Boolean:
    return "a boolean";
  case llvm::json::Value::Number:
    return "a number";
  case llvm::json::Value::String:
    return "a string";
  case llvm::json::Value::Array:
    return "an array";
  case llvm::json::Value::Object:
    return "an object";
  }
  return "nothing";
}

bool JSONCursor::read(std::string &out) const {
  std::optional<StringRef> text = value->getAsString();
  if (!text)
    return fail(Twine("expected a string but got ") + kindName(*value));
  out = text->str();
  return true;
}

bool JSONCursor::read(bool &out) const {
  std::optional<bool> flag = value->getAsBoolean();
  if (!flag)
    return fail(Twine("expected true or false but got ") + kindName(*value));
  out = *flag;
  return true;
}

bool JSONCursor::read(uint64_t &out) const {
  if (std::optional<uint64_t> number = value->getAsUINT64()) {
    out = *number;
    return true;
  }
  if (std::optional<double> number = value->getAsNumber())
    return fail("expected a whole number from 0 to 2^64-1 but got " +
                std::to_string(*number));
  return fail(Twine("expected a whole number but got ") + kindName(*value));
}

bool JSONCursor::read(unsigned &out) const {
  uint64_t wide = 0;
  if (!read(wide))
    return false;
  if (wide > std::numeric_limits<unsigned>::max())
    return fail("expected a whole number below 2^32 but got " + Twine(wide));
  out = static_cast<unsigned>(wide);
  return true;
}

bool JSONCursor::read(int64_t &out) const {
  if (std::optional<int64_t> number = value->getAsInteger()) {
    out = *number;
    return true;
  }
  if (std::optional<double> number = value->getAsNumber())
    return fail("expected a whole number of 64 bits but got " +
                std::to_string(*number));
  return fail(Twine("expected a whole number but got ") + kindName(*value));
}

bool JSONCursor::read(double &out) const {
  if (std::optional<double> number = value->getAsNumber()) {
    out = *number;
    return true;
  }
  if (std::optional<StringRef> text = value->getAsString()) {
    if (*text == "NaN")
      out = std::numeric_limits<double>::quiet_NaN();
    else if (*text == "Infinity")
      out = std::numeric_limits<double>::infinity();
    else if (*text == "-Infinity")
      out = -std::numeric_limits<double>::infinity();
    else
      return fail("expected a number, \"NaN\", \"Infinity\" or \"-Infinity\" "
                  "but got \"" +
                  *text + "\"");
    return true;
  }
  return fail(Twine("expected a number but got ") + kindName(*value));
}

const llvm::json::Object *JSONCursor::asObject() const {
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    fail(Twine("expected an object but got ") + kindName(*value));
  return object;
}

const llvm::json::Array *JSONCursor::asArray() const {
  const llvm::json::Array *array = value->getAsArray();
  if (!array)
    fail(Twine("expected an array but got ") + kindName(*value));
  return array;
}

//===----------------------------------------------------------------------===//
// JSONFields
//===----------------------------------------------------------------------===//

std::optional<JSONCursor> JSONFields::find(StringRef key, bool must) {
  known.insert(key.str());
  if (!object || cursor.getSource().failed())
    return std::nullopt;
  const llvm::json::Value *child = object->get(key);
  if (!child) {
    if (must)
      cursor.fail("expected a field \"" + key + "\"");
    return std::nullopt;
  }
  return cursor.field(key, *child);
}

bool JSONFields::finish() {
  if (!object || cursor.getSource().failed())
    return false;
  for (const auto &entry : *object) {
    if (known.count(entry.first.str()))
      continue;
    std::string names;
    for (const std::string &name : known)
      names += (names.empty() ? "" : ", ") + name;
    return cursor.field(entry.first, entry.second)
        .fail("unknown field; the known ones are " + names);
  }
  return true;
}
