//===- MatchText.cpp - An instruction against a text ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search over the cases of choices: first the modifiers, each of which takes
// the first that it fits, then the operands, in order.
//
//===----------------------------------------------------------------------===//

#include "MatchText.h"
#include "Hooks.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ptxbench::ptx;

namespace ptxbench::nvvm {

namespace {

/// The operands as they are written: brackets, commas and atoms.
struct Written {
  /// 0: an atom; `%`: a special register; `?`: what no text has.
  char c = 0;
  Atom atom;
  StringRef name;
};

/// What is left of the sequences around a piece.
struct Frame {
  const Sequence *sequence;
  size_t index = 0;
  const Frame *outer = nullptr;
};

class Matcher {
public:
  Matcher(const Conversion &conversion, const Text &text, InstOpInterface inst,
          const KnownValues &known,
          llvm::function_ref<bool(const Bindings &)> onMatch)
      : conversion(conversion), text(text), known(known), onMatch(onMatch) {
    for (Mod mod : inst.getInst().mods) {
      mods.push_back(stringifyMod(mod));
      areTypes.push_back(getModType(mod).has_value());
    }
    used.resize(mods.size());
    write(inst);
  }
  bool run() { return matchModifiers({&text.mnemonic}, Bindings()); }

private:
  void write(InstOpInterface inst);
  void writeNode(InstOpInterface inst, ArrayRef<OperandNode> nodes,
                 unsigned &index, unsigned &use, unsigned &def, int64_t offset);

  bool matchModifiers(Frame frame, const Bindings &bindings);
  bool matchOperands(Frame frame, size_t at, const Bindings &bindings);
  bool matchToken(const Sequence &parts, StringRef mod, Bindings &bindings);
  bool matchWord(StringRef name, StringRef &rest, Bindings &bindings);
  bool matchValue(const Piece &piece, size_t &at, Bindings &bindings);
  bool forEachCase(
      const Piece &piece, const Bindings &bindings,
      llvm::function_ref<bool(const Sequence &, const Bindings &)> visit);
  SmallVector<std::string> getDomain(StringRef name) const;

