//===- StandaloneMain.cpp - Fuzz targets without libFuzzer ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a target on files and on mutations of each, the same ones every time. An
// input that takes long is a failure, too. Exit status: 0; 1 if an input was
// too slow; 2 for bad usage. A target that finds a fault ends the program; the
// stack trace names the input, and --dump writes it.
//
//===----------------------------------------------------------------------===//

#include "FuzzTarget.h"
#include "Mutator.h"
#include "Random.h"
#include "ptxbench/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;
using namespace ptxbench;

static cl::OptionCategory category("Fuzzing");
static cl::list<std::string> inputs(cl::Positional, cl::OneOrMore,
                                    cl::desc("<file, or folder of .ptx files>"),
                                    cl::cat(category));
static cl::opt<unsigned> mutations("mutations", cl::init(100),
                                   cl::desc("Mutations of each file"),
                                   cl::cat(category));
static cl::opt<unsigned> seed("seed", cl::init(1),
                              cl::desc("Which mutations are made"),
                              cl::cat(category));
static cl::opt<unsigned>
    maxSize("max-size", cl::init(16384),
            cl::desc("Files of more bytes are passed over in folders"),
            cl::cat(category));
static cl::opt<unsigned> timeout("timeout", cl::init(10),
                                 cl::desc("Seconds that one input may take"),
                                 cl::cat(category));
static cl::opt<int> dump("dump", cl::init(-1),
                         cl::desc("Write this mutation of the file, and end"),
                         cl::cat(category));

/// The `number`-th mutation of a text: one to four mutations one after the
/// other.
static std::string makeMutation(StringRef text, unsigned number) {
  std::string mutated = text.str();
  for (unsigned i = 0; i <= number % 4; ++i)
    mutated = fuzzing::mutate(mutated, (uint64_t(seed) << 40) +
                                           (uint64_t(number) << 8) + i);
  return mutated;
}

/// False if it took too long.
static bool runOne(StringRef text, const std::string &name) {
  PrettyStackTraceFormat entry("Running on %s", name.c_str());
  auto start = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()),
                         text.size());
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  if (seconds.count() <= timeout)
    return true;
  errs() << name << ": took " << format("%.1f", seconds.count())
         << " s, more than " << timeout << " s\n";
  return false;
}

static std::vector<std::string> collectFiles() {
  std::vector<std::string> files;
  for (const std::string &input : inputs) {
    if (!sys::fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    std::error_code error;
    for (sys::fs::directory_iterator it(input, error), end; it != end && !error;
         it.increment(error)) {
      uint64_t size;
      if (sys::path::extension(it->path()) == ".ptx" &&
          !sys::fs::file_size(it->path(), size) && size <= maxSize)
        files.push_back(it->path());
    }
  }
  llvm::sort(files);
  return files;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  setVersionPrinter();
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "A fuzz target, on files and mutations of them\n",
          &errs()))
    return 2;
  unsigned numInputs = 0, numSlow = 0;
  for (const std::string &file : collectFiles()) {
    auto buffer = MemoryBuffer::getFile(file);
    if (!buffer) {
      errs() << file << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    StringRef text = (*buffer)->getBuffer();
    if (dump >= 0) {
      outs() << (dump ? makeMutation(text, dump - 1) : text.str());
      return 0;
    }
    numSlow += !runOne(text, file);
    for (unsigned i = 0; i < mutations; ++i)
      numSlow +=
          !runOne(makeMutation(text, i), file + " --seed=" + utostr(seed) +
                                             " --dump=" + utostr(i + 1));
    numInputs += 1 + mutations;
  }
  outs() << numInputs << " inputs, " << numSlow << " too slow\n";
  return numSlow != 0;
}
