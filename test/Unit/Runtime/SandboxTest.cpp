//===- SandboxTest.cpp - Tests of where candidates run --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of sandbox that can be had here is tried; each thing that is
// forbidden stands beside one that is allowed.
//
//===----------------------------------------------------------------------===//

#include "Worker/Sandbox.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ptxbench;

namespace {

struct Folder {
  llvm::SmallString<128> path;
  Folder() { llvm::sys::fs::createUniqueDirectory("ptxbench-sandbox", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }
};

std::optional<SubprocessResult> run(const Sandbox &sandbox,
                                    const std::string &script) {
  SubprocessOptions process;
  process.argv = sandbox.prefix;
  process.argv.insert(process.argv.end(), {"/bin/sh", "-c", script});
  process.timeoutSeconds = 20;
  llvm::Expected<SubprocessResult> result = runSubprocess(process);
  if (result)
    return *result;
  ADD_FAILURE() << llvm::toString(result.takeError());
  return std::nullopt;
}

bool succeeds(const Sandbox &sandbox, const llvm::Twine &script) {
  std::optional<SubprocessResult> result = run(sandbox, script.str());
  return result && result->succeeded();
}

/// The sandboxes that work here.
std::vector<Sandbox> working(const SandboxOptions &options) {
  std::vector<Sandbox> sandboxes = sandboxCandidates(options);
  llvm::erase_if(sandboxes, [](const Sandbox &sandbox) {
    return !succeeds(sandbox, "true");
  });
  return sandboxes;
}

TEST(Sandbox, OneFolderCanBeWrittenTo) {
  Folder folder, other;
  SandboxOptions options;
  options.folder = folder.path.str().str();
  std::vector<Sandbox> sandboxes = working(options);
  if (sandboxes.empty())
    GTEST_SKIP() << makeSandbox(options).reason;
  for (const Sandbox &sandbox : sandboxes) {
    SCOPED_TRACE(sandbox.kind);
    EXPECT_TRUE(succeeds(sandbox, "echo > " + folder.path + "/here"));
    EXPECT_TRUE(llvm::sys::fs::exists(folder.path + "/here"));
    EXPECT_FALSE(succeeds(sandbox, "echo > " + other.path + "/there"));
    EXPECT_FALSE(llvm::sys::fs::exists(other.path + "/there"));
    EXPECT_FALSE(succeeds(sandbox, "echo > /tmp/ptxbench-there"));
    llvm::sys::fs::remove(folder.path + "/here");
  }
}

TEST(Sandbox, OthersFilesAreHidden) {
  Folder folder, shown, hidden;
  for (const Folder *one : {&shown, &hidden}) {
    std::error_code code;
    llvm::raw_fd_ostream((one->path + "/file").str(), code) << "x";
  }
  SandboxOptions options;
  options.folder = folder.path.str().str();
  // What is not there, or not hidden, is no harm.
  options.readable = {shown.path.str().str(), "/no/such/folder",
                      "/tmp/no/such/folder", "/usr"};
  for (const Sandbox &sandbox : working(options)) {
    SCOPED_TRACE(sandbox.kind);
    EXPECT_TRUE(succeeds(sandbox, "cat " + shown.path + "/file"));
    // Namespaces alone hide nothing, which the note says.
    bool hides = sandbox.kind == "bubblewrap";
    EXPECT_EQ(succeeds(sandbox, "cat " + hidden.path + "/file"), !hides);
    EXPECT_EQ(describe(sandbox).empty(), hides);
  }
}

TEST(Sandbox, HasNoOtherProcessesAndNoNetwork) {
  Folder folder;
  SandboxOptions options;
  options.folder = folder.path.str().str();
  for (const Sandbox &sandbox : working(options)) {
    SCOPED_TRACE(sandbox.kind);
    std::optional<SubprocessResult> result =
        run(sandbox, "ls -d /proc/[0-9]* | wc -l");
    ASSERT_TRUE(result.has_value());
    EXPECT_LT(std::atoi(result->out.c_str()), 8) << result->out;
    // Two lines of titles, and the loopback device.
    result = run(sandbox, "grep -vc -e lo: -e '|' /proc/net/dev");
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->out, "0\n");
  }
}

TEST(Sandbox, HasDevicesOfItsOwn) {
  Folder folder;
  SandboxOptions options;
  options.folder = folder.path.str().str();
  bool hasLog = llvm::sys::fs::exists("/dev/kmsg");
  for (bool gpu : {false, true})
    for (bool privileged : {false, true}) {
      options.gpu = gpu;
      options.privileged = privileged;
      for (const Sandbox &sandbox : working(options)) {
        SCOPED_TRACE(sandbox.kind);
        EXPECT_TRUE(succeeds(sandbox, "echo > /dev/null"));
        EXPECT_TRUE(succeeds(sandbox, "test -n \"$(head -c 9 /dev/urandom "
                                      "| od -An)\""));
        EXPECT_TRUE(succeeds(sandbox, "echo x | cat /dev/stdin"));
        EXPECT_FALSE(succeeds(sandbox, "touch /dev/ptxbench-here"));
        EXPECT_FALSE(llvm::sys::fs::exists("/dev/ptxbench-here"));
        // Nobody finds what was left there.
        EXPECT_TRUE(succeeds(sandbox, "test ! -e /dev/shm/ptxbench-here && "
                                      "touch /dev/shm/ptxbench-here"));
        EXPECT_FALSE(llvm::sys::fs::exists("/dev/shm/ptxbench-here"));
        if (hasLog) {
          EXPECT_FALSE(succeeds(sandbox, "test -e /dev/kmsg"));
        }
        if (llvm::sys::fs::exists("/dev/nvidiactl")) {
          EXPECT_EQ(succeeds(sandbox, "test -e /dev/nvidiactl"), gpu);
        }
      }
    }
}

TEST(Sandbox, TheMachineCannotBeSet) {
  Folder folder;
  SandboxOptions options;
  options.folder = folder.path.str().str();
  for (bool privileged : {false, true}) {
    options.privileged = privileged;
    for (const Sandbox &sandbox : working(options)) {
      SCOPED_TRACE(sandbox.kind);
      for (llvm::StringRef file :
           {"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger"})
        if (llvm::sys::fs::exists(file)) {
          EXPECT_FALSE(succeeds(sandbox, "test -w " + file)) << file.str();
        }
      EXPECT_TRUE(succeeds(sandbox, "test -r /proc/sys/kernel/ostype"));
      EXPECT_TRUE(succeeds(sandbox, "mkfifo " + folder.path + "/pipe"));
      ::unlink((folder.path + "/pipe").str().c_str());
      // A device that is made has no effect, if one can be made at all.
      EXPECT_FALSE(succeeds(sandbox, "mknod " + folder.path +
                                         "/node c 1 3 && echo > " +
                                         folder.path + "/node"));
      ::unlink((folder.path + "/node").str().c_str());
      bool hasRights =
          !succeeds(sandbox, "grep -q 'CapEff:.0*$' /proc/self/status");
      EXPECT_EQ(hasRights, privileged && ::geteuid() == 0);
    }
  }
}

TEST(Sandbox, NamesOfMountsMayHaveSpaces) {
  Folder folder, other;
  std::string place = (other.path + "/two words\\").str();
  llvm::sys::fs::create_directory(place);
  if (::mount("ptxbench-test", place.c_str(), "tmpfs", 0, nullptr) != 0)
    GTEST_SKIP() << "nothing can be mounted here";
  SandboxOptions options;
  options.folder = folder.path.str().str();
  for (const Sandbox &sandbox : working(options)) {
    SCOPED_TRACE(sandbox.kind);
    EXPECT_FALSE(succeeds(sandbox, "touch '" + place + "/file'"));
  }
  ::umount2(place.c_str(), MNT_DETACH);
}

TEST(Sandbox, PassesOnHowACommandEnded) {
  Folder folder;
  SandboxOptions options;
  options.folder = folder.path.str().str();
  for (const Sandbox &sandbox : working(options)) {
    SCOPED_TRACE(sandbox.kind);
    std::optional<SubprocessResult> result = run(sandbox, "exit 7");
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->exitCode, 7);
    result = run(sandbox, "kill -SEGV $$");
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->exitCode, 128 + SIGSEGV);
  }
}