  const Conversion &conversion;
  const Text &text;
  const KnownValues &known;
  llvm::function_ref<bool(const Bindings &)> onMatch;
  SmallVector<StringRef> mods;
  SmallVector<bool> areTypes, used;
  SmallVector<Written> written;
};

} // namespace

//===----------------------------------------------------------------------===//
// The instruction
//===----------------------------------------------------------------------===//

void Matcher::writeNode(InstOpInterface inst, ArrayRef<OperandNode> nodes,
                        unsigned &index, unsigned &use, unsigned &def,
                        int64_t offset) {
  const OperandNode &node = nodes[index++];
  Operation *op = inst;
  auto add = [&](char c, StringRef name = "") {
    written.push_back({c, {}, name});
  };
  auto addAtom = [&](Atom::Kind kind) {
    Atom atom;
    atom.kind = kind;
    atom.number = offset;
    if (node.readsValue())
      atom.read = op->getOperand(use++);
    if (node.definesValue())
      atom.written = op->getResult(def++);
    if (node.flags)
      add('?');
    written.push_back({0, atom, ""});
  };
  auto addChildren = [&](char separator, int64_t offset) {
    for (unsigned i = 0; i < node.numChildren; ++i) {
      if (i)
        add(separator);
      writeNode(inst, nodes, index, use, def, offset);
    }
  };
  switch (node.kind) {
  case OperandKind::Use:
    return addAtom(Atom::Use);
  case OperandKind::Def:
    return addAtom(Atom::Def);
  case OperandKind::DefUse:
    return addAtom(Atom::DefUse);
  case OperandKind::Sink:
    return add('_');
  case OperandKind::SpecialReg:
    return add('%', node.name.getValue());
  case OperandKind::Int: {
    Atom atom;
    atom.number = node.value;
    written.push_back({0, atom, ""});
    return;
  }
  case OperandKind::Address:
    add('[');
    if (node.flags & ~OperandFlag_ZeroOffset)
      add('?');
    for (unsigned i = 0; i < node.numChildren; ++i) {
      if (i)
        add(',');
      writeNode(inst, nodes, index, use, def, i ? 0 : node.value);
    }
    return add(']');
  case OperandKind::Vector:
    add('{');
    addChildren(',', 0);
    return add('}');
  case OperandKind::Pair:
    return addChildren('|', 0);
  default:
    add('?');
    addChildren(',', 0);
  }
}

void Matcher::write(InstOpInterface inst) {
  ArrayRef<OperandNode> nodes = inst.getInst().operands;
  unsigned index = 0, use = 0, def = 0;
  while (index < nodes.size()) {
    if (index)
      written.push_back({',', {}, ""});
    writeNode(inst, nodes, index, use, def, 0);
  }
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

SmallVector<std::string> Matcher::getDomain(StringRef name) const {
  SmallVector<std::string> words;
  if (name.starts_with("~")) {
    for (const EnumCase &one : getComputedWords(name))
      words.push_back(one.word.str());
    return words;
  }
  const AttrDesc *attr = conversion.findAttr(name);
  if (attr && attr->kind == AttrKind::Enum)
    for (const EnumCase &one : attr->enumeration->cases)
      words.push_back(one.word.str());
  else
    words = {"true", "false"};
  words.push_back("-");
  return words;
}

bool Matcher::forEachCase(
    const Piece &piece, const Bindings &bindings,
    llvm::function_ref<bool(const Sequence &, const Bindings &)> visit) {
  auto visitTexts = [&](const Case &one, const Bindings &bindings) {
    for (const Sequence &text : one.texts)
      if (visit(text, bindings))
        return true;
    return false;
  };
  // What is known decides for one case.
  auto visitKnown = [&](StringRef value) {
    for (const Case &one : piece.cases)
      if (one.value == value || one.value == "*")
        return visitTexts(one, bindings);
    return false;
  };
  StringRef name = piece.text;
  switch (piece.kind) {
  case Piece::Same:
    return visitTexts(piece.cases.front(), bindings);
  case Piece::IfPresent: {
    auto it = bindings.present.find(name);
    if (it != bindings.present.end())
      return visitKnown(it->second ? "true" : "-");
    // An operand that is not needed is not there; a result is.
    auto visitIf = [&](bool isThere) {
      Bindings with = bindings;
      with.present[name] = isThere;
      return visitTexts(piece.cases[isThere ? 0 : 1], with);
    };
    bool first = conversion.findResult(name);
    return visitIf(first) || visitIf(!first);
  }
  case Piece::BySpace:
  case Piece::ByType: {
    auto member =
        piece.kind == Piece::BySpace ? &Bindings::spaces : &Bindings::types;
    auto it = (bindings.*member).find(name);
    if (it != (bindings.*member).end())
      return visitKnown(it->second);
    for (const Case &one : piece.cases) {
      if (one.value == "*")
        continue;
      Bindings with = bindings;
      (with.*member)[name] = one.value;
      if (visitTexts(one, with))
        return true;
    }
    return false;
  }
  default:
    break;
  }
  auto it = bindings.words.find(name);
  if (it != bindings.words.end())
    return visitKnown(it->second);
  for (const Case &one : piece.cases) {
    SmallVector<std::string> values = {one.value.str()};
    if (one.value == "*") {
      values = getDomain(name);
      llvm::erase_if(values, [&](StringRef value) {
        return llvm::any_of(piece.cases,
                            [&](const Case &c) { return c.value == value; });
      });
    }
    for (const std::string &value : values) {
      Bindings with = bindings;
      with.words[name] = value;
      if (visitTexts(one, with))
        return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Matcher::matchWord(StringRef name, StringRef &rest, Bindings &bindings) {
  auto it = bindings.words.find(name);
  if (it != bindings.words.end())
    return rest.consume_front(it->second);
  StringRef found;
  const AttrDesc *attr = conversion.findAttr(name);
  if (attr &&
      (attr->kind == AttrKind::Shape2 || attr->kind == AttrKind::Shape3)) {
    found = rest;
  } else {
    // The longest word that fits.
    ArrayRef<EnumCase> cases = attr && attr->kind == AttrKind::Enum
                                   ? attr->enumeration->cases
                                   : getComputedWords(name);
    for (const EnumCase &one : cases)
      if (one.word.size() > found.size() && rest.starts_with(one.word))
        found = one.word;
  }
  if (found.empty())
    return false;
  bindings.words[name] = found.str();
  rest = rest.drop_front(found.size());
  return true;
}

bool Matcher::matchToken(const Sequence &parts, StringRef mod,
                         Bindings &bindings) {
  StringRef rest = mod;
  for (const Piece &part : parts) {
    if (part.kind == Piece::Literal) {
      if (!rest.consume_front(part.text))
        return false;
      continue;
    }
    if (part.kind == Piece::Word) {
      if (!matchWord(part.text, rest, bindings))
        return false;
      continue;
    }
    unsigned number;
    if (rest.consumeInteger(10, number))
      return false;
    if (conversion.findOperand(part.text)) {
      auto [it, isNew] = bindings.counts.try_emplace(part.text, number);
      if (!isNew && it->second != number)
        return false;
      continue;
    }
    auto [it, isNew] =
        bindings.words.try_emplace(part.text, std::to_string(number));
    if (!isNew && it->second != std::to_string(number))
      return false;
  }
  if (!rest.empty())
    return false;
  // A shape must be one.
  for (const Piece &part : parts)
    if (part.kind == Piece::Word)
      if (const AttrDesc *attr = conversion.findAttr(part.text);
          attr && attr->kind >= AttrKind::Shape2 &&
          (!mod.starts_with("m") ||
           mod.contains('k') != (attr->kind == AttrKind::Shape3) ||
           !mod.contains('n')))
        return false;
  return true;
}

bool Matcher::matchModifiers(Frame frame, const Bindings &bindings) {
  while (frame.index == frame.sequence->size()) {
    if (frame.outer) {
      frame = *frame.outer;
      continue;
    }
    return llvm::all_of(used, [](bool b) { return b; }) &&
           matchOperands({&text.operands}, 0, bindings);
  }
  const Piece &piece = (*frame.sequence)[frame.index];
  ++frame.index;
  if (piece.isChoice())
    return forEachCase(piece, bindings,
                       [&](const Sequence &text, const Bindings &with) {
                         return matchModifiers({&text, 0, &frame}, with);
                       });
  // Types say what they are of by their order.
  bool isBehindType = false;
  for (auto [i, mod] : llvm::enumerate(mods)) {
    if (used[i] || (areTypes[i] && isBehindType))
      continue;
    isBehindType |= areTypes[i];
    Bindings with = bindings;
    if (!matchToken(piece.parts, mod, with))
      continue;
    used[i] = true;
    bool done = matchModifiers(frame, with);
    used[i] = false;
    return done;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// A result that nothing reads may stand for one that is not wanted.
static bool isUnwanted(const Written &w) {
  return w.c == '_' ||
         (!w.c && w.atom.kind == Atom::Def && w.atom.written.use_empty());
}

bool Matcher::matchValue(const Piece &piece, size_t &at, Bindings &bindings) {
  StringRef name = piece.text;
  bool isResult = conversion.findResult(name);
  auto take = [&](Atom &atom) {
    if (at == written.size())
      return false;
    const Written &w = written[at];
    if (w.c == '_' && isResult && !piece.isList &&
        !bindings.present.count(name)) {
      atom.kind = Atom::Sink;
    } else if (w.c) {
      return false;
    } else {
      atom = w.atom;
      bool fits = isResult ? (piece.tied.empty() ? atom.kind == Atom::Def
                                                 : atom.kind == Atom::DefUse)
                           : atom.kind == Atom::Use || atom.kind == Atom::Int;
      if (!fits)
        return false;
    }
    atom.isTruth = piece.isTruth;
    ++at;
    return true;
  };
  SmallVector<Atom, 4> atoms;
  do {
    Atom &atom = atoms.emplace_back();
    if (!take(atom))
      return false;
    if (!piece.isList || at == written.size() || written[at].c != ',')
      break;
    ++at;
  } while (true);
  if (piece.element >= 0) {
    bindings.elements[name][piece.element] = atoms.front();
    return true;
  }
  bindings.atoms[name].push_back(atoms);
  if (!piece.tied.empty())
    bindings.atoms[piece.tied].push_back(atoms);
  auto it = bindings.present.find(name);
  return it == bindings.present.end() || it->second;
}

bool Matcher::matchOperands(Frame frame, size_t at, const Bindings &bindings) {
  while (frame.index == frame.sequence->size()) {
    if (frame.outer) {
      frame = *frame.outer;
      continue;
    }
    return at == written.size() && onMatch(bindings);
  }
  const Piece &piece = (*frame.sequence)[frame.index];
  ++frame.index;
  if (piece.isChoice())
    return forEachCase(piece, bindings,
                       [&](const Sequence &text, const Bindings &with) {
                         return matchOperands({&text, 0, &frame}, at, with);
                       });
  if (piece.kind == Piece::Literal) {
    for (StringRef rest = piece.text.ltrim(); !rest.empty();
         rest = rest.ltrim()) {
      if (at == written.size())
        return false;
      const Written &w = written[at++];
      int64_t number;
      if (llvm::isAlpha(rest.front())) {
        // A register that no operand or result of the operation is.
        rest = rest.drop_while([](char c) { return llvm::isAlnum(c); });
        if (w.c || w.atom.kind == Atom::Int)
          return false;
        continue;
      }
      if (llvm::isDigit(rest.front()) || rest.front() == '-') {
        // As many bits as are compared do not matter.
        if (rest.consumeInteger(10, number) || w.c ||
            w.atom.kind != Atom::Int ||
            (w.atom.number != number &&
             uint64_t(uint32_t(w.atom.number)) != uint64_t(number)))
          return false;
        continue;
      }
      if (rest.consume_front("%")) {
        StringRef name =
            rest.take_until([](char c) { return c == ',' || c == ' '; });
        rest = rest.drop_front(name.size());
        if (w.c != '%' || w.name != name)
          return false;
        continue;
      }
      if (rest.front() == '_' ? !isUnwanted(w) : w.c != rest.front())
        return false;
      rest = rest.drop_front();
    }
    return matchOperands(frame, at, bindings);
  }
  Bindings with = bindings;
  if (piece.kind == Piece::Value)
    return matchValue(piece, at, with) && matchOperands(frame, at, with);

  // A constant, or a register whose value is known.
  if (at == written.size() || written[at].c)
    return false;
  Atom atom = written[at++].atom;
  std::optional<int64_t> number;
  if (atom.kind == Atom::Int)
    number = atom.number;
  else if (atom.kind == Atom::Use && !atom.number)
    number = known.getConstant(atom.read);
  if (!number)
    return false;
  if (piece.kind == Piece::Constant) {
    Atom constant;
    constant.number = *number;
    with.atoms[piece.text].push_back({constant});
    return matchOperands(frame, at, with);
  }
  const AttrDesc *attr = conversion.findAttr(piece.text);
  std::string word = std::to_string(*number);
  if (attr && attr->kind == AttrKind::Enum)
    word = attr->enumeration->getWord(*number).str();
  auto [it, isNew] = with.words.try_emplace(piece.text, word);
  return !word.empty() && it->second == word && matchOperands(frame, at, with);
}

bool matchText(const Conversion &conversion, const Text &text,
               InstOpInterface inst, const KnownValues &known,
               llvm::function_ref<bool(const Bindings &)> onMatch) {
  return Matcher(conversion, text, inst, known, onMatch).run();
}

} // namespace ptxbench::nvvm
