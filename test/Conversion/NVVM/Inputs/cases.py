"""Writes a module with one kernel for each form of each operation of nvvm that
has a record in PTXConversions.td.

usage: cases.py ARCH [KERNEL...]

ARCH is sm_90a, sm_100a or sm_120a: each form stands with the oldest of them
that has it. Every kernel is named after its operation and what is special in
it; those that are named are left out. Exit status: 0, or 2 for another ARCH or
a KERNEL that there is not.
"""

import sys

# The type of an argument follows from its name: letters, then any number.
TYPES = {
    "g": "!llvm.ptr",
    "gg": "!llvm.ptr<1>",
    "s": "!llvm.ptr<3>",
    "t": "!llvm.ptr<6>",
    "c": "!llvm.ptr<7>",
    "out": "!llvm.ptr<1>",
    "p": "i1",
    "h": "i16",
    "i": "i32",
    "j": "i64",
    "q": "i128",
    "f": "f32",
    "d": "f64",
    "b": "i8",
    "v": "vector<2xf16>",
    "u": "vector<2xbf16>",
    "w": "vector<4xi8>",
    "x": "vector<2xi8>",
    "y": "vector<2xi16>",
    "n": "vector<4xf32>",
}
HALVES = TYPES["v"]
cases = {}


def type_of(argument):
    return TYPES[argument.rstrip("0123456789")]


def case(name, arguments, *body):
    """Adds a kernel; `@` stands for `%`."""
    parameters = ", ".join(f"%{a}: {type_of(a)}" for a in arguments.split())
    lines = "".join(f"  {line.replace('@', '%')}\n" for line in body if line)
    cases[name] = (
        f"llvm.func @{name}({parameters}) attributes {{nvvm.kernel}} {{\n"
        f"{lines}  llvm.return\n}}\n"
    )


def result(name, arguments, operation, kind, *before, after=()):
    """The same for an operation with a result, which is stored."""
    case(name, arguments + " out", *before, f"@r = {operation}", *after,
         f"llvm.store @r, @out : {kind}, !llvm.ptr<1>")


def struct(number, kind):
    return f"!llvm.struct<({', '.join([kind] * number)})>"


def names(letter, number, first=0):
    return [f"{letter}{k}" for k in range(first, first + number)]


def args(*lists):
    return " ".join(sum(lists, []))


def values(arguments):
    return ", ".join(f"@{a}" for a in arguments)


def types(arguments):
    return ", ".join(type_of(a) for a in arguments)


# ===----------------------------------------------------------------------=== #
# wgmma
# ===----------------------------------------------------------------------=== #


def wgmma(name, n, k, number, kind, d, a, b, more=""):
    """`d` is type and scale; `a` and `b` are type, scale and layout."""
    s = struct(number, kind)

    def factor(x):
        return (f"#nvvm.wgmma_type<{x[0]}>, #nvvm.wgmma_scale_in<{x[1]}>, "
                f"#nvvm.mma_layout<{x[2]}>")

    result(
        f"wgmma_mma_async_{name}", "j0 j1",
        f"nvvm.wgmma.mma_async @j0, @j1, @z, "
        f"#nvvm.shape<m = 64, n = {n}, k = {k}>, "
        f"D[#nvvm.wgmma_type<{d[0]}>, #nvvm.wgmma_scale_out<{d[1]}>{more}], "
        f"A[{factor(a)}], B[{factor(b)}] : {s} -> {s}", s,
        f"@z = llvm.mlir.zero : {s}", "nvvm.wgmma.fence.aligned",
        after=("nvvm.wgmma.commit.group.sync.aligned",
               "nvvm.wgmma.wait.group.sync.aligned 0"))


def wgmma_cases():
    case("wgmma_fence_aligned", "", "nvvm.wgmma.fence.aligned")
    row, col = ("one", "row"), ("one", "col")
    wgmma("f32_f16", 8, 16, 4, "f32", ("f32", "one"), ("f16",) + row,
          ("f16",) + col)
    wgmma("f32_bf16", 16, 16, 8, "f32", ("f32", "zero"), ("bf16", "neg", "col"),
          ("bf16", "neg", "row"))
    wgmma("tf32", 8, 8, 4, "f32", ("f32", "one"), ("tf32",) + row,
          ("tf32", "neg", "col"))
    wgmma("f16", 8, 16, 2, "i32", ("f16", "one"), ("f16",) + row,
          ("f16",) + col)
    wgmma("e4m3", 8, 32, 4, "f32", ("f32", "one"), ("e4m3",) + row,
          ("e5m2",) + col)
    wgmma("e5m2", 256, 32, 64, "i32", ("f16", "zero"), ("e5m2",) + row,
          ("e4m3",) + col)
    wgmma("s8", 8, 32, 4, "i32", ("s32", "one"), ("s8",) + row,
          ("u8",) + col, ", #nvvm.mma_int_overflow<satfinite>")
    wgmma("u8", 8, 32, 4, "i32", ("s32", "zero"), ("u8",) + row,
          ("u8",) + col)
    wgmma("b1", 8, 256, 4, "i32", ("s32", "one"), ("b1",) + row,
          ("b1",) + col)


