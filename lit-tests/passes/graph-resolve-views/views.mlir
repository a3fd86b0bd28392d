// RUN: terrace-opt %s --graph-resolve-views --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @spelled
// CHECK-NEXT: graph.permute %{{.*}} {dims = array<i64: 2, 1, 0>}
// CHECK-NEXT: graph.mT
// CHECK-NEXT: graph.split
// CHECK-NEXT: return
func.func @spelled(%x: !graph.tensor<2x3x4xf32>) -> (!graph.tensor<4x3x2xf32>, !graph.tensor<2x4x3xf32>, !graph.tensor<1x3x4xf32>) {
  %a = graph.numpy_T %x : !graph.tensor<2x3x4xf32>
  %c = graph.mH %x : !graph.tensor<2x3x4xf32>
  %d:2 = graph.unsafe_split %x {split_size = 1 : i64} : !graph.tensor<2x3x4xf32>
  return %a, %c, %d#1 : !graph.tensor<4x3x2xf32>, !graph.tensor<2x4x3xf32>, !graph.tensor<1x3x4xf32>
}

// -----

// CHECK-LABEL: func.func @parts
// CHECK-NEXT: graph.slice %{{.*}} start [0] end [3] step [1]
// CHECK-NEXT: graph.slice %{{.*}} start [3] end [5] step [1]
// CHECK-NEXT: graph.slice %{{.*}} start [0] end [2] step [1]
// CHECK-NEXT: graph.slice %{{.*}} start [2] end [5] step [1]
func.func @parts(%x: !graph.tensor<5xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<3xf32>) {
  %a:2 = graph.tensor_split.sections %x {sections = 2 : i64} : !graph.tensor<5xf32>
  %b:2 = graph.hsplit.array %x {indices = array<i64: -3>} : !graph.tensor<5xf32>
  return %a#1, %b#1 : !graph.tensor<2xf32>, !graph.tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @meshgrid
// CHECK-SAME: (%[[X:.*]]: !graph.tensor<3xf32>, %[[Y:.*]]: !graph.tensor<2xf32>)
// CHECK-NEXT: %[[A:.*]] = graph.view %[[X]] size [1, 3]
// CHECK-NEXT: graph.expand %[[A]] size [2, 3]
// CHECK-NEXT: %[[B:.*]] = graph.view %[[Y]] size [2, 1]
// CHECK-NEXT: graph.expand %[[B]] size [2, 3]
func.func @meshgrid(%x: !graph.tensor<3xf32>, %y: !graph.tensor<2xf32>) -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>) {
  %g:2 = graph.meshgrid %x, %y {indexing = "xy"} : !graph.tensor<3xf32>, !graph.tensor<2xf32>
  return %g#0, %g#1 : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @copies
// CHECK-NEXT: %[[P:.*]] = graph.permute %{{.*}} {dims = array<i64: 1, 0>}
// CHECK-NEXT: graph.clone %[[P]] {memory_format = "contiguous_format"}
// CHECK-NEXT: %[[C:.*]] = graph.clone %{{.*}} {memory_format = "contiguous_format"}
// CHECK-NEXT: graph.view %[[C]] size [6]
func.func @copies(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<6xf32>) {
  %a = graph.permute_copy %x {dims = array<i64: 1, 0>} : !graph.tensor<2x3xf32>
  %b = graph.view_copy %x size [-1] : !graph.tensor<2x3xf32>
  return %a, %b : !graph.tensor<3x2xf32>, !graph.tensor<6xf32>
}
