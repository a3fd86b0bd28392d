// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @compared
func.func @compared(%x: !graph.tensor<4x3xf32>, %i: !graph.tensor<7xi64>, %m: !graph.tensor<3xi1>) {
  %k = arith.constant 0 : i64
  // CHECK: graph.argmax %{{.*}} {dim = 1 : i64, keepdim = true} : !graph.tensor<4x3xf32>
  %0 = graph.argmax %x {dim = 1, keepdim = true} : !graph.tensor<4x3xf32>
  // CHECK: %[[V:.*]], %[[P:.*]] = graph.max.dim %{{.*}} {dim = 0 : i64} : !graph.tensor<4x3xf32>
  // CHECK: graph.neg %[[P]] : !graph.tensor<3xi64>
  %1:2 = graph.max.dim %x {dim = 0} : !graph.tensor<4x3xf32>
  %2 = graph.neg %1#1 : !graph.tensor<3xi64>
  // CHECK: graph.sort %{{.*}} {descending = true, dim = 0 : i64, stable = true} : !graph.tensor<4x3xf32>
  %3:2 = graph.sort %x {stable = true, dim = 0, descending = true} : !graph.tensor<4x3xf32>
  // CHECK: %[[T:.*]], %{{.*}} = graph.topk %{{.*}} {dim = 0 : i64, k = 2 : i64} : !graph.tensor<4x3xf32>
  // CHECK: graph.min.other %[[T]], %{{.*}} : !graph.tensor<2x3xf32>, !graph.tensor<3xi1>
  %4:2 = graph.topk %x {k = 2, dim = 0} : !graph.tensor<4x3xf32>
  %5 = graph.min.other %4#0, %m : !graph.tensor<2x3xf32>, !graph.tensor<3xi1>
  // CHECK: %[[N:.*]] = graph.nonzero %{{.*}} : !graph.tensor<4x3xf32>
  // CHECK: graph.neg %[[N]] : !graph.tensor<?x2xi64>
  %6 = graph.nonzero %x : !graph.tensor<4x3xf32>
  %7 = graph.neg %6 : !graph.tensor<?x2xi64>
  // CHECK: %[[S:.*]] = graph.masked_select %{{.*}}, %{{.*}} : !graph.tensor<4x3xf32>, !graph.tensor<3xi1>
  // CHECK: graph.neg %[[S]] : !graph.tensor<?xf32>
  %8 = graph.masked_select %x, %m : !graph.tensor<4x3xf32>, !graph.tensor<3xi1>
  %9 = graph.neg %8 : !graph.tensor<?xf32>
  // CHECK: graph.var %{{.*}} correction %{{.*}} : i64 {dim = array<i64: 1>} : !graph.tensor<4x3xf32>
  %10 = graph.var %x correction %k : i64 {dim = array<i64: 1>} : !graph.tensor<4x3xf32>
  // CHECK: graph.clamp %{{.*}} max %{{.*}} : i64 : !graph.tensor<4x3xf32>
  %11 = graph.clamp %x max %k : i64 : !graph.tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @smallest_and_largest
// CHECK: graph.aminmax %{{.*}} : !graph.tensor<4x3xf32>
// CHECK: graph.aminmax %{{.*}} {dim = -1 : i64, keepdim = true} : !graph.tensor<4x3xf32>
func.func @smallest_and_largest(%x: !graph.tensor<4x3xf32>) -> (!graph.tensor<f32>, !graph.tensor<4x1xf32>) {
  %0:2 = graph.aminmax %x : !graph.tensor<4x3xf32>
  %1:2 = graph.aminmax %x {dim = -1, keepdim = true} : !graph.tensor<4x3xf32>
  return %0#0, %1#1 : !graph.tensor<f32>, !graph.tensor<4x1xf32>
}

// CHECK-LABEL: func.func @up_to_each_place
// CHECK: graph.logcumsumexp %{{.*}} {dim = -1 : i64} : !graph.tensor<4x3xbf16>
func.func @up_to_each_place(%x: !graph.tensor<4x3xbf16>) -> !graph.tensor<4x3xbf16> {
  %0 = graph.logcumsumexp %x {dim = -1} : !graph.tensor<4x3xbf16>
  return %0 : !graph.tensor<4x3xbf16>
}
