//===- TaskTest.cpp - Definitions, workloads and their choice
//---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One definition that uses every field, and for each rule a text that breaks
// it. The tasks of this repository must load, too.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Task.h"
#include "TaskTestUtils.h"

using namespace ptxbench;

namespace {

const char *const definitionText = R"({
 "name": "gemm_small", "op_type": "gemm", "description": "a product",
 "axes": {
  "M": {"type": "var", "description": "rows"},
  "N": {"type": "const", "value": 16},
  "K": {"type": "const", "value": 8}},
 "inputs": {
  "B": {"shape": ["N", "K"], "dtype": "bfloat16"},
  "A": {"shape": ["M", "K"], "dtype": "bfloat16"},
  "scale": {"shape": null, "dtype": "float32"},
  "bias": {"shape": [], "dtype": "float32"}},
 "outputs": {"C": {"shape": ["M", "N"], "dtype": "float16"}},
 "reference": "def run(B, A, scale, bias): pass",
 "tags": ["t"], "constraints": ["M > 0"],
 "ptxbench": {
  "required_families": {"sm_90a": ["wgmma", "tma"], "sm_100a": ["tcgen05"]},
  "tolerance": {"atol": 0.5, "rtol": 0.25, "required_matched_ratio": 0.95,
                "max_relative_l2": 0.125, "nan_matches": true},
  "headline_workload": "bb-2", "small_workload": "aa-1",
  "flops": "2*M*N*K/4", "trials": 5,
  "inputs": {"A": {"distribution": "outliers"}}}
})";

const char *const workloadText =
    R"({"definition": "gemm_small", "workload": {"uuid": "aa-1", "axes": {"M": 4}, "inputs": {"A": {"type": "random"}, "B": {"type": "safetensors", "path": "b.safetensors", "tensor_key": "b"}, "scale": {"type": "scalar", "value": 0.5}, "bias": {"type": "random"}}}, "solution": null, "evaluation": null}

{"definition": "gemm_small", "workload": {"uuid": "bb-2", "axes": {"M": 64}, "inputs": {"A": {"type": "random"}, "B": {"type": "random"}, "scale": {"type": "scalar", "value": 1}, "bias": {"type": "random"}}, "ptxbench": {"size": "full"}}}
{"definition": "gemm_small", "workload": {"uuid": "bb-3", "axes": {"M": 128}, "inputs": {"A": {"type": "random"}, "B": {"type": "random"}, "scale": {"type": "scalar", "value": 1}, "bias": {"type": "random"}}}}
)";

Definition goodDefinition() {
  llvm::Expected<Definition> definition =
      parseDefinition(definitionText, "definition.json");
  EXPECT_TRUE(static_cast<bool>(definition));
  if (!definition) {
    ADD_FAILURE() << llvm::toString(definition.takeError());
    return Definition();
  }
  return *definition;
}

Task goodTask() {
  Task task;
  task.definition = goodDefinition();
  llvm::Expected<std::vector<Workload>> workloads =
      parseWorkloads(workloadText, "workloads.jsonl", task.definition);
  EXPECT_TRUE(static_cast<bool>(workloads));
  if (workloads)
    task.workloads = *workloads;
  else
    ADD_FAILURE() << llvm::toString(workloads.takeError());
  return task;
}

std::string definitionError(const std::string &from, const std::string &to) {
  llvm::Expected<Definition> result =
      parseDefinition(replaced(definitionText, from, to), "d.json");
  return result ? "accepted" : llvm::toString(result.takeError());
}

std::string workloadError(const std::string &from, const std::string &to) {
  llvm::Expected<std::vector<Workload>> result = parseWorkloads(
      replaced(workloadText, from, to), "w.jsonl", goodDefinition());
  return result ? "accepted" : llvm::toString(result.takeError());
}

