; An element of C = A * B^T for each CTA of one thread; a row of A comes by
; cp.async.
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [4 x float] undef, align 16

declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.all()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

define ptx_kernel void @dot(ptr addrspace(1) %a, ptr addrspace(1) %b,
                            ptr addrspace(1) %c, i32 %columns, i32 %depth) #0 {
entry:
  %column = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %at.a = mul i32 %row, %depth
  %from.a = getelementptr float, ptr addrspace(1) %a, i32 %at.a
  %at.b = mul i32 %column, %depth
  %from.b = getelementptr float, ptr addrspace(1) %b, i32 %at.b
  call void @llvm.nvvm.cp.async.ca.shared.global.16(
      ptr addrspace(3) @tile, ptr addrspace(1) %from.a)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.all()
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %of.a = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %x = load float, ptr addrspace(3) %of.a
  %of.b = getelementptr float, ptr addrspace(1) %from.b, i32 %i
  %y = load float, ptr addrspace(1) %of.b
  %product = fmul float %x, %y
  %added = fadd float %sum, %product
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %depth
  br i1 %more, label %loop, label %end

end:
  %at.row = mul i32 %row, %columns
  %at.c = add i32 %at.row, %column
  %to = getelementptr float, ptr addrspace(1) %c, i32 %at.c
  store float %added, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "target-cpu"="sm_90a" }
