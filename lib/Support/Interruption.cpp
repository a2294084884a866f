//===- Interruption.cpp - Ending in good order ----------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handler writes the signal to a pipe; a thread that reads it does what a
// handler may not. Those that wait for children see that there was one and end
// them.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Interruption.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

static int signalPipe[2] = {-1, -1};
static pid_t owner = 0;
static std::atomic<bool> interrupted{false};
static std::atomic<unsigned> children{0};
static std::atomic<double> patienceSeconds{0};

static std::mutex &folderMutex() {
  static std::mutex mutex;
  return mutex;
}
static std::map<std::string, sys::fs::UniqueID> &folders() {
  static auto *all = new std::map<std::string, sys::fs::UniqueID>;
  return *all;
}

/// Only calls that are safe in a handler.
static void onSignal(int signal) {
  // A child that has not become another program yet.
  if (::getpid() != owner)
    ::_exit(128 + signal);
  int number = errno;
  unsigned char byte = static_cast<unsigned char>(signal);
  (void)!::write(signalPipe[1], &byte, 1);
  errno = number;
}

static void waitForSignal() {
  unsigned char signal = 0;
  ssize_t got;
  do
    got = ::read(signalPipe[0], &signal, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1)
    return;
  interrupted = true;
  // Children are killed after their time; that they end takes a moment more.
  auto last = std::chrono::steady_clock::now() +
              std::chrono::duration<double>(patienceSeconds + 2);
  while (children && std::chrono::steady_clock::now() < last)
    ::usleep(5000);
  {
    std::lock_guard<std::mutex> lock(folderMutex());
    for (const auto &[folder, id] : folders()) {
      sys::fs::UniqueID now;
      if (!sys::fs::getUniqueID(folder, now) && now == id)
        sys::fs::remove_directories(folder, /*IgnoreErrors=*/true);
    }
  }
  // Files that are half written.
  sys::RunInterruptHandlers();
  ::signal(signal, SIG_DFL);
  ::kill(::getpid(), signal);
}

void ptxbench::handleInterruptions(double patience) {
  if (owner || ::pipe2(signalPipe, O_CLOEXEC) != 0)
    return;
  owner = ::getpid();
  patienceSeconds = patience;
  std::thread(waitForSignal).detach();
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old;
    if (::sigaction(signal, nullptr, &old) != 0 ||
        (!(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_IGN))
      continue;
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART | int(SA_RESETHAND);
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
  }
}

bool ptxbench::isInterrupted() { return interrupted; }
double ptxbench::interruptionPatience() { return patienceSeconds; }

/// Waits for the end of the process.
static void stopHere() {
  while (interrupted && ::getpid() == owner)
    ::pause();
}

void ptxbench::removeWhenInterrupted(StringRef folder) {
  sys::fs::UniqueID id;
  if (!owner || sys::fs::getUniqueID(folder, id))
    return;
  {
    std::lock_guard<std::mutex> lock(folderMutex());
    folders()[folder.str()] = id;
  }
  stopHere();
}

ChildScope::ChildScope() {
  stopHere();
  ++children;
}

ChildScope::~ChildScope() {
  --children;
  stopHere();
}
