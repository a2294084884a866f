//===- Subprocess.cpp - Running a program under limits --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fork and execve with everything that allocates done before the fork, since
// the parent may have threads. A pipe that closes on exec carries errno back
// when the program cannot be started. The parent polls the pipes in short
// slices, so that a grandchild that keeps them open cannot delay it.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Subprocess.h"
#include "RunningPrograms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <mutex>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

extern char **environ;

SubprocessMonitor::~SubprocessMonitor() = default;

namespace {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { close(); }

  void reset(int newFd) {
    close();
    fd = newFd;
  }
  void close() {
    if (fd >= 0)
      ::close(fd);
    fd = -1;
  }
  int get() const { return fd; }
  bool isOpen() const { return fd >= 0; }

private:
  int fd = -1;
};

/// A pipe whose two ends close on exec.
struct Pipe {
  Descriptor read, write;

  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0)
      return false;
    read.reset(fds[0]);
    write.reset(fds[1]);
    return true;
  }
};

/// Keeps the first and the last half of what is fed.
class BoundedOutput {
public:
  explicit BoundedOutput(size_t limit) : half(std::max<size_t>(limit / 2, 1)) {}

  void append(StringRef bytes) {
    size_t room = half - std::min(half, head.size());
    head.append(bytes.data(), std::min(room, bytes.size()));
    bytes = bytes.drop_front(std::min(room, bytes.size()));
    tail.append(bytes.data(), bytes.size());
    if (tail.size() > 2 * half) {
      size_t drop = tail.size() - half;
      tail.erase(0, drop);
      dropped += drop;
    }
  }

  std::string take() {
    if (tail.size() > half && dropped) {
      dropped += tail.size() - half;
      tail.erase(0, tail.size() - half);
    }
    if (!dropped)
      return head + tail;
    return head + "\n[" + std::to_string(dropped) + " bytes left out]\n" + tail;
  }

private:
  size_t half;
  std::string head, tail;
  uint64_t dropped = 0;
};

Error systemError(const Twine &what, int number) {
  return createStringError(std::error_code(number, std::generic_category()),
                           what + ": " + StringRef(strerror(number)));
}

/// The groups of processes that were started and have not ended.
class RunningPrograms {
public:
  static RunningPrograms &get() {
    // Never destroyed: a thread may outlive what is.
    static RunningPrograms &thePrograms = *new RunningPrograms;
    return thePrograms;
  }

  /// Starts one by a fork. Does not return where all are to end.
  pid_t start() {
    std::unique_lock<std::mutex> lock(mutex);
    waitForTheEnd(lock);
    pid_t pid = ::fork();
    if (pid > 0)
      groups.push_back(pid);
    return pid;
  }

  /// Forgets one that has ended. Does not return where all are to end.
  void finish(pid_t pid) {
    std::unique_lock<std::mutex> lock(mutex);
    erase(groups, pid);
    changed.notify_all();
    waitForTheEnd(lock);
  }

  void endAll() {
    std::unique_lock<std::mutex> lock(mutex);
    ending = true;
    auto kill = [&](int signal) {
      for (pid_t group : groups)
        ::kill(-group, signal);
      return changed.wait_for(lock, std::chrono::seconds(5),
                              [&] { return groups.empty(); });
    };
    if (!kill(endSignal))
      kill(SIGKILL);
  }

  /// What a program gets when it is to end with this one.
  int endSignal = SIGKILL;

private:
  void waitForTheEnd(std::unique_lock<std::mutex> &lock) {
    while (ending)
      changed.wait(lock);
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<pid_t> groups;
  bool ending = false;
};

/// Everything that the child needs between fork and exec, made before the fork.
struct ChildPlan {
  std::string program;
  std::vector<char *> argv, envp;
  std::vector<std::string> envStorage;
  const char *cwd = nullptr;
  int in = -1, out = -1, err = -1, channel = -1, channelTarget = -1;
  int failure = -1;
  pid_t parent = 0;
  int endSignal = SIGKILL;
};

[[noreturn]] void failInChild(const ChildPlan &plan) {
  int number = errno;
  (void)!::write(plan.failure, &number, sizeof(number));
  ::_exit(127);
}

/// Runs in the child. Only calls that are safe after a fork.
[[noreturn]] void runChild(ChildPlan &plan) {
  // A group that can be killed as a whole, and no terminal to type into.
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, plan.endSignal);
  if (::getppid() != plan.parent)
    ::_exit(127);
  // Descriptors that are targets must not hide a source.
  int lowest = std::max(10, plan.channelTarget + 1);
  int failure = ::fcntl(plan.failure, F_DUPFD_CLOEXEC, lowest);
  if (failure < 0)
    failInChild(plan);
  plan.failure = failure;
  int sources[4] = {plan.in, plan.out, plan.err, plan.channel};
  int targets[4] = {0, 1, 2, plan.channelTarget};
  for (int &source : sources)
    if (source >= 0 && (source = ::fcntl(source, F_DUPFD_CLOEXEC, lowest)) < 0)
      failInChild(plan);
  // What we inherited without knowing is not for the program.
  ::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  for (int i = 0; i < 4; ++i)
    if (sources[i] >= 0 && ::dup2(sources[i], targets[i]) < 0)
      failInChild(plan);
  if (plan.cwd && ::chdir(plan.cwd) != 0)
    failInChild(plan);
  struct rlimit noCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  // The parent may ignore or block signals; the program starts afresh.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGCHLD, SIG_DFL);
  ::execve(plan.program.c_str(), plan.argv.data(), plan.envp.data());
  failInChild(plan);
}