# ===----------------------------------------------------------------------=== #
# Bulk copies and TMA
# ===----------------------------------------------------------------------=== #

HINT = " l2_cache_hint = @j"
MASK = " multicast_mask = @h"
LOAD = "nvvm.cp.async.bulk.tensor.shared.cluster.global"
STORE = "nvvm.cp.async.bulk.tensor.global.shared.cta"
REDUCE = "nvvm.cp.async.bulk.tensor.reduce"
PREFETCH = "nvvm.cp.async.bulk.tensor.prefetch"


def box(number):
    return f"box[{values(names('i', number))}]"


def load(name, dim, offsets=0, dst="c", more="", attrs="", extra=()):
    coordinates, shifts = names("i", dim), names("h", offsets, 10)
    im2col = f" im2col[{values(shifts)}]" if offsets else ""
    first = dst if dst != "s" else "s2"
    case(f"cp_async_bulk_tensor_{name}",
         args([first, "g", "s"], coordinates, shifts, list(extra)),
         f"{LOAD} @{first}, @g, @s, {box(dim)}{im2col}{more} {attrs} : "
         f"{TYPES[dst]}, !llvm.ptr")


def store(name, dim, operation=STORE, more="", attrs="", extra=()):
    case(f"cp_async_bulk_tensor_{name}",
         args(["g", "s"], names("i", dim), list(extra)),
         f"{operation} @g, @s, {box(dim)}{more} {attrs} : !llvm.ptr, "
         f"!llvm.ptr<3>")


def prefetch(name, dim, offsets=0, more="", attrs="", extra=()):
    shifts = names("h", offsets, 10)
    im2col = f" im2col[{values(shifts)}]" if offsets else ""
    case(f"cp_async_bulk_tensor_prefetch_{name}",
         args(["g"], names("i", dim), shifts, list(extra)),
         f"{PREFETCH} @g, {box(dim)}{im2col}{more} {attrs} : !llvm.ptr")


def load_mode(mode, more=""):
    return f"{{mode = #nvvm.tma_load_mode<{mode}>{more}}}"


def bulk_cases():
    bulk = "nvvm.cp.async.bulk."
    copy = bulk + "global.shared.cta @gg, @s, @i"
    ptrs = " : !llvm.ptr<1>, !llvm.ptr<3>"
    case("cp_async_bulk_store", "gg s i", copy + ptrs)
    case("cp_async_bulk_store_hint", "gg s i j", copy + HINT + ptrs)
    copy = bulk + "shared.cluster.global @c, @gg, @s, @i"
    ptrs = " : !llvm.ptr<7>, !llvm.ptr<1>"
    case("cp_async_bulk_load", "c gg s i", copy + ptrs)
    case("cp_async_bulk_load_multicast", "c gg s i h", copy + MASK + ptrs)
    case("cp_async_bulk_load_all", "c gg s i h j", copy + MASK + HINT + ptrs)
    case("cp_async_bulk_load_cta", "s2 gg s i j",
         bulk + "shared.cluster.global @s2, @gg, @s, @i" + HINT +
         " : !llvm.ptr<3>, !llvm.ptr<1>")
    case("cp_async_bulk_cluster", "c s s2 i",
         bulk + "shared.cluster.shared.cta @c, @s, @s2, @i : !llvm.ptr<7>, "
         "!llvm.ptr<3>")
    case("cp_async_bulk_prefetch", "gg i",
         bulk + "prefetch @gg, @i : !llvm.ptr<1>")
    case("cp_async_bulk_prefetch_hint", "gg i j",
         bulk + "prefetch @gg, @i" + HINT + " : !llvm.ptr<1>")
    case("cp_async_bulk_commit_group", "", bulk + "commit.group")
    case("cp_async_bulk_wait_group", "", bulk + "wait_group 3")
    case("cp_async_bulk_wait_group_read", "", bulk + "wait_group 0 {read}")


