// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-loop-to-kernel=blocks=132 --split-input-file | FileCheck %s --check-prefix=BLOCKS

// The right factor of a sum over several indices is read as it lies, its lines in one dimension; where many blocks are wanted it
// is copied.
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[X:.*]]: memref<2x8x34x34xf32>, %[[W:.*]]: memref<16x8x3x3xf32>, %[[Y:.*]]: memref<2x16x32x32xf32>)
// CHECK-NOT: memref.alloc
// CHECK: %[[LINES:.*]] = memref.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]]
// CHECK: kernel.matmul (%[[B:.*]] = 2, %[[I:.*]] = 32, %[[M:.*]] = 16, %[[N:.*]] = 32) over (%[[K:.*]] = 8, %[[H:.*]] = 3, %[[V:.*]] = 3) into %[[Y]] lhs {
// CHECK-NEXT: loop.load %[[W]][%[[M]], %[[K]], %[[H]], %[[V]]]
// CHECK: } rhs {
// CHECK-NEXT: loop.load %[[LINES]][%[[B]], %[[K]], (%[[I]] + %[[H]]) * 34 + %[[N]] + %[[V]]] : memref<2x8x1156xf32>
// CHECK: } epilogue(%[[SUM:.*]]: f32) {
// CHECK-NEXT: loop.yield %[[SUM]] at [%[[B]], %[[M]], %[[I]], %[[N]]] : f32
// BLOCKS-LABEL: func.func @convolution
// BLOCKS: kernel.launch @convolution.windows_0
func.func @convolution(%x: memref<2x8x34x34xf32>, %w: memref<16x8x3x3xf32>, %y: memref<2x16x32x32xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 32, %j = 32) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x34x34xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<2x16x32x32xf32>
  return
}

// -----

// A buffer whose rows lie apart has lines of its own dimension.
// CHECK-LABEL: func.func @slice
// CHECK-NOT: memref.collapse_shape
// CHECK: kernel.matmul (%[[I:.*]] = 64, %[[M:.*]] = 16, %[[N:.*]] = 64) over (%[[K:.*]] = 8, %[[H:.*]] = 3, %[[V:.*]] = 3)
// CHECK: loop.load %{{.*}}[%[[K]], %[[I]] + %[[H]], %[[N]] + %[[V]]] : memref<8x66x66xf32, strided<[8192, 80, 1]>>
func.func @slice(%x: memref<8x66x66xf32, strided<[8192, 80, 1]>>, %w: memref<16x8x3x3xf32>, %y: memref<16x64x64xf32>) {
  loop.reduction add (%o = 16, %i = 64, %j = 64) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<8x66x66xf32, strided<[8192, 80, 1]>>
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x64x64xf32>
  return
}

// -----

// A left factor whose inner indices are not side by side is copied.
// CHECK-LABEL: func.func @weight_apart
// CHECK: kernel.launch @weight_apart.windows_0 grid [{{.*}}](%[[W:.*]], %[[COPY:.*]]) : memref<8x16x3xf32>, memref<16x8x3xf32>
// CHECK: kernel.matmul (%[[M:.*]] = 16, %[[N:.*]] = 64) over (%[[K:.*]] = 8, %[[V:.*]] = 3)
// CHECK-NEXT: loop.load %[[COPY]][%[[M]], %[[K]], %[[V]]]
func.func @weight_apart(%x: memref<8x66xf32>, %w: memref<8x16x3xf32>, %y: memref<16x64xf32>) {
  loop.reduction add (%o = 16, %j = 64) over (%c = 8, %v = 3) into %y {
    %a = loop.load %x[%c, %j + %v] : memref<8x66xf32>
    %t = loop.load %w[%c, %o, %v] : memref<8x16x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x64xf32>
  return
}
