"""What the tasks compute, in plain Python, and the formats of their elements.

Written from the definitions and not from the references in MLIR, so that each
can be held against the other. Lists of numbers in row-major order; a tensor of
attention is one head, S x D.

`rounded` is a function that is applied to what a kernel has to round between two
products: the weights P of attention, and dS.
"""

import math
import struct

# ===----------------------------------------------------------------------=== #
# Elements
# ===----------------------------------------------------------------------=== #


def float32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bfloat16_bits(x):
    """To nearest even, by way of float32."""
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def bfloat16_value(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def bfloat16(x):
    return bfloat16_value(bfloat16_bits(x))


def e4m3_value(bits):
    sign = -1.0 if bits & 0x80 else 1.0
    exponent, mantissa = bits >> 3 & 15, bits & 7
    if exponent == 15 and mantissa == 7:
        return math.nan
    if exponent == 0:
        return sign * mantissa * 2.0**-9
    return sign * (8 + mantissa) * 2.0 ** (exponent - 10)


E4M3_POSITIVE = [e4m3_value(bits) for bits in range(127)]


def e4m3(x):
    """The nearest value; of two the one with an even mantissa."""
    return math.copysign(E4M3_POSITIVE[e4m3_bits(abs(x))], x)


def e4m3_bits(x):
    import bisect

    size = abs(x)
    above = bisect.bisect_left(E4M3_POSITIVE, size)
    if above >= len(E4M3_POSITIVE):
        index = len(E4M3_POSITIVE) - 1
    elif above == 0:
        index = 0
    else:
        low, high = E4M3_POSITIVE[above - 1], E4M3_POSITIVE[above]
        nearer = (size - low > high - size) - (size - low < high - size)
        index = above - 1 + (nearer > 0 or (nearer == 0 and above % 2 == 0))
    return index | (0x80 if math.copysign(1, x) < 0 else 0)


#: name in a definition -> (bytes, bits of a number, number of bits)
FORMATS = {
    "bfloat16": (2, bfloat16_bits, bfloat16_value),
    "float8_e4m3fn": (1, e4m3_bits, e4m3_value),
    "float32": (
        4,
        lambda x: struct.unpack("<I", struct.pack("<f", x))[0],
        lambda bits: struct.unpack("<f", struct.pack("<I", bits))[0],
    ),
    "float64": (
        8,
        lambda x: struct.unpack("<Q", struct.pack("<d", x))[0],
        lambda bits: struct.unpack("<d", struct.pack("<Q", bits))[0],
    ),
}


def to_bytes(values, dtype):
    size, bits_of, _ = FORMATS[dtype]
    return b"".join(bits_of(x).to_bytes(size, "little") for x in values)


def from_bytes(data, dtype):
    size, _, value_of = FORMATS[dtype]
    return [
        value_of(int.from_bytes(data[i : i + size], "little"))
        for i in range(0, len(data), size)
    ]


# ===----------------------------------------------------------------------=== #
# Products
# ===----------------------------------------------------------------------=== #


def rows_of(matrix, width):
    return [matrix[i : i + width] for i in range(0, len(matrix), width)]


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def gemm(a, b, k):
    return [dot(x, y) for x in rows_of(a, k) for y in rows_of(b, k)]


def fp8_gemm_1d2d(a, sf_a, b, sf_b, k):
    blocks = k // 128
    return [
        math.fsum(
            a[m * k + i] * b[n * k + i]
            * sf_a[m * blocks + i // 128]
            * sf_b[n // 128 * blocks + i // 128]
            for i in range(k)
        )
        for m in range(len(a) // k)
        for n in range(len(b) // k)
    ]  # fmt: skip


# ===----------------------------------------------------------------------=== #
# Attention
# ===----------------------------------------------------------------------=== #


def scores(q, k, d, causal):
    """Rows of scaled scores; a row ends at the last key that is seen."""
    keys = rows_of(k, d)
    return [
        [dot(x, y) / math.sqrt(d) for y in keys[: i + 1 if causal else len(keys)]]
        for i, x in enumerate(rows_of(q, d))
    ]


def forward(q, k, v, d, causal, rounded=lambda x: x):
    """(O, LSE). A kernel rounds exp(x - max) and divides by the exact sum."""
    values = rows_of(v, d)
    out, lse = [], []
    for row in scores(q, k, d, causal):
        top = max(row)
        weights = [math.exp(x - top) for x in row]
        total = math.fsum(weights)
        weights = [rounded(w) for w in weights]
        out += [
            dot(weights, (value[j] for value in values)) / total
            for j in range(d)
        ]
        lse.append(top + math.log(total))
    return out, lse


def backward(q, k, v, o, do, lse, d, causal, rounded=lambda x: x):
    """(dQ, dK, dV)."""
    qs, ks, vs, os, dos = (rows_of(x, d) for x in (q, k, v, o, do))
    length = len(qs)
    dq = [[0.0] * d for _ in range(length)]
    dk = [[0.0] * d for _ in range(length)]
    dv = [[0.0] * d for _ in range(length)]
    for i, row in enumerate(scores(q, k, d, causal)):
        delta = dot(dos[i], os[i])
        for j, score in enumerate(row):
            p = math.exp(score - lse[i])
            ds = rounded(p * (dot(dos[i], vs[j]) - delta)) / math.sqrt(d)
            p = rounded(p)
            for x in range(d):
                dq[i][x] += ds * ks[j][x]
                dk[j][x] += ds * qs[i][x]
                dv[j][x] += p * dos[i][x]
    return tuple(sum(rows, []) for rows in (dq, dk, dv))
