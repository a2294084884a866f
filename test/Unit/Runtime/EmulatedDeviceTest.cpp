//===- EmulatedDeviceTest.cpp - Models, device code, traces ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the emulated CUDA runtime that are no interface.
//
//===----------------------------------------------------------------------===//

#include "EmulatedCUDA/DeviceModel.h"
#include "EmulatedCUDA/PtxModule.h"
#include "EmulatedCUDA/TraceRecorder.h"
#include "ptxbench/Runtime/Inputs.h"
#include "ptxbench/Runtime/TimedOutputs.h"
#include "ptxbench/Task/Compare.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ptxbench;
using namespace ptxbench::emulated;

namespace {

TEST(DeviceModel, TheH200) {
  llvm::Expected<DeviceModel> model =
      DeviceModel::load("h200", PTXBENCH_DEVICE_MODELS);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_EQ(model->name(), "NVIDIA H200");
  EXPECT_EQ(model->computeCapability(), 90u);
  EXPECT_EQ(model->attribute("MultiProcessorCount"), 132);
  EXPECT_EQ(model->attribute("NoSuchThing"), 0);
}

TEST(DeviceModel, RefusalsAreLocated) {
  auto errorOf = [](llvm::StringRef text) {
    llvm::Expected<DeviceModel> model = DeviceModel::parse(text, "m.json");
    return model ? "" : llvm::toString(model.takeError());
  };
  EXPECT_NE(errorOf("{\"name\": \"x\"}").find("total_global_memory"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"name\": \"x\", \"total_global_memory\": 0,\n"
                    "\"attributes\": {}}")
                .find("expected memory of one or more bytes but got 0"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"name\": \"x\", \"total_global_memory\": 1,\n"
                    "\"attributes\": {}, \"colour\": 1}")
                .find("colour"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"name\": \"x\", \"total_global_memory\": 1,\n"
                    "\"attributes\": {\"ComputeCapabilityMajor\": -9}}")
                .find("expected attribute 'ComputeCapabilityMajor' above 0 but "
                      "got -9"),
            std::string::npos);
  llvm::Expected<DeviceModel> none =
      DeviceModel::load("none", PTXBENCH_DEVICE_MODELS);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("device model 'none'"),
            std::string::npos);
}

/// A fat binary of entries.
struct FatBinary {
  void add(unsigned kind, uint32_t arch, llvm::StringRef payload) {
    size_t padded = (payload.size() + 7) / 8 * 8;
    std::vector<uint8_t> entry(64 + padded);
    auto put = [&](size_t at, auto value) {
      std::memcpy(entry.data() + at, &value, sizeof(value));
    };
    put(0, uint16_t(kind));
    put(4, uint32_t(64));
    put(8, uint64_t(padded));
    put(28, arch);
    std::memcpy(entry.data() + 64, payload.data(), payload.size());
    entries.insert(entries.end(), entry.begin(), entry.end());
  }
  llvm::Expected<std::string> select() {
    std::vector<uint8_t> bytes(16);
    uint32_t mark = 0xba55ed50;
    uint16_t version = 1, header = 16;
    uint64_t size = entries.size();
    std::memcpy(bytes.data(), &mark, 4);
    std::memcpy(bytes.data() + 4, &version, 2);
    std::memcpy(bytes.data() + 6, &header, 2);
    std::memcpy(bytes.data() + 8, &size, 8);
    bytes.insert(bytes.end(), entries.begin(), entries.end());
    return selectPtx(bytes.data(), 90);
  }
  std::vector<uint8_t> entries;
};

TEST(SelectPtx, TheNewestThatTheDeviceRuns) {
  FatBinary binary;
  binary.add(1, 80, "of 80");
  binary.add(2, 90,
             "\x7f"
             "ELF");
  binary.add(1, 90, "of 90");
  binary.add(1, 100, "of 100");
  llvm::Expected<std::string> text = binary.select();
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_EQ(*text, "of 90");
}

