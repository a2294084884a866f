//===- CompiledReference.cpp - A reference in MLIR, as machine code -------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiled function takes memory from us, so that it can be counted and is
// NaN until it is written. A failed check of an index comes as a text with a
// location, which is put into the form of all other messages. Signals and the
// limit of time end the process with a message, too: whoever started it must
// not have to guess.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Reference/CompiledReference.h"
#include "DeviceCalls.h"
#include "ReferenceDevice.h"
#include "ReferenceFile.h"
#include "ptxbench/Support/NestingDepth.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace ptxbench;
using llvm::StringRef;

CompiledReference::~CompiledReference() = default;

//===----------------------------------------------------------------------===//
// What the compiled function calls
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> memoryInUse{0};
static uint64_t memoryLimit = ~uint64_t(0);

void ptxbench::endReference(StringRef message, int status) {
  ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  (void)written;
  ::_exit(status);
}

/// In front of what is allocated, and as wide as the alignment.
static constexpr size_t headerBytes = 64;

extern "C" {
static void *allocateForReference(uint64_t bytes) {
  uint64_t now = memoryInUse += bytes;
  char *memory = nullptr;
  if (now <= memoryLimit && bytes <= memoryLimit)
    memory = static_cast<char *>(
        std::aligned_alloc(headerBytes, (bytes + 2 * headerBytes - 1) /
                                            headerBytes * headerBytes));
  if (!memory)
    endReference(
        "error: the reference needs more memory for tensors of its own than "
        "the limit allows\n",
        referenceTooLarge);
  std::memcpy(memory, &bytes, sizeof(bytes));
  // All bits set are a NaN.
  std::memset(memory + headerBytes, 0xff, bytes);
  return memory + headerBytes;
}

static void releaseForReference(void *memory) {
  if (!memory)
    return;
  char *begin = static_cast<char *>(memory) - headerBytes;
  uint64_t bytes;
  std::memcpy(&bytes, begin, sizeof(bytes));
  memoryInUse -= bytes;
  std::free(begin);
}

/// The text of a failed check has the operation, a line that begins with '^',
/// and the location. With inlined functions there are several: the first is
/// that of the operation.
static int reportFailedCheck(const char *text) {
  StringRef rest(text), reason("a check of the reference failed"), location;
  if (size_t at = rest.find("\n^ "); at != StringRef::npos)
    reason = rest.drop_front(at + 3).split('\n').first;
  if (size_t at = rest.find("Location: loc("); at != StringRef::npos) {
    StringRef path = rest.drop_front(at).split('"').second;
    auto [name, position] = path.split('"');
    size_t end = position.drop_front(1).find_first_not_of("0123456789:");
    location =
        StringRef(name.data(),
                  position.drop_front(1).take_front(end).end() - name.data());
  }
  std::string message;
  for (char c : location)
    if (c != '"')
      message += c;
  message += (location.empty() ? "error: " : ": error: ") + reason.str() + "\n";
  endReference(message, referenceFailed);
}

static void failCheck() {
  endReference("error: a check of the reference failed\n", referenceFailed);
}
} // extern "C"

// On a device memory is that of the device, for which there is one object.

static ReferenceDevice *theDevice = nullptr;

extern "C" {
static void *allocateOnDevice(uint64_t bytes) {
  return reinterpret_cast<void *>(theDevice->allocate(bytes));
}
static void releaseOnDevice(void *memory) {
  theDevice->release(reinterpret_cast<uint64_t>(memory));
}
static void launchOnDevice(int64_t kernel, int64_t x, int64_t y, int64_t z,
                           void **parameters) {
  theDevice->launch(kernel, x, y, z, parameters);
}
static void readFromDevice(uint64_t to, uint64_t from, uint64_t bytes) {
  theDevice->read(reinterpret_cast<void *>(to), from, bytes);
}
static void writeToDevice(uint64_t to, uint64_t from, uint64_t bytes) {
  theDevice->write(to, reinterpret_cast<const void *>(from), bytes);
}
} // extern "C"

