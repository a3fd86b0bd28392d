// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// A sum over several indices, of few columns: what belongs to a column is copied to stand in one, the weight has these indices side by side;
// columns that lie side by side are one dimension, and so are batches and channels while they are copied.
// CHECK-LABEL: kernel.func @convolution.windows_0
// CHECK-SAME: memref<16x7x7xf32>, %{{.*}}: memref<16x3x3x5x5xf32>)
// CHECK-LABEL: func.func @convolution
// CHECK-SAME: (%[[X:.*]]: memref<2x8x7x7xf32>, %[[W:.*]]: memref<64x8x3x3xf32>, %[[Y:.*]]: memref<2x64x5x5xf32>)
// CHECK: %[[WINDOWS:.*]] = memref.alloc() {{.*}} : memref<2x8x3x3x5x5xf32>
// CHECK: %[[CHANNELS:.*]] = memref.collapse_shape %[[WINDOWS]] {{\[}}[0, 1], [2], [3], [4], [5]]
// CHECK: %[[ALL:.*]] = memref.collapse_shape %[[X]] {{\[}}[0, 1], [2], [3]]
// CHECK: kernel.launch @convolution.windows_0 grid [{{.*}}](%[[ALL]], %[[CHANNELS]])
// CHECK: %[[YN:.*]] = memref.collapse_shape %[[Y]] {{\[}}[0], [1], [2, 3]]
// CHECK: %[[WK:.*]] = memref.collapse_shape %[[W]] {{\[}}[0], [1, 2, 3]]
// CHECK: %[[KN:.*]] = memref.collapse_shape %[[WINDOWS]] {{\[}}[0], [1, 2, 3], [4, 5]]
// CHECK: kernel.matmul (%[[B:.*]] = 2, %[[M:.*]] = 64, %[[N:.*]] = 25) over (%[[K:.*]] = 72) into %[[YN]] lhs {
// CHECK-NEXT: loop.load %[[WK]][%[[M]], %[[K]]] : memref<64x72xf32>
// CHECK: } rhs {
// CHECK-NEXT: loop.load %[[KN]][%[[B]], %[[K]], %[[N]]] : memref<2x72x25xf32>
// CHECK: } : memref<2x64x25xf32>
// CHECK: memref.dealloc %[[WINDOWS]]
func.func @convolution(%x: memref<2x8x7x7xf32>, %w: memref<64x8x3x3xf32>, %y: memref<2x64x5x5xf32>) {
  loop.reduction add (%b = 2, %o = 64, %i = 5, %j = 5) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x7x7xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<64x8x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<2x64x5x5xf32>
  return
}

// -----

// Sizes of one are summed over for nothing: no copy.
// CHECK-LABEL: func.func @pointwise
// CHECK-SAME: (%[[X:.*]]: memref<2x8x7x7xf32>, %[[W:.*]]: memref<16x8x1x1xf32>
// CHECK-NOT: memref.alloc
// CHECK: %[[XN:.*]] = memref.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]]
// CHECK: kernel.matmul (%[[B:.*]] = 2, %[[M:.*]] = 16, %[[N:.*]] = 49) over (%[[K:.*]] = 8)
// CHECK: loop.load %[[W]][%[[M]], %[[K]], 0, 0]
// CHECK: loop.load %[[XN]][%[[B]], %[[K]], %[[N]]]
func.func @pointwise(%x: memref<2x8x7x7xf32>, %w: memref<16x8x1x1xf32>, %y: memref<2x16x7x7xf32>) {
  loop.reduction add (%b = 2, %o = 16, %i = 7, %j = 7) over (%c = 8, %h = 1, %v = 1) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<2x8x7x7xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x8x1x1xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<2x16x7x7xf32>
  return
}

// -----

