//===- PtxCandidate.cpp - Candidates that are PTX -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing that is written here may fail to compile: what the description says
// is checked first, and numbers that depend on the workload are checked by the
// host code itself, with the place in the description that they come from.
//
//===----------------------------------------------------------------------===//

#include "PtxCandidate.h"
#include "LaunchExpression.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "ptxbench/Support/Spelling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace ptxbench {

std::string launchDescriptionPath(StringRef candidate) {
  SmallString<128> path(candidate);
  sys::path::replace_extension(path, "launch.json");
  return path.str().str();
}

namespace {

class HostCodeWriter {
public:
  HostCodeWriter(const Definition &definition,
                 const std::vector<LaunchedEntry> *entries, raw_ostream &os)
      : definition(definition), entries(entries), os(os) {}

  bool write(const JSONCursor &root, StringRef fatBinary);

private:
  void writePrologue(StringRef fatBinary);
  void writeArguments();
  bool writeLaunch(const JSONCursor &cursor, size_t number);
  /// The entry of that name; null if there is none, or none is known.
  const LaunchedEntry *findEntry(StringRef name) const;
  bool checkEntry(const JSONCursor &cursor, StringRef name);
  /// A parameter as the description has it.
  struct Given {
    JSONCursor at;
    uint64_t bytes = 0;
    std::string what;
  };
  bool writeParameter(const JSONCursor &cursor, std::vector<Given> &taken);
  /// Whether these are what an entry takes.
  bool checkParameters(const JSONCursor &cursor, const LaunchedEntry &entry,
                       ArrayRef<Given> given);
  bool writeTensorMap(const JSONCursor &cursor, size_t number);
  /// A number of the description and what it may be.
  struct Number {
    LaunchExpression value;
    /// What an error about it begins with.
    std::string place;
    int64_t low = 0, high = 0;
  };
  /// Reads an integer or an expression; one that is known must be in range.
  bool readNumber(const JSONCursor &cursor, int64_t low, int64_t high,
                  Number &out);
  /// From 1 to the highest of each dimension.
  bool readExtents(const JSONCursor &cursor, ArrayRef<int64_t> highest,
                   std::vector<Number> &out);
  /// Those that an entry wants by a directive; others are an error here or,
  /// where they are not known, when it is launched.
  bool requireExtents(const JSONCursor &cursor, std::vector<Number> &extents,
                      const std::optional<Dim3> &wanted,
                      const Twine &directive);
  /// The threads of a block, and the blocks of a cluster; `entry` is null if
  /// none is known.
  bool readBlock(const JSONCursor &cursor, const LaunchedEntry *entry,
                 std::vector<Number> &block);
  bool readCluster(const JSONCursor &cursor, const LaunchedEntry *entry,
                   std::vector<Number> &cluster);
  /// If all are known they are at most so many together.
  bool checkProduct(const JSONCursor &cursor, ArrayRef<Number> extents,
                    int64_t most, StringRef what);
  /// Whether the host code is small enough so far.
  bool checkSize(const JSONCursor &cursor);
  /// Host code that stores a number in `to`, or returns.
  void writeTake(const Number &number, const Twine &to);
  /// Its place among all arguments.
  std::optional<size_t> findArgument(StringRef name) const;
  const TensorSpec &argument(size_t index) const {
    return index < definition.inputs.size()
               ? definition.inputs[index]
               : definition.outputs[index - definition.inputs.size()];
  }

  const Definition &definition;
  const std::vector<LaunchedEntry> *entries;
  raw_ostream &os;
};

} // namespace

std::optional<size_t> HostCodeWriter::findArgument(StringRef name) const {
  size_t all = definition.inputs.size() + definition.outputs.size();
  for (size_t i = 0; i < all; ++i)
    if (argument(i).name == name)
      return i;
  return std::nullopt;
}

