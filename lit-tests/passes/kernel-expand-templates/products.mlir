// RUN: terrace-opt %s --convert-loop-to-kernel --kernel-schedule-templates --kernel-expand-templates --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-loop-to-kernel --kernel-schedule-templates="dot-m=6 dot-n=16" --kernel-expand-templates --split-input-file | FileCheck %s --check-prefix=AVX2

// Register tiles of even rows; points that follow each other share a panel of columns.
// CHECK-LABEL: kernel.func @mm.matmul_0
// CHECK-SAME: (%[[A:.*]]: memref<128x256xf32>, %[[B:.*]]: memref<256x1024xf32>, %[[C:.*]]: memref<128x1024xf32>) grid(%[[GJ:.*]] in 32, %[[GI:.*]] in 16)
// CHECK: %[[J:.*]] = arith.muli %[[GJ]], %c32
// CHECK: %[[I:.*]] = arith.muli %[[GI]], %c8
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %c256 step %c1 iter_args(%[[ACC:.*]] = %{{.*}}) -> (tensor<8x32xf32>)
// CHECK: %[[X:.*]] = kernel.load %[[A]][%[[I]] : 8, %[[K]] : 1]
// CHECK: %[[Y:.*]] = kernel.load %[[B]][%[[K]] : 1, %[[J]] : 32]
// CHECK: kernel.dot %[[X]], %[[Y]], %[[ACC]]
// CHECK: kernel.store %[[SUM]], %[[C]][%[[I]] : 8, %[[J]] : 32]
// AVX2-LABEL: kernel.func @mm.matmul_0
// AVX2-SAME: grid(%{{.*}} in 64, %{{.*}} in 32)
// AVX2: kernel.dot %{{.*}} : tensor<4x1xf32>, tensor<1x16xf32>, tensor<4x16xf32>
func.func @mm(%a: memref<128x256xf32>, %b: memref<256x1024xf32>, %c: memref<128x1024xf32>) {
  loop.reduction add (%i = 128, %j = 1024) over (%k = 256) into %c {
    %x = loop.load %a[%i, %k] : memref<128x256xf32>
    %y = loop.load %b[%k, %j] : memref<256x1024xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<128x1024xf32>
  return
}

// -----

// A batch is a dimension of the grid. Rows that are left over are a tile of their own, columns a masked one.
// CHECK-LABEL: kernel.func @edges.matmul_0
// CHECK-SAME: grid(%[[P:.*]] in 3, %{{.*}} in 2, %{{.*}} in 2)
// CHECK: kernel.dot %{{.*}} : tensor<9x1xf32>, tensor<1x32xf32>, tensor<9x32xf32>
// CHECK: kernel.dot %{{.*}} : tensor<8x1xf32>, tensor<1x32xf32>, tensor<8x32xf32>
// CHECK: kernel.load %{{.*}}[%[[P]], %{{.*}} : 1, %{{.*}} : 8] valid(%c1, %c5) else %{{.*}} : memref<3x7x37xf32>, f32
// CHECK: kernel.dot %{{.*}} : tensor<9x1xf32>, tensor<1x8xf32>, tensor<9x8xf32>
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[P]], %{{.*}} : 9, %{{.*}} : 8] valid(%c9, %c5)
// CHECK: kernel.dot %{{.*}} : tensor<8x1xf32>, tensor<1x8xf32>, tensor<8x8xf32>
func.func @edges(%a: memref<3x17x7xf32>, %b: memref<3x7x37xf32>, %c: memref<3x17x37xf32>) {
  loop.reduction add (%p = 3, %i = 17, %j = 37) over (%k = 7) into %c {
    %x = loop.load %a[%p, %i, %k] : memref<3x17x7xf32>
    %y = loop.load %b[%p, %k, %j] : memref<3x7x37xf32>
    %z = arith.mulf %y, %x : f32
    loop.yield %z : f32
  } : memref<3x17x37xf32>
  return
}

// -----

// An f64 takes the place of two columns.
// CHECK-LABEL: kernel.func @doubles.matmul_0
// CHECK: kernel.dot %{{.*}} : tensor<8x1xf64>, tensor<1x16xf64>, tensor<8x16xf64>
func.func @doubles(%a: memref<16x8xf64>, %b: memref<8x64xf64>, %c: memref<16x64xf64>) {
  loop.reduction add (%i = 16, %j = 64) over (%k = 8) into %c {
    %x = loop.load %a[%i, %k] : memref<16x8xf64>
    %y = loop.load %b[%k, %j] : memref<8x64xf64>
    %z = arith.mulf %x, %y : f64
    loop.yield %z : f64
  } : memref<16x64xf64>
  return
}

// -----

// How many rows are left over is known when the program runs: they go by four, then by one.
// CHECK-LABEL: kernel.func @rows_of_the_run.matmul_0
// CHECK-SAME: %[[N:[a-z0-9]+]]: index) grid
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %c9
// CHECK: %[[FULL:.*]] = arith.subi %[[N]], %[[REST]]
// CHECK: scf.for %{{.*}} step %c9 {
// CHECK: kernel.dot %{{.*}}, tensor<9x32xf32>
// CHECK: %[[ONES:.*]] = arith.remui %[[REST]], %c4
// CHECK: %[[FOURS:.*]] = arith.subi %[[N]], %[[ONES]]
// CHECK: arith.maxsi %{{.*}}, %[[FULL]]
// CHECK: arith.minsi %{{.*}}, %[[FOURS]]
// CHECK: scf.for %{{.*}} step %c4 {
// CHECK: tensor<4x32xf32>
// CHECK: arith.maxsi %{{.*}}, %[[FOURS]]
// CHECK: arith.minsi %{{.*}}, %[[N]]
// CHECK: scf.for %{{.*}} step %c1 {
// CHECK: tensor<1x32xf32>
func.func @rows_of_the_run(%x: memref<?x256xf32>, %w: memref<256x64xf32>, %y: memref<?x64xf32>, %n: index) {
  kernel.matmul (%m = %n, %j = 64) over (%k = 256) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<?x256xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %j] : memref<256x64xf32>
    loop.yield %a : f32
  } tile [9, 32] pack [false, false] : memref<?x64xf32>
  return
}
