//===- Recording.cpp - Reading and writing recordings ---------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line at a time; a line that is not understood is an error.
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "ptxbench/Support/LocatedJSON.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::differential;

static constexpr StringLiteral schema = "ptxbench.differential.v1";

void differential::writeHeader(raw_ostream &os, const MachineInfo &machine) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("schema", schema);
    json.attribute("machine", machine.name);
    json.attribute("driver", machine.driver);
  });
  os << "\n";
}

void differential::writeCase(raw_ostream &os, const RecordedCase &recorded) {
  json::OStream json(os);
  json.object([&] {
    json.attribute("case", recorded.name);
    json.attribute("kernel", hexText(recorded.kernelDigest));
    if (!recorded.outcome.error.empty())
      json.attribute("error", recorded.outcome.error);
    else if (recorded.digest)
      json.attribute("digest", hexText(*recorded.digest));
    else
      json.attributeArray("outputs", [&] {
        for (const std::vector<uint8_t> &bytes : recorded.outcome.outputs)
          json.value(encodeBase64(bytes));
      });
  });
  os << "\n";
}

void differential::writeCase(raw_ostream &os, const Case &testCase,
                             const Outcome &outcome, bool full) {
  RecordedCase recorded{testCase.name, digestOf(testCase), {}, outcome};
  if (!full && testCase.tolerance.format == Format::Bits)
    recorded.digest = digestOf(outcome.outputs);
  writeCase(os, recorded);
}

static bool readHash(const JSONCursor &cursor, uint64_t &value) {
  std::string text;
  if (!cursor.read(text))
    return false;
  if (text.size() == 16 && !StringRef(text).getAsInteger(16, value))
    return true;
  return cursor.fail("expected 16 hexadecimal digits but got '" + text + "'");
}

static bool readHeader(const JSONCursor &cursor, MachineInfo &machine) {
  JSONFields fields(cursor);
  std::string found;
  std::optional<JSONCursor> place = fields.find("schema", /*must=*/true);
  if (!place || !place->read(found))
    return false;
  if (found != schema)
    return place->fail("expected '" + schema + "' but got '" + found + "'");
  return fields.required("machine", machine.name) &&
         fields.required("driver", machine.driver) && fields.finish();
}

static bool readOutputs(const JSONCursor &cursor, Outcome &outcome) {
  return cursor.forEach([&](const JSONCursor &item) {
    std::string text;
    std::vector<char> bytes;
    if (!item.read(text))
      return false;
    if (Error error = decodeBase64(text, bytes))
      return item.fail(toString(std::move(error)));
    outcome.outputs.emplace_back(bytes.begin(), bytes.end());
    return true;
  });
}

static bool readCase(const JSONCursor &cursor, RecordedCase &recorded) {
  JSONFields fields(cursor);
  if (!fields.required("case", recorded.name))
    return false;
  std::optional<JSONCursor> kernel = fields.find("kernel", /*must=*/true);
  if (!kernel || !readHash(*kernel, recorded.kernelDigest))
    return false;
  unsigned results = 0;
  if (std::optional<JSONCursor> digest = fields.find("digest", false)) {
    ++results;
    if (!readHash(*digest, recorded.digest.emplace()))
      return false;
  }
  if (std::optional<JSONCursor> outputs = fields.find("outputs", false)) {
    ++results;
    if (!readOutputs(*outputs, recorded.outcome))
      return false;
  }
  if (std::optional<JSONCursor> error = fields.find("error", false)) {
    ++results;
    if (!error->read(recorded.outcome.error))
      return false;
  }
  if (results != 1)
    return cursor.fail("expected one of 'digest', 'outputs' and 'error' but "
                       "got " +
                       Twine(results));
  return fields.finish();
}

Expected<Recording> differential::readRecording(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return createStringError(file.getError(),
                             path + ": " + file.getError().message());
  Recording recording;
  StringRef rest = (*file)->getBuffer();
  for (unsigned number = 1; !rest.empty(); ++number) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    JSONSource source(line, path, number);
    Expected<json::Value> value = source.parse();
    if (!value)
      return value.takeError();
    JSONCursor root(source, *value);
    bool isRead = number == 1 ? readHeader(root, recording.machine)
                              : readCase(root, recording.cases.emplace_back());
    if (!isRead)
      return source.takeError();
  }
  if (!recording.machine.name.empty())
    return std::move(recording);
  return createStringError(path + ":1: expected a recording but got nothing");
}
