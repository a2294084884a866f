//===- ChildTrial.cpp - Work that may end its process ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The child says nothing: whoever comes after it does the same again and has
// the messages.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/ChildTrial.h"
#include "ptxbench/Support/Subprocess.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ptxbench {

/// The child's part.
[[noreturn]] static void doInChild(llvm::function_ref<void()> body) {
  constexpr rlim_t mostMemory = rlim_t(8) << 30;
  // Who is killed leaves nobody behind.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int nowhere = ::open("/dev/null", O_RDWR);
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::dup2(nowhere, stream);
  // What crashes leaves no core and prints no stack.
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM})
    std::signal(number, SIG_DFL);
  struct rlimit none = {0, 0}, memory = {mostMemory, mostMemory};
  ::setrlimit(RLIMIT_CORE, &none);
  if (canLimitAddresses)
    ::setrlimit(RLIMIT_AS, &memory);
  body();
  ::_exit(0);
}

std::optional<std::string> tryInChild(llvm::function_ref<void()> body,
                                      double seconds) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  heedChildren();
  pid_t child = ::fork();
  if (child < 0)
    return std::nullopt;
  if (child == 0)
    doInChild(body);
  SubprocessResult result;
  int status = 0;
  pid_t ended;
  while ((ended = ::waitpid(child, &status, WNOHANG)) == 0) {
    std::chrono::duration<double> passed = Clock::now() - start;
    result.seconds = passed.count();
    if (result.end == SubprocessResult::End::Exited &&
        result.seconds >= seconds) {
      result.end = SubprocessResult::End::TimedOut;
      ::kill(child, SIGKILL);
    }
    ::usleep(2000);
  }
  if (result.end == SubprocessResult::End::TimedOut)
    return result.describeEnd();
  if (ended < 0)
    return "an end that is not known";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return std::nullopt;
  if (WIFSIGNALED(status)) {
    result.end = SubprocessResult::End::Signaled;
    result.signal = WTERMSIG(status);
  } else {
    result.exitCode = WEXITSTATUS(status);
  }
  return result.describeEnd();
}

} // namespace ptxbench
