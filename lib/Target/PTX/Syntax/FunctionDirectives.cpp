//===- FunctionDirectives.cpp - Directives between head and body ----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table says which there are, on which kind of function, with how many
// numbers, since which PTX version and architecture; what they say together is
// checked when all are read.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

namespace {
enum class Place : uint8_t { Entry, Function, Both };

struct KnownDirective {
  StringLiteral name;
  Place place;
  uint8_t minValues, maxValues;
  PTXVersion version;
  uint16_t sm;
  /// Its numbers are positive.
  bool positive;
  uint32_t largest = UINT32_MAX;
};
} // namespace

static constexpr KnownDirective knownDirectives[] = {
    {"maxntid", Place::Entry, 1, 3, 13, 0, true},
    {"reqntid", Place::Entry, 1, 3, 21, 0, true},
    {"minnctapersm", Place::Entry, 1, 1, 20, 0, true},
    {"maxnctapersm", Place::Entry, 1, 1, 13, 0, true},
    {"maxnreg", Place::Entry, 1, 1, 13, 0, true},
    {"explicitcluster", Place::Entry, 0, 0, 78, 90, false},
    {"reqnctapercluster", Place::Entry, 1, 3, 78, 90, false},
    {"maxclusterrank", Place::Entry, 1, 1, 78, 90, false},
    {"blocksareclusters", Place::Entry, 0, 0, 90, 90, false},
    {"noreturn", Place::Both, 0, 0, 64, 30, false},
    {"abi_preserve", Place::Function, 1, 1, 90, 80, false, 239},
    {"abi_preserve_control", Place::Function, 1, 1, 90, 80, false, 11},
    {"pragma", Place::Both, 0, 0, 20, 0, false}};

/// The last version that has `.maxnctapersm`.
static constexpr PTXVersion lastMaxNCTAPerSM = 20;

bool ParserImpl::parseFunctionDirective(Function &function) {
  StringRef name = spelling().drop_front();
  const KnownDirective *it =
      find_if(knownDirectives,
              [&](const KnownDirective &entry) { return entry.name == name; });
  if (it == std::end(knownDirectives)) {
    SmallVector<std::string, 16> spellings;
    SmallVector<StringRef, 16> known;
    for (const KnownDirective &entry : knownDirectives)
      spellings.push_back(("." + entry.name).str());
    known.append(spellings.begin(), spellings.end());
    errorHere("unknown directive '" + spelling() + "' of a function",
              suggest(known));
    return false;
  }
  Token at = token;
  consumeIf(TokenKind::Directive);
  requireFeature(at, text(at), it->version, it->sm);
  if (it->place == (function.isEntry ? Place::Function : Place::Entry))
    error(at.offset, at.length,
          "'" + text(at) + "' is for " +
              (function.isEntry ? "device functions" : "entries") + " only");
  if (it->name == "maxnctapersm" && module->version > lastMaxNCTAPerSM)
    error(at.offset, at.length,
          "'.maxnctapersm' is not in PTX after version 2.0; "
          "'.minnctapersm' says what it said");
  if (it->name == "pragma")
    return parseFunctionPragma(function, at.offset);
  FunctionDirective directive;
  directive.name = name;
  directive.loc = at.offset;
  for (unsigned i = 0; i < it->maxValues; ++i) {
    if (i >= it->minValues && !consumeIf(TokenKind::Comma))
      break;
    if (i && i < it->minValues && !expect(TokenKind::Comma, "','"))
      return false;
    std::optional<uint64_t> value = parseNumber("a number");
    if (!value)
      return false;
    if (*value > it->largest) {
      error(at.offset, at.length,
            "the number of '" + text(at) + "' is at most " +
                Twine(it->largest) + " but is " + Twine(*value));
      return false;
    }
    if (it->positive && *value == 0)
      error(at.offset, at.length,
            "the numbers of '" + text(at) + "' are positive");
    directive.values.push_back(*value);
  }
  function.directives.push_back(std::move(directive));
  return true;
}