def tma_cases():
    for dim in range(1, 6):
        load(f"load_{dim}d", dim)
        store(f"store_{dim}d", dim)
    load("load_all", 2, more=MASK + HINT, extra="hj")
    load("load_predicate", 2, dst="s", more=" predicate = @p", extra="p")
    load("load_predicate_all", 2, more=MASK + HINT + " predicate = @p",
         extra="hjp")
    load("load_cta", 2, dst="s", attrs="{isCTAOnly = true}")
    for dim in (3, 4, 5):
        load(f"load_im2col_{dim}d", dim, dim - 2, attrs=load_mode("im2col"))
    load("load_im2col_all", 3, 1, more=MASK + HINT, extra="hj",
         attrs=load_mode("im2col"))
    load("load_im2col_cta", 3, 1, dst="s", more=HINT, extra="j",
         attrs=load_mode("im2col", ", isCTAOnly = true"))
    im2col = "mode = #nvvm.tma_store_mode<im2col>"
    store("store_hint", 2, more=HINT, extra="j")
    store("store_im2col", 3, attrs=f"{{{im2col}}}")
    store("store_predicate", 2, more=", predicate = @p", extra="p")
    kind = "redKind = #nvvm.tma_redux_kind<%s>"
    for name in ("add", "min", "max", "inc", "dec", "and", "or", "xor"):
        store(f"reduce_{name}", 2, REDUCE, attrs=f"{{{kind % name}}}")
    store("reduce_im2col", 3, REDUCE, more=HINT, extra="j",
          attrs=f"{{{kind % 'add'}, {im2col}}}")
    prefetch("1d", 1)
    prefetch("hint", 5, more=HINT, extra="j")
    prefetch("im2col", 4, 2, attrs=load_mode("im2col"))


def tma_cases_100():
    mask = "nvvm.cp.async.bulk.global.shared.cta @gg, @s, @i%s byte_mask = @h "
    ptrs = ": !llvm.ptr<1>, !llvm.ptr<3>"
    case("cp_async_bulk_store_mask", "gg s i h", mask % "" + ptrs)
    case("cp_async_bulk_store_mask_hint", "gg s i j h", mask % HINT + ptrs)
    for group in (1, 2):
        cta = f"group = #nvvm.cta_group<cta_{group}>"
        load(f"load_group{group}", 2, more=MASK + HINT, attrs=f"{{{cta}}}",
             extra="hj")
        load(f"load_group{group}_im2col", 3, 1,
             attrs=load_mode("im2col", ", " + cta))
    for mode in ("im2col_w", "im2col_w_128"):
        load(f"load_{mode}", 3, 2, attrs=load_mode(mode))
        prefetch(mode, 3, 2, attrs=load_mode(mode))
    load("load_im2col_w_cta", 3, 2, dst="s",
         attrs=load_mode("im2col_w", ", isCTAOnly = true"))
    gather = load_mode("tile_gather4")
    load("load_gather4", 5, attrs=gather)
    load("load_gather4_cta", 5, dst="s",
         attrs=load_mode("tile_gather4", ", isCTAOnly = true"))
    prefetch("gather4", 5, attrs=gather)
    store("store_scatter4", 5,
          attrs="{mode = #nvvm.tma_store_mode<tile_scatter4>}")


# ===----------------------------------------------------------------------=== #
# cp.async and mbarrier
# ===----------------------------------------------------------------------=== #

CLUSTER = "scope = #nvvm.mem_scope<cluster>"
RELAXED = "relaxed = true"


def cp_async_cases():
    copy = "nvvm.cp.async.shared.global @s, @gg, "
    ptrs = " : !llvm.ptr<3>, !llvm.ptr<1>"
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        case(f"cp_async_shared_global_{cache}{size}", "s gg",
             f"{copy}{size}, cache = {cache}{ptrs}")
        case(f"cp_async_shared_global_{cache}{size}_size", "s gg i",
             f"{copy}{size}, cache = {cache}, @i{ptrs}, i32")
    case("cp_async_commit_group", "", "nvvm.cp.async.commit.group")
    case("cp_async_wait_group", "", "nvvm.cp.async.wait.group 2")
    for a in ("g", "s"):
        arrive = f"nvvm.cp.async.mbarrier.arrive @{a}"
        case(f"cp_async_mbarrier_arrive_{a}", a, f"{arrive} : {TYPES[a]}")
        case(f"cp_async_mbarrier_arrive_noinc_{a}", a,
             f"{arrive} {{noinc = true}} : {TYPES[a]}")


