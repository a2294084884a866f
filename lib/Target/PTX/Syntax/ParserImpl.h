//===- ParserImpl.h - State of the PTX parser -------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the text with one token of look-ahead: names are resolved and
// instructions matched as they are read, only labels wait for the end of their
// scope. The members are grouped by the file that defines them.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_LIB_TARGET_PTX_SYNTAX_PARSERIMPL_H
#define PTXBENCH_LIB_TARGET_PTX_SYNTAX_PARSERIMPL_H

#include "Lexer.h"
#include "NameTable.h"
#include "ptxbench/Support/Spelling.h"
#include "ptxbench/Target/PTX/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <tuple>

namespace ptxbench::syntax {

/// An operand as parsed, before its pattern is known: the node, and what the
/// checks want to know beside it.
struct ParsedNode {
  OperandNode node;
  /// Use: index of the declaration. Symbol: index of the variable or function.
  uint32_t decl = 0;
  NameEntry::Kind nameKind = NameEntry::Register;
  /// A name that nothing visible declares: a label, a list, or a mistake.
  bool unresolved = false;
  /// The literal was written with a minus or is an expression's value.
  bool signedLiteral = false;
  /// A decimal floating-point literal, which fits both f32 and f64.
  bool decimal = false;
  /// A register to which a constant is added; `sums` has it.
  bool isSum = false;
};

/// The pattern of one operand under the modifiers of one mnemonic.
struct ResolvedOperand {
  const OperandPattern *pattern;
  DataType type;
  /// The pattern gives a type.
  bool typed;
  uint16_t count;
  /// That the pattern is known changes the operand's nodes.
  bool needsCommit = false;
  /// The type of register that was last found to fit, outside of vectors and
  /// in them.
  mutable DataType accepted[2];
  /// A special register may stand here by itself; the address of a variable
  /// or function.
  bool takesSpecial = false, takesSymbol = false;
  /// Addresses: where their variable is; None: anywhere, with `isGeneric` where
  /// generic addresses are.
  StateSpace space = StateSpace::None;
  bool isGeneric = false;
  /// Addresses: their register has the width of the module's addresses.
  bool isFullWidth = false;
  /// The first coordinate is an index into an array of textures.
  bool indexed = false;
};

/// One form that the modifiers of a mnemonic fit.
struct Candidate {
  uint16_t form;
  ModMatch match;
  std::vector<ResolvedOperand> operands;
  unsigned numOptional = 0;
  /// What the slot `space` holds; None: the address is generic, or several
  /// spaces are named.
  StateSpace space = StateSpace::None;
  /// Empty if the module's version and target have the form.
  std::string requirement;
};

/// What is known about one mnemonic, computed once for each spelling.
struct MnemonicInfo {
  bool known = false;
  Opcode opcode{};
  llvm::ArrayRef<Mod> mods;
  std::vector<Candidate> candidates;
  /// Some form has the modifiers in this order, or it has been said that none
  /// has.
  bool inOrder = true;
};

class ParserImpl {
public:
  ParserImpl(llvm::MemoryBufferRef buffer, const LineTable &lines,
             const ParseOptions &options);

  /// Diagnostics stand in `diagnostics` afterwards, in the order of the text.
  std::unique_ptr<Module> parse();

