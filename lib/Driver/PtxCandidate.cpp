//===- PtxCandidate.cpp - Candidates that are PTX -------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expressions are checked token by token and then stand in the host code as
// they are: integers, names of axes, + - * / % ( ), ceildiv, min and max mean
// there what they mean here.
//
//===----------------------------------------------------------------------===//

#include "PtxCandidate.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
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
  HostCodeWriter(const Definition &definition, raw_ostream &os)
      : definition(definition), os(os) {}

  bool write(const JSONCursor &root, StringRef fatBinary);

private:
  void writePrologue(StringRef fatBinary);
  void writeArguments();
  bool writeLaunch(const JSONCursor &cursor, size_t number);
  bool writeParameter(const JSONCursor &cursor, size_t number);
  bool writeTensorMap(const JSONCursor &cursor, size_t number);
  /// An integer or an expression, as C++.
  bool readExpression(const JSONCursor &cursor, std::string &out);
  bool readExtents(const JSONCursor &cursor, size_t most,
                   std::vector<std::string> &out);
  bool translate(const JSONCursor &cursor, StringRef text, std::string &out);
  bool isAxis(StringRef name) const {
    return any_of(definition.axes,
                  [&](const Axis &axis) { return axis.name == name; });
  }
  /// Its place among all arguments.
  std::optional<size_t> findArgument(StringRef name) const;
  const TensorSpec &argument(size_t index) const {
    return index < definition.inputs.size()
               ? definition.inputs[index]
               : definition.outputs[index - definition.inputs.size()];
  }

  const Definition &definition;
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

/// Checks an expression; axes get a prefix, since C++ may know their names.
bool HostCodeWriter::translate(const JSONCursor &cursor, StringRef text,
                               std::string &out) {
  int depth = 0;
  bool wantsValue = true;
  for (StringRef rest = text.ltrim(); !rest.empty(); rest = rest.ltrim()) {
    char c = rest.front();
    if (isAlpha(c) || c == '_') {
      StringRef name =
          rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
      rest = rest.drop_front(name.size());
      bool isFunction = name == "ceildiv" || name == "min" || name == "max";
      if (!wantsValue || (!isFunction && !isAxis(name)))
        return cursor.fail("expected an axis of the task, ceildiv, min or max "
                           "but got '" +
                           name.str() + "' in \"" + text.str() + "\"");
      wantsValue = isFunction;
      out += (isFunction ? "" : "axis_") + name.str();
      if (isFunction && !rest.ltrim().starts_with("("))
        return cursor.fail("expected '(' behind '" + name.str() + "' in \"" +
                           text.str() + "\"");
      continue;
    }
    if (isDigit(c)) {
      StringRef number = rest.take_while(isDigit);
      rest = rest.drop_front(number.size());
      if (!wantsValue || number.size() > 12)
        return cursor.fail("expected an operator but got '" + number.str() +
                           "' in \"" + text.str() + "\"");
      wantsValue = false;
      out += "INT64_C(" + number.str() + ")";
      continue;
    }
    rest = rest.drop_front();
    bool isOpen = c == '(', isClose = c == ')',
         isInfix = StringRef("+-*/%,").contains(c);
    depth += isOpen - isClose;
    if (depth < 0 || (isOpen ? !wantsValue : wantsValue) ||
        !(isOpen || isClose || isInfix) || (c == ',' && depth == 0))
      return cursor.fail(std::string("unexpected '") + c + "' in \"" +
                         text.str() + "\"");
    wantsValue = !isClose;
    out += c;
  }
  if (depth != 0 || wantsValue)
    return cursor.fail("unexpected end of \"" + text.str() + "\"");
  return true;
}

bool HostCodeWriter::readExpression(const JSONCursor &cursor,
                                    std::string &out) {
  if (std::optional<int64_t> number = cursor.get().getAsInteger()) {
    if (*number < 0)
      return cursor.fail("expected a number from 0 on but got " +
                         std::to_string(*number));
    out = "int64_t(" + std::to_string(*number) + ")";
    return true;
  }
  std::string text;
  if (!cursor.read(text))
    return false;
  out = "int64_t(";
  if (!translate(cursor, text, out))
    return false;
  out += ")";
  return true;
}

