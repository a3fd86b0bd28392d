// A reduction: own elements, a warp by shuffles, warps through shared memory.
// RUN: terrace-opt %s -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// CHECK: gpu.func @rows(
// CHECK-SAME: workgroup(%[[S:.*]] : memref<4xi32, #gpu.address_space<workgroup>>)
// CHECK-SAME: array<i32: 64, 1, 1>
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<4xf32> into f32
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[S]]
// CHECK: memref.load %[[S]]
// CHECK: %[[TOTAL:.*]] = arith.addf
// CHECK: scf.if
// CHECK-NEXT: memref.store %[[TOTAL]], %{{.*}} : memref<8xf32>
kernel.func @rows(%x: memref<8x256xf32>, %y: memref<8xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 256] : memref<8x256xf32>
  %s = kernel.reduce add %a : tensor<256xf32>
  memref.store %s, %y[%i] : memref<8xf32>
  kernel.return
}

// One warp needs no shared memory; 64 bits travel as two words; what copies hold does not count.
// CHECK: gpu.func @small(
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant -0.000000e+00 : f64
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NEUTRAL]] : f64
// CHECK-COUNT-10: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @small(%x: memref<8xf64>, %y: memref<1xf64>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 8] : memref<8xf64>
  %s = kernel.reduce add %a : tensor<8xf64>
  memref.store %s, %y[%c0] : memref<1xf64>
  kernel.return
}
func.func @main(%x: memref<8xf64>) {
  %y = memref.alloc() : memref<1xf64>
  kernel.launch @small grid [] (%x, %y) : memref<8xf64>, memref<1xf64>
  memref.dealloc %y : memref<1xf64>
  return
}
