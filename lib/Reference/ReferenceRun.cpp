//===- ReferenceRun.cpp - Computes what a task defines --------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Along independent axes the work is cut into pieces: each is a call of the
// function on a part of the tensors, and threads take the next one. A part is
// gathered and widened for its call; a tensor without such an axis is widened
// once. That some indices only are wanted is then no special case.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Reference/ReferenceRun.h"
#include "ptxbench/Reference/CompiledReference.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

using namespace ptxbench;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

namespace {
/// Indices of one axis.
using Indices = std::vector<int64_t>;

struct Tensor {
  const TensorSpec *spec = nullptr;
  ReferenceType type = ReferenceType::F64;
  bool isOutput = false;
  /// In all, and for an output what is left of it.
  std::vector<int64_t> shape, kept;
  /// For each dimension the number of its independent axis; -1: none.
  std::vector<int> axisOf;
  double scalar = 0;

  std::unique_ptr<llvm::MemoryBuffer> file;
  /// Of an output, and of an input without independent axis.
  std::vector<uint8_t> whole;

  bool isDivided() const {
    return llvm::any_of(axisOf, [](int axis) { return axis >= 0; });
  }
  unsigned storedSize(bool rounded) const {
    return rounded ? ptxbench::sizeOf(spec->type) : ptxbench::sizeOf(type);
  }
};

class Runner {
public:
  Runner(const ReferenceRun &run, llvm::raw_ostream &diagnostics)
      : run(run), definition(*run.definition), diagnostics(diagnostics) {}

  int execute(llvm::raw_ostream &out);

private:
  bool describe();
  bool checkFiles();
  bool compile();
  bool readInputs();
  bool planPieces();
  void callPieces();
  void callPiece(const std::vector<Indices> &piece,
                 const std::vector<Indices> &places);
  bool writeOutputs();
  void report(llvm::raw_ostream &out);

  bool fail(const Twine &message, int code = referenceFailed) {
    diagnostics << "error: " << message << "\n";
    status = code;
    return false;
  }

  const ReferenceRun &run;
  const Definition &definition;
  llvm::raw_ostream &diagnostics;
  int status = 0;
  std::string function;
  std::vector<Tensor> tensors;
  std::unique_ptr<CompiledReference> compiled;
  /// For each independent axis the indices that are wanted.
  std::vector<Indices> wanted;
  uint64_t pieceSize = 1;
  double compileSeconds = 0, runSeconds = 0;
};
} // namespace

