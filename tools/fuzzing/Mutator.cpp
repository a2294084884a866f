//===- Mutator.cpp - Changes of PTX text ----------------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is lines, a line is tokens. What a statement is, is guessed from its
// line: it is to be right often, not always.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "InstructionGenerator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::fuzzing;

namespace {

bool isWord(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.' || c == ':';
}

/// Words and single characters of a line; blanks belong to what follows.
std::vector<std::string> splitTokens(StringRef line) {
  std::vector<std::string> tokens;
  while (!line.empty()) {
    size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    size_t end = blanks;
    while (end < line.size() && isWord(line[end]))
      ++end;
    end = std::max(end, std::min(blanks + 1, line.size()));
    tokens.push_back(line.take_front(end).str());
    line = line.drop_front(end);
  }
  return tokens;
}

class Mutation {
public:
  Mutation(StringRef text, uint64_t seed) : random(seed) {
    SmallVector<StringRef, 64> parts;
    text.split(parts, '\n');
    // Comments are of no interest, but for the markers of inline assembly.
    for (StringRef part : parts)
      if (!part.trim().starts_with("//") || part.contains("inline asm"))
        lines.push_back(part.str());
    if (lines.empty())
      lines.push_back("");
    for (size_t i = 0; i < lines.size() && headerEnd == 0; ++i)
      if (StringRef(lines[i]).contains(".target"))
        headerEnd = std::min(lines.size() - 1, i + 2);
  }

  void change();
  void takeFrom(StringRef other);

  std::string finish() { return join(lines, "\n"); }

private:
  /// Seldom one of the header, without which nothing is read.
  size_t pickLine() {
    if (random.oneIn(64))
      return random.below(lines.size());
    return headerEnd + random.below(lines.size() - headerEnd);
  }

  static bool isStatement(StringRef line) {
    line = line.trim();
    return line.ends_with(";") && !line.starts_with(".");
  }
  /// A statement near a random place; any line if there is none.
  size_t pickStatement() {
    size_t start = pickLine();
    for (size_t i = 0; i < lines.size(); ++i)
      if (isStatement(lines[(start + i) % lines.size()]))
        return (start + i) % lines.size();
    return start;
  }

  void changeTokens();
  void changeMnemonic();
  void changeHeader();
  void insertInstruction();
  void insertLabel();
  void wrap();
  void changeByte();
  void declareRegisters(size_t before);
  std::vector<std::string> collectNames();

  Random random;
  std::vector<std::string> lines;
  /// Lines up to the one behind `.target`.
  size_t headerEnd = 0;
};

} // namespace

/// Identifiers of some lines.
std::vector<std::string> Mutation::collectNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < 32; ++i)
    for (const std::string &token : splitTokens(lines[pickLine()])) {
      StringRef name = StringRef(token).ltrim().rtrim(':');
      if (!name.empty() && (isAlpha(name[0]) || name[0] == '$') &&
          !name.contains('.'))
        names.push_back(name.str());
    }
  return names;
}

/// Declares the generator's registers at the start of the scope that a line
/// stands in, if it is not done.
void Mutation::declareRegisters(size_t before) {
  for (size_t i = before; i-- > 0;) {
    StringRef line = StringRef(lines[i]).trim();
    if (line.contains(getRegisterMark()))
      return;
    if (!line.ends_with("{"))
      continue;
    lines.insert(lines.begin() + i + 1, getRegisterDeclarations().str());
    return;
  }
}

void Mutation::insertInstruction() {
  size_t at = pickStatement();
  std::vector<std::string> names = collectNames();
  std::string inserted = generateInstruction(random, names);
  if (StringRef(inserted).contains("%fzq"))
    inserted = ".reg .b128 %fzq<4>; " + inserted;
  lines.insert(lines.begin() + at + 1, inserted);
  declareRegisters(at + 1);
}

void Mutation::insertLabel() {
  std::string label = "FZ" + std::to_string(random.below(4));
  lines.insert(lines.begin() + pickStatement(), label + ":");
  size_t at = pickStatement();
  switch (random.below(4)) {
  case 0:
    lines.insert(lines.begin() + at, "bra " + label + ";");
    return;
  case 1:
    lines.insert(lines.begin() + at, "FT" + label + ": .branchtargets " +
                                         label + ", " + label +
                                         "; brx.idx %fzr1, FT" + label + ";");
    break;
  default:
    lines.insert(lines.begin() + at, "@%fzp1 bra " + label + ";");
    break;
  }
  declareRegisters(at);
}

