// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// The state of the generator is an operand and a result of the core; each draw takes one version and makes the next, on the way that is taken.
// CHECK-LABEL: func.func private @f.core
//  CHECK-SAME:   (%[[X:.*]]: tensor<4xf32>, %[[C:.*]]: i1, %[[S:.*]]: tensor<2xi64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xi64>)
//       CHECK:   %[[S1:.*]] = functional.skip_draws %[[S]] {count = 1 : i64}
//       CHECK:   %[[N:.*]] = functional.random_normal %[[S]] {mean = 0.000000e+00 : f64, std = 1.000000e+00 : f64}
//       CHECK:   %[[IF:.*]]:2 = scf.if %[[C]] -> (tensor<4xf32>, tensor<2xi64>)
//       CHECK:     %[[S2:.*]] = functional.skip_draws %[[S1]]
//       CHECK:     %[[U:.*]] = functional.random_uniform %[[S1]]
//       CHECK:     scf.yield %[[U]], %[[S2]]
//       CHECK:     scf.yield %[[X]], %[[S1]]
//       CHECK:   %[[S3:.*]] = functional.skip_draws %[[IF]]#1 {count = 4 : i64}
//       CHECK:   return %[[N]], %[[IF]]#0, %[[S3]]
// CHECK-LABEL: func.func @f(
//       CHECK:   %[[SEED:.*]], %[[DRAWN:.*]] = graph.generator_state
//       CHECK:   %[[STATE:.*]] = tensor.from_elements %[[SEED]], %[[DRAWN]]
//       CHECK:   %[[R:.*]]:3 = call @f.core(%{{.*}}, %{{.*}}, %[[STATE]])
//       CHECK:   %[[A:.*]] = tensor.extract %[[R]]#2[%c0]
//       CHECK:   %[[B:.*]] = tensor.extract %[[R]]#2[%c1]
//       CHECK:   graph.set_generator_state %[[A]], %[[B]]
func.func @f(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> {
  %0 = graph.randn [4] {dtype = f32}
  scf.if %c {
    %1 = graph.uniform_ %x : !graph.tensor<4xf32>
  }
  graph.skip_draws 4
  return %0 : !graph.tensor<4xf32>
}

// What may draw by itself finds the generator up to date, and is asked afterwards.
// CHECK-LABEL: func.func private @g.core
//       CHECK:   functional.random_uniform
//       CHECK:   graph.set_generator_state
//       CHECK:   call @elsewhere
//       CHECK:   %[[SEED:.*]], %[[DRAWN:.*]] = graph.generator_state
//       CHECK:   %[[S:.*]] = tensor.from_elements %[[SEED]], %[[DRAWN]]
//       CHECK:   functional.random_uniform %[[S]]
func.func private @elsewhere()
func.func @g() -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %0 = graph.rand [4] {dtype = f32}
  func.call @elsewhere() : () -> ()
  %1 = graph.rand [4] {dtype = f32}
  return %0, %1 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// Who asks for the state alone does not change it.
// CHECK-LABEL: func.func @h(
//   CHECK-NOT:   graph.set_generator_state
func.func @h(%x: !graph.tensor<4xf32>) -> (i64, i64) {
  %seed, %drawn = graph.generator_state
  return %seed, %drawn : i64, i64
}
