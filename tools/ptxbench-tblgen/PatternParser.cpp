//===- PatternParser.cpp - The pattern languages of PTX_Form
//---------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dialects/PTX/IR/PTXBase.td describes both languages. Every mistake is
// reported at the record with the piece of the pattern that is wrong.
//
//===----------------------------------------------------------------------===//

#include "InstRecords.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;
using namespace ptxbench::tblgen;

std::string ptxbench::tblgen::enumerator(StringRef spelling) {
  static const StringSet<> keywords = {
      "and",   "or",       "xor",    "not",    "volatile", "const",  "register",
      "auto",  "bool",     "float",  "double", "int",      "char",   "default",
      "union", "struct",   "static", "extern", "inline",   "switch", "case",
      "break", "continue", "return", "goto",   "do",       "for",    "while",
      "if",    "else",     "new",    "delete", "this",     "try",    "throw",
      "catch", "asm"};
  std::string result;
  if (!spelling.empty() && isDigit(spelling.front()))
    result += '_';
  for (char c : spelling)
    result += isAlnum(c) ? c : '_';
  if (keywords.contains(result))
    result += '_';
  return result;
}

std::optional<TypeName> ptxbench::tblgen::parseTypeName(StringRef name) {
  if (name == "pred")
    return TypeName{"Predicate", 1, false, false};
  // Alternate and packed formats with names of their own.
  auto odd = StringSwitch<std::optional<TypeName>>(name)
                 .Case("bf16", TypeName{"Float", 16, false, true})
                 .Case("tf32", TypeName{"Float", 32, false, true})
                 .Cases({"f16x2"}, TypeName{"Float", 32, true, false})
                 .Cases({"bf16x2"}, TypeName{"Float", 32, true, true})
                 .Case("f32x2", TypeName{"Float", 64, true, false})
                 .Cases({"e4m3", "e5m2", "ue8m0", "ue4m3"},
                        TypeName{"Float", 8, false, true})
                 .Cases({"e2m3", "e3m2"}, TypeName{"Float", 6, false, true})
                 .Case("e2m1", TypeName{"Float", 4, false, true})
                 .Cases({"e4m3x2", "e5m2x2", "ue8m0x2", "e2m3x2", "e3m2x2"},
                        TypeName{"Float", 16, true, true})
                 .Case("e2m1x2", TypeName{"Float", 8, true, true})
                 .Case("e2m1x4", TypeName{"Float", 16, true, true})
                 .Cases({"e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4"},
                        TypeName{"Float", 32, true, true})
                 .Cases({"u16x2", "s16x2", "u8x4", "s8x4"},
                        TypeName{"Bits", 32, true, false})
                 .Default(std::nullopt);
  if (odd)
    return odd;
  StringRef kind = StringSwitch<StringRef>(name.take_front(1))
                       .Case("b", "Bits")
                       .Case("u", "Unsigned")
                       .Case("s", "Signed")
                       .Case("f", "Float")
                       .Default("");
  unsigned width;
  if (kind.empty() || name.drop_front().getAsInteger(10, width))
    return std::nullopt;
  bool known = kind == "Float"
                   ? width == 16 || width == 32 || width == 64
                   : is_contained({1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}, width);
  if (!known)
    return std::nullopt;
  return TypeName{kind, width, false, false};
}

[[noreturn]] static void fail(const Record *record, StringRef pattern,
                              const Twine &message) {
  PrintFatalError(record->getLoc(),
                  "in the pattern '" + pattern + "': " + message);
}

static bool isModSpelling(StringRef text) {
  return !text.empty() && all_of(text, [](char c) {
    return isAlnum(c) || c == '_' || c == ':';
  });
}

