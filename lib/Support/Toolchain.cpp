//===- Toolchain.cpp - The CUDA tools and how they are run ----------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search paths first, then the two command lines. The one nvcc run makes a
// library that holds PTX and machine code and keeps both as files, so that what
// is analysed is what runs. In the file that holds the PTX, folders of this
// machine are taken out of the `.file` directives: the same candidate and
// toolkit give the same text everywhere.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/Toolchain.h"
#include "ptxbench/Support/RemoveFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace ptxbench;

namespace {

std::string joinPath(StringRef folder, const Twine &a, const Twine &b = "",
                     const Twine &c = "") {
  SmallString<256> path(folder);
  sys::path::append(path, a, b, c);
  sys::path::remove_dots(path, /*remove_dot_dot=*/false);
  return path.str().str();
}

std::string environment(StringRef name) {
  return sys::Process::GetEnv(name).value_or("");
}

Error refuse(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

std::string absolute(StringRef path) {
  SmallString<256> result(path);
  if (sys::fs::make_absolute(result))
    return path.str();
  return result.str().str();
}

std::string replaceAll(StringRef text, StringRef from, StringRef to) {
  std::string out;
  for (size_t at; (at = text.find(from)) != StringRef::npos;
       text = text.drop_front(at + from.size()))
    (out += text.take_front(at)) += to;
  return out += text;
}

/// Folders, with a closing slash, and what stands for each in what is shown.
using FolderNames = SmallVector<std::pair<std::string, std::string>, 4>;

/// Rewrites the names in the `.file` directives of a PTX file, which are
/// debugging information only, so that the text does not depend on where the
/// candidate, the toolkit and TVM-FFI lie. No line moves.
Error shortenFileDirectives(StringRef path, const FolderNames &folders) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return refuse("cannot read '" + path + "': " + buffer.getError().message());
  std::string text;
  for (StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    size_t length = std::min(rest.find('\n'), rest.size() - 1) + 1;
    StringRef line = rest.take_front(length);
    rest = rest.drop_front(length);
    size_t quote = line.find('"');
    if (line.ltrim().starts_with(".file") && quote != StringRef::npos)
      for (const auto &[folder, name] : folders)
        if (line.drop_front(quote + 1).starts_with(folder)) {
          text += line.take_front(quote + 1);
          text += name;
          line = line.drop_front(quote + 1 + folder.size());
          break;
        }
    text += line;
  }
  buffer->reset();
  std::error_code code;
  raw_fd_ostream os(path, code);
  if (code)
    return refuse("cannot write '" + path + "': " + code.message());
  os << text;
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return refuse("cannot write '" + path + "': " + code.message());
  }
  return Error::success();
}

} // namespace

const char *ptxbench::stringifyToolKind(ToolKind kind) {
  switch (kind) {
  case ToolKind::Nvcc:
    return "nvcc";
  case ToolKind::Ptxas:
    return "ptxas";
  case ToolKind::Fatbinary:
    return "fatbinary";
  case ToolKind::Cuobjdump:
    return "cuobjdump";
  case ToolKind::Nvdisasm:
    return "nvdisasm";
  case ToolKind::ComputeSanitizer:
    return "compute-sanitizer";
  }
  return "";
}

std::string ptxbench::parseToolVersion(StringRef text) {
  // "Cuda compilation tools, release 13.0, V13.0.88"; of compute-sanitizer
  // "Version 2025.3.1.0".
  if (size_t at = text.find("Version 20"); at != StringRef::npos)
    return text.drop_front(at + 8)
        .take_while([](char c) { return isDigit(c) || c == '.'; })
        .rtrim('.')
        .str();
  for (size_t at = text.find(", V"); at != StringRef::npos;
       at = text.find(", V", at + 1)) {
    StringRef version = text.drop_front(at + 3).take_while(
        [](char c) { return isDigit(c) || c == '.'; });
    if (version.contains('.'))
      return version.rtrim('.').str();
  }
  return "";
}