const LaunchedEntry *HostCodeWriter::findEntry(StringRef name) const {
  if (!entries)
    return nullptr;
  auto found = find_if(
      *entries, [&](const LaunchedEntry &entry) { return entry.name == name; });
  return found == entries->end() ? nullptr : &*found;
}

bool HostCodeWriter::checkEntry(const JSONCursor &cursor, StringRef name) {
  if (!entries || findEntry(name))
    return true;
  constexpr size_t mostNames = 8;
  std::string names;
  unsigned distance = maxEdits(name) + 1;
  StringRef best;
  for (auto [i, entry] : enumerate(*entries)) {
    considerSpelling(name, entry.name, distance, best);
    if (i < mostNames)
      names +=
          (i ? ", '" : "'") + StringRef(entry.name).take_front(80).str() + "'";
  }
  if (entries->size() > mostNames)
    names += " and " + std::to_string(entries->size() - mostNames) + " more";
  return cursor.fail(
      "expected an entry of the candidate, which has " +
      (names.empty() ? "none" : names) + ", but got '" + name + "'" +
      (best.empty() ? std::string() : "; did you mean '" + best.str() + "'?"));
}

bool HostCodeWriter::checkParameters(const JSONCursor &cursor,
                                     const LaunchedEntry &entry,
                                     ArrayRef<Given> given) {
  if (given.size() != entry.params.size())
    return cursor.fail("expected the " + Twine(entry.params.size()) +
                       " parameters of '" + entry.name + "' but got " +
                       Twine(given.size()));
  for (auto [i, value] : enumerate(given)) {
    const LaunchedEntry::Param &param = entry.params[i];
    if (value.bytes != param.bytes)
      return value.at.fail("expected a value of " + Twine(param.bytes) +
                           " bytes, which parameter " + Twine(i) + " of '" +
                           entry.name + "' (." + param.type + ") has, but " +
                           value.what + " has " + Twine(value.bytes));
  }
  return true;
}

bool HostCodeWriter::readNumber(const JSONCursor &cursor, int64_t low,
                                int64_t high, Number &out) {
  out = {LaunchExpression(), cursor.describe(""), low, high};
  if (cursor.get().getAsNumber()) {
    int64_t number = 0;
    if (!cursor.read(number))
      return false;
    out.value = LaunchExpression::of(number);
  } else {
    std::string text;
    if (!cursor.read(text))
      return false;
    Expected<LaunchExpression> value = parseLaunchExpression(text, definition);
    if (!value)
      return cursor.fail(toString(value.takeError()));
    out.value = std::move(*value);
  }
  if (std::optional<int64_t> number = out.value.constant;
      number && (*number < low || *number > high))
    return cursor.fail("expected a number from " + Twine(low) + " to " +
                       Twine(high) + " but got " + Twine(*number));
  return true;
}

bool HostCodeWriter::readExtents(const JSONCursor &cursor,
                                 ArrayRef<int64_t> highest,
                                 std::vector<Number> &out) {
  const json::Array *array = cursor.asArray();
  if (!array)
    return false;
  if (array->empty() || array->size() > highest.size())
    return cursor.fail("expected 1 to " + Twine(highest.size()) +
                       " extents but got " + Twine(array->size()));
  return cursor.forEach([&](const JSONCursor &item) {
    out.emplace_back();
    return readNumber(item, 1, highest[out.size() - 1], out.back());
  });
}

bool HostCodeWriter::requireExtents(const JSONCursor &cursor,
                                    std::vector<Number> &extents,
                                    const std::optional<Dim3> &wanted,
                                    const Twine &directive) {
  if (!wanted)
    return true;
  const int64_t numbers[] = {wanted->x, wanted->y, wanted->z};
  for (auto [i, number] : enumerate(numbers)) {
    std::optional<int64_t> known = i < extents.size()
                                       ? extents[i].value.constant
                                       : std::optional<int64_t>(1);
    if (known && *known != number)
      return cursor.fail(
          "expected " + Twine(wanted->x) + ", " + Twine(wanted->y) + ", " +
          Twine(wanted->z) + ", which " + directive + " says, but got " +
          Twine(*known) + " along " + StringRef("xyz").substr(i, 1));
    if (i < extents.size())
      extents[i].low = extents[i].high = number;
  }
  return true;
}