static double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Collects the arguments with their shapes.
bool Runner::describe() {
  const TaskExtension &extension = definition.extension;
  std::vector<std::pair<const TensorSpec *, bool>> arguments;
  if (run.computesInputs) {
    if (!extension.computed)
      return fail(run.definitionPath +
                  ": expected \"ptxbench.computed_inputs\" but there is none");
    function = extension.computed->function;
    for (const std::string &name : extension.computed->inputs)
      arguments.emplace_back(definition.findInput(name), false);
    for (const std::string &name : extension.computed->outputs)
      arguments.emplace_back(definition.findInput(name), true);
  } else {
    function = extension.reference.function;
    for (const TensorSpec &input : definition.inputs)
      arguments.emplace_back(&input, false);
    for (const TensorSpec &output : definition.outputs)
      arguments.emplace_back(&output, true);
  }
  const std::vector<std::string> &axes = extension.independentAxes;
  for (const auto &[spec, isOutput] : arguments) {
    Tensor tensor;
    tensor.spec = spec;
    tensor.isOutput = isOutput;
    llvm::Expected<std::vector<int64_t>> shape =
        resolveShape(definition, *spec, run.workload);
    if (!shape)
      return fail(llvm::toString(shape.takeError()));
    tensor.shape = *shape;
    for (const std::string &name : spec->shape) {
      auto at = llvm::find(axes, name);
      tensor.axisOf.push_back(at == axes.end() ? -1 : int(at - axes.begin()));
    }
    tensors.push_back(std::move(tensor));
  }

  for (const auto &[name, value] : run.workload.axes) {
    const Axis *axis = definition.findAxis(name);
    if (!axis || (axis->value && *axis->value != value))
      return fail("--axis: expected an axis of the definition, with its value "
                  "if it is const, but got \"" +
                  name + "=" + Twine(value) + "\"");
  }
  if (llvm::Error error = checkConstraints(definition, run.workload))
    return fail(llvm::toString(std::move(error)));
  // Inputs that the function does not take are not read.
  for (const auto &entry : run.inputs)
    if (!definition.findInput(entry.first))
      return fail("expected the name of an input but got \"" + entry.first +
                  "\"");
  for (const auto &entry : run.outputs)
    if (llvm::none_of(tensors, [&](const Tensor &tensor) {
          return tensor.isOutput && tensor.spec->name == entry.first;
        }))
      return fail("expected the name of an output but got \"" + entry.first +
                  "\"");
  for (const auto &entry : run.only)
    if (!llvm::is_contained(axes, entry.first))
      return fail("--only: expected one of the independent axes of the "
                  "definition but got \"" +
                  entry.first + "\"");
  for (const std::string &axis : axes) {
    std::optional<int64_t> extent = axisValue(definition, run.workload, axis);
    if (!extent)
      return fail("expected a value for axis \"" + axis + "\"");
    auto only = run.only.find(axis);
    Indices indices;
    if (only == run.only.end()) {
      for (int64_t i = 0; i != *extent; ++i)
        indices.push_back(i);
    } else {
      indices = only->second;
    }
    if (indices.empty())
      return fail("--only: expected at least one index of axis \"" + axis +
                  "\"");
    for (int64_t index : indices)
      if (index < 0 || index >= *extent)
        return fail("--only: expected indices of axis \"" + axis + "\" below " +
                    Twine(*extent) + " but got " + Twine(index));
    wanted.push_back(std::move(indices));
  }
  for (Tensor &tensor : tensors) {
    tensor.kept = tensor.shape;
    for (auto [dim, axis] : llvm::enumerate(tensor.axisOf))
      if (axis >= 0)
        tensor.kept[dim] = int64_t(wanted[axis].size());
  }
  return true;
}

/// Whether what is written to `a` would be in `b`, too: links are followed, and
/// devices hold nothing.
static bool isSameFile(StringRef a, StringRef b) {
  bool same = false;
  if (!fs::equivalent(a, b, same))
    return same && fs::is_regular_file(a);
  llvm::SmallString<128> paths[] = {a, b};
  for (llvm::SmallString<128> &path : paths) {
    if (fs::make_absolute(path))
      return false;
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  }
  return paths[0] == paths[1];
}

/// What is written must be nothing that is read, or written otherwise.
bool Runner::checkFiles() {
  std::vector<std::pair<std::string, std::string>> others = {
      {"the definition", run.definitionPath},
      {"the reference", referenceFile(definition, run.definitionPath)}};
  for (const auto &[name, path] : run.inputs)
    others.emplace_back("input '" + name + "'", path);
  auto check = [&](const std::string &what, const std::string &path) {
    for (const auto &[name, other] : others)
      if (!other.empty() && isSameFile(path, other))
        return fail("expected a file of its own for " + what + " but '" + path +
                    "' is that of " + name);
    others.emplace_back(what, path);
    return true;
  };
  for (const auto &[name, path] : run.outputs)
    if (!check("output '" + name + "'", path))
      return false;
  return run.target.ptxFile.empty() || check("the PTX", run.target.ptxFile);
}

bool Runner::compile() {
  auto begin = std::chrono::steady_clock::now();
  std::string file = referenceFile(definition, run.definitionPath);
  if (file.empty())
    return fail(run.definitionPath +
                ": expected a reference in MLIR but there is none");
  std::vector<ReferenceArgument> arguments;
  for (const Tensor &tensor : tensors) {
    ReferenceArgument argument;
    argument.name = tensor.spec->name;
    argument.isScalar = tensor.spec->isScalar;
    argument.isOutput = tensor.isOutput;
    for (size_t dim = 0; dim != tensor.shape.size(); ++dim)
      argument.shape.push_back({tensor.spec->shape[dim], tensor.shape[dim],
                                tensor.axisOf[dim] >= 0});
    arguments.push_back(std::move(argument));
  }
  compiled = CompiledReference::compile(file, function, arguments, run.target,
                                        diagnostics);
  if (!compiled) {
    status = referenceFailed;
    return false;
  }
  for (auto [tensor, type] : llvm::zip(tensors, compiled->types())) {
    tensor.type = type;
    ElementType from = tensor.spec->type;
    if (type == ReferenceType::F32 && !tensor.isOutput &&
        (from == ElementType::Float64 || from == ElementType::Int64 ||
         from == ElementType::Int32))
      return fail(file + ": expected input '" + tensor.spec->name +
                  "' to be f64 in function '" + function +
                  "', since f32 does "
                  "not hold every " +
                  stringifyElementType(from));
  }
  compileSeconds = secondsSince(begin);
  return true;
}