Toolchain::Toolchain(ToolchainOptions options) : options(std::move(options)) {}

std::string Toolchain::executableFolder() const {
  if (options.executable.empty())
    return "";
  SmallString<256> real;
  if (sys::fs::real_path(options.executable, real))
    real = options.executable;
  return sys::path::parent_path(real).str();
}

/// The folders that are searched for tools, best first. An entry "PATH" stands
/// for the search of the shell.
std::vector<std::string> Toolchain::binaryFolders() const {
  std::vector<std::string> folders;
  auto add = [&](StringRef root) {
    if (!root.empty())
      folders.push_back(joinPath(root, "bin"));
  };
  add(options.cudaPath);
  add(environment("CUDA_HOME"));
  add(environment("CUDA_PATH"));
  folders.push_back("PATH");
  std::string here = executableFolder();
  if (!here.empty())
    add(joinPath(here, PTXBENCH_CUDA_TOOLS_RELATIVE_DIR));
  add("/usr/local/cuda");
  return folders;
}

Expected<CudaTool> Toolchain::find(ToolKind kind) {
  if (auto found = cache.find(kind); found != cache.end())
    return found->second;
  StringRef name = stringifyToolKind(kind);
  std::vector<std::string> folders = binaryFolders();
  for (const std::string &folder : folders) {
    CudaTool tool;
    if (folder == "PATH") {
      if (ErrorOr<std::string> path = sys::findProgramByName(name))
        tool.path = *path;
    } else if (std::string path = joinPath(folder, name);
               sys::fs::can_execute(path)) {
      tool.path = path;
    } else if (std::string own =
                   joinPath(sys::path::parent_path(folder), name, name);
               sys::fs::can_execute(own)) {
      // compute-sanitizer/compute-sanitizer, beside bin/.
      tool.path = own;
    }
    if (tool.path.empty())
      continue;
    SubprocessOptions process;
    process.argv = {tool.path, "--version"};
    process.timeoutSeconds = 60;
    Expected<SubprocessResult> result = runSubprocess(process);
    // A file that does not start (another machine's, say) is not the tool.
    if (!result) {
      consumeError(result.takeError());
      continue;
    }
    if (!result->succeeded())
      continue;
    tool.version = parseToolVersion(result->out + result->err);
    return cache.emplace(kind, std::move(tool)).first->second;
  }
  return refuse(name + " was not found; looked into " +
                llvm::join(folders, ", ") + " (set --cuda-path or CUDA_HOME)");
}

Error Toolchain::checkTarget(StringRef target) {
  Expected<CudaTool> nvcc = find(ToolKind::Nvcc);
  if (!nvcc) {
    consumeError(nvcc.takeError());
    return Error::success();
  }
  SubprocessOptions process;
  process.argv = {nvcc->path, "--list-gpu-code"};
  process.timeoutSeconds = 60;
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result) {
    consumeError(result.takeError());
    return Error::success();
  }
  SmallVector<StringRef> names;
  StringRef(result->out).split(names, '\n', -1, /*KeepEmpty=*/false);
  if (!result->succeeded() || names.empty())
    return Error::success();
  // The list has the plain names; from 9.0 on there is one with 'a', from 10.0
  // on one with 'f'.
  StringRef base = target.rtrim("af");
  StringRef suffix = target.drop_front(base.size());
  unsigned number = 0;
  bool parsed = !base.drop_front(std::min<size_t>(3, base.size()))
                     .getAsInteger(10, number);
  if (parsed && is_contained(names, base) &&
      (suffix.empty() || (suffix == "a" && number >= 90) ||
       (suffix == "f" && number >= 100)))
    return Error::success();
  return refuse("expected a target that nvcc " + nvcc->version +
                " compiles for (" + llvm::join(names, ", ") +
                ", also with 'a' from sm_90 and 'f' from sm_100 on) but got '" +
                target + "'");
}

