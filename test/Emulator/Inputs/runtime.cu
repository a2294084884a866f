// Calls what it is told to by its first argument, and prints what comes back.
// Kernels use few instructions on purpose: they are not what is tested.

#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

__device__ int counter = 40;
__constant__ int step;
__managed__ int shared_value = 3;

__device__ void store(int *p, int value) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

extern "C" __global__ void addTo(int *p, int value) {
  int old;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(old) : "l"(p) : "memory");
  store(p, old + value);
}
extern "C" __global__ void bump() { counter += step; }
extern "C" __global__ void useManaged() { shared_value += 4; }
extern "C" __global__ void trapped() { asm volatile("trap;"); }
extern "C" __global__ void bigShared(int *p) {
  extern __shared__ int words[];
  words[20000] = 7;
  store(p, words[20000]);
}
extern "C" __global__ void inCluster(int *p) {
  int rank;
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(rank));
  store(p, rank);
}

static void show(const char *what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

static int launches() {
  int *p, host = 5;
  show("malloc", cudaMalloc(&p, sizeof(int)));
  show("copy in", cudaMemcpy(p, &host, sizeof(int), cudaMemcpyHostToDevice));
  addTo<<<1, 1>>>(p, 37);
  show("launch", cudaGetLastError());
  show("wait", cudaDeviceSynchronize());
  show("copy out", cudaMemcpy(&host, p, sizeof(int), cudaMemcpyDeviceToHost));
  std::printf("value %d\n", host);

  void *args[] = {&p, &host};
  show("cudaLaunchKernel",
       cudaLaunchKernel((const void *)addTo, dim3(1), dim3(1), args, 0, 0));
  cudaMemcpy(&host, p, sizeof(int), cudaMemcpyDefault);
  std::printf("value %d\n", host);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(1);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 2;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  show("cluster", cudaLaunchKernelEx(&config, inCluster, p));
  cudaMemcpy(&host, p, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("value %d\n", host);
  attributes[0].val.clusterDim.x = 3;
  show("cluster that does not fit", cudaLaunchKernelEx(&config, inCluster, p));

  attributes[1].id = cudaLaunchAttributeID(200);
  show("unknown attribute", cudaLaunchKernelEx(&config, inCluster, p));
  config.attrs = nullptr;
  show("no attributes", cudaLaunchKernelEx(&config, inCluster, p));

  show("too much shared", cudaLaunchKernel((const void *)bigShared, dim3(1),
                                           dim3(1), args, 100000, 0));
  show("attribute", cudaFuncSetAttribute(
                        bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                        100000));
  show("much shared", cudaLaunchKernel((const void *)bigShared, dim3(1),
                                       dim3(1), args, 100000, 0));
  show("too large an attribute",
       cudaFuncSetAttribute(
           bigShared, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  addTo<<<1, 2000>>>(p, 1);
  show("too many threads", cudaGetLastError());
  show("again", cudaGetLastError());
  cudaFuncAttributes info;
  show("attributes", cudaFuncGetAttributes(&info, bigShared));
  const char *name;
  show("name", cudaFuncGetName(&name, (const void *)bigShared));
  std::printf("%s: %d threads, %d dynamic\n", name, info.maxThreadsPerBlock,
              info.maxDynamicSharedSizeBytes);
  int resident;
  show("occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &resident, bigShared, 256, 100000));
  std::printf("resident %d\n", resident);
  return 0;
}

static int memory() {
  int *p, *q, host[4] = {1, 2, 3, 4};
  cudaMalloc(&p, sizeof(host));
  show("set", cudaMemset(p, 0x11, sizeof(host)));
  show("copy", cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
  std::printf("value %x\n", host[3]);
  show("copy too much",
       cudaMemcpy(p, host, sizeof(host) + 1, cudaMemcpyHostToDevice));
  show("copy to the host as to the device",
       cudaMemcpy(host, p, 4, cudaMemcpyHostToDevice));
  show("free", cudaFree(p));
  show("free again", cudaFree(p));
  show("copy from freed", cudaMemcpy(host, p, 4, cudaMemcpyDeviceToHost));
  show("too large", cudaMalloc(&p, size_t(1) << 50));
  size_t tooWide;
  show("too many rows",
       cudaMallocPitch(&p, &tooWide, size_t(1) << 40, size_t(1) << 24));

  int value = 2;
  show("to symbol", cudaMemcpyToSymbol(step, &value, sizeof(int)));
  bump<<<1, 1>>>();
  show("from symbol", cudaMemcpyFromSymbol(&value, counter, sizeof(int)));
  std::printf("value %d\n", value);
  show("past the symbol", cudaMemcpyToSymbol(step, host, sizeof(host)));
  void *address;
  size_t bytes;
  show("symbol", cudaGetSymbolAddress(&address, counter));
  show("size", cudaGetSymbolSize(&bytes, counter));
  std::printf("bytes %zu\n", bytes);
  useManaged<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("managed %d\n", shared_value);

  cudaPointerAttributes about;
  cudaMallocHost(&p, 64);
  cudaMallocManaged(&q, 64);
  cudaPointerGetAttributes(&about, p);
  std::printf("host %d\n", about.type == cudaMemoryTypeHost);
  cudaPointerGetAttributes(&about, q + 1);
  std::printf("managed %d\n", about.type == cudaMemoryTypeManaged);
  cudaPointerGetAttributes(&about, host);
  std::printf("unregistered %d\n", about.type == cudaMemoryTypeUnregistered);
  *p = 1;
  addTo<<<1, 1>>>(p, 1);
  cudaDeviceSynchronize();
  std::printf("host memory %d\n", *p);
  return 0;
}

static int streams() {
  cudaStream_t stream;
  cudaEvent_t from, to;
  show("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  float ms = -1;
  show("unrecorded", cudaEventElapsedTime(&ms, from, to));
  int *p;
  show("malloc", cudaMallocAsync(&p, 4, stream));
  show("record", cudaEventRecord(from, stream));
  cudaMemsetAsync(p, 0, 4, stream);
  addTo<<<1, 1, 0, stream>>>(p, 1);
  cudaEventRecord(to, stream);
  show("wait", cudaStreamSynchronize(stream));
  show("elapsed", cudaEventElapsedTime(&ms, from, to));
  std::printf("time %d\n", ms >= 0);
  int called = 0;
  show("host function",
       cudaLaunchHostFunc(
           stream, [](void *data) { *static_cast<int *>(data) = 1; }, &called));
  std::printf("called %d\n", called);
  show("no host function", cudaLaunchHostFunc(stream, nullptr, nullptr));
  show("free", cudaFreeAsync(p, stream));
  show("destroy", cudaStreamDestroy(stream));
  show("destroyed", cudaStreamSynchronize(stream));
  show("unknown flags", cudaStreamCreateWithFlags(&stream, 77));
  show("unknown flags of events", cudaEventCreateWithFlags(&from, 77));
  return 0;
}

static int device() {
  int count, value;
  cudaDeviceProp prop;
  show("count", cudaGetDeviceCount(&count));
  show("properties", cudaGetDeviceProperties(&prop, 0));
  std::printf("%d of %s, sm_%d%d, %d, %zu, %zu\n", count, prop.name, prop.major,
              prop.minor, prop.multiProcessorCount, prop.sharedMemPerBlockOptin,
              prop.reservedSharedMemPerBlock);
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  std::printf("attribute %d\n", value);
  show("no attribute", cudaDeviceGetAttribute(&value, cudaDeviceAttr(9999), 0));
  show("second device", cudaSetDevice(1));
  show("peek", cudaPeekAtLastError());
  show("get", cudaGetLastError());
  show("peek", cudaPeekAtLastError());
  std::printf("%s\n", cudaGetErrorString(cudaErrorIllegalAddress));
  show("profiler", cudaProfilerStart());
  cudaGraph_t graph;
  show("graph", cudaGraphCreate(&graph, 0));
  return 0;
}

static int fault(bool address) {
  int *p;
  cudaMalloc(&p, 4);
  if (address)
    addTo<<<1, 1>>>(p + 1, 1);
  else
    trapped<<<1, 1>>>();
  show("wait", cudaDeviceSynchronize());
  show("get", cudaGetLastError());
  show("still", cudaGetLastError());
  show("malloc", cudaMalloc(&p, 4));
  return 0;
}

static int driver() {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  show("entry point",
       cudaGetDriverEntryPointByVersion("cuDeviceGetCount", &function, 12000,
                                        cudaEnableDefault, &found));
  int count = 0;
  reinterpret_cast<CUresult (*)(int *)>(function)(&count);
  std::printf("found %d, count %d\n", found == cudaDriverEntryPointSuccess,
              count);
  show("no entry point",
       cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000,
                                        cudaEnableDefault, &found));
  std::printf("found %d\n", found == cudaDriverEntryPointSuccess);

  static const char text[] = R"(
.version 9.0
.target sm_90a
.address_size 64
.visible .global .align 4 .u32 number = 5;
.visible .entry put(.param .u64 out, .param .u32 value) {
  .reg .b64 %d<2>; .reg .b32 %r<4>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [value];
  ld.global.u32 %r2, [number];
  add.s32 %r3, %r1, %r2;
  st.global.u32 [%d1], %r3;
  ret;
}
)";
  CUmodule module;
  CUfunction put;
  CUdeviceptr p;
  unsigned value = 10, host = 0;
  CUcontext context, other = nullptr;
  std::printf("init %d\n", cuInit(0));
  std::printf("context %d %d\n", cuCtxCreate(&context, nullptr, 0, 0),
              cuCtxCreate(&other, nullptr, 0, 1));
  std::printf("load %d\n", cuModuleLoadData(&module, text));
  std::printf("bad load %d\n", cuModuleLoadData(&module, ".version 9.0 nope"));
  std::printf("function %d\n", cuModuleGetFunction(&put, module, "put"));
  std::printf("no function %d\n", cuModuleGetFunction(&put, module, "get"));
  cuModuleGetFunction(&put, module, "put");
  std::printf("alloc %d\n", cuMemAlloc(&p, 4));
  void *arguments[] = {&p, &value};
  std::printf("launch %d\n", cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                            arguments, nullptr));
  std::printf("copy %d\n", cuMemcpyDtoH(&host, p, 4));
  std::printf("value %u\n", host);
  struct {
    CUdeviceptr p;
    unsigned value;
  } packed = {p, 20};
  size_t bytes = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  std::printf("launch %d\n", cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                            nullptr, extra));
  cuMemcpyDtoH(&host, p, 4);
  std::printf("value %u\n", host);
  std::printf("too many threads %d\n",
              cuLaunchKernel(put, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments,
                             nullptr));
  return 0;
}

static int tensorMaps() {
  alignas(64) CUtensorMap map, same;
  float *p;
  cudaMalloc(&p, 1 << 20);
  cuuint64_t dims[] = {256, 64}, strides[] = {1024};
  cuuint32_t box[] = {32, 8}, steps[] = {1, 1};
  using Encode = decltype(&cuTensorMapEncodeTiled);
  Encode found = nullptr;
  cudaDriverEntryPointQueryResult status;
  show("entry point",
       cudaGetDriverEntryPointByVersion(
           "cuTensorMapEncodeTiled", reinterpret_cast<void **>(&found), 12000,
           cudaEnableDefault, &status));
  auto encode = [&](Encode function, CUtensorMap *to, unsigned rank,
                    CUtensorMapSwizzle swizzle) {
    return int(function(to, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, p, dims,
                        strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  };
  std::printf("encode %d\n", encode(found, &map, 2, CU_TENSOR_MAP_SWIZZLE_128B));
  std::printf("directly %d\n", encode(cuTensorMapEncodeTiled, &same, 2,
                                      CU_TENSOR_MAP_SWIZZLE_128B));
  std::printf("same %d\n", !std::memcmp(&map, &same, sizeof(map)));
  std::printf("other swizzle %d\n",
              encode(found, &same, 2, CU_TENSOR_MAP_SWIZZLE_NONE));
  std::printf("same %d\n", !std::memcmp(&map, &same, sizeof(map)));
  std::printf("too wide %d\n",
              encode(found, &map, 2, CU_TENSOR_MAP_SWIZZLE_32B));
  std::printf("rank %d\n", encode(found, &map, 6, CU_TENSOR_MAP_SWIZZLE_NONE));
  std::printf("replace %d\n", cuTensorMapReplaceAddress(&same, p + 4));
  std::printf("misaligned %d\n", cuTensorMapReplaceAddress(&same, p + 1));
  std::memset(&map, 0xff, sizeof(map));
  std::printf("no map %d\n", cuTensorMapReplaceAddress(&map, p));
  return 0;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!std::strcmp(what, "launches"))
    return launches();
  if (!std::strcmp(what, "memory"))
    return memory();
  if (!std::strcmp(what, "streams"))
    return streams();
  if (!std::strcmp(what, "device"))
    return device();
  if (!std::strcmp(what, "tensor-maps"))
    return tensorMaps();
  if (!std::strcmp(what, "driver"))
    return driver();
  if (!std::strcmp(what, "address"))
    return fault(true);
  if (!std::strcmp(what, "trap"))
    return fault(false);
  return 2;
}