/// Widens `count` elements from element `first` on.
static void widen(const Tensor &tensor, uint64_t first, uint64_t count,
                  uint8_t *to) {
  const auto *bytes =
      reinterpret_cast<const uint8_t *>(tensor.file->getBufferStart());
  if (tensor.type == ReferenceType::F64) {
    decodeMany(tensor.spec->type, bytes, first, count,
               reinterpret_cast<double *>(to));
    return;
  }
  double block[512];
  auto *out = reinterpret_cast<float *>(to);
  for (uint64_t i = 0; i < count;) {
    uint64_t now = std::min<uint64_t>(count - i, std::size(block));
    decodeMany(tensor.spec->type, bytes, first + i, now, block);
    for (uint64_t j = 0; j != now; ++j)
      out[i + j] = static_cast<float>(block[j]);
    i += now;
  }
}

bool Runner::readInputs() {
  for (Tensor &tensor : tensors) {
    const std::string &name = tensor.spec->name;
    if (tensor.isOutput) {
      if (!run.outputs.count(name))
        return fail("expected --output=" + name + "=FILE");
      continue;
    }
    if (tensor.spec->isScalar) {
      auto source = run.workload.inputs.find(name);
      if (source == run.workload.inputs.end() ||
          source->second.kind != InputSource::Kind::Scalar)
        return fail("expected --scalar=" + name + "=VALUE");
      tensor.scalar = source->second.value;
      continue;
    }
    auto file = run.inputs.find(name);
    if (file == run.inputs.end())
      return fail("expected --input=" + name + "=FILE");
    // Before it is read: a device may have no end, and a pipe no writer.
    uint64_t size =
        elementCount(tensor.shape) * ptxbench::sizeOf(tensor.spec->type);
    fs::file_status state;
    if (std::error_code code = fs::status(file->second, state))
      return fail("cannot read '" + file->second + "': " + code.message());
    if (!fs::is_regular_file(state))
      return fail("expected a file with " + Twine(size) + " bytes of input '" +
                  name + "' but '" + file->second + "' is no regular file");
    if (state.getSize() != size)
      return fail("expected " + Twine(size) + " bytes of input '" + name +
                  "' in '" + file->second + "' but got " +
                  Twine(state.getSize()));
    auto buffer = llvm::MemoryBuffer::getFile(file->second, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer)
      return fail("cannot read '" + file->second +
                  "': " + buffer.getError().message());
    if ((*buffer)->getBufferSize() != size)
      return fail("'" + file->second + "' changed while it was read");
    tensor.file = std::move(*buffer);
  }
  return true;
}

