//===- TimedOutputs.cpp - What the timed calls wrote ----------------------===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel, and what is made of its counts in a process that no candidate ran
// in.
//
//===----------------------------------------------------------------------===//

#include "ptxbench/Runtime/TimedOutputs.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace ptxbench;

const char *const ptxbench::countOutputKernel =
    R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry count_output(.param .u64 output, .param .u64 baseline,
                             .param .u64 count, .param .u64 counts,
                             .param .u32 format, .param .u32 poison,
                             .param .f32 atol, .param .f32 rtol)
{
  .reg .pred %p, %q, %alone, %isFour, %isTwo, %isOne, %isHalf, %isBfloat;
  .reg .pred %isE4m3, %isNaN;
  .reg .b16 %half;
  .reg .b32 %a, %b, %format, %poison, %value, %bits, %other, %otherBits, %shift;
  .reg .f32 %atol, %rtol, %d, %limit;
  .reg .b64 %output, %baseline, %count, %counts, %i, %step, %wide;
  .reg .b64 %unwritten, %wrong, %first, %index, %size, %address;
  .reg .f64 %errors, %squares, %x;
  ld.param.u64 %output, [output];
  ld.param.u64 %baseline, [baseline];
  ld.param.u64 %count, [count];
  ld.param.u64 %counts, [counts];
  ld.param.u32 %format, [format];
  ld.param.u32 %poison, [poison];
  ld.param.f32 %atol, [atol];
  ld.param.f32 %rtol, [rtol];
  setp.eq.u64 %alone, %baseline, 0;
  setp.eq.u32 %isFour, %format, 0;
  setp.eq.u32 %isHalf, %format, 1;
  setp.eq.u32 %isBfloat, %format, 2;
  setp.eq.u32 %isE4m3, %format, 3;
  setp.ge.u32 %isOne, %format, 3;
  or.pred %isTwo, %isHalf, %isBfloat;
  selp.b64 %size, 4, 2, %isFour;
  @%isOne mov.b64 %size, 1;
  // The upper half of a float16 is a float8_e5m2.
  selp.b32 %shift, 8, 0, %isOne;
  mov.u32 %a, %ctaid.x;
  mov.u32 %b, %ntid.x;
  mul.wide.u32 %i, %a, %b;
  mov.u32 %a, %tid.x;
  cvt.u64.u32 %wide, %a;
  add.u64 %i, %i, %wide;
  mov.u32 %a, %nctaid.x;
  mul.wide.u32 %step, %a, %b;
  mov.u64 %unwritten, 0;
  mov.u64 %wrong, 0;
  mov.u64 %first, 0;
  mov.f64 %errors, 0d0000000000000000;
  mov.f64 %squares, 0d0000000000000000;
next:
  setp.ge.u64 %p, %i, %count;
  @%p bra done;
  mad.lo.u64 %address, %i, %size, %output;
  @%isFour ld.global.u32 %bits, [%address];
  @%isTwo ld.global.u16 %bits, [%address];
  @%isOne ld.global.u8 %bits, [%address];
  mov.b32 %value, %bits;
  @%isFour bra read;
  shl.b32 %value, %bits, 16;
  @%isBfloat bra read;
  shl.b32 %a, %bits, %shift;
  cvt.u16.u32 %half, %a;
  cvt.f32.f16 %value, %half;
  @!%isE4m3 bra read;
  // The exponent's bias is 7, that of a float32 127; all ones are NaN.
  and.b32 %a, %bits, 0x7f;
  setp.eq.u32 %isNaN, %a, 0x7f;
  shl.b32 %a, %a, 20;
  mul.f32 %value, %a, 0f7b800000;
  and.b32 %a, %bits, 0x80;
  shl.b32 %a, %a, 24;
  or.b32 %value, %value, %a;
  selp.b32 %value, 0x7fffffff, %value, %isNaN;
read:
  setp.eq.u32 %p, %bits, %poison;
  @%p add.u64 %unwritten, %unwritten, 1;
  @%p bra mark;
  @%alone bra step;
  mad.lo.u64 %address, %i, %size, %baseline;
  @%isFour ld.global.u32 %otherBits, [%address];
  @%isTwo ld.global.u16 %otherBits, [%address];
  @%isOne ld.global.u8 %otherBits, [%address];
  mov.b32 %other, %otherBits;
  @%isFour bra compare;
  shl.b32 %other, %otherBits, 16;
  @%isBfloat bra compare;
  shl.b32 %a, %otherBits, %shift;
  cvt.u16.u32 %half, %a;
  cvt.f32.f16 %other, %half;
  @!%isE4m3 bra compare;
  // The exponent's bias is 7, that of a float32 127; all ones are NaN.
  and.b32 %a, %otherBits, 0x7f;
  setp.eq.u32 %isNaN, %a, 0x7f;
  shl.b32 %a, %a, 20;
  mul.f32 %other, %a, 0f7b800000;
  and.b32 %a, %otherBits, 0x80;
  shl.b32 %a, %a, 24;
  or.b32 %other, %other, %a;
  selp.b32 %other, 0x7fffffff, %other, %isNaN;
compare:
  testp.finite.f32 %p, %value;
  testp.finite.f32 %q, %other;
  and.pred %p, %p, %q;
  @%p bra finite;
  // The same infinity, or no number on either side.
  setp.eq.u32 %p, %bits, %otherBits;
  @%p bra step;
  setp.nan.f32 %p, %value, %value;
  setp.nan.f32 %q, %other, %other;
  and.pred %p, %p, %q;
  @%p bra step;
  bra differs;
finite:
  sub.f32 %d, %value, %other;
  cvt.f64.f32 %x, %d;
  fma.rn.f64 %errors, %x, %x, %errors;
  cvt.f64.f32 %x, %other;
  fma.rn.f64 %squares, %x, %x, %squares;
  abs.f32 %d, %d;
  setp.gt.f32 %p, %d, %atol;
  abs.f32 %limit, %other;
  mul.f32 %limit, %limit, %rtol;
  setp.gt.and.f32 %p, %d, %limit, %p;
  @!%p bra step;
differs:
  add.u64 %wrong, %wrong, 1;
mark:
  not.b64 %index, %i;
  max.u64 %first, %first, %index;
step:
  add.u64 %i, %i, %step;
  bra next;
done:
  setp.eq.u64 %p, %first, 0;
  @%p bra sums;
  red.global.add.u64 [%counts], %unwritten;
  red.global.add.u64 [%counts+8], %wrong;
  red.global.max.u64 [%counts+16], %first;
sums:
  @%alone ret;
  red.global.add.f64 [%counts+24], %errors;
  red.global.add.f64 [%counts+32], %squares;
  ret;
}
)";

