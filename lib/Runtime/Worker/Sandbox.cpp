//===- Sandbox.cpp - Where candidates run ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a kernel lets a process make namespaces is only known by doing so:
// containers often forbid what bubblewrap needs, so each sandbox is tried.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

//===----------------------------------------------------------------------===//
// From outside
//===----------------------------------------------------------------------===//

/// Folders of others' files. Where one of ours is in them it is named.
static constexpr StringLiteral hiddenFolders[] = {"/home", "/root", "/tmp",
                                                  "/var/tmp"};

std::vector<std::string> ptxbench::readablePaths(const RunRequest &request,
                                                 StringRef executable) {
  std::vector<std::string> paths;
  auto add = [&](StringRef path) {
    SmallString<256> whole(path);
    if (path.empty() || sys::fs::make_absolute(whole))
      return;
    sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
    if (!is_contained(paths, whole.str()))
      paths.push_back(whole.str().str());
  };
  // Libraries and headers lie beside the folder of the program.
  add(sys::path::parent_path(sys::path::parent_path(executable)));
  add(request.library);
  add(request.inputsDir);
  add(request.cudaPath);
  add(request.tvmFfiPath);
  ToolchainOptions options;
  options.cudaPath = request.cudaPath;
  options.tvmFfiPath = request.tvmFfiPath;
  options.executable = executable.str();
  Toolchain toolchain(options);
  // A worker knows the folder by its headers.
  if (Expected<std::string> folder = toolchain.findTvmFfi())
    add(*folder);
  else
    consumeError(folder.takeError());
  for (const std::string &file : toolchain.tvmFfiLibraryNames())
    add(sys::path::parent_path(file));
  for (const std::string &file : toolchain.cudaLibraryNames("libcudart.so"))
    add(sys::path::parent_path(file));
  for (const std::string &file : toolchain.cudnnLibraryNames())
    add(sys::path::parent_path(file));
  for (const ArgumentSpec &tensor : request.tensors)
    add(tensor.file);
  for (const char *name :
       {"LD_LIBRARY_PATH", "PTXBENCH_LIBRARY_PATH", "PTXBENCH_TVM_FFI_DIR",
        "PTXBENCH_TVM_FFI_LIB", "CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(name)) {
      SmallVector<StringRef> parts;
      StringRef(value).split(parts, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
      for (StringRef part : parts)
        add(part);
    }
  return paths;
}

std::vector<std::string> ptxbench::candidateEnvironment(StringRef folder) {
  std::vector<std::string> variables = {("HOME=" + folder).str(),
                                        ("TMPDIR=" + folder).str(),
                                        // There is no folder to keep it in.
                                        "CUDA_CACHE_DISABLE=1"};
  for (char **variable = environ; *variable; ++variable) {
    StringRef text = *variable, name = text.split('=').first;
    bool known = is_contained(
        ArrayRef<StringRef>{"PATH", "LANG", "LD_LIBRARY_PATH"}, name);
    for (StringRef prefix : {"CUDA_", "NVIDIA_", "PTXBENCH_", "LC_"})
      known |= name.starts_with(prefix);
    if (known && name != "CUDA_CACHE_DISABLE")
      variables.push_back(text.str());
  }
  return variables;
}

static std::vector<std::string> gpuDevices() {
  std::vector<std::string> devices;
  std::error_code code;
  for (sys::fs::directory_iterator it("/dev", code), end; it != end && !code;
       it.increment(code))
    if (sys::path::filename(it->path()).starts_with("nvidia"))
      devices.push_back(it->path());
  sort(devices);
  return devices;
}

/// Those of `paths`, and what they are links to, that exist and are hidden.
static std::vector<std::string> shownPaths(ArrayRef<std::string> paths) {
  std::vector<std::string> shown;
  auto add = [&](StringRef path) {
    bool hidden = any_of(hiddenFolders, [&](StringRef folder) {
      return path.starts_with((folder + "/").str());
    });
    if (hidden && sys::fs::exists(path) && !is_contained(shown, path))
      shown.push_back(path.str());
  };
  for (const std::string &path : paths) {
    add(path);
    SmallString<256> real;
    if (!sys::fs::real_path(path, real))
      add(real);
  }
  // A folder before what is in it.
  sort(shown);
  return shown;
}

static Sandbox bubblewrap(const SandboxOptions &options,
                          const std::string &program) {
  Sandbox sandbox;
  sandbox.kind = "bubblewrap";
  std::vector<std::string> &line = sandbox.prefix;
  line = {program, "--die-with-parent", "--new-session"};
  // A user namespace would cost the superuser's rights over the device.
  if (options.privileged)
    append_range(line,
                 ArrayRef<const char *>{"--unshare-ipc", "--unshare-net",
                                        "--unshare-pid", "--unshare-uts"});
  else
    append_range(line,
                 ArrayRef<const char *>{"--unshare-all", "--cap-drop", "ALL"});
  append_range(line, ArrayRef<const char *>{"--ro-bind", "/", "/", "--dev",
                                            "/dev", "--proc", "/proc"});
  if (options.gpu)
    for (const std::string &device : gpuDevices())
      append_range(line,
                   ArrayRef<std::string>{"--dev-bind-try", device, device});
  for (StringRef folder : hiddenFolders)
    if (sys::fs::is_directory(folder))
      append_range(line, ArrayRef<std::string>{"--tmpfs", folder.str()});
  for (const std::string &path : shownPaths(options.readable))
    append_range(line, ArrayRef<std::string>{"--ro-bind", path, path});
  append_range(line,
               ArrayRef<std::string>{"--bind", options.folder, options.folder});
  for (StringRef folder : hiddenFolders)
    if (sys::fs::is_directory(folder))
      append_range(line, ArrayRef<std::string>{"--remount-ro", folder.str()});
  append_range(line, ArrayRef<std::string>{"--chdir", options.folder, "--"});
  return sandbox;
}

/// Makes what is mounted read-only but for one folder and what is not on disk,
/// then runs the rest of the arguments. The shell stays, so that the command is
/// not the first process of its namespace, whose signals differ.
static constexpr StringLiteral mountScript =
    R"(folder=$1; shift
mount --make-rprivate / && mount --bind "$folder" "$folder" || exit 125
while read -r _ point _; do
  case $point in
  /dev|/dev/*|/proc|/proc/*|"$folder") ;;
  *) mount -o remount,bind,ro "$point" 2>/dev/null ;;
  esac
done < /proc/self/mounts
(: > "/usr/.ptxbench") 2>/dev/null && exit 125
cd "$folder" && "$@"
exit $?
)";

static Sandbox namespaces(const SandboxOptions &options,
                          const std::string &program) {
  Sandbox sandbox;
  sandbox.kind = "namespaces";
  sandbox.prefix = {program, "--mount", "--net",        "--pid",       "--ipc",
                    "--uts", "--fork",  "--kill-child", "--mount-proc"};
  if (::geteuid() != 0)
    append_range(sandbox.prefix,
                 ArrayRef<const char *>{"--user", "--map-root-user"});
  append_range(sandbox.prefix,
               ArrayRef<std::string>{"--", "sh", "-c", mountScript.str(), "sh",
                                     options.folder});
  return sandbox;
}

std::vector<Sandbox> ptxbench::sandboxCandidates(const SandboxOptions &given) {
  SandboxOptions options = given;
  SmallString<256> folder(options.folder);
  if (!sys::fs::make_absolute(folder))
    options.folder = folder.str().str();
  std::vector<Sandbox> found;
  if (ErrorOr<std::string> program = sys::findProgramByName("bwrap"))
    found.push_back(bubblewrap(options, *program));
  if (ErrorOr<std::string> program = sys::findProgramByName("unshare"))
    found.push_back(namespaces(options, *program));
  return found;
}

Sandbox ptxbench::makeSandbox(const SandboxOptions &options) {
  std::string reason;
  if (!sys::findProgramByName("bwrap"))
    reason = "bubblewrap (bwrap) is not installed";
  for (Sandbox &sandbox : sandboxCandidates(options)) {
    SubprocessOptions trial;
    trial.argv = sandbox.prefix;
    trial.argv.push_back("true");
    trial.timeoutSeconds = 20;
    Expected<SubprocessResult> result = runSubprocess(trial);
    if (result && result->succeeded()) {
      sandbox.reason = reason;
      return std::move(sandbox);
    }
    std::string why;
    if (!result) {
      why = toString(result.takeError());
    } else {
      StringRef text = StringRef(result->err).trim();
      why = text.empty() ? sandbox.kind + ": " + result->describeEnd()
                         : text.split('\n').first.str();
    }
    reason += (reason.empty() ? "" : "; ") + why;
  }
  Sandbox none;
  none.reason = reason;
  return none;
}

std::string ptxbench::describe(const Sandbox &sandbox) {
  if (sandbox.kind == "bubblewrap")
    return "";
  if (sandbox.prefix.empty())
    return "the candidate ran without a sandbox, under limits of time and "
           "files only: " +
           sandbox.reason;
  return "the candidate ran in plain namespaces, where it can read all "
         "files: " +
         sandbox.reason;
}

//===----------------------------------------------------------------------===//
// From inside
//===----------------------------------------------------------------------===//

/// Sets a limit that cannot be raised again.
template <typename Resource>
static void limit(Resource resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0)
    return;
  rlim_t wanted = rlim_t(value);
  if (now.rlim_max != RLIM_INFINITY && wanted > now.rlim_max)
    wanted = now.rlim_max;
  now.rlim_cur = now.rlim_max = wanted;
  setrlimit(resource, &now);
}

void ptxbench::limitResources(uint64_t addressBytes, uint64_t fileBytes) {
  limit(RLIMIT_AS, addressBytes);
  limit(RLIMIT_FSIZE, fileBytes);
  limit(RLIMIT_CORE, 0);
}

void ptxbench::limitDeviceProcess(uint64_t dataBytes, uint64_t fileBytes) {
  limit(RLIMIT_DATA, dataBytes);
  limit(RLIMIT_FSIZE, fileBytes);
  limit(RLIMIT_CORE, 0);
}

static constexpr unsigned deniedCalls[] = {
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_socket,
    SYS_socketpair,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_open_by_handle_at,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_io_uring_setup,
};

#if defined(__x86_64__)
static constexpr uint32_t thisArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr uint32_t thisArchitecture = AUDIT_ARCH_AARCH64;
#endif

Error ptxbench::denySystemCalls() {
#if defined(__x86_64__) || defined(__aarch64__)
  auto load = [](size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset));
  };
  auto answer = [](uint32_t what) {
    return sock_filter BPF_STMT(BPF_RET | BPF_K, what);
  };
  auto refuse = [&](int code) {
    return answer(SECCOMP_RET_ERRNO | uint32_t(code));
  };
  /// Skips `count` instructions unless the loaded word is `value`.
  auto unlessEqual = [](uint32_t value, uint8_t count) {
    return sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
  };
  std::vector<sock_filter> filter = {
      load(offsetof(seccomp_data, arch)),
      // The calls of another architecture have other numbers.
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, thisArchitecture, 1, 0),
      refuse(EPERM), load(offsetof(seccomp_data, nr))};
#ifdef __x86_64__
  constexpr uint32_t x32Bit = 0x40000000;
  filter.push_back(
      sock_filter BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, x32Bit, 0, 1));
  filter.push_back(refuse(EPERM));
#endif
  for (unsigned call : deniedCalls) {
    filter.push_back(unlessEqual(call, 1));
    filter.push_back(refuse(EPERM));
  }
  // Its flags are in memory, which a filter cannot read: the C library falls
  // back to the older call.
  filter.push_back(unlessEqual(SYS_clone3, 1));
  filter.push_back(refuse(ENOSYS));
  // Threads, but no processes.
  filter.push_back(unlessEqual(SYS_clone, 3));
  filter.push_back(load(offsetof(seccomp_data, args[0])));
  filter.push_back(
      sock_filter BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  filter.push_back(refuse(EPERM));
  filter.push_back(answer(SECCOMP_RET_ALLOW));

  sock_fprog program = {static_cast<unsigned short>(filter.size()),
                        filter.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
                &program) != 0)
    return createStringError(std::error_code(errno, std::generic_category()),
                             "cannot give up system calls: %s",
                             std::strerror(errno));
  return Error::success();
#else
  return createStringError(inconvertibleErrorCode(),
                           "system calls cannot be given up on this processor");
#endif
}
