"""The cases of tcgen05, clusterlaunchcontrol and st.bulk, for cases.py."""


def transfer_cases(c):
    for group in (1, 2):
        cta = f"{{group = #nvvm.cta_group<cta_{group}>}}"
        for a in ("s", "g"):
            ptr = c.TYPES[a]
            c.case(f"tcgen05_alloc_{a}_group{group}", f"{a} i",
                   f"nvvm.tcgen05.alloc @{a}, @i {cta} : {ptr}, i32")
            c.case(f"tcgen05_commit_{a}_group{group}", a,
                   f"nvvm.tcgen05.commit @{a} {cta} : {ptr}")
            c.case(f"tcgen05_commit_{a}_multicast_group{group}", f"{a} h",
                   f"nvvm.tcgen05.commit @{a}, multicast_mask = @h {cta} : "
                   f"{ptr}, i16")
        c.case(f"tcgen05_dealloc_group{group}", "t i",
               f"nvvm.tcgen05.dealloc @t, @i {cta} : !llvm.ptr<6>, i32")
        c.case(f"tcgen05_relinquish_group{group}", "",
               f"nvvm.tcgen05.relinquish_alloc_permit {cta}")
        c.case(f"tcgen05_shift_group{group}", "t",
               f"nvvm.tcgen05.shift @t {cta} : !llvm.ptr<6>")
        for shape, multicast in (
                ("128x256b", ""), ("4x256b", ""), ("128x128b", ""),
                ("64x128b", "warpx2_02_13"), ("64x128b", "warpx2_01_23"),
                ("32x128b", "warpx4")):
            for fmt in ("", "b6x16_p32", "b4x16_p64"):
                attrs = [f"shape = #nvvm.tcgen05_cp_shape<shape_{shape}>",
                         cta[1:-1]]
                if multicast:
                    attrs.append(
                        f"multicast = #nvvm.tcgen05_cp_multicast<{multicast}>")
                if fmt:
                    attrs.append(f"srcFormat = #nvvm.tcgen05_cp_src_fmt<{fmt}>")
                c.case(f"tcgen05_cp_{shape}_{multicast}_{fmt}_group{group}",
                       "t j",
                       f"nvvm.tcgen05.cp @t, @j {{{', '.join(attrs)}}}")
    for kind in ("before", "after"):
        c.case(f"tcgen05_fence_{kind}", "",
               f"nvvm.tcgen05.fence #nvvm.tcgen05_fence<{kind}>")
    for kind in ("load", "store"):
        c.case(f"tcgen05_wait_{kind}", "",
               f"nvvm.tcgen05.wait #nvvm.tcgen05_wait<{kind}>")


def register_cases(c):
    for shape, numbers in (("16x64b", (1, 2, 128)), ("16x128b", (2, 4, 64)),
                           ("16x256b", (4, 8, 128)), ("32x32b", (1, 16)),
                           ("16x32bx2", (1, 4))):
        for number in numbers:
            kind = "i32" if number == 1 else f"vector<{number}xi32>"
            halves = shape == "16x32bx2"
            offset = ", @n" if halves else ""
            before = "@n = llvm.mlir.constant(2 : i64) : i64" if halves else ""
            attrs = f"{{shape = #nvvm.tcgen05_ldst_shape<shape_{shape}>}}"
            for packed in ("", "pack"):
                name = f"{shape}_{number}{packed and '_packed'}"
                c.result(f"tcgen05_ld_{name}", "t",
                         f"nvvm.tcgen05.ld @t{offset} {packed} {attrs} : {kind}",
                         kind, before,
                         after=["nvvm.tcgen05.wait #nvvm.tcgen05_wait<load>"])
                c.case(f"tcgen05_st_{name}", "t out", before,
                       f"@v = llvm.load @out : !llvm.ptr<1> -> {kind}",
                       f"nvvm.tcgen05.st @t, @v{offset} {packed and 'un'}"
                       f"{packed} {attrs} : {kind}")


DESCRIPTOR = ("@t, @j1", "!llvm.ptr<6>, i64")
TENSOR = ("@t, @t2", "!llvm.ptr<6>, !llvm.ptr<6>")
KIND = "kind = #nvvm.tcgen05_mma_kind<%s>"
GROUP = "ctaGroup = #nvvm.cta_group<cta_%d>"
COLLECTOR = "collectorOp = #nvvm.tcgen05_mma_collectorop<%s>"


