// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s
// Nothing is left to do.
// RUN: terrace-opt %s --graph-outline-eager --split-input-file | terrace-opt --graph-outline-eager --split-input-file | FileCheck %s

// Sizes that types do not say: an argument is what it declares, all else any.
// CHECK-LABEL: func.func @open
// CHECK: call @open.neg_
// CHECK: %[[E:.*]] = call @open.exp
// CHECK: call @open.sin(%[[E]])
// CHECK: func.func private @open.neg_(%{{[a-z0-9]+}}: !graph.tensor<?x?xf32> {graph.distinct, graph.storage = "s0"})
// CHECK: func.func private @open.exp(%{{[a-z0-9]+}}: !graph.tensor<?x?xf32>)
// CHECK: func.func private @open.sin(%{{[a-z0-9]+}}: !graph.tensor<?x?xf32> {graph.layout = "any"})
func.func @open(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> attributes {graph.eager} {
  %0 = graph.neg_ %x : !graph.tensor<?x?xf32>
  %1 = graph.exp %0 : !graph.tensor<?x?xf32>
  %2 = graph.sin %1 : !graph.tensor<?x?xf32>
  return %2 : !graph.tensor<?x?xf32>
}

// -----

// What may broadcast is seen with the sizes that all have together; a tensor without dimensions stays one.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<?x4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<?x?xf32>, %[[Z:[a-z0-9]+]]: !graph.tensor<f32>
// CHECK-DAG: %[[N:.*]] = graph.sym_size %[[X]] {dim = 0 : i64}
// CHECK-DAG: %[[M:.*]] = graph.sym_size %[[Y]] {dim = 0 : i64}
// CHECK: %[[ONE:.*]] = arith.cmpi eq, %[[N]]
// CHECK: %[[BOTH:.*]] = arith.select %[[ONE]], %[[M]], %[[N]]
// CHECK: cf.assert %{{.*}}, "The size of tensor a must match the size of tensor b at non-singleton dimension"
// CHECK: %[[A:.*]] = graph.as_strided %[[X]] size [%[[BOTH]], 4]
// CHECK: %[[B:.*]] = graph.as_strided %[[Y]] size [%[[BOTH]], 4]
// CHECK: %[[SUM:.*]] = call @broadcast.add(%[[A]], %[[B]])
// CHECK: call @broadcast.mul(%[[SUM]], %[[Z]])
func.func @broadcast(%x: !graph.tensor<?x4xf32>, %y: !graph.tensor<?x?xf32>, %z: !graph.tensor<f32>) -> !graph.tensor<?x4xf32> attributes {graph.eager} {
  %0 = graph.add %x, %y : !graph.tensor<?x4xf32>, !graph.tensor<?x?xf32>
  %1 = graph.mul %0, %z : !graph.tensor<?x4xf32>, !graph.tensor<f32>
  return %1 : !graph.tensor<?x4xf32>
}

// -----

// What is written in place has the sizes that others are seen with, behind the tests of the write.
// CHECK-LABEL: func.func @in_place
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<?xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<?xf32>
// CHECK: graph.assert_writable %[[X]], %[[Y]]
// CHECK: %[[OWN:.*]] = scf.if
// CHECK: graph.as_strided %[[OWN]] size [%{{.*}}] stride [%{{.*}}]
func.func @in_place(%x: !graph.tensor<?xf32>, %y: !graph.tensor<?xf32>) attributes {graph.eager} {
  %0 = graph.add_ %x, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return
}

// -----

// Views stay, and to join dimensions is decided when the function runs.
// CHECK-LABEL: func.func @views
// CHECK: graph.t %
// CHECK: graph.slice %
// CHECK: graph.check_view %{{.*}} size [-1]
// CHECK: graph.sym_size
// CHECK: graph.view %{{.*}} size [2, %{{.*}}]
func.func @views(%x: !graph.tensor<?x?xf32>, %n: i64) -> (!graph.tensor<?xf32>, !graph.tensor<2x?xf32>) attributes {graph.eager} {
  %0 = graph.t %x : !graph.tensor<?x?xf32>
  %1 = graph.slice %0 start [%n] end [9223372036854775807] step [1] {dim = 0 : i64} : !graph.tensor<?x?xf32>
  %2 = graph.reshape %1 shape [-1] : !graph.tensor<?x?xf32>
  %3 = graph.new_zeros %x size [2, %n] : !graph.tensor<?x?xf32>
  %4 = graph.reshape_as %2, %3 : !graph.tensor<?xf32>, !graph.tensor<2x?xf32>
  return %2, %4 : !graph.tensor<?xf32>, !graph.tensor<2x?xf32>
}

// -----

// What is left of one dimension does not depend on the others, which may be empty.
// CHECK-LABEL: func.func @unflattened
// CHECK: %[[N:.*]] = graph.sym_size %{{.*}} {dim = 1 : i64}
// CHECK: cf.assert %{{.*}}, "unflatten: Provided sizes don't multiply up to the size of the dim in the input tensor"
// CHECK: %[[PART:.*]] = arith.divsi %[[N]]
// CHECK: graph.view %{{.*}} size [%{{.*}}, 3, %[[PART]]]
func.func @unflattened(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x3x?xf32> attributes {graph.eager} {
  %0 = graph.unflatten %x sizes [3, -1] {dim = -1 : i64} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x3x?xf32>
}
