//===- GpuMachine.cpp - Cases on a GPU ------------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A context is of no use after a kernel has faulted, and a kernel that hangs
// can only be got rid of with its process. So a child runs the cases and tells
// its parent about each by a message: one byte for the kind, four for the
// length, and the content. This process never talks to the driver itself.
//
// All buffers of a case lie in one piece of memory that is used again, so that
// a case takes one copy in each direction.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"
#include "ptxbench/Support/DynamicLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cuda.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
enum MessageKind : uint8_t {
  /// Name and driver of the machine.
  InfoMessage,
  OutcomeMessage,
  /// An outcome after which the process ends.
  LastOutcomeMessage,
  /// Why the driver is of no use.
  FailureMessage
};

struct Message {
  uint8_t kind = 0;
  std::string content;

  void add(StringRef text) {
    uint32_t size = text.size();
    content.append(reinterpret_cast<const char *>(&size), 4);
    content += text;
  }
};

class MessageReader {
public:
  explicit MessageReader(StringRef content) : rest(content) {}

  bool atEnd() const { return rest.empty(); }
  StringRef next() {
    uint32_t size = 0;
    std::memcpy(&size, rest.data(), std::min<size_t>(rest.size(), 4));
    StringRef text = rest.drop_front(4).take_front(size);
    rest = rest.drop_front(4 + text.size());
    return text;
  }

private:
  StringRef rest;
};
} // namespace

