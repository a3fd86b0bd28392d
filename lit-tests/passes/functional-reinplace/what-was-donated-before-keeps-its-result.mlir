// RUN: terrace-opt %s --functional-reinplace | FileCheck %s

// Where all of %x is returned in the place of its row, results have new numbers: %m's is the first one then.
// CHECK-LABEL: func.func private @f.core(
//  CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32> {functional.donated = 1 : i64}
//  CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8x4xf32> {functional.donated = 0 : i64}
//       CHECK: %[[NEW:.*]] = functional.select_scatter %[[X]]
//       CHECK: %[[NEG:.*]] = functional.neg %[[M]]
//       CHECK: return %[[NEG]], %[[NEW]]
func.func private @f.core(%x: tensor<8x4xf32>, %r: tensor<4xf32>, %m: tensor<8x4xf32> {functional.donated = 1 : i64}) -> (tensor<4xf32>, tensor<8x4xf32>) {
  %0 = functional.select_scatter %x, %r index [5] : tensor<8x4xf32>, tensor<4xf32>
  %1 = functional.select %0 index [5] : tensor<8x4xf32>
  %2 = functional.neg %m : tensor<8x4xf32>
  return %1, %2 : tensor<4xf32>, tensor<8x4xf32>
}
func.func @f(%x: !graph.tensor<8x4xf32> {graph.storage = "x"}, %r: !graph.tensor<4xf32> {graph.storage = "r"}, %m: tensor<8x4xf32>) -> !graph.tensor<8x4xf32> {
  %a = graph.value %x : !graph.tensor<8x4xf32>
  %b = graph.value %r : !graph.tensor<4xf32>
  %c:2 = call @f.core(%a, %b, %m) : (tensor<8x4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>)
  %v = graph.as_strided %x size [4] stride [1] storage_offset [20] : !graph.tensor<8x4xf32>
  graph.write_back %c#0 into %v : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %c#1 : tensor<8x4xf32>
  return %t : !graph.tensor<8x4xf32>
}
