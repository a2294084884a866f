//===- SafeTensorsTest.cpp - Tensors in safetensors files -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/SafeTensors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

class SafeTensors : public ::testing::Test {
protected:
  SafeTensors() {
    llvm::sys::fs::createTemporaryFile("ptxbench", "safetensors", path);
  }
  ~SafeTensors() override { llvm::sys::fs::remove(path); }

  void write(llvm::StringRef header, unsigned dataBytes, uint64_t length) {
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    ASSERT_FALSE(code);
    for (unsigned i = 0; i != 8; ++i)
      os << char(length >> (8 * i));
    os << header << std::string(dataBytes, 'x');
  }
  void write(llvm::StringRef header, unsigned dataBytes = 24) {
    write(header, dataBytes, header.size());
  }
  std::string errorOf(llvm::StringRef key) {
    llvm::Expected<StoredTensor> tensor = findStoredTensor(path, key);
    return tensor ? "accepted" : llvm::toString(tensor.takeError());
  }

  llvm::SmallString<128> path;
};

TEST_F(SafeTensors, Finds) {
  std::string header =
      R"({"__metadata__": {"format": "pt"},
          "a": {"dtype": "BF16", "shape": [2, 3], "data_offsets": [0, 12]},
          "b": {"dtype": "F32", "shape": [], "data_offsets": [12, 16]},
          "c": {"dtype": "F8_E4M3", "shape": [8], "data_offsets": [16, 24]}})";
  write(header);
  llvm::Expected<StoredTensor> a = findStoredTensor(path, "a");
  ASSERT_TRUE(static_cast<bool>(a)) << llvm::toString(a.takeError());
  EXPECT_EQ(a->type, ElementType::BFloat16);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(a->offset, 8 + header.size());
  EXPECT_EQ(a->bytes, 12u);
  llvm::Expected<StoredTensor> c = findStoredTensor(path, "c");
  ASSERT_TRUE(static_cast<bool>(c)) << llvm::toString(c.takeError());
  EXPECT_EQ(c->type, ElementType::Float8E4M3);
  EXPECT_EQ(c->offset, 8 + header.size() + 16);
  EXPECT_NE(errorOf("d").find("expected a tensor \"d\""), std::string::npos);
}

TEST_F(SafeTensors, Refusals) {
  auto refuses = [&](llvm::StringRef header, llvm::StringRef expected) {
    write(header);
    std::string error = errorOf("a");
    EXPECT_NE(error.find(expected.str()), std::string::npos) << error;
  };
  refuses(R"({"a": {"dtype": "F99", "shape": [], "data_offsets": [0, 4]}})",
          "expected an element type");
  for (const char *offsets : {"[0, 5]", "[4, 0]", "[22, 26]", "[0]", "[]",
                              "[18446744073709551612, 0]"})
    refuses(std::string(R"({"a": {"dtype": "F32", "shape": [1], )") +
                "\"data_offsets\": " + offsets + "}}",
            "expected the beginning and the end");
  for (const char *shape :
       {"[-1]", "[4611686018427387904, 4611686018427387904]", "[2]"})
    refuses(std::string(R"({"a": {"dtype": "F32", "shape": )") + shape +
                ", \"data_offsets\": [0, 4]}}",
            "expected the beginning and the end");
  refuses("{", "JSON");
  refuses("[]", "object");
  write("{}", 0, uint64_t(1) << 60);
  EXPECT_NE(errorOf("a").find("expected the length of a header"),
            std::string::npos);
  llvm::sys::fs::remove(path);
  EXPECT_NE(errorOf("a").find("cannot read"), std::string::npos);
}

} // namespace