Expected<std::string> Toolchain::findTvmFfi() const {
  std::vector<std::string> places;
  auto add = [&](StringRef place) {
    if (!place.empty())
      places.push_back(place.str());
  };
  add(options.tvmFfiPath);
  add(environment("PTXBENCH_TVM_FFI_DIR"));
  std::string here = executableFolder();
  if (!here.empty())
    add(joinPath(here, PTXBENCH_TVM_FFI_RELATIVE_DIR));
  add(PTXBENCH_TVM_FFI_DIR);
  for (const std::string &place : places) {
    if (!sys::fs::exists(joinPath(place, "include", "tvm", "ffi/c_api.h")))
      continue;
    // Another place would be another release than the one that was asked for.
    if (!sys::fs::exists(joinPath(place, "lib", "libtvm_ffi.so")))
      return refuse("TVM-FFI in '" + place +
                    "' has include/tvm/ffi/c_api.h and no lib/libtvm_ffi.so, "
                    "which candidates are linked with");
    return place;
  }
  return refuse(
      "TVM-FFI was not found; looked for include/tvm/ffi/c_api.h in " +
      (places.empty() ? "no place" : llvm::join(places, ", ")) +
      " (set PTXBENCH_TVM_FFI_DIR)");
}

std::vector<std::string> Toolchain::tvmFfiLibraryNames() const {
  std::vector<std::string> names;
  if (std::string path = environment("PTXBENCH_TVM_FFI_LIB"); !path.empty())
    names.push_back(path);
  Expected<std::string> folder = findTvmFfi();
  if (folder)
    names.push_back(joinPath(*folder, "lib", "libtvm_ffi.so"));
  else
    consumeError(folder.takeError());
  std::string here = executableFolder();
  if (!here.empty()) {
    names.push_back(joinPath(here, "libtvm_ffi.so"));
    names.push_back(joinPath(here, "../lib", "libtvm_ffi.so"));
    names.push_back(
        joinPath(here, PTXBENCH_TVM_FFI_RELATIVE_DIR, "lib", "libtvm_ffi.so"));
  }
  names.push_back("libtvm_ffi.so");
  return names;
}

/// The folders `below` in the packages of the python3 on PATH, those of a
/// virtual environment before those of the Python that it is made of.
static std::vector<std::string> pythonPackageFolders(StringRef below) {
  std::vector<std::string> found;
  ErrorOr<std::string> python = sys::findProgramByName("python3");
  if (!python)
    return found;
  SmallVector<std::string, 3> prefixes;
  SmallString<256> real;
  prefixes.push_back(
      sys::path::parent_path(sys::path::parent_path(*python)).str());
  if (!sys::fs::real_path(*python, real))
    prefixes.push_back(
        sys::path::parent_path(sys::path::parent_path(real)).str());
  // Where Debian lets its own Python install packages.
  prefixes.push_back("/usr/local");
  for (const std::string &prefix : prefixes) {
    std::error_code code;
    std::vector<std::string> versions;
    for (sys::fs::directory_iterator entry(joinPath(prefix, "lib"), code), end;
         !code && entry != end; entry.increment(code))
      if (sys::path::filename(entry->path()).starts_with("python3"))
        versions.push_back(entry->path());
    // The newest first.
    llvm::sort(versions, [](StringRef a, StringRef b) {
      return a.compare_numeric(b) > 0;
    });
    for (const std::string &version : versions)
      for (StringRef packages : {"site-packages", "dist-packages"}) {
        std::string folder = joinPath(version, packages, below);
        if (sys::fs::is_directory(folder) && !is_contained(found, folder))
          found.push_back(std::move(folder));
      }
  }
  return found;
}

std::vector<std::string> Toolchain::cudnnLibraryNames() const {
  return libraryNames("libcudnn.so.9", /*beforeToolkit=*/{},
                      pythonPackageFolders("nvidia/cudnn/lib"));
}

std::vector<std::string> Toolchain::cudaLibraryNames(StringRef soname) const {
  return libraryNames(soname, /*beforeToolkit=*/{}, /*beforeLoader=*/{});
}

