//===- DeviceModelFile.h - What the emulator is, as a file ---- -*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device model is given as a name, of a file beside the emulated CUDA
// runtime, or as a path, which has a '/'.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_RUNTIME_DEVICEMODELFILE_H
#define PTXBENCH_RUNTIME_DEVICEMODELFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace ptxbench {

/// Where the emulated CUDA runtime lies: beside the executable's folder, as the
/// build leaves it.
std::string emulatorFolder(llvm::StringRef executable);

/// The file of the model that is asked for; empty: that of the environment, or
/// the default.
std::string deviceModelFile(llvm::StringRef executable, llvm::StringRef wanted);

/// The text of that file. Where there is none the error names the models that
/// there are; what is no plain file of a model's size is refused, too.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readDeviceModel(llvm::StringRef executable, llvm::StringRef wanted);

} // namespace ptxbench

#endif // PTXBENCH_RUNTIME_DEVICEMODELFILE_H
