"""The cases of ldmatrix, stmatrix, mma and wmma, for cases.py."""

HALVES = "vector<2xf16>"


def matrix(element, layout, m, n):
    return (f"eltType = #nvvm.ld_st_matrix_elt_type<{element}>, "
            f"layout = #nvvm.mma_layout<{layout}>, "
            f"shape = #nvvm.ld_st_matrix_shape<m = {m}, n = {n}>")


def load(c, name, attrs, number, registers):
    kind = "i32" if registers == 1 else c.struct(registers, "i32")
    c.result(f"ldmatrix_{name}", "s",
             f"nvvm.ldmatrix @s {{{attrs}, num = {number} : i32}} : "
             f"(!llvm.ptr<3>) -> {kind}", kind)


def store(c, name, attrs, number):
    sources = c.names("i", number)
    c.case(f"stmatrix_{name}", c.args(["s"], sources),
           f"nvvm.stmatrix @s, {c.values(sources)} {{{attrs}}} : "
           f"!llvm.ptr<3>, {c.types(sources)}")


# ===----------------------------------------------------------------------=== #
# mma
# ===----------------------------------------------------------------------=== #


def word_types(a, b):
    return (f"multiplicandAPtxType = #nvvm.mma_type<{a}>, "
            f"multiplicandBPtxType = #nvvm.mma_type<{b}>, ")


def shape(m, n, k):
    return f"shape = #nvvm.shape<m = {m}, n = {n}, k = {k}>"


def mma(c, name, factor, number, acc, dims, res, words=None, more="",
        layouts=("row", "col"), operation="mma.sync", tail="", extra=(),
        before=(), has_layouts=True):
    """`factor` and `acc` are argument letters; `number` is how many of A, B, C
    there are, `res` the struct of the result."""
    a, b, d = (c.names(letter, n, first) for letter, n, first in zip(
        (factor, factor, acc), number, (0, 40, 80)))
    attrs = more + (word_types(*words) if words else "") + shape(*dims)
    if has_layouts:
        attrs += (f", layoutA = #nvvm.mma_layout<{layouts[0]}>, "
                  f"layoutB = #nvvm.mma_layout<{layouts[1]}>")
    kinds = [c.type_of(x[0]) for x in (a, b, d)]
    c.result(name, c.args(a, b, d, list(extra)),
             f"nvvm.{operation} A[{c.values(a)}] B[{c.values(b)}] "
             f"C[{c.values(d)}]{tail} {{{attrs}}} : ({', '.join(kinds)}) -> "
             f"{res}", res, *before)


