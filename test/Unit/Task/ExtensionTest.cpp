//===- ExtensionTest.cpp - References, axes and layouts of tasks ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields that make a task of more than a product, constraints, and data
// sets that others lay out.
//
//===----------------------------------------------------------------------===//

#include "TaskTestUtils.h"
#include "ptxbench/Task/Task.h"

using namespace ptxbench;

namespace {

const char *const definitionText = R"({
 "name": "scan", "op_type": "scan",
 "axes": {"B": {"type": "var", "parent": "batch"}, "S": {"type": "var"},
          "D": {"type": "const", "value": 8}},
 "inputs": {
  "X": {"shape": ["B", "S", "D"], "dtype": "bfloat16"},
  "Y": {"shape": ["B", "S"], "dtype": "float32"},
  "W": {"shape": ["D"], "dtype": "float32"},
  "n": {"shape": null, "dtype": "int32"}},
 "outputs": {
  "P": {"shape": ["B", "S"], "dtype": "float32"},
  "Q": {"shape": ["B", "S", "D"], "dtype": "bfloat16"}},
 "constraints": ["S % 4 == 0", "offsets[-1].item() == S", "0 < B <= 2 * S - 1"],
 "ptxbench": {
  "tolerance": {"atol": 0.5},
  "inputs": {"W": {"distribution": "positive"}},
  "reference": {"file": "../_reference/scan.mlir", "function": "scan"},
  "computed_inputs": {"function": "before", "inputs": ["X", "n"], "outputs": ["Y"]},
  "independent_axes": ["B"],
  "output_tolerance": {"P": {"max_relative_l2": 0.25}}}
})";

std::string errorOf(const std::string &from, const std::string &to) {
  llvm::Expected<Definition> result =
      parseDefinition(replaced(definitionText, from, to), "d.json");
  return result ? "accepted" : llvm::toString(result.takeError());
}

TEST(Extension, IsRead) {
  llvm::Expected<Definition> it = parseDefinition(definitionText, "d.json");
  ASSERT_TRUE(static_cast<bool>(it)) << llvm::toString(it.takeError());
  const TaskExtension &extension = it->extension;
  EXPECT_EQ(extension.reference.file, "../_reference/scan.mlir");
  EXPECT_EQ(extension.reference.function, "scan");
  ASSERT_TRUE(extension.computed.has_value());
  EXPECT_EQ(extension.computed->function, "before");
  EXPECT_EQ(extension.computed->inputs, (std::vector<std::string>{"X", "n"}));
  EXPECT_EQ(extension.computed->outputs, (std::vector<std::string>{"Y"}));
  EXPECT_EQ(extension.independentAxes, (std::vector<std::string>{"B"}));
  EXPECT_EQ(extension.distributions.at("W"), Distribution::Positive);
  // What an output does not say holds as for all.
  EXPECT_EQ(extension.toleranceOf("P").maxRelativeL2, 0.25);
  EXPECT_EQ(extension.toleranceOf("P").atol, 0.5);
  EXPECT_EQ(extension.toleranceOf("Q").maxRelativeL2,
            Tolerance().maxRelativeL2);

  llvm::Expected<Definition> file = parseDefinition(
      replaced(definitionText,
               R"({"file": "../_reference/scan.mlir", "function": "scan"})",
               "\"mine.mlir\""),
      "d.json");
  ASSERT_TRUE(static_cast<bool>(file)) << llvm::toString(file.takeError());
  EXPECT_EQ(file->extension.reference.file, "mine.mlir");
  EXPECT_EQ(file->extension.reference.function, "reference");
}

