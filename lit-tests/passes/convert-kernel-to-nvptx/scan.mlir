// A scan: own elements, a butterfly in a warp, the sums of warps through shared memory. What is carried on is wider than an element.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// CHECK: gpu.func @row(
// CHECK-SAME: workgroup(%[[S:.*]] : memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-3: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: memref.store %{{.*}}, %[[S]][%{{.*}}]
// CHECK: gpu.barrier
// CHECK-COUNT-2: memref.load %[[S]]
// CHECK: arith.extf %{{.*}} : f32 to f64
kernel.func @row(%x: memref<256xf32>, %y: memref<256xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %a = kernel.load %x[%c0 : 256] : memref<256xf32>
  %b, %next = kernel.scan add %a from %zero : tensor<256xf32>, f64
  kernel.store %b, %y[%c0 : 256] : tensor<256xf32>, memref<256xf32>
  kernel.return
}
func.func @main(%x: memref<256xf32>) {
  kernel.launch @row grid [](%x, %x) : memref<256xf32>, memref<256xf32>
  return
}
