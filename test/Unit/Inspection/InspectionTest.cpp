//===- InspectionTest.cpp - Tests of what a candidate must not use --------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources and libraries that use what is not allowed beside those that only
// look like it. Libraries are made by the host's C compiler, where there is
// one.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Inspection/Inspection.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxbench;
using Strings = std::vector<std::string>;

static Strings describeAll(llvm::ArrayRef<InspectionFinding> findings) {
  Strings out;
  for (const InspectionFinding &finding : findings)
    out.push_back(std::string(finding.decides ? "" : "mention ") +
                  ruleOf(finding.kind) + " " + finding.name +
                  (finding.file.empty() ? "" : " " + finding.file) +
                  (finding.line ? " " + std::to_string(finding.line) : ""));
  return out;
}
static Strings inspect(llvm::StringRef text) {
  return describeAll(inspectSource(text));
}

TEST(InspectSourceTest, HeadersDecide) {
  EXPECT_EQ(
      inspect("#include <cublas_v2.h>\n# include \"cudnn.h\"\n"),
      (Strings{"banned-library cublas_v2.h 1", "banned-library cudnn.h 2"}));
  EXPECT_EQ(inspect("#if 1\n#include <nvrtc.h>\n#endif"),
            Strings{"banned-library nvrtc.h 2"});
  EXPECT_EQ(inspect("#if 0\n#if 1\n#endif\n#include <a.h>\n#else\n"
                    "#include </usr/include/cublasLt.h>\n#endif"),
            Strings{"banned-library /usr/include/cublasLt.h 6"});
}

TEST(InspectSourceTest, SpellingsOfInclude) {
  Strings found{"banned-library cublas_v2.h 1"};
  for (const char *line :
       {"%:include <cublas_v2.h>", "# include_next <cublas_v2.h>",
        "#import <cublas_v2.h>", "#include /*c*/ \"cublas_v2.h\"",
        "#/*c*/include/**/<cublas_v2.h>", " %: include\t<cublas_v2.h>"})
    EXPECT_EQ(inspect(line), found) << line;
  EXPECT_EQ(inspect("#define A <cublas_v2.h>\n#define B A\n#include B\n"),
            (Strings{"mention banned-library cublas_v2 1",
                     "banned-library cublas_v2.h 3"}));
  EXPECT_EQ(inspect("#define A B\n#define B A\n#include B\n"), Strings{});
  EXPECT_EQ(inspect("#define A <cublas_v2.h>\n"),
            Strings{"mention banned-library cublas_v2 1"});
  EXPECT_EQ(inspect("%:if 0\n#include <cublas_v2.h>\n%: endif"), Strings{});
  EXPECT_EQ(inspect("int a = 7 %:: b;\n#included <cublas_v2.h>"),
            Strings{"mention banned-library cublas_v2 2"});
}

TEST(InspectSourceTest, HeadersThatAreNone) {
  EXPECT_EQ(inspect("// #include <cublas_v2.h>\n/*\n#include <cudnn.h>\n*/"),
            Strings{});
  EXPECT_EQ(inspect("#if 0\n#include <cublas_v2.h>\n#endif"), Strings{});
  EXPECT_EQ(inspect("#include \"my_cublas.h\"\n#include <cublasless.h>"),
            Strings{});
  EXPECT_EQ(inspect("const char *s = \"\\\n#include <cublas_v2.h>\";"),
            Strings{});
}

TEST(InspectSourceTest, NamesAreMentions) {
  EXPECT_EQ(inspect("\n  cublasGemmEx(h);"),
            Strings{"mention banned-library cublasGemmEx 2"});
  EXPECT_EQ(inspect("auto f = &cudnnCreate; cudnnCreate(&h);"),
            Strings{"mention banned-library cudnnCreate 1"});
  EXPECT_EQ(inspect("dlopen(\"/usr/lib/libcublas.so.13\", 1);"),
            (Strings{"mention run-time-lookup dlopen 1",
                     "mention banned-library libcublas.so.13 1"}));
  EXPECT_EQ(inspect("const char *s = R\"x(libcudnn.so.9)x\";"),
            Strings{"mention banned-library libcudnn.so.9 1"});
  // A function of its own that has the name of one of the system's.
  EXPECT_EQ(inspect("void connect(int); connect(1);"),
            Strings{"mention system-call connect 1"});
}

TEST(InspectSourceTest, OnlyLooksLikeIt) {
  EXPECT_EQ(inspect("// cublasGemmEx\n/* cudnnCreate\n */ int cublasless;"),
            Strings{});
  EXPECT_EQ(inspect("puts(\"cublasGemmEx is not used\");"), Strings{});
  EXPECT_EQ(inspect("my_cublasGemmEx(); int xcudnnCreate;"), Strings{});
  EXPECT_EQ(inspect("char c = '\"'; // \" cublasGemmEx"), Strings{});
  EXPECT_EQ(inspect("int n = 1'000'000; /* cublasGemmEx */"), Strings{});
  EXPECT_EQ(inspect(""), Strings{});
}

TEST(InspectSourceTest, LinesAndSplices) {
  // A comment goes on behind a backslash; a name is put together over one.
  EXPECT_EQ(inspect("// \\\ncublasGemmEx();\ncublas\\\nCreate();"),
            Strings{"mention banned-library cublasCreate 3"});
  EXPECT_EQ(inspect("/* not closed cublasCreate()"), Strings{});
  EXPECT_EQ(inspect("\"not closed\ncublasCreate()"),
            Strings{"mention banned-library cublasCreate 2"});
}