TEST(Sandbox, NamesWhatIsMissing) {
  Sandbox none;
  none.reason = "why";
  EXPECT_EQ(describe(none), "the candidate ran without a sandbox, under limits "
                            "of time and files only: why");
}

TEST(Sandbox, AWorkerReadsItsInputs) {
  RunRequest request;
  request.library = "/w/kernel.so";
  request.inputsDir = "/w/inputs";
  request.tensors.emplace_back();
  request.tensors[0].file = "/data/../data/x.safetensors";
  std::vector<std::string> paths =
      readablePaths(request, "/opt/tool/bin/program");
  for (const char *path :
       {"/opt/tool", "/w/kernel.so", "/w/inputs", "/data/x.safetensors"})
    EXPECT_TRUE(llvm::is_contained(paths, path)) << path;
}

TEST(Sandbox, AWorkerFindsTvmFfi) {
  // A worker knows the folder by its headers, though it opens the library only.
  ToolchainOptions options;
  options.executable = "/opt/tool/bin/program";
  llvm::Expected<std::string> folder = Toolchain(options).findTvmFfi();
  if (!folder)
    GTEST_SKIP() << llvm::toString(folder.takeError());
  EXPECT_TRUE(llvm::is_contained(
      readablePaths(RunRequest(), options.executable), *folder));
}

