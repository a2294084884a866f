//===- DeviceLowering.cpp - References down to kernels and their host -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferised code is the host's, and every memref in it the device's:
//
//  1. A linalg operation becomes a kernel. Its parallel loops are those of the
//     grid, in the order of the output's dimensions, the last one along
//     neighbouring threads; its reductions run in a thread, in their order,
//     with the sum in a register. A thread has four rows of a product, so that
//     what it reads of the other operand serves four times.
//  2. What else touches an element (tensor.extract, say) becomes a copy of that
//     element between device and host.
//  3. The kernels become PTX as those of any module do (LowerToPTX.h). The
//     host's half is lowered as that of the CPU is.
//
//===----------------------------------------------------------------------===//

#include "DeviceCalls.h"
#include "ReferenceFile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "ptxbench/Conversion/LowerToPTX.h"

using namespace mlir;
using namespace ptxbench;
using llvm::SmallVector;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// A launch with its iterations in three dimensions.
struct Kernel {
  gpu::LaunchOp launch;
  Value extents[3];
  /// A loop over the rows of a thread, to be unrolled; may be null.
  scf::ForOp rows;
};

constexpr int64_t rowsOfThread = 4;
} // namespace

/// The parallel loops of `op` in the order of the output's dimensions, then the
/// others.
static SmallVector<unsigned> orderOfLoops(linalg::GenericOp op) {
  SmallVector<unsigned> order, reductions;
  SmallVector<unsigned> ofOutput;
  if (op.getNumDpsInits() != 0)
    for (AffineExpr expr :
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        ofOutput.push_back(dim.getPosition());
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type != utils::IteratorType::parallel)
      reductions.push_back(loop);
    else if (!llvm::is_contained(ofOutput, loop))
      order.push_back(loop);
  for (unsigned loop : ofOutput)
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel &&
        !llvm::is_contained(order, loop))
      order.push_back(loop);
  llvm::append_range(order, reductions);
  return order;
}

/// An empty kernel at the insertion point, and `builder` in it.
static Kernel startKernel(OpBuilder &builder, Location loc) {
  Kernel kernel;
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  kernel.launch =
      gpu::LaunchOp::create(builder, loc, one, one, one, one, one, one);
  for (Value &extent : kernel.extents)
    extent = one;
  builder.setInsertionPointToStart(&kernel.launch.getBody().front());
  auto terminator = gpu::TerminatorOp::create(builder, loc);
  builder.setInsertionPoint(terminator);
  return kernel;
}

/// The loop of one dimension of the grid; `builder` goes into it.
static Value startGridLoop(OpBuilder &builder, Location loc, Value block,
                           Value thread, Value blockSize, Value gridSize,
                           Value end) {
  Value first = block, step = gridSize;
  if (thread) {
    first = arith::MulIOp::create(builder, loc, block, blockSize);
    first = arith::AddIOp::create(builder, loc, first, thread);
    step = arith::MulIOp::create(builder, loc, gridSize, blockSize);
  }
  auto loop = scf::ForOp::create(builder, loc, first, end, step);
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

/// Moves the body of `loop` to the insertion point, with `indices`.
static void moveBody(OpBuilder &builder, scf::ParallelOp loop,
                     ArrayRef<Value> indices) {
  for (auto [index, argument] : llvm::zip(indices, loop.getInductionVars()))
    argument.replaceAllUsesWith(index);
  Block *from = loop.getBody();
  builder.getInsertionBlock()->getOperations().splice(
      builder.getInsertionPoint(), from->getOperations(), from->begin(),
      std::prev(from->end()));
}

/// Copies it.
static void copyBody(OpBuilder &builder, scf::ParallelOp loop,
                     ArrayRef<Value> indices) {
  IRMapping mapping;
  for (auto [index, argument] : llvm::zip(indices, loop.getInductionVars()))
    mapping.map(argument, index);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
}

/// The last two loops of the grid, where a thread has several rows: all of them
/// in a loop of a constant extent, or what is left in another.
static void makeRows(OpBuilder &builder, scf::ParallelOp loop, Kernel &kernel,
                     Value rows, Value group,
                     llvm::MutableArrayRef<Value> indices) {
  Location loc = loop.getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = constant(0), one = constant(1), all = constant(rowsOfThread);
  Value first = arith::MulIOp::create(builder, loc, group, all);
  Value left = arith::SubIOp::create(builder, loc, rows, first);
  Value isWhole =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, left, all);
  auto branch = scf::IfOp::create(builder, loc, isWhole,
                                  /*withElseRegion=*/true);
  auto startRows = [&](Block *block, Value end) {
    builder.setInsertionPoint(block->getTerminator());
    auto ofThread = scf::ForOp::create(builder, loc, zero, end, one);
    builder.setInsertionPoint(ofThread.getBody()->getTerminator());
    indices[indices.size() - 2] =
        arith::AddIOp::create(builder, loc, first, ofThread.getInductionVar());
    return ofThread;
  };
  startRows(branch.elseBlock(), left);
  copyBody(builder, loop, indices);
  kernel.rows = startRows(branch.thenBlock(), all);
  moveBody(builder, loop, indices);
}

