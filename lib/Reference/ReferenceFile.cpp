//===- ReferenceFile.cpp - Reading and checking references ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reference decides over candidates, so it is held to a small language: no
// operation can reach memory or code that is not its own. Indices are checked
// when it runs.
//
//===----------------------------------------------------------------------===//

#include "ReferenceFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;

static bool isAllowed(Operation *op) {
  if (isa<ModuleOp>(op))
    return true;
  Dialect *dialect = op->getDialect();
  if (!dialect)
    return false;
  StringRef name = dialect->getNamespace();
  // What makes an address, takes one apart or lives on the stack.
  if (isa<memref::ExtractAlignedPointerAsIndexOp, memref::ReinterpretCastOp,
          memref::ViewOp, memref::AllocaOp, memref::AllocaScopeOp,
          memref::DmaStartOp, memref::DmaWaitOp, memref::PrefetchOp,
          memref::ReallocOp, memref::DeallocOp>(op))
    return false;
  return llvm::is_contained(
      {"func", "linalg", "tensor", "memref", "arith", "math", "scf"}, name);
}

/// Looks for a chain of calls that comes back to its beginning.
static LogicalResult verifyCalls(func::FuncOp function,
                                 llvm::DenseMap<Operation *, bool> &done) {
  auto [it, isNew] = done.try_emplace(function, false);
  if (!isNew) {
    if (it->second)
      return success();
    return function.emitError() << "expected a function that does not call "
                                   "itself but got a recursion";
  }
  WalkResult result = function.walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee)
      return WalkResult::advance();
    return failed(verifyCalls(callee, done)) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  });
  done[function] = true;
  return failure(result.wasInterrupted());
}

LogicalResult ptxbench::verifyReference(ModuleOp module) {
  WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
    if (!isAllowed(op)) {
      op->emitError() << "expected operations of func, linalg, tensor, memref, "
                         "arith, math and scf that touch no memory but their "
                         "own, but got '"
                      << op->getName() << "'";
      return WalkResult::interrupt();
    }
    if (auto function = dyn_cast<func::FuncOp>(op))
      if (function.isDeclaration()) {
        function.emitError() << "expected a function with a body but got the "
                                "declaration of '"
                             << function.getName() << "'";
        return WalkResult::interrupt();
      }
    if (auto global = dyn_cast<memref::GlobalOp>(op))
      if (global.isExternal()) {
        global.emitError() << "expected a global with a value but got the "
                              "declaration of '"
                           << global.getName() << "'";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  llvm::DenseMap<Operation *, bool> done;
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (failed(verifyCalls(function, done)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static std::string shapeText(const ReferenceArgument &argument) {
  std::string text = "[";
  for (const ReferenceArgument::Extent &extent : argument.shape) {
    if (text.size() > 1)
      text += ", ";
    text += extent.axis + "=" + std::to_string(extent.size);
  }
  return text + "]";
}

/// "argument 2, the input 'V'".
static std::string describe(unsigned index, const ReferenceArgument &argument) {
  return ("argument " + Twine(index) + ", the " +
          (argument.isOutput ? "output" : "input") + " '" + argument.name + "'")
      .str();
}

static LogicalResult checkArgument(func::FuncOp function, unsigned index,
                                   const ReferenceArgument &argument,
                                   ReferenceType &result) {
  Type type = function.getArgumentTypes()[index];
  Location loc = function.getArgument(index).getLoc();
  auto refuse = [&](const Twine &expected) {
    return emitError(loc) << "expected " << describe(index, argument)
                          << ", to be " << expected.str() << " but got "
                          << type;
  };
  Type element = type;
  auto shaped = dyn_cast<ShapedType>(type);
  if (argument.isScalar) {
    if (shaped)
      return refuse("a number, f32 or f64,");
  } else {
    if (!isa<RankedTensorType, MemRefType>(type))
      return refuse("a ranked tensor or memref");
    element = shaped.getElementType();
  }
  if (!element.isF32() && !element.isF64())
    return refuse(argument.isScalar ? "a number, f32 or f64,"
                                    : "of f32 or f64");
  result = element.isF32() ? ReferenceType::F32 : ReferenceType::F64;
  if (argument.isScalar)
    return success();

  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (tensor.getEncoding())
      return refuse("without encoding");
  if (auto memref = dyn_cast<MemRefType>(type))
    if (!memref.getLayout().isIdentity() || memref.getMemorySpace())
      return refuse("row-major, without layout and memory space");
  if (shaped.getRank() != static_cast<int64_t>(argument.shape.size()))
    return refuse("of rank " + Twine(argument.shape.size()) +
                  " for the shape " + shapeText(argument));
  for (auto [size, extent] : llvm::zip(shaped.getShape(), argument.shape)) {
    if (ShapedType::isDynamic(size))
      continue;
    if (extent.divided)
      return refuse("of dynamic extent along the axis " + extent.axis +
                    ", which the work is divided along,");
    if (size != extent.size)
      return refuse("of the shape " + shapeText(argument));
  }
  return success();
}

func::FuncOp
ptxbench::findReference(ModuleOp module, StringRef name,
                        llvm::ArrayRef<ReferenceArgument> arguments,
                        llvm::SmallVectorImpl<ReferenceType> &types) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function) {
    InFlightDiagnostic diagnostic =
        module.emitError() << "expected a function '" << name << "' but got";
    StringRef separator = " ";
    for (func::FuncOp other : module.getOps<func::FuncOp>()) {
      diagnostic << separator << "'" << other.getName() << "'";
      separator = ", ";
    }
    if (separator == " ")
      diagnostic << " none";
    return nullptr;
  }
  if (function.getNumArguments() != arguments.size()) {
    InFlightDiagnostic diagnostic = function.emitError()
                                    << "expected " << arguments.size()
                                    << " arguments (";
    llvm::interleaveComma(arguments, diagnostic,
                          [&](const ReferenceArgument &argument) {
                            diagnostic << argument.name;
                          });
    diagnostic << ") but got " << function.getNumArguments();
    return nullptr;
  }
  types.resize(arguments.size());
  llvm::SmallVector<Type> results;
  bool anyMemref = false;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    if (failed(checkArgument(function, index, argument, types[index])))
      return nullptr;
    Type type = function.getArgumentTypes()[index];
    if (!argument.isOutput)
      continue;
    anyMemref |= isa<MemRefType>(type);
    if (isa<RankedTensorType>(type))
      results.push_back(type);
  }
  if (anyMemref && !results.empty()) {
    function.emitError() << "expected outputs that are all tensors, or all "
                            "memrefs";
    return nullptr;
  }
  if (!llvm::equal(function.getResultTypes(), results)) {
    function.emitError() << "expected the results (" << results
                         << "), one for each output tensor, but got ("
                         << function.getResultTypes() << ")";
    return nullptr;
  }
  return function;
}
