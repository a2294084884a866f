#!/usr/bin/env bash
# Installs and fetches what the build needs. Safe to run again at any time, and
# quick when everything is there.
#
#   1. Debian packages, through apt-get, as root or with sudo. Without the
#      essential ones nothing can be built: a failure.
#   2. Pinned wheels (utils/deps.lock), each checked against its SHA-256, into
#      <build>/deps. One that cannot be had is a sentence that says what it
#      switches off, not a failure.
#   3. The CUDA toolkit: CUDA_HOME, nvcc on PATH, /usr/local/cuda; where there
#      is none, one assembled from wheels in <build>/deps/cuda.
#
# and writes <build>/deps/ptxbench-deps.cmake and <build>/deps/env.sh, which
# say what was found.
#
# Environment: PTXBENCH_BUILD_DIR (default: build), PTXBENCH_NO_SYSTEM_CUDA=1
# (ignore an installed toolkit), PTXBENCH_OFFLINE=1 (fetch nothing),
# PTXBENCH_WHEEL_DIR (a folder of wheels to take before asking the network).
set -euo pipefail
# shellcheck source=utils/lib/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

LOCK=$PTXBENCH_SOURCE_DIR/utils/deps.lock

#===------------------------------------------------------------------------===#
# Debian packages
#===------------------------------------------------------------------------===#

ESSENTIAL=(llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools g++ cmake
  ninja-build ccache mold python3 zlib1g-dev libzstd-dev)

# What is lost without each of the others.
declare -A OPTIONAL=(
  [clang-format]="the check of the code's layout"
  [libgtest-dev]="the unit tests"
  [libbenchmark-dev]="the benchmarks"
  [python3-jsonschema]="the tests of the report's JSON schema"
  [python3-psutil]="the time limit on each lit test"
  [python3-pip]="fetching the wheels"
  [unzip]="unpacking the wheels"
  [ca-certificates]="fetching the wheels"
)

# missing PACKAGE...: those that are not installed, one a line.
missing() {
  local installed package
  # dpkg-query fails when it knows nothing of one package, and still lists the
  # others.
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" \
    2>/dev/null | sed -n 's/^installed //p' || true)
  for package in "$@"; do
    grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# as_root COMMAND...
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
    --no-install-recommends "$@"
}