  struct PendingDiagnostic {
    SourceOffset offset;
    Diagnostic diagnostic;
  };
  std::vector<PendingDiagnostic> diagnostics;
  bool hadError() const { return numErrors != 0; }

private:
  //===--- ModuleParser.cpp ----------------------------------------------===//
  void advance() { lexer.next(token); }
  llvm::StringRef text(const Token &t) const {
    return buffer.substr(t.offset, t.length);
  }
  llvm::StringRef spelling() const { return text(token); }
  bool is(TokenKind kind) const { return token.kind == kind; }
  bool isDirective(llvm::StringRef name) const {
    return is(TokenKind::Directive) && spelling() == name;
  }
  bool consumeIf(TokenKind kind) {
    if (!is(kind))
      return false;
    previousEnd = token.offset + token.length;
    advance();
    return true;
  }
  bool consumeDirective(llvm::StringRef name) {
    return isDirective(name) && consumeIf(TokenKind::Directive);
  }
  /// False and an error if the token is another.
  bool expect(TokenKind kind, const char *what);
  /// The statement from `start` on was read to its end, so what follows is the
  /// next one.
  bool isComplete(SourceOffset start) const {
    return previousEnd > start && buffer[previousEnd - 1] == ';';
  }
  /// Reports at the end of the previous token if a `;` is missing.
  bool expectSemi() {
    return consumeIf(TokenKind::Semi) || reportMissingSemi();
  }
  bool reportMissingSemi();
  void error(SourceOffset offset, uint32_t length, const llvm::Twine &message,
             const llvm::Twine &hint = "");
  void errorHere(const llvm::Twine &message, const llvm::Twine &hint = "");
  void warning(SourceOffset offset, uint32_t length,
               const llvm::Twine &message);
  bool tooManyErrors() const { return numErrors >= options.maxErrors; }
  llvm::StringRef save(llvm::StringRef text);
  template <typename T> llvm::ArrayRef<T> save(llvm::ArrayRef<T> values) {
    T *copy = module->arena.Allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), copy);
    return {copy, values.size()};
  }

  /// "did you mean '.b32'?" for the spelling at hand; empty: none is near.
  std::string suggest(llvm::ArrayRef<llvm::StringRef> known) const;
  /// ptxas takes no byte above 0x7F, not even in a comment.
  void checkASCII();
  /// What the token is, for "expected … but got …".
  std::string describeToken() const;
  void parseHeader();
  bool parseTarget();
  void parseModuleItem();
  void finishModule();
  void parseFunction(Linkage linkage, SourceOffset loc);
  bool parseFunctionHeader(Function &function);
  bool parseParameterList(Function &function, bool results);
  bool parseParameter(Function &function, bool results);
  void declareFunction(Function &function, uint32_t index);
  void declareParameters(Function &function);
  void skipModuleItem();

  //===--- ModuleDirectives.cpp ------------------------------------------===//
  void parseFile();
  void parseVerbatimSection();
  bool parseSectionRow();
  bool parseSectionAddress();
  void parseAlias();
  void parseModulePragma();
  void addVerbatim(SourceOffset start);

  //===--- FunctionDirectives.cpp ----------------------------------------===//
  bool parseFunctionDirective(Function &function);
  bool parseFunctionPragma(Function &function, SourceOffset loc);
  void checkFunctionDirectives(Function &function);
  bool requireFeature(Token at, llvm::StringRef what, PTXVersion version,
                      uint16_t sm);

  //===--- SignatureChecks.cpp -------------------------------------------===//
  static bool hasSameSignature(const Function &a, const Function &b);
  void checkRedeclaration(const Function &first, const Function &second);
  bool checkCall(Token mnemonic);
  bool checkArguments(Token mnemonic, const Function &signature,
                      llvm::ArrayRef<unsigned> results,
                      llvm::ArrayRef<unsigned> arguments);
  bool checkArgument(const ParsedNode &argument, const VarDecl &formal);

  //===--- VariableParser.cpp --------------------------------------------===//
  bool parseType(DataType &type, llvm::StringRef &name, uint8_t &vector);
  bool isHeaderName(llvm::StringRef name) const {
    return scopes.size() == 1 && headerNames.contains(name);
  }
  /// Whether the scope at hand has a label or list of that name.
  bool isLabelHere(llvm::StringRef name) const {
    return scopes.back().seen.contains(name);
  }
  static bool isRegisterType(DataType type, llvm::StringRef name,
                             uint8_t vector);
  /// After the state space: alignment, type, and one or more names.
  void parseVariables(StateSpace space, Linkage linkage, bool inFunction);
  bool parseExtents(VarDecl &var);
  bool parseAlignment(uint32_t &align);
  /// At a name that is declared: an identifier, but for those that ptxas keeps.
  bool expectName(const llvm::Twine &what);
  /// The parameters of an entry take no more bytes than the target has.
  bool checkParameterSpace(const Function &function);
  bool parseAttribute(llvm::StringRef &written, bool isFunction);
  bool parseInitializer(VarDecl &var);
  bool parseInitializerElement(VarDecl &var);
  bool parseInitializerSymbol(VarDecl &var, Initializer &element);
  void parseRegisters();
  static StateSpace getStateSpace(llvm::StringRef directive);

  //===--- ConstantExpression.cpp ----------------------------------------===//
  struct Constant {
    enum Kind : uint8_t { Int, F32, F64, Decimal } kind = Int;
    uint64_t bits = 0;
    bool isSigned = true;
    double asDouble() const;
  };
  /// Whether a constant expression can start with the token.
  bool startsConstant() const;
  /// An expression; none and an error if there is none.
  std::optional<Constant> parseConstant();
  std::optional<Constant> parseConstantBinary(unsigned minPrecedence);
  std::optional<Constant> parseConstantUnary();
  std::optional<Constant> parseConstantConditional();
  std::optional<Constant> parseLiteral();
  /// A plain unsigned number.
  std::optional<uint64_t> parseNumber(const char *what);
  /// The same of 32 bits.
  std::optional<uint32_t> parseNumber32(const char *what);
  unsigned constantDepth = 0;

  //===--- BodyParser.cpp ------------------------------------------------===//
  void parseBody(Function &function);
  void parseStatement();
  void parseBodyDirective();
  void parseLoc();
  llvm::StringRef declareLabel(Token name);
  /// `region` is the one of the name; the lexer may be out of it already.
  void parseLabel(Token name, uint32_t region);
  /// What a name in front of `.branchtargets` and its like stands for.
  struct NamedList {
    enum Kind : uint8_t { BranchTargets, CallTargets, Prototype } kind;
    /// Index into Function::labelLists, callTargets, prototypes.
    uint32_t index = 0;
    /// Export spelling.
    llvm::StringRef unique;
  };
  bool parseLabelList(Token name, uint32_t region);
  void parseBranchTargets(Token name, NamedList named, uint32_t region);
  bool parseCallTargets();
  bool parsePrototype(llvm::StringRef name);
  /// The list of that name that the scopes at hand have declared so far.
  const NamedList *findList(llvm::StringRef name) const;
  /// An operand of the instruction at hand that is a register and a constant.
  struct Sum {
    unsigned node;
    int64_t offset;
  };
  void addSum(const Sum &sum, uint32_t region);
  void parseInstruction();
  void addStatement(Statement::Kind kind, uint32_t index, SourceOffset loc,
                    uint32_t inlineAsm) {
    // In place: a copy would wait for its parts.
    Statement &statement = statements.emplace_back();
    statement.kind = kind;
    statement.loc = loc;
    statement.inlineAsm = inlineAsm;
    statement.index = index;
  }
  void addInstruction(const Instruction &inst, SourceOffset loc,
                      uint32_t inlineAsm) {
    addStatement(Statement::Inst, insts.size(), loc, inlineAsm);
    Instruction &copy = insts.emplace_back();
    copy.opcode = inst.opcode;
    copy.form = inst.form;
    copy.guard = inst.guard;
    copy.guardNegated = inst.guardNegated;
    copy.mods = inst.mods;
    copy.operands = inst.operands;
  }
  void recover();
  void openScope(SourceOffset loc);
  void closeScope();
  void finishBody();
  /// The mnemonic, and where it stands.
  llvm::StringRef takeMnemonic(Token &whole);
  void noteName(llvm::StringRef name, bool numbered, uint32_t count);
  /// A spelling that no other name of the function has.
  llvm::StringRef uniqueName(llvm::StringRef name, bool numbered,
                             uint32_t count);

  //===--- OperandParser.cpp ---------------------------------------------===//
  bool parseOperands(bool isCall);
  bool parseOperand(bool isCall);
  bool parseAddress();
  bool parseAddressBase();
  bool parseOffsets(int64_t &value, bool &hasOffset);
  bool parseSum(unsigned node);
  bool parseNested(TokenKind close, OperandKind kind);
  bool parseNamedOperand();
  /// Takes the token if it is one of numbered registers; else false, and
  /// nothing is done.
  bool takeNumberedRegister();
  /// `what` may stand here, for the error.
  bool parseLiteralOperand(const char *what = "a register or a constant");
  void pushName(Token name);
  void takeSelector(unsigned start);
  void pushSelected(unsigned at, int64_t selector, SourceOffset loc);
  bool parsePair(unsigned start);
  bool parseMinus();
  void reportUndeclared(Token name, bool isFunction = false);
  /// At a minus behind the base of an address: offsets are only added.
  bool refuseMinus();

  //===--- MnemonicMatcher.cpp -------------------------------------------===//
  MnemonicInfo &getMnemonic(llvm::StringRef mnemonic);
  MnemonicInfo &findMnemonic(llvm::StringRef mnemonic);
  void resolveMnemonic(llvm::StringRef mnemonic, MnemonicInfo &info);
  void resolveOperand(Opcode opcode, llvm::ArrayRef<Mod> mods,
                      ResolvedOperand &operand) const;
  void reportMnemonic(llvm::StringRef mnemonic, SourceOffset loc);

  //===--- InstructionMatcher.cpp ----------------------------------------===//
  bool matchInstruction(MnemonicInfo &info, const Token &mnemonic,
                        Instruction &inst);
  bool reportUndeclaredOperand();
  void reportMismatch(const MnemonicInfo &info, Token mnemonic);
  bool reportValueNeeds(const MnemonicInfo &info, const Candidate &fits);
  bool checkUnified(Opcode opcode, StateSpace space);
  struct Mismatch {
    /// Index of the written operand, or the number of them.
    unsigned operand = 0;
    SourceOffset offset = 0;
    std::string message;
  };
  bool matchCandidate(const Candidate &candidate, Mismatch *mismatch);

  //===--- OperandMatcher.cpp --------------------------------------------===//
  bool matchOperand(const Candidate &candidate, const ResolvedOperand &expected,
                    unsigned node, std::string *why);
  bool matchValue(const ResolvedOperand &expected, unsigned node, bool inVector,
                  std::string *why);
  bool matchRegister(const ResolvedOperand &expected, ParsedNode &parsed,
                     bool inVector, std::string *why);
  bool matchLiteral(const ResolvedOperand &expected, ParsedNode &parsed,
                    std::string *why);
  /// Finds the one type of `count` elements from `node` on; false if they have
  /// none. Where they are of several types, `mixedVector` is set.
  bool joinElements(unsigned node, unsigned count, std::string *why);
  DataType getRegisterType(const ParsedNode &parsed, bool inVector) const;
  bool matchVector(const ResolvedOperand &expected, unsigned node,
                   unsigned count, std::string *why);
  bool matchSymbol(const ResolvedOperand &expected, const ParsedNode &parsed,
                   bool inVector, std::string *why) const;
  bool matchAddress(const Candidate &candidate, const ResolvedOperand &expected,
                    unsigned node, std::string *why);
  bool matchList(const ResolvedOperand &expected, unsigned node,
                 std::string *why);
  void commitOperand(const ResolvedOperand &expected, unsigned node,
                     unsigned end);
  const VarDecl *getVariable(const ParsedNode &parsed) const;

  //===--- HandleMatcher.cpp ---------------------------------------------===//
  bool checkMinus(Opcode opcode);
  bool matchHandle(const ResolvedOperand &expected, unsigned node,
                   std::string *why);

  //===--- State ---------------------------------------------------------===//
  llvm::StringRef buffer;
  const LineTable &lines;
  ParseOptions options;
  std::unique_ptr<Module> module;
  Lexer lexer;
  Token token;
  /// End of the last token that was taken.
  SourceOffset previousEnd = 0;
  unsigned numErrors = 0;

  NameTable names;
  llvm::DenseSet<uint64_t> fileIndices;
  llvm::StringSet<> aliases;
  llvm::StringMap<MnemonicInfo> mnemonics;
  struct RecentMnemonic {
    llvm::StringRef spelling;
    MnemonicInfo *info = nullptr;
  };
  RecentMnemonic recentMnemonics[128];
  /// Labels of debug sections, and the uses of such in `function_name`.
  llvm::StringSet<> debugLabels;
  std::vector<std::pair<llvm::StringRef, SourceOffset>> debugLabelUses;
  /// Files, lines and columns of the `.loc` directives so far.
  llvm::DenseSet<std::tuple<uint64_t, uint64_t, uint64_t>> locPlaces;
  /// The first argument of a call that the ABI does not pass, being a number of
  /// fewer than 32 bits or a predicate, and the name of its parameter.
  std::optional<std::pair<SourceOffset, llvm::StringRef>> narrowArgument;

  /// Operands of the instruction at hand, in preorder, and the starts of its
  /// top-level ones.
  llvm::SmallVector<ParsedNode, 160> nodes;
  llvm::SmallVector<uint32_t, 8> operandStarts;
  /// For each, the pattern by which the last candidate that fits takes it.
  llvm::SmallVector<const ResolvedOperand *, 8> matched;
  llvm::SmallVector<Sum, 1> sums;
  /// What few instructions have: `[a].unified`, a decimal floating-point
  /// literal.
  bool hasUnified = false, hasDecimal = false;
  /// Within a vector of registers of several types: the one that it has.
  std::optional<DataType> mixedVector;
  /// Braces that the operand at hand has open, for the recovery.
  unsigned openBraces = 0;

  //===--- State of a function -------------------------------------------===//
  Function *current = nullptr;
  /// Its instructions and statements so far: the memory of the last function's
  /// is used again.
  std::vector<Instruction> insts;
  std::vector<Statement> statements;
  llvm::StringSet<> usedNames;
  /// Names of results and parameters: the outermost scope of the body cannot
  /// declare them again, nested ones can.
  llvm::StringSet<> headerNames;
  /// Prefixes of numbered registers, with how many there are.
  llvm::StringMap<uint32_t> usedPrefixes;
  /// By a prefix, the smallest number behind it that makes a used name.
  llvm::StringMap<uint32_t> smallestNumbers;
  unsigned freshNames = 0;
  /// Labels a scope has declared, with the position where the scope starts.
  struct ScopeLabels {
    uint32_t firstReference;
    SourceOffset loc;
    llvm::StringSet<> seen;
    std::vector<std::pair<llvm::StringRef, uint32_t>> labels;
    llvm::StringMap<NamedList> lists;
  };
  std::vector<ScopeLabels> scopes;
  /// References by name that have not met their label yet; `sequence` grows
  /// with the text.
  struct LabelReference {
    uint32_t sequence;
    SourceOffset loc;
    OperandNode *node;
    /// Else the element of a label list.
    uint32_t list, element;
  };
  llvm::StringMap<std::vector<LabelReference>> labelReferences;
  uint32_t labelSequence = 0;
  llvm::StringSet<> usedLabels;
  std::vector<Function> prototypes;
  std::vector<llvm::SmallVector<uint32_t, 2>> callTargets;
  /// Of the instruction at hand.
  Opcode opcode{};
};

