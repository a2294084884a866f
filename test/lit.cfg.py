# How lit runs the tests of this folder: file kinds, tools, substitutions and
# features. A machine's own facts come from lit.site.cfg.py, which loads this.
#
# Features, for REQUIRES lines:
#   ptxas, nvcc   the tool was found: in the CUDA toolkit that utils/setup.sh
#                 found or fetched, or on PATH (%ptxas, %nvcc)
#   nvdisasm, cuobjdump
#                 likewise (%nvdisasm, %cuobjdump)
#   llc, mlir-opt, mlir-translate
#                 likewise; they are LLVM's own (%llc, %mlir-opt,
#                 %mlir-translate)
#   plugin        the plugin was built and there is a mlir-opt to load it
#                 (%plugin_options)
#   package       this is a build tree that can be installed, and used without
#                 flags of its own (%cmake, %cxx, %build)
#   cuda-device   a GPU is there and its driver answers
#   cudnn         and a baseline by cuDNN runs on it
#   tvm-ffi       the headers and the library of apache-tvm-ffi (%tvm_ffi_dir)
#   jsonschema    the Python module (%python)
#   bubblewrap    bwrap is there and may make namespaces
#   emulated-cuda the CUDA runtime on the emulator was built (%emulator_libs)
#
# Other substitutions: %src_root is the repository, %tasks its tasks/, %docs its
# docs/; %tools is the folder of our programs, %runner the path of
# mlir-ptxbench-runner.

import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "ptxbench-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ptx", ".test"]
config.excludes = ["Inputs", "Unit", "lib"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ptxbench_obj_root, "test")

# ===----------------------------------------------------------------------=== #
# Tools
# ===----------------------------------------------------------------------=== #

# No test may find a tool, or a toolkit, by the luck of the caller's settings:
# our tools first, then those of LLVM that tests use, then the system's.
cuda_bin = []
if config.ptxbench_cuda_root:
    cuda_bin = [os.path.join(config.ptxbench_cuda_root, "bin")]
    config.environment["CUDA_HOME"] = config.ptxbench_cuda_root
config.environment["PATH"] = os.pathsep.join(
    [config.ptxbench_tools_dir, config.llvm_tools_dir]
    + cuda_bin
    + [config.environment["PATH"]]
)
for name in ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HOME", "TMPDIR",
             "PTXBENCH_TVM_FFI_DIR", "PTXBENCH_LIBRARY_PATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]


def find_tool(feature, known=""):
    """Makes %feature the tool's path and says that the feature is there."""
    path = known if known and os.access(known, os.X_OK) else None
    path = path or shutil.which(feature, path=config.environment["PATH"])
    if path:
        config.available_features.add(feature)
        config.substitutions.append(("%" + feature, path))


find_tool("ptxas")
find_tool("nvcc")
find_tool("nvdisasm", config.ptxbench_nvdisasm)
find_tool("cuobjdump", config.ptxbench_cuobjdump)
# Those of LLVM that tests can do without.
for name in ("llc", "mlir-opt", "mlir-translate"):
    find_tool(name)

for name, value in (
    ("%src_root", config.ptxbench_src_root),
    ("%tasks", os.path.join(config.ptxbench_src_root, "tasks")),
    ("%docs", os.path.join(config.ptxbench_src_root, "docs")),
    ("%generated_docs", os.path.join(config.ptxbench_obj_root, "docs")),
    ("%python", sys.executable),
    ("%tools", config.ptxbench_tools_dir),
    ("%runner", os.path.join(config.ptxbench_tools_dir, "mlir-ptxbench-runner")),
    ("%tools", config.ptxbench_tools_dir),
    ("%tvm_ffi_dir", config.ptxbench_tvm_ffi_dir),
):
    config.substitutions.append((name, value))

# ===----------------------------------------------------------------------=== #
# Features that are no tool
# ===----------------------------------------------------------------------=== #

if importlib.util.find_spec("jsonschema"):
    config.available_features.add("jsonschema")

if os.path.exists(
    os.path.join(config.ptxbench_obj_root, "docs", "Instructions.md")
):
    config.available_features.add("generated-docs")

if config.ptxbench_tvm_ffi_dir and os.path.exists(
    os.path.join(config.ptxbench_tvm_ffi_dir, "lib", "libtvm_ffi.so")
):
    config.available_features.add("tvm-ffi")


# The site file of a machine without a build tree says nothing of these.
if getattr(config, "ptxbench_cmake", "") and "sanitize" not in (
    config.ptxbench_cxx_flags
):
    config.available_features.add("package")
    config.substitutions += [
        ("%cmake", config.ptxbench_cmake),
        ("%cxx", config.ptxbench_cxx),
        ("%build", config.ptxbench_obj_root),
    ]

plugin = os.path.join(config.ptxbench_obj_root, "lib", "ptxbench-plugin.so")
if os.path.exists(plugin) and "mlir-opt" in config.available_features:
    config.available_features.add("plugin")
config.substitutions.append(
    ("%plugin_options",
     f"--load-dialect-plugin={plugin} --load-pass-plugin={plugin}")
)
config.substitutions.append(("%plugin", plugin))

emulator_libs = os.path.join(config.ptxbench_obj_root, "lib", "emulator")
config.substitutions.append(("%emulator_libs", emulator_libs))
if os.path.exists(os.path.join(emulator_libs, "libcuda.so.1")):
    config.available_features.add("emulated-cuda")


def has_bubblewrap():
    """Containers often have the program and forbid what it needs."""
    try:
        return subprocess.run(
            ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"],
            capture_output=True, timeout=60,
        ).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if has_bubblewrap():
    config.available_features.add("bubblewrap")


def has_cuda_device():
    """A device file alone is not enough: the driver has to list a GPU."""
    nvidia_smi = shutil.which("nvidia-smi")
    if not nvidia_smi:
        return os.path.exists("/dev/nvidia0")
    try:
        listed = subprocess.run(
            [nvidia_smi, "-L"], capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return listed.returncode == 0 and "GPU 0" in listed.stdout


def has_cudnn():
    """Whether a baseline by cuDNN runs here."""
    try:
        return subprocess.run(
            [os.path.join(config.ptxbench_tools_dir, "ptxbench-baselines"),
             os.path.join(config.ptxbench_src_root, "tasks", "mha",
                          "mha_with_lse_d64"), "--workload=small"],
            env=config.environment, capture_output=True, timeout=120,
        ).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if has_cuda_device():
    config.available_features.add("cuda-device")
    if has_cudnn():
        config.available_features.add("cudnn")
