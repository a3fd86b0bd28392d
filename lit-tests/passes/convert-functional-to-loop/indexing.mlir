// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// Every index is checked before a row is read; the one that is used is in range whatever happens.
// CHECK-LABEL: func.func @embedding
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<7x3xf32>, %[[I:[a-z0-9]+]]: tensor<2xi64>
// CHECK: %[[ALL:.*]] = loop.reduction and over (%[[P:.*]] = 2)
// CHECK-NEXT: %[[A:.*]] = loop.load %[[I]][%[[P]]]
// CHECK-NEXT: %[[IN:.*]] = arith.cmpi ult, %[[A]], %{{.*}} : i64
// CHECK-NEXT: loop.yield %[[IN]]
// CHECK: %[[OK:.*]] = tensor.extract %[[ALL]][]
// CHECK: cf.assert %[[OK]], "index out of range in self"
// CHECK: loop.pointwise (%[[P:.*]] = 2, %[[C:.*]] = 3)
// CHECK-NEXT: loop.load %[[I]][%[[P]]]
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: %[[N:.*]] = arith.minsi
// CHECK-NEXT: %[[R:.*]] = arith.index_cast %[[N]]
// CHECK-NEXT: loop.load %[[W]][%[[R]], %[[C]]]
func.func @embedding(%w: tensor<7x3xf32>, %i: tensor<2xi64>) -> tensor<2x3xf32> {
  %0 = functional.embedding %w, %i : tensor<7x3xf32>, tensor<2xi64>
  return %0 : tensor<2x3xf32>
}

// Negative indices count from the end; indices broadcast.
// CHECK-LABEL: func.func @index
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8x3xf32>, %[[I:[a-z0-9]+]]: tensor<2xi64>, %[[J:[a-z0-9]+]]: tensor<5x1xi32>
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 0 with size 4"
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension 1 with size 8"
// CHECK: loop.pointwise (%[[P:.*]] = 5, %[[Q:.*]] = 2, %[[K:.*]] = 3)
// CHECK: loop.load %[[I]][%[[Q]]]
// CHECK: arith.select
// CHECK: %[[A:.*]] = arith.index_cast
// CHECK: loop.load %[[J]][%[[P]], 0]
// CHECK: %[[B:.*]] = arith.index_cast
// CHECK: loop.load %[[X]][%[[A]], %[[B]], %[[K]]]
func.func @index(%x: tensor<4x8x3xf32>, %i: tensor<2xi64>, %j: tensor<5x1xi32>) -> tensor<5x2x3xf32> {
  %0 = functional.index %x[%i, %j] {present = array<i1: true, true>} : tensor<4x8x3xf32>[tensor<2xi64>, tensor<5x1xi32>]
  return %0 : tensor<5x2x3xf32>
}

// Indices that are neighbours stay in their place.
// CHECK-LABEL: func.func @index_in_the_middle
// CHECK: loop.pointwise (%[[A:.*]] = 4, %[[P:.*]] = 2, %[[K:.*]] = 3)
// CHECK: %[[B:.*]] = arith.index_cast
// CHECK: loop.load %{{.*}}[%[[A]], %[[B]], %[[K]]] : tensor<4x8x3xf32>
func.func @index_in_the_middle(%x: tensor<4x8x3xf32>, %i: tensor<2xi64>) -> tensor<4x2x3xf32> {
  %0 = functional.index %x[%i] {present = array<i1: false, true>} : tensor<4x8x3xf32>[tensor<2xi64>]
  return %0 : tensor<4x2x3xf32>
}

// Indices that are not neighbours come first.
// CHECK-LABEL: func.func @index_apart
// CHECK: loop.pointwise (%[[P:.*]] = 2, %[[K:.*]] = 8)
// CHECK: %[[A:.*]] = arith.index_cast
// CHECK: %[[B:.*]] = arith.index_cast
// CHECK: loop.load %{{.*}}[%[[A]], %[[K]], %[[B]]] : tensor<4x8x3xf32>
func.func @index_apart(%x: tensor<4x8x3xf32>, %i: tensor<2xi64>, %j: tensor<2xi64>) -> tensor<2x8xf32> {
  %0 = functional.index %x[%i, %j] {present = array<i1: true, false, true>} : tensor<4x8x3xf32>[tensor<2xi64>, tensor<2xi64>]
  return %0 : tensor<2x8xf32>
}

// Nothing is read of a tensor without elements.
// CHECK-LABEL: func.func @index_of_nothing
// CHECK: cf.assert %{{.*}}, "index is out of bounds for dimension with size 0"
// CHECK: loop.pointwise
// CHECK-NOT: loop.load
func.func @index_of_nothing(%x: tensor<0xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %0 = functional.index %x[%i] {present = array<i1: true>} : tensor<0xf32>[tensor<2xi64>]
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @cat
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3xf32>, %[[Y:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<6x3xf32>
// CHECK: %[[A:.*]] = loop.scatter (%[[I:.*]] = 4, %[[J:.*]] = 3) into %[[E]]
// CHECK-NEXT: %[[V:.*]] = loop.load %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT: loop.yield %[[V]] at [%[[I]], %[[J]]]
// CHECK: loop.scatter (%[[I:.*]] = 2, %[[J:.*]] = 3) into %[[A]]
// CHECK-NEXT: %[[V:.*]] = loop.load %[[Y]][%[[I]], %[[J]]]
// CHECK-NEXT: loop.yield %[[V]] at [%[[I]] + 4, %[[J]]]
// CHECK-NOT: loop.scatter
func.func @cat(%x: tensor<4x3xf32>, %y: tensor<2x3xf32>, %z: tensor<0x3xf32>) -> tensor<6x3xf32> {
  %0 = functional.cat %x, %z, %y : tensor<4x3xf32>, tensor<0x3xf32>, tensor<2x3xf32>
  return %0 : tensor<6x3xf32>
}