static void onSignal(int number) {
  switch (number) {
  case SIGFPE:
    endReference("error: the reference divided an integer by zero\n",
                 referenceFailed);
  case SIGSEGV:
  case SIGBUS:
    endReference("error: the reference accessed memory that is not there\n",
                 referenceFailed);
  default:
    endReference("error: the reference executed what this machine cannot\n",
                 referenceFailed);
  }
}

void ptxbench::limitReference(uint64_t bytes, double seconds) {
  memoryLimit = bytes;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  for (int number : {SIGFPE, SIGSEGV, SIGBUS, SIGILL})
    sigaction(number, &action, nullptr);
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    endReference(
        llvm::formatv("error: the reference took more than the limit of "
                      "{0:f1} s\n",
                      seconds)
            .str(),
        referenceTooLarge);
  }).detach();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
class JITReference : public CompiledReference {
public:
  ArrayRef<ReferenceType> types() const override { return elementTypes; }
  std::string device() const override {
    return onDevice ? onDevice->name().str() : "";
  }
  void call(ArrayRef<void *> data,
            ArrayRef<std::vector<int64_t>> shapes) const override;

  SmallVector<ReferenceType> elementTypes;
  SmallVector<bool> isScalar, isOutput;
  std::unique_ptr<ReferenceDevice> onDevice;
  std::unique_ptr<ExecutionEngine> engine;
  void (*function)(void **) = nullptr;
};
} // namespace

void JITReference::call(ArrayRef<void *> data,
                        ArrayRef<std::vector<int64_t>> shapes) const {
  // A descriptor: the pointer twice, the offset, the extents, the strides.
  SmallVector<SmallVector<int64_t, 16>> descriptors(data.size());
  SmallVector<void *> pointers(data.size()), arguments(data.size());
  SmallVector<uint64_t> copies(data.size(), 0);
  auto bytesOf = [&](size_t i) {
    uint64_t bytes = sizeOf(elementTypes[i]);
    for (int64_t extent : shapes[i])
      bytes *= uint64_t(extent);
    return bytes;
  };
  for (size_t i = 0; i != data.size(); ++i) {
    if (isScalar[i]) {
      arguments[i] = data[i];
      continue;
    }
    if (onDevice) {
      // It is NaN, as the data of an output is.
      copies[i] = onDevice->allocate(bytesOf(i));
      if (!isOutput[i])
        onDevice->write(copies[i], data[i], bytesOf(i));
    }
    SmallVector<int64_t, 16> &descriptor = descriptors[i];
    auto address =
        onDevice ? int64_t(copies[i]) : reinterpret_cast<int64_t>(data[i]);
    descriptor.assign({address, address, 0});
    descriptor.append(shapes[i].begin(), shapes[i].end());
    descriptor.append(shapes[i].size(), 1);
    for (size_t axis = shapes[i].size(); axis-- > 1;) {
      size_t stride = 3 + shapes[i].size() + axis;
      descriptor[stride - 1] = descriptor[stride] * shapes[i][axis];
    }
    pointers[i] = descriptor.data();
    arguments[i] = &pointers[i];
  }
  function(arguments.data());
  if (!onDevice)
    return;
  for (size_t i = 0; i != data.size(); ++i) {
    if (isScalar[i])
      continue;
    if (isOutput[i])
      onDevice->read(data[i], copies[i], bytesOf(i));
    onDevice->release(copies[i]);
  }
}

/// Prints "path:line:column: error: text", and notes with less.
static void printDiagnostic(Diagnostic &diagnostic, raw_ostream &os) {
  auto print = [&](Diagnostic &it) {
    Location loc = it.getLocation();
    if (auto at = loc->findInstanceOf<FileLineColLoc>()) {
      os << at.getFilename().getValue() << ":";
      // A module without its own line has 0.
      if (at.getLine())
        os << at.getLine() << ":" << at.getColumn() << ":";
      os << " ";
    }
    os << (it.getSeverity() == DiagnosticSeverity::Error  ? "error: "
           : it.getSeverity() == DiagnosticSeverity::Note ? "note: "
                                                          : "warning: ")
       << it << "\n";
  };
  print(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes())
    print(note);
}

