//===- PtxasOutput.cpp - What ptxas says about a kernel -------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the lines. A message is "ptxas <severity> : text" or "ptxas
// file, line N; <severity> : text"; resources follow "Compiling entry function"
// in lines of their own. Front-end messages of nvcc have the form
// "file(line): severity [#code-D]: text".
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/PtxasOutput.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace ptxbench;

const char *ptxbench::stringifyToolSeverity(ToolSeverity severity) {
  switch (severity) {
  case ToolSeverity::Info:
    return "info";
  case ToolSeverity::Warning:
    return "warning";
  case ToolSeverity::Error:
    return "error";
  case ToolSeverity::Fatal:
    return "fatal";
  }
  return "";
}

PtxasRemark ptxbench::classifyRemark(const ToolDiagnostic &diagnostic) {
  StringRef text = diagnostic.text;
  if (text.contains("wgmma.mma_async instructions are serialized"))
    return PtxasRemark::WgmmaSerialized;
  if (text.contains("warpgroup.arrive is injected"))
    return PtxasRemark::ArriveInjected;
  if (text.contains("warpgroup.wait is injected"))
    return PtxasRemark::WaitInjected;
  if (text.contains("setmaxnreg") && text.contains("ignored"))
    return PtxasRemark::SetmaxnregIgnored;
  if (text.contains("Registers are spilled"))
    return PtxasRemark::Spill;
  return PtxasRemark::None;
}

const char *ptxbench::stringifyPtxasRemark(PtxasRemark remark) {
  switch (remark) {
  case PtxasRemark::None:
    return "";
  case PtxasRemark::WgmmaSerialized:
    return "wgmma-serialized";
  case PtxasRemark::ArriveInjected:
    return "arrive-injected";
  case PtxasRemark::WaitInjected:
    return "wait-injected";
  case PtxasRemark::SetmaxnregIgnored:
    return "setmaxnreg-ignored";
  case PtxasRemark::Spill:
    return "spill";
  }
  return "";
}

bool PtxasOutput::hasErrors() const {
  for (const ToolDiagnostic &diagnostic : diagnostics)
    if (diagnostic.severity >= ToolSeverity::Error)
      return true;
  return false;
}

const FunctionResources *PtxasOutput::findResources(StringRef function) const {
  for (const FunctionResources &entry : resources)
    if (entry.function == function)
      return &entry;
  return nullptr;
}

namespace {

/// Takes `severity` and the blanks and colon after it from the front of `text`.
std::optional<ToolSeverity> consumeSeverity(StringRef &text) {
  static constexpr std::pair<StringLiteral, ToolSeverity> names[] = {
      {"info", ToolSeverity::Info},
      {"warning", ToolSeverity::Warning},
      {"error", ToolSeverity::Error},
      {"fatal", ToolSeverity::Fatal},
  };
  for (auto [name, severity] : names) {
    StringRef rest = text;
    if (!rest.consume_front_insensitive(name))
      continue;
    rest = rest.ltrim();
    if (!rest.consume_front(":"))
      continue;
    text = rest.ltrim();
    return severity;
  }
  return std::nullopt;
}

/// The text between the first pair of single quotes.
StringRef quoted(StringRef text) {
  return text.split('\'').second.split('\'').first;
}

/// Reads the number in front of `unit` in a clause such as
/// "0 bytes spill stores".
std::optional<uint64_t> numberBefore(StringRef clause, StringRef unit) {
  clause = clause.trim();
  if (!clause.ends_with(unit))
    return std::nullopt;
  uint64_t value;
  if (clause.drop_back(unit.size()).rtrim().getAsInteger(10, value))
    return std::nullopt;
  return value;
}

unsigned numberAfter(StringRef text, StringRef words) {
  size_t at = text.find(words);
  unsigned value = 0;
  if (at == StringRef::npos)
    return 0;
  StringRef rest = text.drop_front(at + words.size()).ltrim();
  return rest.consumeInteger(10, value) ? 0 : value;
}

class OutputParser {
public:
  PtxasOutput run(StringRef text) {
    while (!text.empty()) {
      StringRef line;
      std::tie(line, text) = text.split('\n');
      parseLine(line.rtrim("\r"));
    }
    return std::move(output);
  }

private:
  void parseLine(StringRef line) {
    StringRef trimmed = line.trim();
    StringRef rest = trimmed;
    if (rest.consume_front("ptxas ")) {
      parsePtxas(rest.ltrim());
      return;
    }
    // Continuation lines of "Function properties for".
    if (current && parseClauses(trimmed))
      return;
    parseFrontEnd(trimmed);
  }

