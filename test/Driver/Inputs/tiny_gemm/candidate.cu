// One launch for each element of C, with a copy that the task asks for. Few
// kinds of instructions, and places of the PTX that are easy to count:
//
//   cp.async                 once for each element
//   with -DFAULT             the last launch reads past A
//   with -DWRONG             one product is left out
//   with -DDEAD              the copy stands where no thread comes
//   with -DUNFENCED          a bulk copy overwrites what a thread has read, and
//                            no fence tells the asynchronous proxy

#include <cuda_runtime.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

extern "C" __global__ void dot(const float *a, const float *b, float *c) {
  float row[4], column[4], sum = 0;
  asm volatile("{\n\t"
               ".shared .align 16 .b8 tile[16];\n\t"
#ifdef DEAD
               "bra Behind;\n\t"
#endif
               "cp.async.ca.shared.global [tile], [%4], 16;\n\t"
               "cp.async.commit_group; cp.async.wait_all;\n\t"
#ifdef DEAD
               "Behind:\n\t"
               "ld.global.f32 %0, [%4]; ld.global.f32 %1, [%4+4];\n\t"
               "ld.global.f32 %2, [%4+8]; ld.global.f32 %3, [%4+12];\n\t"
#else
               "ld.shared.f32 %0, [tile]; ld.shared.f32 %1, [tile+4];\n\t"
               "ld.shared.f32 %2, [tile+8]; ld.shared.f32 %3, [tile+12];\n\t"
#endif
               "}"
               : "=f"(row[0]), "=f"(row[1]), "=f"(row[2]), "=f"(row[3])
               : "l"(a)
               : "memory");
#ifdef UNFENCED
  asm volatile(
      "{\n\t"
      ".shared .align 16 .b8 again[16];\n\t"
      ".shared .align 8 .b64 done;\n\t"
      ".reg .pred p;\n\t"
      "mbarrier.init.shared::cta.b64 [done], 1;\n\t"
      "fence.proxy.async;\n\t"
      "st.shared.f32 [again], %0;\n\t"
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [done], 16;\n\t"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[again], [%1], 16, [done];\n\t"
      "Wait:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [done], 0;\n\t"
      "@!p bra Wait;\n\t"
      "ld.shared.f32 %0, [again];\n\t"
      "mbarrier.inval.shared::cta.b64 [done];\n\t"
      "}"
      : "+f"(row[0])
      : "l"(a)
      : "memory");
#endif
  for (int k = 0; k < 4; ++k)
    asm volatile("ld.global.f32 %0, [%1];"
                 : "=f"(column[k])
                 : "l"(b + k)
                 : "memory");
#ifdef WRONG
  column[2] = 0;
#endif
  for (int k = 0; k < 4; ++k)
    sum = fmaf(row[k], column[k], sum);
  asm volatile("st.global.f32 [%0], %1;" ::"l"(c), "f"(sum) : "memory");
}

static void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b,
                tvm::ffi::TensorView c) {
  int rows = static_cast<int>(a.size(0)), columns = static_cast<int>(b.size(0));
  const auto *dataA = static_cast<const float *>(a.data_ptr());
  const auto *dataB = static_cast<const float *>(b.data_ptr());
  auto *dataC = static_cast<float *>(c.data_ptr());
#ifdef FAULT
  dataA += 4;
#endif
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      dot<<<1, 1>>>(dataA + 4 * row, dataB + 4 * column,
                    dataC + columns * row + column);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    TVM_FFI_THROW(RuntimeError) << cudaGetErrorString(error);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