/// Whether a child is no more. Where somebody else took its status (children
/// that nobody waits for, because our own parent ignores SIGCHLD), it is that
/// of a failure: waiting for it would have no end.
bool hasEnded(pid_t pid, int &status) {
  pid_t ended = ::waitpid(pid, &status, WNOHANG);
  if (ended < 0 && errno == ECHILD)
    status = 255 << 8;
  return ended == pid || (ended < 0 && errno == ECHILD);
}

void buildEnvironment(const SubprocessOptions &options, ChildPlan &plan) {
  if (options.env)
    plan.envStorage = *options.env;
  else
    for (char **entry = environ; entry && *entry; ++entry)
      plan.envStorage.push_back(*entry);
  for (const auto &[name, value] : options.setEnv) {
    std::string prefix = name + "=";
    erase_if(plan.envStorage, [&](const std::string &entry) {
      return StringRef(entry).starts_with(prefix);
    });
    plan.envStorage.push_back(prefix + value);
  }
  for (std::string &entry : plan.envStorage)
    plan.envp.push_back(entry.data());
  plan.envp.push_back(nullptr);
}

/// Reads what is there. Returns false at the end of the stream.
bool drain(int fd, function_ref<void(StringRef)> sink) {
  char buffer[1 << 16];
  // One read per poll keeps the deadline honest however fast the writer is.
  ssize_t got = ::read(fd, buffer, sizeof(buffer));
  if (got > 0) {
    sink(StringRef(buffer, got));
    return true;
  }
  return got < 0 && (errno == EAGAIN || errno == EINTR);
}

} // namespace

std::string SubprocessResult::describeEnd() const {
  std::string text;
  raw_string_ostream os(text);
  switch (end) {
  case End::Exited:
    os << "exit code " << exitCode;
    break;
  case End::Signaled:
    os << "signal " << signal << " (" << strsignal(signal) << ")";
    break;
  case End::TimedOut:
    os << "killed after " << format("%.1f", seconds) << " s";
    break;
  }
  return text;
}

void ptxbench::cleanUpInPrograms(bool doThey) {
  RunningPrograms::get().endSignal = doThey ? SIGTERM : SIGKILL;
}

void ptxbench::heedChildren() {
  struct sigaction children;
  if (::sigaction(SIGCHLD, nullptr, &children) == 0 &&
      !(children.sa_flags & SA_SIGINFO) && children.sa_handler == SIG_IGN)
    ::signal(SIGCHLD, SIG_DFL);
}

void ptxbench::endPrograms() { RunningPrograms::get().endAll(); }

