//===- SampleTest.cpp - Tests of samples and code in completions ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which block of a completion counts, and what a file of samples may hold.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Evaluation/Sample.h"
#include "gtest/gtest.h"

#include <set>

using namespace ptxbench;
using llvm::Expected;

/// "file: text" of the only file, or "error: …".
static std::string extract(llvm::StringRef completion) {
  Expected<CandidateCode> code = extractCode(completion);
  if (!code)
    return "error: " + llvm::toString(code.takeError());
  std::string text;
  for (const SourceFile &file : code->files)
    text += file.path + ": " + file.text;
  return text;
}

TEST(ExtractTest, LastBlockOfACandidatesLanguage) {
  EXPECT_EQ(extract("```cuda\na\n```\ntext\n```cpp\nb\nc\n```\n"),
            "candidate.cu: b\nc\n");
  EXPECT_EQ(extract("```cuda\na\n```\nCompile:\n```bash\nnvcc\n```"),
            "candidate.cu: a\n");
  EXPECT_EQ(extract("```json\n{}\n```\n```PTX\n.version 9.0\n```"),
            "candidate.ptx: .version 9.0\ncandidate.launch.json: {}\n");
  EXPECT_EQ(extract("```mlir title=x\nmodule {}\n```\n```json\n[]\n```"),
            "candidate.mlir: module {}\ncandidate.launch.json: []\n");
  EXPECT_EQ(
      extract("```ptx\n.version 9.0\n```"),
      "error: the last fenced code block has no host code, and there is no "
      "block of JSON that says how it is launched");
}

TEST(ExtractTest, HostCodeInMLIR) {
  // It launches its kernels itself.
  for (llvm::StringRef module :
       {"module {\n  func.func @run(%0: i32) { return }\n}\n",
        "\"func.func\"() ({}) {sym_name = \"run\"} : () -> ()\n",
        "// \"\nfunc.func @run() {\n"})
    EXPECT_EQ(extract(("```mlir\n" + module + "```").str()),
              ("candidate.mlir: " + module).str());
  for (llvm::StringRef module :
       {"// func.func @run()\ngpu.module @m {}\n",
        "module attributes {a = \"a \\\" func.func @run\"} {}\n",
        "my.func.func @run()\n", "llvm.func @run() {\n"})
    EXPECT_EQ(
        extract(("```mlir\n" + module + "```").str()),
        "error: the last fenced code block has no host code, and there is no "
        "block of JSON that says how it is launched")
        << module.str();
  // LLVM IR and PTX have none.
  EXPECT_NE(extract("```ll\n; func.func\n```").find("error:"),
            std::string::npos);
}

TEST(ExtractTest, Fences) {
  // A longer fence is not closed by a shorter one, nor by another mark.
  EXPECT_EQ(extract("````cu\na\n```\n~~~~\nb\n````\n"),
            "candidate.cu: a\n```\n~~~~\nb\n");
  EXPECT_EQ(extract("~~~cu\r\na\r\n~~~\r\n"), "candidate.cu: a\n");
  // Cut off: the code counts, whatever it is worth.
  EXPECT_EQ(extract("```cuda\nint main"), "candidate.cu: int main\n");
  EXPECT_EQ(extract("  ```cuda\n    a\n b\n  ```"), "candidate.cu:   a\nb\n");
  // Four spaces are an indented block, and `code` is no fence.
  EXPECT_EQ(extract("    ```cuda\n    a\n    ```"),
            "error: the completion has no fenced code block");
  EXPECT_EQ(extract("```a` b\n"),
            "error: the completion has no fenced code block");
}

TEST(ExtractTest, WithoutALanguage) {
  EXPECT_EQ(extract("```json\n```\n```\n// PTX\n.version 8.0\n```"),
            "candidate.ptx: // PTX\n.version 8.0\ncandidate.launch.json: ");
  EXPECT_EQ(extract("```json\n```\n```\nmodule {\n}\n```"),
            "candidate.mlir: module {\n}\ncandidate.launch.json: ");
  for (llvm::StringRef mlir :
       {"!tile = memref<4xf32>\n", "#map = affine_map<(i) -> (i)>\n"})
    EXPECT_EQ(extract(("```json\n```\n```\n" + mlir + "```").str()),
              ("candidate.mlir: " + mlir + "candidate.launch.json: ").str());
  for (llvm::StringRef ll : {"; ModuleID = 'k'\nsource_filename = \"k\"\n",
                             "target triple = \"nvptx64-nvidia-cuda\"\n",
                             "define ptx_kernel void @k() {\n"})
    EXPECT_EQ(extract(("```json\n```\n```\n" + ll + "```").str()),
              ("candidate.ll: " + ll + "candidate.launch.json: ").str());
  EXPECT_EQ(extract("```\n__global__ void k();\n```"),
            "candidate.cu: __global__ void k();\n");
  EXPECT_EQ(extract("```\nnvcc a.cu\n```"),
            "error: none of the 1 fenced code blocks is CUDA C++, PTX, MLIR or "
            "LLVM IR");
}

