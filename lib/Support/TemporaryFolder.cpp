//===- TemporaryFolder.cpp - Folders that end with the program ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread waits for the signals, which all others block: removing a folder
// needs more than may be called in a handler.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/TemporaryFolder.h"
#include "RunningPrograms.h"
#include "ptxbench/Support/RemoveFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>

using namespace llvm;
using namespace ptxbench;

namespace {
struct Registry {
  std::mutex mutex;
  std::vector<std::string> folders;
};
} // namespace

static Registry &registry() {
  // Never destroyed: the thread may outlive what is.
  static Registry &theRegistry = *new Registry;
  return theRegistry;
}

std::error_code TemporaryFolder::create(StringRef parent, StringRef name) {
  SmallString<128> model(parent);
  if (!parent.empty())
    if (std::error_code code = sys::fs::make_absolute(model))
      return code;
  sys::path::append(model, name);
  // One that is made while the others are removed would stay.
  std::lock_guard<std::mutex> lock(registry().mutex);
  if (std::error_code code = sys::fs::createUniqueDirectory(model, folder)) {
    folder.clear();
    return code;
  }
  registry().folders.push_back(std::string(folder));
  return std::error_code();
}

Error TemporaryFolder::remove() {
  if (folder.empty())
    return Error::success();
  {
    std::lock_guard<std::mutex> lock(registry().mutex);
    erase(registry().folders, std::string(folder));
  }
  Error error = removeFolder(folder);
  folder.clear();
  return error;
}

void ptxbench::cleanUpOnSignals(bool childrenCleanUp) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action;
    // Whoever started us may have set that some are ignored.
    if (::sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler != SIG_IGN)
      ::sigaddset(&signals, number);
  }
  if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) != 0)
    return;
  cleanUpInPrograms(childrenCleanUp);
  std::thread([signals] {
    int number = 0;
    if (::sigwait(&signals, &number) != 0)
      return;
    endPrograms();
    // Kept: nobody makes another.
    registry().mutex.lock();
    for (const std::string &folder : reverse(registry().folders))
      consumeError(removeFolder(folder));
    // Now it does what it would have done.
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, number);
    ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
    ::raise(number);
  }).detach();
}
