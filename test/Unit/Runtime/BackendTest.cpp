//===- BackendTest.cpp - Requests, results, backends without a device -----===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be said about running without a GPU: requests are checked, results
// survive their JSON form, and whoever cannot run says why.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/Run.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

RunRequest gemmRequest() {
  RunRequest request;
  request.library = "candidate.so";
  for (auto [name, rows, columns, role] :
       {std::tuple("A", 4, 8, TensorRole::Input),
        std::tuple("B", 6, 8, TensorRole::Input),
        std::tuple("C", 4, 6, TensorRole::Output)}) {
    ArgumentSpec argument;
    argument.name = name;
    argument.shape = {rows, columns};
    argument.role = role;
    request.tensors.push_back(argument);
  }
  request.reference = {ReferenceSpec::Kind::GemmNT, "A", "B", "C"};
  request.workDir = "work";
  return request;
}

std::string text(const llvm::json::Value &value) {
  std::string result;
  llvm::raw_string_ostream(result) << value;
  return result;
}

TEST(RunRequest, SurvivesItsJsonForm) {
  RunRequest request = gemmRequest();
  request.seed = 0xfedcba9876543210ull;
  request.judgedCall = 7;
  request.candidateSeconds = 12.5;
  request.trace.launches = false;
  request.inputsDir = "inputs";
  request.tensors[2].axes = {"M", "N"};
  request.tensors[2].tolerance = Tolerance{0.5, 0.25, 0.75, 0.125, true};
  ArgumentSpec scalar, stored, computed;
  scalar.name = "s";
  scalar.origin = ArgumentSpec::Origin::Scalar;
  scalar.value = -0.1;
  stored.name = "t";
  stored.shape = {3};
  stored.origin = ArgumentSpec::Origin::File;
  stored.file = "x.safetensors";
  stored.fileOffset = uint64_t(1) << 40;
  stored.distribution = Distribution::Positive;
  computed.name = "u";
  computed.origin = ArgumentSpec::Origin::Computed;
  for (const ArgumentSpec &tensor : {scalar, stored, computed})
    request.tensors.push_back(tensor);
  request.reference.definition = "d.json";
  request.reference.axes = {{"M", 4}};
  request.reference.independentAxes = {"M"};
  request.reference.flops = 384;
  std::string first = text(toJSON(request));
  llvm::Expected<RunRequest> read = parseRunRequest(first, "request.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(text(toJSON(*read)), first);
  EXPECT_EQ(read->seed, 0xfedcba9876543210ull);
  EXPECT_EQ(read->tensors[2].tolerance->maxRelativeL2, 0.125);
  EXPECT_EQ(read->tensors[3].value, -0.1);
  EXPECT_EQ(read->tensors[4].fileOffset, uint64_t(1) << 40);
  EXPECT_EQ(read->tensors[5].origin, ArgumentSpec::Origin::Computed);
  EXPECT_EQ(read->reference.axes.at("M"), 4);
}

TEST(RunRequest, BaselinesFitTheTensors) {
  RunRequest request = gemmRequest();
  EXPECT_NE(text(toJSON(request)).find("\"baseline\":\"\""), std::string::npos);
  request.baseline = "cublaslt_gemm_nt";
  EXPECT_EQ(llvm::toString(validate(request)), "");
  llvm::Expected<RunRequest> read =
      parseRunRequest(text(toJSON(request)), "request.json");
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->baseline, "cublaslt_gemm_nt");
  request.baseline = "cudnn_attention_forward";
  EXPECT_NE(llvm::toString(validate(request)).find("but got 3 tensors"),
            std::string::npos);
  request.baseline = "cublas";
  EXPECT_NE(llvm::toString(validate(request)).find("but got 'cublas'"),
            std::string::npos);
}

