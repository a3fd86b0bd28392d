// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// CHECK-LABEL: func.func @arange
// CHECK-SAME: %[[K:[a-z0-9]+]]: i64
// CHECK: loop.pointwise (%[[I:.*]] = 5)
// CHECK-NEXT: %[[N:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[N]], %[[K]]
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[K]], %[[P]]
// CHECK-NEXT: loop.yield %[[S]]
func.func @arange(%k: i64) -> tensor<5xi64> {
  %0 = functional.arange %k step %k : i64, i64 to tensor<5xi64>
  return %0 : tensor<5xi64>
}

// Floats are computed in f64 and rounded once.
// CHECK-LABEL: func.func @arange_of_floats
// CHECK: arith.mulf %{{.*}} : f64
// CHECK: arith.addf %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @arange_of_floats(%f: f64, %k: i64) -> tensor<5xf32> {
  %0 = functional.arange %f step %k : f64, i64 to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// The number is converted once, in front of the loop.
// CHECK-LABEL: func.func @full
// CHECK: %[[B:.*]] = arith.cmpf une
// CHECK: loop.pointwise
// CHECK-NEXT: loop.yield %[[B]] : i1
func.func @full(%f: f64) -> tensor<2x2xi1> {
  %0 = functional.full %f : f64 to tensor<2x2xi1>
  return %0 : tensor<2x2xi1>
}
