//===- BackendChoice.cpp - What is to run a candidate ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend is asked what it is, and its compute capability is compared with
// the target.
//
//===----------------------------------------------------------------------===//

#include "BackendChoice.h"
#include "ptxbench/ISA/Instruction.h"

namespace ptxbench {

/// Why a device cannot execute what is compiled for a target; empty if it can,
/// or if its compute capability is not known. Machine code is there with PTX,
/// of which devices that are newer make their own; features that end in 'a' or
/// 'f' are those of one device, or of one family.
static std::string whyNotOn(llvm::StringRef target,
                            const std::map<std::string, std::string> &device) {
  auto known = device.find("compute_capability");
  std::optional<TargetArch> arch = parseTargetArch(target);
  if (known == device.end() || !arch)
    return "";
  auto [major, minor] = llvm::StringRef(known->second).split('.');
  unsigned high = 0, low = 0;
  if (major.getAsInteger(10, high) || minor.getAsInteger(10, low))
    return "";
  unsigned has = 10 * high + low;
  bool fits = arch->suffix == 'a'   ? has == arch->sm
              : arch->suffix == 'f' ? has >= arch->sm && high == arch->sm / 10u
                                    : has >= arch->sm;
  if (fits)
    return "";
  auto name = device.find("device");
  return "no device here runs " + target.str() + ": " +
         (name == device.end() ? "it" : name->second) +
         " has compute capability " + known->second;
}

BackendChoice chooseBackend(const DriverOptions &options,
                            llvm::StringRef program) {
  BackendChoice choice;
  if (options.backend != "emulator") {
    std::unique_ptr<Backend> cuda = createCudaBackend(program.str());
    Usability usable = cuda->isUsable();
    choice.isMissing = !usable.usable;
    choice.refusal = usable.usable ? whyNotOn(options.target, cuda->versions())
                                   : "no usable GPU: " + usable.reason;
    if (choice.refusal.empty())
      choice.backend = std::move(cuda);
    if (choice.backend || options.backend == "cuda")
      return choice;
  }
  std::unique_ptr<Backend> emulator =
      createEmulatorBackend(program.str(), options.emulator);
  Usability usable = emulator->isUsable();
  std::string misfit = usable.usable
                           ? whyNotOn(options.target, emulator->versions())
                           : "no emulator: " + usable.reason;
  if (misfit.empty()) {
    choice.backend = std::move(emulator);
    return choice;
  }
  choice.isMissing |= !usable.usable;
  choice.refusal += (choice.refusal.empty() ? "" : "; ") + misfit;
  return choice;
}

} // namespace ptxbench
