//===- ConversionsGen.cpp - nvvm as PTX and back --------------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -gen-nvvm-conversions writes a table of the conversions: the texts, and what
// upstream's records say of the operation's operands, results and attributes,
// which MLIR does not know by name at run time.
//
//===----------------------------------------------------------------------===//

#include "ConversionRecords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/TableGenBackend.h"

using namespace llvm;

namespace ptxbench::tblgen {

template <typename Fn>
static void forEachInOrder(const RecordKeeper &records, StringRef className,
                           Fn fn) {
  std::vector<const Record *> found(
      records.getAllDerivedDefinitions(className));
  llvm::sort(found, [](const Record *a, const Record *b) {
    return a->getID() < b->getID();
  });
  for (const Record *record : found)
    fn(record);
}

ConversionRecords collectConversions(const RecordKeeper &records) {
  ConversionRecords result;
  auto add = [&](StringMap<const Record *> &map, const Record *record) {
    StringRef name = record->getValueAsString("operation");
    if (result.converted.contains(name) || result.left.contains(name))
      PrintFatalError(record->getLoc(), "'" + name + "' has a record already");
    map[name] = record;
  };
  forEachInOrder(records, "PTX_Conversion", [&](const Record *record) {
    add(result.converted, record);
    result.ordered.push_back(record);
  });
  forEachInOrder(records, "PTX_NoConversion",
                 [&](const Record *record) { add(result.left, record); });
  StringSet<> counterparts;
  forEachInOrder(records, "PTX_Counterpart", [&](const Record *record) {
    StringRef name = record->getValueAsString("operation");
    counterparts.insert(name);
    if (name.starts_with("nvvm.") && !result.converted.contains(name) &&
        !result.left.contains(name))
      PrintFatalError(record->getLoc(),
                      "'" + name + "' has no record in PTXConversions.td");
  });
  for (const Record *record : result.ordered)
    if (StringRef name = record->getValueAsString("operation");
        !counterparts.contains(name))
      PrintFatalError(record->getLoc(), "'" + name + "' has no counterpart");
  return result;
}

} // namespace ptxbench::tblgen

using namespace ptxbench::tblgen;

namespace {

class TableEmitter {
public:
  TableEmitter(const RecordKeeper &records, raw_ostream &os)
      : records(records), os(os) {}
  void emit();

private:
  void emitEnum(const Record *attr);
  void emitOp(const Record *conversion, const Record *op, unsigned number);
  void checkNames(const Record *conversion,
                  const StringMap<const Record *> &names);

  const RecordKeeper &records;
  raw_ostream &os;
  StringMap<const Record *> ops;
  SetVector<const Record *> enums;
  /// By the name of a table: whether it would be empty.
  StringMap<bool> emptyLists;
};

} // namespace

/// What an attribute is without a default and the like.
static const Record *getBaseAttr(const Record *attr) {
  while (const RecordVal *base = attr->getValue("baseAttr")) {
    auto *def = dyn_cast<DefInit>(base->getValue());
    if (!def || def->getDef() == attr)
      break;
    attr = def->getDef();
  }
  return attr;
}

/// The names of the types that a constraint takes: "I32|F32".
static std::string getTypeNames(const Record *type) {
  if (type->isSubClassOf("Optional") || type->isSubClassOf("Variadic"))
    return getTypeNames(type->getValueAsDef("baseType"));
  if (!type->isAnonymous())
    return type->getName().str();
  std::string names;
  if (type->getValue("allowedTypes"))
    for (const Record *allowed : type->getValueAsListOfDefs("allowedTypes"))
      names += (names.empty() ? "" : "|") + getTypeNames(allowed);
  return names;
}

static StringRef getArity(const Record *type) {
  return type->isSubClassOf("Optional")   ? "Optional"
         : type->isSubClassOf("Variadic") ? "Variadic"
                                          : "Single";
}