TEST(Extension, Refusals) {
  EXPECT_EQ(errorOf("../_reference/scan.mlir", "/etc/passwd"),
            "d.json:17: ptxbench.reference.file: expected a path relative to "
            "the definition but got \"/etc/passwd\"");
  EXPECT_EQ(errorOf("../_reference/scan.mlir", "a\\u0000b"),
            "d.json:17: ptxbench.reference.file: expected a path relative to "
            "the definition but got \"a\\u0000b\"");
  EXPECT_EQ(errorOf("\"function\": \"scan\"", "\"function\": \"\""),
            "d.json:17: ptxbench.reference.function: expected the name of a "
            "function, of letters, digits and '_', but got \"\"");
  EXPECT_EQ(errorOf("\"function\": \"scan\"", "\"function\": \"a b\""),
            "d.json:17: ptxbench.reference.function: expected the name of a "
            "function, of letters, digits and '_', but got \"a b\"");
  EXPECT_EQ(errorOf("[\"X\", \"n\"]", "[\"X\", \"P\"]"),
            "d.json:18: ptxbench.computed_inputs.inputs[1]: expected the name "
            "of an input but got \"P\"");
  EXPECT_EQ(errorOf("[\"X\", \"n\"]", "[\"X\", \"Y\"]"),
            "d.json:18: ptxbench.computed_inputs.outputs[0]: expected each "
            "input once but \"Y\" is there twice");
  EXPECT_EQ(errorOf("\"outputs\": [\"Y\"]", "\"outputs\": []"),
            "d.json:18: ptxbench.computed_inputs.outputs: expected at least "
            "one input");
  EXPECT_EQ(errorOf("\"outputs\": [\"Y\"]", "\"outputs\": [\"W\"]"),
            "d.json:18: ptxbench.computed_inputs.outputs[0]: expected an input "
            "without a distribution but \"W\" has one");
  EXPECT_EQ(errorOf("[\"X\", \"n\"], \"outputs\": [\"Y\"]",
                    "[\"X\"], \"outputs\": [\"n\"]"),
            "d.json:18: ptxbench.computed_inputs.outputs[0]: expected a tensor "
            "but \"n\" is a scalar");
  EXPECT_EQ(errorOf("[\"B\"],\n", "[\"T\"],\n"),
            "d.json:19: ptxbench.independent_axes[0]: expected one of the axes "
            "of the definition but got \"T\"");
  EXPECT_EQ(errorOf("[\"B\"],\n", "[\"B\", \"B\"],\n"),
            "d.json:19: ptxbench.independent_axes[1]: expected each axis once "
            "but \"B\" is there twice");
  // P does not have D.
  EXPECT_EQ(errorOf("[\"B\"],\n", "[\"D\"],\n"),
            "d.json:19: ptxbench.independent_axes[0]: expected an axis that "
            "every output and computed input has, and no tensor twice, but "
            "\"Y\" has \"D\" 0 times");
  EXPECT_EQ(errorOf("\"X\": {\"shape\": [\"B\", \"S\", \"D\"]",
                    "\"X\": {\"shape\": [\"B\", \"B\", \"D\"]"),
            "d.json:19: ptxbench.independent_axes[0]: expected an axis that "
            "every output and computed input has, and no tensor twice, but "
            "\"X\" has \"B\" 2 times");
  EXPECT_EQ(errorOf("{\"P\": {\"max", "{\"X\": {\"max"),
            "d.json:20: ptxbench.output_tolerance.X: expected the name of an "
            "output");
  EXPECT_EQ(errorOf("\"positive\"", "\"negative\""),
            "d.json:16: ptxbench.inputs.W.distribution: expected \"normal\", "
            "\"outliers\", \"uniform\" or \"positive\" but got \"negative\"");
}

