//===- SyntaxTestUtils.h - Parsing text in tests ----------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TEST_UNIT_SYNTAX_SYNTAXTESTUTILS_H
#define PTXBENCH_TEST_UNIT_SYNTAX_SYNTAXTESTUTILS_H

#include "ptxbench/Target/PTX/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace ptxbench::syntax {

/// A text with what became of it.
struct Parsed {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  std::unique_ptr<LineTable> lines;
  std::unique_ptr<Module> module;
  std::vector<Diagnostic> diagnostics;

  explicit Parsed(llvm::StringRef text)
      : buffer(llvm::MemoryBuffer::getMemBufferCopy(text)),
        lines(std::make_unique<LineTable>(buffer->getBuffer())) {
    module =
        parseModule(buffer->getMemBufferRef(), *lines,
                    [this](const Diagnostic &d) { diagnostics.push_back(d); });
  }

  /// "line:column: message" of every diagnostic, one a line.
  std::string messages() const {
    std::string all;
    for (const Diagnostic &d : diagnostics)
      all += llvm::utostr(d.line) + ":" + llvm::utostr(d.column) + ": " +
             d.message + "\n";
    return all;
  }
};

/// A module for `target` with `body` in an entry; the body starts on line 6.
inline std::string inKernel(llvm::StringRef body,
                            llvm::StringRef target = "sm_90a",
                            llvm::StringRef version = "9.0") {
  return (".version " + version + "\n.target " + target +
          "\n.address_size 64\n.visible .entry k(.param .u64 param0)\n{\n" +
          body + "\nret;\n}\n")
      .str();
}

/// Declarations that most instructions of these tests use.
constexpr llvm::StringLiteral registers =
    ".reg .pred %p<8>; .reg .b16 %rs<8>; .reg .b32 %r<160>; "
    ".reg .b64 %rd<16>; .reg .f32 %f<160>; .reg .f64 %fd<8>; "
    ".reg .u32 %u<4>; .shared .align 16 .b8 smem[1024];\n";

} // namespace ptxbench::syntax

#endif // PTXBENCH_TEST_UNIT_SYNTAX_SYNTAXTESTUTILS_H
