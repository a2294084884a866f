//===- Inputs.cpp - Random inputs that can be made again ------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header gives the formulas; here the common case (bfloat16, normal) gets a
// loop of its own, because it fills gigabytes.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Task/Inputs.h"

#include <algorithm>
#include <cstring>
#include <thread>

using namespace ptxbench;

static constexpr uint64_t golden = 0x9e3779b97f4a7c15;

static inline uint64_t mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  x ^= x >> 31;
  return x;
}

static inline uint64_t draw(uint64_t key, uint64_t index) {
  return mix(key + golden * (index + 1));
}

static inline float normal(uint64_t h) {
  int32_t sum = static_cast<int32_t>(h & 0xffff) +
                static_cast<int32_t>((h >> 16) & 0xffff) +
                static_cast<int32_t>((h >> 32) & 0xffff) +
                static_cast<int32_t>(h >> 48) - 131070;
  return static_cast<float>(sum) * 0x1.bb67aep-16f;
}

InputGenerator::InputGenerator(uint64_t seed, llvm::StringRef name,
                               ElementType type, Distribution distribution)
    : type(type), distribution(distribution) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3;
  key = mix(seed + golden * (hash | 1));
}

float InputGenerator::floatElement(uint64_t index) const {
  uint64_t h = draw(key, index);
  switch (distribution) {
  case Distribution::Normal:
    return normal(h);
  case Distribution::Outliers: {
    float value = normal(h);
    if (mix(h) % 1000 == 0)
      value += 10.0f * normal(draw(key + 1, index));
    return value;
  }
  case Distribution::Uniform:
    return static_cast<float>(h >> 40) * 0x1p-23f - 1.0f;
  case Distribution::Positive: {
    // Half of them in each octave.
    float mantissa = 1.0f + static_cast<float>(h >> 41) * 0x1p-23f;
    return (h & 1) ? mantissa : 0.5f * mantissa;
  }
  }
  return 0;
}

uint64_t InputGenerator::element(uint64_t index) const {
  switch (type) {
  case ElementType::Float64:
  case ElementType::Float32:
    return encode(type, floatElement(index));
  case ElementType::Float16:
    return floatToFloat16(floatElement(index));
  case ElementType::BFloat16:
    return floatToBFloat16(floatElement(index));
  case ElementType::Float8E4M3:
  case ElementType::Float8E5M2:
    return encode(type, std::min(2.0f, std::max(-2.0f, floatElement(index))));
  case ElementType::Int64:
  case ElementType::Int32:
  case ElementType::Int16: {
    int64_t value = static_cast<int64_t>(draw(key, index) >> 53) - 1024;
    return encode(type, static_cast<double>(value));
  }
  case ElementType::Int8:
  case ElementType::UInt8:
    return draw(key, index) >> 56;
  case ElementType::Bool:
    return draw(key, index) >> 63;
  }
  return 0;
}

void InputGenerator::fill(uint64_t first,
                          llvm::MutableArrayRef<uint8_t> out) const {
  uint64_t count = out.size() / sizeOf(type);
  if (type == ElementType::BFloat16 && distribution == Distribution::Normal) {
    // No NaN comes up here, so rounding is one addition.
    uint8_t *data = out.data();
    uint64_t state = key + golden * first;
    for (uint64_t i = 0; i != count; ++i) {
      float value = normal(mix(state += golden));
      uint32_t wide;
      std::memcpy(&wide, &value, 4);
      wide += 0x7fff + ((wide >> 16) & 1);
      uint16_t bits = static_cast<uint16_t>(wide >> 16);
      std::memcpy(data + 2 * i, &bits, 2);
    }
    return;
  }
  if (type == ElementType::Float32) {
    for (uint64_t i = 0; i != count; ++i) {
      float value = floatElement(first + i);
      std::memcpy(out.data() + 4 * i, &value, 4);
    }
    return;
  }
  for (uint64_t i = 0; i != count; ++i)
    storeBits(type, out.data(), i, element(first + i));
}

void InputGenerator::fillAll(llvm::MutableArrayRef<uint8_t> out,
                             unsigned threads) const {
  uint64_t size = sizeOf(type), count = out.size() / size;
  // A thread pays off from about this many elements on.
  constexpr uint64_t leastShare = 4096;
  uint64_t share = std::max(
      (count + std::max(1u, threads) - 1) / std::max(1u, threads), leastShare);
  std::vector<std::thread> workers;
  for (uint64_t first = share; first < count; first += share)
    workers.emplace_back([this, out, first, share, count, size] {
      uint64_t mine = std::min(share, count - first);
      fill(first, out.slice(first * size, mine * size));
    });
  fill(0, out.take_front(std::min(share, count) * size));
  for (std::thread &worker : workers)
    worker.join();
}

void ptxbench::fillPoison(ElementType type,
                          llvm::MutableArrayRef<uint8_t> out) {
  std::optional<uint64_t> poison = poisonBits(type);
  if (!poison) {
    std::fill(out.begin(), out.end(), uint8_t(0xa5));
    return;
  }
  for (uint64_t i = 0, e = out.size() / sizeOf(type); i != e; ++i)
    storeBits(type, out.data(), i, *poison);
}
