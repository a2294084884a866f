//===- NameTable.cpp - Names in nested scopes -----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table with chains; all entries stand in one vector in the order of
// their declaration, so leaving a scope is popping from its end.
//
//===----------------------------------------------------------------------===//

#include "NameTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <optional>
#include <string>

using namespace llvm;
using namespace ptxbench::syntax;

/// Names are short: eight bytes a step, mixed by multiplication.
static uint32_t hashName(StringRef name) {
  uint64_t hash = 0x9E3779B97F4A7C15ull * (name.size() + 1);
  const char *data = name.data();
  size_t size = name.size();
  while (size >= 8) {
    uint64_t word;
    memcpy(&word, data, 8);
    hash = (hash ^ word) * 0xD6E8FEB86659FD93ull;
    hash ^= hash >> 32;
    data += 8;
    size -= 8;
  }
  uint64_t word = 0;
  for (size_t i = 0; i < size; ++i)
    word = word << 8 | static_cast<unsigned char>(data[i]);
  hash = (hash ^ word) * 0xD6E8FEB86659FD93ull;
  return hash ^ (hash >> 32);
}

NameTable::NameTable() : buckets(256, -1) {}

const NameTable::Entry *NameTable::find(StringRef name, uint32_t hash,
                                        bool numbered) const {
  for (int32_t i = buckets[hash & (buckets.size() - 1)]; i >= 0;
       i = entries[i].next) {
    const Entry &entry = entries[i];
    if (entry.hash == hash && entry.numbered == numbered &&
        StringRef(entry.name, entry.length) == name)
      return &entry;
  }
  return nullptr;
}

void NameTable::grow() {
  buckets.assign(buckets.size() * 2, -1);
  for (size_t i = 0; i < entries.size(); ++i) {
    int32_t &bucket = buckets[entries[i].hash & (buckets.size() - 1)];
    entries[i].next = bucket;
    bucket = i;
  }
}

bool NameTable::insert(StringRef name, uint32_t count, bool numbered,
                       NameEntry meaning) {
  uint32_t hash = hashName(name);
  if (const Entry *known = find(name, hash, numbered))
    if (known->depth == depth())
      return false;
  if (entries.size() > buckets.size())
    grow();
  int32_t &bucket = buckets[hash & (buckets.size() - 1)];
  entries.push_back({name.data(), uint32_t(name.size()), hash, bucket, depth(),
                     count, numbered, meaning});
  bucket = entries.size() - 1;
  ++generation;
  if (!numbered && !name.empty() && isDigit(name.back())) {
    digitNames = true;
    percentDigits |= name.front() == '%';
  }
  return true;
}

/// The number that `digits` write as a register's name does: without zeros in
/// front.
static std::optional<uint32_t> parseRegisterNumber(StringRef digits) {
  uint32_t number;
  if (digits.empty() || digits.size() > 9 || !all_of(digits, isDigit) ||
      (digits.front() == '0' && digits.size() > 1) ||
      digits.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// Takes a name apart as ptxas does: all digits at its end are the number, so
/// that a prefix never ends in one, and zeros in front count for nothing. False
/// if there are none, or too many for any register.
static bool splitNumber(StringRef name, StringRef &prefix, uint32_t &number) {
  size_t split = name.size();
  while (split > 0 && isDigit(name[split - 1]))
    --split;
  if (split == name.size() || name.size() - split > 9)
    return false;
  prefix = name.take_front(split);
  number = 0;
  for (char c : name.drop_front(split))
    number = number * 10 + (c - '0');
  return true;
}

bool NameTable::isNumberedHere(StringRef name) const {
  StringRef prefix;
  uint32_t number;
  if (!splitNumber(name, prefix, number))
    return false;
  const Entry *entry = find(prefix, hashName(prefix), true);
  return entry && entry->depth == depth() && number < entry->count;
}

bool NameTable::coversPlainHere(StringRef prefix, uint32_t count) const {
  // No name leads to these.
  if (!prefix.empty() && isDigit(prefix.back()))
    return false;
  size_t first = scopeStarts.empty() ? 0 : scopeStarts.back();
  // Counts are bounded together, so the smaller way is bounded, too.
  if (count < entries.size() - first) {
    for (uint32_t i = 0; i < count; ++i) {
      std::string name = (prefix + Twine(i)).str();
      const Entry *entry = find(name, hashName(name), false);
      if (entry && entry->depth == depth())
        return true;
    }
    return false;
  }
  for (size_t i = first; i < entries.size(); ++i) {
    StringRef name(entries[i].name, entries[i].length);
    if (entries[i].numbered || !name.consume_front(prefix))
      continue;
    std::optional<uint32_t> number = parseRegisterNumber(name);
    if (number && *number < count)
      return true;
  }
  return false;
}

bool NameTable::isDeclaredHere(StringRef name) const {
  const Entry *entry = find(name, hashName(name), false);
  return (entry && entry->depth == depth()) || isNumberedHere(name);
}

bool NameTable::declare(StringRef name, NameEntry entry) {
  return !isNumberedHere(name) && insert(name, 0, false, entry);
}

bool NameTable::declareNumbered(StringRef prefix, uint32_t count,
                                NameEntry entry) {
  return !(digitNames && coversPlainHere(prefix, count)) &&
         insert(prefix, count, true, entry);
}

void NameTable::leaveScope() {
  // Entries leave in the opposite order of their coming, so each is the head
  // of its bucket.
  while (entries.size() > scopeStarts.back()) {
    const Entry &entry = entries.back();
    buckets[entry.hash & (buckets.size() - 1)] = entry.next;
    entries.pop_back();
  }
  scopeStarts.pop_back();
  ++generation;
}

NameTable::Result NameTable::lookup(StringRef name) const {
  Result result;
  uint32_t depth = 0;
  StringRef prefix;
  uint32_t number;
  bool isNumbered = splitNumber(name, prefix, number);
  if (isNumbered) {
    const Entry *entry = find(prefix, hashName(prefix), true);
    if (entry && number < entry->count) {
      result = {&entry->meaning, number};
      depth = entry->depth;
    }
  }
  if (!isNumbered || digitNames)
    if (const Entry *entry = find(name, hashName(name), false))
      if (!result.entry || entry->depth >= depth)
        result = {&entry->meaning, 0};
  return result;
}

NameTable::Result NameTable::lookupNumbered(StringRef name) {
  // Nothing but a prefix can be meant, and one that ends before the digits.
  if (percentDigits)
    return {};
  const char *cursor = name.begin(), *end = name.end();
  uint64_t word = 0;
  for (; cursor != end && !isDigit(*cursor); ++cursor)
    word = word << 8 | static_cast<unsigned char>(*cursor);
  size_t prefix = cursor - name.begin(), digits = end - cursor;
  if (prefix > 8 || digits > 9 || digits == 0 ||
      (*cursor == '0' && digits != 1))
    return {};
  uint32_t number = 0;
  for (; cursor != end; ++cursor) {
    if (!isDigit(*cursor))
      return {};
    number = number * 10 + (*cursor - '0');
  }
  RecentPrefix &line = recent[(word ^ word >> 8) % std::size(recent)];
  if (line.word != word || line.generation != generation) {
    StringRef text = name.take_front(prefix);
    const Entry *entry = find(text, hashName(text), true);
    if (!entry)
      return {};
    line = {word, generation, entry->count, entry->meaning};
  }
  if (number >= line.count)
    return {};
  return {&line.meaning, number};
}

void NameTable::replace(StringRef name, NameEntry entry) {
  if (const Entry *known = find(name, hashName(name), false))
    const_cast<Entry *>(known)->meaning = entry;
  ++generation;
}
