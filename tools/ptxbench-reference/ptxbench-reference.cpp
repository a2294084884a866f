//===- ptxbench-reference.cpp - Computes what a task defines --------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process of its own: a compiler for the host is large, and a wrong reference
// must take nothing with it. docs/Tasks.md has its use.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Reference/ReferenceRun.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Support/Version.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <thread>

using namespace ptxbench;
using llvm::StringRef;
namespace cl = llvm::cl;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "ptxbench-reference: " << message << "\n";
  return 2;
}

int main(int argc, char **argv) {
  // A descriptor that is closed would be the first file that is opened.
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return 3;
  // It judges candidates, which may be running beside it.
  closeMemory();
  setVersionPrinter();
  cl::OptionCategory category("References");
  cl::opt<std::string> path(cl::Positional, cl::Required, cl::cat(category),
                            cl::desc("<task: a name, or its folder>"));
  cl::opt<std::string> tasks("tasks", cl::cat(category),
                             cl::desc("Where tasks are looked for"),
                             cl::value_desc("DIR"), cl::init("tasks"));
  cl::list<std::string> axes("axis", cl::cat(category),
                             cl::desc("Value of a var axis"),
                             cl::value_desc("AXIS=N"));
  cl::list<std::string> inputs("input", cl::cat(category),
                               cl::desc("Raw elements of an input"),
                               cl::value_desc("NAME=FILE"));
  cl::list<std::string> scalars("scalar", cl::cat(category),
                                cl::desc("Value of a scalar input"),
                                cl::value_desc("NAME=NUMBER"));
  cl::list<std::string> outputs("output", cl::cat(category),
                                cl::desc("Where an output goes"),
                                cl::value_desc("NAME=FILE"));
  cl::list<std::string> only("only", cl::cat(category),
                             cl::desc("Indices of an independent axis"),
                             cl::value_desc("AXIS=N,N,..."));
  cl::opt<bool> computed("computed-inputs", cl::cat(category),
                         cl::desc("Compute the inputs that are computed"));
  cl::opt<bool> check("check", cl::cat(category),
                      cl::desc("Check and compile only"));
  cl::opt<std::string> device(
      "device", cl::cat(category),
      cl::desc("Where it is computed: cpu, cuda, cuda:N"), cl::init("cpu"));
  cl::opt<std::string> ptx("ptx", cl::cat(category),
                           cl::desc("Where the kernels' PTX goes"),
                           cl::value_desc("FILE"));
  cl::opt<std::string> cudaPath("cuda-path", cl::cat(category),
                                cl::desc("Folder of the CUDA toolkit"));
  cl::opt<unsigned> threads(
      "threads", cl::cat(category), cl::desc("Threads (default: all)"),
      cl::init(std::clamp(std::thread::hardware_concurrency(), 1u, 64u)));
  cl::opt<double> seconds("time-limit", cl::cat(category), cl::desc("Seconds"),
                          cl::init(600));
  cl::opt<uint64_t> memory("memory-limit", cl::cat(category), cl::desc("MiB"),
                           cl::init(16384));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "ptxbench-reference: computes what a task defines\n",
          &llvm::errs()))
    return 2;
  // Beyond these, clocks and sizes in bytes overflow.
  constexpr double mostSeconds = 30 * 24 * 3600;
  constexpr uint64_t mostMemory = uint64_t(1) << 32;
  if (!(seconds > 0 && seconds <= mostSeconds))
    return fail(llvm::formatv("--time-limit: expected seconds above 0 and up "
                              "to {0:f0} but got {1}",
                              mostSeconds, double(seconds))
                    .str());
  if (memory > mostMemory)
    return fail("--memory-limit: expected at most " + llvm::Twine(mostMemory) +
                " MiB but got " + llvm::Twine(memory));
  ReferenceRun run;
  llvm::Expected<std::string> found = findTaskOrPath(tasks, path);
  if (!found)
    return fail(llvm::toString(found.takeError()));
  run.definitionPath = *found;
  if (llvm::sys::fs::is_directory(*found))
    run.definitionPath += "/definition.json";
  auto file = llvm::MemoryBuffer::getFile(run.definitionPath);
  if (!file)
    return fail("cannot read '" + run.definitionPath +
                "': " + file.getError().message());
  auto definition = parseDefinition((*file)->getBuffer(), run.definitionPath);
  if (!definition)
    return fail(llvm::toString(definition.takeError()));
  run.definition = &*definition;

  for (StringRef text : axes) {
    auto [name, value] = text.split('=');
    if (value.getAsInteger(10, run.workload.axes[name.str()]))
      return fail("--axis: expected AXIS=N but got \"" + text + "\"");
  }
  for (StringRef text : scalars) {
    auto [name, value] = text.split('=');
    InputSource &source = run.workload.inputs[name.str()];
    source.kind = InputSource::Kind::Scalar;
    if (value.getAsDouble(source.value))
      return fail("--scalar: expected NAME=NUMBER but got \"" + text + "\"");
  }
  for (const auto &[list, files] :
       {std::pair(&inputs, &run.inputs), std::pair(&outputs, &run.outputs)})
    for (StringRef text : *list)
      (*files)[text.split('=').first.str()] = text.split('=').second.str();
  for (StringRef text : only) {
    auto [name, list] = text.split('=');
    std::vector<int64_t> &indices = run.only[name.str()];
    llvm::SmallVector<StringRef> parts;
    list.split(parts, ',');
    for (StringRef part : parts)
      if (part.getAsInteger(10, indices.emplace_back()))
        return fail("--only: expected AXIS=N,N,... but got \"" + text + "\"");
  }
  StringRef where = device;
  if (where.consume_front("cuda")) {
    run.target.device = 0;
    if (!where.empty() && (!where.consume_front(":") ||
                           where.getAsInteger(10, *run.target.device)))
      where = "?";
    else
      where = "";
    ToolchainOptions toolchain;
    toolchain.cudaPath = cudaPath;
    toolchain.executable = "/proc/self/exe";
    run.target.libdevice = Toolchain(toolchain).findLibdevice();
  } else {
    where.consume_front("cpu");
  }
  if (!where.empty())
    return fail("--device: expected cpu, cuda or cuda:N but got \"" + device +
                "\"");
  run.target.ptxFile = ptx;
  run.computesInputs = computed;
  run.checksOnly = check;
  run.threads = std::clamp(unsigned(threads), 1u, 256u);
  run.memoryBytes = memory << 20;
  run.seconds = seconds;
  return runReference(run, llvm::outs(), llvm::errs());
}
