//===- SassTestUtils.h - Inputs of the SASS tests ---------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the files in Inputs/, lists the target instructions of a PTX text, and
// runs ptxas where there is one. The committed cubins are what ptxas 13.0.88
// -lineinfo (and -c for `_rdc`) makes of the .ptx file of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_SASS_SASSTESTUTILS_H
#define PTXBENCH_TEST_UNIT_SASS_SASSTESTUTILS_H

#include "ptxbench/Target/SASS/SassMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

#include <cstdlib>

namespace ptxbench::test {

inline std::string inputPath(const std::string &name) {
  return std::string(PTXBENCH_SASS_INPUTS) + "/" + name;
}

inline std::vector<uint8_t> readBytes(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << path;
    return {};
  }
  llvm::StringRef bytes = (*buffer)->getBuffer();
  return {bytes.bytes_begin(), bytes.bytes_end()};
}

inline std::vector<uint8_t> readInput(const std::string &name) {
  return readBytes(inputPath(name));
}

/// Every statement whose mnemonic has one of the prefixes of target families.
inline std::vector<PtxTarget> listTargets(const std::string &input) {
  static const char *prefixes[] = {"wgmma.",
                                   "mbarrier.",
                                   "cp.",
                                   "fence.proxy",
                                   "fence.mbar",
                                   "elect.",
                                   "setmaxnreg.",
                                   "ldmatrix.",
                                   "stmatrix.",
                                   "movmatrix.",
                                   "mma.",
                                   "tcgen05.",
                                   "redux.",
                                   "griddepcontrol.",
                                   "barrier.cluster",
                                   "mapa.",
                                   "st.async",
                                   "red.async",
                                   "multimem."};
  std::vector<uint8_t> bytes = readInput(input);
  llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  std::vector<PtxTarget> targets;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::SmallVector<llvm::StringRef, 4> statements;
    lines[i].split(statements, ';');
    for (llvm::StringRef statement : statements) {
      statement = statement.trim(" \t{}");
      if (statement.starts_with("@"))
        statement = statement.drop_until(llvm::isSpace).ltrim();
      llvm::StringRef mnemonic = statement.take_until(llvm::isSpace);
      for (const char *prefix : prefixes) {
        if (!mnemonic.starts_with(prefix))
          continue;
        PtxTarget target;
        target.line = i + 1;
        target.column = mnemonic.data() - lines[i].data() + 1;
        target.mnemonic = mnemonic.str();
        target.opcode = mnemonic.split('.').first.str();
        target.index = targets.size();
        targets.push_back(target);
        break;
      }
    }
  }
  return targets;
}

/// Assembles a file of Inputs/; empty if there is no ptxas.
inline std::vector<uint8_t> assemble(const std::string &input,
                                     const std::string &arch) {
  llvm::SmallVector<llvm::StringRef, 1> paths;
  std::string cudaBin;
  if (const char *home = std::getenv("CUDA_HOME")) {
    cudaBin = std::string(home) + "/bin";
    paths.push_back(cudaBin);
  }
  auto program = llvm::sys::findProgramByName("ptxas");
  if (!program && !paths.empty())
    program = llvm::sys::findProgramByName("ptxas", paths);
  if (!program)
    return {};
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("ptxbench-sass", "cubin", output)) {
    ADD_FAILURE() << "cannot make a temporary file";
    return {};
  }
  std::string path = inputPath(input);
  std::string archOption = "-arch=" + arch;
  llvm::StringRef arguments[] = {*program, archOption, "-lineinfo",
                                 path,     "-o",       output};
  std::optional<llvm::StringRef> quiet[] = {
      llvm::StringRef(""), llvm::StringRef(""), llvm::StringRef("")};
  int status =
      llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, quiet);
  EXPECT_EQ(status, 0) << "ptxas refused " << input;
  std::vector<uint8_t> bytes;
  if (status == 0)
    bytes = readBytes(output.str().str());
  llvm::sys::fs::remove(output);
  return bytes;
}

inline SassModule readModule(llvm::ArrayRef<uint8_t> bytes) {
  llvm::Expected<SassModule> module = SassModule::create(bytes, "test");
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return {};
  }
  return std::move(*module);
}

} // namespace ptxbench::test

#endif // PTXBENCH_TEST_UNIT_SASS_SASSTESTUTILS_H
