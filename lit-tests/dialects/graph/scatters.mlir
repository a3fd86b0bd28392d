// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @places
func.func @places(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<2x3xi64>, %v: !graph.tensor<2xi64>, %s: !graph.tensor<2x3xf32>) {
  %k = arith.constant 2.0 : f64
  // CHECK: %[[G:.*]] = graph.gather %{{.*}}, %{{.*}} {dim = 0 : i64} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>
  // CHECK: graph.neg %[[G]] : !graph.tensor<2x3xf32>
  %0 = graph.gather %x, %i {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>
  %1 = graph.neg %0 : !graph.tensor<2x3xf32>
  // CHECK: graph.scatter_.src %{{.*}}, %{{.*}}, %{{.*}} {dim = 0 : i64} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  %2 = graph.scatter_.src %x, %i, %s {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  // CHECK: graph.scatter.value %{{.*}}, %{{.*}}, %{{.*}} {dim = 0 : i64} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, f64
  %3 = graph.scatter.value %x, %i, %k {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, f64
  // CHECK: graph.scatter_reduce.two %{{.*}}, %{{.*}}, %{{.*}} {dim = 0 : i64, include_self = false, reduce = "amax"}
  %4 = graph.scatter_reduce.two %x, %i, %s {dim = 0, reduce = "amax", include_self = false} : !graph.tensor<4x3xf32>, !graph.tensor<2x3xi64>, !graph.tensor<2x3xf32>
  // CHECK: %[[S:.*]] = graph.index_select %{{.*}}, %{{.*}} {dim = 0 : i64} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>
  // CHECK: graph.neg %[[S]] : !graph.tensor<2x3xf32>
  %5 = graph.index_select %x, %v {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>
  %6 = graph.neg %5 : !graph.tensor<2x3xf32>
  // CHECK: graph.index_add_ %{{.*}}, %{{.*}}, %{{.*}} alpha %{{.*}} : f64 {dim = 0 : i64} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2x3xf32>
  %7 = graph.index_add_ %x, %v, %s alpha %k : f64 {dim = 0} : !graph.tensor<4x3xf32>, !graph.tensor<2xi64>, !graph.tensor<2x3xf32>
  // CHECK: graph.index_put_ %{{.*}}[%{{.*}}], %{{.*}} {accumulate = true, present = array<i1: true>} : !graph.tensor<4x3xf32>[!graph.tensor<2xi64>], !graph.tensor<2x3xf32>
  %8 = graph.index_put_ %x[%v], %s {present = array<i1: true>, accumulate = true} : !graph.tensor<4x3xf32>[!graph.tensor<2xi64>], !graph.tensor<2x3xf32>
  // CHECK: graph.slice_scatter %{{.*}}, %{{.*}} start [0] end [2] step [1] : !graph.tensor<4x3xf32>, !graph.tensor<2x3xf32>
  %9 = graph.slice_scatter %x, %s start [0] end [2] step [1] : !graph.tensor<4x3xf32>, !graph.tensor<2x3xf32>
  return
}
