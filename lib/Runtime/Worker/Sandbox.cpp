//===- Sandbox.cpp - Where candidates run ---------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The wall from outside. Whether a kernel lets a process make namespaces is
// only known by doing so: containers often forbid what bubblewrap needs, so
// each sandbox is tried.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"
#include "ptxbench/Support/Subprocess.h"
#include "ptxbench/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

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

/// Parts of /proc by which the superuser changes the machine, rights or none:
/// files that ask who opens them only.
static constexpr StringLiteral machineSettings[] = {
    "acpi", "asound", "bus", "driver", "fs",           "irq",
    "mtrr", "scsi",   "sys", "tty",    "sysrq-trigger"};

/// The names in /dev of what a driver for GPUs, a board's or a virtual
/// machine's among them, opens.
static std::vector<std::string> gpuDevices() {
  std::vector<std::string> devices;
  std::error_code code;
  for (sys::fs::directory_iterator it("/dev", code), end; it != end && !code;
       it.increment(code)) {
    StringRef name = sys::path::filename(it->path());
    if (any_of(ArrayRef<StringRef>{"nvidia", "nvhost", "nvmap", "nvgpu", "dxg"},
               [&](StringRef prefix) { return name.starts_with(prefix); }))
      devices.push_back(name.str());
  }
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
    for (const std::string &name : gpuDevices())
      append_range(line, ArrayRef<std::string>{"--dev-bind-try", "/dev/" + name,
                                               "/dev/" + name});
  append_range(line, ArrayRef<const char *>{"--tmpfs", "/dev/shm",
                                            "--remount-ro", "/dev"});
  for (StringRef part : machineSettings)
    if (std::string path = ("/proc/" + part).str(); sys::fs::exists(path))
      append_range(line, ArrayRef<std::string>{"--ro-bind", path, path});
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

/// Gives a /dev of its own, whose nodes cannot be changed, makes what is
/// mounted read-only but for one folder, then runs the rest of the arguments
/// without the superuser's rights unless they are to be kept. The shell stays,
/// so that the command is not the first process of its namespace, whose signals
/// differ. The new /dev is made where the folder is, which comes back
/// afterwards.
static constexpr StringLiteral mountScript =
    R"(folder=$1 devices=$2 settings=$3 rights=$4; shift 4
mount --make-rprivate / &&
mount -t tmpfs -o mode=755,nosuid,noexec ptxbench "$folder" || exit 125
for name in null zero full random urandom $devices; do
  [ -e "/dev/$name" ] || continue
  if [ -d "/dev/$name" ]
  then mkdir "$folder/$name"
  else touch "$folder/$name"
  fi &&
  mount --rbind "/dev/$name" "$folder/$name" &&
  mount -o remount,bind,ro "$folder/$name" || exit 125
done
ln -s /proc/self/fd "$folder/fd" &&
ln -s fd/0 "$folder/stdin" && ln -s fd/1 "$folder/stdout" &&
ln -s fd/2 "$folder/stderr" && mkdir "$folder/shm" &&
mount -t tmpfs -o mode=1777,nosuid,nodev,size=64m ptxbench "$folder/shm" &&
mount -o remount,bind,ro "$folder" &&
mount --rbind "$folder" /dev && umount -l "$folder" || exit 125
for part in $settings; do
  [ ! -e "/proc/$part" ] ||
  { mount --bind "/proc/$part" "/proc/$part" &&
    mount -o remount,bind,ro "/proc/$part"; } || exit 125
done
mount --bind "$folder" "$folder" || exit 125
while read -r _ point _; do
  # A space is \040 in the table.
  case $point in
  *\\*) point=$(printf '%b.' "$point") point=${point%.} ;;
  esac
  case $point in
  /dev|/dev/*|/proc|/proc/*|"$folder") ;;
  *) mount -o remount,bind,ro "$point" 2>/dev/null ;;
  esac
done < /proc/self/mounts
mount -o remount,bind,nosuid,nodev "$folder" || exit 125
(: > "/usr/.ptxbench") 2>/dev/null && exit 125
drop=
[ "$rights" = keep ] || ! command -v setpriv >/dev/null ||
  drop="setpriv --bounding-set=-all --inh-caps=-all --"
cd "$folder" && $drop "$@"
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
               ArrayRef<std::string>{
                   "--", "sh", "-c", mountScript.str(), "sh", options.folder,
                   options.gpu ? join(gpuDevices(), " ") : "",
                   join(ArrayRef<StringLiteral>(machineSettings), " "),
                   options.privileged ? "keep" : "drop"});
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
