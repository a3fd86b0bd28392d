// RUN: terrace-opt %s --canonicalize | FileCheck %s

// What was written is read back, whatever the indices are written like.
// CHECK-LABEL: func.func @read_back
// CHECK-SAME: (%{{.*}}: tensor<4x6xf32>, %[[R:.*]]: tensor<6xf32>, %[[S:.*]]: tensor<4x2xf32>, %[[D:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[R]], %[[S]], %[[D]]
func.func @read_back(%x: tensor<4x6xf32>, %r: tensor<6xf32>, %s: tensor<4x2xf32>, %d: tensor<4xf32>)
    -> (tensor<6xf32>, tensor<4x2xf32>, tensor<4xf32>) {
  %0 = functional.select_scatter %x, %r index [3] : tensor<4x6xf32>, tensor<6xf32>
  %1 = functional.select %0 index [-1] : tensor<4x6xf32>
  %2 = functional.slice_scatter %x, %s start [2] end [6] step [2] {dim = 1 : i64} : tensor<4x6xf32>, tensor<4x2xf32>
  %3 = functional.slice %2 start [-4] end [5] step [2] {dim = -1 : i64} : tensor<4x6xf32>
  %4 = functional.diagonal_scatter %x, %d {offset = 1 : i64} : tensor<4x6xf32>, tensor<4xf32>
  %5 = functional.diagonal %4 {offset = 1 : i64} : tensor<4x6xf32>
  return %1, %3, %5 : tensor<6xf32>, tensor<4x2xf32>, tensor<4xf32>
}

// Places that overlap hold what was written last.
// CHECK-LABEL: func.func @"not-read-back-where-places-overlap"
// CHECK: functional.as_strided_scatter
// CHECK: %[[R:.*]] = functional.as_strided
// CHECK: return %[[R]]
func.func @"not-read-back-where-places-overlap"(%x: tensor<6xf32>, %s: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = functional.as_strided_scatter %x, %s size [2, 2] stride [1, 1] storage_offset [0] : tensor<6xf32>, tensor<2x2xf32>
  %1 = functional.as_strided %0 size [2, 2] stride [1, 1] storage_offset [0] : tensor<6xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @"not-read-back-from-another-region"
// CHECK: functional.slice_scatter
// CHECK: functional.slice
func.func @"not-read-back-from-another-region"(%x: tensor<6xf32>, %s: tensor<2xf32>) -> tensor<2xf32> {
  %0 = functional.slice_scatter %x, %s start [1] end [3] step [1] : tensor<6xf32>, tensor<2xf32>
  %1 = functional.slice %0 start [2] end [4] step [1] : tensor<6xf32>
  return %1 : tensor<2xf32>
}

// What a scatter left alone is read past it: other rows, interleaved ones.
// CHECK-LABEL: func.func @read_past
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<6x2xf32>
// CHECK: %[[A:.*]] = functional.select %[[X]] index [2]
// CHECK: %[[B:.*]] = functional.slice %[[X]] start [1] end [6] step [2]
// CHECK: return %[[A]], %[[B]]
func.func @read_past(%x: tensor<6x2xf32>, %r: tensor<2xf32>, %s: tensor<3x2xf32>) -> (tensor<2xf32>, tensor<3x2xf32>) {
  %0 = functional.select_scatter %x, %r index [3] : tensor<6x2xf32>, tensor<2xf32>
  %1 = functional.select %0 index [2] : tensor<6x2xf32>
  %2 = functional.slice_scatter %x, %s start [0] end [6] step [2] : tensor<6x2xf32>, tensor<3x2xf32>
  %3 = functional.slice %2 start [1] end [6] step [2] : tensor<6x2xf32>
  return %1, %3 : tensor<2xf32>, tensor<3x2xf32>
}

// Reads and writes of the whole.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[S]], %[[S]]
func.func @whole(%x: tensor<2x3xf32>, %s: tensor<2x3xf32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = functional.slice %x start [0] end [9] step [1] : tensor<2x3xf32>
  %1 = functional.as_strided %x size [2, 3] stride [3, 1] storage_offset [0] : tensor<2x3xf32>
  %2 = functional.slice_scatter %x, %s start [-9] end [2] step [1] : tensor<2x3xf32>, tensor<2x3xf32>
  %3 = functional.as_strided_scatter %x, %s size [2, 3] stride [3, 1] storage_offset [0] : tensor<2x3xf32>, tensor<2x3xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A transposed read of the same sizes is not the whole.
// CHECK-LABEL: func.func @"not-the-whole-in-another-order"
// CHECK: functional.as_strided
func.func @"not-the-whole-in-another-order"(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = functional.as_strided %x size [2, 2] stride [1, 2] storage_offset [0] : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// An overwritten scatter is gone; what is put back where it was read changes nothing.
// CHECK-LABEL: func.func @overwritten
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>)
// CHECK: %[[S:.*]] = functional.slice_scatter %[[X]], %[[B]]
// CHECK-NEXT: return %[[S]], %[[X]]
func.func @overwritten(%x: tensor<4xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = functional.slice_scatter %x, %a start [1] end [3] step [1] : tensor<4xf32>, tensor<2xf32>
  %1 = functional.slice_scatter %0, %b start [1] end [3] step [1] : tensor<4xf32>, tensor<2xf32>
  %2 = functional.slice %x start [1] end [3] step [1] : tensor<4xf32>
  %3 = functional.slice_scatter %x, %2 start [1] end [3] step [1] : tensor<4xf32>, tensor<2xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