TEST(Definition, ReadsEveryField) {
  Definition it = goodDefinition();
  EXPECT_EQ(it.name, "gemm_small");
  EXPECT_EQ(it.opType, "gemm");
  ASSERT_EQ(it.axes.size(), 3u);
  EXPECT_EQ(it.axes[0].name, "M");
  EXPECT_FALSE(it.axes[0].value.has_value());
  EXPECT_EQ(it.findAxis("N")->value, 16);
  EXPECT_EQ(it.findAxis("X"), nullptr);
  // The order of the text is the order of the arguments.
  ASSERT_EQ(it.inputs.size(), 4u);
  EXPECT_EQ(it.inputs[0].name, "B");
  EXPECT_EQ(it.inputs[1].name, "A");
  EXPECT_TRUE(it.inputs[2].isScalar);
  EXPECT_FALSE(it.inputs[3].isScalar);
  EXPECT_TRUE(it.inputs[3].shape.empty());
  EXPECT_EQ(it.outputs[0].type, ElementType::Float16);
  EXPECT_EQ(it.extension.familiesFor("sm_90a"),
            (std::vector<std::string>{"wgmma", "tma"}));
  EXPECT_EQ(it.extension.familiesFor("sm_100a"),
            std::vector<std::string>{"tcgen05"});
  EXPECT_TRUE(it.extension.familiesFor("sm_80").empty());
  EXPECT_EQ(it.extension.tolerance.atol, 0.5);
  EXPECT_EQ(it.extension.tolerance.rtol, 0.25);
  EXPECT_EQ(it.extension.tolerance.requiredMatchedRatio, 0.95);
  EXPECT_EQ(it.extension.tolerance.maxRelativeL2, 0.125);
  EXPECT_TRUE(it.extension.tolerance.nanMatches);
  EXPECT_EQ(it.extension.trials, 5u);
  EXPECT_EQ(it.extension.baseline, "");
  EXPECT_EQ(it.extension.distributions["A"], Distribution::Outliers);
}

TEST(Definition, NeedsNoExtension) {
  llvm::Expected<Definition> it = parseDefinition(
      R"({"name": "n", "op_type": "o", "axes": {}, "inputs": {},
          "outputs": {"y": {"shape": [], "dtype": "int32"}}})",
      "d.json");
  ASSERT_TRUE(static_cast<bool>(it));
  EXPECT_TRUE(it->extension.familiesFor("sm_90a").empty());
  EXPECT_EQ(it->extension.tolerance.atol, 1e-2);
}

TEST(Definition, FamiliesForEveryTarget) {
  llvm::Expected<Definition> it = parseDefinition(
      replaced(definitionText,
               R"({"sm_90a": ["wgmma", "tma"], "sm_100a": ["tcgen05"]})",
               R"(["wgmma"])"),
      "d.json");
  ASSERT_TRUE(static_cast<bool>(it));
  EXPECT_EQ(it->extension.familiesFor("sm_90a"),
            std::vector<std::string>{"wgmma"});
}

TEST(Definition, Refusals) {
  EXPECT_EQ(definitionError(R"("name": "gemm_small")", R"("name": "../x")"),
            "d.json:2: name: expected a name of letters, digits, '_', '-' and "
            "'.' but got \"../x\"");
  EXPECT_EQ(definitionError("[\"M\", \"K\"]", "[\"M\", \"Q\"]"),
            "d.json:9: inputs.A.shape[1]: expected one of the axes of the "
            "definition but got \"Q\"");
  EXPECT_EQ(definitionError("\"float16\"", "\"half\"")
                .find("d.json:12: outputs.C.dtype: expected an element type"),
            0u);
  EXPECT_EQ(definitionError("\"value\": 16", "\"value\": 0"),
            "d.json:5: axes.N.value: expected an extent from 1 but got 0");
  EXPECT_EQ(definitionError("\"type\": \"var\"", "\"type\": \"free\""),
            "d.json:4: axes.M.type: expected \"const\" or \"var\" but got "
            "\"free\"");
  EXPECT_EQ(definitionError("\"type\": \"var\"", "\"type\": \"const\""),
            "d.json:4: axes.M: expected a field \"value\"");
  EXPECT_EQ(definitionError("\"C\": {", "\"A\": {"),
            "d.json:12: outputs: expected names that no input has but got "
            "\"A\"");
  EXPECT_EQ(definitionError(
                R"({"C": {"shape": ["M", "N"], "dtype": "float16"}})", "{}"),
            "d.json:12: outputs: expected at least one output");
  EXPECT_EQ(definitionError("\"atol\"", "\"attol\"")
                .find("d.json:17: ptxbench.tolerance.attol: unknown field"),
            0u);
  EXPECT_EQ(definitionError("0.95", "1.5"),
            "d.json:17: ptxbench.tolerance.required_matched_ratio: expected a "
            "number from 0 to 1");
  EXPECT_EQ(definitionError("\"atol\": 0.5", "\"atol\": \"NaN\""),
            "d.json:17: ptxbench.tolerance.atol: expected a finite number from "
            "0");
  EXPECT_EQ(definitionError("2*M*N*K/4", "2*M*Q")
                .find("d.json:20: ptxbench.flops: expected a product of axes"),
            0u);
  EXPECT_NE(definitionError("2*M*N*K/4", "2**M"), "accepted");
  EXPECT_NE(definitionError("2*M*N*K/4", "-2*M"), "accepted");
  EXPECT_NE(definitionError("2*M*N*K/4", "M/0"), "accepted");
  EXPECT_EQ(definitionError("\"trials\": 5", "\"trials\": 0"),
            "d.json:20: ptxbench.trials: expected at least 1 trial but got 0");
  EXPECT_EQ(definitionError("\"trials\": 5", "\"trials\": 10000000"),
            "d.json:20: ptxbench.trials: expected at most 1000 trials but got "
            "10000000");
  EXPECT_EQ(
      definitionError("\"A\": {\"distribution\"", "\"C\": {\"distribution\""),
      "d.json:21: ptxbench.inputs.C: expected the name of an input");
  EXPECT_NE(definitionError("\"outliers\"", "\"cauchy\"").find("distribution"),
            std::string::npos);
  EXPECT_NE(definitionError("\"op_type\"", "\"optype\"")
                .find("expected a field \"op_type\""),
            std::string::npos);
}