bool HostCodeWriter::checkProduct(const JSONCursor &cursor,
                                  ArrayRef<Number> extents, int64_t most,
                                  StringRef what) {
  int64_t product = 1;
  for (const Number &extent : extents) {
    if (!extent.value.constant)
      return true;
    product *= *extent.value.constant;
  }
  return product <= most ||
         cursor.fail("expected at most " + Twine(most) + " " + what +
                     " but got " + Twine(product));
}

// What every device has at most; of a cluster, what needs no permission.
bool HostCodeWriter::readBlock(const JSONCursor &cursor,
                               const LaunchedEntry *entry,
                               std::vector<Number> &block) {
  int64_t most = 1024;
  if (!readExtents(cursor, {most, most, 64}, block))
    return false;
  std::string what = "threads in a block";
  if (entry) {
    if (!requireExtents(cursor, block, entry->reqntid,
                        "'.reqntid' of '" + entry->name + "'"))
      return false;
    if (entry->maxntid) {
      most = std::min<int64_t>(most, entry->maxntid->volume());
      what += " of '" + entry->name + "' (.maxntid)";
    }
  }
  return checkProduct(cursor, block, most, what);
}

bool HostCodeWriter::readCluster(const JSONCursor &cursor,
                                 const LaunchedEntry *entry,
                                 std::vector<Number> &cluster) {
  int64_t most = 8;
  if (!readExtents(cursor, {most, most, most}, cluster))
    return false;
  std::string what = "blocks in a cluster";
  if (entry) {
    if (!requireExtents(cursor, cluster, entry->reqnctapercluster,
                        "'.reqnctapercluster' of '" + entry->name + "'"))
      return false;
    if (entry->maxclusterrank) {
      most = std::min<int64_t>(most, *entry->maxclusterrank);
      what += " of '" + entry->name + "' (.maxclusterrank)";
    }
  }
  return checkProduct(cursor, cluster, most, what);
}

void HostCodeWriter::writeTake(const Number &number, const Twine &to) {
  auto literal = [](int64_t bound) { return LaunchExpression::of(bound).code; };
  os << "    if (!take(" << number.value.code << ", " << literal(number.low)
     << ", " << literal(number.high) << ", " << quoteForHost(number.place)
     << ", " << to << "))\n      return -1;\n";
}

void HostCodeWriter::writePrologue(StringRef fatBinary) {
  os << R"(// Made from a launch description.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <string>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

)";
  auto carry = [&](StringRef name, StringRef file) {
    os << "asm(\".pushsection .rodata\\n.balign 16\\n.globl " << name
       << "\\n.hidden " << name << "\\n"
       << name << ":\\n.incbin \\\"" << file
       << "\\\"\\n.byte 0\\n.popsection\");\n"
       << "extern \"C\" const char " << name << "[];\n";
  };
  carry("ptxbenchCarried", fatBinary);
  os << launchArithmetic << R"(
/// Raises an error, with what the driver calls it.
static int fail(const char *what, CUresult code) {
  const char *name = nullptr;
  if (cuGetErrorName(code, &name) != CUDA_SUCCESS || !name)
    name = "unknown error";
  char text[256];
  std::snprintf(text, sizeof(text), "%s: %s", what, name);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", text);
  return -1;
}
static int refuse(const char *what) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", what);
  return -1;
}

extern "C" __attribute__((visibility("default"))) int
__tvm_ffi_run(void *, const TVMFFIAny *arguments, int32_t count, TVMFFIAny *) {
)";
}

