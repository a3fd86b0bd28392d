// A reduction: own elements, a warp by shuffles, warps through shared memory.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// CHECK: gpu.func @rows(
// CHECK-SAME: workgroup(%[[S:.*]] : memref<64xf32, #gpu.address_space<workgroup>>)
// CHECK-SAME: array<i32: 64, 1, 1>
// CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<4xf32> into f32
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[S]][%{{.*}}]
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
// CHECK-DAG: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : vector<1xf64>
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[NEUTRAL]] : vector<1xf64>
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

// Along a dimension of a warp a row: shuffles alone, of each row that a thread has.
// CHECK: gpu.func @along_rows(
// CHECK-NOT: workgroup
// CHECK-COUNT-10: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
kernel.func @along_rows(%x: memref<4x128xf32>, %y: memref<4xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 4, %c0 : 128] layout <threads = [2, 32], vector = [1, 4]> : memref<4x128xf32>
  %s = kernel.reduce add %a along 1 : tensor<4x128xf32, #kernel.layout<threads = [2, 32], vector = [1, 4]>>
  kernel.store %s, %y[%c0 : 4] : tensor<4xf32, #kernel.layout<threads = [2, 32], vector = [1, 4], without = [1]>>, memref<4xf32>
  kernel.return
}

// Along the other dimension: own rows first, then the two warps through shared memory, four columns at once; the first
// warp stores.
// CHECK: gpu.func @along_columns(
// CHECK-SAME: workgroup(%[[S:.*]] : memref<256xf32, #gpu.address_space<workgroup>>)
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK-COUNT-4: memref.store %{{.*}}, %[[S]]
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %[[S]]
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: vector.store %{{.*}} : memref<128xf32>, vector<4xf32>
kernel.func @along_columns(%x: memref<4x128xf32>, %y: memref<128xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 4, %c0 : 128] layout <threads = [2, 32], vector = [1, 4]> : memref<4x128xf32>
  %s = kernel.reduce add %a along 0 : tensor<4x128xf32, #kernel.layout<threads = [2, 32], vector = [1, 4]>>
  kernel.store %s, %y[%c0 : 128] : tensor<128xf32, #kernel.layout<threads = [2, 32], vector = [1, 4], without = [0]>>, memref<128xf32>
  kernel.return
}
