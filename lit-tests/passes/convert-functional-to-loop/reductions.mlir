// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// CHECK-LABEL: func.func @sum
// CHECK: loop.reduction add (%[[J:.*]] = 8) over (%[[I:.*]] = 4) into
// CHECK-NEXT: %[[A:.*]] = loop.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: loop.yield %[[A]]
func.func @sum(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %0 = functional.sum %x {dim = array<i64: 0>} : tensor<4x8xf32>
  return %0 : tensor<8xf32>
}

// Integers are added in i64, all of them to a result without dimensions.
// CHECK-LABEL: func.func @sum_of_integers
// CHECK: loop.reduction add over (%{{.*}} = 4, %{{.*}} = 8) into
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK: } : tensor<i64>
func.func @sum_of_integers(%x: tensor<4x8xi32>) -> tensor<i64> {
  %0 = functional.sum %x : tensor<4x8xi32>
  return %0 : tensor<i64>
}

// Elements are converted before they are added.
// CHECK-LABEL: func.func @sum_in_dtype
// CHECK: loop.reduction add
// CHECK: arith.extf %{{.*}} : f32 to f64
func.func @sum_in_dtype(%x: tensor<4xf32>) -> tensor<f64> {
  %0 = functional.sum %x {dtype = f64} : tensor<4xf32>
  return %0 : tensor<f64>
}

// A kept dimension is one of the domain.
// CHECK-LABEL: func.func @mean
// CHECK: %[[S:.*]] = loop.reduction add (%[[I:.*]] = 4, %{{.*}} = 1) over (%[[J:.*]] = 8)
// CHECK-NEXT: loop.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 1)
// CHECK-NEXT: %[[A:.*]] = loop.load %[[S]][%[[I]], %[[J]]]
// CHECK-NEXT: arith.divf %[[A]], %{{.*}} : f32
func.func @mean(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %0 = functional.mean %x {dim = array<i64: -1>, keepdim = true} : tensor<4x8xf32>
  return %0 : tensor<4x1xf32>
}

// The mean of nothing is 0 / 0.
// CHECK-LABEL: func.func @mean_of_nothing
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: loop.reduction add (%{{.*}} = 3) over (%{{.*}} = 0)
// CHECK: arith.divf %{{.*}}, %[[ZERO]]
func.func @mean_of_nothing(%x: tensor<0x3xf32>) -> tensor<3xf32> {
  %0 = functional.mean %x {dim = array<i64: 0>} : tensor<0x3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @amax
// CHECK: loop.reduction max
// CHECK: loop.reduction or
func.func @amax(%x: tensor<4x8xf32>, %b: tensor<4x8xi1>) -> (tensor<4xf32>, tensor<4xi1>) {
  %0 = functional.amax %x {dim = array<i64: 1>} : tensor<4x8xf32>
  %1 = functional.amax %b {dim = array<i64: 1>} : tensor<4x8xi1>
  return %0, %1 : tensor<4xf32>, tensor<4xi1>
}

// nan is not zero.
// CHECK-LABEL: func.func @any
// CHECK: loop.reduction or
// CHECK: arith.cmpf une
func.func @any(%x: tensor<4x8xf32>) -> tensor<4xi1> {
  %0 = functional.any %x {dim = array<i64: 1>} : tensor<4x8xf32>
  return %0 : tensor<4xi1>
}

// A tensor without dimensions is reduced over none.
// CHECK-LABEL: func.func @zero_dim
// CHECK: loop.reduction add over () into
func.func @zero_dim(%x: tensor<f32>) -> tensor<f32> {
  %0 = functional.sum %x : tensor<f32>
  return %0 : tensor<f32>
}

// Each element combines those before it along a dimension.
// CHECK-LABEL: func.func @cumsum
// CHECK: loop.scan add (%[[I:.*]] = 4, %[[J:.*]] = 8) along %[[J]] into
// CHECK:   loop.load %{{.*}}[%[[I]], %[[J]]]
// CHECK: loop.scan mul (%[[I:.*]] = 4, %[[J:.*]] = 8) along %[[I]] into
func.func @cumsum(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = functional.cumsum %x {dim = -1 : i64} : tensor<4x8xf32>
  %1 = functional.cumprod %x {dim = 0 : i64} : tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @logarithms_of_sums
// CHECK: loop.scan logaddexp (%[[I:.*]] = 4, %[[J:.*]] = 8) along %[[J]] into
func.func @logarithms_of_sums(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = functional.logcumsumexp %x {dim = 1 : i64} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Of truth values the smallest is whether all hold.
// CHECK-LABEL: func.func @all_of_them
// CHECK: loop.reduction and over
// CHECK: loop.reduction and (%{{.*}} = 4)
// CHECK: loop.reduction min
func.func @all_of_them(%x: tensor<4x8xi1>, %y: tensor<4x8xf64>) -> (tensor<i1>, tensor<4xi1>, tensor<4xf64>) {
  %0 = functional.all %x : tensor<4x8xi1>
  %1 = functional.amin %x {dim = array<i64: 1>} : tensor<4x8xi1>
  %2 = functional.amin %y {dim = array<i64: 1>} : tensor<4x8xf64>
  return %0, %1, %2 : tensor<i1>, tensor<4xi1>, tensor<4xf64>
}

// Elements that are the extreme so far, or nan, stand at their place; the last of these is the extreme's.
// CHECK-LABEL: func.func @cummax(
// CHECK: %[[MAX:.*]] = loop.scan max (%{{.*}} = 4, %[[J:.*]] = 8) along %[[J]]
// CHECK: %[[PLACES:.*]] = loop.scan max (%{{.*}} = 4, %[[K:.*]] = 8) along %[[K]]
// CHECK: loop.load %[[MAX]]
// CHECK: %[[VALUES:.*]] = loop.pointwise
// CHECK: loop.load %[[PLACES]]
// CHECK: return %[[VALUES]], %[[PLACES]]
func.func @cummax(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>) {
  %0:2 = functional.cummax %x {dim = 1 : i64} : tensor<4x8xf32>
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi64>
}
