//===- Fatbin.h - Device code embedded in host libraries --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the cubins and the PTX that nvcc put into the `.nv_fatbin` section of
// an object file or a shared library. nvcc compresses PTX unless it is called
// with --no-compress; what is compressed comes out as it was before.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TARGET_SASS_FATBIN_H
#define PTXBENCH_TARGET_SASS_FATBIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace ptxbench {

enum class FatbinKind { PTX, ELF };

struct FatbinEntry {
  FatbinKind kind = FatbinKind::ELF;
  /// The number of the architecture: 90 for sm_90 and sm_90a.
  unsigned arch = 0;
  /// The cubin, or the PTX text without padding.
  std::vector<uint8_t> bytes;
};

/// The entries of all fat binaries of an ELF64 host file, in the order of the
/// section. `name` stands in front of each error message. A file without the
/// section is an error.
llvm::Expected<std::vector<FatbinEntry>>
extractFatbin(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name);

/// The entries of fat binaries that stand one after the other in `bytes`, as in
/// the section.
llvm::Expected<std::vector<FatbinEntry>>
readFatbins(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name);

/// The size with its header of the fat binary whose first 16 bytes are given;
/// an error where no fat binary begins there.
llvm::Expected<uint64_t> fatbinBytes(llvm::ArrayRef<uint8_t> header,
                                     llvm::StringRef name);

} // namespace ptxbench

#endif // PTXBENCH_TARGET_SASS_FATBIN_H
