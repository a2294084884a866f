//===- RemoveFolder.cpp - Removing what others left -----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All names are seen from an open folder, since a path to what is deep is
// longer than the system takes. Folders that are not empty are moved up into
// the one that is to be emptied, so that there is neither recursion nor a
// descriptor for each level, however deep they are.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/RemoveFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

namespace {

struct Descriptor {
  int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};

/// Lets the owner do everything in a folder. Not by its name, which could be
/// that of a link.
bool makeOurs(int in, const char *name) {
  Descriptor place(
      ::openat(in, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (place.fd < 0)
    return false;
  std::string self = "/proc/self/fd/" + std::to_string(place.fd);
  return ::chmod(self.c_str(), S_IRWXU) == 0;
}

int openFolder(int in, const char *name) {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = ::openat(in, name, flags);
  struct stat status;
  bool isOurs = fd >= 0 && ::fstat(fd, &status) == 0 &&
                (status.st_mode & S_IRWXU) == S_IRWXU;
  if (isOurs || (fd < 0 && errno != EACCES) || !makeOurs(in, name))
    return fd;
  if (fd >= 0)
    ::close(fd);
  return ::openat(in, name, flags);
}

class Emptying {
public:
  Emptying(int top, StringRef path, function_ref<bool(StringRef)> isKept)
      : top(top), path(path), isKept(isKept),
        prefix(".removed-" + std::to_string(std::random_device()()) + "-") {}

  Error run() {
    // What is moved up may be seen in this pass or in the next.
    do {
      problem.clear();
      changed = left = false;
      forEach(top, [&](const char *name) {
        if (isKept(name) || removeSimple(top, name))
          return;
        left = true;
        int error = errno;
        if (error == ENOTEMPTY || error == EEXIST || error == EACCES)
          error = unfold(name);
        if (error)
          noteProblem(name, error);
      });
    } while (left && changed);
    if (problem.empty())
      return Error::success();
    return createStringError(inconvertibleErrorCode(), problem);
  }

private:
  void noteProblem(StringRef name, int error) {
    if (problem.empty())
      problem = ("cannot remove '" + name + "' in '" + path +
                 "': " + StringRef(std::strerror(error)))
                    .str();
  }

  void forEach(int folder, function_ref<void(const char *)> use) {
    // A position of its own.
    int fd = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? nullptr : ::fdopendir(fd);
    if (!stream) {
      noteProblem(".", errno);
      if (fd >= 0)
        ::close(fd);
      return;
    }
    while (const dirent *entry = ::readdir(stream))
      if (std::strcmp(entry->d_name, ".") && std::strcmp(entry->d_name, ".."))
        use(entry->d_name);
    ::closedir(stream);
  }

  /// Removes what is no folder, or an empty one. False with errno.
  bool removeSimple(int in, const char *name) {
    if (::unlinkat(in, name, 0) != 0 &&
        ((errno != EISDIR && errno != EPERM) ||
         ::unlinkat(in, name, AT_REMOVEDIR) != 0))
      return false;
    changed = true;
    return true;
  }

  /// Removes a folder, after what is in it was removed or moved up. The number
  /// of an error.
  int unfold(const char *name) {
    Descriptor folder(openFolder(top, name));
    if (folder.fd < 0)
      return errno;
    int failed = 0;
    forEach(folder.fd, [&](const char *inner) {
      if (!removeSimple(folder.fd, inner) && !moveUp(folder.fd, inner))
        failed = errno;
    });
    if (failed)
      return failed;
    return removeSimple(top, name) ? 0 : errno;
  }

  bool moveUp(int in, const char *name) {
    for (bool isOurs = false;;) {
      std::string fresh = prefix + std::to_string(moved++);
      if (::renameat(in, name, top, fresh.c_str()) == 0) {
        changed = true;
        return true;
      }
      // A folder that moves is written to: the way up is in it.
      if (errno == EACCES && !isOurs && makeOurs(in, name)) {
        isOurs = true;
        continue;
      }
      if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
        return false;
    }
  }

  int top;
  StringRef path;
  function_ref<bool(StringRef)> isKept;
  std::string prefix;
  uint64_t moved = 0;
  bool changed = false, left = false;
  std::string problem;
};

} // namespace

Error ptxbench::emptyFolder(StringRef path,
                            function_ref<bool(StringRef)> isKept) {
  SmallString<256> name(path);
  Descriptor top(openFolder(AT_FDCWD, name.c_str()));
  if (top.fd < 0)
    return createStringError(std::error_code(errno, std::generic_category()),
                             "cannot open '" + path +
                                 "': " + StringRef(std::strerror(errno)));
  return Emptying(top.fd, path, isKept).run();
}

Error ptxbench::removeFolder(StringRef path) {
  SmallString<256> name(path);
  struct stat status;
  if (::lstat(name.c_str(), &status) != 0)
    return Error::success();
  Error error = S_ISDIR(status.st_mode)
                    ? emptyFolder(path, [](StringRef) { return false; })
                    : Error::success();
  if (error || ::remove(name.c_str()) == 0)
    return error;
  return createStringError(std::error_code(errno, std::generic_category()),
                           "cannot remove '" + path +
                               "': " + StringRef(std::strerror(errno)));
}
