# Shell functions and folders that the scripts in utils/ share. Sourced, not
# run; the sourcing script has `set -euo pipefail` on.
# shellcheck shell=bash

# The repository, the build folder (PTXBENCH_BUILD_DIR overrides it) and the
# folder of fetched parts inside it.
PTXBENCH_SOURCE_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PTXBENCH_BUILD_DIR=$(realpath -m "${PTXBENCH_BUILD_DIR:-$PTXBENCH_SOURCE_DIR/build}")
PTXBENCH_DEPS_DIR=$PTXBENCH_BUILD_DIR/deps
export PTXBENCH_BUILD_DIR

# say TEXT...: one line of progress, named after the script.
say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*"; }

# complain TEXT...: one line to standard error.
complain() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

# die TEXT...: the same, and the script ends with status 1.
die() {
  complain "$@"
  exit 1
}

# use_toolkit: puts the CUDA toolkit that setup.sh found or fetched on PATH, and
# sets PTXBENCH_CUDA_ROOT and PTXBENCH_TVM_FFI_DIR (empty: not to be had).
use_toolkit() {
  # shellcheck disable=SC2034
  PTXBENCH_CUDA_ROOT='' PTXBENCH_TVM_FFI_DIR=''
  # shellcheck disable=SC1091
  if [ -f "$PTXBENCH_DEPS_DIR/env.sh" ]; then . "$PTXBENCH_DEPS_DIR/env.sh"; fi
}

# configure_and_build [TARGET...]: CMake's default preset and these targets, else
# every one.
configure_and_build() {
  say "building in $PTXBENCH_BUILD_DIR"
  (cd "$PTXBENCH_SOURCE_DIR" &&
    cmake --preset default -B "$PTXBENCH_BUILD_DIR" \
      --log-level=WARNING >/dev/null) || return 1
  NINJA_STATUS='[%f/%t %es] ' ninja -C "$PTXBENCH_BUILD_DIR" \
    -j"${PTXBENCH_JOBS:-$(nproc)}" "$@" || return 1
}
