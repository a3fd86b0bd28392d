// RUN: terrace-opt %s --graph-functionalize --split-input-file | FileCheck %s

// Arguments that overlap in a declared storage: one value for all its places.
// CHECK-LABEL: func.func private @shared.core
// CHECK-SAME: (%[[S:.*]]: tensor<6xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: %[[A:.*]] = functional.slice %[[S]] start [0] end [4]
// CHECK: %[[R:.*]] = functional.relu %[[A]]
// CHECK: %[[S1:.*]] = functional.slice_scatter %[[S]], %[[R]] start [0] end [4]
// CHECK: %[[B:.*]] = functional.slice %[[S1]] start [2] end [6]
// CHECK: %[[E:.*]] = functional.exp %[[B]]
// CHECK: return %[[E]], %[[R]]
// CHECK: func.func @shared(%[[X:[a-z0-9]+]]:
// CHECK: %[[P:.*]] = graph.as_strided %[[X]] size [6] stride [1] storage_offset [0]
// CHECK: %[[V:.*]] = graph.value %[[P]]
// CHECK: %[[C:.*]]:2 = call @shared.core(%[[V]])
// CHECK: graph.write_back %[[C]]#1 into %[[X]]
func.func @shared(%x: !graph.tensor<4xf32> {graph.storage = "s"},
                  %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 2>})
    -> !graph.tensor<4xf32> {
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  %e = graph.exp %y : !graph.tensor<4xf32>
  return %e : !graph.tensor<4xf32>
}

// -----

// Interleaved columns of one storage are disjoint.
// CHECK-LABEL: func.func private @columns.core
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32> {functional.layout = strided<[2]>}, %[[Y:.*]]: tensor<4xf32> {functional.layout = strided<[2], offset: 1>}) -> tensor<4xf32>
// CHECK-NEXT: %[[A:.*]] = functional.add %[[X]], %[[Y]]
// CHECK-NEXT: return %[[A]]
func.func @columns(%x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[2]>},
                   %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[2], offset: 1>}) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

// The same tensor twice, and a part of it: the larger one is the base.
// CHECK-LABEL: func.func private @part.core
// CHECK-SAME: (%[[X:.*]]: tensor<2x4xf32>)
// CHECK: functional.select %[[X]] index [1]
func.func @part(%x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 4>},
                %y: !graph.tensor<2x4xf32> {graph.storage = "s"},
                %z: !graph.tensor<2x4xf32> {graph.storage = "s"}) -> !graph.tensor<2x4xf32> {
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  %e = graph.add %y, %z : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
  return %e : !graph.tensor<2x4xf32>
}

// -----

// as_strided indexes the storage, and may reach beyond the view.
// CHECK-LABEL: func.func private @beyond.core
// CHECK-SAME: (%[[S:.*]]: tensor<8xf32>)
// CHECK: functional.slice %[[S]] start [2] end [6]
// CHECK: func.func @beyond
// CHECK: graph.as_strided %arg0 size [8] stride [1] storage_offset [0]
func.func @beyond(%x: !graph.tensor<4xf32> {graph.layout = strided<[1], offset: 2>}) -> !graph.tensor<8xf32> {
  %w = graph.relu_ %x : !graph.tensor<4xf32>
  %a = graph.as_strided %x size [8] stride [1] storage_offset [0] : !graph.tensor<4xf32>
  %e = graph.exp %a : !graph.tensor<8xf32>
  return %e : !graph.tensor<8xf32>
}

// -----

// Strides that are not known do not matter where nothing depends on them.
// CHECK-LABEL: func.func private @any.core
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32> {functional.layout = strided<[?, ?], offset: ?>})
// CHECK: functional.mm %[[X]], %[[X]]
func.func @any(%x: !graph.tensor<4x4xf32> {graph.layout = "any"}) -> !graph.tensor<4x4xf32> {
  %0 = graph.mm %x, %x : !graph.tensor<4x4xf32>, !graph.tensor<4x4xf32>
  return %0 : !graph.tensor<4x4xf32>
}

// -----

// rsub is the difference of other and self, in this order: the result is laid out like other.
// CHECK-LABEL: func.func @rsub_is_like_other
// CHECK: graph.fresh %{{.*}} : tensor<3x3xf32>
// CHECK: graph.as_strided %{{.*}} size [3, 3] stride [1, 3]
func.func @rsub_is_like_other(%x: !graph.tensor<3x3xf32>) -> !graph.tensor<3x3xf32> {
  %t = graph.t %x : !graph.tensor<3x3xf32>
  %0 = graph.rsub %x, %t : !graph.tensor<3x3xf32>, !graph.tensor<3x3xf32>
  return %0 : !graph.tensor<3x3xf32>
}
