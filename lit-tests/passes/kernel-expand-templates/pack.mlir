// RUN: terrace-opt %s --convert-loop-to-kernel --kernel-schedule-templates --kernel-expand-templates --split-input-file | FileCheck %s

// A weight whose rows are the columns of the product: panels of 32 columns, the last one as far as it goes.
// CHECK-LABEL: kernel.func @linear.pack_0
// CHECK: kernel.load %{{.*}}[{{.*}} * 16 + {{.*}} : 16, %[[K:.*]]] : memref<57x128xf32>
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}}, %[[K]], {{.*}} : 16] : tensor<16xf32>, memref<2x128x32xf32>
// CHECK-LABEL: kernel.func @linear.pack_1
// CHECK: memref<57x128xf32>, %[[PANELS:.*]]: memref<2x128x32xf32>
// CHECK: kernel.load %{{.*}}[%{{.*}} + 32 : 32, %{{.*}}] valid(%c25) else
// CHECK-LABEL: kernel.func @linear.matmul_0
// CHECK: kernel.load %{{.*}}[%{{.*}} floordiv 32, %{{.*}} : 1, 0 : 32] : memref<2x128x32xf32>
// CHECK: kernel.load %{{.*}}[%{{.*}} floordiv 32, %{{.*}} : 1, 0 : 32] valid(%c1, %c25)
// CHECK-LABEL: func.func @linear
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x128x32xf32>
// CHECK: kernel.launch @linear.pack_0 grid [{{.*}}](%{{.*}}, %[[PANELS]])
// CHECK: kernel.launch @linear.pack_1 grid [{{.*}}](%{{.*}}, %[[PANELS]])
// CHECK: kernel.launch @linear.matmul_0 grid [2, {{.*}}](%{{.*}}, %[[PANELS]], %{{.*}})
// CHECK: memref.dealloc %[[PANELS]]
func.func @linear(%a: memref<2x20x128xf32>, %b: memref<57x128xf32>, %c: memref<2x20x57xf32>) {
  loop.reduction add (%p = 2, %i = 20, %j = 57) over (%k = 128) into %c {
    %x = loop.load %a[%p, %i, %k] : memref<2x20x128xf32>
    %y = loop.load %b[%j, %k] : memref<57x128xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<2x20x57xf32>
  return
}

// -----

// A left factor with rows and columns exchanged.
// CHECK-LABEL: kernel.func @transposed_left.matmul_0
// CHECK: kernel.load %{{.*}}[%{{.*}} : 10, %{{.*}} : 1] : memref<20x80xf32>
// CHECK-LABEL: func.func @transposed_left
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<20x80xf32>
// CHECK: kernel.launch @transposed_left.pack_0
func.func @transposed_left(%a: memref<64x20xf32>, %b: memref<64x32xf32>, %c: memref<20x32xf32>) {
  loop.reduction add (%i = 20, %j = 32) over (%k = 64) into %c {
    %x = loop.load %a[%k, %i] : memref<64x20xf32>
    %y = loop.load %b[%k, %j] : memref<64x32xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<20x32xf32>
  return
}

// -----

// Rows a page apart share places in the cache: both factors are packed, the left one into rows that are not.
// CHECK-LABEL: kernel.func @pages.matmul_0
// CHECK-SAME: (%{{.*}}: memref<64x1040xf32>, %{{.*}}: memref<32x1024x32xf32>,
func.func @pages(%a: memref<64x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<64x1024xf32>) {
  loop.reduction add (%i = 64, %j = 1024) over (%k = 1024) into %c {
    %x = loop.load %a[%i, %k] : memref<64x1024xf32>
    %y = loop.load %b[%k, %j] : memref<1024x1024xf32>
    %z = arith.mulf %x, %y : f32
    loop.yield %z : f32
  } : memref<64x1024xf32>
  return
}