TEST(Sandbox, SecretsAreNotHandedOn) {
  ::setenv("PTXBENCH_TEST_VARIABLE", "shown", 1);
  ::setenv("API_TOKEN", "secret", 1);
  std::vector<std::string> variables = candidateEnvironment("/w");
  EXPECT_TRUE(llvm::is_contained(variables, "PTXBENCH_TEST_VARIABLE=shown"));
  EXPECT_TRUE(llvm::is_contained(variables, "HOME=/w"));
  for (llvm::StringRef variable : variables)
    EXPECT_FALSE(variable.contains("secret"));
  ::unsetenv("API_TOKEN");
  ::unsetenv("PTXBENCH_TEST_VARIABLE");
}

void *nothing(void *) { return nullptr; }

/// Runs in a process that has given up calls; the number of the first check
/// that fails, 0 if none does, 100 if calls cannot be given up here.
int checkDenied() {
  if (llvm::Error error = denySystemCalls()) {
    llvm::consumeError(std::move(error));
    return 100;
  }
  pthread_t thread;
  if (pthread_create(&thread, nullptr, nothing, nullptr) ||
      pthread_join(thread, nullptr))
    return 1;
  if (::fork() != -1 || errno != EPERM)
    return 2;
  char *const arguments[] = {const_cast<char *>("/bin/true"), nullptr};
  if (::execv("/bin/true", arguments) != -1 || errno != EPERM)
    return 3;
  if (::socket(AF_INET, SOCK_STREAM, 0) != -1 || errno != EPERM)
    return 4;
  if (::syscall(SYS_ptrace, 0, 0, 0, 0) != -1 || errno != EPERM)
    return 5;
  // The mode is looked at before there is a name.
  if (::mknod("/", S_IFCHR | 0600, makedev(1, 3)) != -1 || errno != EPERM ||
      ::mknod("/", S_IFBLK | 0600, makedev(1, 3)) != -1 || errno != EPERM)
    return 7;
  if (::mkfifo("/", 0600) != -1 || errno != EEXIST)
    return 8;
  int file = ::open("/dev/null", O_RDWR);
  char typed = 'x';
  // The kernel drops the upper half of a command.
  for (unsigned long command : {0ul, 1ul << 32})
    if (::ioctl(file, command | TIOCSTI, &typed) != -1 || errno != EPERM)
      return 9;
  if (::ioctl(file, TIOCGWINSZ, nullptr) != -1 || errno != ENOTTY)
    return 10;
  if (::kill(::getppid(), 0) != -1 || errno != EPERM ||
      ::kill(::getpid(), 0) != 0)
    return 11;
  struct rlimit limit;
  if (::prlimit(::getppid(), RLIMIT_NOFILE, nullptr, &limit) != -1 ||
      errno != EPERM || ::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return 12;
  if (::prctl(PR_SET_PDEATHSIG, 0) != -1 || errno != EPERM)
    return 13;
  if (::chmod("/no/such/file", 0600) != -1 || errno != EPERM ||
      ::fchmod(file, 0666) != -1 || errno != EPERM)
    return 14;
  // With arguments that do no harm where they are not denied.
  constexpr long openTree = 428, mountSetattr = 442;
  for (long call : {long(SYS_init_module), long(SYS_swapon), long(SYS_acct),
                    openTree, mountSetattr})
    if (::syscall(call, -1l, 1l, 0l, 0l, 0l) != -1 || errno != EPERM)
      return 15;
  if (::syscall(SYS_settimeofday, nullptr, nullptr) != -1 || errno != EPERM)
    return 16;
  // Files are the namespaces' business.
  return ::access("/", R_OK) == 0 ? 0 : 6;
}

/// What `body` returns in a process of its own; -1 if that does not end.
int inChild(llvm::function_ref<int()> body) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(body());
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

TEST(Sandbox, WorkersGiveUpCalls) {
  int code = inChild(checkDenied);
  if (code == 100)
    GTEST_SKIP() << "no filters of system calls here";
  EXPECT_EQ(code, 0);
  // This process is as it was.
  EXPECT_EQ(inChild([] { return 0; }), 0);
}

/// Why the memory of a process cannot be opened to write; 0 if it can.
int errorOfOpening(pid_t process) {
  std::string path = "/proc/" + std::to_string(process) + "/mem";
  int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0)
    return errno;
  ::close(file);
  return 0;
}

