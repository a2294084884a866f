#!/usr/bin/env python3
"""Writes the definitions and workloads of all tasks.

Tasks of a family differ in a few numbers only, so their files are made from
this one text. Solutions, candidates that must fail, the references in MLIR and
the READMEs are written by hand.

  utils/make_tasks.py            writes tasks/*/*/{definition.json,workloads.jsonl}
  utils/make_tasks.py --check    names the files that are not what it would write

Exit status: 0; 1 with --check where a file differs; 2 bad usage, or a
file that cannot be written.
"""

import argparse
import json
import os
import sys

TASKS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "tasks")

# Rows of A, or queries, where no device runs the candidate: more than a tile,
# and none of the usual heights of one divides it.
SMALL_ROWS = 200

FAMILIES = {"sm_90a": ["wgmma", "tma"], "sm_100a": ["tcgen05", "tma"]}


def const(value):
    return {"type": "const", "value": value}


def var(description):
    return {"type": "var", "description": description}


def tensor(shape, dtype):
    return {"shape": list(shape), "dtype": dtype}


def tolerance(max_relative_l2, atol=0.01, rtol=0.01, matched=1.0):
    """What the limits rest on: docs/Tasks.md."""
    return {
        "atol": atol,
        "rtol": rtol,
        "required_matched_ratio": matched,
        "max_relative_l2": max_relative_l2,
    }


def workload(definition, uuid, axes, size):
    inputs = {name: {"type": "random"} for name in definition["inputs"]}
    return {
        "definition": definition["name"],
        "workload": {
            "uuid": uuid,
            "axes": axes,
            "inputs": inputs,
            "ptxbench": {"size": size},
        },
        "solution": None,
        "evaluation": None,
    }


# ===----------------------------------------------------------------------=== #
# Products
# ===----------------------------------------------------------------------=== #

GEMM_SHAPES = [
    (128, 2048), (2048, 4096), (2048, 5376), (21504, 5376), (256, 7168),
    (28672, 4096), (34816, 5120), (4096, 14336), (4096, 4096), (4096, 5376),
    (5120, 17408), (5120, 2048), (5120, 5120), (5376, 21504), (5376, 4096),
    (6144, 4096), (7168, 5120),
]  # fmt: skip

FP8_GEMM_SHAPES = [
    (24576, 1536), (32768, 512), (4096, 7168), (7168, 16384), (7168, 2048),
]  # fmt: skip


def product_uuid(n, k, m):
    return f"{n:08d}-{k if k < 10000 else format(k, 'x'):0>4}-4000-8000-{m:012d}"


def product_workloads(definition, n, k, full):
    rows = [(full, "full")] + [(m, "small") for m in (1, 64, 128, 200, 1000)]
    return [
        workload(definition, product_uuid(n, k, m), {"M": m}, size)
        for m, size in rows
    ]


def gemm(n, k):
    name = f"gemm_n{n}_k{k}"
    headline = (n, k) == (7168, 5120)
    definition = {
        "name": name,
        "op_type": "gemm",
        "description": "C = A * B^T in bfloat16 with float32 accumulation; "
        f"N = {n}, K = {k}, any M >= 1. All matrices are row-major and "
        "contiguous.",
        "tags": (["ptxbench:headline"] if headline else []) + ["dtype:bf16"],
        "axes": {"M": var("rows of A and C"), "N": const(n), "K": const(k)},
        "constraints": [],
        "inputs": {
            "A": tensor("MK", "bfloat16"),
            "B": tensor("NK", "bfloat16"),
        },
        "outputs": {"C": tensor("MN", "bfloat16")},
        "reference": "import torch\n\n\ndef run(A, B):\n"
        "    return torch.matmul(A, B.T)\n",
        "ptxbench": {
            "headline_workload": product_uuid(n, k, 8192),
            "small_workload": product_uuid(n, k, SMALL_ROWS),
            "required_families": FAMILIES,
            "reference": {
                "file": "../_reference/gemm.mlir",
                "function": "gemm",
            },
            "independent_axes": ["M"],
            "tolerance": tolerance(0.005),
            "baseline": "cublaslt_gemm_nt",
            "flops": "2*M*N*K",
        },
    }
    return "gemm", definition, product_workloads(definition, n, k, 8192)


