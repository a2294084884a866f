#!/usr/bin/env bash
# Records what a GPU makes of the kernels in utils/differential, which the tests
# then ask the emulator for.
#
# On the machine with the build and ptxas:
#   utils/record_differential.sh --pack [FOLDER]  (default: <build>/differential)
# puts the tool, which is linked statically, and the kernels as cubins into
# FOLDER, about 40 MB. Copy that to a machine with an H200 and its driver, and
# there:
#   FOLDER/record_differential.sh OUT
# leaves, in less than three minutes,
#   OUT/differential.jsonl   for test/Emulator/Inputs/h200/
#   OUT/report.txt           the emulator compared with it on that machine
#   OUT/differences.jsonl    a recording of the cases that differ, with all
#                            bytes: `ptxbench-differential check` on it shows
#                            what differs, with the inputs
#
# Exit status: 0 recorded, whatever differs; 1 it could not be.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# pack FOLDER
pack() {
  local folder=$1 tool=$PTXBENCH_BUILD_DIR/bin/ptxbench-differential
  [ -x "$tool" ] || die "there is no $tool: build first"
  use_toolkit
  rm -rf "$folder"
  mkdir -p "$folder"
  strip -o "$folder/ptxbench-differential" "$tool"
  "$tool" emit "$folder/cubins" \
    --ptxas="${PTXBENCH_CUDA_ROOT:+$PTXBENCH_CUDA_ROOT/bin/}ptxas"
  rm "$folder"/cubins/*.ptx
  cp "${BASH_SOURCE[0]}" "$folder/"
  say "packed $(du -sh "$folder" | cut -f1) into $folder"
}

# run_packed OUT
run_packed() {
  local out=$1
  mkdir -p "$out"
  full=$(mktemp)
  trap 'rm -f "$full"' EXIT
  "$HERE/ptxbench-differential" record --cubins="$HERE/cubins" \
    --output="$out/differential.jsonl" --full="$full"
  "$HERE/ptxbench-differential" check "$full" --errors \
    --keep="$out/differences.jsonl" >"$out/report.txt" ||
    echo "there are differences: see $out/report.txt"
  tail -n 30 "$out/report.txt"
}

if [ -x "$HERE/ptxbench-differential" ]; then
  [ $# = 1 ] || {
    echo "usage: record_differential.sh OUT" >&2
    exit 1
  }
  run_packed "$1"
else
  # shellcheck source=utils/lib/common.sh
  . "$HERE/lib/common.sh"
  [ "${1:-}" = --pack ] ||
    die "this is no packed folder: run with --pack first"
  pack "$(realpath -m "${2:-$PTXBENCH_BUILD_DIR/differential}")"
fi