TEST(ExtractTest, InfoStrings) {
  for (const char *info :
       {"cuda:kernel.cu", "cuda kernel.cu", "{.cuda}", "{.cuda .numbers}",
        "{#kernel .cuda}", "{cuda, echo=FALSE}", "c++17", "gnu++20", "cpp20",
        "cuda title=\"x\"", "cuda\ttitle", "CUDA,linenos", "cuda{1,3}", ".cuda",
        "kernel.cu", "cuda-c++17", "  cuda", "src/kernel.cu"})
    EXPECT_EQ(extract(("```cuda\nint draft;\n```\n```" + llvm::StringRef(info) +
                       "\nint x;\n```")
                          .str()),
              "candidate.cu: int x;\n")
        << info;
  EXPECT_EQ(extract("```{.json}\n{}\n```\n```ptx:k.ptx\n.version 9.0\n```"),
            "candidate.ptx: .version 9.0\ncandidate.launch.json: {}\n");
  EXPECT_EQ(extract("```launch.json\n{}\n```\n```k.ll\n\n;\n```"),
            "candidate.ll: \n;\ncandidate.launch.json: {}\n");
}

TEST(ExtractTest, AnEarlierOneIsADraft) {
  std::string draft = "```cuda\nint draft;\n```\n";
  for (auto [info, named] :
       {std::pair<const char *, const char *>{"triton", "triton"},
        {"python main.py", "python"},
        {"{.rust}", "rust"},
        {"c++x", "c++x"},
        {"cudanot", "cudanot"}})
    EXPECT_EQ(
        extract(draft + "```" + info + "\nx\n```"),
        std::string("error: the last fenced code block is in '") + named +
            "', which is none of CUDA C++, PTX, MLIR and LLVM IR; only blocks "
            "of shell commands, of plain text and of JSON may follow that of "
            "the candidate");
  // How it is built and what it prints is no candidate.
  for (const char *info : {"bash", "console", "text", "txt", "json", ""})
    EXPECT_EQ(extract(draft + "```" + info + "\nx\n```"),
              "candidate.cu: int draft;\n")
        << info;
  EXPECT_EQ(extract(draft + "```\n#include <a>\nint x;\n```"),
            "candidate.cu: #include <a>\nint x;\n");
}

TEST(ExtractTest, Indentation) {
  std::string draft = "```cuda\nint draft;\n```\n";
  for (const char *spaces : {"", " ", "  ", "   "})
    EXPECT_EQ(extract(draft + spaces + "```cuda\nint x;\n" + spaces + "```\n"),
              "candidate.cu: int x;\n");
  // Four are no fence, but in a list.
  EXPECT_EQ(extract(draft + "    ```cuda\n    int x;\n    ```\n"),
            "candidate.cu: int draft;\n");
  EXPECT_EQ(extract(draft + "10. Last:\n\n    ```cuda\n    int x;\n    ```\n"),
            "candidate.cu: int x;\n");
  EXPECT_EQ(extract(draft + "- a\n  - Last:\n\n    ```cuda\n    int x;\n"
                            "    ```\n"),
            "candidate.cu: int x;\n");
  EXPECT_EQ(extract(draft + "1. ```cuda\n   int x;\n   ```\n"),
            "candidate.cu: int x;\n");
  EXPECT_EQ(extract(draft + "- a\n\nThe end.\n\n    ```cuda\n    int x;\n"),
            "candidate.cu: int draft;\n");
}

TEST(ExtractTest, Nothing) {
  EXPECT_EQ(extract(""), "error: the completion has no fenced code block");
  EXPECT_EQ(extract("```cuda\n \n```"),
            "error: the last fenced code block is empty");
}

static std::string errorOf(llvm::StringRef text) {
  Expected<std::vector<Sample>> samples = parseSamples(text, "s.jsonl");
  EXPECT_FALSE(bool(samples));
  return samples ? "" : llvm::toString(samples.takeError());
}

TEST(SampleTest, Completions) {
  Expected<std::vector<Sample>> samples = parseSamples(
      "{\"task_id\": \"t\", \"completion\": \"```cu\\na\\n```\"}\n\n"
      "{\"task_id\": \"u\", \"completion\": \"no\", \"turn\": 3, "
      "\"trajectory_id\": 17, \"model\": \"m\"}\n",
      "s.jsonl");
  ASSERT_TRUE(bool(samples));
  ASSERT_EQ(samples->size(), 2u);
  const Sample &first = (*samples)[0], &second = (*samples)[1];
  EXPECT_EQ(first.task, "t");
  EXPECT_EQ(first.code->files[0].text, "a\n");
  EXPECT_EQ(first.line, 1u);
  EXPECT_FALSE(second.code.has_value());
  EXPECT_EQ(second.problem, "the completion has no fenced code block");
  EXPECT_EQ(second.line, 3u);
  EXPECT_EQ(second.trajectory, "17");
  EXPECT_EQ(second.turn, 3);
  EXPECT_EQ(first.key.size(), 16u);
}