TEST(RunTiming, ABaselineIsHeldToTheReference) {
  auto outcome = [](std::vector<OutputCheck> checks) {
    RunTiming timing;
    timing.candidate.ms = {2, 2};
    timing.baseline.ms = {1, 1};
    timing.baselineName = "cuDNN 9.19.0";
    dropWrongBaseline(timing, checks);
    return timing;
  };
  OutputCheck right, wrong, undecided;
  right.output.passed = true;
  wrong.output.reason = "2 of 4 elements differ";
  undecided.undecided = true;
  RunTiming kept = outcome({right, undecided});
  EXPECT_EQ(kept.pairedSpeedup(), 0.5);
  EXPECT_TRUE(kept.warnings.empty());
  RunTiming dropped = outcome({right, wrong});
  EXPECT_FALSE(dropped.pairedSpeedup().has_value());
  EXPECT_EQ(dropped.baselineName, "");
  EXPECT_EQ(dropped.candidate.ms.size(), 2u);
  ASSERT_EQ(dropped.warnings.size(), 1u);
  EXPECT_EQ(dropped.warnings[0],
            "no baseline: the output of cuDNN 9.19.0 differs from the "
            "reference: 2 of 4 elements differ");
  // Outputs that are not there prove nothing.
  EXPECT_FALSE(outcome({}).pairedSpeedup().has_value());
  EXPECT_EQ(outcome({}).warnings.size(), 1u);
  // Without a baseline there is nothing to drop.
  RunTiming none;
  dropWrongBaseline(none, {});
  EXPECT_TRUE(none.warnings.empty());
}

TEST(RunRequest, RefusalsNameTheValues) {
  auto refusal = [](llvm::function_ref<void(RunRequest &)> change) {
    RunRequest request = gemmRequest();
    change(request);
    return llvm::toString(validate(request));
  };
  EXPECT_EQ(refusal([](RunRequest &) {}), "");
  EXPECT_EQ(refusal([](RunRequest &r) {
              r.tensors[1].shape = {6, 9};
            }),
            "expected shapes [M,K], [N,K] and [M,N] but got [4,8], [6,9] and "
            "[4,6]");
  EXPECT_EQ(refusal([](RunRequest &r) {
              r.tensors[0].shape = {4, 0};
            }),
            "expected positive extents in the shape of tensor 'A' but got "
            "[4,0]");
  EXPECT_EQ(refusal([](RunRequest &r) {
              r.tensors[0].shape = {int64_t(1) << 40, int64_t(1) << 40};
            }),
            "tensor 'A' of shape [1099511627776,1099511627776] has more than "
            "2^40 bytes");
  EXPECT_EQ(refusal([](RunRequest &r) { r.reference.b = "Q"; }),
            "the reference names tensor 'Q', which is not an argument");
  EXPECT_EQ(refusal([](RunRequest &r) { r.tensors[1].name = "A"; }),
            "two tensors are named 'A'");
  EXPECT_EQ(refusal([](RunRequest &r) { r.judgedCall = 50; }),
            "expected a judged call below 50 but got 50");
  EXPECT_EQ(refusal([](RunRequest &r) {
              r.tensors[2].origin = ArgumentSpec::Origin::Scalar;
            }),
            "expected an input where elements come from but 'C' is an output");
  EXPECT_EQ(refusal([](RunRequest &r) {
              r.tensors[0].origin = ArgumentSpec::Origin::Scalar;
            }),
            "expected no shape of the scalar 'A'");
  EXPECT_EQ(refusal([](RunRequest &r) { r.tensors[0].axes = {"M"}; }),
            "expected an axis for each extent of tensor 'A'");
  EXPECT_EQ(refusal([](RunRequest &r) { r.reference.independentAxes = {"M"}; }),
            "expected a value for the independent axis 'M'");
  EXPECT_EQ(refusal([](RunRequest &r) { r.trials = 0; }),
            "expected at least one trial");
}

TEST(RunRequest, BrokenJsonIsLocated) {
  auto refusal = [](llvm::StringRef json) {
    llvm::Expected<RunRequest> read = parseRunRequest(json, "r.json");
    return read ? std::string() : llvm::toString(read.takeError());
  };
  EXPECT_NE(refusal("{").find("r.json: not JSON"), std::string::npos);
  EXPECT_NE(refusal("[]").find("r.json"), std::string::npos);
  RunRequest request = gemmRequest();
  llvm::json::Value value = toJSON(request);
  (*(*value.getAsObject()->getArray("tensors"))[1].getAsObject())["type"] =
      "float63";
  EXPECT_EQ(refusal(text(value)),
            "expected the name of an element type at r.json.tensors[1].type");
}

