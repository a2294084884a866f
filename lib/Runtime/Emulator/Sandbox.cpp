//===- Sandbox.cpp - Where candidates run ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Being installed is not enough: containers often forbid what bubblewrap needs,
// so it is tried.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/Support/Program.h"

#include <sys/resource.h>

using namespace llvm;
using namespace ptxbench;

Sandbox ptxbench::makeSandbox(StringRef folder) {
  Sandbox sandbox;
  ErrorOr<std::string> program = sys::findProgramByName("bwrap");
  if (!program) {
    sandbox.reason = "bubblewrap (bwrap) is not installed";
    return sandbox;
  }
  std::vector<std::string> prefix = {*program,
                                     "--unshare-all",
                                     "--die-with-parent",
                                     "--new-session",
                                     "--ro-bind",
                                     "/",
                                     "/",
                                     "--dev",
                                     "/dev",
                                     "--proc",
                                     "/proc",
                                     "--bind",
                                     folder.str(),
                                     folder.str(),
                                     "--chdir",
                                     folder.str(),
                                     "--"};
  SubprocessOptions trial;
  trial.argv = prefix;
  trial.argv.push_back("true");
  trial.timeoutSeconds = 20;
  Expected<SubprocessResult> result = runSubprocess(trial);
  if (!result) {
    sandbox.reason = toString(result.takeError());
  } else if (!result->succeeded()) {
    StringRef text = StringRef(result->err).trim();
    sandbox.reason = (text.empty() ? "bwrap: " + result->describeEnd()
                                   : text.split('\n').first.str());
  } else {
    sandbox.prefix = std::move(prefix);
  }
  return sandbox;
}

void ptxbench::limitResources(uint64_t addressBytes, uint64_t fileBytes) {
  auto limit = [](auto resource, uint64_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0)
      return;
    rlim_t wanted = rlim_t(value);
    if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max)
      wanted = now.rlim_max;
    // The hard limit, too: the candidate must not raise it again.
    now.rlim_cur = now.rlim_max = wanted;
    setrlimit(resource, &now);
  };
  limit(RLIMIT_AS, addressBytes);
  limit(RLIMIT_FSIZE, fileBytes);
  limit(RLIMIT_CORE, 0);
}