TEST(SampleTest, NullIsAbsent) {
  Expected<std::vector<Sample>> samples = parseSamples(
      "\xef\xbb\xbf{\"task_id\": \"t\", \"completion\": \"```cu\\na\\n```\", "
      "\"turn\": null, \"trajectory_id\": null, \"sources\": null}\n"
      "{\"task_id\": \"t\", \"completion\": null, \"turn\": 2}\n"
      "{\"task_id\": \"t\", \"trajectory_id\": \"x\"}\n",
      "s.jsonl");
  ASSERT_TRUE(bool(samples)) << llvm::toString(samples.takeError());
  ASSERT_EQ(samples->size(), 3u);
  const Sample &first = (*samples)[0], &second = (*samples)[1];
  ASSERT_TRUE(first.code.has_value());
  EXPECT_FALSE(first.turn || first.trajectory);
  EXPECT_FALSE(second.code.has_value());
  EXPECT_FALSE(second.isUnsupported);
  EXPECT_EQ(second.problem, "s.jsonl:2: the line has no completion");
  EXPECT_EQ(second.turn, 2);
  EXPECT_EQ((*samples)[2].problem, "s.jsonl:3: the line has no completion");
  EXPECT_EQ((*samples)[2].trajectory, "x");
  // The mark belongs at the beginning only.
  EXPECT_NE(errorOf("\n\xef\xbb\xbf{}").find("s.jsonl:2:"), std::string::npos);
}

TEST(SampleTest, TheSameTwiceAreTwo) {
  std::string line = "{\"task_id\": \"t\", \"completion\": \"x\"}\n";
  Expected<std::vector<Sample>> samples = parseSamples(line + line, "s.jsonl");
  ASSERT_TRUE(bool(samples));
  EXPECT_EQ((*samples)[0].key + "-2", (*samples)[1].key);
}

TEST(SampleTest, KeysDoNotDependOnPlaces) {
  std::string a = "{\"task_id\": \"t\", \"completion\": \"a\"}\n",
              b = "{\"task_id\": \"t\", \"completion\": \"b\"}\n",
              c = "{\"task_id\": \"u\", \"completion\": \"a\"}\n";
  auto keysOf = [](const std::string &text) {
    std::vector<std::string> keys;
    Expected<std::vector<Sample>> samples = parseSamples(text, "s.jsonl");
    if (!samples) {
      ADD_FAILURE() << llvm::toString(samples.takeError());
      return keys;
    }
    for (const Sample &sample : *samples)
      keys.push_back(sample.key);
    return keys;
  };
  std::vector<std::string> few = keysOf(a + b), all = keysOf(c + b + a + a);
  EXPECT_EQ(all[1], few[1]);
  EXPECT_EQ(all[2], few[0]);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 4u);
}

static std::string solution(llvm::StringRef language, llvm::StringRef entry,
                            llvm::StringRef path, llvm::StringRef more = "") {
  return ("{\"name\": \"n\", \"definition\": \"d\", \"author\": \"a\", "
          "\"spec\": {\"language\": \"" +
          language +
          "\", \"target_hardware\": [\"H100\"], \"entry_point\": \"" + entry +
          "\"" + more +
          "}, \"sources\": [{\"path\": \"x.cuh\", "
          "\"content\": \"1\"}, {\"path\": \"" +
          path + "\", \"content\": \"2\"}]}")
      .str();
}

