//===- ResultStore.cpp - Results that survive a kill ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// POSIX files: LLVM's streams know neither fsync nor locks.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/ResultStore.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;

static Error systemError(const Twine &what, StringRef path) {
  std::error_code code(errno, std::generic_category());
  return createStringError(code, "cannot " + what + " '" + path +
                                     "': " + code.message());
}

Expected<std::unique_ptr<ResultStore>> ResultStore::open(StringRef path) {
  std::string name = path.str();
  int descriptor = sys::RetryAfterSignal(-1, ::open, name.c_str(),
                                         O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0)
    return systemError("open", path);
  std::unique_ptr<ResultStore> store(new ResultStore(name, descriptor));
  // A child of a process that was just killed may hold the file for a moment.
  int locked = -1;
  for (unsigned attempt = 0; attempt < 20 && locked != 0; ++attempt) {
    if (attempt)
      ::usleep(100000);
    locked = sys::RetryAfterSignal(-1, ::flock, descriptor, LOCK_EX | LOCK_NB);
    if (locked != 0 && errno != EWOULDBLOCK)
      break;
  }
  if (locked != 0) {
    if (errno == EWOULDBLOCK)
      return createStringError(inconvertibleErrorCode(),
                               "another process writes to '" + path + "'");
    return systemError("lock", path);
  }
  Error error = store->load();
  if (error)
    return error;
  return store;
}

ResultStore::~ResultStore() { ::close(descriptor); }

Error ResultStore::load() {
  auto file = MemoryBuffer::getOpenFile(
      sys::fs::convertFDToNativeFile(descriptor), path, /*FileSize=*/-1,
      /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '" + path + "': " +
                                                  file.getError().message());
  StringRef text = (*file)->getBuffer();
  size_t whole = text.rfind('\n') + 1;
  StringRef rest = text.take_front(whole);
  for (unsigned number = 1; !rest.empty(); ++number) {
    auto [line, following] = rest.split('\n');
    rest = following;
    if (line.trim().empty())
      continue;
    Expected<Record> record = parseRecord(line, path, number);
    if (!record)
      return record.takeError();
    keep(std::move(*record));
  }
  if (::ftruncate(descriptor, off_t(whole)) != 0)
    return systemError("shorten", path);
  if (::lseek(descriptor, 0, SEEK_END) < 0)
    return systemError("seek in", path);
  return Error::success();
}

void ResultStore::keep(Record record) {
  for (Record &known : all)
    if (known.key == record.key) {
      known = std::move(record);
      return;
    }
  all.push_back(std::move(record));
}

const Record *ResultStore::find(StringRef key) const {
  for (const Record &record : all)
    if (record.key == key)
      return &record;
  return nullptr;
}

Error ResultStore::append(const Record &record) {
  std::string line;
  raw_string_ostream(line) << toJSON(record) << '\n';
  std::lock_guard<std::mutex> lock(mutex);
  StringRef rest = line;
  while (!rest.empty()) {
    ssize_t written = sys::RetryAfterSignal(-1, ::write, descriptor,
                                            rest.data(), rest.size());
    if (written < 0)
      return systemError("write", path);
    rest = rest.drop_front(size_t(written));
  }
  if (::fsync(descriptor) != 0)
    return systemError("synchronise", path);
  keep(record);
  return Error::success();
}
