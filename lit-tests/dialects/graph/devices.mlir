// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @factories
func.func @factories(%x: !graph.tensor<2xf32, "cuda:1">) {
  // A device without a number is its first one.
  // CHECK: graph.zeros {{.*}}device = "cuda"
  %0 = graph.zeros [2] {dtype = f32, device = "cuda"}
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32, "cuda:0">
  %1 = graph.neg %0 : !graph.tensor<2xf32, "cuda:0">
  %2 = graph.rand [2] {device = "meta:0"}
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32, "meta">
  %3 = graph.neg %2 : !graph.tensor<2xf32, "meta">
  // A tensor like another one is where that is, unless it is told.
  %4 = graph.zeros_like %x : !graph.tensor<2xf32, "cuda:1">
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32, "cuda:1">
  %5 = graph.neg %4 : !graph.tensor<2xf32, "cuda:1">
  %6 = graph.new_zeros %x size [3] {device = "cpu:0"} : !graph.tensor<2xf32, "cuda:1">
  // CHECK: graph.neg %{{.*}} : !graph.tensor<3xf32>
  %7 = graph.neg %6 : !graph.tensor<3xf32>
  // CHECK: graph.to {{.*}}device = "cpu"
  %8 = graph.to %5 {device = "cpu"} : !graph.tensor<2xf32, "cuda:1">
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32>
  %9 = graph.neg %8 : !graph.tensor<2xf32>
  return
}

// A tensor without dimensions goes along from the CPU with pointwise operators, on either side.
// CHECK-LABEL: func.func @scalars
func.func @scalars(%x: !graph.tensor<2xf32, "cuda:0">, %k: !graph.tensor<f32>, %c: !graph.tensor<i1>) {
  %0 = graph.add %k, %x : !graph.tensor<f32>, !graph.tensor<2xf32, "cuda:0">
  %1 = graph.mul_ %0, %k : !graph.tensor<2xf32, "cuda:0">, !graph.tensor<f32>
  // As many as there are go with `where`.
  %2 = graph.where %c, %k, %1 : !graph.tensor<i1>, !graph.tensor<f32>, !graph.tensor<2xf32, "cuda:0">
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32, "cuda:0">
  %3 = graph.neg %2 : !graph.tensor<2xf32, "cuda:0">
  return
}

// Copies, sizes and indices come from elsewhere.
// CHECK-LABEL: func.func @elsewhere
func.func @elsewhere(%x: !graph.tensor<4xf32, "cuda:0">, %y: !graph.tensor<4xf32>, %i: !graph.tensor<2xi64>) {
  %0 = graph.copy_ %x, %y : !graph.tensor<4xf32, "cuda:0">, !graph.tensor<4xf32>
  %1 = graph.index %0[%i] {present = array<i1: true>} : !graph.tensor<4xf32, "cuda:0">[!graph.tensor<2xi64>]
  // CHECK: graph.neg %{{.*}} : !graph.tensor<2xf32, "cuda:0">
  %2 = graph.neg %1 : !graph.tensor<2xf32, "cuda:0">
  %3 = graph.reshape_as %0, %y : !graph.tensor<4xf32, "cuda:0">, !graph.tensor<4xf32>
  %4 = graph.type_as %3, %y : !graph.tensor<4xf32, "cuda:0">, !graph.tensor<4xf32>
  // CHECK: graph.neg %{{.*}} : !graph.tensor<4xf32>
  %5 = graph.neg %4 : !graph.tensor<4xf32>
  return
}
