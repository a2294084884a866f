//===- SpecialRegisters.cpp - The special registers of the ISA ------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table of the names with their types, versions and architectures, which also
// serves suggestions; the numbered ones are taken apart.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"

#include <string>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

/// The order of the elements of a vector, under either naming. The fourth is
/// there, and zero.
static constexpr StringLiteral elementNames = "xyzwrgba";

static constexpr DataType u32{TypeKind::Unsigned, 32, false, false};
static constexpr DataType u64{TypeKind::Unsigned, 64, false, false};
static constexpr DataType pred{TypeKind::Predicate, 1, false, false};

namespace {
struct KnownRegister {
  StringLiteral name;
  DataType type;
  bool isVector;
  PTXVersion version;
  uint16_t sm;
};
} // namespace

static constexpr KnownRegister knownRegisters[] = {
    {"%tid", u32, true, 10, 0},
    {"%ntid", u32, true, 10, 0},
    {"%ctaid", u32, true, 10, 0},
    {"%nctaid", u32, true, 10, 0},
    {"%clusterid", u32, true, 78, 90},
    {"%nclusterid", u32, true, 78, 90},
    {"%cluster_ctaid", u32, true, 78, 90},
    {"%cluster_nctaid", u32, true, 78, 90},
    {"%cluster_ctarank", u32, false, 78, 90},
    {"%cluster_nctarank", u32, false, 78, 90},
    {"%is_explicit_cluster", pred, false, 78, 90},
    {"%laneid", u32, false, 13, 0},
    {"%warpid", u32, false, 13, 0},
    {"%nwarpid", u32, false, 20, 20},
    {"%smid", u32, false, 13, 0},
    {"%nsmid", u32, false, 20, 20},
    {"%gridid", u64, false, 10, 0},
    {"%lanemask_eq", u32, false, 20, 20},
    {"%lanemask_le", u32, false, 20, 20},
    {"%lanemask_lt", u32, false, 20, 20},
    {"%lanemask_ge", u32, false, 20, 20},
    {"%lanemask_gt", u32, false, 20, 20},
    {"%clock", u32, false, 10, 0},
    {"%clock_hi", u32, false, 50, 20},
    {"%clock64", u64, false, 20, 20},
    {"%globaltimer", u64, false, 31, 30},
    {"%globaltimer_lo", u32, false, 31, 30},
    {"%globaltimer_hi", u32, false, 31, 30},
    {"%current_graph_exec", u64, false, 80, 50},
    {"%total_smem_size", u32, false, 41, 20},
    {"%dynamic_smem_size", u32, false, 41, 20},
    {"%aggr_smem_size", u32, false, 81, 90},
    {"%reserved_smem_offset_begin", u32, false, 76, 80},
    {"%reserved_smem_offset_end", u32, false, 76, 80},
    {"%reserved_smem_offset_cap", u32, false, 76, 80},
    {"%reserved_smem_offset_0", u32, false, 76, 80},
    {"%reserved_smem_offset_1", u32, false, 76, 80},
};

/// `%envreg0` … `%envreg31`, `%pm0` … `%pm7` and `%pm0_64` … `%pm7_64`.
static std::optional<SpecialRegister> lookUpNumbered(StringRef name) {
  unsigned number;
  StringRef rest = name;
  if (rest.consume_front("%envreg") && !rest.getAsInteger(10, number) &&
      number < 32)
    return SpecialRegister{u32, 0, 21, 0, name};
  rest = name;
  if (!rest.consume_front("%pm"))
    return std::nullopt;
  bool wide = rest.consume_back("_64");
  if (rest.getAsInteger(10, number) || number > 7)
    return std::nullopt;
  if (wide)
    return SpecialRegister{u64, 0, 40, 50, name};
  return number < 4 ? SpecialRegister{u32, 0, 13, 0, name}
                    : SpecialRegister{u32, 0, 30, 20, name};
}

std::optional<SpecialRegister> syntax::getSpecialRegister(StringRef name) {
  StringRef base, element;
  std::tie(base, element) = name.split('.');
  const KnownRegister *it =
      find_if(knownRegisters,
              [&](const KnownRegister &known) { return known.name == base; });
  if (it == std::end(knownRegisters))
    return base == name ? lookUpNumbered(name) : std::nullopt;
  SpecialRegister result{it->type, 0, it->version, it->sm, name};
  if (base == name) {
    result.elements = it->isVector ? 4 : 0;
    return result;
  }
  size_t index = element.size() == 1 ? elementNames.find(element.front())
                                     : StringRef::npos;
  if (!it->isVector || index == StringRef::npos)
    return std::nullopt;
  // Elements are named x, y, z, w from here on.
  result.name = getSpecialElement(base, index % 4);
  return result;
}

StringRef syntax::getSpecialElement(StringRef base, unsigned index) {
  for (StringRef name : getSpecialRegisterNames())
    if (name.size() == base.size() + 2 && name.starts_with(base) &&
        name[base.size()] == '.' && name.back() == elementNames[index])
      return name;
  return {};
}

bool SpecialRegister::isAlsoOf(unsigned width) const {
  if (name == "%gridid")
    return width == 32;
  // The numbers of threads and blocks had 16 bits once.
  return width == 16 && !elements && type == u32 &&
         is_contained({"%tid", "%ntid", "%ctaid", "%nctaid"},
                      name.split('.').first);
}

ArrayRef<StringRef> syntax::getSpecialRegisterNames() {
  static const std::vector<StringRef> names = [] {
    static std::vector<std::string> elements;
    std::vector<StringRef> all;
    for (const KnownRegister &known : knownRegisters)
      if (known.isVector)
        for (unsigned i = 0; i < 4; ++i)
          elements.push_back(
              (known.name + "." + elementNames.substr(i, 1)).str());
      else
        all.push_back(known.name);
    all.insert(all.end(), elements.begin(), elements.end());
    return all;
  }();
  return names;
}