static bool writeAll(int file, const char *bytes, size_t size) {
  while (size) {
    ssize_t count = write(file, bytes, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes += count;
    size -= size_t(count);
  }
  return true;
}

static void send(int file, const Message &message) {
  uint32_t size = message.content.size();
  std::string all(1, char(message.kind));
  all.append(reinterpret_cast<const char *>(&size), 4);
  all += message.content;
  if (!writeAll(file, all.data(), all.size()))
    _exit(1);
}

/// Reads until `size` bytes are there; false at the end of the stream or when
/// nothing comes for `seconds`, which `timedOut` then says.
static bool readAll(int file, char *bytes, size_t size, unsigned seconds,
                    bool &timedOut) {
  while (size) {
    pollfd waited{file, POLLIN, 0};
    int ready = poll(&waited, 1, int(seconds * 1000));
    if (ready < 0 && errno == EINTR)
      continue;
    timedOut = ready == 0;
    if (ready <= 0)
      return false;
    ssize_t count = read(file, bytes, size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes += count;
    size -= size_t(count);
  }
  return true;
}

static bool receive(int file, Message &message, unsigned seconds,
                    bool &timedOut) {
  char head[5];
  timedOut = false;
  if (!readAll(file, head, sizeof(head), seconds, timedOut))
    return false;
  uint32_t size;
  std::memcpy(&size, head + 1, 4);
  message.kind = uint8_t(head[0]);
  message.content.resize(size);
  return readAll(file, message.content.data(), size, seconds, timedOut);
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

namespace {
struct DriverApi {
#define PTXBENCH_SYMBOL(name) decltype(&::name) name = nullptr;
#include "DriverSymbols.def"
};

/// A process that has the device.
class Child {
public:
  explicit Child(int channel) : channel(channel) {}

  /// Runs the cases from `firstCase` of `firstModule` on; does not return.
  [[noreturn]] void run(ArrayRef<Module> modules, const std::string &folder,
                        size_t firstModule, size_t firstCase);

private:
  [[noreturn]] void giveUp(const Twine &reason) {
    Message message{FailureMessage, ""};
    message.add(reason.str());
    send(channel, message);
    _exit(1);
  }
  std::string describe(CUresult result, const Twine &what) {
    const char *name = nullptr;
    api.cuGetErrorName(result, &name);
    return (what + ": " + (name ? name : "unknown error")).str();
  }
  void open();
  /// Empty, or why the module cannot be loaded.
  std::string load(const std::string &path, CUmodule &module);
  Outcome runCase(const Case &testCase, CUmodule module, bool &isFatal);
  std::string encodeMap(const TensorMapParam &param, CUtensorMap &map);
  void reserve(uint64_t bytes);

  int channel;
  DriverApi api;
  CUdeviceptr memory = 0;
  uint64_t memorySize = 0;
  /// Offsets of the buffers of the case that runs.
  std::vector<uint64_t> offsets;
  std::vector<uint8_t> staging;
};
} // namespace

void Child::open() {
  Expected<DynamicLibrary> library =
      DynamicLibrary::open("the CUDA driver", {"libcuda.so.1", "libcuda.so"});
  if (!library)
    giveUp(toString(library.takeError()));
#define PTXBENCH_SYMBOL(name)                                                  \
  api.name = reinterpret_cast<decltype(api.name)>(library->find(#name));       \
  if (!api.name)                                                               \
    giveUp("the CUDA driver has no " #name);
#include "DriverSymbols.def"
  CUdevice device = 0;
  CUcontext context = nullptr;
  char name[256] = {};
  int version = 0;
  CUresult result = api.cuInit(0);
  if (result == CUDA_SUCCESS)
    result = api.cuDeviceGet(&device, 0);
  if (result == CUDA_SUCCESS)
    result = api.cuDeviceGetName(name, sizeof(name) - 1, device);
  if (result == CUDA_SUCCESS)
    result = api.cuDriverGetVersion(&version);
  if (result == CUDA_SUCCESS)
    result = api.cuDevicePrimaryCtxRetain(&context, device);
  if (result == CUDA_SUCCESS)
    result = api.cuCtxSetCurrent(context);
  if (result != CUDA_SUCCESS)
    giveUp(describe(result, "the first device"));
  // Of calls by address nobody knows how much stack they need. Without a limit
  // that can be set there is no stack to run out of.
  (void)api.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 16384);
  Message message{InfoMessage, ""};
  message.add(name);
  message.add(std::to_string(version / 1000) + "." +
              std::to_string(version % 1000 / 10));
  send(channel, message);
}

void Child::reserve(uint64_t bytes) {
  if (bytes <= memorySize)
    return;
  if (memory)
    api.cuMemFree_v2(memory);
  memorySize = std::max<uint64_t>(NextPowerOf2(bytes), uint64_t(1) << 26);
  CUresult result = api.cuMemAlloc_v2(&memory, memorySize);
  if (result != CUDA_SUCCESS)
    giveUp(describe(result, Twine(memorySize) + " bytes of memory"));
}

std::string Child::load(const std::string &path, CUmodule &module) {
  // A driver can also assemble the text, where nobody did.
  for (const char *suffix : {".cubin", ".ptx"})
    if (auto file = MemoryBuffer::getFile(path + suffix)) {
      CUresult result =
          api.cuModuleLoadData(&module, (*file)->getBufferStart());
      return result == CUDA_SUCCESS ? "" : describe(result, path + suffix);
    }
  return "there is no " + path + ".cubin";
}

std::string Child::encodeMap(const TensorMapParam &param, CUtensorMap &map) {
  auto encode = [&](const auto &request, auto call) {
    void *address = reinterpret_cast<void *>(memory + offsets[param.buffer] +
                                             request.globalAddress);
    return call(request, address, CUtensorMapDataType(request.tensorDataType),
                CUtensorMapInterleave(request.interleave),
                CUtensorMapSwizzle(request.swizzle),
                CUtensorMapL2promotion(request.l2Promotion),
                CUtensorMapFloatOOBfill(request.oobFill));
  };
  CUresult result;
  if (auto *tiled = std::get_if<emulator::TiledRequest>(&param.request))
    result = encode(*tiled, [&](const emulator::TiledRequest &request,
                                void *address, CUtensorMapDataType type,
                                CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
      return api.cuTensorMapEncodeTiled(
          &map, type, request.tensorRank, address, request.globalDim.data(),
          request.globalStrides.data(), request.boxDim.data(),
          request.elementStrides.data(), interleave, swizzle, promotion, fill);
    });
  else
    result = encode(
        std::get<emulator::Im2colRequest>(param.request),
        [&](const emulator::Im2colRequest &request, void *address,
            CUtensorMapDataType type, CUtensorMapInterleave interleave,
            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
            CUtensorMapFloatOOBfill fill) {
          return api.cuTensorMapEncodeIm2col(
              &map, type, request.tensorRank, address, request.globalDim.data(),
              request.globalStrides.data(), request.pixelBoxLowerCorner.data(),
              request.pixelBoxUpperCorner.data(), request.channelsPerPixel,
              request.pixelsPerColumn, request.elementStrides.data(),
              interleave, swizzle, promotion, fill);
        });
  return result == CUDA_SUCCESS ? "" : describe(result, "the tensor map");
}

/// Runs one case. An error of the launch itself leaves a context of no use.
Outcome Child::runCase(const Case &testCase, CUmodule module, bool &isFatal) {
  Outcome outcome;
  auto fails = [&](CUresult result, const char *what) {
    if (result != CUDA_SUCCESS)
      outcome.error = describe(result, what);
    return result != CUDA_SUCCESS;
  };
  CUfunction function = nullptr;
  if (fails(api.cuModuleGetFunction(&function, module,
                                    kernelName(testCase).c_str()),
            "the kernel"))
    return outcome;
  offsets.clear();
  uint64_t bytes = 0;
  for (const Buffer &buffer : testCase.buffers) {
    offsets.push_back(bytes);
    bytes = alignTo(bytes + buffer.bytes.size(), 512);
  }
  reserve(bytes + 512);
  staging.assign(bytes, 0);
  for (auto [buffer, offset] : zip(testCase.buffers, offsets))
    llvm::copy(buffer.bytes, staging.begin() + offset);
  if (bytes &&
      fails(api.cuMemcpyHtoD_v2(memory, staging.data(), bytes), "the inputs"))
    return outcome;

  // 64 bytes of alignment for the tensor maps.
  struct alignas(64) Value {
    char bytes[128];
  };
  std::vector<Value> values(testCase.params.size());
  std::vector<void *> pointers;
  for (size_t i = 0; i < values.size(); ++i) {
    pointers.push_back(&values[i]);
    const Param &param = testCase.params[i];
    if (auto *buffer = std::get_if<BufferParam>(&param)) {
      uint64_t address = memory + offsets[buffer->buffer] + buffer->offset;
      std::memcpy(values[i].bytes, &address, 8);
    } else if (auto *value = std::get_if<ValueParam>(&param)) {
      // Of any size: the driver reads what the kernel has.
      pointers.back() = const_cast<uint8_t *>(value->bytes.data());
    } else {
      CUtensorMap map;
      outcome.error = encodeMap(std::get<TensorMapParam>(param), map);
      if (!outcome.error.empty())
        return outcome;
      std::memcpy(values[i].bytes, &map, sizeof(map));
    }
  }

  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = testCase.cluster.x;
  attribute.value.clusterDim.y = testCase.cluster.y;
  attribute.value.clusterDim.z = testCase.cluster.z;
  CUlaunchConfig config = {};
  config.gridDimX = testCase.grid.x;
  config.gridDimY = testCase.grid.y;
  config.gridDimZ = testCase.grid.z;
  config.blockDimX = testCase.block.x;
  config.blockDimY = testCase.block.y;
  config.blockDimZ = testCase.block.z;
  config.sharedMemBytes = testCase.dynamicSharedBytes;
  config.attrs = &attribute;
  config.numAttrs = testCase.cluster.volume() > 1;
  if (testCase.dynamicSharedBytes > 48 * 1024 &&
      fails(api.cuFuncSetAttribute(
                function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                int(testCase.dynamicSharedBytes)),
            "the dynamic shared memory"))
    return outcome;
  if (testCase.cluster.volume() > 8 &&
      fails(
          api.cuFuncSetAttribute(
              function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
          "the cluster"))
    return outcome;
  if (fails(api.cuLaunchKernelEx(&config, function, pointers.data(), nullptr),
            "the launch"))
    return outcome;
  isFatal = true;
  if (fails(api.cuCtxSynchronize(), "the kernel") ||
      (bytes && fails(api.cuMemcpyDtoH_v2(staging.data(), memory, bytes),
                      "the outputs")))
    return outcome;
  isFatal = false;
  for (auto [buffer, offset] : zip(testCase.buffers, offsets))
    if (buffer.isOutput)
      outcome.outputs.emplace_back(staging.begin() + offset,
                                   staging.begin() + offset +
                                       buffer.bytes.size());
  return outcome;
}

void Child::run(ArrayRef<Module> modules, const std::string &folder,
                size_t firstModule, size_t firstCase) {
  open();
  for (size_t m = firstModule; m < modules.size(); ++m) {
    CUmodule loaded = nullptr;
    std::string error = load(folder + "/" + modules[m].name, loaded);
    for (size_t c = m == firstModule ? firstCase : 0;
         c < modules[m].cases.size(); ++c) {
      Outcome outcome{error, {}};
      bool isFatal = false;
      if (loaded)
        outcome = runCase(*modules[m].cases[c], loaded, isFatal);
      Message message{isFatal ? LastOutcomeMessage : OutcomeMessage, ""};
      message.add(outcome.error);
      for (const std::vector<uint8_t> &bytes : outcome.outputs)
        message.add(StringRef(reinterpret_cast<const char *>(bytes.data()),
                              bytes.size()));
      send(channel, message);
      if (isFatal)
        _exit(1);
    }
    if (loaded)
      api.cuModuleUnload(loaded);
  }
  _exit(0);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

Error differential::runOnGpu(
    ArrayRef<Module> modules, const std::string &folder,
    unsigned secondsPerCase, function_ref<void(const MachineInfo &)> begin,
    function_ref<void(const Case &, const Outcome &)> use) {
  size_t module = 0, position = 0;
  bool begun = false;
  while (module < modules.size()) {
    int ends[2];
    if (pipe(ends) != 0)
      return createStringError("no pipe: %s", std::strerror(errno));
    pid_t child = fork();
    if (child < 0)
      return createStringError("no process: %s", std::strerror(errno));
    if (child == 0) {
      close(ends[0]);
      Child(ends[1]).run(modules, folder, module, position);
    }
    close(ends[1]);
    scope_exit endChild([&] {
      close(ends[0]);
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    });

    Message message;
    bool timedOut = false, hasDevice = false, isOver = false;
    while (!isOver && module < modules.size()) {
      // The driver may need a while to start.
      unsigned seconds = hasDevice ? secondsPerCase : 120;
      Outcome outcome;
      if (!receive(ends[0], message, seconds, timedOut)) {
        if (!hasDevice)
          return createStringError("the process with the device ended");
        outcome.error = timedOut
                            ? "no end after " + std::to_string(seconds) + " s"
                            : "the process with the device ended";
        isOver = true;
      } else {
        MessageReader reader(message.content);
        std::string first = reader.next().str();
        if (message.kind == FailureMessage)
          return createStringError(first);
        if (message.kind == InfoMessage) {
          hasDevice = true;
          if (!begun)
            begin({first, reader.next().str()});
          begun = true;
          continue;
        }
        isOver = message.kind == LastOutcomeMessage;
        outcome.error = first;
        while (!reader.atEnd()) {
          StringRef bytes = reader.next();
          outcome.outputs.emplace_back(bytes.bytes_begin(), bytes.bytes_end());
        }
      }
      use(*modules[module].cases[position], outcome);
      if (++position == modules[module].cases.size()) {
        ++module;
        position = 0;
      }
    }
  }
  return Error::success();
}
