llvm.func @wgmma_fence_aligned() attributes {nvvm.kernel} {
  nvvm.wgmma.fence.aligned
  llvm.return
}

llvm.func @wgmma_mma_async_f32_f16(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 16>, D[#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_f32_bf16_neg(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 16, k = 16>, D[#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>], A[#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<col>], B[#nvvm.wgmma_type<bf16>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<row>] : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_tf32(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 8>, D[#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A[#nvvm.wgmma_type<tf32>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<tf32>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_f16(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(i32, i32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 16>, D[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_out<one>], A[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32)> -> !llvm.struct<(i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_e4m3(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 32>, D[#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<one>], A[#nvvm.wgmma_type<e4m3>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<e5m2>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_s8(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 32>, D[#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>, #nvvm.mma_int_overflow<satfinite>], A[#nvvm.wgmma_type<s8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_u8(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 32>, D[#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>, #nvvm.mma_int_overflow<wrapped>], A[#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<u8>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wgmma_mma_async_b1(%j0: i64, %j1: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %z = llvm.mlir.zero : !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.fence.aligned
  %r = nvvm.wgmma.mma_async %j0, %j1, %z, #nvvm.shape<m = 64, n = 8, k = 256>, D[#nvvm.wgmma_type<s32>, #nvvm.wgmma_scale_out<one>], A[#nvvm.wgmma_type<b1>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B[#nvvm.wgmma_type<b1>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_global_shared_cta(%gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.global.shared.cta %gg, %s, %i : !llvm.ptr<1>, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_global_shared_cta_hint(%gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.global.shared.cta %gg, %s, %i l2_cache_hint = %j : !llvm.ptr<1>, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_shared_cluster_global(%c: !llvm.ptr<7>, %gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.shared.cluster.global %c, %gg, %s, %i : !llvm.ptr<7>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_shared_cluster_global_mc(%c: !llvm.ptr<7>, %gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %h: i16) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.shared.cluster.global %c, %gg, %s, %i multicast_mask = %h : !llvm.ptr<7>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_shared_cluster_global_mc_hint(%c: !llvm.ptr<7>, %gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %h: i16, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.shared.cluster.global %c, %gg, %s, %i multicast_mask = %h l2_cache_hint = %j : !llvm.ptr<7>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_shared_cta_global_hint(%s2: !llvm.ptr<3>, %gg: !llvm.ptr<1>, %s: !llvm.ptr<3>, %i: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.shared.cluster.global %s2, %gg, %s, %i l2_cache_hint = %j : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_shared_cluster_shared_cta(%c: !llvm.ptr<7>, %s: !llvm.ptr<3>, %s2: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.shared.cluster.shared.cta %c, %s, %s2, %i : !llvm.ptr<7>, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_prefetch(%gg: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.prefetch %gg, %i : !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_prefetch_hint(%gg: !llvm.ptr<1>, %i: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.prefetch %gg, %i l2_cache_hint = %j : !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_bulk_commit_group() attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.commit.group
  llvm.return
}

llvm.func @cp_async_bulk_wait_group() attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.wait_group 3
  llvm.return
}

