// A tensor that is a conjugate or a negative on some ways of control flow only has a truth value beside it: what reads or writes its elements is one operation
// for each way, views have it of their operand, and who called is told.
// RUN: terrace-opt %s --graph-outline-eager --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @on_ways
// CHECK-SAME: -> (!graph.tensor<4xcomplex<f32>> {graph.told_flags}, !graph.tensor<4xcomplex<f32>>)
// CHECK: %[[CONJ:.*]] = graph._conj %[[X:.*]] :
// CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (!graph.tensor<4xcomplex<f32>>, i1) {
// CHECK: %[[T:.*]] = arith.constant true
// CHECK: scf.yield %[[CONJ]], %[[T]]
// CHECK: %[[F:.*]] = arith.constant false
// CHECK: scf.yield %[[X]], %[[F]]
// CHECK: scf.if %[[R]]#1 -> (!graph.tensor<4xcomplex<f32>>) {
// CHECK: %[[STORED:.*]] = graph._conj %[[R]]#0
// CHECK: func.call @on_ways.add(%[[STORED]], %[[X]])
// CHECK: } else {
// CHECK: func.call @on_ways.add_0(%[[R]]#0, %[[X]])
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: graph.tell_flags %[[R]]#1, %[[NEVER]] result 0
// CHECK-NEXT: return %[[R]]#0
// CHECK-LABEL: func.func private @on_ways.add(
// CHECK: graph._conj
// CHECK-LABEL: func.func private @on_ways.add_0(
// CHECK-NOT: graph._conj
func.func @on_ways(%x: !graph.tensor<4xcomplex<f32>>, %c: i1) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %r = scf.if %c -> !graph.tensor<4xcomplex<f32>> {
    scf.yield %0 : !graph.tensor<4xcomplex<f32>>
  } else {
    scf.yield %x : !graph.tensor<4xcomplex<f32>>
  }
  %s = graph.add %r, %x : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return %r, %s : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}

// -----

// What `graph.neg` gives is stored as it is: the first round has a conjugate, the others have none.
// CHECK-LABEL: func.func @in_rounds
// CHECK: %[[SET:.*]] = arith.constant true
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[TRUTH:.*]] = %[[SET]]) -> (!graph.tensor<4xcomplex<f32>>, i1)
// CHECK: scf.if %[[TRUTH]]
// CHECK: %[[UNSET:.*]] = arith.constant false
// CHECK: scf.yield %{{.*}}, %[[UNSET]]
// CHECK: graph.tell_flags %[[R]]#1, %{{.*}} result 0
func.func @in_rounds(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant 3 : index
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %r = scf.for %i = %zero to %rounds step %one iter_args(%a = %0) -> !graph.tensor<4xcomplex<f32>> {
    %1 = graph.neg %a : !graph.tensor<4xcomplex<f32>>
    scf.yield %1 : !graph.tensor<4xcomplex<f32>>
  }
  return %r : !graph.tensor<4xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @selected
// CHECK: %[[TRUTH:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : i1
// CHECK: %[[R:.*]] = arith.select %{{.*}} : !graph.tensor<4xf32>
// CHECK: graph.tell_flags %{{.*}}, %[[TRUTH]] result 0
func.func @selected(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %r = arith.select %c, %x, %0 : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// -----

// Each round turns it: the truth value is another one.
// CHECK-LABEL: func.func @until
// CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[IN:.*]] = %{{.*}}) : (!graph.tensor<4xf32>, i1) -> (!graph.tensor<4xf32>, i1) {
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[IN]]
// CHECK: ^bb0(%{{.*}}: !graph.tensor<4xf32>, %[[TRUTH:.*]]: i1):
// CHECK: %[[TURNED:.*]] = arith.xori %[[TRUTH]], %{{.*}} : i1
// CHECK: scf.yield %{{.*}}, %[[TURNED]]
// CHECK: graph.tell_flags %{{.*}}, %[[R]]#1 result 0
func.func @until(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %r = scf.while (%a = %x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
    scf.condition(%c) %a : !graph.tensor<4xf32>
  } do {
  ^bb0(%a: !graph.tensor<4xf32>):
    %0 = graph._neg_view %a : !graph.tensor<4xf32>
    scf.yield %0 : !graph.tensor<4xf32>
  }
  return %r : !graph.tensor<4xf32>
}

// -----

// A view stays one, and so does what it is written through: of each way the test is its own.
// CHECK-LABEL: func.func @written
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: %[[V:.*]] = graph.slice %[[R]]#0
// CHECK: scf.if %[[R]]#1 {
// CHECK: graph.assert_writable %[[V]]
// CHECK: func.call @written.neg_
// CHECK: } else {
// CHECK: graph.assert_writable %[[V]]
// CHECK: func.call @written.neg_
func.func @written(%x: !graph.tensor<4xf32>, %c: i1) attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %r = scf.if %c -> !graph.tensor<4xf32> {
    scf.yield %0 : !graph.tensor<4xf32>
  } else {
    scf.yield %x : !graph.tensor<4xf32>
  }
  %v = graph.slice %r start [1] end [3] step [1] {dim = 0 : i64} : !graph.tensor<4xf32>
  %w = graph.neg_ %v : !graph.tensor<2xf32>
  return
}