TEST(Workloads, ReadEveryField) {
  Task task = goodTask();
  ASSERT_EQ(task.workloads.size(), 3u);
  Workload &it = task.workloads[0];
  EXPECT_EQ(it.uuid, "aa-1");
  EXPECT_EQ(it.axes["M"], 4);
  EXPECT_EQ(it.inputs["A"].kind, InputSource::Kind::Random);
  EXPECT_EQ(it.inputs["B"].kind, InputSource::Kind::SafeTensors);
  EXPECT_EQ(it.inputs["B"].path, "b.safetensors");
  EXPECT_EQ(it.inputs["B"].tensorKey, "b");
  EXPECT_EQ(it.inputs["scale"].value, 0.5);
  EXPECT_EQ(task.workloads[1].size, "full");
}

TEST(Workloads, Refusals) {
  EXPECT_EQ(workloadError("\"uuid\": \"bb-2\"", "\"uuid\": \"aa-1\""),
            "w.jsonl:3: workload.uuid: expected unique uuids but line 1 has "
            "\"aa-1\", too");
  EXPECT_EQ(workloadError("\"definition\": \"gemm_small\"",
                          "\"definition\": \"other\""),
            "w.jsonl:1: definition: expected the definition \"gemm_small\" but "
            "got \"other\"");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 0}"),
            "w.jsonl:3: workload.axes: expected extents from 1 but got M=0");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{}"),
            "w.jsonl:3: workload.axes: expected a value for the var axis "
            "\"M\"");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 64, \"N\": 2}"),
            "w.jsonl:3: workload.axes: expected N=16, which the definition "
            "fixes, but got 2");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 64, \"X\": 2}"),
            "w.jsonl:3: workload.axes: expected axes of the definition but got "
            "\"X\"");
  // Data sets repeat constants.
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 64, \"N\": 16}"), "accepted");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 1099511627776}"),
            "w.jsonl:3: workload.axes: expected tensor \"A\" to have at most "
            "2^40 elements, but axis \"K\" is 8");
  EXPECT_EQ(workloadError("{\"M\": 64}", "{\"M\": 9223372036854775807}")
                .find("w.jsonl:3: workload.axes: expected tensor \"A\""),
            0u);
  EXPECT_EQ(workloadError("\"A\": {\"type\": \"random\"}, ", ""),
            "w.jsonl:1: workload.inputs: expected the input \"A\"");
  EXPECT_EQ(
      workloadError("\"A\": {", "\"Z\": {\"type\": \"random\"}, \"A\": {"),
      "w.jsonl:1: workload.inputs.Z: expected the name of an input");
  EXPECT_EQ(
      workloadError("\"scalar\", \"value\": 0.5", "\"random\"")
          .find("w.jsonl:1: workload.inputs.scale.type: expected \"scalar\""),
      0u);
  EXPECT_NE(workloadError("\"A\": {\"type\": \"random\"}",
                          "\"A\": {\"type\": \"scalar\", \"value\": 1}"),
            "accepted");
  EXPECT_NE(workloadError("\"path\": \"b.safetensors\", ", ""), "accepted");
  EXPECT_NE(workloadError("\"size\": \"full\"", "\"size\": \"huge\""),
            "accepted");
  EXPECT_EQ(workloadError("{\"definition\"", "{definition").substr(0, 10),
            "w.jsonl:1:");
  llvm::Expected<std::vector<Workload>> none =
      parseWorkloads("\n \n", "w.jsonl", goodDefinition());
  ASSERT_FALSE(static_cast<bool>(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "w.jsonl: expected at least one workload");
}