void TableEmitter::emitEnum(const Record *attr) {
  const Record *info = attr->getValueAsDef("enum");
  StringRef name = info->getValueAsString("className");
  StringRef attrName = attr->getValueAsString("cppClassName");
  os << "static constexpr EnumCase k" << name << "Cases[] = {\n";
  for (const Record *one : info->getValueAsListOfDefs("enumerants"))
    os << "{\"" << one->getValueAsString("str") << "\", "
       << one->getValueAsInt("value") << "},\n";
  os << "};\n"
     << "static constexpr EnumDesc k" << name << "Enum = {k" << name
     << "Cases,\n"
     << "[](mlir::Attribute attr) -> llvm::StringRef {\n"
     << "  auto known = mlir::dyn_cast<mlir::NVVM::" << attrName << ">(attr);\n"
     << "  return known ? mlir::NVVM::stringify" << name
     << "(known.getValue()) : \"\";\n},\n"
     << "[](mlir::MLIRContext *context, llvm::StringRef word) {\n"
     << "  auto value = mlir::NVVM::symbolize" << name << "(word);\n"
     << "  return value ? mlir::Attribute(mlir::NVVM::" << attrName
     << "::get(context, *value))\n"
     << "               : mlir::Attribute();\n}};\n";
}

/// The words in front of the cases of a choice by an attribute, which begins
/// behind its name.
static SmallVector<StringRef> getCaseWords(StringRef text) {
  SmallVector<StringRef> words;
  unsigned depth = 0;
  bool isStart = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (isStart) {
      words.push_back(
          text.drop_front(i).take_until([](char c) { return c == ':'; }));
      isStart = false;
    }
    if (text[i] == '>' && depth-- == 0)
      break;
    depth += text[i] == '<';
    isStart = text[i] == ';' && depth == 0;
  }
  return words;
}

/// Whether an attribute may have a word.
static bool hasWord(const Record *attr, StringRef word) {
  if (word == "*" || word == "-")
    return true;
  // Upstream's records do not say which types there are.
  if (attr->getName() == "TypeAttr")
    return isAlpha(word.front());
  if (!attr->isSubClassOf("EnumAttr"))
    return word == "true" || word == "false";
  return llvm::any_of(
      attr->getValueAsDef("enum")->getValueAsListOfDefs("enumerants"),
      [&](const Record *one) { return one->getValueAsString("str") == word; });
}

/// Whether all names in the texts are those of the operation, and all cases
/// words of their attributes.
void TableEmitter::checkNames(const Record *conversion,
                              const StringMap<const Record *> &names) {
  for (StringRef text : conversion->getValueAsListOfStrings("templates"))
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '$' && text[i] != '<')
        continue;
      StringRef rest = text.drop_front(i + 1).ltrim("=!:#@%{");
      StringRef name = rest.take_while(
          [](char c) { return isAlnum(c) || c == '_' || c == '~'; });
      if (!name.empty() && !name.starts_with("~") && !names.contains(name))
        PrintFatalError(conversion->getLoc(),
                        "the operation has no '" + name + "'");
      const Record *attr = names.lookup(name);
      StringRef behind = text.drop_front(i + 1);
      if (text[i] != '<' || !attr || !behind.consume_front(name) ||
          !behind.consume_front(" "))
        continue;
      for (StringRef word : getCaseWords(behind))
        if (!hasWord(attr, word))
          PrintFatalError(conversion->getLoc(),
                          "'" + name + "' is never '" + word + "'");
    }
}