/// A special register of the ISA.
struct SpecialRegister {
  DataType type;
  /// 4 for `%tid` and its like as a whole; 0: no vector, or an element.
  uint8_t elements = 0;
  PTXVersion version = 0;
  uint16_t sm = 0;
  /// The spelling, of elements with x, y, z or w.
  llvm::StringRef name;

  /// Whether `mov` reads it as a type of this width, too.
  bool isAlsoOf(unsigned width) const;
};

/// The special register of that name, if there is one.
std::optional<SpecialRegister> getSpecialRegister(llvm::StringRef name);
/// The name of element `index` of a vector register: "%tid.x".
llvm::StringRef getSpecialElement(llvm::StringRef base, unsigned index);

/// What a form with these modifiers needs that the module lacks, as the rest of
/// a sentence about the mnemonic; empty: nothing.
std::string getRequirement(const InstForm &form, llvm::ArrayRef<Mod> mods,
                           const Module &module);

/// Whether the geometry is one of arrays: `a1d`, `acube`.
bool isArrayGeometry(const ModMatch &match, llvm::ArrayRef<Mod> mods);

/// ".b0 to .b3, .h0 and .h1".
llvm::StringRef describeSelectors(SelectorKind kind);

/// The names of special registers without a number.
llvm::ArrayRef<llvm::StringRef> getSpecialRegisterNames();

} // namespace ptxbench::syntax

#endif // PTXBENCH_LIB_TARGET_PTX_SYNTAX_PARSERIMPL_H