def mma_cases(c):
    s = c.struct
    overflow = "intOverflowBehavior = #nvvm.mma_int_overflow<%s>, "
    wrap, sat = overflow % "wrapped", overflow % "satfinite"
    name = "mma_sync_"
    mma(c, name + "m8n8k4_f16", "v", (2, 2, 4), "v", (8, 8, 4), s(4, HALVES))
    mma(c, name + "m8n8k4_f32", "v", (2, 2, 8), "f", (8, 8, 4), s(8, "f32"),
        layouts=("col", "row"))
    mma(c, name + "m8n8k4_f32_f16", "v", (2, 2, 4), "v", (8, 8, 4),
        s(8, "f32"), layouts=("col", "row"))
    mma(c, name + "m16n8k8_f16", "v", (2, 1, 2), "v", (16, 8, 8), s(2, HALVES))
    mma(c, name + "m16n8k16_f16", "v", (4, 2, 2), "v", (16, 8, 16),
        s(2, HALVES))
    mma(c, name + "m16n8k16_f32", "v", (4, 2, 4), "f", (16, 8, 16),
        s(4, "f32"))
    for word, dims, number in (("bf16", (16, 8, 16), (4, 2, 4)),
                               ("bf16", (16, 8, 8), (2, 1, 4)),
                               ("tf32", (16, 8, 8), (4, 2, 4)),
                               ("tf32", (16, 8, 4), (2, 1, 4))):
        mma(c, f"{name}m16n8k{dims[2]}_{word}", "i", number, "f", dims,
            s(4, "f32"), (word, word))
    mma(c, name + "m8n8k4_f64", "d", (1, 1, 2), "d", (8, 8, 4), s(2, "f64"))
    for a, b, dims, number, more in (
            ("s8", "u8", (16, 8, 32), (4, 2, 4), wrap),
            ("u8", "s8", (16, 8, 32), (4, 2, 4), sat),
            ("u8", "u8", (16, 8, 16), (2, 1, 4), sat),
            ("s8", "s8", (8, 8, 16), (1, 1, 2), wrap),
            ("s4", "s4", (16, 8, 64), (4, 2, 4), sat),
            ("u4", "s4", (16, 8, 32), (2, 1, 4), wrap),
            ("u4", "u4", (8, 8, 32), (1, 1, 2), wrap)):
        mma(c, f"{name}m{dims[0]}n8k{dims[2]}_{a}_{b}", "i", number, "i", dims,
            s(number[2], "i32"), (a, b), more)
    for op, dims, number in (("xor", (16, 8, 256), (4, 2, 4)),
                             ("and", (16, 8, 128), (2, 1, 4)),
                             ("and", (8, 8, 128), (1, 1, 2))):
        mma(c, f"{name}m{dims[0]}n8k{dims[2]}_{op}", "i", number, "i", dims,
            s(number[2], "i32"), ("b1", "b1"),
            f"b1Op = #nvvm.mma_b1op<{op}_popc>, ")

    def sparse(name, factor, number, acc, dims, res, words=None, more=""):
        mma(c, "mma_sp_sync_" + name, factor, number, acc, dims, res, words,
            more, operation="mma.sp.sync", extra=["i99"], has_layouts=False,
            tail=" sparseMetadata[@i99] selector[@sel]",
            before=["@sel = llvm.mlir.constant(0 : i32) : i32"])

    ordered = "orderedMetadata, "
    sparse("m16n8k16_f16", "v", (2, 2, 2), "v", (16, 8, 16), s(2, HALVES))
    sparse("m16n8k32_f32", "v", (4, 4, 4), "f", (16, 8, 32), s(4, "f32"),
           more=ordered)
    sparse("m16n8k32_bf16", "i", (4, 4, 4), "f", (16, 8, 32), s(4, "f32"),
           ("bf16", "bf16"))
    sparse("m16n8k8_tf32", "i", (2, 2, 4), "f", (16, 8, 8), s(4, "f32"),
           ("tf32", "tf32"))
    sparse("m16n8k64_s8", "i", (4, 4, 4), "i", (16, 8, 64), s(4, "i32"),
           ("s8", "u8"), sat)
    sparse("m16n8k128_u4", "i", (4, 4, 4), "i", (16, 8, 128), s(4, "i32"),
           ("u4", "u4"), wrap + ordered)


# ===----------------------------------------------------------------------=== #
# wmma
# ===----------------------------------------------------------------------=== #


def dims_of(m, n, k):
    return f"m = {m} : i32, n = {n} : i32, k = {k} : i32"


def wmma_cases(c):
    s = c.struct
    for frag, word, dims, layout, a, kind in (
            ("a", "f16", (16, 16, 16), "row", "s", s(8, HALVES)),
            ("b", "f16", (32, 8, 16), "col", "gg", s(8, HALVES)),
            ("c", "f32", (16, 16, 16), "row", "g", s(8, "f32")),
            ("c", "f16", (16, 16, 16), "row", "s", s(4, HALVES)),
            ("a", "s8", (16, 16, 16), "row", "s", s(2, "i32")),
            ("b", "u8", (8, 32, 16), "row", "s", s(4, "i32")),
            ("c", "s32", (16, 16, 16), "row", "s", s(8, "i32")),
            ("a", "tf32", (16, 16, 8), "row", "s", s(4, "i32")),
            ("a", "f64", (8, 8, 4), "row", "s", "f64"),
            ("c", "f64", (8, 8, 4), "row", "s", s(2, "f64"))):
        c.result(f"wmma_load_{frag}_{word}_{a}", f"{a} i",
                 f"nvvm.wmma.load @{a}, @i {{eltype = #nvvm.mma_type<{word}>, "
                 f"frag = #nvvm.mma_frag<{frag}>, "
                 f"layout = #nvvm.mma_layout<{layout}>, {dims_of(*dims)}}} : "
                 f"({c.TYPES[a]}) -> {kind}", kind)
    for word, dims, layout, letter, number, a in (
            ("f16", (16, 16, 16), "row", "v", 4, "s"),
            ("f32", (16, 16, 16), "col", "f", 8, "gg"),
            ("s32", (16, 16, 16), "row", "i", 8, "g"),
            ("f64", (8, 8, 4), "row", "d", 2, "s")):
        data = c.names(letter, number)
        c.case(f"wmma_store_{word}", c.args([a, "i99"], data),
               f"nvvm.wmma.store @{a}, @i99, {c.values(data)} "
               f"{{eltype = #nvvm.mma_type<{word}>, "
               f"layout = #nvvm.mma_layout<{layout}>, {dims_of(*dims)}}} : "
               f"{c.TYPES[a]}, {c.types(data)}")
    for name, a, b, dims, layouts, factors, acc, kind in (
            ("f16", "f16", "f16", (16, 16, 16), ("row", "col"), ("v", 16),
             ("v", 4), s(4, HALVES)),
            ("f32", "f16", "f32", (16, 16, 16), ("row", "row"), ("v", 16),
             ("f", 8), s(8, "f32")),
            ("s8", "s8", "s32", (16, 16, 16), ("col", "row"), ("i", 4),
             ("i", 8), s(8, "i32")),
            ("u8", "u8", "s32", (32, 8, 16), ("col", "row"), ("i", 5),
             ("i", 8), s(8, "i32")),
            ("tf32", "tf32", "f32", (16, 16, 8), ("row", "row"), ("i", 8),
             ("f", 8), s(8, "f32")),
            ("f64", "f64", "f64", (8, 8, 4), ("row", "row"), ("d", 2),
             ("d", 2), s(2, "f64"))):
        data = c.names(*factors) + c.names(*acc, 40)
        c.result(f"wmma_mma_{name}", c.args(data),
                 f"nvvm.wmma.mma {c.values(data)} "
                 f"{{eltypeA = #nvvm.mma_type<{a}>, "
                 f"eltypeB = #nvvm.mma_type<{b}>, "
                 f"layoutA = #nvvm.mma_layout<{layouts[0]}>, "
                 f"layoutB = #nvvm.mma_layout<{layouts[1]}>, "
                 f"{dims_of(*dims)}}} : ({c.types(data)}) -> {kind}", kind)