/// Decides how many indices of the last axis go into one call, and allocates.
bool Runner::planPieces() {
  // Bytes that all calls share, that one index needs, and that stay.
  uint64_t shared = 0, unit = 0, kept = 0;
  for (const Tensor &tensor : tensors) {
    uint64_t elements = 1;
    for (size_t dim = 0; dim != tensor.shape.size(); ++dim)
      if (tensor.axisOf[dim] < 0)
        elements *= uint64_t(tensor.shape[dim]);
    (tensor.isDivided() ? unit : shared) += elements * sizeOf(tensor.type);
    if (tensor.isOutput)
      kept += elementCount(tensor.kept) * tensor.storedSize(run.computesInputs);
  }
  if (!wanted.empty()) {
    // A call reads all of what is shared, which pays off for many indices. A
    // device wants much to do at once.
    uint64_t count = wanted.back().size();
    pieceSize = std::max<uint64_t>(1, shared / std::max<uint64_t>(1, unit));
    if (run.target.device)
      pieceSize =
          std::min(count, std::max(pieceSize, (uint64_t(8) << 20) /
                                                  std::max<uint64_t>(1, unit)));
    else
      pieceSize = std::min<uint64_t>(
          {llvm::divideCeil(count, run.threads), 128, pieceSize});
  }
  uint64_t need = shared + kept + unit * pieceSize * run.threads;
  if (need > run.memoryBytes)
    return fail("the tensors need " +
                    Twine(llvm::divideCeil(need, uint64_t(1) << 20)) +
                    " MiB, more than the limit of " +
                    Twine(run.memoryBytes >> 20) + " MiB",
                referenceTooLarge);
  limitReference(run.memoryBytes - need, run.seconds);
  for (Tensor &tensor : tensors) {
    if (tensor.isOutput) {
      tensor.whole.resize(elementCount(tensor.kept) *
                          tensor.storedSize(run.computesInputs));
    } else if (!tensor.isDivided() && !tensor.spec->isScalar) {
      tensor.whole.resize(elementCount(tensor.shape) * sizeOf(tensor.type));
      widen(tensor, 0, elementCount(tensor.shape), tensor.whole.data());
    }
  }
  return true;
}

/// Calls `body(from, to, count)` for each run of elements of a part that lie
/// side by side: `from` counts in the tensor of extents `shape`, of which the
/// part has `piece`'s indices along divided dimensions, `to` in the part.
template <typename Fn>
static void forEachRun(const Tensor &tensor, llvm::ArrayRef<int64_t> shape,
                       const std::vector<Indices> &piece, Fn &&body) {
  size_t inner = shape.size();
  uint64_t count = 1;
  while (inner != 0 && tensor.axisOf[inner - 1] < 0)
    count *= uint64_t(shape[--inner]);
  auto extent = [&](size_t dim) {
    return tensor.axisOf[dim] < 0 ? shape[dim]
                                  : int64_t(piece[tensor.axisOf[dim]].size());
  };
  std::vector<int64_t> at(inner, 0);
  for (uint64_t to = 0;; to += count) {
    uint64_t from = 0;
    for (size_t dim = 0; dim != inner; ++dim) {
      int axis = tensor.axisOf[dim];
      from = from * uint64_t(shape[dim]) +
             uint64_t(axis < 0 ? at[dim] : piece[axis][at[dim]]);
    }
    body(from * count, to, count);
    size_t dim = inner;
    while (dim != 0 && ++at[dim - 1] == extent(dim - 1))
      at[--dim] = 0;
    if (dim == 0)
      return;
  }
}

void Runner::callPiece(const std::vector<Indices> &piece,
                       const std::vector<Indices> &places) {
  size_t count = tensors.size();
  std::vector<std::vector<uint8_t>> parts(count);
  std::vector<void *> data(count);
  std::vector<std::vector<int64_t>> shapes(count);
  std::vector<double> scalars(count);
  for (size_t i = 0; i != count; ++i) {
    Tensor &tensor = tensors[i];
    if (tensor.spec->isScalar) {
      scalars[i] = tensor.scalar;
      data[i] = &scalars[i];
      if (tensor.type == ReferenceType::F32) {
        auto narrow = static_cast<float>(tensor.scalar);
        std::memcpy(&scalars[i], &narrow, sizeof(narrow));
      }
      continue;
    }
    shapes[i] = tensor.shape;
    for (size_t dim = 0; dim != tensor.shape.size(); ++dim)
      if (tensor.axisOf[dim] >= 0)
        shapes[i][dim] = int64_t(piece[tensor.axisOf[dim]].size());
    if (!tensor.isOutput && !tensor.isDivided()) {
      data[i] = tensor.whole.data();
      continue;
    }
    unsigned size = sizeOf(tensor.type);
    // All bits set are a NaN, where a reference does not write.
    parts[i].assign(elementCount(shapes[i]) * size, 0xff);
    data[i] = parts[i].data();
    if (!tensor.isOutput)
      forEachRun(tensor, tensor.shape, piece,
                 [&](uint64_t from, uint64_t to, uint64_t length) {
                   widen(tensor, from, length, parts[i].data() + to * size);
                 });
  }
  compiled->call(data, shapes);
  for (size_t i = 0; i != count; ++i) {
    Tensor &tensor = tensors[i];
    if (!tensor.isOutput)
      continue;
    unsigned size = sizeOf(tensor.type);
    const uint8_t *part = parts[i].data();
    forEachRun(tensor, tensor.kept, places,
               [&](uint64_t from, uint64_t to, uint64_t length) {
                 if (!run.computesInputs) {
                   std::memcpy(tensor.whole.data() + from * size,
                               part + to * size, length * size);
                   return;
                 }
                 for (uint64_t j = 0; j != length; ++j) {
                   double value;
                   decodeMany(tensor.type == ReferenceType::F32
                                  ? ElementType::Float32
                                  : ElementType::Float64,
                              part, to + j, 1, &value);
                   storeBits(tensor.spec->type, tensor.whole.data(), from + j,
                             encode(tensor.spec->type, value));
                 }
               });
  }
}

