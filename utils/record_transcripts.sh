#!/usr/bin/env bash
# Records what the tests keep of runs on a real GPU: for candidates of the GEMM
# task the report and the trace, and the PTX that they refer to.
#
#   utils/record_transcripts.sh OUT
#
# runs on a machine with a GPU and the CUDA toolkit, in a built tree or in a
# folder that `run_device_tests.sh --pack` made, and leaves
#   OUT/h200/NAME.report.json, OUT/h200/NAME.trace.json
#                                  for test/Driver/Inputs/h200/
#   OUT/ptx/NAME.ptx               for tasks/gemm/gemm_n7168_k5120/ptx/
# The numbers are those of the run. Only the JSON is laid out anew (a record a
# line), and of the machine code all traces but the first keep the instructions
# that belong to a target instruction. Needs python3; takes about three minutes.
#
# Exit status: 0 every candidate got the status that it must get; 1 one did not
# (all is recorded all the same), or nothing could be run.
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[ $# = 1 ] || die "usage: record_transcripts.sh OUT"
OUT=$(realpath -m "$1")
RUNNER=$PTXBENCH_BUILD_DIR/bin/mlir-ptxbench-runner
if [ -d "$PTXBENCH_SOURCE_DIR/llvm/bin" ]; then
  RUNNER=$PTXBENCH_SOURCE_DIR/bin/mlir-ptxbench-runner
fi
[ -x "$RUNNER" ] || die "there is no $RUNNER: build first"
command -v nvidia-smi >/dev/null && nvidia-smi -L || die "there is no GPU here"

TASK=gemm_n7168_k5120
TASK_DIR=tasks/gemm/$TASK
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
mkdir -p "$OUT"/{h200,ptx}
# Reports name the candidate as it is given here.
cd "$PTXBENCH_SOURCE_DIR"
wrong=0

# lay_out FROM TO [mapped]: a record a line; with `mapped` without the machine
# instructions that belong to no target instruction.
lay_out() {
  python3 - "$@" <<'PY'
import json
import sys

WIDTH = 240


def write(value, indent=""):
    flat = json.dumps(value, separators=(", ", ": "))
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, (dict, list)):
        return flat
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {write(v, inner)}" for k, v in value.items()]
    else:
        parts = [write(v, inner) for v in value]
    left, right = "{}" if isinstance(value, dict) else "[]"
    body = ",\n".join(inner + part for part in parts)
    return f"{left}\n{body}\n{indent}{right}"


with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
if "mapped" in sys.argv[3:]:
    for kernel in document["kernels"]:
        pcs = {pc for target in kernel["targets"] for pc in target["pcs"]}
        kernel["sass"] = [row for row in kernel["sass"] if row["pc"] in pcs]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write(write(document) + "\n")
PY
}

# record NAME FILE WORKLOAD STATUS [mapped]
record() {
  local name=$1 file=$2 workload=$3 expected=$4 rows=${5:-} got
  local stem
  stem=$(basename "$file" .cu)
  rm -rf "$SCRATCH"/*
  "$RUNNER" run "$TASK_DIR/$file" --task $TASK --workload "$workload" \
    --timeout=20 --work-dir "$SCRATCH/work" --trace "$SCRATCH/trace.json" \
    --format=json -o "$SCRATCH/report.json" || true
  if [ ! -s "$SCRATCH/report.json" ]; then
    complain "$name: no report"
    wrong=1
    return
  fi
  got=$(python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["status"])' "$SCRATCH/report.json")
  say "$name: $got"
  if [ "$got" != "$expected" ]; then
    complain "$name: expected $expected but got $got"
    wrong=1
  fi
  lay_out "$SCRATCH/report.json" "$OUT/h200/$name.report.json"
  if [ -s "$SCRATCH/trace.json" ]; then
    lay_out "$SCRATCH/trace.json" "$OUT/h200/$name.trace.json" $rows
  fi
  if [ -s "$SCRATCH/work/$stem.ptx" ]; then
    cp "$SCRATCH/work/$stem.ptx" "$OUT/ptx/$stem.ptx"
  fi
}

record wgmma_tma_m8192 solutions/wgmma_tma.cu M=8192 PASSED
record wgmma_tma_m200 solutions/wgmma_tma.cu M=200 PASSED mapped
record wgmma_tma_m1 solutions/wgmma_tma.cu M=1 PASSED mapped
record wgmma_tma_cluster_m8192 solutions/wgmma_tma_cluster.cu M=8192 PASSED \
  mapped
while read -r file status; do
  record "$(basename "$file" .cu)" "negative/$file" M=8192 "$status" mapped
done < <(python3 -c 'import json, sys
for name, status in json.load(open(sys.argv[1])).items():
    print(name, status)' "$TASK_DIR/negative/expected.json")

say "recorded $(du -sh "$OUT" | cut -f1) in $OUT"
exit $wrong