std::optional<uint32_t> ptxbench::formatOnDevice(ElementType type) {
  switch (type) {
  case ElementType::Float32:
    return 0;
  case ElementType::Float16:
    return 1;
  case ElementType::BFloat16:
    return 2;
  case ElementType::Float8E4M3:
    return 3;
  case ElementType::Float8E5M2:
    return 4;
  default:
    return std::nullopt;
  }
}

Tolerance ptxbench::limitsToBaseline(const Tolerance &tolerance) {
  constexpr double room = 2.25;
  Tolerance limits = tolerance;
  limits.atol *= room;
  limits.rtol *= room;
  limits.maxRelativeL2 *= room;
  limits.requiredMatchedRatio = 1 - room * (1 - tolerance.requiredMatchedRatio);
  return limits;
}

json::Value ptxbench::toJSON(const TimedOutput &output) {
  json::Object object{
      {"call", output.call},         {"name", output.name},
      {"compared", output.compared}, {"unwritten", output.unwritten},
      {"wrong", output.wrong},       {"error_squares", output.errorSquares},
      {"squares", output.squares}};
  if (output.first)
    object["first"] = *output.first;
  return object;
}

bool ptxbench::fromJSON(const json::Value &value, TimedOutput &output,
                        json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("call", output.call) && map.map("name", output.name) &&
         map.map("compared", output.compared) &&
         map.map("unwritten", output.unwritten) &&
         map.map("wrong", output.wrong) &&
         map.map("error_squares", output.errorSquares) &&
         map.map("squares", output.squares) &&
         map.mapOptional("first", output.first);
}

/// What is wrong with an output; empty if nothing.
static std::string problemOf(const TimedOutput &output,
                             const ArgumentSpec &tensor,
                             const Tolerance &tolerance, bool baselineHolds) {
  uint64_t elements = tensor.elements();
  std::string first;
  if (output.first)
    first = formatv("; the first that is wrong is element {0}", *output.first);
  if (output.unwritten)
    return formatv("{0} of {1} elements were never written{2}",
                   output.unwritten, elements, first);
  if (!baselineHolds || !output.compared)
    return "";
  Tolerance limits = limitsToBaseline(tolerance);
  if (double(output.wrong) >
      (1 - limits.requiredMatchedRatio) * double(elements) + 1e-6)
    return formatv("{0} of {1} elements are farther from the baseline's than "
                   "{2} absolute and {3} relative, though those are right{4}",
                   output.wrong, elements, formatv("{0:f4}", limits.atol),
                   formatv("{0:f4}", limits.rtol), first);
  double error = std::sqrt(output.errorSquares / output.squares);
  if (output.errorSquares > 0 && !(error <= limits.maxRelativeL2))
    return formatv("the whole output differs from the baseline's, which is "
                   "right, by {0:f4} of it; the limit is {1:f4}",
                   error, limits.maxRelativeL2);
  return "";
}

Expected<std::optional<OutputCheck>>
ptxbench::findWrongCall(const RunRequest &request,
                        ArrayRef<TimedOutput> outputs, bool baselineHolds) {
  size_t next = 0;
  std::optional<OutputCheck> found;
  for (unsigned call = 0; call < request.timing.calls; ++call)
    for (const ArgumentSpec &tensor : request.tensors) {
      if (tensor.role != TensorRole::Output || !formatOnDevice(tensor.type))
        continue;
      if (next == outputs.size() || outputs[next].call != call ||
          outputs[next].name != tensor.name)
        return createStringError("the worker did not report output '" +
                                 tensor.name + "' of timed call " +
                                 std::to_string(call));
      const TimedOutput &output = outputs[next++];
      if (found)
        continue;
      std::string problem = problemOf(
          output, tensor, toleranceOf(request, tensor), baselineHolds);
      if (problem.empty())
        continue;
      found.emplace();
      found->call = "timed call " + std::to_string(call);
      found->output.name = tensor.name;
      found->output.elements = tensor.elements();
      found->output.unwritten = output.unwritten;
      found->output.mismatched = output.unwritten + output.wrong;
      found->output.reason = std::move(problem);
    }
  if (next != outputs.size())
    return createStringError("the worker reported more outputs of timed calls "
                             "than there are");
  return found;
}
