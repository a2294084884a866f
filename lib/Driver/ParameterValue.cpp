//===- ParameterValue.cpp - Numbers as bytes of a parameter ---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers are brought to the width of the type, two's complement;
// floating-point numbers are rounded to nearest even. Bytes are in the order of
// the device.
//
//===----------------------------------------------------------------------===//

#include "ParameterValue.h"
#include "ptxbench/ISA/Instruction.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

using llvm::StringRef;

namespace ptxbench {

uint64_t parameterTypeBytes(StringRef type) {
  std::optional<Mod> mod = symbolizeMod(type);
  std::optional<DataType> data = mod ? getModType(*mod) : std::nullopt;
  return data ? data->width / 8 : 0;
}

static std::vector<uint8_t> toBytes(const llvm::APInt &bits) {
  std::vector<uint8_t> bytes;
  for (unsigned i = 0; i < bits.getBitWidth(); i += 8)
    bytes.push_back(bits.extractBitsAsZExtValue(8, i));
  return bytes;
}

llvm::Expected<std::vector<uint8_t>> encodeParameter(StringRef value,
                                                     StringRef type) {
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), what);
  };
  uint64_t bytes = parameterTypeBytes(type);
  if (bytes == 0)
    return fail("'" + type + "' is no type of a parameter");
  if (type == "f32" || type == "f64") {
    llvm::APFloat number(type == "f32" ? llvm::APFloat::IEEEsingle()
                                       : llvm::APFloat::IEEEdouble());
    auto status =
        number.convertFromString(value, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return fail("'" + value + "' is no number of type " + type);
    }
    return toBytes(number.bitcastToAPInt());
  }
  StringRef digits = value;
  bool negative = digits.consume_front("-");
  llvm::APInt number;
  if (digits.getAsInteger(0, number))
    return fail("'" + value + "' is no integer");
  unsigned width = bytes * 8;
  bool fits = negative
                  ? number.getActiveBits() < width ||
                        (number.isPowerOf2() && number.getActiveBits() == width)
                  : number.getActiveBits() <= width;
  if (!fits)
    return fail("'" + value + "' does not fit type " + type);
  number = number.zextOrTrunc(width);
  if (negative)
    number.negate();
  return toBytes(number);
}

} // namespace ptxbench