TEST(Shapes, Resolve) {
  Task task = goodTask();
  auto shapeOf = [&](const TensorSpec &tensor) {
    llvm::Expected<std::vector<int64_t>> shape =
        resolveShape(task.definition, tensor, task.workloads[1]);
    EXPECT_TRUE(static_cast<bool>(shape));
    return shape ? *shape : std::vector<int64_t>();
  };
  EXPECT_EQ(shapeOf(task.definition.outputs[0]),
            (std::vector<int64_t>{64, 16}));
  EXPECT_EQ(elementCount(shapeOf(task.definition.outputs[0])), 1024u);
  EXPECT_TRUE(shapeOf(task.definition.inputs[3]).empty());
  EXPECT_EQ(elementCount({}), 1u);
  llvm::Expected<std::vector<int64_t>> open =
      resolveShape(task.definition, task.definition.outputs[0], Workload());
  ASSERT_FALSE(static_cast<bool>(open));
  EXPECT_EQ(llvm::toString(open.takeError()),
            "expected a value for axis \"M\" of tensor \"C\"");
}

TEST(Shapes, Flops) {
  Task task = goodTask();
  llvm::Expected<std::optional<double>> flops =
      countFlops(task.definition, task.workloads[1]);
  ASSERT_TRUE(static_cast<bool>(flops));
  EXPECT_EQ(*flops, 2.0 * 64 * 16 * 8 / 4);
  task.definition.extension.flops = "";
  flops = countFlops(task.definition, task.workloads[1]);
  ASSERT_TRUE(static_cast<bool>(flops));
  EXPECT_FALSE(flops->has_value());
}

std::string chosen(const Task &task, llvm::StringRef selector) {
  llvm::Expected<const Workload *> workload = selectWorkload(task, selector);
  return workload ? (*workload)->uuid : llvm::toString(workload.takeError());
}

TEST(Workloads, Choice) {
  Task task = goodTask();
  EXPECT_EQ(chosen(task, ""), "bb-2");
  EXPECT_EQ(chosen(task, "full"), "bb-2");
  EXPECT_EQ(chosen(task, "small"), "aa-1");
  EXPECT_EQ(chosen(task, "M=128"), "bb-3");
  EXPECT_EQ(chosen(task, "M=64, N=16"), "bb-2");
  EXPECT_EQ(chosen(task, "bb-3"), "bb-3");
  EXPECT_EQ(chosen(task, "a"), "aa-1");
  EXPECT_EQ(chosen(task, "bb"),
            "several workloads of task \"gemm_small\" fit \"bb\": bb-2 M=64; "
            "bb-3 M=128");
  EXPECT_EQ(
      chosen(task, "zz"),
      "no workload of task \"gemm_small\" fit \"zz\": there are aa-1 M=4; "
      "bb-2 M=64; bb-3 M=128");
  EXPECT_NE(chosen(task, "M=5").find("no workload"), std::string::npos);
  EXPECT_NE(chosen(task, "N=16").find("several workloads"), std::string::npos);
  EXPECT_EQ(chosen(task, "M=x"),
            "expected AXIS=NUMBER with an axis of task \"gemm_small\" but got "
            "\"M=x\"");
  EXPECT_NE(chosen(task, "Q=1").find("expected AXIS=NUMBER"),
            std::string::npos);
  task.definition.extension.headlineWorkload = "";
  task.definition.extension.smallWorkload = "";
  EXPECT_EQ(chosen(task, ""), "bb-2"); // the one marked "full"
  task.workloads[1].size = "";
  EXPECT_EQ(chosen(task, ""), "bb-3"); // the largest
  EXPECT_EQ(chosen(task, "small"), "aa-1");
  task.workloads.clear();
  EXPECT_EQ(chosen(task, ""), "task \"gemm_small\" has no workload");
}

class TaskFolder : public TaskFiles {
protected:
  std::string find(llvm::StringRef name) {
    llvm::Expected<std::string> path = findTask(root, name);
    if (!path)
      return llvm::toString(path.takeError());
    llvm::StringRef rest = *path;
    return rest.consume_front(root) ? rest.str() : *path;
  }
};

