//===- Export.cpp - From the ptx dialect to PTX text ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module level: header, variables, function signatures. Bodies are written by
// FunctionExporter.cpp.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Target/PTX/Export.h"
#include "FunctionExporter.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace ptxbench {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

namespace {

/// Writes the elements of an initialiser, with braces by the extents.
class InitPrinter {
public:
  InitPrinter(raw_ostream &os, Attribute init, StringRef type)
      : os(os), type(type), words(dyn_cast<DenseI64ArrayAttr>(init)),
        elements(dyn_cast<ArrayAttr>(init)) {}

  void print(ArrayRef<int64_t> extents) {
    if (extents.empty()) {
      if (next < size())
        printElement(next++);
      return;
    }
    os << "{";
    // An extent of 0 is open: it takes all there is.
    int64_t count = extents.front() ? extents.front() : INT64_MAX;
    for (int64_t i = 0; i < count && next < size(); ++i) {
      if (i)
        os << ", ";
      print(extents.drop_front());
    }
    os << "}";
  }

private:
  size_t size() const { return words ? words.size() : elements.size(); }

  void printNumber(StringRef kind, uint64_t bits) {
    if (kind == "f32")
      os << "0f" << llvm::format_hex_no_prefix(uint32_t(bits), 8, true);
    else if (kind == "f64")
      os << "0d" << llvm::format_hex_no_prefix(bits, 16, true);
    else if (type.starts_with("u") || type.starts_with("b"))
      os << bits;
    else
      printInt(os, bits);
  }

  void printElement(size_t index) {
    if (words)
      return printNumber("int", words[index]);
    auto init = cast<ptx::InitAttr>(elements[index]);
    if (!init.getSymbol())
      return printNumber(init.getKind(), init.getValue());
    if (init.getMask())
      os << llvm::format_hex(init.getMask(), 0) << "(";
    bool generic = init.getKind() == "generic";
    os << (generic ? "generic(" : "") << init.getSymbol().getValue()
       << (generic ? ")" : "");
    if (init.getValue())
      os << "+" << init.getValue();
    if (init.getMask())
      os << ")";
  }

  raw_ostream &os;
  StringRef type;
  DenseI64ArrayAttr words;
  ArrayAttr elements;
  size_t next = 0;
};

} // namespace

void printVar(raw_ostream &os, ptx::VarAttr var, StringRef linkage,
              Attribute init) {
  if (!linkage.empty())
    os << "." << linkage << " ";
  os << "." << var.getSpace();
  if (var.getAttribute())
    os << " " << var.getAttribute().getValue();
  // `.ptr` stands between a parameter's type and its own alignment.
  if (var.getAlign() && !var.getPtr())
    os << " .align " << var.getAlign();
  if (var.getVec())
    os << " .v" << var.getVec();
  os << " ." << var.getType();
  if (var.getPtr())
    os << " .ptr" << (var.getPtr().empty() ? "" : " ")
       << var.getPtr().getValue();
  os << " " << var.getName();
  for (int64_t extent : var.getExtents()) {
    os << "[";
    if (extent)
      os << extent;
    os << "]";
  }
  if (!init)
    return;
  os << " = ";
  SmallVector<int64_t> extents(var.getExtents());
  if (var.getVec())
    extents.push_back(var.getVec());
  InitPrinter(os, init, var.getType()).print(extents);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void printVarList(raw_ostream &os, ArrayAttr vars, StringRef separator) {
  bool first = true;
  for (auto var : vars.getAsRange<ptx::VarAttr>()) {
    if (!first)
      os << "," << separator;
    first = false;
    printVar(os, var, "", {});
  }
}

static void printSignature(raw_ostream &os, bool isEntry, StringRef name,
                           StringRef linkage, ArrayAttr params,
                           ArrayAttr results, ArrayAttr directives) {
  if (!linkage.empty())
    os << "." << linkage << " ";
  os << (isEntry ? ".entry " : ".func ");
  if (!results.empty()) {
    os << "(";
    printVarList(os, results, " ");
    os << ") ";
  }
  os << name;
  os << "(";
  if (!params.empty()) {
    os << "\n\t";
    printVarList(os, params, "\n\t");
    os << "\n";
  }
  os << ")\n";
  for (auto directive : directives.getAsRange<ptx::DirectiveAttr>()) {
    os << "." << directive.getName();
    bool first = true;
    for (int64_t value : directive.getValues()) {
      os << (first ? " " : ", ") << value;
      first = false;
    }
    if (directive.getText())
      os << " \"" << directive.getText().getValue() << "\";";
    os << "\n";
  }
}

template <typename FunctionOp>
static LogicalResult exportFunction(FunctionOp op, bool isEntry,
                                    raw_ostream &os) {
  printSignature(os, isEntry, op.getSymName(), op.getLinkage(), op.getParams(),
                 op.getFuncResults(), op.getDirectives());
  if (op.isExternal()) {
    os << ";\n";
    return success();
  }
  HeaderRegs header;
  auto collect = [](ArrayAttr vars, SmallVectorImpl<int64_t> &regs) {
    for (auto var : vars.getAsRange<ptx::VarAttr>())
      if (var.getReg() >= 0)
        for (unsigned i = 0, e = std::max(1u, unsigned(var.getVec())); i < e;
             ++i)
          regs.push_back(var.getReg() + i);
  };
  collect(op.getFuncResults(), header.results);
  collect(op.getParams(), header.params);
  return exportBody(op.getBody(), op.getRegs(), op.getBlockRegs(), header, os);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

static LogicalResult exportOp(Operation &op, raw_ostream &os) {
  if (auto var = dyn_cast<ptx::VarOp>(op)) {
    printVar(os, var.getDecl(), var.getLinkage(), var.getInitAttr());
    os << ";\n";
    return success();
  }
  if (auto file = dyn_cast<ptx::FileOp>(op)) {
    os << ".file " << file.getIndex() << " \"" << file.getName() << "\"";
    if (file.getTime())
      os << ", " << *file.getTime();
    if (file.getSize())
      os << ", " << *file.getSize();
    os << "\n";
    return success();
  }
  if (auto verbatim = dyn_cast<ptx::VerbatimOp>(op)) {
    os << verbatim.getText() << "\n";
    return success();
  }
  if (auto declare = dyn_cast<ptx::DeclareOp>(op)) {
    printSignature(os, declare.getEntry(), declare.getName(),
                   declare.getLinkage(), declare.getParams(),
                   declare.getFuncResults(), declare.getDirectives());
    os << ";\n";
    return success();
  }
  if (auto entry = dyn_cast<ptx::EntryOp>(op))
    return exportFunction(entry, true, os);
  if (auto func = dyn_cast<ptx::FuncOp>(op))
    return exportFunction(func, false, os);
  return op.emitOpError("has no PTX form at module level");
}

LogicalResult exportPTX(ModuleOp module, raw_ostream &os) {
  auto target = module->getAttrOfType<ptx::PTXTargetAttr>(ptx::kTargetAttrName);
  if (!target)
    return module.emitOpError("expected the attribute '")
           << ptx::kTargetAttrName << "' with a version and target";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << ".version " << target.getVersion() / 10 << "."
         << target.getVersion() % 10 << "\n.target " << target.getArch();
  for (StringAttr option : target.getOptions())
    stream << ", " << option.getValue();
  stream << "\n.address_size " << target.getAddressSize() << "\n\n";
  for (Operation &op : *module.getBody())
    if (failed(exportOp(op, stream)))
      return failure();
  os << text;
  return success();
}

} // namespace ptxbench