def mbarrier_arrivals(a):
    """Of the generic and the shared address space."""
    ptr = TYPES[a]
    for kind in ("arrive", "arrive_drop"):
        op = f"nvvm.mbarrier.{kind}"
        name = f"mbarrier_{kind}"
        result(f"{name}_{a}", a, f"{op} @{a} : {ptr} -> i64", "i64")
        case(f"{name}_none_{a}", a, f"{op} @{a} : {ptr}")
        result(f"{name}_count_{a}", f"{a} i",
               f"{op} @{a}, @i {{{CLUSTER}}} : {ptr} -> i64", "i64")
        result(f"{name}_relaxed_{a}", f"{a} i",
               f"{op} @{a}, @i {{{RELAXED}}} : {ptr} -> i64", "i64")
        result(f"{name}_nocomplete_{a}", f"{a} i",
               f"{op}.nocomplete @{a}, @i : {ptr}, i32 -> i64", "i64")
        result(f"{name}_expect_tx_{a}", f"{a} i",
               f"{op}.expect_tx @{a}, @i : {ptr}, i32 -> i64", "i64")
        case(f"{name}_expect_tx_none_{a}", f"{a} i",
             f"{op}.expect_tx @{a}, @i {{{RELAXED}, {CLUSTER}}} : {ptr}, i32")
    case(f"mbarrier_arrive_expect_tx_predicate_{a}", f"{a} i p",
         f"nvvm.mbarrier.arrive.expect_tx @{a}, @i, predicate = @p : {ptr}, "
         f"i32, i1")


def mbarrier_waits(a):
    ptr = TYPES[a]
    relaxed = f"{{{RELAXED}, {CLUSTER}}}"
    for name, op in (("test_wait", "test.wait"), ("try_wait", "try_wait")):
        wait = f"nvvm.mbarrier.{op} @{a}"
        result(f"mbarrier_{name}_{a}", f"{a} j",
               f"{wait}, @j : {ptr}, i64 -> i1", "i1")
        result(f"mbarrier_{name}_phase_{a}", f"{a} i",
               f"{wait}, @i {relaxed} : {ptr}, i32 -> i1", "i1")
    result(f"mbarrier_try_wait_ticks_{a}", f"{a} i i2",
           f"nvvm.mbarrier.try_wait @{a}, @i, @i2 : {ptr}, i32, i32 -> i1",
           "i1")
    case(f"mbarrier_try_wait_parity_{a}", f"{a} i i2",
         f"nvvm.mbarrier.try_wait.parity @{a}, @i, @i2 : {ptr}, i32, i32")


def mbarrier_cases():
    for a in ("g", "s"):
        ptr = TYPES[a]
        case(f"mbarrier_init_{a}", f"{a} i",
             f"nvvm.mbarrier.init @{a}, @i : {ptr}, i32")
        case(f"mbarrier_init_predicate_{a}", f"{a} i p",
             f"nvvm.mbarrier.init @{a}, @i, predicate = @p : {ptr}, i32, i1")
        case(f"mbarrier_inval_{a}", a, f"nvvm.mbarrier.inval @{a} : {ptr}")
        mbarrier_arrivals(a)
        mbarrier_waits(a)
    for kind in ("arrive", "arrive_drop"):
        op = f"nvvm.mbarrier.{kind}"
        case(f"mbarrier_{kind}_cluster", "c i",
             f"{op} @c, @i {{{CLUSTER}}} : !llvm.ptr<7>")
        case(f"mbarrier_{kind}_cluster_one", "c",
             f"{op} @c {{{RELAXED}}} : !llvm.ptr<7>")
        case(f"mbarrier_{kind}_expect_tx_cluster", "c i",
             f"{op}.expect_tx @c, @i : !llvm.ptr<7>, i32")
    for kind in ("expect_tx", "complete_tx"):
        for a in ("c", "s"):
            case(f"mbarrier_{kind}_{a}", f"{a} i",
                 f"nvvm.mbarrier.{kind} @{a}, @i : {TYPES[a]}, i32")
        case(f"mbarrier_{kind}_scope", "c i",
             f"nvvm.mbarrier.{kind} @c, @i {{{CLUSTER}}} : !llvm.ptr<7>, i32")