/// Makes a kernel of loops from 0 in steps of 1.
static Kernel makeKernel(scf::ParallelOp loop, bool hasRows) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> ends(loop.getUpperBound());
  Value extents[3] = {ends.back(), nullptr, nullptr};
  hasRows &= ends.size() > 1;
  if (ends.size() > 1)
    extents[1] = ends[ends.size() - 2];
  if (hasRows) {
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    extents[1] = arith::AddIOp::create(builder, loc, extents[1],
                                       constant(rowsOfThread - 1));
    extents[1] = arith::DivUIOp::create(builder, loc, extents[1],
                                        constant(rowsOfThread));
  }
  for (Value end :
       ArrayRef<Value>(ends).drop_back(std::min<size_t>(2, ends.size())))
    extents[2] =
        extents[2] ? Value(arith::MulIOp::create(builder, loc, extents[2], end))
                   : end;
  Kernel kernel = startKernel(builder, loc);
  gpu::LaunchOp launch = kernel.launch;
  SmallVector<Value> indices(ends.size());
  if (extents[2]) {
    Value rest = startGridLoop(builder, loc, launch.getBlockIds().z, nullptr,
                               nullptr, launch.getGridSize().z, extents[2]);
    for (size_t dim = ends.size() - 2; dim-- > 1;) {
      indices[dim] = arith::RemUIOp::create(builder, loc, rest, ends[dim]);
      rest = arith::DivUIOp::create(builder, loc, rest, ends[dim]);
    }
    indices[0] = rest;
  }
  Value second;
  if (extents[1])
    second = indices[ends.size() - 2] = startGridLoop(
        builder, loc, launch.getBlockIds().y, launch.getThreadIds().y,
        launch.getBlockSize().y, launch.getGridSize().y, extents[1]);
  indices.back() = startGridLoop(
      builder, loc, launch.getBlockIds().x, launch.getThreadIds().x,
      launch.getBlockSize().x, launch.getGridSize().x, extents[0]);
  if (hasRows)
    makeRows(builder, loop, kernel, ends[ends.size() - 2], second, indices);
  else
    moveBody(builder, loop, indices);
  loop.erase();
  for (auto [kept, extent] : llvm::zip(kernel.extents, extents))
    if (extent)
      kept = extent;
  return kernel;
}

static FailureOr<SmallVector<Kernel>> makeKernels(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(function.getContext());
  SmallVector<Kernel> kernels;
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    if (op.getNumParallelLoops() == 0) {
      Kernel kernel = startKernel(rewriter, op.getLoc());
      op->moveBefore(rewriter.getInsertionBlock(),
                     rewriter.getInsertionPoint());
      rewriter.setInsertionPoint(op);
      if (failed(linalg::linalgOpToLoops(rewriter, op)))
        return op.emitError("this operation cannot be made into loops");
      rewriter.eraseOp(op);
      kernels.push_back(kernel);
      continue;
    }
    if (auto generic = dyn_cast<linalg::GenericOp>(*op)) {
      FailureOr<linalg::GenericOp> ordered = linalg::interchangeGenericOp(
          rewriter, generic, orderOfLoops(generic));
      if (failed(ordered))
        return op.emitError("the loops of this operation cannot be reordered");
      op = cast<linalg::LinalgOp>(ordered->getOperation());
    }
    rewriter.setInsertionPoint(op);
    bool isProduct = op.getNumReductionLoops() != 0;
    FailureOr<linalg::LinalgLoops> loops =
        linalg::linalgOpToParallelLoops(rewriter, op);
    auto outermost = failed(loops) || loops->empty()
                         ? scf::ParallelOp()
                         : dyn_cast<scf::ParallelOp>(loops->front());
    if (!outermost)
      return op.emitError("this operation cannot be made into parallel loops");
    rewriter.eraseOp(op);
    kernels.push_back(makeKernel(outermost, isProduct));
  }
  // Indices of loops that are passed on show as what they are.
  function.walk([](affine::AffineApplyOp op) {
    if (!op.getAffineMap().isIdentity())
      return;
    op.getResult().replaceAllUsesWith(op.getMapOperands().front());
    op.erase();
  });
  return kernels;
}

//===----------------------------------------------------------------------===//
// Memory as the host sees it
//===----------------------------------------------------------------------===//

/// A private function without results.
static func::FuncOp declare(ModuleOp module, StringRef name,
                            TypeRange arguments) {
  if (auto found = module.lookupSymbol<func::FuncOp>(name))
    return found;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, module.getLoc(), name,
                           builder.getFunctionType(arguments, TypeRange()));
  function.setPrivate();
  return function;
}