std::vector<std::string> Toolchain::cuptiLibraryNames(StringRef soname) const {
  std::string fetched;
  if (std::string here = executableFolder(); !here.empty())
    fetched = joinPath(here, PTXBENCH_CUPTI_RELATIVE_DIR);
  return libraryNames(soname, fetched, /*beforeLoader=*/{});
}

std::vector<std::string>
Toolchain::libraryNames(StringRef soname, ArrayRef<std::string> beforeToolkit,
                        ArrayRef<std::string> beforeLoader) const {
  std::vector<std::string> roots;
  for (std::string root :
       {options.cudaPath, environment("CUDA_HOME"), environment("CUDA_PATH")})
    if (!root.empty())
      roots.push_back(root);
  std::vector<std::string> names;
  auto addFolders = [&](StringRef root) {
    for (StringRef folder : {"lib64", "lib", "targets/x86_64-linux/lib",
                             "targets/sbsa-linux/lib", "extras/CUPTI/lib64"}) {
      std::string path = joinPath(root, folder, soname);
      if (sys::fs::exists(path))
        names.push_back(path);
    }
  };
  SmallVector<StringRef, 4> folders;
  std::string extra = environment("PTXBENCH_LIBRARY_PATH");
  StringRef(extra).split(folders, ':', -1, /*KeepEmpty=*/false);
  for (StringRef folder : folders)
    if (std::string path = joinPath(folder, soname); sys::fs::exists(path))
      names.push_back(path);
  auto addFiles = [&](ArrayRef<std::string> from) {
    for (const std::string &folder : from)
      if (std::string path = joinPath(folder, soname); sys::fs::exists(path))
        names.push_back(path);
  };
  addFiles(beforeToolkit);
  for (const std::string &root : roots)
    addFolders(root);
  addFiles(beforeLoader);
  names.push_back(soname.str());
  std::string here = executableFolder();
  if (!here.empty())
    addFolders(joinPath(here, PTXBENCH_CUDA_TOOLS_RELATIVE_DIR));
  addFolders("/usr/local/cuda");
  return names;
}

std::string Toolchain::findLibdevice() const {
  for (std::string folder : binaryFolders()) {
    if (folder == "PATH") {
      ErrorOr<std::string> nvcc = sys::findProgramByName("nvcc");
      SmallString<256> real;
      if (!nvcc || sys::fs::real_path(*nvcc, real))
        continue;
      folder = sys::path::parent_path(real).str();
    }
    std::string path = joinPath(sys::path::parent_path(folder),
                                "nvvm/libdevice/libdevice.10.bc");
    if (sys::fs::exists(path))
      return path;
  }
  return "";
}

Expected<PtxasRun> Toolchain::runPtxas(StringRef ptxFile, StringRef target,
                                       StringRef cubinFile,
                                       double timeoutSeconds,
                                       ArrayRef<std::string> extraArguments) {
  Expected<CudaTool> tool = find(ToolKind::Ptxas);
  if (!tool)
    return tool.takeError();
  sys::fs::remove(cubinFile);
  SubprocessOptions process;
  process.argv = {tool->path, "-v", "-lineinfo", ("-arch=" + target).str()};
  llvm::append_range(process.argv, extraArguments);
  process.argv.insert(process.argv.end(),
                      {"-o", cubinFile.str(), ptxFile.str()});
  process.timeoutSeconds = timeoutSeconds;
  process.maxOutputBytes = size_t(8) << 20;
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result)
    return result.takeError();
  PtxasRun run;
  run.output = parsePtxasOutput(result->out + result->err);
  run.succeeded = result->succeeded() && sys::fs::exists(cubinFile);
  run.process = std::move(*result);
  return run;
}