void HostCodeWriter::writeArguments() {
  size_t all = definition.inputs.size() + definition.outputs.size();
  os << "  if (count != " << all << ")\n    return refuse(\"expected " << all
     << " arguments\");\n";
  std::map<std::string, std::string> axes;
  std::optional<size_t> first;
  for (size_t i = 0; i < all; ++i) {
    if (argument(i).isScalar)
      continue;
    if (!first)
      first = i;
    os << "  auto *tensor" << i << " = static_cast<DLTensor *>(arguments[" << i
       << "].v_ptr);\n";
    for (auto [dim, axis] : enumerate(argument(i).shape))
      axes.try_emplace(axis, "tensor" + std::to_string(i) + "->shape[" +
                                 std::to_string(dim) + "]");
  }
  // By number: names of axes may be none of C++.
  for (auto [index, axis] : enumerate(definition.axes)) {
    std::string value = "0";
    if (axis.value)
      value = std::to_string(*axis.value);
    else if (auto found = axes.find(axis.name); found != axes.end())
      value = found->second;
    os << "  [[maybe_unused]] const int64_t axis" << index << " = " << value
       << ";\n";
  }
  os << "  auto stream = static_cast<CUstream>(TVMFFIEnvGetStream(kDLCUDA, "
     << (first ? "tensor" + std::to_string(*first) + "->device.device_id" : "0")
     << R"());
  static CUmodule module = nullptr;
  CUresult code = CUDA_SUCCESS;
  if (!module && (code = cuModuleLoadData(&module, ptxbenchCarried)) != CUDA_SUCCESS)
    return fail("cuModuleLoadData", code);
)";
}

/// What the driver calls the elements of a tensor map.
static StringRef mapType(ElementType type) {
  switch (type) {
  case ElementType::Float64:
    return "FLOAT64";
  case ElementType::Float32:
    return "FLOAT32";
  case ElementType::Float16:
    return "FLOAT16";
  case ElementType::BFloat16:
    return "BFLOAT16";
  case ElementType::Int64:
    return "INT64";
  case ElementType::Int32:
    return "INT32";
  case ElementType::Int16:
    return "UINT16";
  default:
    return "UINT8";
  }
}

