//===- LocatedJSONTest.cpp - Errors that name their place
//-------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each error must say file, line and JSON path, and no text may crash the
// reader.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Support/LocatedJSON.h"
#include "gtest/gtest.h"

using namespace ptxbench;

namespace {

struct Item {
  std::string name;
  std::optional<uint64_t> count;
  std::vector<int64_t> sizes;
  double ratio = 0;
};

/// The error, or "" if the text was read.
std::string readItem(llvm::StringRef text, Item &item, unsigned line = 1) {
  JSONSource source(text, "f.json", line);
  llvm::Expected<llvm::json::Value> root = source.parse();
  if (!root)
    return llvm::toString(root.takeError());
  JSONFields fields(JSONCursor(source, *root));
  if (fields.required("name", item.name) &&
      fields.optional("count", item.count) &&
      fields.optional("sizes", item.sizes) &&
      fields.optional("ratio", item.ratio) && fields.finish())
    return "";
  return llvm::toString(source.takeError());
}

std::string errorOf(llvm::StringRef text, unsigned line = 1) {
  Item item;
  return readItem(text, item, line);
}

TEST(LocatedJSON, ReadsAllKinds) {
  Item item;
  EXPECT_EQ(readItem(R"({"name": "a", "count": 18446744073709551615,
                         "sizes": [-1, 2], "ratio": "-Infinity"})",
                     item),
            "");
  EXPECT_EQ(item.name, "a");
  EXPECT_EQ(item.count, ~uint64_t(0));
  EXPECT_EQ(item.sizes, (std::vector<int64_t>{-1, 2}));
  EXPECT_EQ(item.ratio, -HUGE_VAL);
}

TEST(LocatedJSON, AbsentIsAbsent) {
  Item item;
  EXPECT_EQ(readItem(R"({"name": "a"})", item), "");
  EXPECT_FALSE(item.count.has_value());
}

TEST(LocatedJSON, NamesLineAndPath) {
  EXPECT_EQ(errorOf("{\n \"name\": \"a\",\n \"sizes\": [1,\n  \"two\"]\n}"),
            "f.json:4: sizes[1]: expected a whole number but got a string");
  EXPECT_EQ(errorOf("{\"name\": \"},{\", \"sizes\": [[\"]\"],\n2]}", 7),
            "f.json:7: sizes[0]: expected a whole number but got an array");
  EXPECT_EQ(errorOf("\n\n{\"count\": 1}"),
            "f.json:3: top level: expected a field \"name\"");
  EXPECT_EQ(errorOf("[]"),
            "f.json:1: top level: expected an object but got an array");
}

TEST(LocatedJSON, RefusesWrongNumbers) {
  EXPECT_EQ(errorOf(R"({"name": "a", "count": -1})"),
            "f.json:1: count: expected a whole number from 0 to 2^64-1 but got "
            "-1.000000");
  EXPECT_EQ(errorOf(R"({"name": "a", "sizes": [1.5]})"),
            "f.json:1: sizes[0]: expected a whole number of 64 bits but got "
            "1.500000");
  EXPECT_EQ(errorOf(R"({"name": "a", "ratio": "nan"})"),
            "f.json:1: ratio: expected a number, \"NaN\", \"Infinity\" or "
            "\"-Infinity\" but got \"nan\"");
}

TEST(LocatedJSON, RefusesUnknownFields) {
  EXPECT_EQ(errorOf("{\"name\": \"a\",\n\"cuont\": 1}"),
            "f.json:2: cuont: unknown field; the known ones are count, name, "
            "ratio, sizes");
}

TEST(LocatedJSON, PlacesSyntaxErrors) {
  EXPECT_EQ(errorOf("{\"name\":\n }", 10).substr(0, 10), "f.json:11:");
  EXPECT_NE(errorOf("").find("expected valid JSON"), std::string::npos);
  EXPECT_NE(errorOf("{\"name\": \"\xff\"}").find("expected valid JSON"),
            std::string::npos);
  EXPECT_NE(errorOf("{\"name\": \"abc\\").find("expected valid JSON"),
            std::string::npos);
}

TEST(LocatedJSON, BoundsTheNesting) {
  std::string deep(1000000, '[');
  EXPECT_EQ(errorOf(deep), "f.json:1: expected JSON nested at most 200 deep");
  EXPECT_EQ(errorOf(std::string(200, '[') + std::string(200, ']')),
            "f.json:1: top level: expected an object but got an array");
  // Brackets in strings do not count.
  Item item;
  EXPECT_EQ(
      readItem("{\"name\": \"" + std::string(500, '[') + "\\\"[\"}", item), "");
}

TEST(LocatedJSON, KeepsTheOrderOfTheText) {
  std::string text = R"({"b": 1, "a": {"z": 0}, "c": "\"x\":", "\u0030": 4})";
  JSONSource source(text, "f.json");
  llvm::Expected<llvm::json::Value> root = source.parse();
  ASSERT_TRUE(static_cast<bool>(root));
  std::string keys;
  for (const JSONCursor &child : JSONCursor(source, *root).fieldsInOrder())
    keys += child.key();
  EXPECT_EQ(keys, "bac0");
}

} // namespace
