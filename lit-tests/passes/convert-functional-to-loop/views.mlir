// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// Loads look through views; no view is left, and nothing is copied.
// CHECK-LABEL: func.func @permute
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK: loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 2, %[[K:.*]] = 3)
// CHECK-NEXT: loop.load %[[X]][%[[J]], %[[K]], %[[I]]]
// CHECK-NOT: loop.pointwise
func.func @permute(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %v = functional.permute %x {dims = array<i64: 2, 0, 1>} : tensor<2x3x4xf32>
  %0 = functional.neg %v : tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// CHECK-LABEL: func.func @flip
// CHECK: loop.pointwise (%[[I:.*]] = 3, %[[J:.*]] = 4)
// CHECK-NEXT: loop.load %{{.*}}[%[[I]], -%[[J]] + 3] : tensor<3x4xf32>
func.func @flip(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %v = functional.flip %x {dims = array<i64: -1>} : tensor<3x4xf32>
  %0 = functional.neg %v : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @expand
// CHECK: loop.pointwise (%[[I:.*]] = 5, %[[J:.*]] = 3, %[[K:.*]] = 4)
// CHECK-NEXT: loop.load %{{.*}}[%[[J]], 0] : tensor<3x1xf32>
func.func @expand(%x: tensor<3x1xf32>) -> tensor<5x3x4xf32> {
  %v = functional.expand %x size [5, 3, 4] : tensor<3x1xf32>
  %0 = functional.neg %v : tensor<5x3x4xf32>
  return %0 : tensor<5x3x4xf32>
}

// CHECK-LABEL: func.func @select_and_slice
// CHECK: loop.pointwise (%[[I:.*]] = 2)
// CHECK-NEXT: loop.load %{{.*}}[3, %[[I]] * 3 + 5] : tensor<4x10xf32>
func.func @select_and_slice(%x: tensor<4x10xf32>) -> tensor<2xf32> {
  %s = functional.select %x index [-1] : tensor<4x10xf32>
  %v = functional.slice %s start [-5] end [9223372036854775807] step [3] : tensor<10xf32>
  %0 = functional.neg %v : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @diagonal
// CHECK: loop.pointwise (%[[I:.*]] = 3, %[[J:.*]] = 4)
// CHECK-NEXT: loop.load %{{.*}}[%[[J]] + 1, %[[I]], %[[J]]] : tensor<6x3x4xf32>
func.func @diagonal(%x: tensor<6x3x4xf32>) -> tensor<3x4xf32> {
  %v = functional.diagonal %x {offset = -1 : i64, dim1 = 0 : i64, dim2 = 2 : i64} : tensor<6x3x4xf32>
  %0 = functional.neg %v : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @squeeze_and_unsqueeze
// CHECK: loop.pointwise (%[[I:.*]] = 1, %[[J:.*]] = 3)
// CHECK-NEXT: loop.load %{{.*}}[%[[J]], 0] : tensor<3x1xf32>
func.func @squeeze_and_unsqueeze(%x: tensor<3x1xf32>) -> tensor<1x3xf32> {
  %s = functional.squeeze %x : tensor<3x1xf32>
  %u = functional.unsqueeze %s {dim = 0 : i64} : tensor<3xf32>
  %0 = functional.neg %u : tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// A reshape that splits is an index expression, of what another view leaves too.
// CHECK-LABEL: func.func @split
// CHECK-SAME: %[[X:.*]]: tensor<12x5xf32>
// CHECK: loop.pointwise (%[[I:.*]] = 5, %[[J:.*]] = 3, %[[K:.*]] = 4)
// CHECK-NEXT: loop.load %[[X]][%[[J]] * 4 + %[[K]], %[[I]]]
func.func @split(%x: tensor<12x5xf32>) -> tensor<5x3x4xf32> {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<12x5xf32>
  %v = functional.view %t size [5, 3, -1] : tensor<5x12xf32>
  %0 = functional.neg %v : tensor<5x3x4xf32>
  return %0 : tensor<5x3x4xf32>
}

// A reshape that merges is one of upstream: no element moves.
// CHECK-LABEL: func.func @merge
// CHECK-SAME: %[[X:.*]]: tensor<3x4x5xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: loop.pointwise
// CHECK-NEXT: loop.load %[[C]]
func.func @merge(%x: tensor<3x4x5xf32>) -> tensor<12x5xf32> {
  %v = functional.view %x size [12, 5] : tensor<3x4x5xf32>
  %0 = functional.neg %v : tensor<12x5xf32>
  return %0 : tensor<12x5xf32>
}

// The elements of the operand in row-major order stand for the storage.
// CHECK-LABEL: func.func @as_strided
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[X]]
// CHECK: loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 2)
// CHECK-NEXT: loop.load %[[C]][%[[I]] + %[[J]] * 5 + 3] : tensor<32xf32>
func.func @as_strided(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %v = functional.as_strided %x size [4, 2] stride [1, 5] storage_offset [3] : tensor<4x8xf32>
  %0 = functional.neg %v : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Several readers of a view share nothing but what it views.
// CHECK-LABEL: func.func @readers
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf32>
// CHECK: loop.pointwise
// CHECK-NEXT: loop.load %[[X]]
// CHECK: loop.reduction
// CHECK-NEXT: loop.load %[[X]]
func.func @readers(%x: tensor<3x4xf32>) -> (tensor<4x3xf32>, tensor<4xf32>) {
  %v = functional.permute %x {dims = array<i64: 1, 0>} : tensor<3x4xf32>
  %0 = functional.neg %v : tensor<4x3xf32>
  %1 = functional.sum %v {dim = array<i64: 1>} : tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4xf32>
}

// What is returned is a tensor of its own: a copy; a reshape where it is one; a fill.
// CHECK-LABEL: func.func @returned
// CHECK-SAME: %[[X:.*]]: tensor<3x4xf32>
// CHECK: %[[T:.*]] = loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 3)
// CHECK-NEXT: %[[A:.*]] = loop.load %[[X]][%[[J]], %[[I]]]
// CHECK-NEXT: loop.yield %[[A]]
// CHECK: %[[R:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [3, 2, 2]
// CHECK: %[[F:.*]] = loop.pointwise
// CHECK-NEXT: loop.yield
// CHECK: return %[[T]], %[[R]], %[[F]]
func.func @returned(%x: tensor<3x4xf32>, %k: f64) -> (tensor<4x3xf32>, tensor<3x2x2xf32>, tensor<2xf32>) {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<3x4xf32>
  %v = functional.view %x size [3, 2, 2] : tensor<3x4xf32>
  %f = functional.full %k : f64 to tensor<2xf32>
  return %t, %v, %f : tensor<4x3xf32>, tensor<3x2x2xf32>, tensor<2xf32>
}

// An operation of another dialect reads a tensor of its own, and its result is read as it lies.
// CHECK-LABEL: func.func @upstream
// CHECK: %[[T:.*]] = loop.pointwise
// CHECK: %[[P:.*]] = tensor.pad %[[T]]
// CHECK: loop.load %[[P]]
func.func @upstream(%x: tensor<3x4xf32>) -> tensor<5x3xf32> {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<3x4xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x3xf32> to tensor<5x3xf32>
  %0 = functional.neg %p : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// An index that is known at run time only is checked, wrapped and clamped.
// CHECK-LABEL: func.func @select_at_run_time
// CHECK: cf.assert %{{.*}}, "select(): index out of range for tensor of size [4, 8] at dimension 1"
// CHECK: %[[N:.*]] = arith.minsi
// CHECK: %[[AT:.*]] = arith.index_cast %[[N]]
// CHECK: loop.load %{{.*}}[%{{.*}}, %[[AT]]] : tensor<4x8xf32>
func.func @select_at_run_time(%x: tensor<4x8xf32>, %n: i64) -> tensor<4xf32> {
  %v = functional.select %x index [%n] {dim = 1 : i64} : tensor<4x8xf32>
  %0 = functional.neg %v : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Views without elements.
// CHECK-LABEL: func.func @empty
// CHECK: loop.pointwise (%{{.*}} = 0, %{{.*}} = 2)
// CHECK: tensor.empty() : tensor<5x0xf32>
func.func @empty(%x: tensor<3x0xf32>) -> (tensor<0x2xf32>, tensor<5x0xf32>) {
  %v = functional.view %x size [0, 2] : tensor<3x0xf32>
  %0 = functional.neg %v : tensor<0x2xf32>
  %w = functional.view %x size [5, 0] : tensor<3x0xf32>
  return %0, %w : tensor<0x2xf32>, tensor<5x0xf32>
}

// CHECK-LABEL: func.func @zero_dim
// CHECK-SAME: %[[X:.*]]: tensor<1x1xf32>
// CHECK-DAG: loop.load %[[X]][0, 0]
// CHECK-DAG: tensor.collapse_shape %[[X]] [] : tensor<1x1xf32> into tensor<f32>
func.func @zero_dim(%x: tensor<1x1xf32>) -> (tensor<f32>, tensor<f32>) {
  %v = functional.view %x size [] : tensor<1x1xf32>
  %0 = functional.neg %v : tensor<f32>
  return %0, %v : tensor<f32>, tensor<f32>
}
