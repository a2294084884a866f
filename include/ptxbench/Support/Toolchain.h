//===- Toolchain.h - The CUDA tools and how they are run --------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds nvcc, ptxas, other tools of CUDA and TVM-FFI where a user, a toolkit or
// the set-up script put them, and runs the first two under limits. Every tool
// may be missing; asking for a missing one is an error that says where it was
// looked for.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_SUPPORT_TOOLCHAIN_H
#define PTXBENCH_SUPPORT_TOOLCHAIN_H

#include "ptxbench/Support/PtxasOutput.h"
#include "ptxbench/Support/SourceFiles.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace ptxbench {

enum class ToolKind {
  Nvcc,
  Ptxas,
  Fatbinary,
  Cuobjdump,
  Nvdisasm,
  ComputeSanitizer
};
/// "nvcc", "ptxas", "fatbinary" ..., "compute-sanitizer".
const char *stringifyToolKind(ToolKind kind);

struct ToolchainOptions {
  /// `--cuda-path`: the folder that holds bin/. Looked into first.
  std::string cudaPath;
  /// Folder of TVM-FFI with include/ and lib/. Looked into first.
  std::string tvmFfiPath;
  /// The running program; relative places are seen from its folder.
  std::string executable;
};

struct CudaTool {
  std::string path;
  /// "13.0.88"; empty if the tool did not say.
  std::string version;
};

/// What one run of ptxas gave.
struct PtxasRun {
  SubprocessResult process;
  PtxasOutput output;
  /// Whether the cubin was made.
  bool succeeded = false;
};

/// What one run of nvcc gave.
struct NvccRun {
  SubprocessResult process;
  /// The whole of what nvcc and its tools printed; the folders of the source
  /// and of the intermediate files are left out of it.
  std::string log;
  /// Front-end and ptxas diagnostics together, and the resources.
  PtxasOutput output;
  bool succeeded = false;
  /// The library, the PTX as the front end wrote it (with inline-asm markers)
  /// but for the folders in `.file` directives, which are cut off, and the
  /// machine code. Empty where it was not made; a source that ptxas refuses
  /// has its PTX.
  std::string library, ptx, cubin;
  /// Files that the front ends and the assembler read, and those among them
  /// that are neither in the folder of the source nor a compiler's or TVM-FFI's
  /// headers, links resolved.
  std::vector<CompiledFile> files, foreign;
};

struct NvccOptions {
  /// "sm_90a": PTX and machine code are both made for it.
  std::string target;
  /// Seconds; nvcc and all it started are killed after it.
  double timeoutSeconds = 300;
  std::vector<std::string> extraArguments;
};

class Toolchain {
public:
  explicit Toolchain(ToolchainOptions options = {});

  /// The tool, or an error that lists the places that were searched. Places, in
  /// order: `cudaPath`, $CUDA_HOME and $CUDA_PATH, PATH, the build tree, the
  /// usual place of a toolkit. Asks for the version once.
  llvm::Expected<CudaTool> find(ToolKind kind);
  /// Fails where this nvcc compiles for no such architecture; the error lists
  /// those that it does. Succeeds where nvcc cannot be asked.
  llvm::Error checkTarget(llvm::StringRef target);

  /// Folder of TVM-FFI: `tvmFfiPath`, $PTXBENCH_TVM_FFI_DIR, beside the
  /// executable, the build's setting. The first that has the headers has to
  /// have the library, too.
  llvm::Expected<std::string> findTvmFfi() const;
  /// Names under which libtvm_ffi.so may be opened, best first.
  std::vector<std::string> tvmFfiLibraryNames() const;
  /// Names under which a library of the toolkit may be opened, best first:
  /// the folders of $PTXBENCH_LIBRARY_PATH, those of a named toolkit, the
  /// loader's own search, then the usual place of a toolkit.
  std::vector<std::string> cudaLibraryNames(llvm::StringRef soname) const;
  /// Names under which CUPTI's library may be opened, best first: as for one of
  /// the toolkit, but what the setup script fetched comes before a toolkit.
  /// CUPTI of CUDA 13.0 counts the first kernel of a process only.
  std::vector<std::string> cuptiLibraryNames(llvm::StringRef soname) const;
  /// Names under which libcudnn.so.9 may be opened, best first: the folders of
  /// $PTXBENCH_LIBRARY_PATH, those of a named toolkit, the packages of the
  /// python3 on PATH, the loader's own search, the usual place of a toolkit.
  std::vector<std::string> cudnnLibraryNames() const;

  /// The path of libdevice.10.bc, CUDA's mathematical functions as LLVM
  /// bitcode: of a named toolkit, of that of nvcc in PATH, of the build's, of
  /// the usual place. Empty if there is none.
  std::string findLibdevice() const;

  /// Assembles `ptxFile` for `target` ("sm_90a") into `cubinFile`. The PTX
  /// being refused is not an error; not being able to run ptxas is.
  llvm::Expected<PtxasRun>
  runPtxas(llvm::StringRef ptxFile, llvm::StringRef target,
           llvm::StringRef cubinFile, double timeoutSeconds = 120,
           llvm::ArrayRef<std::string> extraArguments = {});

  /// Puts machine code and text of one module for `target` together, so that
  /// one file loads wherever one of them does.
  llvm::Error makeFatBinary(llvm::StringRef target, llvm::StringRef cubinFile,
                            llvm::StringRef ptxFile, llvm::StringRef outFile);

  /// An error if nvcc, which hands its steps to a shell, cannot be given the
  /// path.
  static llvm::Error checkPath(llvm::StringRef path);

  /// Makes `source` into a library with the TVM-FFI calling convention in
  /// `outDir` (made if missing), in one compilation. The source being refused
  /// is not an error; not being able to run nvcc is.
  llvm::Expected<NvccRun> runNvcc(llvm::StringRef source,
                                  llvm::StringRef outDir,
                                  const NvccOptions &options);

private:
  std::vector<std::string>
  libraryNames(llvm::StringRef soname,
               llvm::ArrayRef<std::string> beforeToolkit,
               llvm::ArrayRef<std::string> beforeLoader) const;
  std::vector<std::string> binaryFolders() const;
  std::string executableFolder() const;
  std::vector<CompiledFile> foreignFiles(llvm::StringRef source,
                                         llvm::ArrayRef<CompiledFile> files,
                                         llvm::StringRef keep,
                                         const SubprocessOptions &process);

  ToolchainOptions options;
  std::map<ToolKind, CudaTool> cache;
};

/// Takes "13.0.88" out of a tool's `--version` text; empty if there is none.
std::string parseToolVersion(llvm::StringRef text);

} // namespace ptxbench

#endif // PTXBENCH_SUPPORT_TOOLCHAIN_H
