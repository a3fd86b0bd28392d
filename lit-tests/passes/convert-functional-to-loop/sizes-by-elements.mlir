// Sizes that elements decide: they are counted, then there is memory for so many, then each has its place.
// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s

// What the mask does not hold for goes behind the last.
// CHECK-LABEL: func.func @selected(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<12xf32>, %[[M:[a-z0-9]+]]: tensor<12xi1>
// CHECK: loop.reduction add over (%{{.*}} = 12)
// CHECK: %[[N:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[UP_TO:.*]] = loop.scan add (%{{.*}} = 12)
// CHECK: %[[MORE:.*]] = arith.addi %[[N]], %c1
// CHECK: %[[ROOM:.*]] = tensor.empty(%[[MORE]]) : tensor<?xf32>
// CHECK: %[[ALL:.*]] = loop.scatter (%[[I:.*]] = 12) into %[[ROOM]]
// CHECK: %[[HOLDS:.*]] = loop.load %[[M]][%[[I]]]
// CHECK: %[[PLACE:.*]] = arith.select %[[HOLDS]], %{{.*}}, %[[N]] : index
// CHECK: loop.yield %{{.*}} at [%[[PLACE]]]
// CHECK: loop.pointwise (%[[K:.*]] = %[[N]])
// CHECK: loop.load %[[ALL]][%[[K]]]
func.func @selected(%x: tensor<12xf32>, %m: tensor<12xi1>) -> tensor<?xf32> {
  %0 = functional.masked_select %x, %m : tensor<12xf32>, tensor<12xi1>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @places(
// CHECK: loop.pointwise (%{{.*}} = %{{.*}}, %[[COLUMN:.*]] = 2)
// CHECK: arith.remui
// CHECK: arith.divui
// CHECK: arith.cmpi eq, %[[COLUMN]]
func.func @places(%x: tensor<?x4xf32>) -> tensor<?x2xi64> {
  %0 = functional.nonzero %x : tensor<?x4xf32>
  return %0 : tensor<?x2xi64>
}

// CHECK-LABEL: func.func @counts(
// CHECK: cf.assert %{{.*}}, "bincount only supports 1-d non-negative integral inputs."
// CHECK: loop.reduction max over
// CHECK: arith.maxsi %{{.*}}, %c4_i64
// CHECK: loop.pointwise
// CHECK: loop.scatter add (%{{.*}} = 7)
func.func @counts(%x: tensor<7xi64>) -> tensor<?xi64> {
  %0 = functional.bincount %x {minlength = 4 : i64} : tensor<7xi64>
  return %0 : tensor<?xi64>
}