void TableEmitter::emitOp(const Record *conversion, const Record *op,
                          unsigned number) {
  // With the record of an attribute.
  StringMap<const Record *> names;
  std::string operands, results, attrs;
  auto addType = [&](std::string &list, const Record *type, StringRef name) {
    names[name] = nullptr;
    list += ("{\"" + name + "\", Arity::" + getArity(type) + ", \"" +
             getTypeNames(type) + "\"},\n")
                .str();
  };
  auto forEachArg = [](const DagInit *dag, auto fn) {
    for (unsigned i = 0; i < dag->getNumArgs(); ++i) {
      auto *def = dyn_cast<DefInit>(dag->getArg(i));
      if (def)
        fn(def->getDef(), dag->getArgNameStr(i));
    }
  };
  forEachArg(op->getValueAsDag("arguments"), [&](const Record *def,
                                                 StringRef name) {
    if (def->isSubClassOf("TypeConstraint"))
      return addType(operands, def, name);
    const Record *base = getBaseAttr(def);
    std::string kind;
    if (base->isSubClassOf("EnumAttr"))
      kind =
          ("AttrKind::Enum, &k" +
           base->getValueAsDef("enum")->getValueAsString("className") + "Enum")
              .str();
    else
      kind = StringSwitch<std::string>(base->getName())
                 .Case("UnitAttr", "AttrKind::Unit, nullptr")
                 .Cases({"BoolAttr", "I1Attr"}, "AttrKind::Bool, nullptr")
                 .Case("TypeAttr", "AttrKind::Type, nullptr")
                 .Case("I16Attr", "AttrKind::I16, nullptr")
                 .Case("I32Attr", "AttrKind::I32, nullptr")
                 .Case("I64Attr", "AttrKind::I64, nullptr")
                 .Case("NVVM_MMAShapeAttr", "AttrKind::Shape3, nullptr")
                 .Case("LdStMatrixShapeAttr", "AttrKind::Shape2, nullptr")
                 .Default("");
    // No text can name it, then.
    if (kind.empty())
      return;
    names[name] = base;
    attrs += ("{\"" + name + "\", " + kind + "},\n").str();
  });
  forEachArg(
      op->getValueAsDag("results"),
      [&](const Record *def, StringRef name) { addType(results, def, name); });
  checkNames(conversion, names);

  auto emitList = [&](StringRef type, StringRef name, StringRef list) {
    std::string array = (name + Twine(number)).str();
    emptyLists[array] = list.empty();
    if (!list.empty())
      os << "static constexpr " << type << " k" << name << number << "[] = {\n"
         << list << "};\n";
  };
  emitList("ValueDesc", "Operands", operands);
  emitList("ValueDesc", "Results", results);
  emitList("AttrDesc", "Attrs", attrs);
  os << "static constexpr llvm::StringLiteral kTexts" << number << "[] = {\n";
  for (StringRef text : conversion->getValueAsListOfStrings("templates"))
    os << "R\"(" << text << ")\",\n";
  os << "};\n";
}

void TableEmitter::emit() {
  emitSourceFileHeader("Operations of nvvm as PTX", os);
  for (const Record *op : records.getAllDerivedDefinitions("Op")) {
    const Record *dialect = op->getValueAsDef("opDialect");
    if (dialect->getValueAsString("name") == "nvvm")
      ops[("nvvm." + op->getValueAsString("opName")).str()] = op;
  }
  std::vector<std::pair<const Record *, const Record *>> found;
  for (const Record *conversion : collectConversions(records).ordered) {
    StringRef name = conversion->getValueAsString("operation");
    const Record *op = ops.lookup(name);
    if (!op)
      PrintFatalError(conversion->getLoc(),
                      "upstream has no operation '" + name + "'");
    found.push_back({conversion, op});
    const DagInit *args = op->getValueAsDag("arguments");
    for (const Init *arg : args->getArgs())
      if (auto *def = dyn_cast<DefInit>(arg))
        if (const Record *base = getBaseAttr(def->getDef());
            base->isSubClassOf("EnumAttr"))
          enums.insert(base);
  }
  os << "#ifdef GET_NVVM_CONVERSION_PARTS\n";
  for (const Record *attr : enums)
    emitEnum(attr);
  for (auto [i, pair] : llvm::enumerate(found))
    emitOp(pair.first, pair.second, i);
  os << "#endif\n#ifdef GET_NVVM_CONVERSIONS\n";
  for (auto [i, pair] : llvm::enumerate(found)) {
    auto [conversion, op] = pair;
    auto list = [&, i = i](StringRef name) {
      std::string array = (name + Twine(i)).str();
      return emptyLists.lookup(array) ? "{}" : "k" + array;
    };
    bool hasSegments =
        llvm::any_of(op->getValueAsListOfDefs("traits"), [](const Record *t) {
          return t->getName() == "AttrSizedOperandSegments";
        });
    os << "{\"" << conversion->getValueAsString("operation") << "\", "
       << list("Operands") << ", " << list("Results") << ", " << list("Attrs")
       << ", " << (hasSegments ? "true" : "false") << ", kTexts" << i
       << ", R\"(" << conversion->getValueAsString("before") << ")\", R\"("
       << conversion->getValueAsString("after") << ")\", \""
       << conversion->getValueAsString("guard") << "\", "
       << (conversion->getValueAsBit("reads") ? "true" : "false") << ", "
       << (conversion->getValueAsBit("isVolatile") ? "true" : "false")
       << "},\n";
  }
  os << "#endif\n";
}

static void emitConversions(const RecordKeeper &records, raw_ostream &os) {
  TableEmitter(records, os).emit();
}

static TableGen::Emitter::Opt
    gen("gen-nvvm-conversions", emitConversions,
        "Generate the table of nvvm's operations as PTX");
