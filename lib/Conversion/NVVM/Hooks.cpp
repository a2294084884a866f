//===- Hooks.cpp - What no record can say ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hooks.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ptxbench::nvvm {

static constexpr EnumCase kMatrixTypes[] = {
    {"f16", 0}, {"f32", 0}, {"f64", 0}, {"s32", 0}};

ArrayRef<EnumCase> getComputedWords(StringRef name) {
  if (name == "~num")
    return {};
  return kMatrixTypes;
}

/// The type of C or D by that of one element.
static std::string getAccumulatorWord(Type element) {
  if (isa<VectorType>(element))
    return "f16";
  if (element.isF64())
    return "f64";
  return element.isF32() ? "f32" : "s32";
}

/// Registers that one instruction of tcgen05.ld or .st with `.x1` moves.
static unsigned getRegistersOfOne(NVVM::Tcgen05LdStShape shape) {
  switch (shape) {
  case NVVM::Tcgen05LdStShape::SHAPE_16X128B:
    return 2;
  case NVVM::Tcgen05LdStShape::SHAPE_16X256B:
    return 4;
  default:
    return 1;
  }
}

std::string getComputedWord(Operation *op, StringRef name) {
  auto getNum = [](NVVM::Tcgen05LdStShape shape, Type type) {
    auto vector = dyn_cast<VectorType>(type);
    unsigned registers = vector ? vector.getNumElements() : 1;
    return std::to_string(registers / getRegistersOfOne(shape));
  };
  auto getMmaWord = [&](auto mma) -> std::string {
    if (name == "~typeC")
      return getAccumulatorWord(mma.getOperandC().front().getType());
    auto result = dyn_cast<LLVM::LLVMStructType>(mma.getRes().getType());
    return name == "~typeD" && result && !result.getBody().empty()
               ? getAccumulatorWord(result.getBody().front())
               : "";
  };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<NVVM::MmaOp, NVVM::MmaSpOp, NVVM::MmaBlockScaleOp,
            NVVM::MmaSpBlockScaleOp>(getMmaWord)
      .Case([&](NVVM::Tcgen05LdOp ld) {
        return getNum(ld.getShape(), ld.getRes().getType());
      })
      .Case([&](NVVM::Tcgen05StOp st) {
        return getNum(st.getShape(), st.getVal().getType());
      })
      .Default(std::string());
}

SmallVector<unsigned> getListSplit(const Conversion &conversion, Operation *op,
                                   StringRef name) {
  unsigned total = conversion.getOperands(op, name).size();
  auto mma = dyn_cast<NVVM::WMMAMmaOp>(op);
  if (!mma)
    return {total};
  unsigned a = 4, b = 4;
  switch (mma.getEltypeA()) {
  case NVVM::MMATypes::f16:
    a = b = 8;
    break;
  case NVVM::MMATypes::f64:
    a = b = 1;
    break;
  case NVVM::MMATypes::s8:
  case NVVM::MMATypes::u8:
    // 8, 16 or 32 rows of 16 bytes for 32 lanes.
    a = mma.getM() / 8;
    b = mma.getN() / 8;
    break;
  default:
    break;
  }
  return {a, b, total < a + b ? 0 : total - a - b};
}

Type getElementType(const Conversion &conversion, MLIRContext *context,
                    StringRef name, unsigned place,
                    llvm::function_ref<StringRef(StringRef)> getWord) {
  StringRef op = conversion.desc->operation;
  StringRef word;
  if (op == "nvvm.wgmma.mma_async")
    word = getWord("typeD");
  else if (op == "nvvm.wmma.load" || op == "nvvm.wmma.store")
    word = getWord("eltype");
  else if (op == "nvvm.wmma.mma")
    word = getWord(name == "res" || place == 2 ? "eltypeB" : "eltypeA");
  else if (op.starts_with("nvvm.mma."))
    word = llvm::StringSwitch<StringRef>(name)
               .Case("res", getWord("~typeD"))
               .Case("operandC", getWord("~typeC"))
               .Case("operandA", getWord("multiplicandAPtxType"))
               .Case("operandB", getWord("multiplicandBPtxType"))
               .Default("");
  else if (op.starts_with("nvvm.convert.f32x4."))
    word = "f32";
  Builder builder(context);
  if (word == "f32")
    return builder.getF32Type();
  if (word == "f64")
    return builder.getF64Type();
  // wgmma's accumulators are registers, two numbers in each.
  if (word == "f16" && op != "nvvm.wgmma.mma_async")
    return VectorType::get({2}, builder.getF16Type());
  return builder.getI32Type();
}

std::string getLoss(Operation *op, bool isVolatile) {
  auto getLost = [](StringRef what) {
    return "upstream's lowering of '" + what.str() +
           "' with a predicate leaves out ";
  };
  StringRef name = op->getName().getStringRef();
  if (auto load = dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
    return load.getPredicate() && load.getGroup() ? getLost(name) + ".cta_group"
                                                  : "";
  if (auto prefetch = dyn_cast<NVVM::PrefetchOp>(op)) {
    auto pointer = cast<LLVM::LLVMPointerType>(prefetch.getAddr().getType());
    return prefetch.getPredicate() && pointer.getAddressSpace()
               ? getLost(name) + "the state space"
               : "";
  }
  // It has to say how bits are multiplied and added.
  if (auto mma = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
    if (mma.getTypeA() == NVVM::WGMMATypes::b1)
      return "upstream's lowering of '" + name.str() +
             "' of b1 leaves out .and.popc";
  // It makes masks of numbers, too.
  if (auto event = dyn_cast<NVVM::PMEventOp>(op))
    if (event.getEventId().value_or(0) == 15 ||
        event.getMaskedEventId().value_or(0) >> 15)
      return "upstream's lowering of '" + name.str() +
             "' writes a mask with bit 15 as a negative number, which ptxas "
             "refuses";
  // PTX says that another warp or SM may be read the next time.
  if (isVolatile && isa<NVVM::WarpIdOp, NVVM::SmIdOp>(op))
    return "LLVM takes two of '" + name.str() + "' for one";
  return "";
}

bool losesMemoryOrder(Operation *op, bool clobbersMemory) {
  // LLVM has them for reads of nothing but the barrier.
  if (auto wait = dyn_cast<NVVM::MBarrierTestWaitOp>(op))
    return wait.getRelaxed();
  if (auto wait = dyn_cast<NVVM::MBarrierTryWaitOp>(op))
    return wait.getRelaxed();
  // What only reads may come in front of a load as well as behind it.
  if (!clobbersMemory || isa<NVVM::WgmmaMmaAsyncOp, NVVM::PrefetchOp>(op))
    return false;
  // Inline assembly, but without `~{memory}`.
  if (auto text = dyn_cast<NVVM::BasicPtxBuilderInterface>(op))
    return !text.hasIntrinsic();
  return isa<NVVM::CpAsyncBulkTensorReduceOp, NVVM::GriddepcontrolOp,
             NVVM::Tcgen05FenceOp>(op);
}

} // namespace ptxbench::nvvm