llvm.func @cp_async_bulk_wait_group_read() attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.wait_group 0 {read}
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_1d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_1d(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_2d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_2d(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_3d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_3d(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1, %i2] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_4d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2, %i3] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_4d(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1, %i2, %i3] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_5d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2, %i3, %i4] : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_5d(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1, %i2, %i3, %i4] : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_mc(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %h: i16, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1] multicast_mask = %h l2_cache_hint = %j : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_pred(%s2: !llvm.ptr<3>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s2, %g, %s, box[%i0, %i1] predicate = %p : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_pred_mc(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %h: i16, %j: i64, %p: i1) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1] multicast_mask = %h l2_cache_hint = %j predicate = %p : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cta_global(%s2: !llvm.ptr<3>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s2, %g, %s, box[%i0, %i1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cta_global_hint(%s2: !llvm.ptr<3>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %h0: i16, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %s2, %g, %s, box[%i0, %i1, %i2] im2col[%h0] l2_cache_hint = %j {isCTAOnly = true, mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<3>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_im2col_3d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %h0: i16) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2] im2col[%h0] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_im2col_4d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %h0: i16, %h1: i16) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2, %i3] im2col[%h0, %h1] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_im2col_5d(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32, %h0: i16, %h1: i16, %h2: i16) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2, %i3, %i4] im2col[%h0, %h1, %h2] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_shared_cluster_global_im2col_all(%c: !llvm.ptr<7>, %g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %h0: i16, %h: i16, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.shared.cluster.global %c, %g, %s, box[%i0, %i1, %i2] im2col[%h0] multicast_mask = %h l2_cache_hint = %j {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_hint(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1] l2_cache_hint = %j : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_im2col(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1, %i2] {mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_global_shared_cta_pred(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.global.shared.cta %g, %s, box[%i0, %i1], predicate = %p : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_add(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_min(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<min>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_max(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_inc(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<inc>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_dec(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<dec>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_and(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<and>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_or(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<or>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_xor(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1] {redKind = #nvvm.tma_redux_kind<xor>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_reduce_im2col_hint(%g: !llvm.ptr, %s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.reduce %g, %s, box[%i0, %i1, %i2] l2_cache_hint = %j {redKind = #nvvm.tma_redux_kind<add>, mode = #nvvm.tma_store_mode<im2col>} : !llvm.ptr, !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_bulk_tensor_prefetch(%g: !llvm.ptr, %i0: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.prefetch %g, box[%i0] : !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_prefetch_hint(%g: !llvm.ptr, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32, %j: i64) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.prefetch %g, box[%i0, %i1, %i2, %i3, %i4] l2_cache_hint = %j : !llvm.ptr
  llvm.return
}

llvm.func @cp_async_bulk_tensor_prefetch_im2col(%g: !llvm.ptr, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %h0: i16, %h1: i16) attributes {nvvm.kernel} {
  nvvm.cp.async.bulk.tensor.prefetch %g, box[%i0, %i1, %i2, %i3] im2col[%h0, %h1] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr
  llvm.return
}

llvm.func @cp_async_shared_global_ca4(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_shared_global_ca8(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_shared_global_ca16(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 16, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_shared_global_cg16(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  llvm.return
}

llvm.func @cp_async_shared_global_size(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 16, cache = cg, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32
  llvm.return
}

llvm.func @cp_async_shared_global_ca_size(%s: !llvm.ptr<3>, %gg: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
  nvvm.cp.async.shared.global %s, %gg, 8, cache = ca, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32
  llvm.return
}

llvm.func @cp_async_commit_group() attributes {nvvm.kernel} {
  nvvm.cp.async.commit.group
  llvm.return
}

llvm.func @cp_async_wait_group() attributes {nvvm.kernel} {
  nvvm.cp.async.wait.group 2
  llvm.return
}

llvm.func @cp_async_mbarrier_arrive_g(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.cp.async.mbarrier.arrive %g : !llvm.ptr
  llvm.return
}

llvm.func @cp_async_mbarrier_arrive_noinc_g(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.cp.async.mbarrier.arrive %g {noinc = true} : !llvm.ptr
  llvm.return
}

llvm.func @mbarrier_init_g(%g: !llvm.ptr, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.init %g, %i : !llvm.ptr, i32
  llvm.return
}

llvm.func @mbarrier_init_pred_g(%g: !llvm.ptr, %i: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.mbarrier.init %g, %i, predicate = %p : !llvm.ptr, i32, i1
  llvm.return
}

llvm.func @mbarrier_inval_g(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.mbarrier.inval %g : !llvm.ptr
  llvm.return
}

llvm.func @mbarrier_arrive_g(%g: !llvm.ptr, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %g : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_none_g(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive %g : !llvm.ptr
  llvm.return
}

llvm.func @mbarrier_arrive_count_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %g, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_relaxed_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %g, %i {relaxed = true} : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_nocomplete_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive.nocomplete %g, %i : !llvm.ptr, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive.expect_tx %g, %i : !llvm.ptr, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_none_g(%g: !llvm.ptr, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive.expect_tx %g, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i32
  llvm.return
}

llvm.func @mbarrier_arrive_drop_g(%g: !llvm.ptr, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %g : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_none_g(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop %g : !llvm.ptr
  llvm.return
}

llvm.func @mbarrier_arrive_drop_count_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %g, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_relaxed_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %g, %i {relaxed = true} : !llvm.ptr -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_nocomplete_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop.nocomplete %g, %i : !llvm.ptr, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_expect_tx_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop.expect_tx %g, %i : !llvm.ptr, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_expect_tx_none_g(%g: !llvm.ptr, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop.expect_tx %g, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i32
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_pred_g(%g: !llvm.ptr, %i: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive.expect_tx %g, %i, predicate = %p : !llvm.ptr, i32, i1
  llvm.return
}

llvm.func @mbarrier_test_wait_g(%g: !llvm.ptr, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.test.wait %g, %j : !llvm.ptr, i64 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_test_wait_parity_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.test.wait %g, %i {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_g(%g: !llvm.ptr, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %g, %j : !llvm.ptr, i64 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_ticks_g(%g: !llvm.ptr, %i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %g, %i, %i2 : !llvm.ptr, i32, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_relaxed_g(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %g, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_parity_g(%g: !llvm.ptr, %i: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.try_wait.parity %g, %i, %i2 : !llvm.ptr, i32, i32
  llvm.return
}

llvm.func @cp_async_mbarrier_arrive_s(%s: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.cp.async.mbarrier.arrive %s : !llvm.ptr<3>
  llvm.return
}

llvm.func @cp_async_mbarrier_arrive_noinc_s(%s: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.cp.async.mbarrier.arrive %s {noinc = true} : !llvm.ptr<3>
  llvm.return
}

llvm.func @mbarrier_init_s(%s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.init %s, %i : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @mbarrier_init_pred_s(%s: !llvm.ptr<3>, %i: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.mbarrier.init %s, %i, predicate = %p : !llvm.ptr<3>, i32, i1
  llvm.return
}

llvm.func @mbarrier_inval_s(%s: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.mbarrier.inval %s : !llvm.ptr<3>
  llvm.return
}

llvm.func @mbarrier_arrive_s(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %s : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_none_s(%s: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive %s : !llvm.ptr<3>
  llvm.return
}

llvm.func @mbarrier_arrive_count_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %s, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_relaxed_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive %s, %i {relaxed = true} : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_nocomplete_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive.nocomplete %s, %i : !llvm.ptr<3>, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive.expect_tx %s, %i : !llvm.ptr<3>, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_none_s(%s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive.expect_tx %s, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @mbarrier_arrive_drop_s(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %s : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_none_s(%s: !llvm.ptr<3>) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop %s : !llvm.ptr<3>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_count_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %s, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_relaxed_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop %s, %i {relaxed = true} : !llvm.ptr<3> -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_nocomplete_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop.nocomplete %s, %i : !llvm.ptr<3>, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_expect_tx_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.arrive_drop.expect_tx %s, %i : !llvm.ptr<3>, i32 -> i64
  llvm.store %r, %out : i64, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_expect_tx_none_s(%s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop.expect_tx %s, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_pred_s(%s: !llvm.ptr<3>, %i: i32, %p: i1) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %p : !llvm.ptr<3>, i32, i1
  llvm.return
}

llvm.func @mbarrier_test_wait_s(%s: !llvm.ptr<3>, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.test.wait %s, %j : !llvm.ptr<3>, i64 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_test_wait_parity_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.test.wait %s, %i {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<3>, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_s(%s: !llvm.ptr<3>, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %s, %j : !llvm.ptr<3>, i64 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_ticks_s(%s: !llvm.ptr<3>, %i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %s, %i, %i2 : !llvm.ptr<3>, i32, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_relaxed_s(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mbarrier.try_wait %s, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3>, i32 -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @mbarrier_try_wait_parity_s(%s: !llvm.ptr<3>, %i: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.try_wait.parity %s, %i, %i2 : !llvm.ptr<3>, i32, i32
  llvm.return
}

llvm.func @mbarrier_arrive_cluster(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive %c, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
  llvm.return
}

llvm.func @mbarrier_arrive_cluster_one(%c: !llvm.ptr<7>) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive %c {relaxed = true} : !llvm.ptr<7>
  llvm.return
}

llvm.func @mbarrier_arrive_expect_tx_cluster(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive.expect_tx %c, %i : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @mbarrier_arrive_drop_cluster(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop %c, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_cluster_one(%c: !llvm.ptr<7>) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop %c {relaxed = true} : !llvm.ptr<7>
  llvm.return
}

llvm.func @mbarrier_arrive_drop_expect_tx_cluster(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.arrive_drop.expect_tx %c, %i : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @mbarrier_expect_tx_c(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.expect_tx %c, %i : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @mbarrier_expect_tx_s(%s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.expect_tx %s, %i : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @mbarrier_expect_tx_cluster_scope(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.expect_tx %c, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @mbarrier_complete_tx_c(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.complete_tx %c, %i : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @mbarrier_complete_tx_s(%s: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.complete_tx %s, %i : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @mbarrier_complete_tx_cluster_scope(%c: !llvm.ptr<7>, %i: i32) attributes {nvvm.kernel} {
  nvvm.mbarrier.complete_tx %c, %i {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32
  llvm.return
}

llvm.func @ldmatrix_x1_row(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x1_row(%s: !llvm.ptr<3>, %i0: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @ldmatrix_x1_col(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x1_col(%s: !llvm.ptr<3>, %i0: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32
  llvm.return
}

llvm.func @ldmatrix_x2_row(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 2 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x2_row(%s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0, %i1 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32
  llvm.return
}

llvm.func @ldmatrix_x2_col(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x2_col(%s: !llvm.ptr<3>, %i0: i32, %i1: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0, %i1 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32
  llvm.return
}

llvm.func @ldmatrix_x4_row(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x4_row(%s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0, %i1, %i2, %i3 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  llvm.return
}

llvm.func @ldmatrix_x4_col(%s: !llvm.ptr<3>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>, num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @stmatrix_x4_col(%s: !llvm.ptr<3>, %i0: i32, %i1: i32, %i2: i32, %i3: i32) attributes {nvvm.kernel} {
  nvvm.stmatrix %s, %i0, %i1, %i2, %i3 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
  llvm.return
}

llvm.func @mma_sync_m8n8k4_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v20: vector<2xf16>, %v21: vector<2xf16>, %v22: vector<2xf16>, %v23: vector<2xf16>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%v0, %v1] B[%v10, %v11] C[%v20, %v21, %v22, %v23] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m8n8k4_f32_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v20: vector<2xf16>, %v21: vector<2xf16>, %v22: vector<2xf16>, %v23: vector<2xf16>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%v0, %v1] B[%v10, %v11] C[%v20, %v21, %v22, %v23] {layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k8_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v10: vector<2xf16>, %v20: vector<2xf16>, %v21: vector<2xf16>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%v0, %v1] B[%v10] C[%v20, %v21] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k16_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v20: vector<2xf16>, %v21: vector<2xf16>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%v0, %v1, %v2, %v3] B[%v10, %v11] C[%v20, %v21] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k16_f32(%v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%v0, %v1, %v2, %v3] B[%v10, %v11] C[%f20, %f21, %f22, %f23] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k16_bf16(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%f20, %f21, %f22, %f23] {multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k8_tf32(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%f20, %f21, %f22, %f23] {multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k4_tf32(%i0: i32, %i1: i32, %i10: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1] B[%i10] C[%f20, %f21, %f22, %f23] {multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m8n8k4_f64(%d0: f64, %d10: f64, %d20: f64, %d21: f64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%d0] B[%d10] C[%d20, %d21] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  llvm.store %r, %out : !llvm.struct<(f64, f64)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k32_s8(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%i20, %i21, %i22, %i23] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k32_u8_sat(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%i20, %i21, %i22, %i23] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k16_u8_sat(%i0: i32, %i1: i32, %i10: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1] B[%i10] C[%i20, %i21, %i22, %i23] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<u8>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m8n8k16_s8(%i0: i32, %i10: i32, %i20: i32, %i21: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0] B[%i10] C[%i20, %i21] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k64_s4(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%i20, %i21, %i22, %i23] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<s4>, multiplicandBPtxType = #nvvm.mma_type<s4>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k32_u4(%i0: i32, %i1: i32, %i10: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1] B[%i10] C[%i20, %i21, %i22, %i23] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<s4>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m8n8k32_u4(%i0: i32, %i10: i32, %i20: i32, %i21: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0] B[%i10] C[%i20, %i21] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<s4>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k256_b1_xor(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11] C[%i20, %i21, %i22, %i23] {b1Op = #nvvm.mma_b1op<xor_popc>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 256>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m16n8k128_b1_and(%i0: i32, %i1: i32, %i10: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0, %i1] B[%i10] C[%i20, %i21, %i22, %i23] {b1Op = #nvvm.mma_b1op<and_popc>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sync_m8n8k128_b1(%i0: i32, %i10: i32, %i20: i32, %i21: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mma.sync A[%i0] B[%i10] C[%i20, %i21] {b1Op = #nvvm.mma_b1op<and_popc>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k16_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v20: vector<2xf16>, %v21: vector<2xf16>, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%v0, %v1] B[%v10, %v11] C[%v20, %v21] sparseMetadata[%i50] selector[%sel] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k32_f32(%v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v12: vector<2xf16>, %v13: vector<2xf16>, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%v0, %v1, %v2, %v3] B[%v10, %v11, %v12, %v13] C[%f20, %f21, %f22, %f23] sparseMetadata[%i50] selector[%sel] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k32_bf16(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i12: i32, %i13: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11, %i12, %i13] C[%f20, %f21, %f22, %f23] sparseMetadata[%i50] selector[%sel] {multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k8_tf32(%i0: i32, %i1: i32, %i10: i32, %i11: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%i0, %i1] B[%i10, %i11] C[%f20, %f21, %f22, %f23] sparseMetadata[%i50] selector[%sel] {multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k64_s8(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i12: i32, %i13: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11, %i12, %i13] C[%i20, %i21, %i22, %i23] sparseMetadata[%i50] selector[%sel] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k128_u4(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i12: i32, %i13: i32, %i20: i32, %i21: i32, %i22: i32, %i23: i32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11, %i12, %i13] C[%i20, %i21, %i22, %i23] sparseMetadata[%i50] selector[%sel] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, orderedMetadata, multiplicandAPtxType = #nvvm.mma_type<u4>, multiplicandBPtxType = #nvvm.mma_type<u4>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @mma_sp_sync_m16n8k64_e4m3(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i10: i32, %i11: i32, %i12: i32, %i13: i32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %i50: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %sel = llvm.mlir.constant(0 : i32) : i32
  %r = nvvm.mma.sp.sync A[%i0, %i1, %i2, %i3] B[%i10, %i11, %i12, %i13] C[%f20, %f21, %f22, %f23] sparseMetadata[%i50] selector[%sel] {multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_a_f16(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_b_f16(%gg: !llvm.ptr<1>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %gg, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<b>, layout = #nvvm.mma_layout<col>, m = 32 : i32, n = 8 : i32, k = 16 : i32} : (!llvm.ptr<1>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_c_f32(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %g, %i {eltype = #nvvm.mma_type<f32>, frag = #nvvm.mma_frag<c>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_c_f16(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<c>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_a_s8(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<s8>, frag = #nvvm.mma_frag<a>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_b_u8(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<u8>, frag = #nvvm.mma_frag<b>, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 32 : i32, k = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_c_s32(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<s32>, frag = #nvvm.mma_frag<c>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_a_tf32(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<tf32>, frag = #nvvm.mma_frag<a>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 8 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_a_f64(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<a>, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32, k = 4 : i32} : (!llvm.ptr<3>) -> f64
  llvm.store %r, %out : f64, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_load_c_f64(%s: !llvm.ptr<3>, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.load %s, %i {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<c>, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32, k = 4 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(f64, f64)>
  llvm.store %r, %out : !llvm.struct<(f64, f64)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_store_f16(%s: !llvm.ptr<3>, %i99: i32, %v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>) attributes {nvvm.kernel} {
  nvvm.wmma.store %s, %i99, %v0, %v1, %v2, %v3 {eltype = #nvvm.mma_type<f16>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : !llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  llvm.return
}

llvm.func @wmma_store_f32(%gg: !llvm.ptr<1>, %i99: i32, %f0: f32, %f1: f32, %f2: f32, %f3: f32, %f4: f32, %f5: f32, %f6: f32, %f7: f32) attributes {nvvm.kernel} {
  nvvm.wmma.store %gg, %i99, %f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7 {eltype = #nvvm.mma_type<f32>, layout = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : !llvm.ptr<1>, f32, f32, f32, f32, f32, f32, f32, f32
  llvm.return
}

llvm.func @wmma_store_s32(%g: !llvm.ptr, %i99: i32, %i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32, %i5: i32, %i6: i32, %i7: i32) attributes {nvvm.kernel} {
  nvvm.wmma.store %g, %i99, %i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7 {eltype = #nvvm.mma_type<s32>, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : !llvm.ptr, i32, i32, i32, i32, i32, i32, i32, i32
  llvm.return
}

llvm.func @wmma_store_f64(%s: !llvm.ptr<3>, %i99: i32, %d0: f64, %d1: f64) attributes {nvvm.kernel} {
  nvvm.wmma.store %s, %i99, %d0, %d1 {eltype = #nvvm.mma_type<f64>, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32, k = 4 : i32} : !llvm.ptr<3>, f64, f64
  llvm.return
}

llvm.func @wmma_mma_f16_f16(%v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>, %v4: vector<2xf16>, %v5: vector<2xf16>, %v6: vector<2xf16>, %v7: vector<2xf16>, %v8: vector<2xf16>, %v9: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v12: vector<2xf16>, %v13: vector<2xf16>, %v14: vector<2xf16>, %v15: vector<2xf16>, %v16: vector<2xf16>, %v17: vector<2xf16>, %v18: vector<2xf16>, %v19: vector<2xf16>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.mma %v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13, %v14, %v15, %v16, %v17, %v18, %v19 {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  llvm.store %r, %out : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_mma_f16_f32(%v0: vector<2xf16>, %v1: vector<2xf16>, %v2: vector<2xf16>, %v3: vector<2xf16>, %v4: vector<2xf16>, %v5: vector<2xf16>, %v6: vector<2xf16>, %v7: vector<2xf16>, %v8: vector<2xf16>, %v9: vector<2xf16>, %v10: vector<2xf16>, %v11: vector<2xf16>, %v12: vector<2xf16>, %v13: vector<2xf16>, %v14: vector<2xf16>, %v15: vector<2xf16>, %f16: f32, %f17: f32, %f18: f32, %f19: f32, %f20: f32, %f21: f32, %f22: f32, %f23: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.mma %v0, %v1, %v2, %v3, %v4, %v5, %v6, %v7, %v8, %v9, %v10, %v11, %v12, %v13, %v14, %v15, %f16, %f17, %f18, %f19, %f20, %f21, %f22, %f23 {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f32>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_mma_s8(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32, %i5: i32, %i6: i32, %i7: i32, %i8: i32, %i9: i32, %i10: i32, %i11: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.mma %i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7, %i8, %i9, %i10, %i11 {eltypeA = #nvvm.mma_type<s8>, eltypeB = #nvvm.mma_type<s32>, layoutA = #nvvm.mma_layout<col>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>
  llvm.store %r, %out : !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_mma_tf32(%i0: i32, %i1: i32, %i2: i32, %i3: i32, %i4: i32, %i5: i32, %i6: i32, %i7: i32, %f8: f32, %f9: f32, %f10: f32, %f11: f32, %f12: f32, %f13: f32, %f14: f32, %f15: f32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.mma %i0, %i1, %i2, %i3, %i4, %i5, %i6, %i7, %f8, %f9, %f10, %f11, %f12, %f13, %f14, %f15 {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32, k = 8 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  llvm.store %r, %out : !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @wmma_mma_f64(%d0: f64, %d1: f64, %d2: f64, %d3: f64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.wmma.mma %d0, %d1, %d2, %d3 {eltypeA = #nvvm.mma_type<f64>, eltypeB = #nvvm.mma_type<f64>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32, k = 4 : i32} : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
  llvm.store %r, %out : !llvm.struct<(f64, f64)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @setmaxregister_increase() attributes {nvvm.kernel} {
  nvvm.setmaxregister increase 240
  llvm.return
}

llvm.func @setmaxregister_decrease() attributes {nvvm.kernel} {
  nvvm.setmaxregister decrease 40
  llvm.return
}

llvm.func @elect_sync(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.elect.sync -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @elect_sync_mask(%i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.elect.sync %i -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_add(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync add %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_min(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync min %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_max(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync max %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_umin(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync umin %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_umax(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync umax %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_and(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync and %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_or(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync or %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @redux_sync_xor(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.redux.sync xor %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_bfly(%i: i32, %i2: i32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync bfly %i, %i2, %i3, %i4 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_up(%i: i32, %i2: i32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync up %i, %i2, %i3, %i4 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_down(%i: i32, %i2: i32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync down %i, %i2, %i3, %i4 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_idx(%i: i32, %i2: i32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync idx %i, %i2, %i3, %i4 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_f32(%i: i32, %f: f32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync idx %i, %f, %i3, %i4 : f32 -> f32
  llvm.store %r, %out : f32, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_pair(%i: i32, %i2: i32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync idx %i, %i2, %i3, %i4 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  llvm.store %r, %out : !llvm.struct<(i32, i1)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @shfl_sync_pair_f32(%i: i32, %f: f32, %i3: i32, %i4: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.shfl.sync bfly %i, %f, %i3, %i4 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
  llvm.store %r, %out : !llvm.struct<(f32, i1)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @vote_sync_any(%i: i32, %p: i1, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.vote.sync any %i, %p -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @vote_sync_all(%i: i32, %p: i1, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.vote.sync all %i, %p -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @vote_sync_uni(%i: i32, %p: i1, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.vote.sync uni %i, %p -> i1
  llvm.store %r, %out : i1, !llvm.ptr<1>
  llvm.return
}

llvm.func @vote_sync_ballot(%i: i32, %p: i1, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.vote.sync ballot %i, %p -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @match_sync_any_i32(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.match.sync any %i, %i2 : i32 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @match_sync_all_i32(%i: i32, %i2: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.match.sync all %i, %i2 : i32 -> !llvm.struct<(i32, i1)>
  llvm.store %r, %out : !llvm.struct<(i32, i1)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @match_sync_any_i64(%i: i32, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.match.sync any %i, %j : i64 -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @match_sync_all_i64(%i: i32, %j: i64, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.match.sync all %i, %j : i64 -> !llvm.struct<(i32, i1)>
  llvm.store %r, %out : !llvm.struct<(i32, i1)>, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier() attributes {nvvm.kernel} {
  nvvm.barrier
  llvm.return
}

llvm.func @barrier_id(%i: i32) attributes {nvvm.kernel} {
  nvvm.barrier id = %i
  llvm.return
}

llvm.func @barrier_threads(%i: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.barrier id = %i number_of_threads = %i2
  llvm.return
}

llvm.func @barrier_red_popc(%i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier #nvvm.reduction<popc> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier_red_id_popc(%i: i32, %i2: i32, %i3: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier id = %i2 number_of_threads = %i3 #nvvm.reduction<popc> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier_red_and(%i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier #nvvm.reduction<and> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier_red_id_and(%i: i32, %i2: i32, %i3: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier id = %i2 number_of_threads = %i3 #nvvm.reduction<and> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier_red_or(%i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier #nvvm.reduction<or> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier_red_id_or(%i: i32, %i2: i32, %i3: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.barrier id = %i2 number_of_threads = %i3 #nvvm.reduction<or> %i -> i32
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @barrier0() attributes {nvvm.kernel} {
  nvvm.barrier0
  llvm.return
}

llvm.func @barrier_arrive(%i: i32) attributes {nvvm.kernel} {
  nvvm.barrier.arrive number_of_threads = %i
  llvm.return
}

llvm.func @barrier_arrive_id(%i: i32, %i2: i32) attributes {nvvm.kernel} {
  nvvm.barrier.arrive id = %i number_of_threads = %i2
  llvm.return
}

llvm.func @bar_warp_sync(%i: i32) attributes {nvvm.kernel} {
  nvvm.bar.warp.sync %i : i32
  llvm.return
}

llvm.func @cluster_arrive() attributes {nvvm.kernel} {
  nvvm.cluster.arrive
  llvm.return
}

llvm.func @cluster_arrive_aligned() attributes {nvvm.kernel} {
  nvvm.cluster.arrive {aligned}
  llvm.return
}

llvm.func @cluster_arrive_relaxed() attributes {nvvm.kernel} {
  nvvm.cluster.arrive.relaxed
  llvm.return
}

llvm.func @cluster_arrive_relaxed_aligned() attributes {nvvm.kernel} {
  nvvm.cluster.arrive.relaxed {aligned}
  llvm.return
}

llvm.func @cluster_wait() attributes {nvvm.kernel} {
  nvvm.cluster.wait
  llvm.return
}

llvm.func @cluster_wait_aligned() attributes {nvvm.kernel} {
  nvvm.cluster.wait {aligned}
  llvm.return
}

llvm.func @mapa(%g: !llvm.ptr, %i: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %r = nvvm.mapa %g, %i : !llvm.ptr -> !llvm.ptr
  llvm.store %r, %out : !llvm.ptr, !llvm.ptr<1>
  llvm.return
}

llvm.func @mapa_shared(%s: !llvm.ptr<3>, %i: i32, %i2: i32) attributes {nvvm.kernel} {
  %r = nvvm.mapa %s, %i : !llvm.ptr<3> -> !llvm.ptr<7>
  nvvm.mbarrier.arrive %r, %i2 : !llvm.ptr<7>
  llvm.return
}

llvm.func @fence_mbarrier_init() attributes {nvvm.kernel} {
  nvvm.fence.mbarrier.init
  llvm.return
}

llvm.func @fence_proxy_alias() attributes {nvvm.kernel} {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  llvm.return
}

llvm.func @fence_proxy_async() attributes {nvvm.kernel} {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
  llvm.return
}

llvm.func @fence_proxy_async_global() attributes {nvvm.kernel} {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.global>}
  llvm.return
}

llvm.func @fence_proxy_shared_cta() attributes {nvvm.kernel} {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  llvm.return
}

llvm.func @fence_proxy_shared_cluster() attributes {nvvm.kernel} {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cluster>}
  llvm.return
}

llvm.func @fence_proxy_acquire_cta(%g: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(128 : i32) : i32
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %g, %n
  llvm.return
}

llvm.func @fence_proxy_release_cta() attributes {nvvm.kernel} {
  nvvm.fence.proxy.release #nvvm.mem_scope<cta>
  llvm.return
}

llvm.func @fence_proxy_acquire_cluster(%g: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(128 : i32) : i32
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cluster> %g, %n
  llvm.return
}

llvm.func @fence_proxy_release_cluster() attributes {nvvm.kernel} {
  nvvm.fence.proxy.release #nvvm.mem_scope<cluster>
  llvm.return
}

llvm.func @fence_proxy_acquire_gpu(%g: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(128 : i32) : i32
  nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %g, %n
  llvm.return
}

llvm.func @fence_proxy_release_gpu() attributes {nvvm.kernel} {
  nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
  llvm.return
}

llvm.func @fence_proxy_acquire_sys(%g: !llvm.ptr) attributes {nvvm.kernel} {
  %n = llvm.mlir.constant(128 : i32) : i32
  nvvm.fence.proxy.acquire #nvvm.mem_scope<sys> %g, %n
  llvm.return
}

llvm.func @fence_proxy_release_sys() attributes {nvvm.kernel} {
  nvvm.fence.proxy.release #nvvm.mem_scope<sys>
  llvm.return
}

llvm.func @fence_proxy_sync_restrict_acquire() attributes {nvvm.kernel} {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
  llvm.return
}

llvm.func @fence_proxy_sync_restrict_release() attributes {nvvm.kernel} {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
  llvm.return
}

llvm.func @griddepcontrol_wait() attributes {nvvm.kernel} {
  nvvm.griddepcontrol wait
  llvm.return
}

llvm.func @griddepcontrol_launch() attributes {nvvm.kernel} {
  nvvm.griddepcontrol launch_dependents
  llvm.return
}

llvm.func @memory_barrier_cta() attributes {nvvm.kernel} {
  nvvm.memory.barrier #nvvm.mem_scope<cta>
  llvm.return
}

llvm.func @memory_barrier_cluster() attributes {nvvm.kernel} {
  nvvm.memory.barrier #nvvm.mem_scope<cluster>
  llvm.return
}

llvm.func @memory_barrier_gpu() attributes {nvvm.kernel} {
  nvvm.memory.barrier #nvvm.mem_scope<gpu>
  llvm.return
}

llvm.func @memory_barrier_sys() attributes {nvvm.kernel} {
  nvvm.memory.barrier #nvvm.mem_scope<sys>
  llvm.return
}

llvm.func @fence_sc_cluster() attributes {nvvm.kernel} {
  nvvm.fence.sc.cluster
  llvm.return
}

llvm.func @fence_sync_restrict_acquire() attributes {nvvm.kernel} {
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
  llvm.return
}

llvm.func @fence_sync_restrict_release() attributes {nvvm.kernel} {
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
  llvm.return
}

llvm.func @nanosleep(%i: i32) attributes {nvvm.kernel} {
  nvvm.nanosleep %i
  llvm.return
}

llvm.func @prefetch_l1(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.prefetch level = L1, %g : !llvm.ptr
  llvm.return
}

llvm.func @prefetch_l2_global(%gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.prefetch level = L2, %gg : !llvm.ptr<1>
  llvm.return
}

llvm.func @prefetch_l2_evict(%gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.prefetch level = L2, evict_priority = evict_last, %gg : !llvm.ptr<1>
  llvm.return
}

llvm.func @prefetch_l2_evict_normal(%gg: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.prefetch level = L2, evict_priority = evict_normal, %gg : !llvm.ptr<1>
  llvm.return
}

llvm.func @prefetch_uniform(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.prefetch level = L1 uniform, %g : !llvm.ptr
  llvm.return
}

llvm.func @prefetch_tensormap(%g: !llvm.ptr) attributes {nvvm.kernel} {
  nvvm.prefetch tensormap, %g : !llvm.ptr
  llvm.return
}

llvm.func @prefetch_tensormap_pred(%g: !llvm.ptr, %p: i1) attributes {nvvm.kernel} {
  nvvm.prefetch tensormap, %g, predicate = %p : !llvm.ptr, i1
  llvm.return
}

llvm.func @prefetch_tensormap_const(%g: !llvm.ptr) attributes {nvvm.kernel} {
  %k = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<4>
  nvvm.prefetch tensormap, %k : !llvm.ptr<4>
  llvm.return
}

llvm.func @breakpoint() attributes {nvvm.kernel} {
  nvvm.breakpoint
  llvm.return
}

llvm.func @pmevent() attributes {nvvm.kernel} {
  nvvm.pmevent id = 3
  llvm.return
}

llvm.func @pmevent_mask() attributes {nvvm.kernel} {
  nvvm.pmevent mask = 9
  llvm.return
}
