//===- PlainFile.cpp - Files where others could write ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a name stands for is asked of the open descriptor, so that it cannot be
// exchanged between the question and the reading. Nothing is mapped: a file
// that becomes shorter would end the process that has it mapped.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

static Error systemError(const Twine &what, int number) {
  return createStringError(std::error_code(number, std::generic_category()),
                           what + ": " + StringRef(std::strerror(number)));
}

namespace {
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0)
      ::close(fd);
  }
};
} // namespace

bool ptxbench::isAnythingThere(StringRef path) {
  SmallString<256> name(path);
  struct stat status;
  return ::lstat(name.c_str(), &status) == 0;
}

Expected<std::unique_ptr<MemoryBuffer>>
ptxbench::readPlainFile(StringRef path, uint64_t maxBytes) {
  SmallString<256> name(path);
  Descriptor file{
      ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)};
  if (file.fd < 0) {
    if (errno == ELOOP)
      return createStringError(std::make_error_code(std::errc::io_error),
                               "expected a regular file but '" + path +
                                   "' is a link");
    return systemError("cannot read '" + path + "'", errno);
  }
  struct stat status;
  if (::fstat(file.fd, &status) != 0)
    return systemError("cannot read '" + path + "'", errno);
  if (!S_ISREG(status.st_mode))
    return createStringError(std::make_error_code(std::errc::io_error),
                             "expected a regular file but '" + path +
                                 "' is none");
  if (uint64_t(status.st_size) > maxBytes)
    return createStringError(std::make_error_code(std::errc::file_too_large),
                             "expected at most " + Twine(maxBytes) +
                                 " bytes but '" + path + "' has " +
                                 Twine(uint64_t(status.st_size)));
  std::unique_ptr<WritableMemoryBuffer> buffer =
      WritableMemoryBuffer::getNewUninitMemBuffer(size_t(status.st_size), path);
  if (!buffer)
    return systemError("cannot read '" + path + "'", ENOMEM);
  char *at = buffer->getBufferStart();
  size_t left = buffer->getBufferSize();
  while (left) {
    ssize_t got = ::read(file.fd, at, left);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return systemError("cannot read '" + path + "'", errno);
    if (got == 0)
      return createStringError(std::make_error_code(std::errc::io_error),
                               "'" + path +
                                   "' became shorter while it was "
                                   "read");
    at += got;
    left -= size_t(got);
  }
  return std::unique_ptr<MemoryBuffer>(std::move(buffer));
}

Error ptxbench::writeNewFile(StringRef path, StringRef bytes) {
  SmallString<256> name(path);
  if (::unlink(name.c_str()) != 0 && errno != ENOENT &&
      ::rmdir(name.c_str()) != 0)
    return systemError("cannot write '" + path + "'", errno);
  Descriptor file{::open(name.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                         0666)};
  if (file.fd < 0)
    return systemError("cannot write '" + path + "'", errno);
  while (!bytes.empty()) {
    ssize_t written = ::write(file.fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("cannot write '" + path + "'",
                         written < 0 ? errno : EIO);
    bytes = bytes.drop_front(size_t(written));
  }
  int fd = file.fd;
  file.fd = -1;
  if (::close(fd) != 0)
    return systemError("cannot write '" + path + "'", errno);
  return Error::success();
}