/// Behind `.pragma`: strings and a semicolon.
bool ParserImpl::parseFunctionPragma(Function &function, SourceOffset loc) {
  if (!function.isEntry) {
    error(loc, 7, "'.pragma' stands in the body of a device function");
    return false;
  }
  do {
    if (!is(TokenKind::String)) {
      errorHere("expected a string");
      return false;
    }
    // Others speak of what follows in the body.
    StringRef what = spelling().drop_front();
    for (StringRef inBody :
         {"enable_smem_spilling", "frequency", "used_bytes_mask"})
      if (what.starts_with(inBody))
        errorHere("the pragma '" + inBody + "' stands in a body");
    FunctionDirective directive;
    directive.name = "pragma";
    directive.loc = loc;
    directive.text = spelling().drop_front().drop_back();
    consumeIf(TokenKind::String);
    function.directives.push_back(std::move(directive));
  } while (consumeIf(TokenKind::Comma));
  return expectSemi();
}

/// What the directives say together, and which of them count.
void ParserImpl::checkFunctionDirectives(Function &function) {
  // The first of each name, and the last one, which counts, as ptxas has it.
  SmallDenseMap<StringRef, std::pair<FunctionDirective *, FunctionDirective *>,
                8>
      named;
  for (FunctionDirective &directive : function.directives) {
    auto [it, isFirst] =
        named.try_emplace(directive.name, &directive, &directive);
    if (isFirst || directive.name == "pragma")
      continue;
    it->second.second->isSuperseded = true;
    it->second.second = &directive;
  }
  auto find = [&](StringRef name) -> const FunctionDirective * {
    return named.lookup(name).first;
  };
  auto fail = [&](const FunctionDirective *at, const Twine &message) {
    error(at->loc, at->name.size() + 1, message);
  };
  static constexpr std::pair<StringLiteral, StringLiteral> exclusive[] = {
      {"maxntid", "reqntid"}, {"reqnctapercluster", "maxclusterrank"}};
  for (const auto &[one, other] : exclusive)
    if (find(one) && find(other))
      fail(find(other),
           "'." + one + "' and '." + other + "' exclude each other");
  auto print = [](ArrayRef<uint32_t> values) {
    std::string numbers;
    for (uint32_t value : values)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(value);
    return numbers;
  };
  // Extents that are not given are 1.
  auto isSame = [](SmallVector<uint32_t, 3> a, SmallVector<uint32_t, 3> b) {
    a.resize(3, 1);
    b.resize(3, 1);
    return a == b;
  };
  for (const FunctionDirective &directive : function.directives) {
    const auto &[first, last] = named.find(directive.name)->second;
    if (is_contained({"noreturn", "abi_preserve", "abi_preserve_control"},
                     directive.name)) {
      if (&directive != first)
        fail(&directive, "a second '." + directive.name + "'");
    } else if (directive.isSuperseded &&
               !isSame(directive.values, last->values)) {
      warning(directive.loc, directive.name.size() + 1,
              "'." + directive.name + " " + print(directive.values) +
                  "' does not count: ptxas takes the last one, '." +
                  directive.name + " " + print(last->values) + "'");
    }
  }
  // A cluster that begins with 0 is none.
  const FunctionDirective *cluster = named.lookup("reqnctapercluster").second;
  bool hasCluster = cluster && cluster->values.front();
  if (const FunctionDirective *blocks = find("blocksareclusters"))
    if (!find("reqntid") || !hasCluster)
      fail(blocks,
           "'.blocksareclusters' needs '.reqntid' and '.reqnctapercluster'");
  if (const FunctionDirective *noreturn = find("noreturn"))
    if (function.isEntry || !function.results.empty())
      fail(noreturn, function.isEntry ? "an entry cannot be '.noreturn'"
                                      : "a function with results cannot be "
                                        "'.noreturn'");
}

/// Reports what the module's version and target lack for a feature.
bool ParserImpl::requireFeature(Token at, StringRef what, PTXVersion version,
                                uint16_t sm) {
  if (version > module->version) {
    error(at.offset, at.length,
          "'" + what + "' needs PTX ISA version " + Twine(version / 10) + "." +
              Twine(version % 10) + " but the module has " +
              Twine(module->version / 10) + "." + Twine(module->version % 10));
    return false;
  }
  if (sm > module->target.sm) {
    error(at.offset, at.length,
          "'" + what + "' needs sm_" + Twine(sm) + " but the target is " +
              stringifyTargetArch(module->target));
    return false;
  }
  return true;
}
