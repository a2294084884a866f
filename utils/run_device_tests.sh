#!/usr/bin/env bash
# Runs the lit tests that need a GPU on a machine that has one and need not have
# LLVM, nor a compiler for this project, nor a network.
#
# On the machine with the build:
#   utils/run_device_tests.sh --pack [FOLDER]     (default: <build>/device)
# puts the tools, which are linked statically, and all that the tests need (lit,
# FileCheck and the like, the tests, the tasks, libtvm_ffi, CUPTI) into FOLDER,
# about 190 MB. Copy that to the other machine, and there:
#   FOLDER/utils/run_device_tests.sh [--all] [lit argument...]
# runs the tests that name `cuda-device` in a REQUIRES line, or all of them. The
# last line is `N passed, M failed, K skipped`. The CUDA toolkit is taken from
# CUDA_HOME, PATH or /usr/local/cuda. Needs python3.
#
# Exit status: 0 all passed; 1 something failed, nothing ran, or no GPU is here.
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

LLVM=/usr/lib/llvm-22
# Where the tools look for TVM-FFI, seen from the folder that holds bin/.
TVM_FFI=deps/apache-tvm-ffi/tvm_ffi
# Where they look for a newer CUPTI than the toolkit's.
CUPTI=deps/newer/nvidia-cuda-cupti/nvidia/cu13/lib

# pack FOLDER
pack() {
  local folder=$1 tool
  for tool in mlir-ptxbench-runner ptxbench-baselines ptxbench-opt \
    ptxbench-host ptxbench-reference ptxbench-translate; do
    [ -x "$PTXBENCH_BUILD_DIR/bin/$tool" ] ||
      die "there is no $PTXBENCH_BUILD_DIR/bin/$tool: build first"
  done
  rm -rf "$folder"
  mkdir -p "$folder"/{bin,llvm/bin,llvm/lib,lit}
  for tool in mlir-ptxbench-runner ptxbench-baselines ptxbench-opt \
    ptxbench-host ptxbench-reference ptxbench-translate; do
    strip -o "$folder/bin/$tool" "$PTXBENCH_BUILD_DIR/bin/$tool"
  done
  # Libraries that the tools open at run time stand beside them.
  find "$PTXBENCH_BUILD_DIR/bin" "$PTXBENCH_BUILD_DIR/lib" -maxdepth 1 \
    -name 'lib*.so*' -exec cp -P -t "$folder/bin" {} + 2>/dev/null || true
  for tool in FileCheck not count split-file; do
    cp -L "$LLVM/bin/$tool" "$folder/llvm/bin/"
  done
  # They are static but for these, and look for them in ../lib.
  ldd "$LLVM/bin/FileCheck" | awk '/libz3/ {print $3}' |
    xargs -r cp -L -t "$folder/llvm/lib"
  cp -r "$LLVM/utils/lit/lit" "$folder/lit/"
  cp -r "$PTXBENCH_SOURCE_DIR"/{test,tasks,negative,docs,utils} "$folder/"
  find "$folder" -name __pycache__ -prune -exec rm -rf {} +
  if [ -d "$PTXBENCH_BUILD_DIR/$TVM_FFI" ]; then
    mkdir -p "$folder/$TVM_FFI/lib"
    cp -r "$PTXBENCH_BUILD_DIR/$TVM_FFI/include" "$folder/$TVM_FFI/"
    cp "$PTXBENCH_BUILD_DIR/$TVM_FFI/lib/libtvm_ffi.so" "$folder/$TVM_FFI/lib/"
  fi
  if [ -d "$PTXBENCH_BUILD_DIR/$CUPTI" ]; then
    mkdir -p "$folder/$CUPTI"
    cp "$PTXBENCH_BUILD_DIR/$CUPTI"/{libcupti.so.*,libnvperf_host.so} \
      "$folder/$CUPTI/"
  fi
  say "packed $(du -sh "$folder" | cut -f1) into $folder"
}

# cuda_root: the toolkit of this machine, or nothing.
cuda_root() {
  local nvcc
  if [ -n "${CUDA_HOME:-}" ] && [ -x "$CUDA_HOME/bin/nvcc" ]; then
    printf '%s' "$CUDA_HOME"
  elif nvcc=$(command -v nvcc); then
    dirname "$(dirname "$(realpath "$nvcc")")"
  elif [ -x /usr/local/cuda/bin/nvcc ]; then
    printf '/usr/local/cuda'
  fi
}

# site_config FOLDER: what test/lit.site.cfg.py.in holds, for this machine.
site_config() {
  cat <<CFG
config.ptxbench_src_root = r"$1"
config.ptxbench_obj_root = r"$1/out"
config.ptxbench_tools_dir = r"$1/bin"
config.llvm_tools_dir = r"$1/llvm/bin"
config.ptxbench_cuda_root = r"$(cuda_root)"
config.ptxbench_tvm_ffi_dir = r"$1/$TVM_FFI"
config.ptxbench_nvdisasm = ""
config.ptxbench_cuobjdump = ""
lit_config.load_config(config, r"$1/test/lit.cfg.py")
CFG
}

# run_packed FOLDER [--all] [lit argument...]
run_packed() {
  local folder=$1 arguments=() tests
  shift
  if ! command -v nvidia-smi >/dev/null || ! nvidia-smi -L; then
    die "there is no GPU here, or its driver does not answer"
  fi
  if [ "${1:-}" = --all ]; then
    shift
  else
    tests=$(cd "$folder/test" &&
      grep -rlE 'REQUIRES:.*cuda-device' --include='*.test' \
        --include='*.mlir' --include='*.ptx' . | sed 's|^\./||' | paste -sd'|')
    [ -n "$tests" ] || die "no test needs a GPU"
    arguments+=("--filter=:: ($tests)\$")
  fi
  mkdir -p "$folder/out/test"
  site_config "$folder" >"$folder/out/test/lit.site.cfg.py"
  cat >"$folder/lit/lit.sh" <<'SH'
#!/bin/sh
PYTHONPATH=$(dirname "$0") exec python3 -c '
from lit.main import main
main()' "$@"
SH
  chmod +x "$folder/lit/lit.sh"
  exec python3 "$folder/utils/lib/run_checks.py" --source "$folder" \
    --build "$folder/out" --kinds lit --lit "$folder/lit/lit.sh" \
    -- "${arguments[@]}" "$@"
}

if [ "${1:-}" = --pack ]; then
  pack "$(realpath -m "${2:-$PTXBENCH_BUILD_DIR/device}")"
elif [ -d "$PTXBENCH_SOURCE_DIR/llvm/bin" ]; then
  run_packed "$PTXBENCH_SOURCE_DIR" "$@"
else
  die "this is no packed folder: run with --pack first, then on the machine" \
    "with the GPU FOLDER/utils/run_device_tests.sh"
fi
