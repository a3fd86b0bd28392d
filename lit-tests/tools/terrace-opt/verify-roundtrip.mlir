// The suite's switch for round trips says this to every terrace-opt.

// RUN: terrace-opt %s --verify-roundtrip | FileCheck %s

// CHECK: graph.add_ %{{.*}}, %{{.*}} : !graph.tensor<3xf32>, !graph.tensor<3xf32>
func.func @f(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) {
  %0 = graph.add_ %x, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return
}
