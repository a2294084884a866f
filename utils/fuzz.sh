#!/usr/bin/env bash
# Builds the fuzz targets with clang's libFuzzer and runs each for a while, one
# after the other, on the .ptx files of the tests and on what earlier runs have
# found in build-fuzz/corpus. Inputs that crash, leak, take over 10 s or over
# 2 GiB are findings: they are written to build-fuzz/findings.
#
#   utils/fuzz.sh SECONDS [TARGET...]     TARGET: import, export; default both
#
# Environment: PTXBENCH_CLANG (default: the first clang that can link libFuzzer),
# PTXBENCH_JOBS (parallel jobs of the build; default: all cores).
# Exit status: 0 nothing found; 1 something was, or there is no such clang.
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

[[ "${1:-}" =~ ^[0-9]+$ ]] || die "usage: fuzz.sh SECONDS [import] [export]"
seconds=$1
shift
[ $# -gt 0 ] || set -- import export
build=$PTXBENCH_SOURCE_DIR/build-fuzz

# has_libfuzzer CLANG: whether it can make a libFuzzer program.
has_libfuzzer() {
  command -v "$1" >/dev/null &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) {
      return 0; }' |
    "$1" -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null
}

clang=${PTXBENCH_CLANG:-}
for candidate in clang++-22 clang++ clang++-14; do
  [ -z "$clang" ] && has_libfuzzer "$candidate" && clang=$candidate
done
[ -n "$clang" ] ||
  die "no clang with libFuzzer (Debian: clang-14, libclang-rt-14-dev)"

(cd "$PTXBENCH_SOURCE_DIR" &&
  cmake --preset fuzz --log-level=WARNING \
    -DCMAKE_C_COMPILER="${clang/clang++/clang}" \
    -DCMAKE_CXX_COMPILER="$clang" >/dev/null) || die "cmake failed"
for target; do
  ninja -C "$build" -j"${PTXBENCH_JOBS:-$(nproc)}" "ptxbench-$target-fuzzer"
done

mkdir -p "$build/seeds" "$build/corpus" "$build/findings"
find "$PTXBENCH_SOURCE_DIR/test" -name '*.ptx' -size -16k \
  -exec cp -t "$build/seeds" {} +
found=0
for target; do
  say "$target, for $seconds s"
  "$build/bin/ptxbench-$target-fuzzer" "$build/corpus" "$build/seeds" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="$build/findings/$target-" -print_final_stats=1 \
    >"$build/$target.log" 2>&1 || found=1
  grep -E '^(stat::|SUMMARY)|Test unit written' "$build/$target.log" || true
done
[ "$found" = 0 ] || die "findings in $build/findings; logs in $build/*.log"
say "nothing found"
