//===- SystemCalls.cpp - Functions that the device itself has -------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX Writer's Guide to Interoperability, "System Calls"; CUDA C++ Programming
// Guide, "Formatted Output", "Assertion", "Dynamic Global Memory Allocation and
// Operations". Each lane calls on its own, in the order of the lanes.
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"
#include "../Checks/UndefinedValues.h"
#include "MemoryAccess.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace llvm;
using namespace ptxbench;
using namespace ptxbench::emulator;

/// Where an argument or result lies in the caller's frame.
static char *placeOf(Warp &warp, const ParamPlace &place, unsigned lane) {
  if (place.bytes == 0)
    return row(warp, place.slot) + lane * (place.bits / 8);
  size_t perLane = warp.local.size() / warpSize;
  return warp.local.data() + lane * perLane + warp.frame->localBase +
         place.localOffset;
}

static unsigned sizeOf(const ParamPlace &place) {
  return place.bytes ? place.bytes : place.bits / 8;
}

/// The undefined bits of an argument or result; null if it has none, or such
/// values are not looked for.
static char *undefinedOf(Warp &warp, const ParamPlace &place, unsigned lane) {
  if (!watchesUndefined(warp))
    return nullptr;
  if (place.bytes)
    return undefinedBytes(warp, placeOf(warp, place, lane));
  return slotBase(place.slot) == unsigned(SlotBase::Frame)
             ? undefinedResult(warp, place.slot) + lane * (place.bits / 8)
             : nullptr;
}

/// Reports that `what` is undefined if it is.
static void checkDefined(Warp &warp, const Inst &inst, unsigned lane,
                         const char *what, char *undefined, unsigned bytes) {
  if (!undefined || std::all_of(undefined, undefined + bytes,
                                [](char bits) { return bits == 0; }))
    return;
  reportUndefined(warp, inst, lane, what, 0);
  std::memset(undefined, 0, bytes);
}

static uint64_t argument(Warp &warp, const Inst &inst, const CallExtra &call,
                         unsigned index, unsigned lane) {
  uint64_t value = 0;
  const ParamPlace &place = call.args[index];
  checkDefined(warp, inst, lane, "an argument", undefinedOf(warp, place, lane),
               sizeOf(place));
  std::memcpy(&value, placeOf(warp, place, lane), sizeOf(place));
  return value;
}

static void setResult(Warp &warp, const CallExtra &call, unsigned lane,
                      uint64_t value) {
  if (call.results.empty())
    return;
  const ParamPlace &place = call.results[0];
  if (!place.bytes && place.slot == noSlot)
    return;
  std::memcpy(placeOf(warp, place, lane), &value, sizeOf(place));
  if (char *undefined = undefinedOf(warp, place, lane))
    std::memset(undefined, 0, sizeOf(place));
}

