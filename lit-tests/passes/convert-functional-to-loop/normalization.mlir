// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[MAX:.*]] = loop.reduction max (%[[J:.*]] = 8) over (%[[I:.*]] = 4)
// CHECK-NEXT: loop.load %[[X]][%[[I]], %[[J]]]
// CHECK: %[[EXP:.*]] = loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 8)
// CHECK-NEXT: %[[A:.*]] = loop.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[M:.*]] = loop.load %[[MAX]][%[[J]]]
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[A]], %[[M]]
// CHECK-NEXT: math.exp %[[D]]
// CHECK: %[[SUM:.*]] = loop.reduction add
// CHECK-NEXT: loop.load %[[EXP]]
// CHECK: loop.pointwise
// CHECK-NEXT: %[[E:.*]] = loop.load %[[EXP]]
// CHECK-NEXT: %[[S:.*]] = loop.load %[[SUM]]
// CHECK-NEXT: arith.divf %[[E]], %[[S]]
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = functional.softmax %x {dim = 0 : i64} : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Elements are converted before anything is computed.
// CHECK-LABEL: func.func @softmax_in_dtype
// CHECK: loop.reduction max
// CHECK: arith.extf
// CHECK: math.exp %{{.*}} : f64
func.func @softmax_in_dtype(%x: tensor<8xf32>) -> tensor<8xf64> {
  %0 = functional.softmax %x {dim = -1 : i64, dtype = f64} : tensor<8xf32>
  return %0 : tensor<8xf64>
}

// CHECK-LABEL: func.func @softmax_of_one_number
// CHECK: loop.reduction max over ()
// CHECK: loop.pointwise ()
func.func @softmax_of_one_number(%x: tensor<f32>) -> tensor<f32> {
  %0 = functional.softmax %x {dim = -1 : i64} : tensor<f32>
  return %0 : tensor<f32>
}

// Mean first, then the variance around it.
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8xf32>, %[[W:[a-z0-9]+]]: tensor<4x8xf32>, %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[SUM:.*]] = loop.reduction add (%{{.*}} = 2) over (%{{.*}} = 4, %{{.*}} = 8)
// CHECK: %[[MEAN:.*]] = loop.pointwise (%{{.*}} = 2)
// CHECK: arith.divf
// CHECK: %[[SQUARES:.*]] = loop.reduction add
// CHECK: loop.load %[[MEAN]]
// CHECK: arith.mulf
// CHECK: %[[RSTD:.*]] = loop.pointwise (%{{.*}} = 2)
// CHECK: loop.load %[[SQUARES]]
// CHECK: arith.divf
// CHECK: arith.addf
// CHECK: math.rsqrt
// CHECK: loop.pointwise (%[[I:.*]] = 2, %[[J:.*]] = 4, %[[K:.*]] = 8)
// CHECK: loop.load %[[RSTD]][%[[I]]]
// CHECK: loop.load %[[W]][%[[J]], %[[K]]]
// CHECK: loop.load %[[B]][%[[J]], %[[K]]]
func.func @layer_norm(%x: tensor<2x4x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = functional.layer_norm %x weight %w : tensor<4x8xf32> bias %b : tensor<4x8xf32> {normalized_shape = array<i64: 4, 8>} : tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// Means and rstds have the normalized dimensions with size 1.
// CHECK-LABEL: func.func @native_layer_norm
// CHECK: %[[MEAN:.*]] = loop.pointwise (%{{.*}} = 4, %{{.*}} = 1)
// CHECK: %[[RSTD:.*]] = loop.pointwise (%{{.*}} = 4, %{{.*}} = 1)
// CHECK: %[[OUT:.*]] = loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 8)
// CHECK: loop.load %[[MEAN]][%[[I]], 0]
// CHECK: loop.load %[[RSTD]][%[[I]], 0]
// CHECK: return %[[OUT]], %[[MEAN]], %[[RSTD]]
func.func @native_layer_norm(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0, %1, %2 = functional.native_layer_norm %x {normalized_shape = array<i64: 8>, eps = 1.0e-5} : tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}
