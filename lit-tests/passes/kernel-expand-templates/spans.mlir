// RUN: terrace-opt %s --kernel-expand-templates --split-input-file | FileCheck %s

// Three lines of six columns, eight elements apart: a run of 22 elements is multiplied, as whole tiles of 16 and one of 8, and
// the sums of 18 of them are stored. The last of several inner dimensions is unrolled.
// CHECK-LABEL: kernel.func @convolution.matmul_0
// CHECK-SAME: grid(%[[L:.*]] in 2)
// CHECK: %[[FIRST:.*]] = arith.muli %[[L]], %c3
// CHECK: %[[SCRATCH:.*]] = memref.alloca() {{.*}} : memref<4x38xf32>
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %c2
// CHECK:   scf.for %[[H:.*]] = %{{.*}} to %c3
// CHECK-COUNT-3: kernel.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>
// CHECK-NOT: kernel.dot
// CHECK: kernel.store %{{.*}}, %[[SCRATCH]][%{{.*}} : 4, %{{.*}} : 16]
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     kernel.load %{{.*}} : 8] valid(%c6{{.*}}) else
// CHECK-COUNT-3: kernel.dot %{{.*}} : tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x8xf32>
// CHECK: scf.for %[[M:.*]] = %{{.*}} to %c4
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %c3
// CHECK:     %[[LINE:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK:     %[[FROM:.*]] = arith.muli %[[I]], %c8
// CHECK:     kernel.load %[[SCRATCH]][%[[M]], %{{.*}} : 8]
// CHECK:     kernel.store %{{.*}}, %{{.*}}[0, %{{.*}}, %[[LINE]], %{{.*}} : 8] valid(%c6
func.func @convolution(%x: memref<1x2x64xf32>, %w: memref<4x2x3x3xf32>, %y: memref<1x4x6x6xf32>) {
  kernel.matmul (%b = 1, %i = 6, %o = 4, %j = 6) over (%c = 2, %h = 3, %v = 3) into %y lhs {
    %a = loop.load %w[%o, %c, %h, %v] : memref<4x2x3x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[0, %c, (%i + %h) * 8 + %j + %v] : memref<1x2x64xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    loop.yield %sum at [0, %o, %i, %j] : f32
  } tile [4, 16] pack [false, false] span 3 : memref<1x4x6x6xf32>
  return
}

// -----

// Of four lines the last block of three has one, with code of its own. Without an epilogue rows go where they are.
// CHECK-LABEL: kernel.func @rest.matmul_0
// CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %c3
// CHECK-COUNT-2: kernel.dot
// CHECK: scf.for %{{.*}} = %{{.*}} to %c5
// CHECK: scf.for %{{.*}} = %{{.*}} to %c3
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}} : 1, %{{.*}} : 8] valid(%c1{{.*}}, %c6{{.*}}) : tensor<1x8xf32>, memref<4x5x6xf32>
// CHECK: scf.for %[[LAST:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: kernel.load %{{.*}}, %[[LAST]] * 8 + {{.*}} : 8] valid(%c1{{.*}}, %c6{{.*}})
// CHECK: kernel.dot
// CHECK-NOT: kernel.dot
func.func @rest(%x: memref<3x40xf32>, %w: memref<5x3xf32>, %y: memref<4x5x6xf32>) {
  kernel.matmul (%i = 4, %o = 5, %j = 6) over (%c = 3) into %y lhs {
    %a = loop.load %w[%o, %c] : memref<5x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%c, %i * 8 + %j] : memref<3x40xf32>
    loop.yield %a : f32
  } tile [5, 16] pack [false, false] span 3 : memref<4x5x6xf32>
  return
}
