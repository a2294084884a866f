//===- ModuleDirectives.cpp - Files, sections, aliases, pragmas -----------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The directives of a module that declare neither functions nor variables.
// Most are kept as they are written once they are known to be well-formed.
//
//===----------------------------------------------------------------------===//

#include "ParserImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::syntax;

void ParserImpl::parseFile() {
  FileDirective file;
  file.loc = token.offset;
  advance();
  std::optional<uint32_t> index = parseNumber32("the index of the file");
  if (!index)
    return;
  file.index = *index;
  if (!is(TokenKind::String))
    return errorHere("expected the name of the file in quotes");
  file.name = spelling().drop_front().drop_back();
  consumeIf(TokenKind::String);
  if (consumeIf(TokenKind::Comma)) {
    file.time = parseNumber("a time stamp");
    if (!file.time)
      return;
    if (consumeIf(TokenKind::Comma)) {
      file.size = parseNumber("a file size");
      if (!file.size)
        return;
    }
  }
  if (!fileIndices.insert(file.index).second)
    return error(file.loc, 5,
                 "the file index " + Twine(file.index) + " is given twice");
  module->items.push_back(
      {ModuleItem::File, static_cast<uint32_t>(module->files.size())});
  module->files.push_back(std::move(file));
}

/// `.section name { … }`: debug data, kept as it is once it is known to be
/// well-formed: labels, and rows of numbers, labels and label differences.
void ParserImpl::parseVerbatimSection() {
  SourceOffset start = token.offset;
  advance();
  if (!is(TokenKind::Directive))
    return errorHere("expected the name of the section, with a dot");
  advance();
  if (!is(TokenKind::LBrace))
    return errorHere("expected '{' behind the name of the section");
  advance();
  while (!is(TokenKind::RBrace)) {
    if (is(TokenKind::Eof))
      return error(start, 8, "this section is never closed");
    if (!parseSectionRow()) {
      while (!is(TokenKind::RBrace) && !is(TokenKind::Eof))
        advance();
      break;
    }
  }
  consumeIf(TokenKind::RBrace);
  addVerbatim(start);
}

/// A label, or `.b8`/`.b16`/`.b32`/`.b64` and numbers or one address.
bool ParserImpl::parseSectionRow() {
  if (is(TokenKind::Identifier)) {
    if (!debugLabels.insert(spelling()).second) {
      errorHere("the label '" + spelling() + "' is declared twice");
      return false;
    }
    consumeIf(TokenKind::Identifier);
    return expect(TokenKind::Colon, "':' behind the label");
  }
  unsigned bits =
      StringSwitch<unsigned>(is(TokenKind::Directive) ? spelling() : "")
          .Case(".b8", 8)
          .Case(".b16", 16)
          .Case(".b32", 32)
          .Case(".b64", 64)
          .Default(0);
  if (bits == 0) {
    errorHere("expected a label or a row of .b8, .b16, .b32 or .b64 but got " +
              describeToken());
    return false;
  }
  advance();
  if (is(TokenKind::Identifier) || is(TokenKind::Directive)) {
    if (bits < 32) {
      errorHere("an address needs .b32 or .b64 but the row has .b" +
                Twine(bits));
      return false;
    }
    return parseSectionAddress();
  }
  do {
    Token start = token;
    bool negative = consumeIf(TokenKind::Minus);
    if (!is(TokenKind::Integer)) {
      errorHere("expected a number but got " + describeToken());
      return false;
    }
    std::optional<Constant> value = parseLiteral();
    if (!value)
      return false;
    int64_t number = negative ? -value->bits : value->bits;
    if (bits < 64 && (number >= int64_t(1) << bits ||
                      number < -(int64_t(1) << (bits - 1)))) {
      error(start.offset, previousEnd - start.offset,
            "the value " + Twine(number) + " does not fit into .b" +
                Twine(bits));
      return false;
    }
  } while (consumeIf(TokenKind::Comma));
  return true;
}

/// `label`, `label+4`, `label-label`, also with the name of a section.
bool ParserImpl::parseSectionAddress() {
  consumeIf(token.kind);
  bool isPlus = is(TokenKind::Plus);
  if (!isPlus && !is(TokenKind::Minus))
    return true;
  advance();
  if (is(isPlus ? TokenKind::Integer : TokenKind::Identifier))
    return consumeIf(token.kind);
  errorHere(isPlus ? "expected a number behind '+'"
                   : "expected a label behind '-'");
  return false;
}

/// `.alias a, b;`.
void ParserImpl::parseAlias() {
  SourceOffset start = token.offset;
  requireFeature(token, ".alias", 63, 30);
  advance();
  const Function *functions[2];
  Token at[2];
  for (unsigned i : {0, 1}) {
    if (i && !expect(TokenKind::Comma, "','"))
      return skipModuleItem();
    NameTable::Result known = is(TokenKind::Identifier)
                                  ? names.lookup(spelling())
                                  : NameTable::Result();
    if (!known.entry || known.entry->kind != NameEntry::Function)
      return errorHere("'" + spelling().take_front(40) +
                       "' is not a declared function"),
             skipModuleItem();
    functions[i] = &module->functions[known.entry->index];
    at[i] = token;
    consumeIf(TokenKind::Identifier);
  }
  auto fail = [&](unsigned i, const Twine &message) {
    error(at[i].offset, at[i].length, message);
  };
  for (unsigned i : {0, 1})
    if (functions[i]->isEntry)
      fail(i, "the entry '" + text(at[i]) + "' has no aliases and is none");
  if (functions[0]->hasBody)
    fail(0, "'" + text(at[0]) + "' has a body and cannot be an alias");
  else if (!aliases.insert(text(at[0])).second)
    fail(0, "'" + text(at[0]) + "' is an alias already");
  if (functions[1]->linkage == Linkage::Weak)
    fail(1, "'" + text(at[1]) + "' is '.weak' and has no aliases");
  if (!hasSameSignature(*functions[0], *functions[1]))
    fail(0, "'" + text(at[0]) + "' and '" + text(at[1]) +
                "' have different signatures");
  if (!expectSemi())
    return skipModuleItem();
  addVerbatim(start);
}

/// `.pragma "…";` at module level.
void ParserImpl::parseModulePragma() {
  SourceOffset start = token.offset;
  advance();
  do {
    if (!is(TokenKind::String))
      return errorHere("expected a string"), skipModuleItem();
    // Only this one speaks of a whole module.
    if (spelling() != "\"nounroll\"")
      errorHere("the pragma " + spelling().take_front(40) +
                " is not for modules");
    consumeIf(TokenKind::String);
  } while (consumeIf(TokenKind::Comma));
  if (!expectSemi())
    return skipModuleItem();
  addVerbatim(start);
}

void ParserImpl::addVerbatim(SourceOffset start) {
  module->items.push_back(
      {ModuleItem::Verbatim, static_cast<uint32_t>(module->verbatim.size())});
  module->verbatim.push_back(buffer.slice(start, previousEnd));
  module->verbatimLocs.push_back(start);
}