static Value addressOf(OpBuilder &builder, Location loc, Value memref) {
  return memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
}

namespace {
/// Turns what the host does with memory into copies.
class HostMemory {
public:
  explicit HostMemory(func::FuncOp function)
      : function(function), module(function->getParentOfType<ModuleOp>()) {}

  LogicalResult convert();

private:
  void copy(OpBuilder &builder, Location loc, StringRef name, Value to,
            Value from, Value bytes) {
    Type index = builder.getIndexType();
    func::CallOp::create(builder, loc,
                         declare(module, name, {index, index, index}),
                         ValueRange{to, from, bytes});
  }
  Value bytesOf(OpBuilder &builder, Location loc, Type type) {
    return arith::ConstantIndexOp::create(
        builder, loc,
        (type.isIndex() ? 64 : type.getIntOrFloatBitWidth() + 7) / 8);
  }
  Value addressOfElement(OpBuilder &builder, Location loc, Value memref,
                         ValueRange indices);
  /// A place on the host for one element.
  Value makePlace(Type type) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    return memref::AllocaOp::create(builder, function.getLoc(),
                                    MemRefType::get({}, type));
  }
  void convert(memref::AllocaOp op);
  void convert(memref::GetGlobalOp op);
  void convert(memref::LoadOp op);
  void convert(memref::StoreOp op);

  func::FuncOp function;
  ModuleOp module;
};
} // namespace

Value HostMemory::addressOfElement(OpBuilder &builder, Location loc,
                                   Value memref, ValueRange indices) {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(builder, loc, memref);
  Value at = metadata.getOffset();
  for (auto [index, stride] : llvm::zip(indices, metadata.getStrides())) {
    Value step = arith::MulIOp::create(builder, loc, index, stride);
    at = arith::AddIOp::create(builder, loc, at, step);
  }
  Type type = cast<MemRefType>(memref.getType()).getElementType();
  at = arith::MulIOp::create(builder, loc, at, bytesOf(builder, loc, type));
  return arith::AddIOp::create(builder, loc, addressOf(builder, loc, memref),
                               at);
}

void HostMemory::convert(memref::AllocaOp op) {
  OpBuilder builder(op);
  auto memory = memref::AllocOp::create(builder, op.getLoc(), op.getType(),
                                        op.getDynamicSizes());
  op.replaceAllUsesWith(memory.getResult());
  builder.setInsertionPoint(op->getBlock()->getTerminator());
  memref::DeallocOp::create(builder, op.getLoc(), memory);
  op.erase();
}

void HostMemory::convert(memref::GetGlobalOp op) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(op.getType());
  auto memory = memref::AllocOp::create(builder, loc, type);
  op.getResult().replaceAllUsesWith(memory.getResult());
  int64_t bytes =
      type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  copy(builder, loc, deviceCalls::Write, addressOf(builder, loc, memory),
       addressOf(builder, loc, op.getResult()),
       arith::ConstantIndexOp::create(builder, loc, bytes));
  builder.setInsertionPoint(op->getBlock()->getTerminator());
  memref::DeallocOp::create(builder, loc, memory);
}

void HostMemory::convert(memref::LoadOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value place = makePlace(op.getType());
  copy(builder, loc, deviceCalls::Read, addressOf(builder, loc, place),
       addressOfElement(builder, loc, op.getMemRef(), op.getIndices()),
       bytesOf(builder, loc, op.getType()));
  auto value = memref::LoadOp::create(builder, loc, place, ValueRange());
  op.replaceAllUsesWith(value.getResult());
  op.erase();
}

void HostMemory::convert(memref::StoreOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value value = op.getValueToStore(), place = makePlace(value.getType());
  memref::StoreOp::create(builder, loc, value, place, ValueRange());
  copy(builder, loc, deviceCalls::Write,
       addressOfElement(builder, loc, op.getMemRef(), op.getIndices()),
       addressOf(builder, loc, place), bytesOf(builder, loc, value.getType()));
  op.erase();
}

