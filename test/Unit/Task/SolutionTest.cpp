//===- SolutionTest.cpp - Solutions of data sets --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Solution.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

const char *const text = R"({
 "name": "fast", "definition": "add_d4", "author": "me",
 "spec": {"language": "cuda", "target_hardware": ["H100"],
          "entry_point": "src/kernel.cu::run", "dependencies": ["cutlass"],
          "destination_passing_style": false, "binding": "tvm-ffi"},
 "sources": [{"path": "src/kernel.cu", "content": "// one"},
             {"path": "util.h", "content": ""}]})";

std::string replaced(const std::string &from, const std::string &to) {
  std::string result = text;
  size_t at = result.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos)
    result.replace(at, from.size(), to);
  return result;
}

std::string errorOf(const std::string &from, const std::string &to) {
  llvm::Expected<Solution> it = parseSolution(replaced(from, to), "s.json");
  return it ? "accepted" : llvm::toString(it.takeError());
}

TEST(Solution, IsRead) {
  llvm::Expected<Solution> it = parseSolution(text, "s.json");
  ASSERT_TRUE(static_cast<bool>(it)) << llvm::toString(it.takeError());
  EXPECT_EQ(it->name, "fast");
  EXPECT_EQ(it->definition, "add_d4");
  EXPECT_EQ(it->author, "me");
  EXPECT_EQ(it->language, "cuda");
  EXPECT_EQ(it->targetHardware, (std::vector<std::string>{"H100"}));
  EXPECT_EQ(it->dependencies, (std::vector<std::string>{"cutlass"}));
  EXPECT_EQ(it->entryFile, "src/kernel.cu");
  EXPECT_EQ(it->entryFunction, "run");
  EXPECT_FALSE(it->destinationPassing);
  EXPECT_EQ(it->binding, "tvm-ffi");
  ASSERT_EQ(it->sources.size(), 2u);
  EXPECT_EQ(it->findSource("src/kernel.cu")->content, "// one");
  EXPECT_EQ(it->findSource("kernel.cu"), nullptr);
  EXPECT_EQ(errorOf("\"tvm-ffi\"", "null"), "accepted");
}

TEST(Solution, NamesThatAreNoneOfFiles) {
  auto problemOf = [](const std::string &from, const std::string &to) {
    llvm::Expected<Solution> it = parseSolution(replaced(from, to), "s.json");
    return it ? it->problem : llvm::toString(it.takeError());
  };
  EXPECT_EQ(problemOf("util.h", "util.hpp"), "");
  EXPECT_EQ(problemOf("util.h", "lib/ptxbench-all.cu"), "");
  EXPECT_EQ(problemOf("util.h", "ptxbench-all.cu"),
            "s.json:7: sources[1].path: expected another name than "
            "'ptxbench-all.cu', which is that of the unit that includes the "
            "sources");
  EXPECT_NE(problemOf("util.h", "ptxbench-all.cu/x.h"), "");
  EXPECT_EQ(problemOf("util.h", std::string(200, 'a')), "");
  EXPECT_EQ(problemOf("util.h", std::string(201, 'a')),
            "s.json:7: sources[1].path: expected names of at most 200 bytes "
            "but got one of 201, '" +
                std::string(40, 'a') + "...'");
  std::string deep;
  for (unsigned i = 0; i < 520; ++i)
    deep += "a/";
  EXPECT_EQ(problemOf("util.h", deep + "b"),
            "s.json:7: sources[1].path: expected a path of at most 1024 bytes "
            "but got 1041");
  for (const char *odd : {"a\\nb", "a\\\"b", "a$b", "$(a)", "a`b", "a\\\\b"})
    EXPECT_NE(
        problemOf("util.h", odd)
            .find("s.json:7: sources[1].path: expected a path without double "
                  "quotes, '$', '`', backslashes and control characters"),
        std::string::npos)
        << odd;
  EXPECT_EQ(problemOf("util.h", "it's {a} 'b' %c ~ & (d).h"), "");
  for (const char *path :
       {"../util.h", "/util.h", "a/../util.h", "./util.h", "a//b", ""})
    EXPECT_NE(problemOf("util.h", path)
                  .find("s.json:7: sources[1].path: expected a relative path"),
              std::string::npos)
        << path;
  EXPECT_EQ(problemOf("util.h", "src/kernel.cu"),
            "s.json:7: sources[1].path: expected each path once but "
            "\"src/kernel.cu\" is there twice");
  EXPECT_EQ(problemOf("src/kernel.cu::run", "kernel.cu::run"),
            "s.json:4: spec.entry_point: expected \"FILE::FUNCTION\" with a "
            "file of the sources but got \"kernel.cu::run\"");
  EXPECT_NE(problemOf("src/kernel.cu::run", "src/kernel.cu").find("FUNCTION"),
            std::string::npos);
  EXPECT_EQ(problemOf("util.h", "src/kernel.cu/util.h"),
            "s.json:7: sources[1].path: expected a folder but 'src/kernel.cu' "
            "is a file of the sources");
  EXPECT_EQ(problemOf("::run", "::" + std::string(4096, 'f')), "");
  EXPECT_EQ(problemOf("::run", "::" + std::string(200000, 'f')),
            "s.json:4: spec.entry_point: expected the name of a function of at "
            "most 4096 bytes but got 200000");
  EXPECT_NE(problemOf("::run", "::a\\u0000b"), "");
}

TEST(Solution, Refusals) {
  EXPECT_NE(errorOf("\"author\"", "\"writer\"").find("\"author\""),
            std::string::npos);
}

TEST(Solution, OfADataSet) {
  llvm::SmallString<128> root;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("ptxbench-set", root));
  auto write = [&](const llvm::Twine &file, llvm::StringRef content) {
    llvm::SmallString<128> path((root + "/" + file).str());
    ASSERT_FALSE(
        llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)));
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    ASSERT_FALSE(code);
    os << content;
  };
  auto names = [&] {
    llvm::Expected<std::vector<Solution>> all = loadSolutions(root, "add_d4");
    if (!all)
      return llvm::toString(all.takeError());
    std::string result;
    for (const Solution &solution : *all)
      result += solution.name + " ";
    return result;
  };
  EXPECT_NE(names().find("cannot read the folder"), std::string::npos);
  write("solutions/me/add/add_d4/b.json", replaced("fast", "second"));
  write("solutions/me/add/add_d4/a.json", text);
  write("solutions/me/mul/c.json",
        replaced("\"name\": \"fast\", \"definition\": \"add_d4\"",
                 "\"name\": \"other\", \"definition\": \"mul_d4\""));
  write("solutions/notes.txt", "");
  EXPECT_EQ(names(), "fast second ");
  write("solutions/you/d.json", text);
  EXPECT_NE(names().find("d.json: expected unique names but "),
            std::string::npos);
  llvm::sys::fs::remove_directories(root);
}

} // namespace
