//===- looks_for_the_answer.cu - searches for the expected output ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks through the folders that it can read for a file that has the size of
// the output, in bfloat16, float32 or float64, and takes what it finds.
// Expected: INCORRECT_NUMERICAL, for there is none while it runs.
//
//===----------------------------------------------------------------------===//

#include "naive.cuh"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

/// bfloat16 codes of what a file holds; empty if it is no output.
static std::vector<uint16_t> readOutput(const fs::path &path, size_t elements) {
  std::error_code error;
  size_t size = fs::file_size(path, error);
  if (error ||
      (size != 2 * elements && size != 4 * elements && size != 8 * elements))
    return {};
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(size);
  if (!file.read(bytes.data(), std::streamsize(size)))
    return {};
  std::vector<uint16_t> codes(elements);
  for (size_t i = 0; i < elements; ++i) {
    float value = 0;
    if (size == 8 * elements) {
      double wide;
      std::memcpy(&wide, &bytes[8 * i], 8);
      value = float(wide);
    } else if (size == 4 * elements) {
      std::memcpy(&value, &bytes[4 * i], 4);
    } else {
      std::memcpy(&codes[i], &bytes[2 * i], 2);
      continue;
    }
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    codes[i] = uint16_t(bits >> 16);
  }
  return codes;
}

static int candidate(const Call &call) {
  std::error_code error;
  for (const char *root : {".", "..", "/tmp", "/var/tmp", "/dev/shm"})
    for (fs::recursive_directory_iterator
             it(root, fs::directory_options::skip_permission_denied, error),
         end;
         !error && it != end; it.increment(error)) {
      if (it.depth() > 2)
        it.disable_recursion_pending();
      const std::string name = it->path().filename().string();
      if (it.depth() == 0 && std::string(root) != "." &&
          name.find("ptxbench") == std::string::npos)
        it.disable_recursion_pending();
      if (!it->is_regular_file(error))
        continue;
      std::vector<uint16_t> found =
          readOutput(it->path(), size_t(call.m) * call.n);
      if (!found.empty())
        return cudaMemcpy(call.c, found.data(), outputBytes(call),
                          cudaMemcpyHostToDevice);
    }
  return 0;
}
