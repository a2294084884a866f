//===- CountRules.cpp - Counts of registers that forms compute ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix fragment has as many registers per lane as its shape and element
// type make it: rows * columns * bits / (32 lanes * register width). The rules
// are named in the records (`*@mma_a`); the generated list of names binds each
// to the function of that name here.
//
//===----------------------------------------------------------------------===//

#include "CountRules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace ptxbench;

namespace {

/// Reads the slots of a match by name.
struct Fragment {
  const ModMatch &match;
  ArrayRef<Mod> mods;

  /// The spelling in the slot `name`; empty if there is none.
  StringRef get(StringRef name) const {
    for (unsigned i = 0; i < match.form->mods.size(); ++i)
      if (match.form->mods[i].name == name)
        if (std::optional<Mod> mod = match.get(mods, i))
          return stringifyMod(*mod);
    return {};
  }

  /// The number behind `letter` in the shape: 256 of "m64n256k16" for 'n'.
  unsigned extent(char letter) const {
    StringRef shape = get("shape");
    shape = shape.drop_front(std::min(shape.find(letter), shape.size() - 1));
    unsigned value = 0;
    shape.drop_front().take_while(isDigit).getAsInteger(10, value);
    return value;
  }

  /// The number in "x4".
  unsigned repetitions() const {
    unsigned value = 0;
    get("num").drop_front().getAsInteger(10, value);
    return value;
  }

  /// Bits that one element of type `type` takes in a register.
  unsigned elementBits(StringRef type) const {
    bool fourBit = get("kind").starts_with("kind::mxf4");
    return StringSwitch<unsigned>(type)
        .Cases({"f64"}, 64)
        .Cases({"f32", "tf32", "s32"}, 32)
        .Cases({"f16", "bf16"}, 16)
        .Cases({"u4", "s4"}, 4)
        .Case("b1", 1)
        .Case("e2m1", fourBit ? 4 : 8)
        .Default(8);
  }
};

} // namespace

/// `copies`: of that many products at once.
static unsigned perLane(unsigned elements, unsigned bits, unsigned copies = 1) {
  unsigned registerBits = bits == 64 ? 64 : 32;
  return copies * elements * bits / (32 * registerBits);
}

/// The half-precision mma of Volta computes four products at once.
static unsigned quadFactor(const Fragment &f, StringRef type) {
  return f.get("shape") == "m8n8k4" && type != "f64" ? 4 : 1;
}

static unsigned ldmatrix(const Fragment &f) {
  return f.repetitions() * (f.get("shape") == "m16n16" ? 2 : 1);
}

static unsigned mma_a(const Fragment &f) {
  StringRef type = f.get("a");
  unsigned k = f.extent('k') / (f.get("sp").empty() ? 1 : 2);
  return perLane(f.extent('m') * k, f.elementBits(type), quadFactor(f, type));
}

static unsigned mma_b(const Fragment &f) {
  StringRef type = f.get("b");
  return perLane(f.extent('k') * f.extent('n'), f.elementBits(type),
                 quadFactor(f, type));
}

static unsigned mma_c(const Fragment &f) {
  StringRef type = f.get("c");
  return perLane(f.extent('m') * f.extent('n'), f.elementBits(type),
                 quadFactor(f, type));
}

static unsigned mma_d(const Fragment &f) {
  StringRef type = f.get("d");
  return perLane(f.extent('m') * f.extent('n'), f.elementBits(type),
                 quadFactor(f, type));
}

/// Vectors of three coordinates are padded to four; an array has its index in
/// front.
static unsigned tex_coordinates(const Fragment &f) {
  return StringSwitch<unsigned>(f.get("geom"))
      .Case("1d", 1)
      .Cases({"2d", "a1d"}, 2)
      .Default(4);
}

/// As the coordinates without the index of an array.
static unsigned tex_directions(const Fragment &f) {
  return StringSwitch<unsigned>(f.get("geom"))
      .Cases({"1d", "a1d"}, 1)
      .Case("3d", 4)
      .Default(2);
}

/// Gathering and scattering name four rows and one column.
static unsigned tma_coordinates(const Fragment &) { return 5; }

static unsigned tma_im2col(const Fragment &f) {
  if (f.get("mode") != "im2col")
    return 2;
  unsigned dim = f.get("dim").front() - '0';
  return dim > 2 ? dim - 2 : 0;
}

static unsigned tmem(const Fragment &f) {
  return f.repetitions() * StringSwitch<unsigned>(f.get("shape"))
                               .Case("16x128b", 2)
                               .Case("16x256b", 4)
                               .Default(1);
}

static unsigned wgmma_accumulator(const Fragment &f) {
  return f.extent('n') / (f.get("d") == "f16" ? 4 : 2);
}

/// `a` and `b` of f16 have eight registers in every shape.
static unsigned wmmaFragment(const Fragment &f, StringRef type, char rows,
                             char columns, bool accumulator) {
  if (!accumulator && (type.empty() || type == "f16"))
    return 8;
  return perLane(f.extent(rows) * f.extent(columns), f.elementBits(type));
}

static unsigned wmma_a(const Fragment &f) {
  return wmmaFragment(f, f.get("a"), 'm', 'k', false);
}
static unsigned wmma_b(const Fragment &f) {
  return wmmaFragment(f, f.get("b"), 'k', 'n', false);
}
static unsigned wmma_c(const Fragment &f) {
  return wmmaFragment(f, f.get("c"), 'm', 'n', true);
}
static unsigned wmma_d(const Fragment &f) {
  return wmmaFragment(f, f.get("d"), 'm', 'n', true);
}
static unsigned wmma_load(const Fragment &f) {
  switch (f.get("part").front()) {
  case 'a':
    return wmmaFragment(f, f.get("t"), 'm', 'k', false);
  case 'b':
    return wmmaFragment(f, f.get("t"), 'k', 'n', false);
  default:
    return wmmaFragment(f, f.get("t"), 'm', 'n', true);
  }
}

unsigned ptxbench::applyCountRule(unsigned index, const ModMatch &match,
                                  ArrayRef<Mod> mods) {
  using Rule = unsigned (*)(const Fragment &);
  static constexpr Rule rules[] = {
#define GET_PTX_COUNT_RULES(name) name,
#include "ptxbench/ISA/Opcodes.inc"
  };
  return rules[index](Fragment{match, mods});
}