namespace {

/// A folder that goes with the test.
class InFolder : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("inspect", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  std::string write(llvm::StringRef name, llvm::StringRef text) const {
    std::string file = path(name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    EXPECT_FALSE(code);
    return file;
  }

  llvm::SmallString<128> folder;
};

using InspectSourceFileTest = InFolder;

/// Inspects the library that C code makes.
class InspectLibraryTest : public InFolder {
protected:
  Strings inspectC(llvm::StringRef code) {
    std::string source = write("code.c", code), library = path("code.so");
    SubprocessOptions process;
    process.argv = {*llvm::sys::findProgramByName("cc"),
                    "-shared",
                    "-fPIC",
                    "-O1",
                    "-o",
                    library,
                    source};
    llvm::Expected<SubprocessResult> made = runSubprocess(process);
    EXPECT_TRUE(bool(made) && made->succeeded());
    if (!made) {
      llvm::consumeError(made.takeError());
      return {};
    }
    llvm::Expected<std::vector<InspectionFinding>> found =
        inspectLibrary(library);
    EXPECT_TRUE(bool(found));
    return found ? describeAll(*found)
                 : Strings{llvm::toString(found.takeError())};
  }
  void SetUp() override {
    if (!llvm::sys::findProgramByName("cc"))
      GTEST_SKIP() << "no C compiler";
    InFolder::SetUp();
  }
};

} // namespace

TEST_F(InspectSourceFileTest, FollowsItsOwnFiles) {
  write("lib/inner.cuh", "#include <cudnn.h>\n#include \"../main.cu\"\n");
  write("outer.cuh", "#include \"lib/inner.cuh\"\nint fork();\n");
  std::string file =
      write("main.cu", "#include \"outer.cuh\"\n#include \"missing.cuh\"\n");
  llvm::Expected<std::vector<InspectionFinding>> found =
      inspectSourceFile(file);
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(describeAll(*found),
            (Strings{"mention system-call fork outer.cuh 2",
                     "banned-library cudnn.h lib/inner.cuh 1"}));
}

TEST_F(InspectSourceFileTest, NoFile) {
  llvm::Expected<std::vector<InspectionFinding>> found =
      inspectSourceFile(path("none.cu"));
  ASSERT_FALSE(bool(found));
  EXPECT_NE(llvm::toString(found.takeError()).find("none.cu"),
            std::string::npos);
}

TEST_F(InspectLibraryTest, Imports) {
  EXPECT_EQ(inspectC("#define CALL(x) cub##las##x()\n"
                     "extern int CALL(Create_v2);\n"
                     "int f() { return CALL(Create_v2); }"),
            Strings{"banned-library cublasCreate_v2"});
  EXPECT_EQ(inspectC("int f() __asm__(\"cudnnCreate\"); int (*p)() = &f;"),
            Strings{"banned-library cudnnCreate"});
  EXPECT_EQ(inspectC("int fork(void); int f() { return fork(); }"),
            Strings{"mention system-call fork"});
  EXPECT_EQ(
      inspectC("long syscall(long, ...); long f() { return syscall(1); }"),
      Strings{"mention system-call syscall"});
}

TEST_F(InspectLibraryTest, Strings) {
  EXPECT_EQ(inspectC("const char *f() { return \"libcu\" \"blas.so.13\"; }"),
            ::Strings{"banned-library libcublas.so.13"});
  EXPECT_EQ(inspectC("const char *f() { return \"/opt/lib/libnvrtc.so\"; }"),
            ::Strings{"banned-library libnvrtc.so"});
  EXPECT_EQ(inspectC("void *dlsym(void *, const char *);"
                     "void *f() { return dlsym(0, \"cublas\" \"GemmEx\"); }"),
            (::Strings{"mention run-time-lookup dlsym",
                       "banned-library cublasGemmEx"}));
}

TEST_F(InspectLibraryTest, OnlyLooksLikeIt) {
  // Functions of its own with names of libraries or of the system.
  EXPECT_EQ(inspectC("int cublasLikeGemm() { return 1; }"
                     "int connect(int x) { return x; }"
                     "int f() { return cublasLikeGemm() + connect(2); }"),
            ::Strings{});
  // Messages; a name of a function without a way to look it up.
  EXPECT_EQ(
      inspectC("const char *f(int x) { return x ? \"no libcublas.so here\""
               " : \"cublasGemmEx\"; }"),
      ::Strings{});
  EXPECT_EQ(inspectC("int printf(const char *, ...);"
                     "int f() { return printf(\"libcublas.so: %d\\n\", 1); }"),
            ::Strings{});
}

TEST_F(InFolder, NoLibrary) {
  llvm::Expected<std::vector<InspectionFinding>> findings =
      inspectLibrary(write("none.so", "no library"));
  EXPECT_FALSE(bool(findings));
  EXPECT_FALSE(llvm::toString(findings.takeError()).empty());
  llvm::Expected<std::vector<InspectionFinding>> missing =
      inspectLibrary("/nowhere/a.so");
  EXPECT_FALSE(bool(missing));
  llvm::consumeError(missing.takeError());
}