/// The string at a generic address; nothing after a fault.
static std::optional<std::string> readString(Warp &warp, const Inst &inst,
                                             unsigned lane, uint64_t address) {
  std::string text;
  while (const char *place =
             resolve(warp, inst, lane, Space::Generic, address++, 1)) {
    if (!*place)
      return text;
    text += *place;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// vprintf
//===----------------------------------------------------------------------===//

namespace {

/// What the host's snprintf makes of one conversion.
template <class T> std::string formatOne(const std::string &format, T value) {
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0)
    return format;
  std::string text(size + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  return text;
}

/// "%[flags][width][.precision][size]type" with values from a buffer in which
/// each is aligned to its size.
class Formatter {
public:
  Formatter(Warp &warp, const Inst &inst, unsigned lane, uint64_t arguments)
      : warp(warp), inst(inst), lane(lane), next(arguments) {}

  /// Nothing after a fault.
  std::optional<std::string> format(StringRef text) {
    std::string result;
    while (!text.empty()) {
      auto [plain, rest] = text.split('%');
      result += plain;
      if (plain.size() == text.size())
        break;
      size_t flags = rest.find_first_not_of("-+ #0");
      size_t length = rest.find_first_not_of("0123456789.*", flags);
      size_t type = rest.find_first_not_of("hlLjzt", length);
      if (type == StringRef::npos) {
        result += "%" + rest.str();
        break;
      }
      if (!convert(rest.take_front(length), rest.slice(length, type),
                   rest[type], result))
        return std::nullopt;
      text = rest.drop_front(type + 1);
    }
    return result;
  }

  unsigned count = 0;

private:
  template <class T> bool take(T &value) {
    next = alignTo(next, sizeof(T));
    const char *place =
        resolve(warp, inst, lane, Space::Generic, next, sizeof(T));
    if (!place)
      return false;
    std::memcpy(&value, place, sizeof(T));
    if (watchesUndefined(warp))
      checkDefined(warp, inst, lane, "a value that is printed",
                   undefinedBytes(warp, place), sizeof(T));
    next += sizeof(T);
    ++count;
    return true;
  }

  bool convert(StringRef flags, StringRef size, char type,
               std::string &result) {
    std::string spec = "%";
    for (char c : flags) {
      int32_t width;
      if (c != '*')
        spec += c;
      else if (take(width))
        spec += itostr(width);
      else
        return false;
    }
    switch (type) {
    case '%':
      result += '%';
      return true;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'c': {
      // `long` has 64 bits, and narrower values are passed as 32.
      bool isLong =
          size.contains('l') || size == "j" || size == "z" || size == "t";
      int64_t value = 0;
      int32_t narrow = 0;
      if (isLong ? !take(value) : !take(narrow))
        return false;
      result += isLong ? formatOne(spec + "ll" + type, value)
                       : formatOne(spec + size.str() + type, narrow);
      return true;
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      double value;
      if (!take(value))
        return false;
      result += formatOne(spec + type, value);
      return true;
    }
    case 'p': {
      uint64_t value;
      if (!take(value))
        return false;
      result += formatOne(spec + type, reinterpret_cast<void *>(value));
      return true;
    }
    case 's': {
      uint64_t address;
      if (!take(address))
        return false;
      std::optional<std::string> text = readString(warp, inst, lane, address);
      if (!text)
        return false;
      result += formatOne(spec + type, text->c_str());
      return true;
    }
    default:
      // What is no conversion is printed as it is.
      result += spec + size.str() + type;
      return true;
    }
  }

  Warp &warp;
  const Inst &inst;
  unsigned lane;
  uint64_t next;
};

} // namespace

/// int vprintf(const char *format, void *arguments): returns how many values
/// it has printed, -1 for no format.
static Step executePrintf(Warp &warp, const Inst &inst, LaneMask &mask) {
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    uint64_t format = argument(warp, inst, call, 0, lane);
    if (!format) {
      setResult(warp, call, lane, uint32_t(-1));
      continue;
    }
    std::optional<std::string> text = readString(warp, inst, lane, format);
    if (!text)
      return Step::Ended;
    Formatter formatter(warp, inst, lane, argument(warp, inst, call, 1, lane));
    std::optional<std::string> printed = formatter.format(*text);
    if (!printed)
      return Step::Ended;
    std::fwrite(printed->data(), 1, printed->size(), stdout);
    setResult(warp, call, lane, formatter.count);
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// The others
//===----------------------------------------------------------------------===//

/// void __assertfail(const char *message, const char *file, unsigned line,
/// const char *function, size_t charSize).
static Step executeAssertFail(Warp &warp, const Inst &inst, LaneMask &mask) {
  if (!mask)
    return Step::Next;
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  unsigned lane = countr_zero(mask);
  auto text = [&](unsigned index) {
    return readString(warp, inst, lane,
                      argument(warp, inst, call, index, lane));
  };
  std::optional<std::string> message = text(0), file, function;
  if (message && (file = text(1)) && (function = text(3)))
    fault(warp, inst, lane, "assert",
          *file + ":" + Twine(argument(warp, inst, call, 2, lane)) + ": " +
              *function + ": assertion `" + *message + "` failed");
  return Step::Ended;
}

/// void *malloc(size_t bytes).
static Step executeMalloc(Warp &warp, const Inst &inst, LaneMask &mask) {
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    uint64_t address = warp.launch->memory->heap()->allocate(
        argument(warp, inst, call, 0, lane));
    setResult(warp, call, lane, address);
    warp.cta->cluster->progress += address != 0;
  }
  return Step::Next;
}

/// void free(void *).
static Step executeFree(Warp &warp, const Inst &inst, LaneMask &mask) {
  const auto &call = static_cast<const CallExtra &>(*inst.extra);
  for (LaneMask rest = mask; rest; rest &= rest - 1) {
    unsigned lane = countr_zero(rest);
    uint64_t address = argument(warp, inst, call, 0, lane);
    ++warp.cta->cluster->progress;
    if (!address || warp.launch->memory->heap()->release(address))
      continue;
    fault(warp, inst, lane, "invalid-free",
          "free of 0x" + utohexstr(address, true) +
              ", which malloc has not given out or which is free already");
    return Step::Ended;
  }
  return Step::Next;
}

ControlHandler ptxbench::emulator::getSystemCall(StringRef name,
                                                 const CallExtra &call) {
  struct Known {
    StringLiteral name;
    /// Sizes in bytes.
    SmallVector<unsigned, 5> arguments;
    unsigned result; // 0: none.
    ControlHandler handler;
  };
  const Known known[] = {
      {"vprintf", {8, 8}, 4, executePrintf},
      {"__assertfail", {8, 8, 4, 8, 8}, 0, executeAssertFail},
      {"malloc", {8}, 8, executeMalloc},
      {"free", {8}, 0, executeFree}};
  for (const Known &one : known) {
    if (one.name != name)
      continue;
    bool fits =
        std::equal(call.args.begin(), call.args.end(), one.arguments.begin(),
                   [](const ParamPlace &place, unsigned bytes) {
                     return sizeOf(place) == bytes;
                   }) &&
        call.results.size() <= (one.result ? 1 : 0);
    for (const ParamPlace &result : call.results)
      fits &= sizeOf(result) == one.result || result.slot == noSlot;
    return fits ? one.handler : nullptr;
  }
  return nullptr;
}
