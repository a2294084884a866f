//===- Baseline.cpp - What a candidate can be compared with ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of operations and one of their tensors. A letter of a shape stands
// for one extent: the same one wherever the letter is.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Baseline.h"
#include "ptxbench/Task/Task.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace ptxbench;
using llvm::StringRef;
using Operation = BaselineOperation;

namespace {

constexpr BaselineInfo table[] = {
    {"cublaslt_gemm_nt", Operation::Gemm, false},
    {"cublaslt_fp8_gemm_nt_1d2d", Operation::Fp8Gemm, false},
    {"cudnn_attention_forward", Operation::AttentionForward, false},
    {"cudnn_attention_forward_causal", Operation::AttentionForward, true},
    {"cudnn_attention_backward", Operation::AttentionBackward, false},
    {"cudnn_attention_backward_causal", Operation::AttentionBackward, true},
    {"cudnn_fp8_attention_forward", Operation::Fp8AttentionForward, false},
    {"cudnn_fp8_attention_forward_causal", Operation::Fp8AttentionForward,
     true},
};

/// An argument of an operation. '1' in a shape is an extent of one.
struct Argument {
  const char *name, *shape;
  ElementType type;
  bool isOutput = false;
};

constexpr ElementType fp8 = ElementType::Float8E4M3,
                      bf16 = ElementType::BFloat16, f32 = ElementType::Float32;

// The type of a product is checked on its own.
constexpr Argument gemm[] = {
    {"A", "MK", bf16}, {"B", "NK", bf16}, {"C", "MN", bf16, true}};
constexpr Argument fp8Gemm[] = {{"A", "MK", fp8},
                                {"SF_A", "Mk", f32},
                                {"B", "NK", fp8},
                                {"SF_B", "nk", f32},
                                {"D", "MN", bf16, true}};
constexpr Argument forward[] = {{"Q", "BHSD", bf16},
                                {"K", "BHSD", bf16},
                                {"V", "BHSD", bf16},
                                {"O", "BHSD", bf16, true},
                                {"LSE", "BHS", f32, true}};
constexpr Argument backward[] = {
    {"Q", "BHSD", bf16},        {"K", "BHSD", bf16},
    {"V", "BHSD", bf16},        {"O", "BHSD", bf16},
    {"dO", "BHSD", bf16},       {"LSE", "BHS", f32},
    {"dQ", "BHSD", bf16, true}, {"dK", "BHSD", bf16, true},
    {"dV", "BHSD", bf16, true}};
constexpr Argument fp8Forward[] = {
    {"Q", "BHSD", fp8},         {"K", "BHSD", fp8},
    {"V", "BHSD", fp8},         {"descale_q", "1111", f32},
    {"descale_k", "1111", f32}, {"descale_v", "1111", f32},
    {"O", "BHSD", fp8, true},   {"LSE", "BHS", f32, true}};

llvm::ArrayRef<Argument> argumentsOf(Operation operation) {
  switch (operation) {
  case Operation::Gemm:
    return gemm;
  case Operation::Fp8Gemm:
    return fp8Gemm;
  case Operation::AttentionForward:
    return forward;
  case Operation::AttentionBackward:
    return backward;
  case Operation::Fp8AttentionForward:
    return fp8Forward;
  }
  return {};
}

/// "A[M,K]".
std::string describe(const Argument &argument) {
  std::vector<std::string> extents;
  for (char extent : StringRef(argument.shape))
    extents.emplace_back(1, extent);
  return std::string(argument.name) + "[" + llvm::join(extents, ",") + "]";
}

std::string describe(const BaselineTensor &tensor) {
  if (tensor.isScalar)
    return tensor.name + ", a plain number";
  return tensor.name + "[" + llvm::join(tensor.shape, ",") + "] of " +
         stringifyElementType(tensor.type);
}

/// "inputs A[M,K], B[N,K] and output C[M,N]".
std::string signature(llvm::ArrayRef<Argument> arguments) {
  std::string text[2];
  for (const Argument &argument : arguments)
    text[argument.isOutput] +=
        (text[argument.isOutput].empty() ? "" : ", ") + describe(argument);
  return "inputs " + text[0] + " and outputs " + text[1];
}

bool isFactorType(ElementType type) {
  return type == ElementType::BFloat16 || type == ElementType::Float16 ||
         type == ElementType::Float32;
}

} // namespace

llvm::ArrayRef<BaselineInfo> ptxbench::baselines() { return table; }

const BaselineInfo *ptxbench::findBaseline(StringRef name) {
  const auto *found = llvm::find_if(
      table, [&](const BaselineInfo &info) { return info.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::string ptxbench::baselineNames() {
  std::string text;
  size_t left = std::size(table);
  for (const BaselineInfo &info : table) {
    text += info.name;
    --left;
    text += left > 1 ? ", " : left == 1 ? " and " : "";
  }
  return text;
}

std::vector<BaselineTensor>
ptxbench::baselineTensors(const Definition &definition) {
  std::vector<BaselineTensor> tensors;
  auto add = [&](const TensorSpec &spec, bool isOutput) {
    BaselineTensor tensor{spec.name, spec.type, isOutput, spec.isScalar, {}};
    for (const std::string &name : spec.shape) {
      const Axis *axis = definition.findAxis(name);
      tensor.shape.push_back(axis && axis->value ? std::to_string(*axis->value)
                                                 : name);
    }
    tensors.push_back(std::move(tensor));
  };
  for (const TensorSpec &spec : definition.inputs)
    add(spec, false);
  for (const TensorSpec &spec : definition.outputs)
    add(spec, true);
  return tensors;
}

std::string ptxbench::checkBaseline(const BaselineInfo &baseline,
                                    llvm::ArrayRef<BaselineTensor> tensors) {
  llvm::ArrayRef<Argument> arguments = argumentsOf(baseline.operation);
  std::string rule = "expected " + signature(arguments) + " for the baseline " +
                     baseline.name.str() + " but got ";
  if (tensors.size() != arguments.size())
    return rule + std::to_string(tensors.size()) + " tensors";
  std::map<char, std::string> extents;
  for (auto [argument, tensor] : llvm::zip(arguments, tensors)) {
    StringRef shape = argument.shape;
    if (tensor.isOutput != argument.isOutput)
      return rule + (tensor.isOutput ? "the output " : "the input ") +
             tensor.name + " in the place of " + argument.name;
    bool fits = !tensor.isScalar && tensor.shape.size() == shape.size();
    for (size_t i = 0; fits && i < shape.size(); ++i)
      fits = shape[i] == '1'
                 ? tensor.shape[i] == "1"
                 : extents.emplace(shape[i], tensor.shape[i]).first->second ==
                       tensor.shape[i];
    if (!fits)
      return rule + describe(tensor) + " in the place of " + describe(argument);
    if (baseline.operation == Operation::Gemm) {
      if (!isFactorType(tensor.type))
        return "expected bfloat16, float16 or float32 of every tensor for the "
               "baseline " +
               baseline.name.str() + " but got " + describe(tensor);
      if (!tensor.isOutput && tensor.type != tensors[0].type)
        return "expected factors of one element type for the baseline " +
               baseline.name.str() + " but got " + describe(tensors[0]) +
               " and " + describe(tensor);
    } else if (tensor.type != argument.type) {
      return "expected " + std::string(argument.name) + " of " +
             stringifyElementType(argument.type) + " for the baseline " +
             baseline.name.str() + " but got " + describe(tensor);
    }
  }
  return "";
}
