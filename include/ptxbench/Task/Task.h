//===- Task.h - Task definitions and workloads ------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task is a folder `tasks/<family>/<name>/` with a `definition.json` and a
// `workloads.jsonl` in the FlashInfer-Trace forms. What those forms lack stands
// under one key `ptxbench` of the definition:
//
//   "ptxbench": {
//     "required_families": ["wgmma", "tma"],      // or by target:
//                        {"sm_90a": [...], "sm_100a": [...]}
//     "tolerance": {"atol": 0.01, "rtol": 0.01, "required_matched_ratio": 1.0,
//                   "max_relative_l2": 0.02},
//     "headline_workload": "<uuid>",
//     "small_workload": "<uuid>",
//     "baseline": "cublaslt_gemm_nt",
//     "flops": "2*M*N*K",
//     "trials": 3,
//     "inputs": {"dO": {"distribution": "outliers"}},
//     "reference": {"file": "../_reference/mha.mlir", "function": "backward"},
//     "computed_inputs": {"function": "forward", "inputs": ["Q", "K", "V"],
//                         "outputs": ["O", "LSE"]},
//     "independent_axes": ["B", "H"],
//     "output_tolerance": {"LSE": {"max_relative_l2": 0.0001}}
//   }
//
// and a workload may say `"ptxbench": {"size": "small"}` or `"full"`. Every
// field of these is optional. Loading checks all fields and the references
// between them; errors name file, line and JSON path. docs/Tasks.md says what
// the fields mean.
//
// A data set as FlashInfer-Trace lays it out (`definitions/`, `workloads/`) is
// read as well.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TASK_TASK_H
#define PTXBENCH_TASK_TASK_H

#include "ptxbench/Task/ElementType.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ptxbench {

/// One extent that has a name. Var axes get their value from a workload.
struct Axis {
  std::string name;
  /// Set for `"type": "const"`.
  std::optional<int64_t> value;
};

/// An input or output. Row-major.
struct TensorSpec {
  std::string name;
  ElementType type = ElementType::Float32;
  /// Names of axes; empty with `isScalar` false: a tensor of rank 0.
  std::vector<std::string> shape;
  /// `"shape": null`: a plain number, not a tensor.
  bool isScalar = false;
};

/// When a result counts as right.
struct Tolerance {
  /// An element fails if its absolute error exceeds `atol` *and* its relative
  /// error exceeds `rtol`.
  double atol = 1e-2, rtol = 1e-2;
  /// The part of the elements that must not fail.
  double requiredMatchedRatio = 1.0;
  /// Limit on |candidate - reference|₂ / |reference|₂. An output of zeros has
  /// 1; rounding to bfloat16 costs about 0.0017; computing a GEMM in 8-bit
  /// floating point about 0.04.
  double maxRelativeL2 = 2e-2;
  /// Whether NaN against NaN is a match. If not, a reference with NaN decides
  /// nothing.
  bool nanMatches = false;
};

/// How a random input is drawn; see Inputs.h.
enum class Distribution { Normal, Outliers, Uniform, Positive };

/// "normal", "outliers", "uniform", "positive".
const char *stringifyDistribution(Distribution distribution);
std::optional<Distribution> symbolizeDistribution(llvm::StringRef name);

/// A function in MLIR.
struct ReferenceSource {
  /// As the definition has it, relative to its folder; empty: `reference.mlir`.
  std::string file;
  std::string function = "reference";
};

/// Inputs that are not drawn but computed from others, by a function of the
/// file of the reference.
struct ComputedInputs {
  std::string function;
  /// Names of inputs: the function's arguments, and what it computes.
  std::vector<std::string> inputs, outputs;
};

struct TaskExtension {
  /// By target ("sm_90a"); the key "" holds for every target.
  std::map<std::string, std::vector<std::string>> requiredFamilies;
  Tolerance tolerance;
  std::string headlineWorkload, smallWorkload;
  /// A name of Baseline.h whose operation fits the tensors; empty: none.
  std::string baseline;
  /// A product of numbers and axes such as "2*M*N*K"; empty: not counted.
  std::string flops;
  unsigned trials = 3;
  std::map<std::string, Distribution> distributions;
  ReferenceSource reference;
  std::optional<ComputedInputs> computed;
  /// What is computed at one index of such an axis depends, of tensors that
  /// have the axis, on what they hold at this index only.
  std::vector<std::string> independentAxes;
  /// In place of `tolerance`, by output.
  std::map<std::string, Tolerance> outputTolerances;

