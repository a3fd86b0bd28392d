// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// What is left out draws all the same: factories, fills, dropout that drops; not dropout that has nothing to do.
// CHECK-LABEL: func.func @line(
// CHECK-LABEL: func.func @line.fake
// CHECK: graph.skip_draws 6
// CHECK-LABEL: func.func @line.materialize_0
// CHECK: graph.set_generator_state %arg0, %arg1
// CHECK: graph.skip_draws 4
// CHECK-NEXT: graph.normal_
// CHECK-NOT: graph.skip_draws
// CHECK: graph.set_generator_state
func.func @line() -> !graph.tensor<2xf32> {
  %0 = graph.rand [3] {dtype = f32}
  %1 = graph.uniform_ %0 : !graph.tensor<3xf32>
  %2 = graph.dropout %0 {p = 0.5, train = true} : !graph.tensor<3xf32>
  %3 = graph.dropout %0 {p = 0.5, train = false} : !graph.tensor<3xf32>
  %4 = graph.randperm {n = 4 : i64}
  %e = graph.empty [2]
  %w = graph.normal_ %e : !graph.tensor<2xf32>
  %5 = graph.randn [3] {dtype = f32}
  return %w : !graph.tensor<2xf32>
}

// Of a loop that runs a number of times that is known, and of ways that draw equally often, the count is known.
// CHECK-LABEL: func.func @counted(
// CHECK-LABEL: func.func @counted.materialize_0
// CHECK-NOT: scf.
// CHECK: graph.skip_draws 9
// CHECK-NEXT: graph.rand
func.func @counted(%which: i1) -> !graph.tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = graph.empty [2]
  scf.for %i = %c0 to %c4 step %c1 {
    %0 = graph.normal_ %e : !graph.tensor<2xf32>
    %1 = graph.uniform_ %e : !graph.tensor<2xf32>
  }
  scf.if %which {
    %0 = graph.normal_ %e : !graph.tensor<2xf32>
  } else {
    %0 = graph.uniform_ %e : !graph.tensor<2xf32>
  }
  %w = graph.rand [2] {dtype = f32}
  return %w : !graph.tensor<2xf32>
}

// Else the control flow stays for that alone, also in what only says what there is.
// CHECK-LABEL: func.func @open(
// CHECK-LABEL: func.func @open.fake
// CHECK: scf.if %arg0 {
// CHECK-NEXT: graph.skip_draws 2
// CHECK-NEXT: }
// CHECK: scf.for %{{.*}} = %{{.*}} to %arg1
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: }
// CHECK: graph.skip_draws 1
// CHECK-NEXT: return
// CHECK-LABEL: func.func @open.materialize_0
// CHECK: scf.if %arg0 {
// CHECK-NEXT: graph.skip_draws 2
// CHECK: scf.for
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: }
// CHECK-NEXT: graph.rand
func.func @open(%which: i1, %n: index) -> !graph.tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = graph.empty [2]
  scf.if %which {
    %0 = graph.normal_ %e : !graph.tensor<2xf32>
    %1 = graph.normal_ %e : !graph.tensor<2xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %0 = graph.normal_ %e : !graph.tensor<2xf32>
  }
  %w = graph.rand [2] {dtype = f32}
  return %w : !graph.tensor<2xf32>
}

// Inside of a loop what is left out is skipped on each of its rounds, before and after what is drawn.
// CHECK-LABEL: func.func @inside(
// CHECK-LABEL: func.func @inside.materialize_0
// CHECK: scf.for
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: graph.normal_
// CHECK-NEXT: graph.skip_draws 2
// CHECK-NEXT: }
// CHECK-NEXT: graph.set_generator_state
// CHECK-LABEL: func.func @inside.materialize_1
// CHECK: scf.for
// CHECK-NEXT: graph.uniform_
// CHECK-NEXT: graph.skip_draws 1
// CHECK-NEXT: graph.uniform_
// CHECK-NEXT: graph.uniform_
// CHECK-NEXT: }
func.func @inside(%n: index) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = graph.empty [2]
  %b = graph.empty [2]
  scf.for %i = %c0 to %n step %c1 {
    %0 = graph.uniform_ %b : !graph.tensor<2xf32>
    %1 = graph.normal_ %a : !graph.tensor<2xf32>
    %2 = graph.uniform_ %b : !graph.tensor<2xf32>
    %3 = graph.uniform_ %b : !graph.tensor<2xf32>
  }
  return %a, %b : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}