/// The process may not open the memory of others anyway.
constexpr int mayNever = 100;

TEST(Sandbox, WorkersLeaveOtherMemory) {
  if (::syscall(SYS_landlock_create_ruleset, nullptr, 0,
                LANDLOCK_CREATE_RULESET_VERSION) < 1)
    GTEST_SKIP() << "this kernel has no Landlock";
  int code = inChild([] {
    pid_t parent = ::getppid();
    if (errorOfOpening(parent))
      return mayNever;
    if (llvm::Error error = leaveOtherMemory()) {
      llvm::consumeError(std::move(error));
      return 1;
    }
    if (errorOfOpening(parent) != EACCES)
      return 2;
    return errorOfOpening(::getpid()) ? 3 : 0;
  });
  if (code == mayNever)
    GTEST_SKIP() << "the memory of another process cannot be opened anyway";
  EXPECT_EQ(code, 0);
}

TEST(Sandbox, MemoryIsClosedToTheSameUser) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "needs the superuser, to be two processes of another user";
  int code = inChild([] {
    constexpr uid_t nobody = 65534;
    if (::setresuid(nobody, nobody, nobody))
      return 1;
    // To become another user closes it, too.
    ::prctl(PR_SET_DUMPABLE, 1);
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    auto open = [] { return errorOfOpening(::getppid()); };
    if (inChild(open))
      return mayNever;
    closeMemory();
    return inChild(open) == EACCES ? 0 : 2;
  });
  if (code == mayNever)
    GTEST_SKIP() << "the memory of another process cannot be opened anyway";
  EXPECT_EQ(code, 0);
}

/// Rights that a process has and may have, after it gave them up.
uint64_t rightsAfter(bool keepCounters) {
  int ends[2];
  if (::pipe(ends) != 0)
    return ~uint64_t(0);
  pid_t child = ::fork();
  if (child == 0) {
    uint64_t rights = ~uint64_t(0);
    if (llvm::Error error = dropRights(keepCounters)) {
      llvm::consumeError(std::move(error));
    } else {
      __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
      __user_cap_data_struct sets[2] = {};
      ::syscall(SYS_capget, &header, sets);
      rights = 0;
      for (unsigned i = 0; i < 2; ++i)
        rights |= uint64_t(sets[i].effective | sets[i].permitted |
                           sets[i].inheritable)
                  << (32 * i);
    }
    (void)!::write(ends[1], &rights, sizeof(rights));
    ::_exit(0);
  }
  uint64_t rights = ~uint64_t(0);
  (void)!::read(ends[0], &rights, sizeof(rights));
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return rights;
}

TEST(Sandbox, WorkersGiveUpRights) {
  EXPECT_EQ(rightsAfter(/*keepCounters=*/false), 0u);
  constexpr uint64_t counters =
      uint64_t(1) << CAP_SYS_ADMIN | uint64_t(1) << 38 /*CAP_PERFMON*/;
  EXPECT_EQ(rightsAfter(/*keepCounters=*/true) & ~counters, 0u);
  if (::geteuid() == 0) {
    EXPECT_NE(rightsAfter(/*keepCounters=*/true), 0u);
  }
}

} // namespace