bool HostCodeWriter::writeTensorMap(const JSONCursor &cursor, size_t number) {
  JSONFields fields(cursor);
  std::string name;
  int64_t swizzle = 0;
  std::optional<JSONCursor> box = fields.find("box", true);
  if (!box || !fields.required("tensor", name) ||
      !fields.optional("swizzle", swizzle))
    return false;
  // As the driver has it.
  constexpr int64_t mostExtent = int64_t(1) << 32, mostBox = 256;
  std::vector<Number> extents, boxes;
  if (std::optional<JSONCursor> shape = fields.find("shape", false)) {
    if (!readExtents(*shape, std::vector<int64_t>(5, mostExtent), extents))
      return false;
  }
  if (!readExtents(*box, std::vector<int64_t>(5, mostBox), boxes) ||
      !fields.finish())
    return false;
  std::optional<size_t> index = findArgument(name);
  if (!index || argument(*index).isScalar)
    return cursor.fail("expected a tensor of the task but got '" + name + "'");
  if (extents.empty()) {
    ArrayRef<std::string> shape = argument(*index).shape;
    if (shape.empty() || shape.size() > 5)
      return cursor.fail("expected a tensor of 1 to 5 dimensions but '" + name +
                         "' has " + Twine(shape.size()));
    for (const std::string &name : shape) {
      size_t axis =
          find_if(definition.axes,
                  [&](const Axis &axis) { return axis.name == name; }) -
          definition.axes.begin();
      extents.push_back({{std::nullopt, "axis" + std::to_string(axis)},
                         cursor.describe(""),
                         1,
                         mostExtent});
    }
  }
  if (extents.size() != boxes.size())
    return box->fail("expected an extent for each of " +
                     std::to_string(extents.size()) + " dimensions but got " +
                     std::to_string(boxes.size()));
  if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
    return cursor.fail("expected a swizzle of 0, 32, 64 or 128 bytes but got " +
                       std::to_string(swizzle));
  size_t rank = extents.size();
  // The driver counts dimensions from the innermost.
  std::reverse(extents.begin(), extents.end());
  std::reverse(boxes.begin(), boxes.end());
  uint64_t bytes = sizeOf(argument(*index).type);
  os << "    alignas(64) CUtensorMap value" << number << ";\n    {\n"
     << "    cuuint64_t extents[" << rank << "] = {}, strides[5] = {};\n"
     << "    cuuint32_t box[" << rank << "] = {};\n";
  for (size_t dim = 0; dim < rank; ++dim) {
    writeTake(extents[dim], "extents[" + Twine(dim) + "]");
    writeTake(boxes[dim], "box[" + Twine(dim) + "]");
  }
  os << "      strides[0] = " << bytes << " * extents[0];\n"
     << "      const cuuint32_t steps[] = {1, 1, 1, 1, 1};\n"
     << "      for (int i = 1; i < " << rank << "; ++i)\n"
     << "        strides[i] = strides[i - 1] * extents[i];\n"
     << "      code = cuTensorMapEncodeTiled(\n          &value" << number
     << ", CU_TENSOR_MAP_DATA_TYPE_" << mapType(argument(*index).type) << ", "
     << rank << ", tensor" << *index
     << "->data, extents, strides, box, steps,\n"
     << "          CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_"
     << (swizzle ? std::to_string(swizzle) + "B" : "NONE")
     << ",\n          CU_TENSOR_MAP_L2_PROMOTION_L2_128B, "
        "CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);\n"
     << "      if (code != CUDA_SUCCESS)\n        return "
        "fail(\"cuTensorMapEncodeTiled\", code);\n    }\n";
  return true;
}

namespace {
/// A type that a parameter may have.
struct ParameterType {
  StringRef spelling, host;
  uint64_t bytes() const {
    unsigned bits = 0;
    spelling.drop_front().getAsInteger(10, bits);
    return bits / 8;
  }
  /// What a whole number of it may be; nothing for a float.
  int64_t low = 0, high = 0;
  bool isFloat() const { return high == 0; }
};
} // namespace

/// Null if there is none of this name.
static const ParameterType *findParameterType(StringRef spelling) {
  static const ParameterType types[] = {
      {"u8", "int8_t", 0, UINT8_MAX},
      {"s8", "int8_t", INT8_MIN, INT8_MAX},
      {"b8", "int8_t", INT8_MIN, UINT8_MAX},
      {"u16", "int16_t", 0, UINT16_MAX},
      {"s16", "int16_t", INT16_MIN, INT16_MAX},
      {"b16", "int16_t", INT16_MIN, UINT16_MAX},
      {"u32", "int32_t", 0, UINT32_MAX},
      {"s32", "int32_t", INT32_MIN, INT32_MAX},
      {"b32", "int32_t", INT32_MIN, UINT32_MAX},
      {"u64", "int64_t", 0, INT64_MAX},
      {"s64", "int64_t", INT64_MIN, INT64_MAX},
      {"b64", "int64_t", INT64_MIN, INT64_MAX},
      {"f32", "float"},
      {"f64", "double"}};
  for (const ParameterType &type : types)
    if (type.spelling == spelling)
      return &type;
  return nullptr;
}

