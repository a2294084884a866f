#!/usr/bin/env bash
# Sets up, builds, and shows the main job on two kernels for the same task: a
# GEMM that computes with wgmma and TMA, and one whose wgmma no thread reaches.
#
#   GPU there           both are compiled, analysed, run, checked and timed
#   no GPU              the same on the emulator, with one row of A, and without
#                       times
#   no CUDA toolkit     the PTX that nvcc wrote for both, kept in the repository,
#                       is analysed
#
# Environment: that of setup.sh, and PTXBENCH_JOBS (default: all cores).
# Exit status: 0 the demo ended as it should; else it stopped at a failure.
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

TASK=gemm_n7168_k5120
TASK_DIR=tasks/gemm/$TASK

"$PTXBENCH_SOURCE_DIR/utils/setup.sh"
use_toolkit
configure_and_build lib/all tools/all || die "the build failed"
cd "$PTXBENCH_SOURCE_DIR"

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }

# show TITLE EXPECTED ARGUMENT...: runs the runner; ends the demo unless it ends
# with the status EXPECTED.
show() {
  local title=$1 expected=$2 status=0
  shift 2
  printf '\n=== %s\n$ mlir-ptxbench-runner %s\n\n' "$title" "$*"
  "$PTXBENCH_BUILD_DIR/bin/mlir-ptxbench-runner" "$@" | tee "$SHOWN" ||
    status=$?
  if [ "$status" != "$expected" ]; then
    die "mlir-ptxbench-runner ended with status $status, not $expected"
  fi
  # Status 3 is also that of a fault; the report tells one from the other.
  if [ "$status" = 3 ] && ! grep -q NOT_RUN "$SHOWN"; then
    die "mlir-ptxbench-runner ended with status 3 and not with NOT_RUN"
  fi
  printf '\n(exit status %s)\n' "$status"
  # The status and the verdict on each required family, for the end.
  SUMMARY+=$'\n'"$title"$'\n'"$(awk '/^$/ { n++ } n < 2' "$SHOWN")"$'\n'
}

SUMMARY=
SHOWN=$(mktemp)
trap 'rm -f "$SHOWN"' EXIT

LIVE="A GEMM that computes with wgmma and loads with TMA"
DEAD="A GEMM whose wgmma stands behind a guard that never holds"

# setup.sh wrote these two; empty means that it could not be had.
if [ -z "$PTXBENCH_CUDA_ROOT" ] || [ -z "$PTXBENCH_TVM_FFI_DIR" ]; then
  say "no CUDA toolkit or no TVM-FFI, so .cu files cannot be compiled:" \
    "analysing the PTX that nvcc wrote for both kernels"
  show "$LIVE" 0 analyze "$TASK_DIR/ptx/wgmma_tma.ptx" --format=text
  show "$DEAD" 0 analyze "$TASK_DIR/ptx/dead_wgmma.ptx" --format=text
else
  # The second one computes the right numbers, and is refused (1) all the same,
  # since the task's target instructions did not execute. It does so on CUDA
  # cores, one load after the other: looking for misuse there takes a minute.
  where=()
  if ! has_gpu; then
    say "no GPU: both kernels run on the emulator, with one row of A"
    where=(--backend=emulator --workload=M=1 --timeout=600)
  fi
  show "$LIVE" 0 run "$TASK_DIR/solutions/wgmma_tma.cu" --task $TASK \
    --format=text "${where[@]}"
  show "$DEAD" 1 run "$TASK_DIR/negative/dead_wgmma.cu" --task $TASK \
    --format=text --sanitize=none "${where[@]}"
fi
printf '\n=== In short\n%s\n' "$SUMMARY"
