// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// What a tensor is where nobody looks at it (here of no elements, as its type says no size) is not one more tensor that an operation may
// be on.

// CHECK-LABEL: func.func private @not_of_what_nobody_looks_at.core(
// CHECK-SAME: %{{.*}}: tensor<3xf32>, %[[Y:.*]]: tensor<3xf32>, %{{.*}}: i1
// CHECK: %[[T:.*]] = arith.select %{{.*}}, %[[X:.*]], %[[Y]] : tensor<3xf32>
// CHECK-NEXT: functional.add %[[X]], %[[T]]
func.func @not_of_what_nobody_looks_at(%x: !graph.tensor<3xf32> {graph.storage = "s0"}, %y: !graph.tensor<3xf32> {graph.storage = "s1"}, %z: !graph.tensor<3xf32> {graph.storage = "s2"}, %c: i1) {
  %any = ub.poison : !graph.tensor<?xf32>
  %a = graph.cast %x : !graph.tensor<3xf32> to !graph.tensor<?xf32>
  %b = graph.cast %y : !graph.tensor<3xf32> to !graph.tensor<?xf32>
  %r:2 = scf.while (%t = %a, %u = %x) : (!graph.tensor<?xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<?xf32>, !graph.tensor<3xf32>) {
    %w = graph.add_ %x, %t : !graph.tensor<3xf32>, !graph.tensor<?xf32>
    %next:2 = scf.if %c -> (!graph.tensor<?xf32>, !graph.tensor<3xf32>) {
      scf.yield %b, %y : !graph.tensor<?xf32>, !graph.tensor<3xf32>
    } else {
      scf.yield %any, %z : !graph.tensor<?xf32>, !graph.tensor<3xf32>
    }
    scf.condition(%c) %next#0, %next#1 : !graph.tensor<?xf32>, !graph.tensor<3xf32>
  } do {
  ^bb0(%t: !graph.tensor<?xf32>, %u: !graph.tensor<3xf32>):
    scf.yield %t, %u : !graph.tensor<?xf32>, !graph.tensor<3xf32>
  }
  return
}
