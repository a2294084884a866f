//===- NameTable.h - Names in nested scopes ---------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table for all that a name in an operand can mean: registers, variables,
// parameters, functions. Leaving a scope takes back what it declared. Numbered
// registers (`%r<100>`) are one entry under their prefix; a name that ends in
// digits is looked up both ways, and the innermost declaration wins.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_SYNTAX_NAMETABLE_H
#define PTXBENCH_LIB_TARGET_PTX_SYNTAX_NAMETABLE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace ptxbench::syntax {

/// What a name stands for.
struct NameEntry {
  enum Kind : uint8_t {
    /// Index of the RegDecl of the function.
    Register,
    /// Index into Function::locals, results, params, Module::vars.
    Local,
    Result,
    Param,
    Variable,
    /// Index into Module::functions.
    Function,
  };
  Kind kind = Register;
  uint32_t index = 0;
};

class NameTable {
public:
  NameTable();

  void enterScope() { scopeStarts.push_back(entries.size()); }
  void leaveScope();
  unsigned depth() const { return scopeStarts.size(); }

  /// Declares a name in the current scope; false if the scope has it already,
  /// also as one of numbered registers.
  bool declare(llvm::StringRef name, NameEntry entry);
  /// Declares `prefix0` … `prefix(count-1)`; false if the scope has the prefix
  /// or one of them already. Where the prefix itself ends in a digit, no name
  /// leads to the registers, as in ptxas.
  bool declareNumbered(llvm::StringRef prefix, uint32_t count, NameEntry entry);

  /// Whether the current scope has declared `name`.
  bool isDeclaredHere(llvm::StringRef name) const;

  struct Result {
    const NameEntry *entry = nullptr;
    /// The number behind the prefix; 0 for a plain name.
    uint32_t number = 0;
  };
  Result lookup(llvm::StringRef name) const;

  /// As `lookup`, for a name that begins with '%' and ends in a digit: the last
  /// prefixes asked for are remembered. No entry: `lookup` has to tell.
  Result lookupNumbered(llvm::StringRef name);

  /// Replaces the entry of a name that is known.
  void replace(llvm::StringRef name, NameEntry entry);

  /// Every name that is visible now, with what it means and how many registers
  /// it numbers (0: a plain name), for suggestions.
  template <typename Fn> void forEach(Fn &&fn) const {
    for (const Entry &entry : entries)
      fn(llvm::StringRef(entry.name, entry.length), entry.meaning, entry.count);
  }

private:
  struct Entry {
    const char *name;
    uint32_t length;
    uint32_t hash;
    /// Next entry of the bucket, outer scopes behind inner ones; -1: none.
    int32_t next;
    uint32_t depth;
    /// Numbered only: how many.
    uint32_t count;
    bool numbered;
    NameEntry meaning;
  };

  /// What a prefix of up to eight characters meant in generation `generation`.
  struct RecentPrefix {
    uint64_t word = 0;
    uint32_t generation = 0;
    uint32_t count = 0;
    NameEntry meaning;
  };

  const Entry *find(llvm::StringRef name, uint32_t hash, bool numbered) const;
  /// Whether `name` is one of the numbered registers of the current scope.
  bool isNumberedHere(llvm::StringRef name) const;
  /// Whether the current scope has a plain name that `prefix<count>` covers.
  bool coversPlainHere(llvm::StringRef prefix, uint32_t count) const;
  bool insert(llvm::StringRef name, uint32_t count, bool numbered,
              NameEntry meaning);
  void grow();

  std::vector<Entry> entries;
  std::vector<int32_t> buckets;
  std::vector<uint32_t> scopeStarts;
  /// Whether any plain name ends in a digit, which is rare; whether one of
  /// these begins with '%'.
  bool digitNames = false, percentDigits = false;
  /// Grows with each change of the table.
  uint32_t generation = 1;
  RecentPrefix recent[16];
};

} // namespace ptxbench::syntax

#endif // PTXBENCH_LIB_TARGET_PTX_SYNTAX_NAMETABLE_H
