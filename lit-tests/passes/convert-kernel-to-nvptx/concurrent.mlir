// Launches that can run at once are one, where their blocks have as many threads.

// RUN: terrace-opt %s --kernel-assign-layouts --convert-kernel-to-nvptx --canonicalize | FileCheck %s

kernel.func @fill(%x: memref<4x256xf32>, %k: f32) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %t = tensor.splat %k : tensor<256xf32>
  kernel.store %t, %x[%i, %c0 : 256] : tensor<256xf32>, memref<4x256xf32>
  kernel.return
}
kernel.func @double(%x: memref<2x256xf32>) grid(%i in 2) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %x[%i, %c0 : 256] : memref<2x256xf32>
  %d = arith.addf %t, %t : tensor<256xf32>
  kernel.store %d, %x[%i, %c0 : 256] : tensor<256xf32>, memref<2x256xf32>
  kernel.return
}
kernel.func @narrow(%x: memref<2x32xf32>) grid(%i in 2) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<32xf32>
  kernel.store %t, %x[%i, %c0 : 32] : tensor<32xf32>, memref<2x32xf32>
  kernel.return
}

// A block finds its kernel, and what that was handed in the launch that it is of. What all launches hand over is taken once.
// CHECK: gpu.func @narrow(
// CHECK: gpu.func @fill_concurrent(
// CHECK-SAME: %[[X:.*]]: memref<4x256xf32>, %[[Y:.*]]: memref<4x256xf32>, %[[K:.*]]: f32, %[[Z:.*]]: memref<2x256xf32>)
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi slt, %[[BLOCK]], %c8
// CHECK: scf.if %[[FIRST]] {
// CHECK: %[[LAUNCH:.*]] = arith.divui %[[BLOCK]], %c4
// CHECK: %[[POINT:.*]] = arith.remui %[[BLOCK]], %c4
// CHECK: %[[GX:.*]] = memref.memory_space_cast %[[X]]
// CHECK: %[[GY:.*]] = memref.memory_space_cast %[[Y]]
// CHECK: %[[CHOSEN:.*]] = scf.index_switch %[[LAUNCH]] -> memref<4x256xf32, #gpu.address_space<global>>
// CHECK-NEXT: case 0 {
// CHECK-NEXT: scf.yield %[[GX]]
// CHECK: default {
// CHECK-NEXT: scf.yield %[[GY]]
// CHECK: %[[TO:.*]] = memref.memory_space_cast %[[CHOSEN]]
// CHECK: vector.store %{{.*}}, %[[TO]][%[[POINT]], %{{.*}}]
// CHECK: } else {
// CHECK: %[[OWN:.*]] = arith.subi %[[BLOCK]], %c8
// CHECK: vector.load %[[Z]][%[[OWN]], %{{.*}}]

// CHECK-LABEL: func.func @all(
// CHECK-SAME: %[[A:.*]]: memref<4x256xf32>, %[[B:.*]]: memref<4x256xf32>, %[[C:.*]]: memref<2x256xf32>, %[[D:.*]]: memref<2x32xf32>, %[[N:.*]]: f32)
// CHECK-NOT: kernel.concurrent
// CHECK: gpu.launch_func @kernels::@fill_concurrent blocks in (%c10, {{.*}}) threads in (%c64, {{.*}}) args(%[[A]] : memref<4x256xf32>, %[[B]] : memref<4x256xf32>, %[[N]] : f32, %[[C]] : memref<2x256xf32>)
// CHECK: gpu.launch_func @kernels::@narrow blocks in (%c2, {{.*}}) threads in (%c32, {{.*}}) args(%[[D]] : memref<2x32xf32>)
// CHECK-NEXT: return
func.func @all(%a: memref<4x256xf32>, %b: memref<4x256xf32>, %c: memref<2x256xf32>, %d: memref<2x32xf32>, %n: f32) {
  kernel.concurrent {
    kernel.launch @fill grid [4](%a, %n) : memref<4x256xf32>, f32
    kernel.launch @double grid [2](%c) : memref<2x256xf32>
    kernel.launch @narrow grid [2](%d) : memref<2x32xf32>
    kernel.launch @fill grid [4](%b, %n) : memref<4x256xf32>, f32
  }
  return
}