std::unique_ptr<CompiledReference> CompiledReference::compile(
    StringRef path, StringRef function, ArrayRef<ReferenceArgument> arguments,
    const ReferenceTarget &target, raw_ostream &diagnostics) {
  DialectRegistry registry;
  registerReferenceDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // Lowering makes operations of dialects that the file does not have.
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      printDiagnostic(diagnostic, diagnostics);
    return success();
  });
  auto fail = [&](const Twine &message) {
    diagnostics << path << ": error: " << message << "\n";
    return nullptr;
  };

  if (llvm::Error error = checkFileNestingDepth(path, NestedText::MLIR)) {
    diagnostics << llvm::toString(std::move(error)) << "\n";
    return nullptr;
  }
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (!module || failed(verifyReference(*module)))
    return nullptr;
  auto result = std::make_unique<JITReference>();
  func::FuncOp found =
      findReference(*module, function, arguments, result->elementTypes);
  if (!found)
    return nullptr;
  for (const ReferenceArgument &argument : arguments) {
    result->isScalar.push_back(argument.isScalar);
    result->isOutput.push_back(argument.isOutput);
  }
  if (target.device) {
    auto device = ReferenceDevice::open(*target.device);
    if (!device)
      endReference("error: " + llvm::toString(device.takeError()) + "\n",
                   referenceTooLarge);
    result->onDevice = std::move(*device);
    theDevice = result->onDevice.get();
    DeviceCode code;
    if (failed(lowerReferenceForDevice(*module, found, theDevice->chip(),
                                       target.libdevice, code)))
      return nullptr;
    if (!target.ptxFile.empty()) {
      std::error_code error;
      llvm::raw_fd_ostream os(target.ptxFile, error);
      if (!error) {
        os << code.ptx;
        os.close();
        error = os.error();
        os.clear_error();
      }
      if (error)
        return fail("cannot write '" + target.ptxFile +
                    "': " + error.message());
    }
    if (llvm::Error error = theDevice->load(code))
      endReference("error: " + llvm::toString(std::move(error)) + "\n",
                   referenceTooLarge);
  } else if (failed(lowerReference(*module, found))) {
    return nullptr;
  }

  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(llvm::toString(builder.takeError()));
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  auto machine = builder->createTargetMachine();
  auto machineOfPasses = builder->createTargetMachine();
  if (!machine || !machineOfPasses) {
    llvm::consumeError(machineOfPasses.takeError());
    return fail(llvm::toString(machine.takeError()));
  }
  auto optimize = makeOptimizingTransformer(/*optLevel=*/3, /*sizeLevel=*/0,
                                            machineOfPasses->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(*module, options, std::move(*machine));
  if (!engine)
    return fail(llvm::toString(engine.takeError()));
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner mangle) {
    llvm::orc::SymbolMap symbols;
    auto add = [&](StringRef name, auto *address) {
      symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    };
    add("_mlir_memref_to_llvm_alloc",
        target.device ? &allocateOnDevice : &allocateForReference);
    add("_mlir_memref_to_llvm_free",
        target.device ? &releaseOnDevice : &releaseForReference);
    add(deviceCalls::Launch, &launchOnDevice);
    add(deviceCalls::Read, &readFromDevice);
    add(deviceCalls::Write, &writeToDevice);
    add("puts", &reportFailedCheck);
    add("abort", &failCheck);
    return symbols;
  });
  auto packed = (*engine)->lookupPacked("_mlir_ciface_" + function.str());
  if (!packed)
    return fail(llvm::toString(packed.takeError()));
  result->function = *packed;
  result->engine = std::move(*engine);
  return result;
}
