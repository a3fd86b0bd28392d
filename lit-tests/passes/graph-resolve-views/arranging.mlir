// RUN: terrace-opt %s --graph-resolve-views --split-input-file | FileCheck %s

// Joined along the dimension before which the new one stands; behind the last one there is none.
// CHECK-LABEL: func.func @stack
// CHECK-NEXT: %[[C:.*]] = graph.cat %{{.*}}, %{{.*}} {dim = 1 : i64}
// CHECK-NEXT: graph.view %[[C]] size [2, 2, 3]
// CHECK-NEXT: %[[A:.*]] = graph.unsqueeze %{{.*}} {dim = 2 : i64}
// CHECK-NEXT: %[[B:.*]] = graph.unsqueeze %{{.*}} {dim = 2 : i64}
// CHECK-NEXT: graph.cat %[[A]], %[[B]] {dim = 2 : i64}
func.func @stack(%x: !graph.tensor<2x3xf32>, %y: !graph.tensor<2x3xf32>) -> (!graph.tensor<2x2x3xf32>, !graph.tensor<2x3x2xf32>) {
  %0 = graph.stack %x, %y {dim = 1 : i64} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %1 = graph.stack %x, %y {dim = -1 : i64} : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  return %0, %1 : !graph.tensor<2x2x3xf32>, !graph.tensor<2x3x2xf32>
}

// -----

// Four corners, each a part of the tensor itself.
// CHECK-LABEL: func.func @roll_of_two(
// CHECK: %[[LOW:.*]] = graph.slice %arg0 start [2]
// CHECK: %[[HIGH:.*]] = graph.slice %arg0
// CHECK: graph.slice %[[LOW]] start [1]
// CHECK: graph.slice %[[LOW]]
// CHECK: %[[ONE:.*]] = graph.cat
// CHECK: graph.slice %[[HIGH]] start [1]
// CHECK: graph.slice %[[HIGH]]
// CHECK: %[[OTHER:.*]] = graph.cat
// CHECK: graph.cat %[[ONE]], %[[OTHER]]
func.func @roll_of_two(%x: !graph.tensor<4x6xf32>) -> !graph.tensor<4x6xf32> {
  %0 = graph.roll %x {shifts = array<i64: 2, -1>, dims = array<i64: 0, 1>} : !graph.tensor<4x6xf32>
  return %0 : !graph.tensor<4x6xf32>
}

// CHECK-LABEL: func.func @roll(
// CHECK-NEXT: %[[T:.*]] = graph.slice %{{.*}} start [3] end [4]
// CHECK-NEXT: %[[H:.*]] = graph.slice %{{.*}} start [0] end [3]
// CHECK-NEXT: graph.cat %[[T]], %[[H]]
func.func @roll(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.roll %x {shifts = array<i64: 5>, dims = array<i64: 0>} : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @repeat
// CHECK-NEXT: %[[V:.*]] = graph.view %{{.*}} size [1, 1, 1, 3]
// CHECK-NEXT: %[[E:.*]] = graph.expand %[[V]] size [2, 1, 4, 3]
// CHECK-NEXT: %[[C:.*]] = graph.clone %[[E]] {memory_format = "contiguous_format"}
// CHECK-NEXT: graph.view %[[C]] size [2, 12]
func.func @repeat(%x: !graph.tensor<3xf32>) -> !graph.tensor<2x12xf32> {
  %0 = graph.repeat %x {repeats = array<i64: 2, 4>} : !graph.tensor<3xf32>
  return %0 : !graph.tensor<2x12xf32>
}

// -----

// CHECK-LABEL: func.func @constant_pad
// CHECK-NEXT: %[[E:.*]] = graph.empty [2, 6] {dtype = f32, memory_format = "contiguous_format"}
// CHECK: graph.fill_ %[[E]]
// CHECK-NEXT: %[[P:.*]] = graph.slice %[[E]] start [1] end [4]
// CHECK-NEXT: graph.copy_ %[[P]], %{{.*}}
// CHECK-NEXT: return %[[E]]
func.func @constant_pad(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2x6xf32> {
  %0 = graph.pad %x {pad = array<i64: 1, 2>} : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func.func @reflect
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<2x3xf32>)
// CHECK-NEXT: %[[S:.*]] = graph.slice %[[X]] start [1] end [2]
// CHECK-NEXT: %[[F:.*]] = graph.flip %[[S]] {dims = array<i64: 1>}
// CHECK-NEXT: graph.cat %[[F]], %[[X]] {dim = 1 : i64}
func.func @reflect(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<2x4xf32> {
  %0 = graph.reflection_pad1d %x {padding = array<i64: 1, 0>} : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x4xf32>
}

// -----

// Corners are parts of what is beyond the first dimension: each element is written once.

// CHECK-LABEL: func.func @corners
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<1x2x3xf32>)
// CHECK: %[[TOP:.*]] = graph.expand
// CHECK: %[[FIRST:.*]] = graph.cat %[[TOP]], %{{.*}} {dim = 2 : i64}
// CHECK: %[[SECOND:.*]] = graph.cat %[[X]], %{{.*}} {dim = 2 : i64}
// CHECK: graph.cat %[[FIRST]], %[[SECOND]] {dim = 1 : i64}
func.func @corners(%x: !graph.tensor<1x2x3xf32>) -> !graph.tensor<1x3x5xf32> {
  %0 = graph.pad %x {pad = array<i64: 0, 2, 1, 0>, mode = "replicate"} : !graph.tensor<1x2x3xf32>
  return %0 : !graph.tensor<1x3x5xf32>
}

// -----

// Nothing is dropped: the operand itself.
// CHECK-LABEL: func.func @dropout
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<2xf32>)
// CHECK-NEXT: return %[[X]]
func.func @dropout(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> {
  %0 = graph.dropout %x {p = 0.5 : f64, train = false} : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @like
// CHECK: graph.full_like %{{.*}}, %{{.*}} {dtype = i64}
// CHECK: graph.ones [3] {dtype = f32}
// CHECK: %[[E:.*]] = graph.empty [7] {dtype = f64}
// CHECK-NEXT: graph.as_strided %[[E]] size [2, 3] stride [4, 1] storage_offset [0]
func.func @like(%x: !graph.tensor<2xf32>) -> (!graph.tensor<2xi64>, !graph.tensor<3xf32>, !graph.tensor<2x3xf64>) {
  %0 = graph.zeros_like %x {dtype = i64} : !graph.tensor<2xf32>
  %1 = graph.new_ones %x size [3] : !graph.tensor<2xf32>
  %2 = graph.empty_strided [2, 3] stride [4, 1] {dtype = f64}
  return %0, %1, %2 : !graph.tensor<2xi64>, !graph.tensor<3xf32>, !graph.tensor<2x3xf64>
}
