// The greatest number is the greatest of integers in the same order, in which what is no number is the least.

// RUN: terrace-opt %s --convert-linalg-to-loop --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @most(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[M:.*]]: tensor<4xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xi32>
// CHECK: %[[R:.*]] = loop.reduction max (%[[I:.*]] = 4) over (%[[J:.*]] = 6) into %[[E]] {
// CHECK:   %[[A:.*]] = loop.load %[[X]][%[[I]], %[[J]]] : tensor<4x6xf32>
// CHECK:   %[[N:.*]] = arith.cmpf uno, %[[A]], %[[A]] : f32
// CHECK:   %[[K:.*]] = arith.select %[[N]], %{{.*}}, %{{.*}} : i32
// CHECK:   loop.yield %[[K]] : i32
// CHECK: loop.pointwise (%[[I:.*]] = 4) into %[[M]] {
// CHECK:   %[[OLD:.*]] = loop.load %[[M]][%[[I]]] : tensor<4xf32>
// CHECK:   %[[NEW:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:   arith.maxnumf %[[OLD]], %[[NEW]] : f32
func.func @most(%x: tensor<4x6xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.maxnumf } ins(%x : tensor<4x6xf32>) outs(%m : tensor<4xf32>) dimensions = [1]
  return %r : tensor<4xf32>
}

// -----

// On memrefs it is one group.
// CHECK-LABEL: func.func @least_in_memory(
// CHECK: loop.group (%{{.*}} = 4)
// CHECK:   loop.reduction min over (%{{.*}} = 6)
// CHECK:   arith.minnumf
func.func @least_in_memory(%x: memref<4x6xf64>, %m: memref<4xf64>) {
  linalg.reduce { arith.minnumf } ins(%x : memref<4x6xf64>) outs(%m : memref<4xf64>) dimensions = [1]
  return
}

// -----

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: linalg
// CHECK: loop.reduction max
// CHECK: math.exp
// CHECK: loop.reduction add
// CHECK: arith.divf
// CHECK-NOT: linalg
func.func @softmax(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// What is no number is the least integer of 64 bits, too.
// CHECK-LABEL: func.func @most_of_64_bits(
// CHECK: arith.constant -9223372036854775808 : i64
func.func @most_of_64_bits(%x: memref<4x6xf64>, %m: memref<4xf64>) {
  linalg.reduce { arith.maxnumf } ins(%x : memref<4x6xf64>) outs(%m : memref<4xf64>) dimensions = [1]
  return
}