// -----

// Who calls a function of which ways decide what it gives asks it.
// CHECK-LABEL: func.func @calls
// CHECK: %[[R:.*]] = call @callee
// CHECK-NEXT: %[[CONJ:.*]], %[[NEG:.*]] = graph.told_flags %[[R]] result 0
// CHECK: scf.if %[[NEG]]
// CHECK-LABEL: func.func private @callee
// CHECK-SAME: {graph.told_flags}
func.func @calls(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %r = func.call @callee(%x, %c) : (!graph.tensor<4xf32>, i1) -> !graph.tensor<4xf32>
  %s = graph.exp %r : !graph.tensor<4xf32>
  return %s : !graph.tensor<4xf32>
}
func.func private @callee(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %r = arith.select %c, %0, %x : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// -----

// A function that is called with one asks how its argument is seen, and who calls it says so, but for what is neither.
// CHECK-LABEL: func.func @passes
// CHECK: %[[NEG:.*]] = graph._neg_view
// CHECK: graph.pass_flags %{{.*}}, %{{.*}} argument 0
// CHECK-NEXT: call @takes(%[[NEG]],
// CHECK-NOT: graph.pass_flags
// CHECK: call @takes(
// CHECK-LABEL: func.func private @takes
// CHECK-SAME: %[[X:.*]]: !graph.tensor<4xf32> {graph.layout = "any", graph.passed_flags}, %{{.*}}: !graph.tensor<4xf32> {graph.layout = "any"})
// CHECK: %{{.*}}, %[[SET:.*]] = graph.passed_flags %[[X]] argument 0
// CHECK: scf.if %[[SET]]
func.func @passes(%x: !graph.tensor<4xf32>) attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  func.call @takes(%0, %x) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  func.call @takes(%x, %x) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  return
}
func.func private @takes(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) attributes {graph.eager} {
  %0 = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return
}

// -----

// Both ways are one: there is no truth value.
// CHECK-LABEL: func.func @both
// CHECK-SAME: {graph.neg}
// CHECK-NOT: graph.tell_flags
func.func @both(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %1 = graph._neg_view %y : !graph.tensor<4xf32>
  %r = arith.select %c, %0, %1 : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// -----

// Of more than four flags those of what is only read are resolved first.
// CHECK-LABEL: func.func @many
// CHECK-COUNT-6: func.call @many.resolve_neg
// CHECK: call @many.cat
// CHECK-NOT: call @many.cat
// CHECK: return
func.func @many(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<24xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %a = arith.select %c, %0, %x : !graph.tensor<4xf32>
  %b = arith.select %c, %x, %0 : !graph.tensor<4xf32>
  %d = graph._neg_view %a : !graph.tensor<4xf32>
  %e = graph._neg_view %b : !graph.tensor<4xf32>
  %f = graph.alias %a : !graph.tensor<4xf32>
  %g = graph.alias %b : !graph.tensor<4xf32>
  %r = graph.cat %a, %b, %d, %e, %f, %g {dim = 0 : i64} : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %r : !graph.tensor<24xf32>
}

// -----

// Where there is nothing to resolve it is the very tensor.
// CHECK-LABEL: func.func @resolved
// CHECK: %[[R:.*]] = arith.select {{.*}} : !graph.tensor<4xcomplex<f32>>
// CHECK-NOT: func.call
// CHECK: return %[[R]]
func.func @resolved(%x: !graph.tensor<4xcomplex<f32>>, %c: i1) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %r = arith.select %c, %0, %x : !graph.tensor<4xcomplex<f32>>
  %1 = graph.resolve_neg %r : !graph.tensor<4xcomplex<f32>>
  return %1 : !graph.tensor<4xcomplex<f32>>
}
