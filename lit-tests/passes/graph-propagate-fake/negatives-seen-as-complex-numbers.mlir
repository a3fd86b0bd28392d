// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A negative view of pairs, seen as complex numbers, is negative still.

// CHECK-LABEL: @pairs
// CHECK: graph.view_as_complex {{.*}} {graph.fake = ["c64[] strides [] neg storage 0 object 2"]}
func.func @pairs(%a: !graph.tensor<2xf32>) -> !graph.tensor<complex<f32>> {
  %n = graph._neg_view %a : !graph.tensor<2xf32>
  %c = graph.view_as_complex %n : !graph.tensor<2xf32>
  return %c : !graph.tensor<complex<f32>>
}
