// A row of 100 that stays in the kernel has memory for 128: its last tile is stored whole, and what is behind the row is
// read by nobody. A load behind a masked store would wait for it to reach memory.

// RUN: terrace-opt %s --convert-loop-to-kernel=tile=64 | FileCheck %s

// CHECK-LABEL: kernel.func @rows.group_0
// CHECK: %[[ROW:.*]] = memref.alloca() {{.*}} : memref<128xf32>
// CHECK: kernel.store %{{.*}}, %[[ROW]][%{{.*}} : 64] : tensor<64xf32>, memref<128xf32>
// CHECK: kernel.store %{{.*}}, %[[ROW]][%{{.*}} : 40] : tensor<40xf32>, memref<128xf32>
// CHECK: kernel.load %[[ROW]][%{{.*}} : 64] valid(%{{.*}}) else
// What the caller has is stored to where it ends.
// CHECK: kernel.store %{{.*}}, %arg1[%{{.*}}, %{{.*}} : 40] valid(%{{.*}})
func.func @rows(%x: memref<32x100xf32>, %y: memref<32x100xf32>) {
  loop.group (%i = 32) into (%y as %own : memref<32x100xf32>) {
    %e = loop.pointwise (%j = 100) {
      %a = loop.load %x[%i, %j] : memref<32x100xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<100xf32>
    %s = loop.reduction add over (%j = 100) {
      %a = loop.load %e[%j] : tensor<100xf32>
      loop.yield %a : f32
    } : f32
    %q = loop.pointwise (%j = 100) {
      %a = loop.load %e[%j] : tensor<100xf32>
      %b = arith.divf %a, %s : f32
      loop.yield %b : f32
    } : tensor<100xf32>
    loop.in_parallel {
      loop.insert %q into %own at [%i, :] : tensor<100xf32> into memref<32x100xf32>
    }
  }
  return
}
