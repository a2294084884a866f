//===- Trace.h - What really executed ---------------------------*- C++ -*-===//
//
// Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace says how often each target instruction of each kernel executed,
// whoever observed it. It is complete in itself: a GPU trace keeps the raw SASS
// counts *and* how they were assigned to PTX lines, so that a cross-check can
// be repeated from the recorded file alone.
//
//===----------------------------------------------------------------------===//

#ifndef PTXBENCH_TRACE_TRACE_H
#define PTXBENCH_TRACE_TRACE_H

#include "ptxbench/Trace/Launch.h"
#include "ptxbench/Trace/Verdict.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ptxbench {

/// The executions of one SASS instruction, summed over all launches of its
/// kernel that the trace covers.
struct SassCount {
  /// Byte offset in the kernel's `.text` section.
  uint64_t pc = 0;
  /// Low 12 bits of the instruction word.
  uint32_t opcode = 0;
  /// Name of the opcode class ("HGMMA"), empty if it is not one we know.
  std::string name;
  /// Whether the instruction carries a guard other than PT.
  bool guarded = false;
  /// smsp__sass_inst_executed.
  uint64_t warps = 0;
  /// smsp__sass_thread_inst_executed_pred_on.
  uint64_t threads = 0;
};

/// Where a PTX instruction went in the machine code.
enum class SassState {
  /// At the listed pcs.
  Present,
  /// ptxas deleted it: its kernel has no such instruction left for it.
  Absent,
  /// No safe mapping: merged, without a row, or of another opcode class.
  Unobservable,
};
/// "present", "absent", "unobservable".
const char *stringifySassState(SassState state);
std::optional<SassState> symbolizeSassState(const std::string &text);

/// The executions of one target instruction of the PTX text.
struct TargetCount {
  unsigned line = 0, column = 0;
  /// Opcode without modifiers.
  std::string opcode;
  /// Absent for a source without machine code (an emulator).
  std::optional<SassState> sass;
  std::vector<uint64_t> pcs;
  /// Executions; absent if they were not observed.
  std::optional<ExecutionCount> executed;
  /// Whether `executed->warps` counts PTX executions by warps exactly (no
  /// guard in the machine code, one SASS instruction per execution).
  bool warpsExact = false;
  /// Whether `executed->threads` counts threads (and not, as on the uniform
  /// datapath, 32 for one).
  bool threadsExact = false;
  /// Whether `pcs` are all the places where the instruction can execute. If
  /// not, `executed` is a lower bound: more than zero proves an execution, zero
  /// proves nothing.
  bool complete = true;
  /// Whether no other PTX instruction may share `pcs`. If one may (identical
  /// code can be merged), an execution at `pcs` need not be one of this
  /// instruction, but none at `pcs` still means none.
  bool exclusive = true;
  /// Why it is absent or unobservable. It begins with "folded into " or
  /// "becomes " for instructions that never have machine code of their own.
  std::string reason;
};

struct KernelTrace {
  /// Mangled name of the `.entry`.
  std::string name;
  /// Whether a launch of it did not end normally (trap, error, time-out). Such
  /// a trace refutes `never` and nothing else.
  bool aborted = false;
  std::vector<LaunchRecord> launches;
  /// Whether `launches` are all that the counts cover. A kernel that a graph
  /// launched, for example, is counted and not recorded.
  bool launchesComplete = true;
  std::vector<SassCount> sass;
  std::vector<TargetCount> targets;

  /// Whether a source that counts machine instructions ("cupti") left it out:
  /// it was launched, and every kernel has an instruction that executes.
  bool uncounted() const { return !launches.empty() && sass.empty(); }
};

/// Whether the recorded launches account for the counts: every warp of every
/// launch, and no other one, executes the first instruction, the one at pc 0.
/// False also if that instruction was not counted.
bool launchesAccountForCounts(const KernelTrace &kernel);

/// Brings the parameters of a launch from `paramOffsets`, where a driver has
/// them, to `places`: offset and size in bytes of each as the PTX ISA has them.
/// Parameters that are not those of `places` are dropped, since nothing is
/// known of them then. Does nothing where they are at the places of the ISA
/// already.
void layOutParams(LaunchRecord &launch,
                  llvm::ArrayRef<std::pair<uint64_t, uint64_t>> places);

/// Something that a launch did which PTX does not allow, as an emulator found
/// it.
struct TraceFinding {
  /// Mangled name of the `.entry`.
  std::string kernel;
  /// A stable name: "out-of-bounds".
  std::string id;
  /// Begins with the id.
  std::string message;
  /// Place in the PTX text; 0: unknown.
  unsigned line = 0, column = 0;
  /// The line of the other party, where there is one; else 0.
  unsigned otherLine = 0;
  /// "thread (0, 0, 0) of CTA (1, 0, 0)", where it was seen first; may be
  /// empty.
  std::string by;
  /// In how many launches it was seen.
  uint64_t launches = 1;
};

/// `ptxbench.trace.v1`.
struct Trace {
  /// "cupti" or "emulator".
  std::string source;
  /// Device and versions: "device", "chip", "driver", "cuda", "cupti",
  /// "ptxas" ...
  std::map<std::string, std::string> environment;
  /// SHA-256 of the PTX text that the lines refer to, in hex.
  std::string ptxSha256;
  std::vector<KernelTrace> kernels;
  std::vector<TraceFinding> findings;

  const KernelTrace *findKernel(llvm::StringRef name) const;
};

/// JSON in both directions. Reading checks every field and names file, line and
/// place of what it refuses.
llvm::json::Value toJSON(const Trace &trace);
llvm::Expected<Trace> parseTrace(llvm::StringRef json, llvm::StringRef path);

/// Pieces of a trace.
llvm::json::Value toJSON(const Dim3 &dim);
llvm::json::Value toJSON(const LaunchRecord &launch);
llvm::json::Value toJSON(const ExecutionCount &count);
llvm::json::Value toJSON(const TargetCount &target);

} // namespace ptxbench

#endif // PTXBENCH_TRACE_TRACE_H