TEST(RunRequest, EveryCallHasItsOwnInputs) {
  RunRequest request = gemmRequest();
  EXPECT_NE(trialInputs(request, 0).seed, trialInputs(request, 1).seed);
  EXPECT_NE(timedInputs(request, 0).seed, trialInputs(request, 0).seed);
  EXPECT_NE(timedInputs(request, 0).rotation, timedInputs(request, 1).rotation);
  RunRequest other = gemmRequest();
  other.seed = request.seed + 1;
  EXPECT_NE(trialInputs(other, 0).seed, trialInputs(request, 0).seed);
}

TEST(RunTiming, SurvivesItsJsonForm) {
  RunTiming timing;
  timing.candidate.ms = {1.5, 2.5};
  timing.baselineName = "cuBLASLt 13.1.0";
  timing.method = "cupti-activity";
  timing.clocksBefore.smMHz = 1980;
  timing.clocksBefore.throttleReasons = {"sw-power-cap"};
  timing.warnings = {"w"};
  RunTiming read;
  llvm::json::Path::Root root("timing");
  ASSERT_TRUE(fromJSON(toJSON(timing), read, root));
  EXPECT_EQ(text(toJSON(read)), text(toJSON(timing)));
  EXPECT_FALSE(read.clocksAfter.smMHz.has_value());
  EXPECT_FALSE(read.busyMs.has_value());
}

TEST(TimeSamples, Quantiles) {
  TimeSamples none;
  EXPECT_FALSE(none.median().has_value());
  TimeSamples samples{{4, 1, 3, 2}};
  EXPECT_DOUBLE_EQ(*samples.median(), 2.5);
  EXPECT_DOUBLE_EQ(*samples.quantile(0), 1);
  EXPECT_DOUBLE_EQ(*samples.quantile(1), 4);
  EXPECT_DOUBLE_EQ(*samples.quantile(0.1), 1.3);
}

TEST(TimeSamples, AnOutlierMovesNothing) {
  EXPECT_DOUBLE_EQ(*TimeSamples({{2, 1, 900, 2, 3}}).median(), 2);
  RunTiming timing;
  timing.candidate.ms = {2, 2, 2, 500, 2};
  timing.baseline.ms = {1, 1, 1, 1, 700};
  EXPECT_DOUBLE_EQ(*timing.pairedSpeedup(), 0.5);
}

TEST(RunTiming, PairsAreComparedCallByCall) {
  RunTiming timing;
  // The clock halves between the two halves of the run.
  timing.candidate.ms = {2, 2, 4, 4};
  EXPECT_FALSE(timing.pairedSpeedup().has_value());
  timing.baseline.ms = {1, 1, 2, 2};
  EXPECT_DOUBLE_EQ(*timing.pairedSpeedup(), 0.5);
  timing.candidate.ms[0] = 0;
  EXPECT_FALSE(timing.pairedSpeedup().has_value());
}

TEST(NullBackend, SaysWhyItRunsNothing) {
  std::unique_ptr<Backend> backend = createNullBackend("there is no GPU here");
  EXPECT_EQ(backend->name(), "null");
  EXPECT_FALSE(backend->isUsable().usable);
  EXPECT_EQ(backend->isUsable().reason, "there is no GPU here");
  EXPECT_TRUE(backend->versions().empty());
  RunResult result = backend->run(gemmRequest());
  EXPECT_EQ(result.status, RunStatus::NotRun);
  EXPECT_EQ(result.reason, "there is no GPU here");
  EXPECT_FALSE(result.correct.has_value());
  EXPECT_FALSE(result.timing.has_value());
  EXPECT_FALSE(result.trace.has_value());
}

TEST(CudaBackend, AWorkerThatDoesNotAnswerMakesItUnusable) {
  // Ends at once without a report.
  std::unique_ptr<Backend> backend = createCudaBackend("/bin/true");
  Usability usability = backend->isUsable();
  EXPECT_FALSE(usability.usable);
  EXPECT_FALSE(usability.reason.empty());
  RunResult result = backend->run(gemmRequest());
  EXPECT_EQ(result.status, RunStatus::NotRun);
  EXPECT_EQ(result.reason, usability.reason);
}

} // namespace