TEST_F(TaskFolder, FindsAndLoads) {
  write("gemm/gemm_small/definition.json", definitionText);
  write("gemm/gemm_small/workloads.jsonl", workloadText);
  write("gemm/notes.txt", "");
  write("mha/twice/definition.json", "");
  write("gqa/twice/definition.json", "");
  EXPECT_EQ(find("gemm_small"), "/gemm/gemm_small");
  EXPECT_EQ(find("gemm/gemm_small"), "/gemm/gemm_small");
  EXPECT_EQ(find("mha/twice"), "/mha/twice");
  EXPECT_NE(find("twice").find("there are 2"), std::string::npos);
  EXPECT_NE(find("gemm_smal").find("the nearest is \"gemm_small\""),
            std::string::npos);
  EXPECT_NE(find("small").find("with that in their names there are gemm_small"),
            std::string::npos);
  EXPECT_NE(find("nope").find("none of the 3 there is like it"),
            std::string::npos);
  llvm::Expected<std::string> path =
      findTaskOrPath("elsewhere", (root + "/gemm/gemm_small").str());
  ASSERT_TRUE(static_cast<bool>(path)) << llvm::toString(path.takeError());
  EXPECT_EQ(*path, (root + "/gemm/gemm_small").str());
  path = findTaskOrPath(root, (root + "/gemm/gemm_large").str());
  EXPECT_FALSE(static_cast<bool>(path));
  llvm::consumeError(path.takeError());
  EXPECT_NE(find("mha/gemm_small").find("expected the name of a task"),
            std::string::npos);
  for (const char *name :
       {"", "..", "../gemm", "gemm/../gemm_small", "a/b/c", "/etc"})
    EXPECT_EQ(find(name).find("expected a task name, or FAMILY/NAME"), 0u)
        << name;

  llvm::Expected<std::vector<std::string>> names = listTasks(root);
  ASSERT_TRUE(static_cast<bool>(names));
  EXPECT_EQ(*names, (std::vector<std::string>{"gemm_small", "twice", "twice"}));
  llvm::Expected<Task> task = loadTask((root + "/gemm/gemm_small").str());
  ASSERT_TRUE(static_cast<bool>(task)) << llvm::toString(task.takeError());
  EXPECT_EQ(task->workloads.size(), 3u);
}

TEST_F(TaskFolder, Refusals) {
  auto errorOf = [&](llvm::StringRef name) {
    llvm::Expected<Task> task = loadTask((root + "/" + name).str());
    return task ? std::string("accepted") : llvm::toString(task.takeError());
  };
  EXPECT_EQ(errorOf("none").find("cannot read "), 0u);
  write("g/a/definition.json", definitionText);
  EXPECT_NE(errorOf("g/a").find("workloads.jsonl"), std::string::npos);
  write("g/a/workloads.jsonl", replaced(workloadText, "bb-2", "cc-2"));
  EXPECT_NE(errorOf("g/a").find("ptxbench.headline_workload: expected the uuid "
                                "of a line of workloads.jsonl but got "
                                "\"bb-2\""),
            std::string::npos);
  llvm::Expected<std::string> path =
      findTask((root + "/absent").str(), "gemm_small");
  ASSERT_FALSE(static_cast<bool>(path));
  EXPECT_EQ(
      llvm::toString(path.takeError()).find("cannot read the task folder"), 0u);
}

TEST(RepositoryTasks, Load) {
  llvm::Expected<std::vector<std::string>> names =
      listTasks(PTXBENCH_TASKS_DIR);
  ASSERT_TRUE(static_cast<bool>(names)) << llvm::toString(names.takeError());
  EXPECT_FALSE(names->empty());
  for (const std::string &name : *names) {
    llvm::Expected<std::string> path = findTask(PTXBENCH_TASKS_DIR, name);
    ASSERT_TRUE(static_cast<bool>(path)) << llvm::toString(path.takeError());
    llvm::Expected<Task> task = loadTask(*path);
    ASSERT_TRUE(static_cast<bool>(task)) << llvm::toString(task.takeError());
    EXPECT_EQ(task->definition.name, name);
    for (const char *selector : {"full", "small"}) {
      llvm::Expected<const Workload *> workload =
          selectWorkload(*task, selector);
      EXPECT_TRUE(static_cast<bool>(workload))
          << llvm::toString(workload.takeError());
    }
  }
}

} // namespace