LogicalResult HostMemory::convert() {
  SmallVector<Operation *> ops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Memory of a kernel's own is on the device anyway.
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    ops.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : ops) {
    if (auto alloca = dyn_cast<memref::AllocaOp>(op))
      convert(alloca);
    else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      convert(global);
    else if (auto load = dyn_cast<memref::LoadOp>(op))
      convert(load);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      convert(store);
    else if (op->getNumRegions() == 0 && !isa<memref::AllocOp>(op) &&
             (hasEffect<MemoryEffects::Read>(op) ||
              hasEffect<MemoryEffects::Write>(op)) &&
             llvm::any_of(op->getOperandTypes(),
                          [](Type type) { return isa<BaseMemRefType>(type); }))
      return op->emitError("this operation cannot be run on a device");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Moves the kernels out of the function; what is left calls them.
static gpu::GPUModuleOp outline(ModuleOp module, ArrayRef<Kernel> kernels,
                                DeviceCode &code) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  auto target =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "reference_kernels");
  for (auto [number, kernel] : llvm::enumerate(kernels)) {
    gpu::LaunchOp launch = kernel.launch;
    (void)sinkOperationsIntoLaunchOp(launch, [](Operation *op) {
      return op->hasTrait<OpTrait::ConstantLike>();
    });
    std::string name = "kernel" + std::to_string(number);
    SmallVector<Value> operands;
    gpu::GPUFuncOp function = outlineKernelFunc(launch, name, operands);
    // What a launch looks like is decided when it is run.
    function.setKnownBlockSize(std::nullopt);
    function.setKnownGridSize(std::nullopt);
    function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                      builder.getDenseI32ArrayAttr({threadsOfBlock}));
    target.getBody()->push_back(function);
    code.kernels.push_back(name);
    SmallVector<Value> arguments(std::begin(kernel.extents),
                                 std::end(kernel.extents));
    llvm::append_range(arguments, operands);
    builder.setInsertionPoint(launch);
    func::CallOp::create(
        builder, launch.getLoc(),
        declare(module,
                deviceCalls::LaunchKernel.str() + std::to_string(number),
                ValueRange(arguments).getTypes()),
        arguments);
    launch.erase();
  }
  return target;
}

static LogicalResult writePTX(gpu::GPUModuleOp module, StringRef chip,
                              StringRef libdevice, std::string &ptx) {
  LoweringOptions options;
  options.target = chip.str();
  options.libdevice = libdevice.str();
  options.locations = false;
  llvm::Expected<LoweredModule> lowered = lowerToPTX(module, options);
  if (!lowered) {
    llvm::consumeError(lowered.takeError());
    return module.emitError("the kernels cannot be compiled for ") << chip;
  }
  ptx = std::move(lowered->ptx);
  return success();
}

/// Gives the launches bodies: the parameters' addresses go into an array.
static void defineLaunches(ModuleOp module, size_t count) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  Type i64 = builder.getI64Type();
  Type pointer = LLVM::LLVMPointerType::get(context);
  auto launch = LLVM::LLVMFuncOp::create(
      builder, loc, deviceCalls::Launch,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {i64, i64, i64, i64, pointer}));
  for (size_t number = 0; number != count; ++number) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(
        deviceCalls::LaunchKernel.str() + std::to_string(number));
    function.setLinkage(LLVM::Linkage::Internal);
    Block *entry = function.addEntryBlock(builder);
    builder.setInsertionPointToStart(entry);
    auto constant = [&](int64_t value) {
      return LLVM::ConstantOp::create(builder, loc, i64, value);
    };
    ArrayRef<BlockArgument> arguments = entry->getArguments();
    SmallVector<Value> call = {constant(int64_t(number))};
    llvm::append_range(call, arguments.take_front(3));
    arguments = arguments.drop_front(3);
    Value array = LLVM::AllocaOp::create(
        builder, loc, pointer, pointer,
        constant(std::max<int64_t>(1, int64_t(arguments.size()))));
    for (auto [i, argument] : llvm::enumerate(arguments)) {
      Value place = LLVM::AllocaOp::create(builder, loc, pointer,
                                           argument.getType(), constant(1));
      LLVM::StoreOp::create(builder, loc, argument, place);
      Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                                       LLVM::GEPArg(int32_t(i)));
      LLVM::StoreOp::create(builder, loc, place, slot);
    }
    call.push_back(array);
    LLVM::CallOp::create(builder, loc, launch, call);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
}

LogicalResult ptxbench::lowerReferenceForDevice(ModuleOp module,
                                                func::FuncOp function,
                                                StringRef chip,
                                                StringRef libdevice,
                                                DeviceCode &code) {
  if (failed(bufferizeReference(module, function)))
    return failure();
  FailureOr<SmallVector<Kernel>> kernels = makeKernels(function);
  if (failed(kernels))
    return failure();
  carrySums(function);
  // With the sums in registers those of all rows run together.
  for (Kernel &kernel : *kernels)
    if (kernel.rows)
      (void)loopUnrollJamByFactor(kernel.rows, rowsOfThread);
  if (failed(HostMemory(function).convert()))
    return failure();
  gpu::GPUModuleOp target = outline(module, *kernels, code);
  // A reference may do nothing that a device is good for.
  if (!kernels->empty() && failed(writePTX(target, chip, libdevice, code.ptx)))
    return failure();
  target.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  if (failed(lowerReferenceToLLVM(module)))
    return failure();
  defineLaunches(module, kernels->size());
  return success();
}
