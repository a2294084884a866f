//===- ToolchainTest.cpp - Where libraries are looked for -----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of places that hold a libcudnn.so.9, and the order in which they are
// named; what a folder of TVM-FFI has to have; and an nvcc that links nothing.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace ptxbench;

namespace {

class ToolchainFolder : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("toolchain", made));
    llvm::SmallString<128> real;
    ASSERT_FALSE(llvm::sys::fs::real_path(made, real));
    root = real.str().str();
    for (const char *name :
         {"PATH", "CUDA_HOME", "CUDA_PATH", "PTXBENCH_LIBRARY_PATH"}) {
      const char *value = std::getenv(name);
      before.emplace_back(name, value ? std::optional<std::string>(value)
                                      : std::nullopt);
      unsetenv(name);
    }
  }

  void TearDown() override {
    for (const auto &[name, value] : before)
      value ? setenv(name, value->c_str(), 1) : unsetenv(name);
    llvm::sys::fs::remove_directories(root);
  }

  std::string at(llvm::StringRef path) {
    llvm::SmallString<128> full(root);
    llvm::sys::path::append(full, path);
    return full.str().str();
  }

  /// Makes an executable file, with the folders above it.
  std::string make(llvm::StringRef path, llvm::StringRef script = "") {
    std::string full = at(path);
    EXPECT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(full)));
    std::error_code code;
    llvm::raw_fd_ostream(full, code) << "#!/bin/sh\n" << script;
    EXPECT_FALSE(code);
    EXPECT_FALSE(llvm::sys::fs::setPermissions(full, llvm::sys::fs::all_all));
    return full;
  }

  /// The places under this test's folder, and the bare name.
  std::vector<std::string> places(const Toolchain &toolchain) {
    return places(toolchain.cudnnLibraryNames());
  }
  std::vector<std::string> places(std::vector<std::string> names) {
    llvm::erase_if(names, [&](llvm::StringRef name) {
      return name.contains('/') && !name.starts_with(root);
    });
    return names;
  }

  std::string root;
  std::vector<std::pair<const char *, std::optional<std::string>>> before;
};