Error Toolchain::makeFatBinary(StringRef target, StringRef cubinFile,
                               StringRef ptxFile, StringRef outFile) {
  Expected<CudaTool> tool = find(ToolKind::Fatbinary);
  if (!tool)
    return tool.takeError();
  StringRef arch = target;
  arch.consume_front("sm_");
  SubprocessOptions process;
  process.argv = {tool->path, "-64", "--create=" + outFile.str(),
                  ("--image3=kind=elf,sm=" + arch + ",file=" + cubinFile).str(),
                  ("--image3=kind=ptx,sm=" + arch + ",file=" + ptxFile).str()};
  process.timeoutSeconds = 60;
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result)
    return result.takeError();
  if (!result->succeeded())
    return refuse("fatbinary: " + result->describeEnd() + ": " +
                  StringRef(result->err + result->out).trim());
  return Error::success();
}

static std::string realPath(const Twine &path) {
  SmallString<256> real;
  return sys::fs::real_path(path, real) ? "" : real.str().str();
}

/// Those of the files, as seen from the folder that a compiler ran in, that are
/// not of the source's own folder, of what the compiler made (`keep`), or
/// headers.
std::vector<CompiledFile>
Toolchain::foreignFiles(StringRef source, ArrayRef<CompiledFile> files,
                        StringRef keep, const SubprocessOptions &process) {
  std::vector<std::string> known;
  auto add = [&](const Twine &path) {
    if (std::string real = realPath(path); real.size() > 1)
      known.push_back(std::move(real));
  };
  // The folder of a link, and that of what it leads to.
  add(sys::path::parent_path(source));
  add(sys::path::parent_path(realPath(source)));
  add(keep);
  std::string nvcc = realPath(process.argv.front());
  StringRef binaries = sys::path::parent_path(nvcc),
            root = sys::path::parent_path(binaries);
  add(binaries + "/crt");
  add(root + "/include");
  for (StringRef target : {"x86_64-linux", "sbsa-linux", "aarch64-linux"})
    add(root + "/targets/" + target + "/include");
  for (StringRef folder : {"/usr/include", "/usr/lib/gcc"})
    add(folder);
  for (size_t i = 0; i + 1 < process.argv.size(); ++i)
    if (process.argv[i] == "-I")
      add(process.argv[i + 1]);
  std::vector<CompiledFile> foreign;
  auto collect = [&](ArrayRef<CompiledFile> from) {
    std::vector<CompiledFile> found;
    for (CompiledFile file : from) {
      SmallString<256> path(file.path);
      if (!sys::path::is_absolute(path)) {
        path = process.cwd;
        sys::path::append(path, file.path);
      }
      // What is no more was the compiler's own.
      file.path = realPath(path);
      if (!file.path.empty() && !isBelow(file.path, known))
        found.push_back(std::move(file));
    }
    foreign = std::move(found);
  };
  collect(files);
  if (foreign.empty())
    return foreign;
  // A compiler may have its headers elsewhere.
  SubprocessOptions verbose;
  verbose.argv = {process.argv.front(), "-E", "-x", "cu", "-Xcompiler", "-v"};
  verbose.argv.push_back("/dev/null");
  verbose.cwd = process.cwd;
  verbose.timeoutSeconds = 60;
  Expected<SubprocessResult> result = runSubprocess(verbose);
  if (!result) {
    consumeError(result.takeError());
    return foreign;
  }
  for (const std::string &folder : headerFolders(result->err))
    add(folder);
  collect(files);
  return foreign;
}

/// Whether nvcc is told to use a compiler whose assembler is not GNU's.
static bool usesClang() {
  return any_of(ArrayRef<const char *>{"NVCC_CCBIN", "NVCC_PREPEND_FLAGS",
                                       "NVCC_APPEND_FLAGS"},
                [](const char *name) {
                  return StringRef(environment(name)).contains("clang");
                });
}

/// The line that says what was wrong: the last error, or what else is said last
/// but for warnings and for how the linker ended.
static StringRef findReason(StringRef text) {
  StringRef error, other;
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.trim();
    if (line.empty() || line.contains("warning:") ||
        line.contains("warning :") || line.contains("ld returned") ||
        line.contains("linker command failed"))
      continue;
    (line.contains("error") ? error : other) = line;
  }
  return error.empty() ? other : error;
}

