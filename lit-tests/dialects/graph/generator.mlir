// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt %s --cse --canonicalize | FileCheck %s

// The generator's order stays, though nothing uses the results.
// CHECK-LABEL: func.func @generator
// CHECK: %[[SEED:.*]], %[[DRAWN:.*]] = graph.generator_state
// CHECK-NEXT: graph.skip_draws 3
// CHECK-NEXT: graph.rand [2]
// CHECK-NEXT: graph.set_generator_state %[[SEED]], %[[DRAWN]]
func.func @generator() -> !graph.tensor<2xf32> {
  %seed, %drawn = graph.generator_state
  graph.skip_draws 3
  %0 = graph.rand [2] {dtype = f32}
  graph.set_generator_state %seed, %drawn
  return %0 : !graph.tensor<2xf32>
}

// Two fake tensors are two storages.
// CHECK-LABEL: func.func @fake
// CHECK: %[[A:.*]] = graph.fake [%arg0, 4] {device = "cuda:0", dtype = f32}
// CHECK-NEXT: %[[B:.*]] = graph.fake [%arg0, 4] {device = "cuda:0", dtype = f32}
// CHECK-NEXT: return %[[A]], %[[B]] : !graph.tensor<?x4xf32, "cuda:0">, !graph.tensor<?x4xf32, "cuda:0">
func.func @fake(%n: i64) -> (!graph.tensor<?x4xf32, "cuda:0">, !graph.tensor<?x4xf32, "cuda:0">) {
  %a = graph.fake [%n, 4] {dtype = f32, device = "cuda:0"}
  %b = graph.fake [%n, 4] {dtype = f32, device = "cuda:0"}
  return %a, %b : !graph.tensor<?x4xf32, "cuda:0">, !graph.tensor<?x4xf32, "cuda:0">
}
