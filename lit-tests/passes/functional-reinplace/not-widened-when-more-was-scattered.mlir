// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// Row 3 of the value is new too, but the storage keeps its own.
// CHECK-LABEL: func.func private @f.core(
// CHECK-NOT: functional.donated
// CHECK: return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<8x4xf32>
func.func private @f.core(%x: tensor<8x4xf32>, %r: tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %0 = functional.select_scatter %x, %r index [3] : tensor<8x4xf32>, tensor<4xf32>
  %1 = functional.select_scatter %0, %r index [5] : tensor<8x4xf32>, tensor<4xf32>
  %2 = functional.select %1 index [5] : tensor<8x4xf32>
  %3 = functional.neg %1 : tensor<8x4xf32>
  return %2, %3 : tensor<4xf32>, tensor<8x4xf32>
}
func.func @f(%x: !graph.tensor<8x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}) -> !graph.tensor<8x4xf32> {
  %a = graph.value %x : !graph.tensor<8x4xf32>
  %b = graph.value %r : !graph.tensor<4xf32>
  %c:2 = call @f.core(%a, %b) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>)
  %v = graph.as_strided %x size [4] stride [1] storage_offset [20] : !graph.tensor<8x4xf32>
  graph.write_back %c#0 into %v : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %c#1 : tensor<8x4xf32>
  return %t : !graph.tensor<8x4xf32>
}

// -----

// What is written to row 5 is row 3 of the value.
// CHECK-LABEL: func.func private @g.core(
// CHECK-NOT: functional.donated
// CHECK: return %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<8x4xf32>
func.func private @g.core(%x: tensor<8x4xf32>, %r: tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %1 = functional.select_scatter %x, %r index [5] : tensor<8x4xf32>, tensor<4xf32>
  %2 = functional.select %1 index [3] : tensor<8x4xf32>
  %3 = functional.neg %1 : tensor<8x4xf32>
  return %2, %3 : tensor<4xf32>, tensor<8x4xf32>
}
func.func @g(%x: !graph.tensor<8x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}) -> !graph.tensor<8x4xf32> {
  %a = graph.value %x : !graph.tensor<8x4xf32>
  %b = graph.value %r : !graph.tensor<4xf32>
  %c:2 = call @g.core(%a, %b) : (tensor<8x4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>)
  %v = graph.as_strided %x size [4] stride [1] storage_offset [20] : !graph.tensor<8x4xf32>
  graph.write_back %c#0 into %v : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %c#1 : tensor<8x4xf32>
  return %t : !graph.tensor<8x4xf32>
}

// -----

// Both regions are written back, but in the place where they meet the storage keeps what the value has no more.
// CHECK-LABEL: func.func private @h.core(
// CHECK-NOT: functional.donated
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>
func.func private @h.core(%x: tensor<8x4xf32>, %r: tensor<4xf32>, %c: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>) {
  %1 = functional.select_scatter %x, %r index [5] : tensor<8x4xf32>, tensor<4xf32>
  %2 = functional.select_scatter %1, %c index [0] {dim = 1 : i64} : tensor<8x4xf32>, tensor<8xf32>
  %3 = functional.neg %2 : tensor<8x4xf32>
  return %r, %c, %3 : tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>
}
func.func @h(%x: !graph.tensor<8x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}, %d: !graph.tensor<8xf32> {graph.storage = "d"}) -> !graph.tensor<8x4xf32> {
  %a = graph.value %x : !graph.tensor<8x4xf32>
  %b = graph.value %r : !graph.tensor<4xf32>
  %e = graph.value %d : !graph.tensor<8xf32>
  %c:3 = call @h.core(%a, %b, %e) : (tensor<8x4xf32>, tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>, tensor<8x4xf32>)
  %w = graph.as_strided %x size [8] stride [4] storage_offset [0] : !graph.tensor<8x4xf32>
  graph.write_back %c#1 into %w : tensor<8xf32>, !graph.tensor<8xf32>
  %v = graph.as_strided %x size [4] stride [1] storage_offset [20] : !graph.tensor<8x4xf32>
  graph.write_back %c#0 into %v : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %c#2 : tensor<8x4xf32>
  return %t : !graph.tensor<8x4xf32>
}