std::vector<Slot> ptxbench::tblgen::parseModifiers(
    StringRef text, const StringMap<std::vector<std::string>> &sets,
    const Record *record) {
  std::vector<Slot> slots;
  SmallVector<StringRef> words;
  SplitString(text, words);
  for (StringRef word : words) {
    StringRef rest = word;
    Slot slot;
    size_t equals = rest.find('=');
    if (equals != StringRef::npos) {
      slot.name = rest.take_front(equals).str();
      rest = rest.drop_front(equals + 1);
    }
    if (!rest.consume_front("."))
      fail(record, text, "a modifier starts with a dot: '" + word + "'");
    slot.optional = rest.consume_back("?");
    if (rest.consume_front("$")) {
      auto it = sets.find(rest);
      if (it == sets.end())
        fail(record, text, "no set of modifiers is named '" + rest + "'");
      slot.alternatives = it->second;
      if (slot.name.empty())
        slot.name = rest.str();
    } else if (rest.consume_front("{")) {
      if (!rest.consume_back("}"))
        fail(record, text, "expected '}' at the end of '" + word + "'");
      SmallVector<StringRef> names;
      rest.split(names, '|');
      for (StringRef name : names) {
        if (name.consume_front("$")) {
          auto it = sets.find(name);
          if (it == sets.end())
            fail(record, text, "no set of modifiers is named '" + name + "'");
          append_range(slot.alternatives, it->second);
          continue;
        }
        slot.alternatives.push_back(name.str());
      }
    } else {
      slot.alternatives.push_back(rest.str());
    }
    for (StringRef name : slot.alternatives)
      if (!isModSpelling(name))
        fail(record, text, "'" + name + "' is no modifier");
    for (const Slot &other : slots)
      if (!slot.name.empty() && slot.name == other.name)
        fail(record, text, "two slots are named '" + Twine(slot.name) + "'");
    slots.push_back(std::move(slot));
  }
  if (slots.size() > 24)
    fail(record, text, "more than 24 slots");
  return slots;
}

static int findSlot(const std::vector<Slot> &slots, StringRef name) {
  for (auto [i, slot] : enumerate(slots))
    if (!name.empty() && slot.name == name)
      return i;
  return -1;
}

/// Takes an identifier off the front of `text`.
static StringRef takeName(StringRef &text) {
  StringRef name = text.take_while([](char c) { return isAlnum(c); });
  text = text.drop_front(name.size());
  return name;
}

namespace {
/// Parser of one operand of a pattern.
struct OperandParser {
  StringRef pattern;
  const std::vector<Slot> &slots;
  const Record *record;

  void parseType(Operand &operand, StringRef name) {
    operand.typeSlot = findSlot(slots, name);
    if (operand.typeSlot >= 0) {
      for (StringRef alternative : slots[operand.typeSlot].alternatives)
        if (!parseTypeName(alternative))
          fail(record, pattern,
               "slot '" + name + "' holds '" + alternative +
                   "', which is no type");
      return;
    }
    if (std::optional<TypeName> type = parseTypeName(name))
      operand.type = *type;
    else
      fail(record, pattern, "'" + name + "' is neither a slot nor a type");
  }

  void parseCount(Operand &operand, StringRef &rest) {
    if (rest.consume_front("@")) {
      StringRef name =
          rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
      // A trailing underscore is the suffix, not part of the name.
      name = name.rtrim('_');
      if (name.empty())
        fail(record, pattern, "expected the name of a count rule after '*@'");
      rest = rest.drop_front(name.size());
      operand.countKind = "Named";
      operand.countRule = name.str();
      return;
    }
    StringRef name = takeName(rest);
    unsigned number;
    if (!name.getAsInteger(10, number)) {
      operand.countKind = "Fixed";
      operand.countValue = number;
      return;
    }
    int slot = findSlot(slots, name);
    if (slot < 0)
      fail(record, pattern, "no slot is named '" + name + "'");
    operand.countKind = "Slot";
    operand.countValue = slot;
  }

  /// `(4|8|24..256/8)`, behind the parenthesis.
  void parseValues(Operand &operand, StringRef &rest) {
    size_t close = rest.find(')');
    if (close == StringRef::npos)
      fail(record, pattern, "expected ')' behind the values");
    SmallVector<StringRef> pieces;
    rest.take_front(close).split(pieces, '|');
    for (StringRef piece : pieces) {
      auto [range, step] = piece.split('/');
      auto [first, last] = range.split("..");
      std::array<int64_t, 3> value = {0, 0, 1};
      if (first.getAsInteger(10, value[0]) ||
          (last.empty() ? first : last).getAsInteger(10, value[1]) ||
          (!step.empty() && step.getAsInteger(10, value[2])) || value[2] < 1)
        fail(record, pattern, "'" + piece + "' is no range of integers");
      operand.values.push_back(value);
    }
    rest = rest.drop_front(close + 1);
  }

  void parseSelector(Operand &operand, StringRef &rest) {
    StringRef name = takeName(rest);
    operand.selector = StringSwitch<StringRef>(name)
                           .Case("part", "Part")
                           .Case("halfmask", "HalfMask")
                           .Case("halves", "Halves")
                           .Case("bytemask", "ByteMask")
                           .Case("bytes", "Bytes")
                           .Default("")
                           .str();
    if (operand.selector.empty())
      fail(record, pattern, "'" + name + "' is no kind of selector");
  }

