//===- BaselineTest.cpp - The names of baselines --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A definition may name an operation only if its tensors are what the operation
// takes; what differs is said with its place.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Baseline.h"
#include "ptxbench/Task/Task.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <set>

using namespace ptxbench;

namespace {

const char *const definitionText = R"({
 "name": "attention", "op_type": "mha",
 "axes": {"b": {"type": "var"}, "h": {"type": "var"}, "s": {"type": "var"},
          "t": {"type": "var"}, "d": {"type": "const", "value": 64},
          "one": {"type": "const", "value": 1}},
 "inputs": {
  "q": {"shape": ["b", "h", "s", "d"], "dtype": "bfloat16"},
  "k": {"shape": ["b", "h", "s", "d"], "dtype": "bfloat16"},
  "v": {"shape": ["b", "h", "s", "d"], "dtype": "bfloat16"}},
 "outputs": {
  "out": {"shape": ["b", "h", "s", "d"], "dtype": "bfloat16"},
  "lse": {"shape": ["b", "h", "s"], "dtype": "float32"}},
 "ptxbench": {"baseline": "cudnn_attention_forward"}
})";

std::string errorOf(const std::string &from, const std::string &to) {
  std::string text = definitionText;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos)
    text.replace(at, from.size(), to);
  llvm::Expected<Definition> result = parseDefinition(text, "d.json");
  return result ? "" : llvm::toString(result.takeError());
}

const char *const rule =
    "d.json:13: ptxbench.baseline: expected inputs Q[B,H,S,D], K[B,H,S,D], "
    "V[B,H,S,D] and outputs O[B,H,S,D], LSE[B,H,S] for the baseline "
    "cudnn_attention_forward but got ";

BaselineTensor tensor(const char *name, ElementType type, const char *shape,
                      bool isOutput = false) {
  BaselineTensor result{name, type, isOutput, /*isScalar=*/false, {}};
  llvm::SmallVector<llvm::StringRef, 4> extents;
  llvm::StringRef(shape).split(extents, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef extent : extents)
    result.shape.push_back(extent.str());
  return result;
}

TEST(Baseline, EveryNameIsFoundOnce) {
  std::set<std::string> names;
  for (const BaselineInfo &info : baselines()) {
    EXPECT_EQ(findBaseline(info.name), &info);
    EXPECT_TRUE(names.insert(info.name.str()).second);
    EXPECT_NE(baselineNames().find(info.name.str()), std::string::npos);
    EXPECT_EQ(info.causal, info.name.ends_with("_causal"));
  }
  EXPECT_EQ(findBaseline("cudnn"), nullptr);
  EXPECT_EQ(findBaseline(""), nullptr);
}

TEST(Baseline, NamesInADefinitionAreItsOwn) {
  EXPECT_EQ(errorOf("cudnn_attention_forward", "cudnn_attention_forward"), "");
  EXPECT_EQ(errorOf("forward\"", "forward_causal\""), "");
  EXPECT_EQ(errorOf("cudnn_attention_forward", "cudnn"),
            "d.json:13: ptxbench.baseline: expected " + baselineNames() +
                " but got \"cudnn\"");
}

TEST(Baseline, TensorsOfADefinitionHaveToFit) {
  // A name of another operation.
  EXPECT_EQ(errorOf("attention_forward", "attention_backward")
                .find("d.json:13: ptxbench.baseline: expected inputs "
                      "Q[B,H,S,D], K[B,H,S,D], V[B,H,S,D], O[B,H,S,D], "
                      "dO[B,H,S,D], LSE[B,H,S] and outputs dQ[B,H,S,D], "),
            0u);
  // Keys of another length than queries.
  EXPECT_EQ(errorOf(R"("k": {"shape": ["b", "h", "s")",
                    R"("k": {"shape": ["b", "h", "t")"),
            std::string(rule) +
                "k[b,h,t,64] of bfloat16 in the place of K[B,H,S,D]");
  // Another layout of the heads.
  EXPECT_EQ(errorOf(R"("lse": {"shape": ["b", "h", "s"])",
                    R"("lse": {"shape": ["b", "s", "h"])"),
            std::string(rule) +
                "lse[b,s,h] of float32 in the place of LSE[B,H,S]");
  EXPECT_EQ(errorOf(R"("v": {"shape": ["b", "h", "s", "d"])",
                    R"("v": {"shape": null)"),
            std::string(rule) + "v, a plain number in the place of V[B,H,S,D]");
  EXPECT_EQ(errorOf(R"(["b", "h", "s"], "dtype": "float32")",
                    R"(["b", "h", "s"], "dtype": "bfloat16")"),
            "d.json:13: ptxbench.baseline: expected LSE of float32 for the "
            "baseline cudnn_attention_forward but got lse[b,h,s] of bfloat16");
}

