// One token goes into a cache of 16 MB, which attention reads: the token's rows alone are written, into the argument.
// RUN: terrace-opt %s --terrace-to-functional | FileCheck %s --check-prefix=FUNCTIONAL
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s --check-prefix=LOOP

// FUNCTIONAL: func.func private @step.core(%[[C:[a-z0-9]+]]: tensor<1x8x4096x128xf32> {functional.donated = 1 : i64}
// FUNCTIONAL: functional.slice_scatter %[[C]], {{.*}}functional.in_place = 0 : i64
// FUNCTIONAL-NOT: functional.in_place = {{.*}} tensor<1x8x4096x128xf32>
// FUNCTIONAL: func.func @step(

// LOOP: func.func @step(%[[C:[a-z0-9]+]]: memref<1x8x4096x128xf32>
// LOOP-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// LOOP: memref.subview %[[C]][0, 0, 17, 0] [1, 8, 1, 128]
// LOOP: loop.pointwise (%{{.*}} = 8, %{{.*}} = 128) into
// LOOP: } : memref<8x128xf32, strided<[524288, 1], offset: 2176>>
// LOOP-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// LOOP-NOT: } : memref<1x8x4096x128xf32>
// LOOP: return
func.func @step(%cache: !graph.tensor<1x8x4096x128xf32> {graph.storage = "cache"}, %k: !graph.tensor<1x8x1x128xf32> {graph.storage = "k"}, %q: !graph.tensor<1x8x1x128xf32> {graph.storage="q"}) -> !graph.tensor<1x8x1x128xf32> {
  %at = graph.slice %cache start [17] end [18] step [1] {dim = 2 : i64} : !graph.tensor<1x8x4096x128xf32>
  %w = graph.copy_ %at, %k : !graph.tensor<1x8x1x128xf32>, !graph.tensor<1x8x1x128xf32>
  %kt = graph.transpose %cache {dim0 = 2 : i64, dim1 = 3 : i64} : !graph.tensor<1x8x4096x128xf32>
  %s = graph.matmul %q, %kt : !graph.tensor<1x8x1x128xf32>, !graph.tensor<1x8x128x4096xf32>
  %p = graph.softmax %s {dim = -1 : i64} : !graph.tensor<1x8x1x4096xf32>
  %o = graph.matmul %p, %cache : !graph.tensor<1x8x1x4096xf32>, !graph.tensor<1x8x4096x128xf32>
  return %o : !graph.tensor<1x8x1x128xf32>
}