  void parsePtxas(StringRef text) {
    unsigned line = 0;
    std::optional<ToolSeverity> severity = consumeSeverity(text);
    if (!severity) {
      // "file, line N; severity : text". The file may hold any characters.
      size_t at = text.find(", line ");
      while (at != StringRef::npos) {
        StringRef rest = text.drop_front(at + 7);
        unsigned number;
        if (!rest.consumeInteger(10, number) && rest.consume_front(";")) {
          rest = rest.ltrim();
          if ((severity = consumeSeverity(rest))) {
            line = number;
            text = rest;
            break;
          }
        }
        at = text.find(", line ", at + 1);
      }
    }
    if (!severity)
      return;
    if (*severity == ToolSeverity::Info && parseResources(text))
      return;

    ToolDiagnostic diagnostic;
    diagnostic.severity = *severity;
    diagnostic.source = "ptxas";
    StringRef rest = text;
    if (rest.consume_front("(")) {
      auto [code, message] = rest.split(')');
      if (code.size() > 1 && code[0] == 'C' &&
          all_of(code.drop_front(), isDigit)) {
        diagnostic.code = code.str();
        text = message.ltrim();
      }
    }
    diagnostic.text = text.str();
    diagnostic.line = line ? line : numberAfter(text, "around line ");
    if (!diagnostic.line)
      diagnostic.line = numberAfter(text, "at line ");
    for (StringRef words : {"in the function '", "in function '",
                            "in the function ", "in function "}) {
      size_t at = text.find(words);
      if (at == StringRef::npos)
        continue;
      StringRef name = text.drop_front(at + words.size());
      diagnostic.function = name.take_until([](char c) {
                                  return c == '\'' || c == ' ' || c == ',';
                                })
                                .str();
      break;
    }
    output.diagnostics.push_back(std::move(diagnostic));
  }

  FunctionResources &resourcesOf(StringRef function) {
    for (FunctionResources &entry : output.resources)
      if (entry.function == function)
        return entry;
    output.resources.emplace_back();
    output.resources.back().function = function.str();
    return output.resources.back();
  }

  /// Returns whether the line belongs to the resource report.
  bool parseResources(StringRef text) {
    bool entry = text.starts_with("Compiling entry function ");
    if (entry || text.starts_with("Compiling function ")) {
      StringRef name = quoted(text);
      FunctionResources &resources = resourcesOf(name);
      resources.isEntry = entry;
      resources.target =
          quoted(text.split('\'').second.split('\'').second).str();
      current = compiled = name.str();
      return true;
    }
    if (text.consume_front("Function properties for ")) {
      // A device function of the same compilation: the lines that follow are
      // its own, "Used" goes back to the entry.
      StringRef name = text.trim().trim('\'');
      FunctionResources &resources = resourcesOf(name);
      if (name != compiled)
        resources.isEntry = false;
      current = name.str();
      return true;
    }
    if (text.starts_with("Used ")) {
      if (!compiled)
        return true;
      current = compiled;
      parseClauses(text);
      current.reset();
      return true;
    }
    return text.starts_with("Compile time") || text.ends_with("bytes gmem") ||
           text.contains(" bytes gmem,");
  }

  /// Reads comma-separated clauses into the current function. Returns whether
  /// any was understood.
  bool parseClauses(StringRef text) {
    if (!current)
      return false;
    FunctionResources &to = resourcesOf(*current);
    SmallVector<StringRef, 8> clauses;
    text.split(clauses, ',');
    bool any = false;
    for (StringRef clause : clauses) {
      clause = clause.trim();
      clause.consume_front_insensitive("used ");
      const std::pair<StringLiteral, std::optional<uint64_t> *> fields[] = {
          {"registers", &to.registers},
          {"barriers", &to.barriers},
          {"bytes stack frame", &to.stackFrame},
          {"bytes cumulative stack size", &to.cumulativeStack},
          {"bytes spill stores", &to.spillStores},
          {"bytes spill loads", &to.spillLoads},
          {"bytes smem", &to.staticShared},
          {"bytes lmem", &to.localBytes},
          {"bytes cmem[0]", &to.constantBank0},
      };
      for (auto [unit, field] : fields)
        if (std::optional<uint64_t> value = numberBefore(clause, unit)) {
          *field = value;
          any = true;
        }
    }
    return any;
  }

