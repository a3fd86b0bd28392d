// RUN: terrace-opt %s --graph-specialize-aliases | FileCheck %s --implicit-check-not=graph.guard

// CHECK-LABEL: func.func @"not where nothing is written"
func.func @"not where nothing is written"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %c = graph.clone %x : !graph.tensor<4xf32>
  %w = graph.add_ %c, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %w : !graph.tensor<4xf32>
}

// Here strides decide whether it is a view; of what nobody writes it does not matter.
// CHECK-LABEL: func.func @"not where a copy is not written"
func.func @"not where a copy is not written"(%x: !graph.tensor<?x4xf32> {graph.layout = "any"}, %y: !graph.tensor<4xf32>)
    -> !graph.tensor<?xf32> {
  %all = arith.constant -1 : i64
  %r = graph.reshape %x shape [%all] : !graph.tensor<?x4xf32>
  %s = graph.sum %y : !graph.tensor<4xf32>
  %a = graph.add %r, %s : !graph.tensor<?xf32>, !graph.tensor<f32>
  %w = graph.relu_ %a : !graph.tensor<?xf32>
  return %w : !graph.tensor<?xf32>
}

// CHECK-LABEL: func.func @"not where storages are declared"
func.func @"not where storages are declared"(%x: !graph.tensor<4xf32> {graph.storage = "s"},
                                             %y: !graph.tensor<4xf32> {graph.storage = "s"},
                                             %z: !graph.tensor<4xf32> {graph.storage = "t"}) {
  %v = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %w = graph.add_ %x, %z : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// Neither a view nor what only asks for sizes looks at elements.
// CHECK-LABEL: func.func @"not an argument that is never touched"
func.func @"not an argument that is never touched"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4x2xf32>, %z: !graph.tensor<4xf32>)
    -> (!graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>) {
  %w = graph.neg_ %x : !graph.tensor<4xf32>
  %t = graph.t %y : !graph.tensor<4x2xf32>
  %u = graph.unsqueeze_ %z {dim = 0 : i64} : !graph.tensor<4xf32>
  %v = graph.expand_as %u, %t : !graph.tensor<1x4xf32>, !graph.tensor<2x4xf32>
  return %t, %v : !graph.tensor<2x4xf32>, !graph.tensor<2x4xf32>
}

// Who calls it knows how the arguments lie.
// CHECK-LABEL: func.func private @"not a private function"
func.func private @"not a private function"(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @"not one tensor alone"
func.func @"not one tensor alone"(%x: !graph.tensor<4xf32>, %k: f64) {
  %w = graph.mul_ %x, %k : !graph.tensor<4xf32>, f64
  return
}

// CHECK-LABEL: func.func private @declaration
func.func private @declaration(!graph.tensor<4xf32>, !graph.tensor<4xf32>)