  void parseSuffixes(Operand &operand, StringRef rest) {
    while (!rest.empty()) {
      if (rest.consume_front("*")) {
        parseCount(operand, rest);
      } else if (rest.consume_front("(")) {
        parseValues(operand, rest);
      } else if (rest.consume_front("|p")) {
        operand.predicatePair = true;
        operand.predicateRequired = rest.consume_front("!");
      } else if (rest.consume_front(".")) {
        parseSelector(operand, rest);
      } else if (rest.consume_front("+")) {
        operand.longerAllowed = true;
      } else if (rest.consume_front("{}")) {
        operand.bracesAllowed = true;
      } else if (rest.consume_front("^")) {
        operand.scalarAllowed = true;
      } else if (rest.consume_front("~")) {
        operand.relaxedWidth = true;
      } else if (rest.consume_front("_")) {
        operand.sinkAllowed = true;
      } else if (rest.consume_front("?")) {
        StringRef slot = takeName(rest);
        if (slot.empty()) {
          operand.optional = true;
          continue;
        }
        operand.presentSlot = findSlot(slots, slot);
        if (operand.presentSlot < 0)
          fail(record, pattern, "no slot is named '" + slot + "'");
      } else {
        fail(record, pattern, "unexpected '" + rest + "'");
      }
    }
  }

  Operand parse(StringRef text) {
    Operand operand;
    StringRef rest = text;
    if (text == "_") {
      operand.form = "Sink";
      operand.name = "d";
      return operand;
    }
    if (rest.consume_front("=")) {
      operand.dir = "Out";
      operand.form = "Register";
    } else if (rest.consume_front("+")) {
      operand.dir = "InOut";
      operand.form = "Register";
    }
    for (auto [prefix, form] :
         {std::pair<StringRef, StringRef>{"label ", "Label"},
          {"callee ", "Callee"},
          {"args ", "ArgumentList"},
          {"symbol ", "Symbol"}}) {
      if (!rest.consume_front(prefix))
        continue;
      operand.form = form.str();
      operand.name = takeName(rest).str();
      parseSuffixes(operand, rest);
      return operand;
    }
    if (rest.consume_front("[")) {
      auto [inside, after] = rest.split(']');
      auto [nameAndType, coordinates] = inside.split(',');
      auto [name, baseType] = nameAndType.split(':');
      for (auto [prefix, handle] :
           {std::pair<StringRef, StringRef>{"texref ", "Texture"},
            {"surfref ", "Surface"},
            {"samplerref ", "Sampler"}})
        if (name.consume_front(prefix))
          operand.handle = handle.str();
      operand.name = name.trim().str();
      operand.form = "Address";
      if (!baseType.empty())
        parseType(operand, baseType);
      if (inside.contains(',')) {
        operand.form = "TensorAddress";
        auto [vector, count] = coordinates.split('*');
        StringRef type = vector.split(':').second;
        if (type.empty())
          operand.type = {"Signed", 32, false, false};
        else
          parseType(operand, type);
        if (count.empty())
          fail(record, pattern, "expected '*count' in '" + text + "'");
        parseCount(operand, count);
        if (!count.empty())
          parseSuffixes(operand, count);
      }
      if (!rest.contains(']'))
        fail(record, pattern, "expected ']' in '" + text + "'");
      parseSuffixes(operand, after);
      return operand;
    }
    operand.minusAllowed = rest.consume_front("-");
    if (rest.consume_front("r/"))
      operand.form = "Register";
    else if (rest.consume_front("i/"))
      operand.form = "Immediate";
    operand.name = takeName(rest).str();
    if (operand.name.empty() || !rest.consume_front(":"))
      fail(record, pattern, "expected 'name:type' in '" + text + "'");
    parseType(operand, takeName(rest));
    parseSuffixes(operand, rest);
    return operand;
  }
};
} // namespace

std::vector<Operand>
ptxbench::tblgen::parseOperands(StringRef text, const std::vector<Slot> &slots,
                                const Record *record) {
  std::vector<Operand> operands;
  OperandParser parser{text, slots, record};
  // A comma inside of brackets does not separate operands.
  size_t start = 0;
  int depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '[')
      ++depth;
    if (i < text.size() && text[i] == ']')
      --depth;
    if (i < text.size() && (text[i] != ',' || depth))
      continue;
    StringRef piece = text.slice(start, i).trim();
    start = i + 1;
    if (!piece.empty())
      operands.push_back(parser.parse(piece));
    else if (i < text.size() || !operands.empty())
      fail(record, text, "an operand is missing");
  }
  bool optionalSeen = false;
  for (const Operand &operand : operands) {
    if (optionalSeen && !operand.optional && operand.presentSlot < 0)
      fail(record, text, "only trailing operands may be left out");
    optionalSeen |= operand.optional;
  }
  return operands;
}