TEST(Extension, RequiredFamilies) {
  auto with = [](const std::string &families) {
    return errorOf("\"tolerance\": {\"atol\"",
                   "\"required_families\": " + families +
                       ", \"tolerance\": {\"atol\"");
  };
  EXPECT_EQ(with("[\"wgmma\", \"tma\"]"), "accepted");
  EXPECT_EQ(with("{\"sm_90a\": [\"wgmma\"], \"sm_100a\": [\"tcgen05\"]}"),
            "accepted");
  // They are all listed, and the message stays on its line.
  for (const char *name : {"wgmm", "", "x\\ny", "Wgmma"}) {
    std::string error = with(std::string("[\"tma\", \"") + name + "\"]");
    llvm::StringRef text(error);
    EXPECT_TRUE(text.starts_with("d.json:15: ptxbench.required_families[1]: "
                                 "expected one of the families "))
        << error;
    EXPECT_TRUE(text.contains("mma.sync, ")) << error;
    EXPECT_TRUE(text.contains(", tensormap, tma, wgmma but got ")) << error;
    EXPECT_TRUE(text.ends_with(std::string("but got \"") + name + "\""))
        << error;
  }
  EXPECT_EQ(with("{\"sm90a\": [\"wgmma\"]}"),
            "d.json:15: ptxbench.required_families.sm90a: expected a target "
            "such as sm_90a but got \"sm90a\"");
  EXPECT_EQ(with("\"wgmma\""),
            "d.json:15: ptxbench.required_families: expected an object but got "
            "a string");
  EXPECT_EQ(with("{\"sm_90a\": \"wgmma\"}"),
            "d.json:15: ptxbench.required_families.sm_90a: expected an array "
            "but got a string");
}

TEST(Constraints, OverAxes) {
  Definition definition;
  definition.axes = {{"M", std::nullopt}, {"K", 128}};
  auto holds = [&](const char *text, int64_t m) {
    definition.constraints = {text};
    Workload workload;
    workload.axes["M"] = m;
    llvm::Error error = checkConstraints(definition, workload);
    if (!error)
      return true;
    EXPECT_EQ(llvm::toString(std::move(error)),
              std::string("expected axes that meet the constraint \"") + text +
                  "\"");
    return false;
  };
  EXPECT_TRUE(holds("M == 3", 3));
  EXPECT_FALSE(holds("M == 3", 4));
  EXPECT_TRUE(holds("K % 128 == 0", 1));
  EXPECT_FALSE(holds("M % 128 == 0", 64));
  EXPECT_TRUE(holds("0 < M <= 64", 64));
  EXPECT_FALSE(holds("0 < M <= 64", 65));
  EXPECT_TRUE(holds("M * 2 + 1 != K", 63));
  EXPECT_FALSE(holds("(M + 1) * 2 != K", 63));
  EXPECT_TRUE(holds("M // 3 == 2", 8));
  EXPECT_TRUE(holds("-M // 3 == -3", 8));
  EXPECT_TRUE(holds("-M % 3 == 1", 8));
  EXPECT_FALSE(holds("K - M - 1 > 0", 127));
  // Python that says nothing about axes alone is left alone.
  for (const char *text : {"len(x) == M", "offsets[-1].item() == 0", "M",
                           "M == 3 and K == 2", "M ** 2 == 0", "M % 0 == 0", "",
                           "M ==", "9223372036854775807 * M == 0", "not M"})
    EXPECT_TRUE(holds(text, 8)) << text;
  std::string deep(1000, '(');
  EXPECT_TRUE(holds(deep.c_str(), 8));
}

class DataSet : public TaskFiles {
protected:
  std::string loadError(llvm::StringRef file) {
    llvm::Expected<Task> task = loadTask((root + "/" + file).str());
    return task ? "accepted" : llvm::toString(task.takeError());
  }
};

const char *const plainDefinition = R"({
 "name": "add_d4", "op_type": "add",
 "axes": {"N": {"type": "var"}, "D": {"type": "const", "value": 4}},
 "inputs": {"X": {"shape": ["N", "D"], "dtype": "float16"}},
 "outputs": {"Y": {"shape": ["N", "D"], "dtype": "float16"}},
 "reference": "def run(X): return X + 1"})";

