//===- Worker.cpp - What the jobs of workers share ------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Failures and files.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include "ptxbench/Support/PlainFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <sys/random.h>

using namespace llvm;
using namespace ptxbench;

char RuntimeFailure::ID;

void RuntimeFailure::log(raw_ostream &os) const {
  if (!code.empty())
    os << code << ": ";
  os << describe();
}

std::string RuntimeFailure::describe() const {
  return place.empty() ? message : place + ": " + message;
}

Error ptxbench::makeFailure(const Twine &code, const Twine &message,
                            const Twine &place) {
  return make_error<RuntimeFailure>(code.str(), message.str(), place.str());
}

Expected<uint32_t> ptxbench::drawNumber() {
  uint32_t number = 0;
  ssize_t got = ::getrandom(&number, sizeof(number), 0);
  if (got != ssize_t(sizeof(number)))
    return createStringError(inconvertibleErrorCode(),
                             "the system gives no random numbers");
  return number;
}

Error ptxbench::saveFile(ProtocolWriter &out, StringRef path,
                         ArrayRef<uint8_t> bytes) {
  StringRef text = toStringRef(bytes);
  out.file(sys::path::filename(path), text);
  return handleErrors(
      writeNewFile(path, text), [](const StringError &error) -> Error {
        std::error_code code = error.convertToErrorCode();
        std::string message = error.getMessage();
        if (code == std::errc::no_space_on_device ||
            code == std::error_code(EDQUOT, std::generic_category()))
          return makeFailure("NO_SPACE",
                             message + " (the candidate, which has the same "
                                       "disk, or somebody else filled it)");
        return createStringError(code, message);
      });
}
