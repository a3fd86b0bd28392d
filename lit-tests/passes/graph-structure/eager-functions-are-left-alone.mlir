// RUN: terrace-opt %s --graph-structure | FileCheck %s

// What runs as it is written keeps its calls and its blocks.
// CHECK-LABEL: func.func private @eager(
// CHECK: call @negate
// CHECK: cf.cond_br
// CHECK-LABEL: func.func private @negate(
func.func private @eager(%c: i1, %x: !graph.tensor<3xf32>) attributes {graph.eager} {
  call @negate(%x) : (!graph.tensor<3xf32>) -> ()
  cf.cond_br %c, ^then, ^end
^then:
  call @negate(%x) : (!graph.tensor<3xf32>) -> ()
  cf.br ^end
^end:
  return
}
func.func private @negate(%x: !graph.tensor<3xf32>) {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