def mma_cases(c, is_sparse):
    """With sparse A, metadata follow behind the common operands."""
    sp = "_sp" if is_sparse else ""
    op_sp = ".sp" if is_sparse else ""
    meta = ", @t3" if is_sparse else ""
    meta_type = ", !llvm.ptr<6>" if is_sparse else ""

    def add(name, a, attrs, op="tcgen05.mma", tail="", more="", more_types="",
            before=(), extra=""):
        c.case(f"tcgen05_mma{sp}_{name}",
               "t j1 j2 i p t2 t3 t4 j3 " + extra, *before,
               f"nvvm.{op}{op_sp}{tail} {a[0]}, @j2, @i, @p{meta}{more} "
               f"{{{', '.join(attrs)}}} : ({a[1]}, i64, i32, i1{meta_type}"
               f"{more_types})")

    for kind in ("f16", "tf32", "f8f6f4", "i8"):
        for group in (1, 2):
            attrs = [KIND % kind, GROUP % group]
            add(f"{kind}_group{group}", DESCRIPTOR, attrs)
            add(f"{kind}_group{group}_tensor", TENSOR,
                attrs + [COLLECTOR % "lastuse"])
    f16 = [KIND % "f16", GROUP % 1]
    tf32 = [KIND % "tf32", GROUP % 2]
    for use in ("discard", "lastuse", "fill", "use"):
        add(f"collector_{use}", DESCRIPTOR, f16 + [COLLECTOR % use])
    for use in ("discard", "lastuse"):
        add(f"shift_{use}", TENSOR, tf32 + [COLLECTOR % use, "aShift"])
    scale = "@n = llvm.mlir.constant(3 : i64) : i64"
    add("scale", DESCRIPTOR, f16, more=" scale = @n", more_types=", i64",
        before=[scale])
    for group, lanes in ((1, 4), (2, 8)):
        vector = f"vector<{lanes}xi32>"
        mask = f"@v = llvm.load @out : !llvm.ptr<1> -> {vector}"
        add(f"mask_group{group}", DESCRIPTOR, [KIND % "f8f6f4", GROUP % group],
            more=" mask = @v", more_types=f", {vector}", before=[mask],
            extra="out")
        add(f"scale_mask_group{group}", TENSOR, [KIND % "tf32", GROUP % group],
            more=" scale = @n mask = @v", more_types=f", i64, {vector}",
            before=[mask, scale], extra="out")

    def add_block(name, a, attrs):
        add(f"block_scale_{name}", a, attrs, tail=".block_scale",
            more=", @t2, @t4", more_types=", !llvm.ptr<6>, !llvm.ptr<6>")

    for kind, blocks in (("mxf8f6f4", ("default", "block32")),
                         ("mxf4", ("default", "block32")),
                         ("mxf4nvf4", ("block16", "block32"))):
        for block in blocks:
            add_block(f"{kind}_{block}", DESCRIPTOR,
                      [f"kind = #nvvm.block_scale_kind<{kind}>", GROUP % 1,
                       f"blockScale = #nvvm.tcgen05_mma_block_scale<{block}>"])
    add_block("tensor", TENSOR,
              ["kind = #nvvm.block_scale_kind<mxf8f6f4>", GROUP % 2,
               COLLECTOR % "fill"])

    for kind in ("f16", "tf32", "f8f6f4", "i8"):
        add(f"ws_{kind}", DESCRIPTOR, [KIND % kind], "tcgen05.mma.ws")
    for buffer, use in (("b0", "fill"), ("b1", "use"), ("b2", "lastuse"),
                        ("b3", "discard")):
        add(f"ws_{buffer}_{use}", TENSOR,
            [KIND % "f16", COLLECTOR % use,
             f"collectorBBuffer = #nvvm.tcgen05_mma_collectorb<{buffer}>"],
            "tcgen05.mma.ws")
    add("ws_mask", DESCRIPTOR, [KIND % "f16"], "tcgen05.mma.ws", more=", @j3",
        more_types=", i64")


def add(c):
    c.case("clusterlaunchcontrol_try_cancel", "s s2",
           "nvvm.clusterlaunchcontrol.try.cancel @s, @s2")
    c.case("clusterlaunchcontrol_try_cancel_multicast", "s s2",
           "nvvm.clusterlaunchcontrol.try.cancel multicast, @s, @s2")
    query = "nvvm.clusterlaunchcontrol.query.cancel query = %s, @q : %s"
    for kind, res in (("is_canceled", "i1"), ("get_first_cta_id_x", "i32"),
                      ("get_first_cta_id_y", "i32"),
                      ("get_first_cta_id_z", "i32")):
        c.result(f"clusterlaunchcontrol_{kind}", "q", query % (kind, res), res)
    c.case("st_bulk", "s j", "nvvm.st.bulk @s, size = @j : !llvm.ptr<3>")
    c.case("st_bulk_generic", "g j",
           "nvvm.st.bulk @g, size = @j, init = 0 : !llvm.ptr")
    transfer_cases(c)
    register_cases(c)
    mma_cases(c, False)
    mma_cases(c, True)
