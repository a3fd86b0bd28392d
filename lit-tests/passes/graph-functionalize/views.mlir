// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// A column is written through a view; another view, read later, sees it, and shares the new storage.
// CHECK-LABEL: func.func private @columns.core
// CHECK-SAME: (%[[V:.*]]: tensor<3xf32>) -> tensor<3x3xf32>
// CHECK: %[[Z:.*]] = functional.full
// CHECK: %[[S:.*]] = functional.select_scatter %[[Z]], %[[V]] index [1] {dim = 1 : i64}
// CHECK: return %[[S]] : tensor<3x3xf32>
// CHECK: func.func @columns
// CHECK: %[[R:.*]] = call @columns.core
// CHECK: %[[F:.*]] = graph.fresh %[[R]]
// CHECK: %[[ROW:.*]] = graph.as_strided %[[F]] size [3] stride [1] storage_offset [6]
// CHECK: return %[[F]], %[[ROW]]
func.func @columns(%v: !graph.tensor<3xf32>) -> (!graph.tensor<3x3xf32>, !graph.tensor<3xf32>) {
  %z = graph.zeros [3, 3] {dtype = f32}
  %column = graph.select %z index [1] {dim = 1 : i64} : !graph.tensor<3x3xf32>
  %row = graph.select %z index [2] : !graph.tensor<3x3xf32>
  %w = graph.copy_ %column, %v : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %z, %row : !graph.tensor<3x3xf32>, !graph.tensor<3xf32>
}

// -----

// An argument is mutated through a transposed slice: one scatter, and only the slice is written back.
// CHECK-LABEL: func.func private @transposed.core
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<4x6xf32>, %[[Y:.*]]: tensor<2x4xf32>)
// CHECK: %[[S:.*]] = functional.slice %[[X]] start [1] end [5] step [3] {dim = 1 : i64}
// CHECK: %[[T:.*]] = functional.permute %[[S]]
// CHECK: %[[A:.*]] = functional.add %[[T]], %[[Y]]
// CHECK: %[[P:.*]] = functional.permute %[[A]]
// CHECK: functional.slice_scatter %[[X]], %[[P]] start [1] end [5] step [3] {dim = 1 : i64}
// CHECK: func.func @transposed
// CHECK: %[[R:.*]] = call
// CHECK: %[[W:.*]] = graph.as_strided %arg0 size [4, 2] stride [6, 3] storage_offset [1]
// CHECK: graph.write_back %[[R]] into %[[W]]
func.func @transposed(%x: !graph.tensor<4x6xf32> {graph.storage = "s0"},
                      %y: !graph.tensor<2x4xf32> {graph.storage = "s1"}) {
  %t = graph.t %x : !graph.tensor<4x6xf32>
  %s = graph.slice %t start [1] end [6] step [3] : !graph.tensor<6x4xf32>
  %w = graph.add_ %s, %y : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
  return
}

// -----

// The depth of a chain of views leaves no trace: one slice.
// CHECK-LABEL: func.func private @chain.core
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>)
// CHECK-NEXT: %[[S:.*]] = functional.slice %[[X]] start [3] end [7] step [1]
// CHECK-NEXT: %[[E:.*]] = functional.exp %[[S]]
// CHECK-NEXT: return %[[E]]
func.func @chain(%x: !graph.tensor<8x4xf32>) -> !graph.tensor<4x4xf32> {
  %0 = graph.slice %x start [1] end [8] step [1] : !graph.tensor<8x4xf32>
  %1 = graph.t %0 : !graph.tensor<7x4xf32>
  %2 = graph.narrow %1 start [2] length [4] {dim = 1 : i64} : !graph.tensor<4x7xf32>
  %3 = graph.unsqueeze %2 {dim = 0 : i64} : !graph.tensor<4x4xf32>
  %4 = graph.squeeze %3 : !graph.tensor<1x4x4xf32>
  %5 = graph.mT %4 : !graph.tensor<4x4xf32>
  %6 = graph.exp %5 : !graph.tensor<4x4xf32>
  return %6 : !graph.tensor<4x4xf32>
}

// -----

// Other forms of a triple: split dimensions, a diagonal, windows.
// CHECK-LABEL: func.func private @forms.core
// CHECK-SAME: (%[[X:.*]]: tensor<4x6xf32>)
// CHECK: %[[V:.*]] = functional.view %[[X]] size [4, 2, 3]
// CHECK: %[[A:.*]] = functional.exp %[[V]]
// CHECK: %[[D:.*]] = functional.diagonal %[[X]] {offset = 1 : i64}
// CHECK: %[[B:.*]] = functional.exp %[[D]]
// CHECK: %[[U:.*]] = functional.as_strided %[[X]] size [4, 3, 4] stride [6, 1, 1] storage_offset [0]
// CHECK: functional.exp %[[U]]
// CHECK: return %[[A]], %[[B]]
func.func @forms(%x: !graph.tensor<4x6xf32>)
    -> (!graph.tensor<4x2x3xf32>, !graph.tensor<4xf32>, !graph.tensor<4x3x4xf32>) {
  %0 = graph.unflatten %x sizes [2, -1] {dim = 1 : i64} : !graph.tensor<4x6xf32>
  %1 = graph.exp %0 : !graph.tensor<4x2x3xf32>
  %2 = graph.diagonal %x {offset = 1 : i64} : !graph.tensor<4x6xf32>
  %3 = graph.exp %2 : !graph.tensor<4xf32>
  %4 = graph.unfold %x {dimension = 1 : i64, size = 4 : i64, step = 1 : i64} : !graph.tensor<4x6xf32>
  %5 = graph.exp %4 : !graph.tensor<4x3x4xf32>
  return %1, %3, %5 : !graph.tensor<4x2x3xf32>, !graph.tensor<4xf32>, !graph.tensor<4x3x4xf32>
}

// -----

// A fill may write through a repeated dimension; what is overwritten is not read.
// CHECK-LABEL: func.func private @filled.core() -> tensor<4xf32>
// CHECK: func.func @filled
// CHECK-NEXT: %[[R:.*]] = call @filled.core()
// CHECK-NEXT: graph.write_back %[[R]] into %arg0
func.func @filled(%x: !graph.tensor<4xf32>) {
  %e = graph.expand %x size [3, 4] : !graph.tensor<4xf32>
  %w = graph.zero_ %e : !graph.tensor<3x4xf32>
  return
}