void Mutation::changeMnemonic() {
  std::string &line = lines[pickStatement()];
  std::vector<std::string> tokens = splitTokens(line);
  for (std::string &token : tokens) {
    StringRef word = StringRef(token).ltrim();
    if (word.empty() || !isAlpha(word[0]) || !word.contains('.'))
      continue;
    SmallVector<StringRef, 16> parts;
    word.split(parts, '.');
    std::vector<std::string> mods;
    for (StringRef part : parts)
      mods.push_back(part.str());
    size_t at = 1 + random.below(mods.size() - 1);
    std::string other = generateMnemonic(random);
    switch (random.below(5)) {
    case 0:
      token = " " + other;
      line = join(tokens, "");
      return;
    case 1:
      mods.erase(mods.begin() + at);
      break;
    case 2:
      std::swap(mods[at], mods[1 + random.below(mods.size() - 1)]);
      break;
    case 3:
      mods[at] = StringRef(other).rsplit('.').second.str();
      break;
    default:
      mods.insert(mods.begin() + at, StringRef(other).rsplit('.').second.str());
      break;
    }
    token = " " + join(mods, ".");
    line = join(tokens, "");
    return;
  }
}

void Mutation::changeTokens() {
  std::string &line = lines[pickLine()];
  std::vector<std::string> tokens = splitTokens(line);
  if (tokens.empty())
    return;
  size_t at = random.below(tokens.size());
  std::vector<std::string> others = splitTokens(lines[pickLine()]);
  std::string other = others.empty() || random.oneIn(2)
                          ? " " + generateToken(random)
                          : random.pick<std::string>(others);
  switch (random.below(5)) {
  case 0:
    tokens.erase(tokens.begin() + at);
    break;
  case 1:
    tokens.insert(tokens.begin() + at, other);
    break;
  case 2:
    std::swap(tokens[at], tokens[random.below(tokens.size())]);
    break;
  default:
    tokens[at] = other;
    break;
  }
  line = join(tokens, "");
}

void Mutation::changeHeader() {
  static constexpr StringLiteral headers[] = {
      ".version 9.0\n.target sm_90a",  ".version 8.8\n.target sm_100a",
      ".version 9.0\n.target sm_120a", ".version 8.6\n.target sm_90",
      ".version 7.0\n.target sm_80",   ".version 6.3\n.target sm_75",
      ".version 3.2\n.target sm_50",   ".version 9.0\n.target sm_103a, debug"};
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    if (!StringRef(lines[i]).trim().starts_with(".version"))
      continue;
    std::tie(lines[i], lines[i + 1]) = [&] {
      auto [version, target] = random.pick<StringLiteral>(headers).split('\n');
      return std::make_pair(version.str(), target.str());
    }();
    return;
  }
}

/// Puts braces, or the markers of inline assembly, around some lines.
void Mutation::wrap() {
  size_t from = pickStatement();
  size_t to = std::min(lines.size(), from + 1 + random.below(8));
  bool braces = !random.oneIn(3);
  lines.insert(lines.begin() + to, braces ? "}" : "// end inline asm");
  lines.insert(lines.begin() + from, braces ? "{" : "// begin inline asm");
}

void Mutation::changeByte() {
  std::string &line = lines[pickLine()];
  if (line.empty())
    return;
  char &c = line[random.below(line.size())];
  c = random.oneIn(16) ? char(random.below(256)) : char(' ' + random.below(95));
}

void Mutation::change() {
  size_t at = pickLine(), other = pickLine();
  switch (random.below(20)) {
  case 0:
    if (lines.size() > headerEnd + 1)
      lines.erase(lines.begin() + at);
    return;
  case 1:
    lines.insert(lines.begin() + at, lines[other]);
    return;
  case 2:
    std::swap(lines[at], lines[other]);
    return;
  case 3:
    return random.oneIn(4) ? changeHeader() : insertInstruction();
  case 4:
    return wrap();
  case 5:
  case 6:
    return insertLabel();
  case 7:
  case 8:
    return changeMnemonic();
  case 9:
  case 10:
    return changeTokens();
  case 11:
    return random.oneIn(4) ? changeByte() : changeTokens();
  default:
    return insertInstruction();
  }
}

void Mutation::takeFrom(StringRef other) {
  SmallVector<StringRef, 64> theirs;
  other.split(theirs, '\n');
  size_t from = random.below(theirs.size());
  size_t count = 1 + random.below(16);
  size_t at = pickStatement();
  for (size_t i = from; i < std::min(from + count, theirs.size()); ++i)
    lines.insert(lines.begin() + at++, theirs[i].str());
}

std::string fuzzing::mutate(StringRef text, uint64_t seed) {
  Mutation mutation(text, seed);
  for (size_t i = 0, e = 1 + Random(~seed).below(3); i < e; ++i)
    mutation.change();
  return mutation.finish();
}

std::string fuzzing::crossOver(StringRef text, StringRef other, uint64_t seed) {
  Mutation mutation(text, seed);
  mutation.takeFrom(other);
  return mutation.finish();
}
