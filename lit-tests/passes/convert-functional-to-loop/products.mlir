// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// CHECK-LABEL: func.func @mm
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>, %[[B:[a-z0-9]+]]: tensor<8x5xf32>
// CHECK: loop.reduction add (%[[I:.*]] = 4, %[[J:.*]] = 5) over (%[[K:.*]] = 8)
// CHECK-NEXT: %[[X:.*]] = loop.load %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT: %[[Y:.*]] = loop.load %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[X]], %[[Y]]
// CHECK-NEXT: loop.yield %[[P]]
func.func @mm(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = functional.mm %a, %b : tensor<4x8xf32>, tensor<8x5xf32>
  return %0 : tensor<4x5xf32>
}

// A transposed factor is an index expression.
// CHECK-LABEL: func.func @mm_transposed
// CHECK: loop.reduction add (%[[I:.*]] = 4, %[[J:.*]] = 5) over (%[[K:.*]] = 8)
// CHECK: loop.load %{{.*}}[%[[J]], %[[K]]] : tensor<5x8xf32>
func.func @mm_transposed(%a: tensor<4x8xf32>, %b: tensor<5x8xf32>) -> tensor<4x5xf32> {
  %t = functional.permute %b {dims = array<i64: 1, 0>} : tensor<5x8xf32>
  %0 = functional.mm %a, %t : tensor<4x8xf32>, tensor<8x5xf32>
  return %0 : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @bmm
// CHECK: loop.reduction add (%[[B:.*]] = 2, %[[I:.*]] = 4, %[[J:.*]] = 5) over (%[[K:.*]] = 8)
// CHECK-NEXT: loop.load %{{.*}}[%[[B]], %[[I]], %[[K]]]
// CHECK-NEXT: loop.load %{{.*}}[%[[B]], %[[K]], %[[J]]]
// CHECK-NEXT: arith.muli
func.func @bmm(%a: tensor<2x4x8xi64>, %b: tensor<2x8x5xi64>) -> tensor<2x4x5xi64> {
  %0 = functional.bmm %a, %b : tensor<2x4x8xi64>, tensor<2x8x5xi64>
  return %0 : tensor<2x4x5xi64>
}

// CHECK-LABEL: func.func @linear
// CHECK: %[[P:.*]] = loop.reduction add (%[[N:.*]] = 2, %[[I:.*]] = 3, %[[J:.*]] = 5) over (%[[K:.*]] = 8)
// CHECK-NEXT: loop.load %{{.*}}[%[[N]], %[[I]], %[[K]]]
// CHECK-NEXT: loop.load %{{.*}}[%[[J]], %[[K]]]
// CHECK: loop.pointwise (%{{.*}} = 2, %{{.*}} = 3, %[[J:.*]] = 5)
// CHECK-NEXT: loop.load %[[P]]
// CHECK-NEXT: loop.load %{{.*}}[%[[J]]] : tensor<5xf32>
// CHECK-NEXT: arith.addf
func.func @linear(%x: tensor<2x3x8xf32>, %w: tensor<5x8xf32>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = functional.linear %x, %w bias %b : tensor<2x3x8xf32>, tensor<5x8xf32>, tensor<5xf32>
  return %0 : tensor<2x3x5xf32>
}

// A weight of one dimension takes the last one away.
// CHECK-LABEL: func.func @linear_by_vector
// CHECK: loop.reduction add (%[[I:.*]] = 3) over (%[[K:.*]] = 8)
// CHECK-NEXT: loop.load %{{.*}}[%[[I]], %[[K]]]
// CHECK-NEXT: loop.load %{{.*}}[%[[K]]]
func.func @linear_by_vector(%x: tensor<3x8xf32>, %w: tensor<8xf32>) -> tensor<3xf32> {
  %0 = functional.linear %x, %w : tensor<3x8xf32>, tensor<8xf32>
  return %0 : tensor<3xf32>
}

// Batches that a view merges are dimensions of the product, of which the first may be any; the view that takes the product's apart
// again is the product.
// CHECK-LABEL: func.func @any_batch
// CHECK-SAME: (%[[A:.*]]: tensor<?x3x4x8xf32>, %{{.*}}: tensor<?x3x8x5xf32>)
// CHECK: %[[P:.*]] = loop.reduction add (%[[I:.*]] = %{{.*}}, %[[J:.*]] = 3, %{{.*}} = 4, %{{.*}} = 5) over (%{{.*}} = 8)
// CHECK-NEXT: loop.load %[[A]][%[[I]], %[[J]],
// CHECK: return %[[P]]
func.func @any_batch(%a: tensor<?x3x4x8xf32>, %b: tensor<?x3x8x5xf32>) -> tensor<?x3x4x5xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i64
  %dim = tensor.dim %a, %c0 : tensor<?x3x4x8xf32>
  %n = arith.index_cast %dim : index to i64
  %all = arith.muli %n, %c3 : i64
  %0 = functional.view %a size [%all, 4, 8] : tensor<?x3x4x8xf32>
  %1 = functional.view %b size [%all, 8, 5] : tensor<?x3x8x5xf32>
  %2 = functional.bmm %0, %1 : tensor<?x4x8xf32>, tensor<?x8x5xf32>
  %3 = functional.view %2 size [%n, 3, 4, 5] : tensor<?x4x5xf32>
  return %3 : tensor<?x3x4x5xf32>
}