// As data sets have them: constants again, and what came out.
const char *const plainWorkload =
    R"({"definition": "add_d4", "solution": null, "workload": {"uuid": "u-1", "axes": {"N": 3, "D": 4}, "inputs": {"X": {"type": "safetensors", "path": "./blob/x.safetensors", "tensor_key": "X"}}, "outputs": {"Y": {"type": "safetensors", "path": "./blob/x.safetensors", "tensor_key": "Y"}}}, "evaluation": null}
)";

TEST_F(DataSet, FlashInferLayout) {
  write("definitions/add/add_d4.json", plainDefinition);
  write("definitions/rmsnorm.json", plainDefinition);
  write("workloads/other/add_d4.jsonl", plainWorkload);
  write("workloads/notes.txt", "");
  llvm::Expected<std::vector<std::string>> names = listTasks(root);
  ASSERT_TRUE(static_cast<bool>(names)) << llvm::toString(names.takeError());
  EXPECT_EQ(*names, (std::vector<std::string>{"add_d4", "rmsnorm"}));
  llvm::Expected<std::string> path = findTask(root, "add/add_d4");
  ASSERT_TRUE(static_cast<bool>(path)) << llvm::toString(path.takeError());
  EXPECT_TRUE(llvm::StringRef(*path).ends_with("definitions/add/add_d4.json"));
  llvm::Expected<Task> task = loadTask(*path);
  ASSERT_TRUE(static_cast<bool>(task)) << llvm::toString(task.takeError());
  EXPECT_EQ(task->definition.name, "add_d4");
  EXPECT_EQ(task->root, root.str().str());
  ASSERT_EQ(task->workloads.size(), 1u);
  EXPECT_EQ(task->workloads[0].axes,
            (std::map<std::string, int64_t>{{"N", 3}}));
  EXPECT_EQ(task->workloads[0].inputs.at("X").kind,
            InputSource::Kind::SafeTensors);
  EXPECT_EQ(referenceFile(task->definition, task->definitionPath), "");
  write("definitions/add/add_d4.mlir", "");
  EXPECT_TRUE(
      llvm::StringRef(referenceFile(task->definition, task->definitionPath))
          .ends_with("definitions/add/add_d4.mlir"));

  EXPECT_NE(loadError("definitions/rmsnorm.json")
                .find("expected one file \"rmsnorm.jsonl\" under"),
            std::string::npos);
  write("workloads/add/add_d4.jsonl", plainWorkload);
  EXPECT_NE(loadError("definitions/add/add_d4.json").find("but there are 2"),
            std::string::npos);
  write("add_d4.json", plainDefinition);
  EXPECT_NE(loadError("add_d4.json").find("expected the folder of a task"),
            std::string::npos);
}

TEST_F(DataSet, FilesOfReferences) {
  write("g/scan/definition.json", definitionText);
  write(
      "g/scan/workloads.jsonl",
      R"({"definition": "scan", "workload": {"uuid": "a", "axes": {"B": 2, "S": 8}, "inputs": {"X": {"type": "random"}, "Y": {"type": "random"}, "W": {"type": "random"}, "n": {"type": "scalar", "value": 3}}}})");
  EXPECT_NE(loadError("g/scan").find("ptxbench.reference: expected a file but "
                                     "there is no "),
            std::string::npos);
  write("g/_reference/scan.mlir", "");
  EXPECT_EQ(loadError("g/scan"), "accepted");
  llvm::Expected<Task> task = loadTask((root + "/g/scan").str());
  ASSERT_TRUE(static_cast<bool>(task)) << llvm::toString(task.takeError());
  EXPECT_EQ(referenceFile(task->definition, task->definitionPath),
            (root + "/g/_reference/scan.mlir").str());
  // A constraint that the axes do not meet.
  write(
      "g/scan/workloads.jsonl",
      R"({"definition": "scan", "workload": {"uuid": "a", "axes": {"B": 2, "S": 6}, "inputs": {}}})");
  EXPECT_NE(loadError("g/scan").find(":1: workload.axes: expected axes that "
                                     "meet the constraint \"S % 4 == 0\""),
            std::string::npos);
}

} // namespace