bool HostCodeWriter::writeParameter(const JSONCursor &cursor,
                                    std::vector<Given> &taken) {
  size_t number = taken.size();
  constexpr uint64_t mapBytes = 128;
  JSONFields fields(cursor);
  if (std::optional<JSONCursor> map = fields.find("tensor_map", false)) {
    taken.push_back({cursor, mapBytes, "a tensor map"});
    return writeTensorMap(*map, number) && fields.finish();
  }
  if (std::optional<JSONCursor> at = fields.find("tensor", false)) {
    std::string name;
    if (!at->read(name))
      return false;
    std::optional<size_t> index = findArgument(name);
    if (!index || argument(*index).isScalar)
      return at->fail("expected a tensor of the task but got '" + name + "'");
    taken.push_back({cursor, sizeof(uint64_t), "the address of a tensor"});
    os << "    void *value" << number << " = tensor" << *index << "->data;\n";
    return fields.finish();
  }
  std::string spelling;
  std::optional<JSONCursor> input = fields.find("input", false);
  std::optional<JSONCursor> given = fields.find("value", !input);
  if ((!input && !given) || !fields.required("type", spelling))
    return false;
  const ParameterType *type = findParameterType(spelling);
  if (!type)
    return cursor.fail("expected a type such as s32, u64 or f32 but got '" +
                       spelling + "'");
  taken.push_back({cursor, type->bytes(), "one of the type " + spelling});
  int64_t low = type->isFloat() ? INT64_MIN : type->low,
          high = type->isFloat() ? INT64_MAX : type->high;
  Number value;
  /// What C++ converts as it is.
  std::string plain;
  if (input) {
    std::string name;
    if (!input->read(name))
      return false;
    std::optional<size_t> index = findArgument(name);
    if (!index || !argument(*index).isScalar)
      return input->fail("expected a plain number among the inputs of the task "
                         "but got '" +
                         name + "'");
    std::string from = "arguments[" + std::to_string(*index) + "].v_";
    if (isFloat(argument(*index).type))
      plain = from + "float64";
    else
      value = {{std::nullopt, from + "int64"}, input->describe(""), low, high};
  } else if (std::optional<double> real = given->get().getAsNumber();
             real && type->isFloat()) {
    raw_string_ostream(plain) << json::Value(*real);
  } else if (std::optional<uint64_t> wide = given->get().getAsUINT64();
             wide && *wide > INT64_MAX && high == INT64_MAX &&
             spelling != "s64") {
    plain = "UINT64_C(" + std::to_string(*wide) + ")";
  } else if (!readNumber(*given, low, high, value)) {
    return false;
  }
  os << "    " << type->host << " value" << number << " = " << type->host << "("
     << (plain.empty() ? "0" : plain) << ");\n";
  if (plain.empty())
    writeTake(value, "value" + Twine(number));
  return fields.finish();
}

bool HostCodeWriter::checkSize(const JSONCursor &cursor) {
  // More would keep the host compiler busy.
  constexpr uint64_t mostCode = 1 << 20;
  return os.tell() <= mostCode ||
         cursor.fail("expected fewer launches and parameters: the host code "
                     "for them is larger than 1 MiB");
}