# ===----------------------------------------------------------------------=== #
# Warps, CTAs, clusters
# ===----------------------------------------------------------------------=== #


def warp_cases():
    case("setmaxregister_increase", "", "nvvm.setmaxregister increase 240")
    case("setmaxregister_decrease", "", "nvvm.setmaxregister decrease 40")
    result("elect_sync", "", "nvvm.elect.sync -> i1", "i1")
    result("elect_sync_mask", "i", "nvvm.elect.sync @i -> i1", "i1")
    for kind in ("add", "min", "max", "umin", "umax", "and", "or", "xor"):
        result(f"redux_sync_{kind}", "i i2",
               f"nvvm.redux.sync {kind} @i, @i2 : i32 -> i32", "i32")
    for kind in ("bfly", "up", "down", "idx"):
        result(f"shfl_sync_{kind}", "i i2 i3 i4",
               f"nvvm.shfl.sync {kind} @i, @i2, @i3, @i4 : i32 -> i32", "i32")
    result("shfl_sync_f32", "i f i3 i4",
           "nvvm.shfl.sync idx @i, @f, @i3, @i4 : f32 -> f32", "f32")
    for a, kind in (("i2", "i32"), ("f", "f32")):
        pair = f"!llvm.struct<({kind}, i1)>"
        result(f"shfl_sync_pair_{kind}", f"i {a} i3 i4",
               f"nvvm.shfl.sync down @i, @{a}, @i3, @i4 "
               f"{{return_value_and_is_valid}} : {kind} -> {pair}", pair)
    for kind, res in (("any", "i1"), ("all", "i1"), ("uni", "i1"),
                      ("ballot", "i32")):
        result(f"vote_sync_{kind}", "i p",
               f"nvvm.vote.sync {kind} @i, @p -> {res}", res)
    for value in ("true", "false"):
        result(f"vote_sync_{value}", "i",
               "nvvm.vote.sync ballot @i, @p -> i32", "i32",
               f"@p = llvm.mlir.constant({value}) : i1")
    pair = "!llvm.struct<(i32, i1)>"
    for a in ("i2", "j"):
        kind = type_of(a)
        result(f"match_sync_any_{kind}", f"i {a}",
               f"nvvm.match.sync any @i, @{a} : {kind} -> i32", "i32")
        result(f"match_sync_all_{kind}", f"i {a}",
               f"nvvm.match.sync all @i, @{a} : {kind} -> {pair}", pair)
    case("bar_warp_sync", "i", "nvvm.bar.warp.sync @i : i32")


def cta_cases():
    case("barrier", "", "nvvm.barrier")
    case("barrier_id", "i", "nvvm.barrier id = @i")
    case("barrier_threads", "i i2",
         "nvvm.barrier id = @i number_of_threads = @i2")
    for kind in ("popc", "and", "or"):
        result(f"barrier_{kind}", "i",
               f"nvvm.barrier #nvvm.reduction<{kind}> @i -> i32", "i32")
    case("barrier0", "", "nvvm.barrier0")
    case("barrier_arrive", "i", "nvvm.barrier.arrive number_of_threads = @i")
    case("barrier_arrive_id", "i i2",
         "nvvm.barrier.arrive id = @i number_of_threads = @i2")
    for kind in ("arrive", "arrive.relaxed", "wait"):
        name = kind.replace(".", "_")
        case(f"cluster_{name}", "", f"nvvm.cluster.{kind}")
        case(f"cluster_{name}_aligned", "", f"nvvm.cluster.{kind} {{aligned}}")
    result("mapa", "g i", "nvvm.mapa @g, @i : !llvm.ptr -> !llvm.ptr",
           "!llvm.ptr")
    case("mapa_shared", "s i i2",
         "@r = nvvm.mapa @s, @i : !llvm.ptr<3> -> !llvm.ptr<7>",
         "nvvm.mbarrier.arrive @r, @i2 : !llvm.ptr<7>")
    for kind in ("wait", "launch_dependents"):
        case(f"griddepcontrol_{kind}", "", f"nvvm.griddepcontrol {kind}")
    case("nanosleep", "i", "nvvm.nanosleep @i")


