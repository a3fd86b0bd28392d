// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// A fill of the whole storage, through whichever view of all of it: what was before is not computed, but drawn past.
// CHECK-LABEL: func.func @all(
// CHECK-LABEL: func.func @all.materialize_0
// CHECK: graph.set_generator_state
// CHECK-NEXT: %[[E:.*]] = graph.empty [2, 3]
// CHECK-NEXT: %[[T:.*]] = graph.t %[[E]]
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: graph.normal_ %[[T]]
// CHECK-NEXT: graph.neg_ %[[E]]
// CHECK-NEXT: graph.set_generator_state
func.func @all() -> !graph.tensor<2x3xf32> {
  %e = graph.empty [2, 3]
  %0 = graph.uniform_ %e : !graph.tensor<2x3xf32>
  %t = graph.t %0 : !graph.tensor<2x3xf32>
  %1 = graph.normal_ %t : !graph.tensor<3x2xf32>
  %2 = graph.neg_ %e : !graph.tensor<2x3xf32>
  return %e : !graph.tensor<2x3xf32>
}
