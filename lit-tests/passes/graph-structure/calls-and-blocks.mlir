// RUN: terrace-opt %s --graph-structure | FileCheck %s

// CHECK-NOT: @halve
func.func private @halve(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  %half = arith.constant 0.5 : f64
  %y = graph.mul_ %x, %half : !graph.tensor<4xf32>, f64
  return %y : !graph.tensor<4xf32>
}

// CHECK-LABEL: func.func @either
//  CHECK-SAME:   (%[[C:.*]]: i1, %[[X:.*]]: !graph.tensor<4xf32>, %[[Y:.*]]: !graph.tensor<4xf32>)
//       CHECK:   %[[R:.*]] = scf.if %[[C]] -> (!graph.tensor<4xf32>) {
//       CHECK:     %[[H:.*]] = graph.mul_ %[[X]]
//       CHECK:     scf.yield %[[H]]
//       CHECK:   } else {
//       CHECK:     scf.yield %[[Y]]
//       CHECK:   return %[[R]]
func.func @either(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  cf.cond_br %c, ^first, ^last(%y : !graph.tensor<4xf32>)
^first:
  %h = func.call @halve(%x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  cf.br ^last(%h : !graph.tensor<4xf32>)
^last(%z: !graph.tensor<4xf32>):
  return %z : !graph.tensor<4xf32>
}

// A public function stays when it was inlined.
// CHECK-LABEL: func.func @public
func.func @public(%x: !graph.tensor<4xf32>) {
  %y = graph.neg_ %x : !graph.tensor<4xf32>
  return
}
// CHECK-LABEL: func.func @calls
//       CHECK:   graph.neg_
//   CHECK-NOT:   call
func.func @calls(%x: !graph.tensor<4xf32>) {
  func.call @public(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// Functions without graph tensors stay as they are.
// CHECK-LABEL: func.func @numbers
//       CHECK:   cf.cond_br
func.func @numbers(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}
