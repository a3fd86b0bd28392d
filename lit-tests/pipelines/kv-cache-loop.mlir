// Sixteen tokens go one after another into a cache that a loop carries: each into the argument, no turn copies the cache.
// RUN: terrace-opt %s --pass-pipeline='builtin.module(functional-reinplace,terrace-to-loop)' | FileCheck %s
// RUN: terrace-opt %s --terrace-x86-64-v3 -o /dev/null

// CHECK: func.func @steps(%[[C:[a-z0-9]+]]: memref<1x8x4096x128xf32>
// CHECK-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// CHECK: scf.for
// CHECK: %[[W:.*]] = memref.subview %[[C]][0, 0, %{{.*}}, 0] [1, 8, 1, 128]
// CHECK: %[[R:.*]] = memref.collapse_shape %[[W]]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 128) into %[[R]]
// CHECK-NOT: alloc{{.*}} memref<1x8x4096x128xf32>
// CHECK: return %[[C]]
func.func @steps(%cache: tensor<1x8x4096x128xf32> {functional.donated = 0 : i64}, %k: tensor<16x1x8x128xf32>, %q: tensor<16x8x1x128xf32>, %out: tensor<16x8x1x128xf32> {functional.donated = 1 : i64}) -> (tensor<1x8x4096x128xf32>, tensor<16x8x1x128xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i16 = arith.constant 16 : index
  %r:2 = scf.for %i = %i0 to %i16 step %i1 iter_args(%c = %cache, %s = %out) -> (tensor<1x8x4096x128xf32>, tensor<16x8x1x128xf32>) {
    %p = arith.index_cast %i : index to i64
    %t = functional.select %k index [%p] : tensor<16x1x8x128xf32>
    %n = functional.select_scatter %c, %t index [%p] {dim = 2 : i64} : tensor<1x8x4096x128xf32>, tensor<1x8x128xf32>
    %b = functional.permute %n {dims = array<i64: 0, 1, 3, 2>} : tensor<1x8x4096x128xf32>
    %a = functional.select %q index [%p] : tensor<16x8x1x128xf32>
    %b8 = functional.view %b size [8, 128, 4096] : tensor<1x8x128x4096xf32>
    %m = functional.bmm %a, %b8 : tensor<8x1x128xf32>, tensor<8x128x4096xf32>
    %sm = functional.softmax %m {dim = -1 : i64} : tensor<8x1x4096xf32>
    %v = functional.view %n size [8, 4096, 128] : tensor<1x8x4096x128xf32>
    %o = functional.bmm %sm, %v : tensor<8x1x4096xf32>, tensor<8x4096x128xf32>
    %so = functional.select_scatter %s, %o index [%p] : tensor<16x8x1x128xf32>, tensor<8x1x128xf32>
    scf.yield %n, %so : tensor<1x8x4096x128xf32>, tensor<16x8x1x128xf32>
  }
  return %r#0, %r#1 : tensor<1x8x4096x128xf32>, tensor<16x8x1x128xf32>
}
