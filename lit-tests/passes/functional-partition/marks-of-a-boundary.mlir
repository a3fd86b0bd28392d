// RUN: terrace-opt %s --split-input-file --pass-pipeline='builtin.module(graph-functionalize,functional-partition)' 2>&1 | FileCheck %s
// RUN: not terrace-opt %s --split-input-file --functional-partition 2>&1 | FileCheck %s --check-prefix=EARLY

// What a function on graph tensors marks is marked of its core: by what the core reads for an argument, and returns for a result.
// EARLY: error: 'func.func' op is marked and has no core yet: run graph-functionalize before this pass
// CHECK-LABEL: func.func private @f.core.forward(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
// CHECK: functional.tanh
// CHECK: functional.mul
// CHECK-LABEL: func.func private @f.core.backward(
// CHECK-SAME: %[[YY:[a-z0-9]+]]: tensor<2x3xf32>, %[[G:[a-z0-9]+]]: tensor<3x2xf32>
// CHECK: %[[T:.*]] = functional.permute %[[G]]
// CHECK: functional.mul %[[T]], %[[YY]]
// CHECK-LABEL: func.func private @f.core(
// CHECK-LABEL: func.func @f(
func.func @f(%x: !graph.tensor<2x3xf32> {graph.storage = "x"}, %g: !graph.tensor<3x2xf32> {graph.storage = "g", functional.tangent}) -> (!graph.tensor<2x3xf32>, !graph.tensor<3x2xf32> {functional.gradient}) {
  %y = graph.tanh %x : !graph.tensor<2x3xf32>
  %yy = graph.mul %y, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %t = graph.t %g : !graph.tensor<3x2xf32>
  %d = graph.mul %t, %yy : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %r = graph.t %d : !graph.tensor<2x3xf32>
  return %y, %r : !graph.tensor<2x3xf32>, !graph.tensor<3x2xf32>
}