TEST(SelectPtx, WhatThereIsInstead) {
  FatBinary binary;
  binary.add(2, 90,
             "\x7f"
             "ELF");
  binary.add(1, 100, "of 100");
  llvm::Expected<std::string> text = binary.select();
  ASSERT_FALSE(bool(text));
  std::string error = llvm::toString(text.takeError());
  EXPECT_NE(error.find("no PTX for compute capability 9.0 among the device "
                       "code (machine code of sm_90, PTX of sm_100)"),
            std::string::npos)
      << error;
  llvm::Expected<std::string> plain = selectPtx(".version 9.0\n", 90);
  ASSERT_TRUE(bool(plain));
  EXPECT_EQ(*plain, ".version 9.0\n");
  llvm::Expected<std::string> elf = selectPtx("\x7f"
                                              "ELF",
                                              90);
  ASSERT_FALSE(bool(elf));
  EXPECT_NE(llvm::toString(elf.takeError()).find("machine code only"),
            std::string::npos);
}

TEST(PtxModule, KnowsItsTargets) {
  auto device = emulator::createDevice(uint64_t(1) << 30);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  auto refused = PtxModule::create(".version 9.0\nnonsense\n", **device);
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("device-code.ptx:2:1"),
            std::string::npos);
  auto module = PtxModule::create(".version 9.0\n.target sm_90a\n"
                                  ".address_size 64\n"
                                  ".visible .entry k() {\n"
                                  "  wgmma.fence.sync.aligned;\n"
                                  "  ret;\n"
                                  "}\n",
                                  **device);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  EXPECT_EQ((*module)->loaded().kernels(), std::vector<std::string>{"k"});
  EXPECT_EQ((*module)->sha256().size(), 64u);
  EXPECT_TRUE((*module)->isTarget(5, 3));
  EXPECT_FALSE((*module)->isTarget(6, 3));
}

/// A module with one target instruction at 5:3 and none elsewhere.
class FakeModule : public PtxModule {
public:
  explicit FakeModule(std::string hash) : hash(std::move(hash)) {}
  emulator::LoadedModule &loaded() override { std::abort(); }
  const std::string &sha256() const override { return hash; }
  bool isTarget(unsigned line, unsigned column) const override {
    return line == 5 && column == 3;
  }

private:
  std::string hash;
};

