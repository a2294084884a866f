#!/usr/bin/env python3
"""How long one evaluation of a GEMM candidate takes, next to the steps by hand.

    utils/benchmarks/evaluation_time.py RUNNER TVM_FFI [CANDIDATE]

on a machine with a GPU, the CUDA toolkit (nvcc, compute-sanitizer), Nsight
Compute and PyTorch. The peer is the sum of the steps that PTXBench takes for a
candidate, each as a process: nvcc to a library, nvcc to PTX, compute-sanitizer
memcheck twice, the evaluation (3 trials, each with fresh inputs, a comparison
with PyTorch's product, and 10 + 50 calls of candidate and baseline with the L2
cache written before), and ncu with the executed instructions of one call after
one warm-up. TVM_FFI is the folder that holds include/ and lib/.

Prints a line for each step, and the ratio. Exit status: 0; 1 if a step fails.
"""

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

M, N, K = 8192, 7168, 5120
TASK = "gemm_n7168_k5120"
HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Device(ctypes.Structure):
    """DLPack's DLDevice."""
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Type(ctypes.Structure):
    """DLPack's DLDataType."""
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device", Device),
                ("ndim", ctypes.c_int32), ("dtype", Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class Any(ctypes.Structure):
    """TVM-FFI's TVMFFIAny."""
    _fields_ = [("type_index", ctypes.c_int32), ("padding", ctypes.c_uint32),
                ("value", ctypes.c_uint64)]


CUDA, BFLOAT, DLTENSOR_POINTER = 2, 4, 7


def load(library, tvm_ffi):
    """A Python function that calls the candidate with three tensors."""
    ctypes.CDLL(os.path.join(tvm_ffi, "lib", "libtvm_ffi.so"),
                mode=ctypes.RTLD_GLOBAL)
    function = ctypes.CDLL(library).__tvm_ffi_run
    function.argtypes = [ctypes.c_void_p, ctypes.POINTER(Any), ctypes.c_int32,
                         ctypes.POINTER(Any)]

    def call(*tensors):
        arguments, kept, result = (Any * 3)(), [], Any()
        for i, tensor in enumerate(tensors):
            shape = (ctypes.c_int64 * 2)(*tensor.shape)
            strides = (ctypes.c_int64 * 2)(*tensor.stride())
            view = Tensor(tensor.data_ptr(), Device(CUDA, 0), 2,
                          Type(BFLOAT, 16, 1), shape, strides, 0)
            kept.append((shape, strides, view))
            arguments[i] = Any(DLTENSOR_POINTER, 0, ctypes.addressof(view))
        if function(None, arguments, 3, ctypes.byref(result)):
            sys.exit("the candidate returned an error")

    return call


def step_call(call, calls):
    """What memcheck and ncu watch: some calls at full size."""
    import torch
    a = torch.randn(M, K, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(N, K, device="cuda", dtype=torch.bfloat16)
    c = torch.empty(M, N, device="cuda", dtype=torch.bfloat16)
    for _ in range(calls):
        call(a, b, c)
    torch.cuda.synchronize()


def step_evaluate(call):
    """3 trials: correctness, then 10 + 50 calls of both with a cold L2."""
    import torch
    flush = torch.empty(120 << 20, device="cuda", dtype=torch.uint8)
    speedups = []
    for _ in range(3):
        a = torch.randn(M, K, device="cuda").clamp(-2, 2).bfloat16()
        b = torch.randn(N, K, device="cuda").clamp(-2, 2).bfloat16()
        c = torch.empty(M, N, device="cuda", dtype=torch.bfloat16)
        expected = a @ b.T
        call(a, b, c)
        error = (c.float() - expected.float()).abs()
        wrong = (error > 1e-2) & (error > 1e-2 * expected.float().abs())
        if wrong.any():
            sys.exit(f"{int(wrong.sum())} elements are wrong")

        def median(run):
            times = []
            for i in range(60):
                flush.zero_()
                begin = torch.cuda.Event(enable_timing=True)
                end = torch.cuda.Event(enable_timing=True)
                begin.record()
                run()
                end.record()
                torch.cuda.synchronize()
                if i >= 10:
                    times.append(begin.elapsed_time(end))
            return statistics.median(times)

        ours = median(lambda: call(a, b, c))
        speedups.append(median(lambda: torch.matmul(a, b.T, out=c)) / ours)
    print("speedup", " ".join(f"{s:.3f}" for s in speedups))


def timed(name, command):
    """Runs a step, prints and returns its seconds."""
    begin = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", check=False)
    seconds = time.monotonic() - begin
    print(f"{seconds:8.1f} s  {name}", flush=True)
    if done.returncode:
        print(done.stdout[-2000:])
        sys.exit(f"{name}: exit status {done.returncode}")
    return seconds


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner")
    parser.add_argument("tvm_ffi")
    parser.add_argument("candidate", nargs="?", default=os.path.join(
        HERE, "tasks/gemm", TASK, "solutions/wgmma_tma_cluster.cu"))
    parser.add_argument("--step", help=argparse.SUPPRESS)
    parser.add_argument("--calls", type=int, default=1, help=argparse.SUPPRESS)
    options = parser.parse_args()
    tvm_ffi = os.path.abspath(options.tvm_ffi)
    if options.step:
        call = load(options.candidate, tvm_ffi)
        if options.step == "call":
            step_call(call, options.calls)
        else:
            step_evaluate(call)
        return 0

    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "candidate.so")
        nvcc = ["nvcc", "-O3", "-lineinfo", "-std=c++17",
                "-I", os.path.join(tvm_ffi, "include")]
        again = [sys.executable, os.path.abspath(__file__), options.runner,
                 tvm_ffi, library]
        total = timed("nvcc to a library", nvcc + [
            "-shared", "-Xcompiler", "-fPIC", "--ptxas-options=-v", "-gencode",
            "arch=compute_90a,code=sm_90a", options.candidate, "-o", library,
            "-L", os.path.join(tvm_ffi, "lib"), "-ltvm_ffi", "-lcuda"])
        total += timed("nvcc to PTX", nvcc + [
            "-ptx", "-arch=compute_90a", options.candidate, "-o",
            os.path.join(folder, "candidate.ptx")])
        for turn in ("first", "second"):
            total += timed(f"memcheck, {turn}",
                           ["compute-sanitizer", "--tool=memcheck",
                            "--error-exitcode=1", *again, "--step=call"])
        total += timed("evaluation", again + ["--step=evaluate"])
        total += timed("ncu", [
            "ncu", "--metrics", "smsp__inst_executed.sum,"
            "smsp__sass_thread_inst_executed_pred_on.sum,inst_executed,"
            "thread_inst_executed_true", "--import-source=no",
            "--kernel-name-base=mangled", "-f", "-o",
            os.path.join(folder, "profile"), *again, "--step=call", "--calls=2"])
        print(f"{total:8.1f} s  together")
        ours = timed("mlir-ptxbench-runner run", [
            options.runner, "run", options.candidate, f"--task={TASK}",
            "--workload=full", "--backend=cuda", "-o",
            os.path.join(folder, "report.txt")])
        print(f"{total / ours:8.2f}    steps by hand / ours")
    return 0


if __name__ == "__main__":
    sys.exit(main())
