// RUN: terrace-opt %s --convert-loop-to-kernel --cse --split-input-file | FileCheck %s

// Lanes go along what lies side by side, though each has a mask of its own: their indices are counted up from the first one's place,
// which is one number for all.
// CHECK: kernel.func @padded.pointwise_0(%[[X:[a-z0-9]+]]: memref<8x4000xf32>, %[[Y:[a-z0-9]+]]: memref<8x4002xf32>)
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64 {
// CHECK: %[[PLACE:.*]] = arith.addi %[[J]], %c-1 : index
// CHECK: %[[FROM:.*]] = tensor.splat %[[PLACE]] : tensor<64xindex>
// CHECK: %[[LANES:.*]] = arith.addi %{{.*}}, %[[FROM]] : tensor<64xindex>
// CHECK: kernel.gather %[[X]][%{{.*}}, %[[LANES]]] mask
// CHECK: kernel.store %{{.*}}, %[[Y]][%{{.*}}, %[[J]] : 64]
func.func @padded(%x: memref<8x4000xf32>, %y: memref<8x4002xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %size = arith.constant 4000 : index
  loop.pointwise (%i = 8, %j = 4002) into %y {
    %before = arith.subi %j, %one : index
    %inside = arith.cmpi ult, %before, %size : index
    %v = loop.load %x[%i, %j - 1] if %inside else %zero : memref<8x4000xf32>, f32
    loop.yield %v : f32
  } : memref<8x4002xf32>
  return
}