TEST(TraceRecorder, AddsUpLaunchesThatAreAlike) {
  FakeModule first("aa"), second("bb");
  LaunchRecord launch;
  launch.kernel = "k";
  launch.block = {64, 1, 1};
  emulator::LaunchOutcome outcome;
  outcome.counts = {{4, 3, "mov", 2, 64}, {5, 3, "wgmma.fence", 2, 64}};
  TraceRecorder recorder;
  recorder.add(first, launch, outcome);
  recorder.add(first, launch, outcome);
  launch.grid = {2, 1, 1};
  outcome.status = emulator::LaunchStatus::Fault;
  outcome.findings.emplace_back();
  outcome.findings[0].id = "out-of-bounds";
  outcome.findings[0].message = "the 4 bytes at 0x10";
  outcome.findings[0].line = 7;
  recorder.add(first, launch, outcome);
  // The finding is the same again, elsewhere and by another thread, twice.
  launch.grid = {3, 1, 1};
  outcome.findings[0].message = "the 4 bytes at 0x20";
  outcome.findings[0].thread.x = 5;
  outcome.findings.push_back(outcome.findings[0]);
  recorder.add(first, launch, outcome);
  recorder.add(second, launch, {});

  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-test", folder));
  std::string path = (folder + "/trace.json").str();
  llvm::Error error = recorder.write(path, "device");
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  llvm::Expected<Trace> trace = parseTrace((*file)->getBuffer(), path);
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  EXPECT_EQ(recorder.modules(), 2u);
  EXPECT_EQ(recorder.text(0, "device"), (*file)->getBuffer());
  EXPECT_TRUE(llvm::sys::fs::exists(path + ".1"));
  EXPECT_FALSE(llvm::sys::fs::exists(path + ".2"));
  llvm::sys::fs::remove_directories(folder);

  EXPECT_EQ(trace->source, "emulator");
  EXPECT_EQ(trace->ptxSha256, "aa");
  EXPECT_EQ(trace->environment["device"], "device (emulated)");
  // Launches with another grid are counted apart.
  ASSERT_EQ(trace->kernels.size(), 3u);
  const KernelTrace &kernel = trace->kernels[0];
  EXPECT_FALSE(kernel.aborted);
  ASSERT_EQ(kernel.launches.size(), 1u);
  EXPECT_EQ(kernel.launches[0].count, 2u);
  ASSERT_EQ(kernel.targets.size(), 1u);
  EXPECT_EQ(kernel.targets[0].opcode, "wgmma.fence");
  EXPECT_EQ(kernel.targets[0].executed, (ExecutionCount{4, 128}));
  EXPECT_TRUE(kernel.targets[0].warpsExact && kernel.targets[0].threadsExact);
  EXPECT_FALSE(kernel.targets[0].sass);
  EXPECT_TRUE(trace->kernels[1].aborted);
  EXPECT_EQ(trace->kernels[1].launches[0].grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(trace->kernels[1].targets[0].executed, (ExecutionCount{2, 64}));
  ASSERT_EQ(trace->findings.size(), 1u);
  EXPECT_EQ(trace->findings[0].message, "out-of-bounds: the 4 bytes at 0x10");
  EXPECT_EQ(trace->findings[0].line, 7u);
  EXPECT_EQ(trace->findings[0].by, "thread (0, 0, 0) of CTA (0, 0, 0)");
  EXPECT_EQ(trace->findings[0].launches, 2u);

  recorder.clear();
  EXPECT_TRUE(recorder.empty());
}

TEST(TraceRecorder, VeryManyLaunchesAreCountedTogether) {
  FakeModule module("aa");
  emulator::LaunchOutcome outcome;
  outcome.counts = {{5, 3, "wgmma.fence", 1, 32}};
  TraceRecorder recorder;
  for (unsigned i = 1; i <= 100; ++i) {
    LaunchRecord launch;
    launch.kernel = "k";
    launch.grid = {i, 1, 1};
    recorder.add(module, launch, outcome);
  }
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-test", folder));
  std::string path = (folder + "/trace.json").str();
  ASSERT_FALSE(bool(recorder.write(path, "device")));
  auto file = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(file));
  llvm::Expected<Trace> trace = parseTrace((*file)->getBuffer(), path);
  ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError());
  llvm::sys::fs::remove_directories(folder);
  ASSERT_EQ(trace->kernels.size(), 64u);
  EXPECT_EQ(trace->kernels[62].launches.size(), 1u);
  EXPECT_EQ(trace->kernels[63].launches.size(), 37u);
  EXPECT_EQ(trace->kernels[63].targets[0].executed, (ExecutionCount{37, 1184}));
}

TEST(TurnSigns, TheDeviceDoesWhatTheHostDoes) {
  auto device = emulator::createDevice(uint64_t(1) << 30);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  auto module = PtxModule::create(turnSignsKernel, **device);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  constexpr uint64_t words = 300;
  for (ElementType type :
       {ElementType::BFloat16, ElementType::Float32, ElementType::Float8E4M3}) {
    std::vector<uint8_t> host(4 * words);
    for (size_t i = 0; i < host.size(); ++i)
      host[i] = uint8_t(i * 37 + 11);
    uint64_t data = (*device)->allocate(host.size());
    std::memcpy(reinterpret_cast<void *>(data), host.data(), host.size());
    uint32_t signs = 0xdecade5, mask = signBits(type);
    emulator::LaunchConfig config;
    config.grid = {2, 1, 1};
    config.block = {256, 1, 1};
    config.params.resize(24);
    std::memcpy(config.params.data(), &data, 8);
    std::memcpy(config.params.data() + 8, &words, 8);
    std::memcpy(config.params.data() + 16, &signs, 4);
    std::memcpy(config.params.data() + 20, &mask, 4);
    emulator::LaunchOutcome outcome =
        (*module)->loaded().launch("turn_signs", config, {});
    EXPECT_EQ(outcome.status, emulator::LaunchStatus::Completed)
        << outcome.reason;
    turnSigns(type, signs, host);
    EXPECT_EQ(
        std::memcmp(reinterpret_cast<void *>(data), host.data(), host.size()),
        0);
    (*device)->release(data);
  }
}

