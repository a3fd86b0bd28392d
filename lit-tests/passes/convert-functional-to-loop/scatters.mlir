// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// A scatter writes where its view reads.
// CHECK-LABEL: func.func @select_scatter
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[R:[a-z0-9]+]]: tensor<8xf32>
// CHECK: loop.scatter (%[[I:.*]] = 8) into %[[X]]
// CHECK-NEXT: %[[V:.*]] = loop.load %[[R]][%[[I]]]
// CHECK-NEXT: loop.yield %[[V]] at [3, %[[I]]]
func.func @select_scatter(%x: tensor<4x8xf32>, %r: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = functional.select_scatter %x, %r index [-1] : tensor<4x8xf32>, tensor<8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @select_scatter_at_run_time
// CHECK: cf.assert
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: loop.yield %{{.*}} at [%[[AT]], %{{.*}}]
func.func @select_scatter_at_run_time(%x: tensor<4x8xf32>, %r: tensor<8xf32>, %n: i64) -> tensor<4x8xf32> {
  %0 = functional.select_scatter %x, %r index [%n] : tensor<4x8xf32>, tensor<8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @slice_scatter
// CHECK: loop.scatter (%[[I:.*]] = 4, %[[J:.*]] = 3)
// CHECK: loop.yield %{{.*}} at [%[[I]], %[[J]] * 2 + 1]
func.func @slice_scatter(%x: tensor<4x8xf32>, %s: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %0 = functional.slice_scatter %x, %s start [1] end [7] step [2] {dim = 1 : i64} : tensor<4x8xf32>, tensor<4x3xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @diagonal_scatter
// CHECK: loop.scatter (%[[I:.*]] = 4)
// CHECK: loop.yield %{{.*}} at [%[[I]], %[[I]] + 2]
func.func @diagonal_scatter(%x: tensor<4x8xf32>, %d: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = functional.diagonal_scatter %x, %d {offset = 2 : i64} : tensor<4x8xf32>, tensor<4xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @as_strided_scatter
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[F:.*]] = tensor.collapse_shape %[[X]]
// CHECK: %[[S:.*]] = loop.scatter (%[[I:.*]] = 2, %[[J:.*]] = 2) into %[[F]]
// CHECK: loop.yield %{{.*}} at [%[[I]] * 9 + %[[J]] * 2 + 1]
// CHECK: %[[R:.*]] = tensor.expand_shape %[[S]]
// CHECK: return %[[R]]
func.func @as_strided_scatter(%x: tensor<4x8xf32>, %s: tensor<2x2xf32>) -> tensor<4x8xf32> {
  %0 = functional.as_strided_scatter %x, %s size [2, 2] stride [9, 2] storage_offset [1] : tensor<4x8xf32>, tensor<2x2xf32>
  return %0 : tensor<4x8xf32>
}

// Into a view, or a fill, that is a tensor of its own then; from a view as it is.
// CHECK-LABEL: func.func @into_a_view
// CHECK: %[[T:.*]] = loop.pointwise (%{{.*}} = 8, %{{.*}} = 4)
// CHECK: %[[F:.*]] = loop.pointwise (%{{.*}} = 8, %{{.*}} = 4)
// CHECK: loop.scatter (%{{.*}} = 4) into %[[T]]
// CHECK: loop.scatter (%[[I:.*]] = 4) into %[[F]]
// CHECK-NEXT: loop.load %{{.*}}[0] : tensor<1xf32>
func.func @into_a_view(%x: tensor<4x8xf32>, %r: tensor<4xf32>, %o: tensor<1xf32>, %k: f64) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %t = functional.permute %x {dims = array<i64: 1, 0>} : tensor<4x8xf32>
  %f = functional.full %k : f64 to tensor<8x4xf32>
  %0 = functional.select_scatter %t, %r index [0] : tensor<8x4xf32>, tensor<4xf32>
  %e = functional.expand %o size [4] : tensor<1xf32>
  %1 = functional.select_scatter %f, %e index [0] : tensor<8x4xf32>, tensor<4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// A fill may write an element more than once: it is the same value.
// CHECK-LABEL: func.func @overlapping_fill
// CHECK: loop.scatter (%{{.*}} = 3, %{{.*}} = 2)
func.func @overlapping_fill(%x: tensor<16xf32>, %k: f64) -> tensor<16xf32> {
  %0 = functional.full %k : f64 to tensor<3x2xf32>
  %1 = functional.as_strided_scatter %x, %0 size [3, 2] stride [4, 4] storage_offset [0] : tensor<16xf32>, tensor<3x2xf32>
  return %1 : tensor<16xf32>
}

// Two frames of one number of f16: the number is written once, and the part into it.
// CHECK-LABEL: func.func @frames(
// CHECK: %[[FRAME:.*]] = loop.pointwise (%{{.*}} = 8, %{{.*}} = 8)
// CHECK: loop.scatter (%[[I:.*]] = 4, %[[J:.*]] = 5) into %[[FRAME]]
// CHECK: loop.load %arg0[%[[I]], %[[J]]]
// CHECK: loop.yield %{{.*}} at [%[[I]] + 2, %[[J]] + 1]
// CHECK-NOT: loop.scatter
// CHECK: return
func.func @frames(%x: tensor<4x5xf16>) -> tensor<8x8xf16> {
  %outer = arith.constant dense<0.0> : tensor<8x8xf16>
  %inner = arith.constant dense<0.0> : tensor<4x8xf16>
  %0 = functional.slice_scatter %inner, %x start [1] end [6] step [1] {dim = 1 : i64} : tensor<4x8xf16>, tensor<4x5xf16>
  %1 = functional.slice_scatter %outer, %0 start [2] end [6] step [1] : tensor<8x8xf16>, tensor<4x8xf16>
  return %1 : tensor<8x8xf16>
}

// Of two numbers each is written.
// CHECK-LABEL: func.func @frames_of_two(
// CHECK-COUNT-2: loop.scatter
// CHECK: return
func.func @frames_of_two(%x: tensor<4x5xf16>) -> tensor<8x8xf16> {
  %outer = arith.constant dense<1.0> : tensor<8x8xf16>
  %inner = arith.constant dense<0.0> : tensor<4x8xf16>
  %0 = functional.slice_scatter %inner, %x start [1] end [6] step [1] {dim = 1 : i64} : tensor<4x8xf16>, tensor<4x5xf16>
  %1 = functional.slice_scatter %outer, %0 start [2] end [6] step [1] : tensor<8x8xf16>, tensor<4x8xf16>
  return %1 : tensor<8x8xf16>
}
