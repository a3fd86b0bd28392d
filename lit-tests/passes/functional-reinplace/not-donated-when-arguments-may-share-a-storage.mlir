// RUN: terrace-opt %s --functional-reinplace --split-input-file | FileCheck %s

// %y may be a part of %x: its value is read before %x is written.
// CHECK-LABEL: func.func private @f.core(
// CHECK-NOT: functional.donated
// CHECK: return
func.func private @f.core(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = functional.neg %x : tensor<4xf32>
  %1 = functional.add %0, %y : tensor<4xf32>, tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%x: !graph.tensor<4xf32> {graph.storage = "x"}, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %a = graph.value %x : !graph.tensor<4xf32>
  %b = graph.value %y : !graph.tensor<4xf32>
  %r:2 = call @f.core(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  graph.write_back %r#0 into %x : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %r#1 : tensor<4xf32>
  return %t : !graph.tensor<4xf32>
}

// -----

// The value is read after the call.
// CHECK-LABEL: func.func private @g.core(
// CHECK-NOT: functional.donated
// CHECK: return
func.func private @g.core(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @g(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %a = graph.value %x : !graph.tensor<4xf32>
  %r = call @g.core(%a) : (tensor<4xf32>) -> tensor<4xf32>
  graph.write_back %r into %x : tensor<4xf32>, !graph.tensor<4xf32>
  %t = graph.fresh %a : tensor<4xf32>
  return %t : !graph.tensor<4xf32>
}
