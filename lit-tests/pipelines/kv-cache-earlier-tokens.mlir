// What was read of the cache as it was before the write are other tokens: it is read after it just as well.
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s

// CHECK: func.func @step(%[[C:[a-z0-9]+]]: memref<1x8x4096x128xf32>
// CHECK-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// CHECK: memref.subview %[[C]][0, 0, 17, 0] [1, 8, 1, 128]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 128) into
// CHECK-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// CHECK: return
func.func @step(%cache: !graph.tensor<1x8x4096x128xf32> {graph.storage = "cache"}, %k: !graph.tensor<1x8x1x128xf32> {graph.storage = "k"}) -> (!graph.tensor<1x8x128xf32>, !graph.tensor<1x8x4096x128xf32>) {
  %at = graph.slice %cache start [17] end [18] step [1] {dim = 2 : i64} : !graph.tensor<1x8x4096x128xf32>
  %w = graph.copy_ %at, %k : !graph.tensor<1x8x1x128xf32>, !graph.tensor<1x8x1x128xf32>
  %earlier = graph.slice %cache start [0] end [17] step [1] {dim = 2 : i64} : !graph.tensor<1x8x4096x128xf32>
  %s = graph.sum %earlier {dim = array<i64: 2>} : !graph.tensor<1x8x17x128xf32>
  %first = graph.slice %cache start [0] end [32] step [1] {dim = 2 : i64} : !graph.tensor<1x8x4096x128xf32>
  %t = graph.sum %first {dim = array<i64: 2>} : !graph.tensor<1x8x32x128xf32>
  %u = graph.add %s, %t : !graph.tensor<1x8x128xf32>, !graph.tensor<1x8x128xf32>
  return %u, %cache : !graph.tensor<1x8x128xf32>, !graph.tensor<1x8x4096x128xf32>
}