void Runner::callPieces() {
  auto begin = std::chrono::steady_clock::now();
  // One index of each axis but the last, and a run of that one.
  uint64_t runs =
      wanted.empty() ? 1 : llvm::divideCeil(wanted.back().size(), pieceSize);
  uint64_t total = runs;
  for (size_t axis = 0; axis + 1 < wanted.size(); ++axis)
    total *= wanted[axis].size();
  std::atomic<uint64_t> next{0};
  auto work = [&] {
    for (uint64_t number; (number = next++) < total;) {
      std::vector<Indices> piece(wanted.size()), places(wanted.size());
      uint64_t rest = number / runs;
      for (size_t axis = wanted.size(); axis-- > 0;) {
        uint64_t first, last;
        if (axis + 1 == wanted.size()) {
          first = number % runs * pieceSize;
          last = std::min<uint64_t>(first + pieceSize, wanted[axis].size());
        } else {
          first = rest % wanted[axis].size();
          rest /= wanted[axis].size();
          last = first + 1;
        }
        for (uint64_t i = first; i != last; ++i) {
          piece[axis].push_back(wanted[axis][i]);
          places[axis].push_back(int64_t(i));
        }
      }
      callPiece(piece, places);
    }
  };
  std::vector<std::thread> workers;
  for (uint64_t i = 1; i < std::min<uint64_t>(run.threads, total); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
  runSeconds = secondsSince(begin);
}

bool Runner::writeOutputs() {
  for (const Tensor &tensor : tensors) {
    if (!tensor.isOutput)
      continue;
    const std::string &path = run.outputs.find(tensor.spec->name)->second;
    std::error_code code;
    llvm::raw_fd_ostream os(path, code);
    if (!code) {
      os.write(reinterpret_cast<const char *>(tensor.whole.data()),
               tensor.whole.size());
      os.close();
      code = os.error();
      os.clear_error();
    }
    if (code)
      return fail("cannot write '" + path + "': " + code.message(),
                  referenceTooLarge);
  }
  return true;
}

void Runner::report(llvm::raw_ostream &out) {
  llvm::json::Object outputs;
  for (const Tensor &tensor : tensors) {
    if (!tensor.isOutput)
      continue;
    const char *type = run.computesInputs
                           ? stringifyElementType(tensor.spec->type)
                       : tensor.type == ReferenceType::F32 ? "float32"
                                                           : "float64";
    outputs[tensor.spec->name] = llvm::json::Object{
        {"type", type}, {"shape", llvm::json::Array(tensor.kept)}};
  }
  llvm::json::Object result{{"function", function},
                            {"outputs", std::move(outputs)},
                            {"compile_seconds", compileSeconds},
                            {"run_seconds", runSeconds}};
  if (std::string device = compiled->device(); !device.empty())
    result["device"] = device;
  out << llvm::formatv("{0:2}", llvm::json::Value(std::move(result))) << "\n";
}

int Runner::execute(llvm::raw_ostream &out) {
  if (!describe() || !checkFiles() || !compile())
    return status;
  if (!run.checksOnly) {
    if (!readInputs() || !planPieces())
      return status;
    callPieces();
    if (!writeOutputs())
      return status;
  }
  report(out);
  return 0;
}

int ptxbench::runReference(const ReferenceRun &run, llvm::raw_ostream &out,
                           llvm::raw_ostream &diagnostics) {
  return Runner(run, diagnostics).execute(out);
}