  const Tolerance &toleranceOf(llvm::StringRef output) const;
  /// Families required on `target`.
  std::vector<std::string> familiesFor(llvm::StringRef target) const;
};

struct Definition {
  std::string name, opType, description;
  std::vector<Axis> axes;
  std::vector<TensorSpec> inputs, outputs;
  /// Python text with a top-level `run`; carried, not executed.
  std::string reference;
  std::vector<std::string> tags, constraints;
  TaskExtension extension;

  const Axis *findAxis(llvm::StringRef name) const;
  const TensorSpec *findInput(llvm::StringRef name) const;
};

/// Where an input of a workload comes from.
struct InputSource {
  enum class Kind { Random, Scalar, SafeTensors };
  Kind kind = Kind::Random;
  /// Of Scalar.
  double value = 0;
  /// Of SafeTensors.
  std::string path, tensorKey;
};

struct Workload {
  std::string uuid;
  /// Values of the var axes.
  std::map<std::string, int64_t> axes;
  std::map<std::string, InputSource> inputs;
  /// Its key `"ptxbench": {"size": "full"}` or `"small"`; empty without.
  std::string size;
};

struct Task {
  Definition definition;
  std::vector<Workload> workloads;
  /// Its folder; in a data set, that of the definition.
  std::string directory;
  std::string definitionPath;
  /// What paths of safetensors files are relative to.
  std::string root;
};

llvm::Expected<Definition> parseDefinition(llvm::StringRef json,
                                           llvm::StringRef path);
/// Reads JSON Lines; blank lines are skipped. Checks each workload against
/// `definition`; uuids must be unique.
llvm::Expected<std::vector<Workload>>
parseWorkloads(llvm::StringRef jsonl, llvm::StringRef path,
               const Definition &definition);

/// Reads the definition and the workloads of a task and checks the references
/// between them. `path` is the folder of the task, or a definition in a data
/// set.
llvm::Expected<Task> loadTask(llvm::StringRef path);

/// The path of task `name` ("gemm_n7168_k5120" or "gemm/gemm_n7168_k5120")
/// under `root`, for loadTask. Errors: an unusable name, none found (with the
/// nearest name), several found.
llvm::Expected<std::string> findTask(llvm::StringRef root,
                                     llvm::StringRef name);
/// The same for what a user names: the folder of a task or a definition's .json
/// are taken as they are.
llvm::Expected<std::string> findTaskOrPath(llvm::StringRef root,
                                           llvm::StringRef text);
/// Names of all tasks under `root`, sorted.
llvm::Expected<std::vector<std::string>> listTasks(llvm::StringRef root);

/// Picks a workload: "" or "full" is the headline one, "small" the small one;
/// where the definition names none, the one of the largest or smallest volume
/// (the product of the var axes) among those marked with that size, or among
/// all if none is marked;
/// "M=8192,N=16" the one whose axes match, else a uuid or a unique prefix of
/// one.
llvm::Expected<const Workload *> selectWorkload(const Task &task,
                                                llvm::StringRef selector);

/// The extents of a tensor under a workload. A scalar and a tensor of rank 0
/// have none. Errors: an axis without a value, more than 2^40 elements.
llvm::Expected<std::vector<int64_t>> resolveShape(const Definition &definition,
                                                  const TensorSpec &tensor,
                                                  const Workload &workload);
/// Product of the extents; 1 if there are none.
uint64_t elementCount(const std::vector<int64_t> &shape);

/// The reference's file. Empty if the definition names none and there is no
/// `reference.mlir` beside it (in a data set: `<name>.mlir`).
std::string referenceFile(const Definition &definition,
                          llvm::StringRef definitionPath);

/// Evaluates those constraints that are comparisons of axes and integers.
/// Others, which look into tensors, are Python and are left alone. Errors: the
/// first that does not hold.
llvm::Error checkConstraints(const Definition &definition,
                             const Workload &workload);

/// The value of an axis; none for a var axis that the workload lacks, and for
/// an unknown one.
std::optional<int64_t> axisValue(const Definition &definition,
                                 const Workload &workload,
                                 llvm::StringRef name);

/// The value of `extension.flops` under a workload; absent if it is empty.
llvm::Expected<std::optional<double>> countFlops(const Definition &definition,
                                                 const Workload &workload);

} // namespace ptxbench

#endif // PTXBENCH_TASK_TASK_H