// A weight that has its inner indices apart is copied as well; a mask goes along with what it guards.
// CHECK-LABEL: kernel.func @transposed.windows_0
// CHECK-SAME: memref<8x16x3xf32>, %{{.*}}: memref<16x8x3xf32>)
// CHECK-LABEL: kernel.func @transposed.windows_1
// CHECK-SAME: memref<8x20xf32>, %{{.*}}: memref<8x3x20xf32>)
// CHECK: kernel.gather %{{.*}} mask
// CHECK: kernel.matmul (%[[M:.*]] = 16, %[[N:.*]] = 20) over (%[[K:.*]] = 24)
func.func @transposed(%x: memref<8x20xf32>, %w: memref<8x16x3xf32>, %y: memref<16x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %last = arith.constant 20 : index
  %one = arith.constant 1 : index
  loop.reduction add (%o = 16, %j = 20) over (%c = 8, %v = 3) into %y {
    %s = arith.addi %j, %v : index
    %d = arith.subi %s, %one : index
    %in = arith.cmpi ult, %d, %last : index
    %a = loop.load %x[%c, %j + %v - 1] if %in else %zero : memref<8x20xf32>, f32
    %t = loop.load %w[%c, %o, %v] : memref<8x16x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x20xf32>
  return
}

// -----

// What takes much memory is copied for one batch after the other; the size of the batch may be one of the run.
// CHECK-LABEL: func.func @batches
// CHECK: %[[WINDOWS:.*]] = memref.alloc() {{.*}} : memref<48x3x3x32x32xf32>
// CHECK: scf.for %[[B:.*]] = %c0 to %{{.*}} step %c1 {
// CHECK:   kernel.launch @batches.windows_0 grid [{{.*}}](%{{.*}}, %[[B]], %[[WINDOWS]])
// CHECK:   kernel.matmul (%[[M:.*]] = 16, %[[N:.*]] = 1024) over (%[[K:.*]] = 432)
// CHECK:   } epilogue(%[[SUM:.*]]: f32) {
// CHECK:     loop.yield %[[SUM]] at [%[[B]], %[[M]], %[[N]]]
// CHECK: }
// CHECK: memref.dealloc %[[WINDOWS]]
func.func @batches(%n: index, %x: memref<?x48x65x65xf32>, %w: memref<16x48x3x3xf32>, %y: memref<?x16x32x32xf32>) {
  loop.reduction add (%b = %n, %o = 16, %i = 32, %j = 32) over (%c = 48, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i * 2 + %h, %j * 2 + %v] : memref<?x48x65x65xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x48x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<?x16x32x32xf32>
  return
}

// -----

// Few rows do not pay for the copy,
// CHECK: kernel.func @few_rows.reduction_0
// CHECK-NOT: kernel.matmul
func.func @few_rows(%x: memref<8x9x9xf32>, %w: memref<4x8x3x3xf32>, %y: memref<4x7x7xf32>) {
  loop.reduction add (%o = 4, %i = 7, %j = 7) over (%c = 8, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<8x9x9xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<4x8x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<4x7x7xf32>
  return
}

// -----

// but where each of them would find out anew which places of the windows are inside.
// CHECK: kernel.func @few_masked_rows.windows_0
// CHECK: kernel.matmul
func.func @few_masked_rows(%x: memref<8x9x9xf32>, %w: memref<4x8x3x3xf32>, %y: memref<4x9x9xf32>) {
  loop.reduction add (%o = 4, %i = 9, %j = 9) over (%c = 8, %h = 3, %v = 3) into %y {
    %one = arith.constant 1 : index
    %nine = arith.constant 9 : index
    %zero = arith.constant 0.0 : f32
    %n = arith.addi %j, %v : index
    %m = arith.subi %n, %one : index
    %in = arith.cmpi ult, %m, %nine : index
    %a = loop.load %x[%c, %i + %h - 1, %j + %v - 1] if %in else %zero : memref<8x9x9xf32>, f32
    %t = loop.load %w[%o, %c, %h, %v] : memref<4x8x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<4x9x9xf32>
  return
}

// -----

// Nor does what would take more memory than it is worth: a line of so many windows is not taken in parts, for it has no divisor.
// CHECK: kernel.func @large.reduction_0
// CHECK-NOT: kernel.matmul
func.func @large(%x: memref<512x4000009xf32>, %w: memref<16x512x3xf32>, %y: memref<16x2000003xf32>) {
  loop.reduction add (%o = 16, %i = 2000003) over (%c = 512, %h = 3) into %y {
    %a = loop.load %x[%c, 2 * %i + %h] : memref<512x4000009xf32>
    %t = loop.load %w[%o, %c, %h] : memref<16x512x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x2000003xf32>
  return
}

// -----

// A line that is longer than any memory is not tried in parts of each size.
// CHECK: kernel.func @endless.reduction_0
// CHECK-NOT: kernel.matmul
func.func @endless(%x: memref<8x2000000000079xf32>, %w: memref<16x8x3xf32>, %y: memref<16x1000000000039xf32>) {
  loop.reduction add (%o = 16, %i = 1000000000039) over (%c = 8, %h = 3) into %y {
    %a = loop.load %x[%c, 2 * %i + %h] : memref<8x2000000000079xf32>
    %t = loop.load %w[%o, %c, %h] : memref<16x8x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x1000000000039xf32>
  return
}

// -----

// Nothing is copied of a large image that is read as it lies.
// CHECK-LABEL: func.func @large_lines
// CHECK-NOT: memref.alloc
// CHECK: kernel.matmul
func.func @large_lines(%x: memref<512x1026x1026xf32>, %w: memref<16x512x3x3xf32>, %y: memref<16x1024x1024xf32>) {
  loop.reduction add (%o = 16, %i = 1024, %j = 1024) over (%c = 512, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<512x1026x1026xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<16x512x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<16x1024x1024xf32>
  return
}

// -----

// Copied for one batch after the other, and of its rows 16 at a time: 2 MB of windows. What is read and written begins where the slab does.
// CHECK-LABEL: func.func @slabs
// CHECK: memref.alloc() {{.*}} : memref<32x3x3x16x112xf32>
// CHECK: scf.for %[[B:.*]] = %{{.*}} to %c2{{.*}}
// CHECK: scf.for %[[S:.*]] = %{{.*}} to %c7{{.*}}
// CHECK: %[[ROW:.*]] = arith.muli %[[S]], %c16{{.*}}
// CHECK: kernel.launch @slabs.windows_0 grid [{{.*}}](%[[ROW]], %{{.*}}, %[[B]], %{{.*}})
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %c112{{.*}}
// CHECK: kernel.matmul (%[[M:.*]] = 32, %[[N:.*]] = 1792) over (%{{.*}} = 288)
// CHECK: loop.yield %{{.*}} at [%[[B]], %[[M]], %[[N]] + %[[FIRST]]]
func.func @slabs(%x: memref<2x32x225x225xf32>, %w: memref<32x32x3x3xf32>, %y: memref<2x32x112x112xf32>) {
  loop.reduction add (%b = 2, %o = 32, %i = 112, %j = 112) over (%c = 32, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i * 2 + %h, %j * 2 + %v] : memref<2x32x225x225xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<32x32x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<2x32x112x112xf32>
  return
}

// -----

// Any number of batches: one after the other, each in slabs of the same size.
// CHECK-LABEL: func.func @slabs_of_any_batch
// CHECK: memref.alloc() {{.*}} : memref<32x3x3x16x112xf32>
// CHECK: scf.for
// CHECK: scf.for %{{.*}} = %{{.*}} to %c7{{.*}}
// CHECK: kernel.matmul (%{{.*}} = 32, %{{.*}} = 1792) over (%{{.*}} = 288)
func.func @slabs_of_any_batch(%n: index, %x: memref<?x32x225x225xf32>, %w: memref<32x32x3x3xf32>, %y: memref<?x32x112x112xf32>) {
  loop.reduction add (%b = %n, %o = 32, %i = 112, %j = 112) over (%c = 32, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i * 2 + %h, %j * 2 + %v] : memref<?x32x225x225xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<32x32x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<?x32x112x112xf32>
  return
}