FP8_GEMM_REFERENCE = """import torch


def run(A, SF_A, B, SF_B):
    rows_b = SF_B.repeat_interleave(128, dim=0)
    D = torch.zeros(A.shape[0], B.shape[0], dtype=torch.float32, device=A.device)
    for block in range(A.shape[1] // 128):
        k = slice(128 * block, 128 * block + 128)
        scale = SF_A[:, block, None] * rows_b[None, :, block]
        D += (A[:, k].float() @ B[:, k].float().T) * scale
    return D.to(torch.bfloat16)
"""


def fp8_gemm(n, k):
    definition = {
        "name": f"fp8_gemm_nt_1d2d_n{n}_k{k}",
        "op_type": "gemm",
        "description": "D = A * B^T of float8_e4m3fn with scales, in bfloat16; "
        f"N = {n}, K = {k}, any M >= 1. SF_A has a scale for each run of 128 "
        "elements along a row of A, SF_B one for each block of 128 x 128 "
        "elements of B: D[m,n] = sum over k of A[m,k] * B[n,k] * "
        "SF_A[m,k/128] * SF_B[n/128,k/128]. All tensors are row-major and "
        "contiguous.",
        "tags": ["dtype:fp8_e4m3", "recipe:1d2d"],
        "axes": {
            "M": var("rows of A and D"),
            "N": const(n),
            "K": const(k),
            "blocks_n": const(n // 128),
            "blocks_k": const(k // 128),
        },
        "constraints": ["N == 128 * blocks_n", "K == 128 * blocks_k"],
        "inputs": {
            "A": tensor("MK", "float8_e4m3fn"),
            "SF_A": tensor(["M", "blocks_k"], "float32"),
            "B": tensor("NK", "float8_e4m3fn"),
            "SF_B": tensor(["blocks_n", "blocks_k"], "float32"),
        },
        "outputs": {"D": tensor("MN", "bfloat16")},
        "reference": FP8_GEMM_REFERENCE,
        "ptxbench": {
            "headline_workload": product_uuid(n, k, 4096),
            "small_workload": product_uuid(n, k, SMALL_ROWS),
            "required_families": FAMILIES,
            "reference": {
                "file": "../_reference/gemm.mlir",
                "function": "fp8_gemm_nt_1d2d",
            },
            "independent_axes": ["M"],
            "inputs": {
                "SF_A": {"distribution": "positive"},
                "SF_B": {"distribution": "positive"},
            },
            "tolerance": tolerance(0.005),
            "baseline": "cublaslt_fp8_gemm_nt_1d2d",
            "flops": "2*M*N*K",
        },
    }
    return "gemm", definition, product_workloads(definition, n, k, 4096)


# ===----------------------------------------------------------------------=== #
# Attention
# ===----------------------------------------------------------------------=== #

LENGTHS = [512, 1024, 2048, 4096, 8192, 16384]

# Text in MASK's place; heads one after the other, so that long sequences fit.
FORWARD_REFERENCE = """import math

import torch


def run(Q, K, V):
    O = torch.empty_like(Q)
    LSE = torch.empty(Q.shape[:3], dtype=torch.float32, device=Q.device)
    for b in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            S = Q[b, h].float() @ K[b, h].float().T / math.sqrt(Q.shape[3])
MASK            LSE[b, h] = torch.logsumexp(S, dim=-1)
            O[b, h] = (torch.softmax(S, dim=-1) @ V[b, h].float()).to(O.dtype)
    return O, LSE
"""

FP8_FORWARD_REFERENCE = """import math

import torch


def run(Q, K, V, descale_q, descale_k, descale_v):
    O = torch.empty_like(Q)
    LSE = torch.empty(Q.shape[:3], dtype=torch.float32, device=Q.device)
    scale = descale_q.item() * descale_k.item() / math.sqrt(Q.shape[3])
    for b in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            S = Q[b, h].float() @ K[b, h].float().T * scale
MASK            LSE[b, h] = torch.logsumexp(S, dim=-1)
            P = torch.softmax(S, dim=-1)
            O[b, h] = (P @ V[b, h].float() * descale_v.item()).to(O.dtype)
    return O, LSE
"""

BACKWARD_REFERENCE = """import math

import torch


def run(Q, K, V, O, dO, LSE):
    dQ, dK, dV = torch.empty_like(Q), torch.empty_like(K), torch.empty_like(V)
    scale = 1 / math.sqrt(Q.shape[3])
    for b in range(Q.shape[0]):
        for h in range(Q.shape[1]):
            q, k, v = Q[b, h].float(), K[b, h].float(), V[b, h].float()
            g = dO[b, h].float()
            S = q @ k.T * scale
MASK            P = torch.exp(S - LSE[b, h, :, None])
            delta = (g * O[b, h].float()).sum(dim=-1, keepdim=True)
            dS = P * (g @ v.T - delta) * scale
            dQ[b, h] = (dS @ k).to(dQ.dtype)
            dK[b, h] = (dS.T @ q).to(dK.dtype)
            dV[b, h] = (P.T @ g).to(dV.dtype)
    return dQ, dK, dV
"""

MASK = """            hidden = torch.ones_like(S, dtype=torch.bool).triu(1)
            S = S.masked_fill(hidden, -math.inf)
"""


def attention_uuid(kind, d, causal, b, h, s):
    # The third part is that of a UUID of version 4.
    return f"{kind:04d}{d:03d}{int(causal)}-{b:04d}-4{h:03d}-8000-{s:012d}"


def attention(name, kind, d, causal, description, inputs, outputs, reference,
              tags, extension):  # fmt: skip
    def uuid(b, h, s):
        return attention_uuid(kind, d, causal, b, h, s)

    axes = {
        "B": var("batch"),
        "H": var("heads"),
        "S": var("length of a sequence, of queries and of keys"),
        "D": const(d),
    }
    if any("one" in it["shape"] for it in inputs.values()):
        axes["one"] = const(1)
    definition = {
        "name": name + (f"_d{d}_causal" if causal else f"_d{d}"),
        "op_type": "mha",
        "description": description
        + (" Causal: query i sees keys 0 to i." if causal else "")
        + f" D = {d}, any B, H and S >= 1. All tensors are row-major and "
        "contiguous.",
        "tags": tags + [f"causal:{str(causal).lower()}"],
        "axes": axes,
        "constraints": [],
        "inputs": inputs,
        "outputs": outputs,
        "reference": reference.replace("MASK", MASK if causal else ""),
        "ptxbench": {
            "headline_workload": uuid(4, 48, 4096),
            "small_workload": uuid(1, 2, SMALL_ROWS),
            "required_families": FAMILIES,
            "independent_axes": ["B", "H"],
            **extension,
        },
    }
    shapes = [((4, 48, s), "full") for s in LENGTHS]
    shapes += [((1, 2, s), "small") for s in (1, 128, 200, 384)]
    shapes += [((2, 3, 64), "small")]
    return (
        "mha",
        definition,
        [
            workload(definition, uuid(b, h, s), {"B": b, "H": h, "S": s}, size)
            for (b, h, s), size in shapes
        ],
    )


def mlir(function, causal):
    return {
        "file": "../_reference/mha.mlir",
        "function": function + ("_causal" if causal else ""),
    }


def cudnn(operation, causal):
    return f"cudnn_{operation}" + ("_causal" if causal else "")


def headline(d):
    return ["ptxbench:headline"] if d == 128 else []


def forward(d, causal):
    return attention(
        "mha_with_lse", 1, d, causal,
        "Multi-head attention in bfloat16: O = softmax(Q * K^T / sqrt(D)) * V; "
        "LSE is the natural logarithm of the sum of the exponentials of the "
        "scaled scores.",
        {name: tensor("BHSD", "bfloat16") for name in "QKV"},
        {"O": tensor("BHSD", "bfloat16"), "LSE": tensor("BHS", "float32")},
        FORWARD_REFERENCE,
        headline(d) + ["dtype:bf16", "direction:forward"],
        {
            "reference": mlir("forward", causal),
            "tolerance": tolerance(0.006),
            "output_tolerance": {"LSE": {"max_relative_l2": 0.0001}},
            "baseline": cudnn("attention_forward", causal),
            "flops": "2*B*H*S*S*D" if causal else "4*B*H*S*S*D",
        },
    )  # fmt: skip


def fp8_forward(d, causal):
    scales = {f"descale_{x}": tensor(["one"] * 4, "float32") for x in "qkv"}
    return attention(
        "fp8_mha_with_lse", 2, d, causal,
        "Multi-head attention of float8_e4m3fn: O = softmax(Q * K^T * "
        "descale_q * descale_k / sqrt(D)) * V * descale_v, rounded to "
        "float8_e4m3fn; LSE is the natural logarithm of the sum of the "
        "exponentials of the scaled scores.",
        {**{name: tensor("BHSD", "float8_e4m3fn") for name in "QKV"}, **scales},
        {"O": tensor("BHSD", "float8_e4m3fn"), "LSE": tensor("BHS", "float32")},
        FP8_FORWARD_REFERENCE,
        ["dtype:fp8_e4m3", "direction:forward"],
        {
            "reference": mlir("fp8_forward", causal),
            "inputs": {name: {"distribution": "positive"} for name in scales},
            "tolerance": tolerance(0.06, 0.05, 0.125, 0.995),
            "output_tolerance": {"LSE": tolerance(0.0001)},
            "baseline": cudnn("fp8_attention_forward", causal),
            "flops": "2*B*H*S*S*D" if causal else "4*B*H*S*S*D",
        },
    )  # fmt: skip


def backward(d, causal):
    names = ["Q", "K", "V", "O", "dO"]
    inputs = {name: tensor("BHSD", "bfloat16") for name in names}
    inputs["LSE"] = tensor("BHS", "float32")
    return attention(
        "mha_bwd", 3, d, causal,
        "Gradients of multi-head attention in bfloat16. O and LSE are what the "
        "forward pass gives for Q, K and V with the scale 1 / sqrt(D); dO is "
        "the gradient of O.",
        inputs,
        {name: tensor("BHSD", "bfloat16") for name in ("dQ", "dK", "dV")},
        BACKWARD_REFERENCE,
        headline(d) + ["dtype:bf16", "direction:backward"],
        {
            "reference": mlir("backward", causal),
            "computed_inputs": {
                "function": mlir("forward", causal)["function"],
                "inputs": ["Q", "K", "V"],
                "outputs": ["O", "LSE"],
            },
            "inputs": {
                name: {"distribution": "outliers"}
                for name in ("Q", "K", "V", "dO")
            },
            "tolerance": tolerance(0.008, matched=0.9999),
            "baseline": cudnn("attention_backward", causal),
            "flops": "5*B*H*S*S*D" if causal else "10*B*H*S*S*D",
        },
    )  # fmt: skip


# ===----------------------------------------------------------------------=== #


def all_tasks():
    for n, k in GEMM_SHAPES:
        yield gemm(n, k)
    for n, k in FP8_GEMM_SHAPES:
        yield fp8_gemm(n, k)
    for causal in (False, True):
        for d in (64, 96, 128, 256):
            yield forward(d, causal)
            yield fp8_forward(d, causal)
        for d in (64, 96, 128):
            yield backward(d, causal)


def all_files():
    """(path below tasks/, text) of every file."""
    for family, definition, workloads in all_tasks():
        folder = os.path.join(family, definition["name"])
        text = json.dumps(definition, indent=2) + "\n"
        yield os.path.join(folder, "definition.json"), text
        text = "".join(json.dumps(line) + "\n" for line in workloads)
        yield os.path.join(folder, "workloads.jsonl"), text


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--tasks", default=TASKS, help="the folder of the tasks")
    options = parser.parse_args()
    different, known = [], set()
    for path, text in all_files():
        known.add(os.path.dirname(path))
        path = os.path.join(options.tasks, path)
        if read(path) == text:
            continue
        different.append(path)
        if not options.check:
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            except OSError as error:
                print(f"make_tasks.py: cannot write '{path}': {error.strerror}",
                      file=sys.stderr)
                return 2
    # A task that is not in the list above would go its own way unseen.
    for family in sorted({os.path.dirname(folder) for folder in known}):
        folder = os.path.join(options.tasks, family)
        for name in sorted(os.listdir(folder) if os.path.isdir(folder) else []):
            definition = os.path.join(folder, name, "definition.json")
            if os.path.exists(definition) and f"{family}/{name}" not in known:
                different.append(definition)
                print(f"{definition}: not of utils/make_tasks.py")
    for path in different:
        print(f"{'differs' if options.check else 'wrote'}: {os.path.normpath(path)}")
    return 1 if options.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