# ===----------------------------------------------------------------------=== #
# All
# ===----------------------------------------------------------------------=== #


def add(c):
    for number in (1, 2, 4):
        for layout in ("row", "col"):
            attrs = matrix("b16", layout, 8, 8)
            load(c, f"x{number}_{layout}", attrs, number, number)
            store(c, f"x{number}_{layout}", attrs, number)
    mma_cases(c)
    wmma_cases(c)


def add_100(c):
    for element, m, number in (("b8", 16, 1), ("b8", 16, 2),
                               ("b8x16.b6x16_p32", 16, 1),
                               ("b8x16.b4x16_p64", 16, 2),
                               ("b8x16.b4x16_p64", 8, 1),
                               ("b8x16.b6x16_p32", 8, 4)):
        load(c, f"{element.replace('.', '_')}_m{m}n16_x{number}",
             matrix(element, "col" if m == 16 else "row", m, 16), number,
             number * m // 8)
    for number in (1, 2, 4):
        store(c, f"b8_x{number}", matrix("b8", "col", 16, 8), number)
    for kind in ("fmin", "fmax"):
        for attrs in ("", "abs = true", "nan = true", "abs = true, nan = true"):
            name = "_".join(x for x in ("abs", "nan") if x in attrs)
            c.result(f"redux_sync_{kind}_{name}", "f i",
                     f"nvvm.redux.sync {kind} @f, @i {{{attrs}}} : f32 -> f32",
                     "f32")


def add_120(c):
    block = ("scaleVecSize = #nvvm.scale_vec_size<%s>, "
             "blockScaleFormat = #nvvm.block_scale_format<%s>, "
             "kind = #nvvm.block_scale_kind<%s>, ")
    tail = " scaleA[@i90, @h0, @h1] scaleB[@i91, @h2, @h3]"
    scales = ["i90", "h0", "h1", "i91", "h2", "h3"]
    for words, k, scale, form, kind in (
            (("e4m3", "e5m2"), 32, "x1", "ue8m0", "mxf8f6f4"),
            (("e2m1", "e3m2"), 32, "x1", "ue8m0", "mxf8f6f4"),
            (("e2m1", "e2m1"), 64, "x2", "ue8m0", "mxf4"),
            (("e2m1", "e2m1"), 64, "x2", "ue8m0", "mxf4nvf4"),
            (("e2m1", "e2m1"), 64, "x4", "ue4m3", "mxf4nvf4")):
        attrs = block % (scale, form, kind)
        name = f"{kind}_{words[0]}_{words[1]}_{scale}"
        mma(c, "mma_block_scale_" + name, "i", (4, 2, 4), "f", (16, 8, k),
            c.struct(4, "f32"), words, attrs, operation="mma.block_scale",
            tail=tail, extra=scales, has_layouts=False)
        mma(c, "mma_sp_block_scale_" + name, "i", (4, 4, 4), "f",
            (16, 8, 2 * k), c.struct(4, "f32"), words,
            attrs + "orderedMetadata, ", operation="mma.sp.block_scale",
            tail=" sparseMetadata[@i92] selector[@sel]" + tail,
            extra=scales + ["i92"], has_layouts=False,
            before=["@sel = llvm.mlir.constant(0 : i32) : i32"])