/// Why a source that has nothing in it, compiled as another one was, is not
/// linked; nothing if it is, or if that does not come to an end.
static std::optional<std::string> linkNothing(SubprocessOptions process,
                                              StringRef source,
                                              StringRef library,
                                              StringRef folder) {
  std::string empty = joinPath(folder, "empty.cu");
  // Nothing is said but what goes wrong.
  llvm::erase(process.argv, "--ptxas-options=-v");
  for (std::string &argument : process.argv)
    if (argument == source)
      argument = empty;
    else if (argument == library)
      argument = joinPath(folder, "empty.so");
  std::error_code code;
  raw_fd_ostream(empty, code).flush();
  if (code)
    return "cannot write '" + empty + "': " + code.message();
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result) {
    consumeError(result.takeError());
    return std::nullopt;
  }
  if (result->end != SubprocessResult::End::Exited || result->succeeded())
    return std::nullopt;
  StringRef reason = findReason(result->err);
  return reason.empty() ? result->describeEnd() : reason.str();
}

Error Toolchain::checkPath(StringRef path) {
  std::string full = absolute(path);
  // The shell gets them between double quotes.
  if (StringRef(full).find_first_of("\"$`\\\n\r") == StringRef::npos)
    return Error::success();
  return refuse("nvcc takes no path with a quote, '$', '`', a backslash or a "
                "line break but got '" +
                full + "'");
}