bool HostCodeWriter::readExtents(const JSONCursor &cursor, size_t most,
                                 std::vector<std::string> &out) {
  bool ok = cursor.forEach([&](const JSONCursor &item) {
    out.emplace_back();
    return readExpression(item, out.back());
  });
  if (ok && (out.empty() || out.size() > most))
    return cursor.fail("expected 1 to " + std::to_string(most) +
                       " extents but got " + std::to_string(out.size()));
  return ok;
}

void HostCodeWriter::writePrologue(StringRef fatBinary) {
  os << R"(// Made from a launch description.
#include <cstdint>
#include <cstdio>
#include <cuda.h>
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
  os << R"(
static int64_t ceildiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

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
  for (const Axis &axis : definition.axes) {
    std::string value = "0";
    if (axis.value)
      value = std::to_string(*axis.value);
    else if (auto found = axes.find(axis.name); found != axes.end())
      value = found->second;
    os << "  [[maybe_unused]] const int64_t axis_" << axis.name << " = "
       << value << ";\n";
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
  std::vector<std::string> extents, boxes;
  if (std::optional<JSONCursor> shape = fields.find("shape", false)) {
    if (!readExtents(*shape, 5, extents))
      return false;
  }
  if (!readExtents(*box, 5, boxes) || !fields.finish())
    return false;
  std::optional<size_t> index = findArgument(name);
  if (!index || argument(*index).isScalar)
    return cursor.fail("expected a tensor of the task but got '" + name + "'");
  if (extents.empty())
    for (const std::string &axis : argument(*index).shape)
      extents.push_back("axis_" + axis);
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
     << "      const cuuint64_t extents[] = {";
  for (const std::string &extent : extents)
    os << "cuuint64_t(" << extent << "), ";
  os << "};\n      cuuint64_t strides[] = {" << bytes << " * extents[0], 0, 0, "
     << "0, 0};\n      const cuuint32_t box[] = {";
  for (const std::string &extent : boxes)
    os << "cuuint32_t(" << extent << "), ";
  os << "};\n      const cuuint32_t steps[] = {1, 1, 1, 1, 1};\n"
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

bool HostCodeWriter::writeParameter(const JSONCursor &cursor, size_t number) {
  JSONFields fields(cursor);
  if (std::optional<JSONCursor> map = fields.find("tensor_map", false))
    return writeTensorMap(*map, number) && fields.finish();
  if (std::optional<JSONCursor> at = fields.find("tensor", false)) {
    std::string name;
    if (!at->read(name))
      return false;
    std::optional<size_t> index = findArgument(name);
    if (!index || argument(*index).isScalar)
      return at->fail("expected a tensor of the task but got '" + name + "'");
    os << "    void *value" << number << " = tensor" << *index << "->data;\n";
    return fields.finish();
  }
  std::string type, value;
  std::optional<JSONCursor> input = fields.find("input", false);
  std::optional<JSONCursor> given = fields.find("value", !input);
  if ((!input && !given) || !fields.required("type", type))
    return false;
  StringRef spelt = StringSwitch<StringRef>(type)
                        .Cases({"u8", "s8", "b8"}, "int8_t")
                        .Cases({"u16", "s16", "b16"}, "int16_t")
                        .Cases({"u32", "s32", "b32"}, "int32_t")
                        .Cases({"u64", "s64", "b64"}, "int64_t")
                        .Case("f32", "float")
                        .Case("f64", "double")
                        .Default("");
  if (spelt.empty())
    return cursor.fail("expected a type such as s32, u64 or f32 but got '" +
                       type + "'");
  if (input) {
    std::string name;
    if (!input->read(name))
      return false;
    std::optional<size_t> index = findArgument(name);
    if (!index || !argument(*index).isScalar)
      return input->fail("expected a plain number among the inputs of the task "
                         "but got '" +
                         name + "'");
    value = "arguments[" + std::to_string(*index) + "].v_" +
            (isFloat(argument(*index).type) ? "float64" : "int64");
  } else if (std::optional<double> number = given->get().getAsNumber();
             number && !given->get().getAsInteger()) {
    raw_string_ostream(value) << json::Value(*number);
  } else if (!readExpression(*given, value)) {
    return false;
  }
  os << "    " << spelt << " value" << number << " = " << spelt << "(" << value
     << ");\n";
  return fields.finish();
}

bool HostCodeWriter::writeLaunch(const JSONCursor &cursor, size_t number) {
  JSONFields fields(cursor);
  std::string entry, shared = "0";
  std::vector<std::string> grid, block, cluster;
  if (!fields.required("entry", entry))
    return false;
  if (!all_of(entry, [](char c) { return isAlnum(c) || c == '_' || c == '$'; }))
    return cursor.fail("expected the name of an entry but got '" + entry + "'");
  std::optional<JSONCursor> gridAt = fields.find("grid", true),
                            blockAt = fields.find("block", true),
                            clusterAt = fields.find("cluster", false),
                            sharedAt =
                                fields.find("dynamic_shared_bytes", false),
                            params = fields.find("params", true);
  if (!gridAt || !blockAt || !params || !readExtents(*gridAt, 3, grid) ||
      !readExtents(*blockAt, 3, block) ||
      (clusterAt && !readExtents(*clusterAt, 3, cluster)) ||
      (sharedAt && !readExpression(*sharedAt, shared)))
    return false;
  for (auto *extents : {&grid, &block, &cluster})
    extents->resize(3, "1");
  os << "  {\n    static CUfunction function = nullptr;\n"
     << "    if (!function && (code = cuModuleGetFunction(&function, module, \""
     << entry << "\")) != CUDA_SUCCESS)\n"
     << "      return fail(\"cuModuleGetFunction " << entry << "\", code);\n";
  size_t count = 0;
  if (!params->forEach([&](const JSONCursor &item) {
        return writeParameter(item, count++);
      }))
    return false;
  os << "    void *parameters[] = {";
  for (size_t i = 0; i < count; ++i)
    os << "&value" << i << ", ";
  os << "nullptr};\n    CUlaunchConfig config = {};\n";
  const char *dims[] = {"X", "Y", "Z"};
  for (unsigned i = 0; i < 3; ++i)
    os << "    config.gridDim" << dims[i] << " = unsigned(" << grid[i]
       << ");\n    config.blockDim" << dims[i] << " = unsigned(" << block[i]
       << ");\n";
  os << "    config.sharedMemBytes = unsigned(" << shared << ");\n"
     << "    config.hStream = stream;\n"
     << "    if (config.sharedMemBytes > 48 * 1024 &&\n"
     << "        (code = cuFuncSetAttribute(function, "
        "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "
        "int(config.sharedMemBytes))) != CUDA_SUCCESS)\n"
     << "      return fail(\"cuFuncSetAttribute\", code);\n";
  if (clusterAt) {
    os << "    CUlaunchAttribute cluster = {};\n"
       << "    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;\n";
    const char *names[] = {"x", "y", "z"};
    for (unsigned i = 0; i < 3; ++i)
      os << "    cluster.value.clusterDim." << names[i] << " = unsigned("
         << cluster[i] << ");\n";
    os << "    config.attrs = &cluster;\n    config.numAttrs = 1;\n";
  }
  os << "    code = cuLaunchKernelEx(&config, function, parameters, nullptr);\n"
     << "    if (code != CUDA_SUCCESS)\n"
     << "      return fail(\"launch " << number << " of " << entry
     << "\", code);\n  }\n";
  return fields.finish();
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
                                    StringRef fatBinary) {
  JSONSource source(json, path);
  Expected<json::Value> value = source.parse();
  if (!value)
    return value.takeError();
  std::string code;
  raw_string_ostream os(code);
  if (!HostCodeWriter(definition, os)
           .write(JSONCursor(source, *value), fatBinary) ||
      source.failed())
    return source.takeError();
  return os.str();
}

} // namespace ptxbench