Expected<SubprocessResult>
ptxbench::runSubprocess(const SubprocessOptions &options) {
  if (options.argv.empty())
    return createStringError(inconvertibleErrorCode(),
                             "expected a program to run but got no arguments");
  ChildPlan plan;
  plan.program = options.argv.front();
  if (!StringRef(plan.program).contains('/')) {
    ErrorOr<std::string> found = sys::findProgramByName(plan.program);
    if (!found)
      return createStringError(inconvertibleErrorCode(),
                               "program '" + plan.program +
                                   "' was not found on PATH");
    plan.program = *found;
  }
  std::vector<std::string> argv = options.argv;
  for (std::string &arg : argv)
    plan.argv.push_back(arg.data());
  plan.argv.push_back(nullptr);
  buildEnvironment(options, plan);
  if (!options.cwd.empty())
    plan.cwd = options.cwd.c_str();

  SubprocessMonitor *monitor = options.monitor;
  bool hasChannel = monitor && monitor->channelDescriptor() > 2;
  Pipe out, err, channel, failure;
  Descriptor devNull(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!devNull.isOpen() || !out.open() || !err.open() || !failure.open() ||
      (hasChannel && !channel.open()))
    return systemError("cannot make the pipes for '" + plan.program + "'",
                       errno);
  plan.in = devNull.get();
  plan.out = out.write.get();
  plan.err = err.write.get();
  plan.failure = failure.write.get();
  if (hasChannel) {
    plan.channel = channel.write.get();
    plan.channelTarget = monitor->channelDescriptor();
  }
  plan.parent = ::getpid();
  RunningPrograms &programs = RunningPrograms::get();
  plan.endSignal = programs.endSignal;
  heedChildren();

  Clock::time_point start = Clock::now();
  pid_t pid = programs.start();
  if (pid < 0)
    return systemError("cannot start a process for '" + plan.program + "'",
                       errno);
  if (pid == 0)
    runChild(plan);
  for (Pipe *pipe : {&out, &err, &channel, &failure})
    pipe->write.close();

  int number = 0;
  ssize_t got;
  do
    got = ::read(failure.read.get(), &number, sizeof(number));
  while (got < 0 && errno == EINTR);
  if (got == ssize_t(sizeof(number))) {
    ::waitpid(pid, nullptr, 0);
    programs.finish(pid);
    if (plan.cwd && ::access(plan.cwd, X_OK) != 0)
      return systemError("cannot enter the directory '" + options.cwd + "'",
                         number);
    return systemError("cannot run '" + plan.program + "'", number);
  }

  SubprocessResult result;
  BoundedOutput outText(options.maxOutputBytes);
  BoundedOutput errText(options.maxOutputBytes);
  struct Stream {
    Descriptor *fd;
    std::function<void(StringRef)> sink;
  };
  Stream streams[] = {
      {&out.read, [&](StringRef bytes) { outText.append(bytes); }},
      {&err.read, [&](StringRef bytes) { errText.append(bytes); }},
      {&channel.read, [&](StringRef bytes) { monitor->onChannel(bytes); }},
  };
  for (Stream &stream : streams)
    if (stream.fd->isOpen())
      ::fcntl(stream.fd->get(), F_SETFL, O_NONBLOCK);

  bool exited = false, timedOut = false;
  int status = 0;
  int slice = 1;
  while (true) {
    if (!exited && hasEnded(pid, status)) {
      exited = true;
      // What it left running in its group ends with it.
      ::kill(-pid, SIGKILL);
    }
    if (monitor)
      monitor->onWait();
    SmallVector<pollfd, 3> fds;
    SmallVector<Stream *, 3> polled;
    for (Stream &stream : streams)
      if (stream.fd->isOpen()) {
        fds.push_back({stream.fd->get(), POLLIN, 0});
        polled.push_back(&stream);
      }
    // After the end only what is already in the pipes is read.
    int ready = ::poll(fds.data(), fds.size(), exited ? 0 : slice);
    slice = ready > 0 ? 1 : std::min(slice * 2, 20);
    bool read = false;
    for (auto [fd, stream] : zip(fds, polled)) {
      if (!(fd.revents & (POLLIN | POLLHUP | POLLERR)))
        continue;
      if (drain(fd.fd, stream->sink))
        read = true;
      else
        stream->fd->close();
    }
    if (exited && !read)
      break;

    if (!exited || read) {
      Clock::time_point now = Clock::now();
      bool late =
          options.timeoutSeconds > 0 &&
          now - start >= std::chrono::duration<double>(options.timeoutSeconds);
      if (monitor)
        if (std::optional<Clock::time_point> deadline = monitor->deadline())
          late |= now >= *deadline;
      if (late && !exited) {
        timedOut = true;
        ::kill(-pid, SIGKILL);
        ::kill(pid, SIGKILL);
        // A process inside a driver call may take its time to die. One that
        // the kernel does not let go is left behind.
        Clock::time_point patience = Clock::now() + std::chrono::seconds(30);
        while (!hasEnded(pid, status) && Clock::now() < patience)
          ::usleep(2000);
        exited = true;
      } else if (late) {
        break;
      }
    }
  }
  programs.finish(pid);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.out = outText.take();
  result.err = errText.take();
  if (timedOut) {
    result.end = SubprocessResult::End::TimedOut;
  } else if (WIFSIGNALED(status)) {
    result.end = SubprocessResult::End::Signaled;
    result.signal = WTERMSIG(status);
  } else {
    result.exitCode = WEXITSTATUS(status);
  }
  return result;
}

void ptxbench::closeMemory() { ::prctl(PR_SET_DUMPABLE, 0); }