  void parseFrontEnd(StringRef text) {
    ToolDiagnostic diagnostic;
    StringRef rest = text;
    if (rest.consume_front("nvcc ")) {
      rest = rest.ltrim();
      if (std::optional<ToolSeverity> severity = consumeSeverity(rest)) {
        diagnostic.severity = *severity;
        diagnostic.source = "nvcc";
        diagnostic.text = rest.str();
        output.diagnostics.push_back(std::move(diagnostic));
      }
      return;
    }
    // "file(12): error: text", "file(12): warning #20-D: text", and the host
    // compiler's "file:12:3: error: text".
    size_t paren = text.find("): ");
    size_t open = paren == StringRef::npos ? paren : text.rfind('(', paren);
    if (open != StringRef::npos &&
        !text.slice(open + 1, paren).getAsInteger(10, diagnostic.line)) {
      diagnostic.source = text.take_front(open).str();
      rest = text.drop_front(paren + 3);
    } else {
      SmallVector<StringRef, 4> parts;
      text.split(parts, ':', 3);
      if (parts.size() < 4 || parts[1].getAsInteger(10, diagnostic.line))
        return;
      diagnostic.source = parts[0].str();
      rest = parts[3].ltrim();
    }
    rest.consume_front("catastrophic ");
    rest.consume_front("fatal ");
    for (auto [name, severity] :
         {std::pair("error", ToolSeverity::Error),
          std::pair("warning", ToolSeverity::Warning)}) {
      StringRef tail = rest;
      if (!tail.consume_front(name))
        continue;
      tail = tail.ltrim();
      if (tail.consume_front("#"))
        diagnostic.code = tail.take_while(isDigit).str();
      size_t colon = tail.find(':');
      if (colon == StringRef::npos)
        return;
      diagnostic.severity = severity;
      diagnostic.text = tail.drop_front(colon + 1).trim().str();
      output.diagnostics.push_back(std::move(diagnostic));
      return;
    }
  }

  PtxasOutput output;
  /// The function that resource clauses belong to, and the one of the last
  /// "Compiling" line.
  std::optional<std::string> current, compiled;
};

} // namespace

PtxasOutput ptxbench::parsePtxasOutput(StringRef text) {
  return OutputParser().run(text);
}

json::Value ptxbench::toJSON(const ToolDiagnostic &diagnostic) {
  json::Object object{{"severity", stringifyToolSeverity(diagnostic.severity)},
                      {"text", json::fixUTF8(diagnostic.text)}};
  if (!diagnostic.source.empty())
    object["source"] = json::fixUTF8(diagnostic.source);
  if (!diagnostic.code.empty())
    object["code"] = diagnostic.code;
  if (diagnostic.line)
    object["line"] = diagnostic.line;
  if (!diagnostic.function.empty())
    object["function"] = json::fixUTF8(diagnostic.function);
  PtxasRemark remark = classifyRemark(diagnostic);
  if (remark != PtxasRemark::None)
    object["remark"] = stringifyPtxasRemark(remark);
  return object;
}

json::Value ptxbench::toJSON(const FunctionResources &resources) {
  json::Object object{{"entry", json::fixUTF8(resources.function)},
                      {"is_entry", resources.isEntry}};
  if (!resources.target.empty())
    object["target"] = resources.target;
  const std::pair<StringLiteral, std::optional<uint64_t>> fields[] = {
      {"registers", resources.registers},
      {"barriers", resources.barriers},
      {"stack_frame", resources.stackFrame},
      {"cumulative_stack", resources.cumulativeStack},
      {"spill_stores", resources.spillStores},
      {"spill_loads", resources.spillLoads},
      {"smem", resources.staticShared},
      {"lmem", resources.localBytes},
      {"cmem0", resources.constantBank0},
  };
  for (auto [key, value] : fields)
    if (value)
      object[key] = *value;
  return object;
}