def register_cases():
    registers = ["laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid",
                 "clock", "globaltimer.lo", "cluster.ctarank",
                 "cluster.nctarank", "total.smem.size", "dynamic.smem.size",
                 "aggr.smem.size"]
    registers += [f"lanemask.{x}" for x in ("eq", "le", "lt", "ge", "gt")]
    registers += [f"{x}.{dim}" for dim in "xyz"
                  for x in ("tid", "ntid", "ctaid", "nctaid", "clusterid",
                            "nclusterid", "cluster.ctaid", "cluster.nctaid")]
    registers += [f"envreg{k}" for k in range(32)]
    for name in registers:
        result(name.replace(".", "_"), "", f"nvvm.read.ptx.sreg.{name} : i32",
               "i32")
    for name in ("clock64", "globaltimer"):
        result(name, "", f"nvvm.read.ptx.sreg.{name} : i64", "i64")


def fence_cases():
    case("fence_mbarrier_init", "", "nvvm.fence.mbarrier.init")
    for kind in ("alias", "async", "async.global"):
        case(f"fence_proxy_{kind.replace('.', '_')}", "",
             f"nvvm.fence.proxy {{kind = #nvvm.proxy_kind<{kind}>}}")
    for kind in ("cta", "cluster"):
        case(f"fence_proxy_shared_{kind}", "",
             f"nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, "
             f"space = #nvvm.shared_space<{kind}>}}")
    for scope in ("cta", "cluster", "gpu", "sys"):
        kind = f"#nvvm.mem_scope<{scope}>"
        case(f"fence_proxy_acquire_{scope}", "g",
             "@n = llvm.mlir.constant(128 : i32) : i32",
             f"nvvm.fence.proxy.acquire {kind} @g, @n")
        case(f"fence_proxy_release_{scope}", "",
             f"nvvm.fence.proxy.release {kind}")
        case(f"memory_barrier_{scope}", "", f"nvvm.memory.barrier {kind}")
    for order in ("acquire", "release"):
        kind = f"{{order = #nvvm.mem_order<{order}>}}"
        case(f"fence_proxy_sync_restrict_{order}", "",
             f"nvvm.fence.proxy.sync_restrict {kind}")
        case(f"fence_sync_restrict_{order}", "",
             f"nvvm.fence.sync_restrict {kind}")
    case("fence_sc_cluster", "", "nvvm.fence.sc.cluster")


def prefetch_cases():
    case("prefetch_L1", "g", "nvvm.prefetch level = L1, @g : !llvm.ptr")
    case("prefetch_L2", "gg", "nvvm.prefetch level = L2, @gg : !llvm.ptr<1>")
    for kind in ("evict_last", "evict_normal"):
        case(f"prefetch_{kind}", "gg",
             f"nvvm.prefetch level = L2, evict_priority = {kind}, @gg : "
             f"!llvm.ptr<1>")
    case("prefetch_uniform", "g",
         "nvvm.prefetch level = L1 uniform, @g : !llvm.ptr")
    case("prefetch_tensormap", "g", "nvvm.prefetch tensormap, @g : !llvm.ptr")
    case("prefetch_tensormap_predicate", "g p",
         "nvvm.prefetch tensormap, @g, predicate = @p : !llvm.ptr, i1")
    case("prefetch_tensormap_const", "g",
         "@k = llvm.addrspacecast @g : !llvm.ptr to !llvm.ptr<4>",
         "nvvm.prefetch tensormap, @k : !llvm.ptr<4>")


def main():
    if sys.argv[1:2] not in (["sm_90a"], ["sm_100a"], ["sm_120a"]):
        sys.stderr.write(__doc__)
        return 2
    import matrix_cases
    import number_cases
    import tcgen05_cases
    if sys.argv[1] == "sm_90a":
        wgmma_cases()
        bulk_cases()
        tma_cases()
        cp_async_cases()
        mbarrier_cases()
        matrix_cases.add(sys.modules[__name__])
        warp_cases()
        cta_cases()
        register_cases()
        fence_cases()
        prefetch_cases()
        number_cases.add(sys.modules[__name__])
    elif sys.argv[1] == "sm_100a":
        tma_cases_100()
        matrix_cases.add_100(sys.modules[__name__])
        tcgen05_cases.add(sys.modules[__name__])
        number_cases.add_100(sys.modules[__name__])
    else:
        matrix_cases.add_120(sys.modules[__name__])
    for name in sys.argv[2:]:
        if not cases.pop(name, None):
            sys.stderr.write(f"no kernel {name}\n")
            return 2
    sys.stdout.write("\n".join(cases.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