TEST(Baseline, ProductsOfAnyOneType) {
  const BaselineInfo &gemm = *findBaseline("cublaslt_gemm_nt");
  for (ElementType type :
       {ElementType::BFloat16, ElementType::Float16, ElementType::Float32}) {
    BaselineTensor tensors[] = {
        tensor("x", type, "4,8"), tensor("y", type, "6,8"),
        tensor("z", ElementType::Float32, "4,6", /*isOutput=*/true)};
    EXPECT_EQ(checkBaseline(gemm, tensors), "");
    std::swap(tensors[1].shape[0], tensors[1].shape[1]);
    EXPECT_NE(checkBaseline(gemm, tensors), "");
  }
  BaselineTensor mixed[] = {
      tensor("x", ElementType::BFloat16, "4,8"),
      tensor("y", ElementType::Float16, "6,8"),
      tensor("z", ElementType::BFloat16, "4,6", /*isOutput=*/true)};
  EXPECT_EQ(checkBaseline(gemm, mixed),
            "expected factors of one element type for the baseline "
            "cublaslt_gemm_nt but got x[4,8] of bfloat16 and y[6,8] of "
            "float16");
  mixed[0].type = mixed[1].type = ElementType::Int8;
  EXPECT_EQ(checkBaseline(gemm, mixed),
            "expected bfloat16, float16 or float32 of every tensor for the "
            "baseline cublaslt_gemm_nt but got x[4,8] of int8");
}

TEST(Baseline, AnExtentOfOneIsOne) {
  ElementType fp8 = ElementType::Float8E4M3, f32 = ElementType::Float32;
  const BaselineInfo &info = *findBaseline("cudnn_fp8_attention_forward");
  std::vector<BaselineTensor> tensors = {
      tensor("q", fp8, "B,H,S,64"),       tensor("k", fp8, "B,H,S,64"),
      tensor("v", fp8, "B,H,S,64"),       tensor("a", f32, "1,1,1,1"),
      tensor("b", f32, "1,1,1,1"),        tensor("c", f32, "1,1,1,1"),
      tensor("o", fp8, "B,H,S,64", true), tensor("l", f32, "B,H,S", true)};
  EXPECT_EQ(checkBaseline(info, tensors), "");
  tensors[4].shape[2] = "2";
  EXPECT_NE(
      checkBaseline(info, tensors)
          .find("b[1,1,2,1] of float32 in the place of descale_k[1,1,1,1]"),
      std::string::npos);
  tensors[4].shape[2] = "1";
  tensors.pop_back();
  EXPECT_NE(checkBaseline(info, tensors).find("but got 7 tensors"),
            std::string::npos);
  // An output where an input belongs.
  tensors.push_back(tensor("l", f32, "B,H,S", true));
  tensors[5].isOutput = true;
  EXPECT_NE(checkBaseline(info, tensors)
                .find("the output c in the place of descale_v"),
            std::string::npos);
}

TEST(Baseline, EveryTaskHereHasOne) {
  llvm::Expected<std::vector<std::string>> names =
      listTasks(PTXBENCH_TASKS_DIR);
  ASSERT_TRUE(bool(names));
  ASSERT_FALSE(names->empty());
  for (const std::string &name : *names) {
    llvm::Expected<std::string> path = findTask(PTXBENCH_TASKS_DIR, name);
    ASSERT_TRUE(bool(path)) << llvm::toString(path.takeError());
    llvm::Expected<Task> task = loadTask(*path);
    ASSERT_TRUE(bool(task)) << llvm::toString(task.takeError());
    const BaselineInfo *info =
        findBaseline(task->definition.extension.baseline);
    ASSERT_NE(info, nullptr) << name;
    EXPECT_EQ(info->causal, llvm::StringRef(name).ends_with("_causal")) << name;
  }
}

} // namespace
