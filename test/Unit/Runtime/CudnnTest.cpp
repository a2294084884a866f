//===- CudnnTest.cpp - cuDNN where there is no device ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is missing is a sentence; no exception of cudnn-frontend gets out.
// What cuDNN computes is tested on a device, in test/Driver.
//
//===----------------------------------------------------------------------===//

#include "CUDA/Cudnn/Attention.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "ptxbench/Support/Toolchain.h"
#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace ptxbench;

namespace {

std::string refusal(void *library) {
  cudnn::AttentionProblem problem;
  problem.batch = problem.heads = 1;
  problem.length = 128;
  problem.depth = 64;
  std::string error;
  std::unique_ptr<cudnn::Attention> attention = cudnn::Attention::create(
      library, "libcudart.so", /*stream=*/nullptr, problem, error);
  EXPECT_EQ(attention != nullptr, error.empty());
  return error;
}

TEST(Cudnn, AnotherLibraryIsNone) {
  void *library = dlopen("libm.so.6", RTLD_NOW);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(cudnn::version(library), "");
  if (cudnn::isBuilt())
    EXPECT_EQ(refusal(library), "the library is not cuDNN");
  else
    EXPECT_EQ(refusal(library), "built without cudnn-frontend");
}

TEST(Cudnn, WithoutADeviceItSaysSo) {
  llvm::Expected<DynamicLibrary> library =
      DynamicLibrary::open("cuDNN", Toolchain().cudnnLibraryNames());
  if (!library) {
    llvm::consumeError(library.takeError());
    GTEST_SKIP() << "no cuDNN here";
  }
  if (!cudnn::isBuilt())
    GTEST_SKIP() << "built without cudnn-frontend";
  EXPECT_EQ(cudnn::version(library->native()).rfind("9.", 0), 0u);
  if (dlopen("libcuda.so.1", RTLD_NOW))
    GTEST_SKIP() << "there is a driver";
  EXPECT_EQ(refusal(library->native()).rfind("cudnnCreate: ", 0), 0u);
}

} // namespace
