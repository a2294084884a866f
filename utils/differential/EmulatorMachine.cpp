//===- EmulatorMachine.cpp - Cases on the emulator ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers are allocations of their own, so that an access beside one is found.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "ptxbench/Dialect/PTX/IR/PTXDialect.h"
#include "ptxbench/Target/PTX/Import.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr uint64_t memoryBytes = uint64_t(1) << 32;

namespace {
/// A module of the emulator with all that it needs.
class Session {
public:
  /// Null with `error` set if it cannot be loaded.
  static std::unique_ptr<Session> create(const Module &module,
                                         std::string &error);

  Outcome run(const Case &testCase, unsigned firstLine,
              const emulator::EmulatorOptions &options, bool checkCounts);

private:
  Session() : context(mlir::MLIRContext::Threading::DISABLED) {}
  /// The parameter space; an empty one with `error` set if a map is refused.
  std::vector<uint8_t> makeParams(const Case &testCase,
                                  const emulator::KernelInfo &info,
                                  std::string &error);

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
  std::unique_ptr<emulator::Device> device;
  std::unique_ptr<emulator::LoadedModule> loaded;
  /// The addresses of the buffers of the case that runs.
  std::vector<uint64_t> addresses;
};
} // namespace

std::unique_ptr<Session> Session::create(const Module &module,
                                         std::string &error) {
  std::unique_ptr<Session> session(new Session);
  session->context.loadDialect<ptx::PTXDialect>();
  mlir::ScopedDiagnosticHandler handler(
      &session->context, [&](mlir::Diagnostic &diagnostic) {
        if (error.empty())
          raw_string_ostream(error)
              << diagnostic.getLocation() << ": " << diagnostic.str();
        return mlir::success();
      });
  std::string text = module.text();
  session->op =
      importPTX(MemoryBufferRef(text, module.name + ".ptx"), &session->context);
  if (!session->op)
    return nullptr;
  auto device = emulator::createDevice(memoryBytes);
  if (!device) {
    error = toString(device.takeError());
    return nullptr;
  }
  session->device = std::move(*device);
  auto loaded = session->device->load(*session->op);
  if (!loaded) {
    error = toString(loaded.takeError());
    return nullptr;
  }
  session->loaded = std::move(*loaded);
  return session;
}

/// The 128 bytes of a map for a buffer at `address`.
static Expected<std::array<uint8_t, emulator::tensorMapBytes>>
encodeMap(const TensorMapParam &param, uint64_t address) {
  Expected<emulator::TensorMap> map = [&] {
    if (auto *tiled = std::get_if<emulator::TiledRequest>(&param.request)) {
      emulator::TiledRequest request = *tiled;
      request.globalAddress += address;
      return emulator::encodeTiled(request);
    }
    auto request = std::get<emulator::Im2colRequest>(param.request);
    request.globalAddress += address;
    return emulator::encodeIm2col(request);
  }();
  if (!map)
    return map.takeError();
  return map->encode();
}

std::vector<uint8_t> Session::makeParams(const Case &testCase,
                                         const emulator::KernelInfo &info,
                                         std::string &error) {
  if (info.params.size() != testCase.params.size()) {
    error = "the kernel has " + std::to_string(info.params.size()) +
            " parameters and the case " +
            std::to_string(testCase.params.size());
    return {};
  }
  std::vector<uint8_t> bytes(info.paramBytes);
  for (size_t i = 0; i < testCase.params.size(); ++i) {
    uint8_t *place = bytes.data() + info.params[i].offset;
    size_t size = info.params[i].bytes;
    const Param &param = testCase.params[i];
    if (auto *buffer = std::get_if<BufferParam>(&param)) {
      uint64_t address = addresses[buffer->buffer] + buffer->offset;
      std::memcpy(place, &address, std::min<size_t>(size, 8));
    } else if (auto *value = std::get_if<ValueParam>(&param)) {
      std::memcpy(place, value->bytes.data(),
                  std::min(size, value->bytes.size()));
    } else {
      const auto &map = std::get<TensorMapParam>(param);
      auto encoded = encodeMap(map, addresses[map.buffer]);
      if (!encoded) {
        error = toString(encoded.takeError());
        return {};
      }
      std::memcpy(place, encoded->data(), std::min(size, encoded->size()));
    }
  }
  return bytes;
}

/// What does not agree of a counted line, or nothing.
static std::string checkCounted(const Case &testCase, unsigned firstLine,
                                const emulator::LaunchOutcome &outcome,
                                ArrayRef<uint64_t> addresses) {
  for (const CountedLine &counted : testCase.counted) {
    uint64_t seen = 0, counter;
    for (const emulator::InstructionCount &count : outcome.counts)
      if (count.line == firstLine + counted.line - 1)
        seen += counted.isOfWarps ? count.warps : count.threads;
    std::memcpy(&counter,
                reinterpret_cast<const char *>(addresses[counted.buffer]) +
                    counted.offset,
                8);
    if (seen != counter)
      return "line " + std::to_string(counted.line) + " is executed " +
             std::to_string(seen) +
             (counted.isOfWarps ? " times by warps" : " times by threads") +
             " and the kernel counts " + std::to_string(counter);
  }
  return "";
}

Outcome Session::run(const Case &testCase, unsigned firstLine,
                     const emulator::EmulatorOptions &options,
                     bool checkCounts) {
  Outcome result;
  std::string kernel = kernelName(testCase);
  Expected<emulator::KernelInfo> info = loaded->kernelInfo(kernel);
  if (!info) {
    result.error = toString(info.takeError());
    return result;
  }
  addresses.clear();
  for (const Buffer &buffer : testCase.buffers) {
    uint64_t address =
        device->allocate(std::max<size_t>(buffer.bytes.size(), 1));
    std::memcpy(reinterpret_cast<void *>(address), buffer.bytes.data(),
                buffer.bytes.size());
    addresses.push_back(address);
  }
  emulator::LaunchConfig config;
  config.grid = testCase.grid;
  config.block = testCase.block;
  config.cluster = testCase.cluster;
  config.dynamicSharedBytes = testCase.dynamicSharedBytes;
  config.params = makeParams(testCase, *info, result.error);
  if (result.error.empty()) {
    emulator::LaunchOutcome outcome = loaded->launch(kernel, config, options);
    if (outcome.status != emulator::LaunchStatus::Completed)
      result.error = (emulator::stringifyLaunchStatus(outcome.status) + ": " +
                      outcome.reason)
                         .str();
    else if (!outcome.findings.empty())
      result.error =
          outcome.findings[0].id + ": " + outcome.findings[0].message;
    else if (checkCounts)
      result.error = checkCounted(testCase, firstLine, outcome, addresses);
  }
  for (size_t i = 0; i < addresses.size(); ++i) {
    const Buffer &buffer = testCase.buffers[i];
    const auto *bytes = reinterpret_cast<const uint8_t *>(addresses[i]);
    if (buffer.isOutput)
      result.outputs.emplace_back(bytes, bytes + buffer.bytes.size());
    device->release(addresses[i]);
  }
  return result;
}

std::vector<Outcome>
differential::runOnEmulator(const Module &module,
                            const emulator::EmulatorOptions &options,
                            bool checkCounts) {
  std::vector<unsigned> firstLines;
  module.text(&firstLines);
  std::string error;
  std::unique_ptr<Session> session = Session::create(module, error);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < module.cases.size(); ++i) {
    if (session)
      outcomes.push_back(
          session->run(*module.cases[i], firstLines[i], options, checkCounts));
    else
      outcomes.push_back({error, {}});
  }
  return outcomes;
}