bool HostCodeWriter::writeLaunch(const JSONCursor &cursor, size_t number) {
  JSONFields fields(cursor);
  constexpr int64_t most = INT32_MAX;
  constexpr size_t longestName = 4096;
  std::string entry;
  std::vector<Number> grid, block, cluster;
  Number shared;
  std::optional<JSONCursor> entryAt = fields.find("entry", true);
  if (!entryAt || !entryAt->read(entry))
    return false;
  if (entry.size() > longestName)
    return entryAt->fail("expected a name of at most " + Twine(longestName) +
                         " characters but got " + Twine(entry.size()));
  if (entry.empty() ||
      !all_of(entry, [](char c) { return isAlnum(c) || c == '_' || c == '$'; }))
    return entryAt->fail("expected the name of an entry but got '" +
                         json::fixUTF8(entry) + "'");
  std::optional<JSONCursor> gridAt = fields.find("grid", true),
                            blockAt = fields.find("block", true),
                            clusterAt = fields.find("cluster", false),
                            sharedAt =
                                fields.find("dynamic_shared_bytes", false),
                            params = fields.find("params", true);
  const LaunchedEntry *launched = findEntry(entry);
  if (!gridAt || !blockAt || !params ||
      !readExtents(*gridAt, {most, 65535, 65535}, grid) ||
      !readBlock(*blockAt, launched, block) ||
      (clusterAt && !readCluster(*clusterAt, launched, cluster)) ||
      (sharedAt && !readNumber(*sharedAt, 0, most, shared)))
    return false;
  os << "  {\n    static CUfunction function = nullptr;\n"
     << "    if (!function && (code = cuModuleGetFunction(&function, module, \""
     << entry << "\")) != CUDA_SUCCESS)\n"
     << "      return fail(\"cuModuleGetFunction " << entry << "\", code);\n";
  if (!checkEntry(*entryAt, entry))
    return false;
  std::vector<Given> given;
  if (!params->forEach([&](const JSONCursor &item) {
        return writeParameter(item, given) && checkSize(item);
      }))
    return false;
  if (launched && !checkParameters(*params, *launched, given))
    return false;
  os << "    void *parameters[] = {";
  for (size_t i = 0; i < given.size(); ++i)
    os << "&value" << i << ", ";
  os << "nullptr};\n    CUlaunchConfig config = {};\n";
  auto writeExtents = [&](ArrayRef<Number> extents, StringRef to,
                          const char *dims) {
    for (size_t i = 0; i < 3; ++i)
      if (i < extents.size())
        writeTake(extents[i], to + Twine(dims[i]));
      else
        os << "    " << to << dims[i] << " = 1;\n";
  };
  writeExtents(grid, "config.gridDim", "XYZ");
  writeExtents(block, "config.blockDim", "XYZ");
  if (sharedAt)
    writeTake(shared, "config.sharedMemBytes");
  os << "    config.hStream = stream;\n"
     << "    if (config.sharedMemBytes > 48 * 1024 &&\n"
     << "        (code = cuFuncSetAttribute(function, "
        "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "
        "int(config.sharedMemBytes))) != CUDA_SUCCESS)\n"
     << "      return fail(\"cuFuncSetAttribute\", code);\n";
  if (clusterAt) {
    os << "    CUlaunchAttribute cluster = {};\n"
       << "    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;\n";
    writeExtents(cluster, "cluster.value.clusterDim.", "xyz");
    os << "    config.attrs = &cluster;\n    config.numAttrs = 1;\n";
  }
  os << "    code = cuLaunchKernelEx(&config, function, parameters, nullptr);\n"
     << "    if (code != CUDA_SUCCESS)\n"
     << "      return fail(\"launch " << number << " of " << entry
     << "\", code);\n  }\n";
  return fields.finish() && checkSize(cursor);
}

bool HostCodeWriter::write(const JSONCursor &root, StringRef fatBinary) {
  JSONFields fields(root);
  std::string schema;
  if (!fields.required("schema", schema))
    return false;
  if (schema != "ptxbench.launch.v1")
    return root.fail("expected the schema 'ptxbench.launch.v1' but got '" +
                     schema + "'");
  std::optional<JSONCursor> launches = fields.find("launches", true);
  if (!launches)
    return false;
  writePrologue(fatBinary);
  writeArguments();
  size_t number = 0;
  if (!launches->forEach(
          [&](const JSONCursor &item) { return writeLaunch(item, number++); }))
    return false;
  if (number == 0)
    return launches->fail("expected at least one launch");
  os << "  return 0;\n}\n";
  return fields.finish();
}

Expected<std::string> writeHostCode(StringRef json, StringRef path,
                                    const Definition &definition,
                                    StringRef fatBinary,
                                    const std::vector<LaunchedEntry> *entries) {
  JSONSource source(json, path);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  std::string code;
  raw_string_ostream os(code);
  if (!HostCodeWriter(definition, entries, os)
           .write(JSONCursor(source, *value), fatBinary) ||
      source.failed())
    return source.takeError();
  return os.str();
}

} // namespace ptxbench
