// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s
// Nothing is left to do.
// RUN: terrace-opt %s --graph-outline-eager --split-input-file | terrace-opt --graph-outline-eager --split-input-file | FileCheck %s

// An operation is a function of its own, with its constants; its arguments declare the layouts that are known.
// CHECK-LABEL: func.func @pure
// CHECK-SAME: %[[X:[a-z0-9]+]]: !graph.tensor<3x4xf32>, %[[Y:[a-z0-9]+]]: !graph.tensor<3xf32> {graph.layout = "any"}
// CHECK: %[[T:.*]] = call @pure.t(%[[X]])
// CHECK: %[[Z:.*]] = call @pure.mul(%[[T]])
// CHECK: %[[W:.*]] = call @pure.sub(%[[Z]], %[[Y]])
// CHECK: return %[[W]]
// CHECK: func.func private @pure.t(%{{[a-z0-9]+}}: !graph.tensor<3x4xf32>)
// CHECK-SAME: no_inline
// CHECK-NEXT: graph.t
// CHECK: func.func private @pure.mul(%[[A:[a-z0-9]+]]: !graph.tensor<4x3xf32> {graph.layout = strided<[1, 4]>})
// CHECK-NEXT: %[[K:.*]] = arith.constant 2.0
// CHECK-NEXT: graph.mul %[[A]], %[[K]]
// CHECK: func.func private @pure.sub(%{{[a-z0-9]+}}: !graph.tensor<4x3xf32> {graph.layout = strided<[1, 4]>}, %{{[a-z0-9]+}}: !graph.tensor<3xf32> {graph.layout = "any"})
func.func @pure(%x: !graph.tensor<3x4xf32>, %y: !graph.tensor<3xf32> {graph.layout = "any"}) -> !graph.tensor<4x3xf32> attributes {graph.eager} {
  %two = arith.constant 2.0 : f64
  %t = graph.t %x : !graph.tensor<3x4xf32>
  %z = graph.mul %t, %two : !graph.tensor<4x3xf32>, f64
  %w = graph.sub %z, %y : !graph.tensor<4x3xf32>, !graph.tensor<3xf32>
  return %w : !graph.tensor<4x3xf32>
}

// -----

// What is called runs as it is written, too, on what it is passed; branches are operations of scf.
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: {graph.layout = "any"}
// CHECK-SAME: graph.eager
// CHECK: call @callee.neg_
// CHECK-LABEL: func.func @calls
// CHECK: scf.if
// CHECK: func.call @callee
// CHECK: func.func private @callee.neg_(
// CHECK-SAME: {graph.distinct, graph.layout = "any", graph.storage = "s0"}
func.func private @callee(%x: !graph.tensor<3xf32>) {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
func.func @calls(%x: !graph.tensor<3xf32>, %c: i1) attributes {graph.eager} {
  cf.cond_br %c, ^a, ^b
^a:
  func.call @callee(%x) : (!graph.tensor<3xf32>) -> ()
  cf.br ^b
^b:
  return
}

// -----

// A function that tests how its arguments lie calls what was made for that.
// CHECK-LABEL: func.func private @for_these
// CHECK-NOT: graph.eager
// CHECK: graph.add_
func.func private @for_these(%x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) {
  %0 = graph.add_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}
func.func @tests(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) attributes {graph.eager} {
  %0 = graph.check_disjoint %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  scf.if %0 {
    func.call @for_these(%x, %y) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> ()
  }
  return
}

// -----

// What is not graph.eager stays.
// CHECK-LABEL: func.func @other
// CHECK-NEXT: graph.neg_
func.func @other(%x: !graph.tensor<3xf32>) {
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  return
}
