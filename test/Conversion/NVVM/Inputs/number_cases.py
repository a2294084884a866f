"""Cases of cases.py: bytes, dot products, conversions of numbers, and what ends
or stops a thread. add() is what sm_90a has, add_100() what sm_100a has.
"""


def rounding(rnd="", sat=False, relu=False):
    """The attributes of a conversion."""
    words = [f"rnd = #nvvm.fp_rnd_mode<{rnd}>"] if rnd else []
    words += ["sat = #nvvm.sat_mode<satfinite>"] if sat else []
    words += ["relu = true"] if relu else []
    return " {" + ", ".join(words) + "}" if words else ""


def word(*options):
    """What a kernel is named after."""
    return "".join(f"_{x}" for x in options if x)


def byte_cases(c):
    # The selector stands in front.
    for mode in ("default", "f4e", "b4e"):
        c.result(f"prmt_{mode}", "i i2 i3",
                 f"nvvm.prmt <{mode}> @i3, @i, @i2 : i32", "i32")
    for mode in ("rc8", "ecl", "ecr", "rc16"):
        c.result(f"prmt_{mode}", "i i3",
                 f"nvvm.prmt <{mode}> @i3, @i : i32", "i32")
    for a in ("signed", "unsigned"):
        for b in ("signed", "unsigned"):
            c.result(f"dot_4way_{a}_{b}", "w w2 i",
                     f"nvvm.dot.accumulate.4way @w <{a}>, @w2 <{b}>, @i : "
                     "vector<4xi8>, vector<4xi8>", "i32")
            for high in ("true", "false"):
                c.result(f"dot_2way_{a}_{b}_{high}", "y w i",
                         f"nvvm.dot.accumulate.2way @y <{a}>, @w <{b}>, @i "
                         f"{{b_hi = {high}}} : vector<2xi16>, vector<4xi8>",
                         "i32")
    c.result("rcp_approx", "f", "nvvm.rcp.approx.ftz.f @f : f32", "f32")


def to_halves(c, rnd, sat=False, relu=False):
    """Two numbers of 32 bits to two of 16."""
    for kind in ("f16", "bf16"):
        more, random = (" i", ", @i") if rnd == "rs" else ("", "")
        c.result(f"to_{kind}x2_{rnd}{word(sat and 'sat', relu and 'relu')}",
                 f"f f2{more}",
                 f"nvvm.convert.f32x2.to.{kind}x2 @f, @f2{random}"
                 f"{rounding(rnd, sat, relu)} : vector<2x{kind}>",
                 f"vector<2x{kind}>")


def from_floats(c, to, kind, dst, *options):
    """Two numbers of 32 bits to two of fewer."""
    name = word(*options)
    c.result(f"f32x2_to_{to}_{kind}_{dst.strip('vector<>')}{name}", "f f2",
             f"nvvm.convert.f32x2.to.{to} @f, @f2{rounding(*options)} : {dst} "
             f"({kind})", dst)


def add(c):
    byte_cases(c)
    for sat in (False, True):
        c.result(f"to_tf32_rna{word(sat and 'sat')}", "f",
                 f"nvvm.convert.float.to.tf32 @f{rounding('rna', sat)}", "i32")
    for rnd in ("rn", "rz"):
        for relu in (False, True):
            c.result(f"to_tf32_{rnd}{word(relu and 'relu')}", "f",
                     "nvvm.convert.float.to.tf32 @f"
                     f"{rounding(rnd, relu=relu)}", "i32")
        for sat in (False, True):
            to_halves(c, rnd, sat)
            to_halves(c, rnd, sat, True)
    for kind in ("f8E4M3FN", "f8E5M2"):
        for relu in (False, True):
            from_floats(c, "f8x2", kind, "i16", "rn", "sat", relu and "relu")
            c.result(f"f16x2_to_f8x2_{kind}{word(relu and 'relu')}", "v",
                     f"nvvm.convert.f16x2.to.f8x2 @v{rounding(relu=relu)} : "
                     f"vector<2xf16> -> i16 ({kind})", "i16")
            c.result(f"f8x2_to_f16x2_{kind}{word(relu and 'relu')}", "x",
                     f"nvvm.convert.f8x2.to.f16x2 @x{rounding(relu=relu)} : "
                     f"vector<2xi8> ({kind}) -> vector<2xf16>",
                     "vector<2xf16>")
        from_floats(c, "f8x2", kind, "vector<2xi8>", "rn", "sat")
    c.result("warpsize", "", "nvvm.read.ptx.sreg.warpsize : i32", "i32")
    c.case("exit", "", "nvvm.exit")
    c.case("breakpoint", "", "nvvm.breakpoint")
    c.case("pmevent_id", "", "nvvm.pmevent id = 3")
    c.case("pmevent_mask", "", "nvvm.pmevent mask = 259")


def scale_cases(c):
    """Powers of two in 8 bits."""
    kind = "f8E8M0FNU"
    for rnd in ("rz", "rp"):
        for sat in (False, True):
            from_floats(c, "f8x2", kind, "i16", rnd, sat and "sat")
            c.result(f"bf16x2_to_f8x2_{rnd}{word(sat and 'sat')}", "u",
                     f"nvvm.convert.bf16x2.to.f8x2 @u{rounding(rnd, sat)} : "
                     f"vector<2xbf16> -> i16 ({kind})", "i16")
    c.result("f8x2_to_bf16x2", "x",
             f"nvvm.convert.f8x2.to.bf16x2 @x : vector<2xi8> ({kind}) -> "
             "vector<2xbf16>", "vector<2xbf16>")


def add_100(c):
    scale_cases(c)
    for sat in (False, True):
        for rnd in ("rn", "rz") if sat else ():
            c.result(f"to_tf32_{rnd}_sat", "f",
                     f"nvvm.convert.float.to.tf32 @f{rounding(rnd, True)}",
                     "i32")
        for relu in (False, True):
            to_halves(c, "rs", sat, relu)
    for relu in (False, True):
        more = rounding(relu=relu)
        name = word(relu and "relu")
        for kind in ("f6E2M3FN", "f6E3M2FN"):
            c.result(f"f32x2_to_f6x2_{kind}{name}", "f f2",
                     f"nvvm.convert.f32x2.to.f6x2 @f, @f2{more} : i16 ({kind})",
                     "i16")
            c.result(f"f6x2_to_f16x2_{kind}{name}", "x",
                     f"nvvm.convert.f6x2.to.f16x2 @x{more} : vector<2xi8> "
                     f"({kind}) -> vector<2xf16>", "vector<2xf16>")
        kind = "f4E2M1FN"
        c.result(f"f32x2_to_f4x2{name}", "f f2",
                 f"nvvm.convert.f32x2.to.f4x2 @f, @f2{more} : i8 ({kind})",
                 "i8")
        c.result(f"f4x2_to_f16x2{name}", "b",
                 f"nvvm.convert.f4x2.to.f16x2 @b{more} : i8 ({kind}) -> "
                 "vector<2xf16>", "vector<2xf16>")
        for to, kind, dst in (("f8x4", "f8E4M3FN", "vector<4xi8>"),
                              ("f8x4", "f8E5M2", "vector<4xi8>"),
                              ("f6x4", "f6E2M3FN", "vector<4xi8>"),
                              ("f6x4", "f6E3M2FN", "vector<4xi8>"),
                              ("f4x4", "f4E2M1FN", "i16")):
            c.result(f"f32x4_to_{to}_{kind}{name}", "n i",
                     f"nvvm.convert.f32x4.to.{to} @n, @i{more} : vector<4xf32>"
                     f" -> {dst} ({kind})", dst)
