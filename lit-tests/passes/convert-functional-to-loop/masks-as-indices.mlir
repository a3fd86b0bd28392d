// A mask stands for the indices of its true elements, whose number only the run knows: beside other indices it is asked whether
// it fits them.
// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @alone(
// CHECK: loop.reduction add over
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[PLACES:.*]] = loop.pointwise (%{{.*}} = %[[N]], %{{.*}} = 1)
// CHECK-NOT: cf.assert
// CHECK: loop.pointwise (%[[K:.*]] = %[[N]], %[[J:.*]] = 2)
// CHECK: loop.load %[[PLACES]][%[[K]], 0]
// CHECK: loop.load %{{.*}}[%{{.*}}, %[[J]]] : tensor<3x2xf32>
func.func @alone(%x: tensor<3x2xf32>, %m: tensor<3xi1>) -> tensor<?x2xf32> {
  %0 = functional.index %x[%m] {present = array<i1: true>} : tensor<3x2xf32>[tensor<3xi1>]
  return %0 : tensor<?x2xf32>
}

// One true element is as good as four.
// CHECK-LABEL: func.func @beside_indices(
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK-DAG: %[[ONE:.*]] = arith.cmpi eq, %[[N]], %c1
// CHECK-DAG: %[[FOUR:.*]] = arith.cmpi eq, %[[N]], %c4
// CHECK: %[[FITS:.*]] = arith.ori %[[ONE]], %[[FOUR]]
// CHECK: cf.assert %[[FITS]], "shape mismatch
// CHECK: loop.pointwise (%[[K:.*]] = 4)
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: arith.minsi %[[K]], %[[LAST]]
func.func @beside_indices(%x: tensor<3x2xf32>, %i: tensor<4xi64>, %m: tensor<2xi1>) -> tensor<4xf32> {
  %0 = functional.index %x[%i, %m] {present = array<i1: true, true>} : tensor<3x2xf32>[tensor<4xi64>, tensor<2xi1>]
  return %0 : tensor<4xf32>
}

// What is put has to be as many elements as are chosen.
// CHECK-LABEL: func.func @put(
// CHECK: cf.assert %{{.*}}, "shape mismatch: indexing tensors
// CHECK: cf.assert %{{.*}}, "shape mismatch: value tensor of 5 elements
// CHECK: loop.scatter ordered (%{{.*}} = 5) into
func.func @put(%x: tensor<3x2xf32>, %i: tensor<5xi64>, %m: tensor<2xi1>, %v: tensor<5xf32>) -> tensor<3x2xf32> {
  %0 = functional.index_put %x[%i, %m], %v {present = array<i1: true, true>} : tensor<3x2xf32>[tensor<5xi64>, tensor<2xi1>], tensor<5xf32>
  return %0 : tensor<3x2xf32>
}
