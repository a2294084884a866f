//===- Records.h - Operations of nvvm as PTX --------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of PTXConversions.td: which texts an operation is, and the names
// of its operands, results and attributes in upstream's records.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_CONVERSION_NVVM_RECORDS_H
#define PTXBENCH_LIB_CONVERSION_NVVM_RECORDS_H

#include "Text.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace ptxbench::nvvm {

//===----------------------------------------------------------------------===//
// What ptxbench-tblgen writes
//===----------------------------------------------------------------------===//

enum class Arity : uint8_t { Single, Optional, Variadic };

struct ValueDesc {
  llvm::StringLiteral name;
  Arity arity;
  /// The constraints that its type has to fulfil one of: "I32|F32".
  llvm::StringLiteral types;
};

struct EnumCase {
  llvm::StringLiteral word;
  int64_t value;
};

struct EnumDesc {
  llvm::ArrayRef<EnumCase> cases;
  /// Empty for another attribute.
  llvm::StringRef (*read)(mlir::Attribute attr);
  /// Null for another word.
  mlir::Attribute (*make)(mlir::MLIRContext *context, llvm::StringRef word);

  llvm::StringRef getWord(int64_t value) const;
  const EnumCase *findWord(llvm::StringRef word) const;
};

enum class AttrKind : uint8_t {
  Enum,
  Unit,
  Bool,
  Type,
  I16,
  I32,
  I64,
  Shape2,
  Shape3
};

struct AttrDesc {
  llvm::StringLiteral name;
  AttrKind kind;
  const EnumDesc *enumeration;

  /// "cluster", "true", "f8E5M2", "16", "m64n8k16"; "-" for none.
  std::string getWord(mlir::Attribute attr) const;
  /// Of an enumerator or an integer; none where there is none.
  std::optional<int64_t> getNumber(mlir::Attribute attr) const;
  /// Null if there is no such attribute, or for "-".
  mlir::Attribute make(mlir::MLIRContext *context, llvm::StringRef word) const;
};

struct ConversionDesc {
  llvm::StringLiteral operation;
  llvm::ArrayRef<ValueDesc> operands, results;
  llvm::ArrayRef<AttrDesc> attrs;
  /// The numbers of operands are an attribute.
  bool hasSegments;
  llvm::ArrayRef<llvm::StringLiteral> sources;
  llvm::StringLiteral before, after;
  /// The operand that is the guard, or empty.
  llvm::StringLiteral guard;
  /// Whether instructions become the operation.
  bool reads;
  /// Executed again, it may give another result.
  bool isVolatile;
};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

struct Conversion {
  const ConversionDesc *desc;
  std::vector<Text> texts;

  const ValueDesc *findOperand(llvm::StringRef name) const;
  const ValueDesc *findResult(llvm::StringRef name) const;
  const AttrDesc *findAttr(llvm::StringRef name) const;
  /// Of an operation of that kind.
  mlir::OperandRange getOperands(mlir::Operation *op,
                                 llvm::StringRef name) const;
  mlir::ResultRange getResults(mlir::Operation *op, llvm::StringRef name) const;
};

/// Every record, in the order of the file.
llvm::ArrayRef<Conversion> getConversions();
/// Null if it has no record.
const Conversion *findConversion(mlir::Operation *op);

} // namespace ptxbench::nvvm

#endif // PTXBENCH_LIB_CONVERSION_NVVM_RECORDS_H
