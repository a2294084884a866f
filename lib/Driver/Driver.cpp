//===- Driver.cpp - The commands of mlir-ptxbench-runner ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the command, and has what all of them need: messages, reports written
// as a whole, the folder to work in.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Driver/Driver.h"
#include "Commands.h"
#include "Versions.h"
#include "ptxbench/Report/ReportIO.h"
#include "ptxbench/Runtime/Backend.h"
#include "ptxbench/Runtime/DeviceModelFile.h"
#include "ptxbench/Support/Printable.h"
#include "ptxbench/Support/Subprocess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <csignal>

namespace ptxbench {

int fail(const llvm::Twine &message, int status) {
  // Messages quote from files.
  llvm::errs() << "mlir-ptxbench-runner: " << toPrintableLines(message.str())
               << "\n";
  return status;
}

llvm::Error writeFileAtomically(llvm::StringRef path, llvm::StringRef text) {
  // Errors of the system do not say which file they are about.
  auto named = [&](llvm::Error error) {
    return llvm::createStringError("cannot write '" + path +
                                   "': " + llvm::toString(std::move(error)));
  };
  // A device or a pipe is written to; it must not be replaced by a file.
  llvm::sys::fs::file_status status;
  if (!llvm::sys::fs::status(path, status) &&
      status.type() != llvm::sys::fs::file_type::regular_file) {
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    if (!error) {
      os << text;
      os.close();
      error = os.error();
      os.clear_error();
    }
    return error ? named(llvm::errorCodeToError(error))
                 : llvm::Error::success();
  }
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%");
  if (!temporary)
    return named(temporary.takeError());
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  os << text;
  os.flush();
  if (os.has_error()) {
    llvm::Error error = llvm::errorCodeToError(os.error());
    os.clear_error();
    llvm::consumeError(temporary->discard());
    return named(std::move(error));
  }
  if (llvm::Error error = temporary->keep(path))
    return named(std::move(error));
  return llvm::Error::success();
}

bool writeReport(const Report &report, const DriverOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  switch (options.format) {
  case OutputFormat::Text:
    writeText(report, os,
              (options.output.empty() || options.output == "-") &&
                  llvm::sys::Process::StandardOutHasColors());
    break;
  case OutputFormat::JSON:
    writeJSON(report, os);
    break;
  case OutputFormat::HTML:
    writeHTML(report, os);
    break;
  }
  if (options.output.empty() || options.output == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    if (!llvm::outs().has_error())
      return true;
    std::error_code error = llvm::outs().error();
    llvm::outs().clear_error();
    fail("cannot write to standard output: " + error.message(), 3);
    return false;
  }
  if (llvm::Error error = writeFileAtomically(options.output, text)) {
    fail(llvm::toString(std::move(error)), 3);
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// WorkDirectory
//===----------------------------------------------------------------------===//

WorkDirectory::~WorkDirectory() {
  if (llvm::Error error = temporary.remove())
    fail(llvm::toString(std::move(error)), 3);
}

llvm::Error WorkDirectory::create(llvm::StringRef wanted) {
  if (!wanted.empty()) {
    folder = wanted;
    if (std::error_code error = llvm::sys::fs::make_absolute(folder))
      return llvm::errorCodeToError(error);
    if (std::error_code error = llvm::sys::fs::create_directories(folder))
      return llvm::createStringError(error,
                                     "'" + folder + "': " + error.message());
    return llvm::Error::success();
  }
  std::error_code error = temporary.create("", "ptxbench");
  folder = temporary.path();
  if (!error)
    return llvm::Error::success();
  llvm::SmallString<128> parent;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, parent);
  return llvm::createStringError(error, "'" + parent + "': " + error.message() +
                                            " (set TMPDIR, or give "
                                            "--work-dir)");
}

std::string WorkDirectory::file(llvm::StringRef name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

static int dispatch(const DriverOptions &options) {
  if (const std::string &model = options.emulator.deviceModel; !model.empty())
    if (auto text = readDeviceModel(executablePath(), model); !text)
      return fail("--device-model: " + llvm::toString(text.takeError()), 2);
  switch (options.command) {
  case Command::Analyze:
    return runAnalyze(options);
  case Command::Run:
    return runCandidate(options);
  case Command::CrossCheck:
    return runCrossCheck(options);
  case Command::Evaluate:
    return runEvaluation(options);
  }
  return 2;
}

int runnerMain(int argc, char **argv) {
  // A descriptor that is closed would be the first file that is opened, and get
  // what is meant for people.
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return 3;
  if (argc > 1 && llvm::StringRef(argv[1]) == workerArgument)
    return runtimeWorkerMain(argc, argv);
  // The worker goes without: a crash of the candidate is no crash of ours.
  llvm::InitLLVM init(argc, argv);
  std::optional<DriverOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return 2;
  // A file that is too large for a quota is an error with the file's name.
  ::signal(SIGXFSZ, SIG_IGN);
  // The runs of an evaluation have folders of their own.
  if (options->command == Command::Run ||
      options->command == Command::Evaluate) {
    cleanUpOnSignals(
        /*childrenCleanUp=*/options->command == Command::Evaluate);
    // The limits that a candidate is held to are in it.
    closeMemory();
  }
  int status = dispatch(*options);
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return status;
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  return fail("cannot write to standard output: " + error.message(), 3);
}

} // namespace ptxbench
