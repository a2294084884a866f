//===- OriginTest.cpp - Tests of where kernels come from ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test changes one thing in the records of an honest candidate.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/Origin.h"
#include "ptxbench/Inspection/Inspection.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

const std::string cubin = std::string("code\0mine\0other\0", 16);

std::string hash(llvm::StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

OriginRecords honest() {
  OriginRecords records;
  records.modules = {
      {WorkOwner::Tool, "/usr/lib/libcublasLt.so.13", false, false},
      {WorkOwner::Candidate, "/w/kernel.so", true, false}};
  records.code = {{WorkOwner::Tool, "", 7},
                  {WorkOwner::Candidate, hash(cubin), cubin.size()}};
  records.kernels = {{WorkOwner::Candidate, "mine", 1, 60},
                     {WorkOwner::Baseline, "nvjet", std::nullopt, 60}};
  records.libraries = {"/usr/lib/libcudart.so.13", "/w/kernel.so"};
  return records;
}

/// The code, empty if nothing is wrong.
std::string judge(const OriginRecords &records,
                  llvm::StringRef compiled = cubin) {
  std::optional<Violation> found =
      judgeOrigins(records, {compiled}, bannedLibrary);
  return found ? found->code + ": " + found->message : "";
}

TEST(Origin, HonestCandidatesPass) {
  EXPECT_EQ(judge(honest()), "");
  EXPECT_EQ(judge(honest(), ""), "");
  EXPECT_EQ(judge(OriginRecords()), "");
}

TEST(Origin, KernelsOfLibrariesAreNamed) {
  OriginRecords records = honest();
  records.kernels.push_back({WorkOwner::Candidate, "nvjet", 0, 1});
  EXPECT_EQ(judge(records), "BANNED_LIBRARY: kernel 'nvjet' is of cuBLASLt "
                            "(libcublasLt.so.13)");
  records.modules[0].file = "/opt/libhelp.so";
  EXPECT_EQ(judge(records), "FOREIGN_KERNEL: kernel 'nvjet' is of "
                            "'libhelp.so', not of the candidate");
}

TEST(Origin, KernelsOfNowhereAreForeign) {
  OriginRecords records = honest();
  records.kernels[0].module.reset();
  EXPECT_EQ(judge(records), "FOREIGN_KERNEL: it is not known where kernel "
                            "'mine' comes from");
}

TEST(Origin, GeneratedModulesAreFound) {
  OriginRecords records = honest();
  records.modules.push_back({WorkOwner::Candidate, "", false, true});
  records.kernels.push_back({WorkOwner::Candidate, "made", 2, 1});
  EXPECT_EQ(judge(records), "GENERATED_KERNEL: kernel 'made' is of a module "
                            "that was made at run time");
}

TEST(Origin, CompiledInTheProcess) {
  // The kernels of host code that has no file: only what was compiled may be
  // loaded, however it came into memory.
  OriginRecords records;
  records.modules.push_back({WorkOwner::Candidate, "", false, true});
  records.code.push_back({WorkOwner::Candidate, hash("compiled"), 8});
  records.kernels.push_back({WorkOwner::Candidate, "mine", 0, 1});
  CompiledCode compiled;
  compiled.cubin = "compiled";
  auto none = [](llvm::StringRef) { return llvm::StringRef(); };
  EXPECT_TRUE(judgeOrigins(records, compiled, none));
  compiled.fromMemory = true;
  EXPECT_FALSE(judgeOrigins(records, compiled, none));
  records.code.push_back({WorkOwner::Candidate, hash("made"), 4});
  std::optional<Violation> made = judgeOrigins(records, compiled, none);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->code, "GENERATED_KERNEL");
  // A library's kernel is foreign all the same.
  records.code.pop_back();
  records.modules[0].file = "/opt/libhelp.so";
  EXPECT_TRUE(judgeOrigins(records, compiled, none));
}

TEST(Origin, TextOfItsOwnIsAllowed) {
  OriginRecords records = honest();
  records.modules.push_back({WorkOwner::Candidate, "/w/kernel.so", true, true});
  records.code.push_back({WorkOwner::Candidate, hash("from text"), 9});
  records.kernels.push_back({WorkOwner::Candidate, "text", 2, 1});
  EXPECT_EQ(judge(records), "");
  // One text makes one piece of code.
  records.code.push_back({WorkOwner::Candidate, hash("more"), 4});
  EXPECT_NE(judge(records), "");
}

TEST(Origin, StoredMachineCodeIsFound) {
  // In the candidate's file, but not by its compiler.
  OriginRecords records = honest();
  records.modules.push_back(
      {WorkOwner::Candidate, "/w/kernel.so", true, false});
  records.code.push_back({WorkOwner::Candidate, hash("stored"), 6});
  EXPECT_EQ(judge(records),
            "GENERATED_KERNEL: machine code was loaded that the compiler did "
            "not make of the candidate");
  // What the compiler made is not known: nothing to compare with.
  EXPECT_EQ(judge(records, ""), "");
}

TEST(Origin, NodesOfGraphsGoByName) {
  OriginRecords records = honest();
  records.unseenKernels = {"other"};
  EXPECT_EQ(judge(records), "");
  records.unseenKernels = {"ther"};
  EXPECT_EQ(judge(records), "FOREIGN_KERNEL: kernel 'ther' ran, which the "
                            "candidate's machine code has not");
}

TEST(Origin, OpenedLibrariesAreNamed) {
  for (const char *file :
       {"/usr/lib/libcublas.so.13", "/x/libcudnn.so.9", "libnvrtc.so.13",
        "/x/libnvJitLink.so.13", "/x/libcublasLt.so.13.1.0"}) {
    OriginRecords records = honest();
    records.libraries.push_back(file);
    EXPECT_EQ(judge(records).rfind("BANNED_LIBRARY", 0), 0u) << file;
  }
  OriginRecords records = honest();
  records.libraries.push_back("/usr/lib/libstdc++.so.6");
  records.libraries.push_back("/home/cublas/libmine.so");
  EXPECT_EQ(judge(records), "");
}

TEST(Origin, RoundTrips) {
  OriginRecords records = honest(), read;
  records.unseenKernels = {"x"};
  llvm::json::Path::Root root("origins");
  ASSERT_TRUE(fromJSON(toJSON(records), read, root));
  std::string before, after;
  llvm::raw_string_ostream(before) << toJSON(records);
  llvm::raw_string_ostream(after) << toJSON(read);
  EXPECT_EQ(before, after);
}

TEST(Origin, RefusesIndicesOutOfRange) {
  OriginRecords records = honest(), read;
  records.kernels[0].module = 2;
  llvm::json::Path::Root root("origins");
  EXPECT_FALSE(fromJSON(toJSON(records), read, root));
  EXPECT_EQ(llvm::toString(root.getError()),
            "expected the index of a module at origins.kernels[0]");
}

} // namespace