Expected<NvccRun> Toolchain::runNvcc(StringRef source, StringRef outDir,
                                     const NvccOptions &nvcc) {
  StringRef arch = nvcc.target;
  if (!arch.consume_front("sm_") || arch.empty() || !isDigit(arch.front()))
    return refuse("expected a target such as sm_90a but got '" + nvcc.target +
                  "'");
  Expected<CudaTool> tool = find(ToolKind::Nvcc);
  if (!tool)
    return tool.takeError();
  Expected<std::string> tvmFfi = findTvmFfi();
  if (!tvmFfi)
    return tvmFfi.takeError();
  std::string folder = absolute(outDir);
  if (std::error_code code = sys::fs::create_directories(folder))
    return refuse("cannot make the directory '" + folder +
                  "': " + code.message());

  for (StringRef path : {source, outDir, StringRef(*tvmFfi)})
    if (Error error = checkPath(path))
      return Expected<NvccRun>(std::move(error));

  StringRef stem = sys::path::stem(source);
  std::string keep = joinPath(folder, "keep");
  consumeError(removeFolder(keep));
  if (std::error_code code = sys::fs::create_directories(keep))
    return refuse("cannot make the directory '" + keep +
                  "': " + code.message());
  NvccRun run;
  run.library = joinPath(folder, stem + ".so");
  run.ptx = joinPath(folder, stem + ".ptx");
  run.cubin = joinPath(folder, stem + "." + nvcc.target + ".cubin");
  for (const std::string &file : {run.library, run.ptx, run.cubin})
    sys::fs::remove(file);

  SubprocessOptions process;
  process.argv = {
      tool->path,
      "-shared",
      "-O3",
      "-std=c++17",
      "-lineinfo",
      "--ptxas-options=-v",
      "-Xcompiler",
      "-fPIC",
      "-cudart",
      "shared",
      "--no-compress",
      "--keep",
      "--keep-dir",
      keep,
      "-gencode",
      ("arch=compute_" + arch + ",code=[compute_" + arch + ",sm_" + arch + "]")
          .str(),
      "-I",
      joinPath(*tvmFfi, "include"),
      "-L",
      joinPath(*tvmFfi, "lib")};
  // The driver's library is often there as a stub for linking only.
  SmallString<256> toolkit;
  if (!sys::fs::real_path(tool->path, toolkit)) {
    StringRef root = sys::path::parent_path(sys::path::parent_path(toolkit));
    for (StringRef stubs :
         {"lib64/stubs", "lib/stubs", "targets/x86_64-linux/lib/stubs"})
      if (std::string path = joinPath(root, stubs); sys::fs::exists(path)) {
        process.argv.push_back("-L");
        process.argv.push_back(path);
        break;
      }
  }
  // The assembler tells what it reads, too; a file of that would be written
  // anew by each step.
  if (!usesClang())
    llvm::append_range(
        process.argv,
        ArrayRef<const char *>{"-Xcompiler", "-Wa\\,--MD\\,/dev/stdout"});
  llvm::append_range(process.argv, nvcc.extraArguments);
  process.argv.insert(process.argv.end(), {"-o", run.library, absolute(source),
                                           "-ltvm_ffi", "-lcuda"});
  process.cwd = folder;
  // What it would leave in the common folder when it is killed.
  process.setEnv.push_back({"TMPDIR", keep});
  process.timeoutSeconds = nvcc.timeoutSeconds;
  process.maxOutputBytes = size_t(8) << 20;
  Expected<SubprocessResult> result = runSubprocess(process);
  if (!result)
    return result.takeError();
  run.files = takeAssemblerRules(result->out);
  std::error_code code;
  for (sys::fs::directory_iterator it(keep, code), end; it != end && !code;
       it.increment(code))
    if (sys::path::extension(it->path()) == ".ii")
      if (ErrorOr<std::unique_ptr<MemoryBuffer>> text =
              MemoryBuffer::getFile(it->path()))
        llvm::append_range(run.files, filesInLineMarkers((*text)->getBuffer()));
  run.foreign = foreignFiles(absolute(source), run.files, keep, process);
  // Shown are names seen from the candidate's folder.
  FolderNames folders = {
      {(sys::path::parent_path(absolute(source)) + "/").str(), ""},
      {(sys::path::parent_path(tool->path) + "/../").str(), "cuda/"},
      {*tvmFfi + "/", "tvm_ffi/"}};
  run.log = replaceAll(result->out + result->err, keep + "/", "");
  run.log = replaceAll(run.log, folders.front().first, "");
  run.output = parsePtxasOutput(run.log);
  run.process = std::move(*result);

  // nvcc names kept files by the virtual architecture or by the real one,
  // depending on how many there are. Whatever else it kept goes.
  auto settle = [&](std::string &file, ArrayRef<std::string> names) {
    for (const std::string &name : names)
      if (!sys::fs::rename(joinPath(keep, name), file))
        return true;
    file.clear();
    return false;
  };
  bool hasPtx = settle(run.ptx, {(stem + ".ptx").str(),
                                 (stem + ".compute_" + arch + ".ptx").str()});
  bool hasCubin = settle(
      run.cubin,
      {(stem + "." + nvcc.target + ".cubin").str(), (stem + ".cubin").str(),
       (stem + ".compute_" + arch + "." + nvcc.target + ".cubin").str(),
       (stem + ".compute_" + arch + ".cubin").str()});
  bool hasLibrary = sys::fs::exists(run.library);
  // Where there was something to link, it may be the machine that lacks what
  // everything is linked with.
  std::optional<std::string> notLinked;
  if (!hasLibrary && run.process.end == SubprocessResult::End::Exited &&
      sys::fs::exists(joinPath(keep, stem + ".o")))
    notLinked = linkNothing(process, absolute(source), run.library, keep);
  consumeError(removeFolder(keep));
  if (notLinked)
    return refuse("nvcc links nothing here: " + *notLinked);
  if (hasPtx)
    if (Error error = shortenFileDirectives(run.ptx, folders))
      return Expected<NvccRun>(std::move(error));
  run.succeeded = run.process.succeeded() && hasPtx && hasCubin && hasLibrary;
  if (!hasLibrary)
    run.library.clear();
  if (run.process.succeeded() && !run.succeeded)
    return refuse("nvcc ended well but left no " +
                  Twine(!hasLibrary ? "library"
                        : !hasPtx   ? "PTX"
                                    : "cubin") +
                  " in '" + folder + "'");
  return run;
}