TEST(SampleTest, Solutions) {
  auto read = [](const std::string &text) {
    Expected<std::vector<Sample>> samples = parseSamples(text, "s.jsonl");
    if (!samples) {
      ADD_FAILURE() << llvm::toString(samples.takeError());
      return Sample();
    }
    return samples->front();
  };
  Sample good = read(solution("cuda", "src/k.cu::run", "src/k.cu"));
  EXPECT_EQ(good.name, "n");
  EXPECT_EQ(good.task, "d");
  ASSERT_TRUE(good.code.has_value());
  // The one to compile comes first.
  EXPECT_EQ(good.code->files[0].path, "src/k.cu");
  EXPECT_EQ(good.code->files[1].path, "x.cuh");
  EXPECT_EQ(read(solution("triton", "k.py::run", "k.py")).problem,
            "solutions in 'triton' are not run: only 'cuda', 'ptx', 'mlir' and "
            "'llvm'");
  EXPECT_TRUE(read(solution("triton", "k.py::run", "k.py")).isUnsupported);
  for (auto [language, file] :
       {std::pair<llvm::StringRef, llvm::StringRef>{"ptx", "k.ptx"},
        {"MLIR", "k.mlir"},
        {"LLVM IR", "k.ll"},
        {"llvm", "k.ll"}})
    EXPECT_TRUE(
        read(solution(language, (file + "::run").str(), file)).code.has_value())
        << language.str();
  EXPECT_EQ(read(solution("mlir", "k.ll::run", "k.ll")).problem,
            "the entry point stands in 'k.ll': only .mlir files are compiled");
  EXPECT_EQ(good.code->function, "run");
  // A name that cannot be that of a file is the candidate's fault.
  Sample taken =
      read(solution("cuda", "ptxbench-all.cu::run", "ptxbench-all.cu"));
  EXPECT_FALSE(taken.code.has_value());
  EXPECT_FALSE(taken.isUnsupported);
  EXPECT_NE(taken.problem.find("sources[1].path: expected another name"),
            std::string::npos)
      << taken.problem;
  EXPECT_EQ(read(solution("cuda", "k.cu::f", "k.cu")).code->function, "f");
  EXPECT_EQ(read(solution("cuda", "k.cpp::run", "k.cpp")).problem,
            "the entry point stands in 'k.cpp': only .cu files are compiled");
  EXPECT_EQ(
      read(solution("cuda", "k.cu::run", "k.cu", ", \"binding\": \"torch\""))
          .problem,
      "the binding 'torch' is not supported: only 'tvm-ffi'");
  EXPECT_EQ(read(solution("cuda", "k.cu::run", "k.cu",
                          ", \"destination_passing_style\": false"))
                .problem,
            "the solution returns its outputs: only destination passing is "
            "supported");
}

TEST(SampleTest, Errors) {
  EXPECT_EQ(errorOf("\n"), "s.jsonl: the file has no samples");
  EXPECT_NE(errorOf("\n{\"completion\": \"x\"}").find("s.jsonl:2: "),
            std::string::npos);
  EXPECT_NE(errorOf("{\"task_id\": null, \"completion\": \"x\"}")
                .find("s.jsonl:1: task_id: "),
            std::string::npos);
  EXPECT_NE(errorOf("{\"task_id\": \"t\", \"completion\": 1}")
                .find("s.jsonl:1: completion: "),
            std::string::npos);
  EXPECT_NE(errorOf("{\"task_id\": \"t\", \"turn\": \"1\"}")
                .find("s.jsonl:1: turn: "),
            std::string::npos);
  EXPECT_NE(errorOf("\n[]").find("s.jsonl:2: "), std::string::npos);
  EXPECT_NE(errorOf("{\"task_id\": 1, \"completion\": \"\"}").find("task_id"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"a\": ").find("s.jsonl:1:"), std::string::npos);
}

TEST(SampleTest, SourcesThatCannotBeWritten) {
  // The fault of that candidate alone, and not one that nothing is said of.
  auto problemOf = [](const std::string &entry, const std::string &path) {
    Expected<std::vector<Sample>> samples = parseSamples(
        solution("cuda", entry, path) + "\n" +
            "{\"task_id\": \"t\", \"completion\": \"```cu\\na\\n```\"}",
        "s.jsonl");
    if (!samples)
      return "all refused: " + llvm::toString(samples.takeError());
    EXPECT_TRUE(samples->back().code.has_value());
    EXPECT_FALSE(samples->front().code.has_value());
    EXPECT_FALSE(samples->front().isUnsupported);
    return samples->front().problem;
  };
  auto has = [](const std::string &text, const char *part) {
    return llvm::StringRef(text).contains(part);
  };
  // A path must not lead out of the folder that it is written into.
  for (std::string path :
       {"../k.cu", "/k.cu", "a//k.cu", "a/./k.cu", "", "../../x.cuh"})
    EXPECT_PRED2(has, problemOf("k.cu::run", path),
                 "s.jsonl:1: sources[1].path: expected a relative path");
  for (std::string path : {"a$b.cu", "a`b.cu", "a\\\\b.cu"})
    EXPECT_PRED2(has, problemOf(path + "::run", path),
                 "expected a path without double quotes, '$'");
  EXPECT_PRED2(has, problemOf("k.cu::run", "x.cuh"), "twice");
  EXPECT_PRED2(has, problemOf("k.cu::run", "l.cu"),
               "with a file of the sources");
  EXPECT_PRED2(has, problemOf("k.cu", "k.cu"), "FILE::FUNCTION");
  EXPECT_PRED2(has, problemOf("k", "k.cu"), "FILE::FUNCTION");
}
