//===- PrintFunctions.cpp - The runner's functions for the host -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Printing of values and memrefs in the form of upstream's runner libraries,
// copies of memrefs, clocks, and conversions of small floating-point types. All
// goes through C's standard output, where kernels print, too.
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace ptxbench::hostCode;

namespace {

/// A memref of any rank: the descriptor has pointers, offset, extents, strides.
struct Unranked {
  int64_t rank;
  void *descriptor;
};
struct Ranked {
  char *allocated, *aligned;
  int64_t offset;
  int64_t numbers[];
};

struct Half {
  uint16_t bits;
};
struct BFloat {
  uint16_t bits;
};

float toFloat(const llvm::fltSemantics &semantics, uint16_t bits) {
  llvm::APFloat value(semantics, llvm::APInt(16, bits));
  bool lost;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToFloat();
}

uint16_t toSmall(const llvm::fltSemantics &semantics, llvm::APFloat value) {
  bool lost;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return uint16_t(value.bitcastToAPInt().getZExtValue());
}

/// A value of 16 bits is passed in the low part of the register that a float
/// would be in.
float asFloatRegister(uint16_t bits) {
  uint32_t word = bits;
  float result;
  std::memcpy(&result, &word, sizeof(result));
  return result;
}

void print(int8_t value) { std::printf("%d", value); }
void print(int16_t value) { std::printf("%d", value); }
void print(int32_t value) { std::printf("%" PRId32, value); }
void print(int64_t value) { std::printf("%" PRId64, value); }
void print(float value) { std::printf("%g", double(value)); }
void print(double value) { std::printf("%g", value); }
void print(Half value) {
  print(toFloat(llvm::APFloat::IEEEhalf(), value.bits));
}
void print(BFloat value) {
  print(toFloat(llvm::APFloat::BFloat(), value.bits));
}

void printNumbers(const int64_t *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::printf(i ? ", %" PRId64 : "%" PRId64, numbers[i]);
}

/// The elements of the dimensions from `axis` on.
template <typename T>
void printElements(const Ranked &memref, int64_t rank, int64_t axis,
                   int64_t offset) {
  if (axis == rank) {
    T value;
    std::memcpy(&value, memref.aligned + offset * int64_t(sizeof(T)),
                sizeof(T));
    return print(value);
  }
  std::printf("[");
  int64_t extent = memref.numbers[axis];
  for (int64_t i = 0; i < extent; ++i) {
    if (i) {
      std::printf(axis + 1 < rank ? ", \n" : ", ");
      std::printf("%*s", int(axis + 1), "");
    }
    printElements<T>(memref, rank, axis + 1,
                     offset + i * memref.numbers[rank + axis]);
  }
  std::printf("]");
}

template <typename T> void printMemref(int64_t rank, void *descriptor) {
  const auto &memref = *static_cast<Ranked *>(descriptor);
  std::printf("Unranked Memref base@ = %p rank = %" PRId64 " offset = %" PRId64
              " sizes = [",
              static_cast<void *>(memref.aligned), rank, memref.offset);
  printNumbers(memref.numbers, rank);
  std::printf("] strides = [");
  printNumbers(memref.numbers + rank, rank);
  std::printf("] data = \n");
  if (rank == 0)
    std::printf("[");
  printElements<T>(memref, rank, 0, memref.offset);
  std::printf(rank == 0 ? "]\n" : "\n");
}

} // namespace

extern "C" {

void printI64(int64_t value) { std::printf("%" PRId64, value); }
void printU64(uint64_t value) { std::printf("%" PRIu64, value); }
void printF16(uint16_t bits) { print(Half{bits}); }
void printBF16(uint16_t bits) { print(BFloat{bits}); }
void printF32(float value) { print(value); }
void printF64(double value) { print(value); }
void printString(const char *text) { std::fputs(text, stdout); }
void printOpen() { std::fputs("( ", stdout); }
void printClose() { std::fputs(" )", stdout); }
void printComma() { std::fputs(", ", stdout); }
void printNewline() { std::fputc('\n', stdout); }

#define PRINT_MEMREF(name, type)                                               \
  void printMemref##name(int64_t rank, void *descriptor) {                     \
    printMemref<type>(rank, descriptor);                                       \
  }                                                                            \
  void _mlir_ciface_printMemref##name(Unranked *memref) {                      \
    printMemref<type>(memref->rank, memref->descriptor);                       \
  }
PRINT_MEMREF(I8, int8_t)
PRINT_MEMREF(I16, int16_t)
PRINT_MEMREF(I32, int32_t)
PRINT_MEMREF(I64, int64_t)
PRINT_MEMREF(Ind, int64_t)
PRINT_MEMREF(F16, Half)
PRINT_MEMREF(BF16, BFloat)
PRINT_MEMREF(F32, float)
PRINT_MEMREF(F64, double)
#undef PRINT_MEMREF

void memrefCopy(int64_t elementSize, Unranked *from, Unranked *to) {
  const auto &source = *static_cast<Ranked *>(from->descriptor);
  const auto &target = *static_cast<Ranked *>(to->descriptor);
  int64_t rank = from->rank;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (source.numbers[axis] == 0)
      return;
  // Counts through all indices, the last one first.
  llvm::SmallVector<int64_t, 8> index(size_t(rank), 0);
  for (;;) {
    int64_t read = source.offset, write = target.offset;
    for (int64_t axis = 0; axis < rank; ++axis) {
      read += index[size_t(axis)] * source.numbers[rank + axis];
      write += index[size_t(axis)] * target.numbers[rank + axis];
    }
    std::memcpy(target.aligned + write * elementSize,
                source.aligned + read * elementSize, size_t(elementSize));
    int64_t axis = rank - 1;
    for (; axis >= 0; --axis) {
      if (++index[size_t(axis)] < source.numbers[axis])
        break;
      index[size_t(axis)] = 0;
    }
    if (axis < 0)
      return;
  }
}

double rtclock() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t _mlir_ciface_nanoTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

float __truncsfhf2(float value) {
  return asFloatRegister(
      toSmall(llvm::APFloat::IEEEhalf(), llvm::APFloat(value)));
}
float __truncdfhf2(double value) {
  return asFloatRegister(
      toSmall(llvm::APFloat::IEEEhalf(), llvm::APFloat(value)));
}
float __truncsfbf2(float value) {
  return asFloatRegister(
      toSmall(llvm::APFloat::BFloat(), llvm::APFloat(value)));
}
float __truncdfbf2(double value) {
  return asFloatRegister(
      toSmall(llvm::APFloat::BFloat(), llvm::APFloat(value)));
}
float __extendhfsf2(float half) {
  uint32_t word;
  std::memcpy(&word, &half, sizeof(word));
  return toFloat(llvm::APFloat::IEEEhalf(), uint16_t(word));
}

} // extern "C"