TEST_F(ToolchainFolder, NamedOnesComeFirst) {
  std::string extra = make("extra/libcudnn.so.9");
  std::string toolkit = make("toolkit/lib64/libcudnn.so.9");
  std::string own =
      make("venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
  std::string base =
      make("base/lib/python3.12/dist-packages/nvidia/cudnn/lib/libcudnn.so.9");
  std::string older =
      make("base/lib/python3.9/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
  make("base/bin/python3");
  ASSERT_FALSE(llvm::sys::fs::create_directories(at("venv/bin")));
  ASSERT_FALSE(llvm::sys::fs::create_link(at("base/bin/python3"),
                                          at("venv/bin/python3")));
  setenv("PATH", at("venv/bin").c_str(), 1);
  setenv("PTXBENCH_LIBRARY_PATH", (at("nowhere") + ":" + at("extra")).c_str(),
         1);
  ToolchainOptions options;
  options.cudaPath = at("toolkit");
  EXPECT_EQ(places(Toolchain(options)),
            (std::vector<std::string>{extra, toolkit, own, base, older,
                                      "libcudnn.so.9"}));
}

TEST_F(ToolchainFolder, FetchedCuptiComesBeforeTheToolkits) {
  std::string toolkit = make("toolkit/lib64/libcupti.so.13");
  std::string extra = make("extra/libcupti.so.13");
  setenv("PTXBENCH_LIBRARY_PATH", at("extra").c_str(), 1);
  ToolchainOptions options;
  options.cudaPath = at("toolkit");
  options.executable = make("build/bin/tool");
  std::string fetched =
      make("build/bin/" PTXBENCH_CUPTI_RELATIVE_DIR "/libcupti.so.13");
  EXPECT_EQ(
      places(Toolchain(options).cuptiLibraryNames("libcupti.so.13")),
      (std::vector<std::string>{extra, fetched, toolkit, "libcupti.so.13"}));
  // Another library of the toolkit is not looked for there, and where nothing
  // was fetched the toolkit's is the best.
  EXPECT_EQ(places(Toolchain(options).cudaLibraryNames("libcupti.so.13")),
            (std::vector<std::string>{extra, toolkit, "libcupti.so.13"}));
  options.executable = make("elsewhere/tool");
  EXPECT_EQ(places(Toolchain(options).cuptiLibraryNames("libcupti.so.13")),
            (std::vector<std::string>{extra, toolkit, "libcupti.so.13"}));
}

TEST_F(ToolchainFolder, FoldersWithoutItAreNot) {
  make("venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.8");
  make("venv/lib/perl5/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
  make("venv/bin/python3");
  setenv("PATH", at("venv/bin").c_str(), 1);
  EXPECT_EQ(places(Toolchain()), std::vector<std::string>{"libcudnn.so.9"});
}

TEST_F(ToolchainFolder, WithoutAPythonTheLoaderIsAsked) {
  setenv("PATH", root.c_str(), 1);
  EXPECT_EQ(places(Toolchain()), std::vector<std::string>{"libcudnn.so.9"});
}

TEST_F(ToolchainFolder, TvmFfiHasHeadersAndLibrary) {
  ToolchainOptions options;
  options.tvmFfiPath = at("ffi");
  make("ffi/include/tvm/ffi/c_api.h");
  // No other place stands in for it.
  llvm::Expected<std::string> found = Toolchain(options).findTvmFfi();
  ASSERT_FALSE(found);
  std::string message = llvm::toString(found.takeError());
  EXPECT_TRUE(llvm::StringRef(message).contains(at("ffi"))) << message;
  EXPECT_TRUE(llvm::StringRef(message).contains("no lib/libtvm_ffi.so"))
      << message;
  make("ffi/lib/libtvm_ffi.so");
  found = Toolchain(options).findTvmFfi();
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(*found, at("ffi"));
}

TEST_F(ToolchainFolder, WhatLinksNothingSaysWhy) {
  setenv("PATH", "/usr/bin:/bin", 1);
  make("ffi/include/tvm/ffi/c_api.h");
  make("ffi/lib/libtvm_ffi.so");
  // It leaves an object file and no library of a source and does `source`; of
  // the empty one it does `empty` first.
  auto link = [&](llvm::StringRef source, llvm::StringRef empty) {
    make("toolkit/bin/nvcc", "case $* in *--version*) exit;; esac\n"
                             "case $* in *empty.cu*)\n" +
                                 empty.str() +
                                 "\n;; esac\n"
                                 "echo run >> runs\n"
                                 "touch keep/k.o\n" +
                                 source.str() + "\nexit 2\n");
    ToolchainOptions options;
    options.cudaPath = at("toolkit");
    options.tvmFfiPath = at("ffi");
    NvccOptions nvcc;
    nvcc.target = "sm_90a";
    llvm::sys::fs::remove_directories(at("out"));
    llvm::Expected<NvccRun> run =
        Toolchain(options).runNvcc(make("k.cu"), at("out"), nvcc);
    return run ? "the source" : llvm::toString(run.takeError());
  };
  EXPECT_EQ(link("", "exit 0"), "the source");
  // Nothing is said.
  EXPECT_EQ(link("", "exit 9"), "nvcc links nothing here: exit code 9");
  EXPECT_EQ(link("", "echo 'ld: cannot find -lcuda' >&2\n"
                     "echo 'collect2: error: ld returned 1 exit status' >&2\n"
                     "exit 1"),
            "nvcc links nothing here: ld: cannot find -lcuda");
  EXPECT_EQ(link("", "echo 'nvcc warning : an old target' >&2\n"
                     "echo 'ld: warning: a stack' >&2\n"
                     "echo 'collect2: fatal error: cannot find ld' >&2\n"
                     "echo 'compilation terminated.' >&2\n"
                     "exit 1"),
            "nvcc links nothing here: collect2: fatal error: cannot find ld");
  // There is no empty source.
  std::string message = link("mkdir keep/empty.cu", "echo run >> runs");
  EXPECT_TRUE(llvm::StringRef(message).starts_with(
      "nvcc links nothing here: cannot write '" + at("out/keep/empty.cu") +
      "': "))
      << message;
  auto runs = llvm::MemoryBuffer::getFile(at("out/runs"));
  ASSERT_TRUE(bool(runs));
  EXPECT_EQ((*runs)->getBuffer(), "run\n");
}

} // namespace