TEST(CountOutput, TheDeviceCountsWhatTheHostCounts) {
  auto device = emulator::createDevice(uint64_t(1) << 30);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  auto module = PtxModule::create(countOutputKernel, **device);
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  constexpr uint64_t elements = 1000;
  Tolerance tolerance;
  for (ElementType type :
       {ElementType::Float32, ElementType::Float16, ElementType::BFloat16,
        ElementType::Float8E4M3, ElementType::Float8E5M2}) {
    SCOPED_TRACE(stringifyElementType(type));
    std::vector<uint8_t> output(elements * sizeOf(type)), baseline(output);
    for (uint64_t i = 0; i < elements; ++i) {
      double value = double(i) / 16 - 20;
      storeBits(type, baseline.data(), i, encode(type, value));
      // Off by little, and here and there by much.
      value *= i % 100 == 42 ? 1.5 : 1.002;
      storeBits(type, output.data(), i, encode(type, value));
    }
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bool hasInfinity = type != ElementType::Float8E4M3;
    uint64_t nan = encode(type, std::nan(""));
    uint64_t notFinite[] = {hasInfinity ? encode(type, infinity) : nan,
                            hasInfinity ? encode(type, -infinity) : nan, nan};
    // The same on both sides, then on one side only.
    for (unsigned i = 0; i < 3; ++i) {
      storeBits(type, output.data(), 50 + i, notFinite[i]);
      storeBits(type, baseline.data(), 50 + i, notFinite[i]);
      storeBits(type, output.data(), 60 + i, notFinite[i]);
      storeBits(type, baseline.data(), 70 + i, notFinite[i]);
    }
    for (uint64_t i : {800, 999})
      storeBits(type, output.data(), i, *poisonBits(type));
    tolerance.nanMatches = true;
    llvm::Expected<Comparison> expected =
        compareOutputs({type, output}, {type, baseline}, tolerance);
    ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
    ASSERT_EQ(expected->unwritten, 2u);
    ASSERT_GT(expected->mismatched, 15u);
    for (bool alone : {false, true}) {
      uint64_t data = (*device)->allocate(output.size());
      uint64_t other = (*device)->allocate(output.size());
      uint64_t to = (*device)->allocate(sizeof(TimedCounts));
      std::memcpy(reinterpret_cast<void *>(data), output.data(), output.size());
      std::memcpy(reinterpret_cast<void *>(other), baseline.data(),
                  baseline.size());
      std::memset(reinterpret_cast<void *>(to), 0, sizeof(TimedCounts));
      struct {
        uint64_t output, baseline, count, counts;
        uint32_t format, poison;
        float atol, rtol;
      } params{data,
               alone ? 0 : other,
               elements,
               to,
               *formatOnDevice(type),
               uint32_t(*poisonBits(type)),
               float(tolerance.atol),
               float(tolerance.rtol)};
      emulator::LaunchConfig config;
      config.grid = {3, 1, 1};
      config.block = {128, 1, 1};
      config.params.resize(sizeof(params));
      std::memcpy(config.params.data(), &params, sizeof(params));
      emulator::LaunchOutcome outcome =
          (*module)->loaded().launch("count_output", config, {});
      ASSERT_EQ(outcome.status, emulator::LaunchStatus::Completed)
          << outcome.reason;
      TimedCounts counts;
      std::memcpy(&counts, reinterpret_cast<void *>(to), sizeof(counts));
      EXPECT_EQ(counts.unwritten, 2u);
      if (alone) {
        EXPECT_EQ(counts.wrong, 0u);
        EXPECT_EQ(~counts.firstComplement, 800u);
        EXPECT_EQ(counts.squares, 0);
      } else {
        EXPECT_EQ(counts.wrong + counts.unwritten, expected->mismatched);
        ASSERT_TRUE(expected->first);
        EXPECT_EQ(~counts.firstComplement, expected->first->index);
        EXPECT_GT(counts.errorSquares, 0);
        EXPECT_GT(counts.squares, counts.errorSquares);
      }
      for (uint64_t address : {data, other, to})
        (*device)->release(address);
    }
  }
}

} // namespace