install_packages() {
  local essential optional package log
  if ! command -v dpkg-query >/dev/null; then
    die "this is no Debian or Ubuntu: install what Debian calls" \
      "${ESSENTIAL[*]} and build with 'cmake --preset default'"
  fi
  mapfile -t essential < <(missing "${ESSENTIAL[@]}")
  mapfile -t optional < <(missing "${!OPTIONAL[@]}")
  if [ $((${#essential[@]} + ${#optional[@]})) = 0 ]; then return; fi

  local all=("${essential[@]}" "${optional[@]}")
  if [ -n "${PTXBENCH_OFFLINE:-}" ] || { [ "$(id -u)" != 0 ] &&
    ! command -v sudo >/dev/null; }; then
    complain "run as root: apt-get install --no-install-recommends ${all[*]}"
  else
    log=$PTXBENCH_DEPS_DIR/apt.log
    say "installing ${all[*]} (log: $log)"
    as_root apt-get update -q >"$log" 2>&1 ||
      complain "apt-get update failed; going on with the old lists"
    # All at once; if that fails, the essential ones, then one by one.
    if ! apt_install "${all[@]}" >>"$log" 2>&1; then
      if [ ${#essential[@]} != 0 ]; then
        apt_install "${essential[@]}" >>"$log" 2>&1 || true
      fi
      for package in "${optional[@]}"; do
        apt_install "$package" >>"$log" 2>&1 || true
      done
    fi
  fi

  mapfile -t essential < <(missing "${ESSENTIAL[@]}")
  mapfile -t optional < <(missing "${!OPTIONAL[@]}")
  for package in "${optional[@]}"; do
    complain "package $package could not be installed; it switches off" \
      "${OPTIONAL[$package]}"
  done
  if [ ${#essential[@]} != 0 ]; then
    [ -z "${log:-}" ] || grep -E '^(E|W):' "$log" | head -5 >&2 || true
    die "cannot build without the packages ${essential[*]}, which could not" \
      "be installed"
  fi
}

#===------------------------------------------------------------------------===#
# Wheels
#===------------------------------------------------------------------------===#

# What is lost without each of the wheels.
declare -A WHEEL_USE=(
  [nvidia-cudnn-frontend]="the cuDNN baselines of the attention tasks"
  [apache-tvm-ffi]="building and running .cu candidates"
  [nvidia-cuda-nvdisasm]="the tests that compare with nvdisasm"
  [nvidia-cuda-cuobjdump]="the tests that compare with cuobjdump"
  [nvidia-cuda-cupti]="counting more than the first kernel of a call, which \
CUPTI of CUDA 13.0 does not"
)

PIP=()
# find_pip: fills PIP with a command that runs pip. Debian's comes first, since
# that is the one that install_packages saw to.
find_pip() {
  local python
  for python in /usr/bin/python3 python3; do
    if "$python" -m pip --version >/dev/null 2>&1; then
      PIP=("$python" -m pip)
      return 0
    fi
  done
  return 1
}

# fetch_wheel NAME VERSION FILE SHA256 FOLDER: FILE is in FOLDER afterwards, and
# is the pinned one; else a sentence in REASON and status 1.
REASON=
fetch_wheel() {
  local name=$1 version=$2 file=$3 sha=$4 folder=$5
  local python abi platform tag rest options=()
  if [ -n "${PTXBENCH_WHEEL_DIR:-}" ] && [ -f "$PTXBENCH_WHEEL_DIR/$file" ]; then
    cp "$PTXBENCH_WHEEL_DIR/$file" "$folder/"
  elif [ -n "${PTXBENCH_OFFLINE:-}" ]; then
    REASON="PTXBENCH_OFFLINE is set"
    return 1
  elif [ ${#PIP[@]} = 0 ] && ! find_pip; then
    REASON="there is no pip"
    return 1
  else
    # NAME-VERSION-PYTHON-ABI-PLATFORM.PLATFORM....whl
    rest=${file%.whl}
    platform=${rest##*-} rest=${rest%-*}
    abi=${rest##*-} rest=${rest%-*}
    python=${rest##*-}
    for tag in ${platform//./ }; do options+=(--platform "$tag"); done
    if [ "$abi" != none ]; then
      options+=(--implementation cp --abi "$abi"
        --python-version "${python:2:1}.${python:3}")
    fi
    if ! "${PIP[@]}" download --quiet --no-deps --only-binary=:all: \
      --disable-pip-version-check --no-cache-dir --retries 1 --timeout 60 \
      "${options[@]}" -d "$folder" "$name==$version" \
      >"$PTXBENCH_DEPS_DIR/pip.log" 2>&1 || [ ! -f "$folder/$file" ]; then
      REASON=$(grep -m1 '^ERROR' "$PTXBENCH_DEPS_DIR/pip.log" ||
        echo "pip gave no $file")
      return 1
    fi
  fi
  if ! sha256sum --status -c - <<<"$sha  $folder/$file"; then
    REASON="its SHA-256 is $(sha256sum "$folder/$file" | cut -d' ' -f1) and"
    REASON+=" not the pinned $sha"
    return 1
  fi
}

# install_wheel NAME VERSION FILE SHA256 [FOLDER]: unpacked in <deps>/FOLDER,
# else <deps>/NAME, with its hash in .sha256 there. Status 1 and REASON where
# that cannot be.
install_wheel() {
  local name=$1 version=$2 file=$3 sha=$4 work
  local folder=$PTXBENCH_DEPS_DIR/${5:-$name}
  if [ "$(cat "$folder/.sha256" 2>/dev/null)" = "$sha" ]; then return 0; fi
  work=$(mktemp -d "$PTXBENCH_DEPS_DIR/fetch.XXXXXX")
  say "fetching $name $version"
  if fetch_wheel "$name" "$version" "$file" "$sha" "$work"; then
    mkdir "$work/tree"
    if unzip -q "$work/$file" -d "$work/tree" 2>/dev/null; then
      # Some wheels give programs to their owner alone.
      chmod -R a+rX "$work/tree"
      echo "$sha" >"$work/tree/.sha256"
      rm -rf "$folder"
      mkdir -p "$(dirname "$folder")"
      mv "$work/tree" "$folder"
      rm -rf "$work"
      return 0
    fi
    REASON="unzip failed on it"
  fi
  rm -rf "$work"
  return 1
}

# wheels WHEN: the lines of the lock file for `always`, `toolkit` or `newer`.
wheels() { awk -v when="$1" '!/^#/ && NF == 5 && $5 == when' "$LOCK"; }

install_wheels() {
  local name version file sha when folder
  if [ "$(uname -m)" != x86_64 ]; then
    complain "the pinned wheels are for x86_64 and this is $(uname -m):" \
      "without them .cu candidates and the cuDNN baselines are switched off"
    return
  fi
  while read -r name version file sha when; do
    folder=$name
    if [ "$when" = newer ]; then folder=newer/$name; fi
    install_wheel "$name" "$version" "$file" "$sha" "$folder" ||
      complain "$name $version could not be had ($REASON); it switches off" \
        "${WHEEL_USE[$name]}"
  done < <(wheels always && wheels newer)
}

#===------------------------------------------------------------------------===#
# The CUDA toolkit
#===------------------------------------------------------------------------===#

CUDA_ROOT=

# toolkit_headers ROOT: its folders of headers, one a line. In some toolkits one
# of them is a link to another.
toolkit_headers() {
  local folder
  for folder in include targets/x86_64-linux/include extras/CUPTI/include; do
    if [ -d "$1/$folder" ]; then realpath "$1/$folder"; fi
  done | awk '!seen[$0]++'
}

# toolkit_is_usable ROOT: nvcc and ptxas of CUDA 13 or later, and the headers.
# Else a sentence in REASON.
toolkit_is_usable() {
  local root=$1 version folder
  if [ ! -x "$root/bin/nvcc" ] || [ ! -x "$root/bin/ptxas" ]; then
    REASON="it has no bin/nvcc or no bin/ptxas"
    return 1
  fi
  version=$("$root/bin/nvcc" --version 2>/dev/null |
    sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  if [ "${version:-0}" -lt 13 ]; then
    REASON="its nvcc is of release ${version:-unknown}; 13 or later is needed"
    return 1
  fi
  while read -r folder; do
    if [ -f "$folder/cuda_runtime.h" ]; then return 0; fi
  done < <(toolkit_headers "$root")
  REASON="it has no cuda_runtime.h"
  return 1
}

find_toolkit() {
  local candidate candidates=()
  if [ -n "${PTXBENCH_NO_SYSTEM_CUDA:-}" ]; then return 1; fi
  if [ -n "${CUDA_HOME:-}" ]; then candidates+=("$CUDA_HOME"); fi
  if candidate=$(command -v nvcc); then
    candidates+=("$(dirname "$(dirname "$(realpath "$candidate")")")")
  fi
  candidates+=(/usr/local/cuda)
  for candidate in "${candidates[@]}"; do
    if [ "$candidate" = "$PTXBENCH_DEPS_DIR/cuda" ] ||
      [ ! -d "$candidate" ]; then
      continue
    fi
    if toolkit_is_usable "$candidate"; then
      CUDA_ROOT=$candidate
      return 0
    fi
    complain "passing over the CUDA toolkit in $candidate: $REASON"
  done
  return 1
}

# assemble_toolkit: one tree, laid out as an installed toolkit is, from the
# `toolkit` wheels.
assemble_toolkit() {
  local name version file sha stamp root work library
  root=$PTXBENCH_DEPS_DIR/cuda
  if [ "$(uname -m)" != x86_64 ]; then
    REASON="there are wheels for x86_64 only"
    return 1
  fi
  stamp=$(wheels toolkit | sha256sum)
  if [ "$(cat "$root/.stamp" 2>/dev/null)" = "$stamp" ]; then
    CUDA_ROOT=$root
    return 0
  fi
  work=$(mktemp -d "$PTXBENCH_DEPS_DIR/cuda.XXXXXX")
  while read -r name version file sha _; do
    if ! install_wheel "$name" "$version" "$file" "$sha"; then
      REASON="$name $version: $REASON"
      rm -rf "$work"
      return 1
    fi
    cp -al "$PTXBENCH_DEPS_DIR/$name/nvidia/cu13/." "$work/"
  done < <(wheels toolkit)
  ln -sfn lib "$work/lib64"
  for library in "$work"/lib/lib*.so.*; do
    ln -sfn "$(basename "$library")" "${library%.so.*}.so"
  done
  # The driver's library belongs to the driver, not to a wheel. To link with
  # -lcuda an empty one of its name is enough.
  mkdir -p "$work/lib/stubs"
  g++ -shared -x c /dev/null -Wl,-soname,libcuda.so.1 \
    -o "$work/lib/stubs/libcuda.so"
  if ! try_toolkit "$work"; then
    rm -rf "$work"
    return 1
  fi
  echo "$stamp" >"$work/.stamp"
  rm -rf "$root"
  mv "$work" "$root"
  wheels toolkit | while read -r name _; do
    rm -rf "${PTXBENCH_DEPS_DIR:?}/$name"
  done
  CUDA_ROOT=$root
}

# try_toolkit ROOT: compiles one kernel, so that ptxas has run, too.
try_toolkit() {
  local folder status=0
  folder=$(mktemp -d "$PTXBENCH_DEPS_DIR/try.XXXXXX")
  cat >"$folder/try.cu" <<'CU'
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16 *p) { p[threadIdx.x] += p[0]; }
CU
  if ! "$1/bin/nvcc" -arch=sm_90a -cubin -o "$folder/try.cubin" \
    "$folder/try.cu" >"$PTXBENCH_DEPS_DIR/nvcc.log" 2>&1 ||
    [ ! -s "$folder/try.cubin" ]; then
    REASON="the assembled nvcc does not compile:"
    REASON+=" $(head -1 "$PTXBENCH_DEPS_DIR/nvcc.log")"
    status=1
  fi
  rm -rf "$folder"
  return $status
}

#===------------------------------------------------------------------------===#
# What was found, for CMake and for the shell
#===------------------------------------------------------------------------===#

# cmake_cache VARIABLE KIND VALUE DESCRIPTION: one line of a CMake file.
cmake_cache() { printf 'set(%s "%s" CACHE %s "%s" FORCE)\n' "$1" "$3" "$2" "$4"; }

# if_there PATH...: the first that exists, else nothing.
if_there() {
  local path
  for path in "$@"; do
    if [ -e "$path" ]; then
      printf '%s' "$path"
      return
    fi
  done
}

# cudnn_headers: the folder of cudnn.h: the toolkit's, the system's, that of a
# Python package; cudnn-frontend takes types from it. Nothing if there is none.
cudnn_headers() {
  local folder
  {
    [ -z "$CUDA_ROOT" ] || toolkit_headers "$CUDA_ROOT"
    echo /usr/include
    echo "/usr/include/$(uname -m)-linux-gnu"
    python3 - 2>/dev/null <<'PY' || true
import os, nvidia.cudnn
for path in nvidia.cudnn.__path__:
    print(os.path.join(path, "include"))
PY
  } | while read -r folder; do
    if [ -f "$folder/cudnn.h" ]; then
      printf '%s' "$folder"
      break
    fi
  done
}

# The tools look for CUDA's beside themselves, in <build>/deps/cuda, after all
# other places. What no toolkit has to hold is found there in any case.
link_tools() {
  local tool
  mkdir -p "$PTXBENCH_DEPS_DIR/cuda/bin"
  for tool in nvdisasm cuobjdump; do
    if [ -x "$PTXBENCH_DEPS_DIR/nvidia-cuda-$tool/nvidia/cu13/bin/$tool" ]; then
      ln -sfn "../../nvidia-cuda-$tool/nvidia/cu13/bin/$tool" \
        "$PTXBENCH_DEPS_DIR/cuda/bin/$tool"
    fi
  done
}

write_results() {
  local deps=$PTXBENCH_DEPS_DIR includes='' work
  if [ -n "$CUDA_ROOT" ]; then
    includes=$(toolkit_headers "$CUDA_ROOT" | paste -sd';')
  fi
  work=$(mktemp "$deps/result.XXXXXX")
  {
    echo "# Written by utils/setup.sh. Empty means: not to be had here."
    cmake_cache PTXBENCH_CUDA_ROOT PATH "$CUDA_ROOT" "CUDA toolkit"
    cmake_cache PTXBENCH_CUDA_INCLUDE_DIRS STRING "$includes" \
      "folders of CUDA's headers"
    cmake_cache PTXBENCH_CUDA_TOOLS_RELATIVE_DIR STRING ../deps/cuda \
      "folder of fetched CUDA tools, seen from the tools' folder"
    cmake_cache PTXBENCH_CUPTI_RELATIVE_DIR STRING \
      ../deps/newer/nvidia-cuda-cupti/nvidia/cu13/lib \
      "folder of CUPTI's library, seen from there"
    cmake_cache PTXBENCH_TVM_FFI_RELATIVE_DIR STRING \
      ../deps/apache-tvm-ffi/tvm_ffi "folder of TVM-FFI, seen from there"
    cmake_cache PTXBENCH_TVM_FFI_DIR PATH \
      "$(if_there "$deps/apache-tvm-ffi/tvm_ffi")" \
      "folder with include/tvm/ffi and lib/libtvm_ffi.so"
    cmake_cache PTXBENCH_CUDNN_FRONTEND_INCLUDE_DIR PATH \
      "$(if_there "$deps/nvidia-cudnn-frontend/include")" \
      "folder of cudnn_frontend.h"
    cmake_cache PTXBENCH_CUDNN_INCLUDE_DIR PATH "$(cudnn_headers)" \
      "folder of cudnn.h"
    cmake_cache PTXBENCH_NVDISASM FILEPATH \
      "$(if_there "$deps/nvidia-cuda-nvdisasm/nvidia/cu13/bin/nvdisasm" \
        ${CUDA_ROOT:+"$CUDA_ROOT/bin/nvdisasm"})" \
      "disassembler"
    cmake_cache PTXBENCH_CUOBJDUMP FILEPATH \
      "$(if_there "$deps/nvidia-cuda-cuobjdump/nvidia/cu13/bin/cuobjdump" \
        ${CUDA_ROOT:+"$CUDA_ROOT/bin/cuobjdump"})" \
      "object dumper"
  } >"$work"
  # An unchanged file keeps its time, so that CMake has no reason to run again.
  if cmp -s "$work" "$deps/ptxbench-deps.cmake"; then
    rm "$work"
  else
    chmod 644 "$work"
    mv "$work" "$deps/ptxbench-deps.cmake"
  fi

  {
    echo "# Written by utils/setup.sh; sourced by the scripts beside it."
    printf 'PTXBENCH_CUDA_ROOT=%q\n' "$CUDA_ROOT"
    printf 'PTXBENCH_TVM_FFI_DIR=%q\n' \
      "$(if_there "$deps/apache-tvm-ffi/tvm_ffi")"
    if [ -n "$CUDA_ROOT" ]; then
      printf 'export CUDA_HOME=%q\n' "$CUDA_ROOT"
      # shellcheck disable=SC2016
      printf 'export PATH=%q:"$PATH"\n' "$CUDA_ROOT/bin"
    fi
  } >"$deps/env.sh"
}

mkdir -p "$PTXBENCH_DEPS_DIR"
# What an interrupted run left.
rm -rf "$PTXBENCH_DEPS_DIR"/{fetch,try,cuda,result}.??????

install_packages
install_wheels
if ! find_toolkit && ! assemble_toolkit; then
  complain "there is no CUDA toolkit, and none could be fetched ($REASON);" \
    "this switches off compiling .cu candidates, ptxas, and their tests"
fi
link_tools
write_results
say "ready: LLVM/MLIR $(/usr/lib/llvm-22/bin/llvm-config --version)," \
  "CUDA toolkit ${CUDA_ROOT:-none}"
