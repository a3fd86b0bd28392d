// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// The windows of all images side by side, for the weight would be read for each of them; the sums go where they belong behind the product.
// CHECK-LABEL: kernel.func @small.windows_0
// CHECK-SAME: memref<4x512x6x6xf32>, %{{.*}}: memref<512x3x3x4x4x4xf32>)
// CHECK-LABEL: func.func @small
// CHECK-SAME: (%{{.*}}, %[[W:.*]]: memref<128x512x3x3xf32>, %[[BIAS:.*]]: memref<128xf32>, %[[Y:.*]]: memref<4x128x4x4xf32>)
// CHECK: %[[SUMS:.*]] = memref.alloc() {{.*}} : memref<128x4x4x4xf32>
// CHECK: %[[SUMSN:.*]] = memref.collapse_shape %[[SUMS]] {{\[}}[0], [1, 2, 3]] : memref<128x4x4x4xf32> into memref<128x64xf32>
// CHECK: kernel.matmul (%[[M:.*]] = 128, %[[N:.*]] = 64) over (%[[K:.*]] = 4608) into %[[SUMSN]] lhs {
// CHECK-NEXT: loop.load %{{.*}}[%[[M]], %[[K]]] : memref<128x4608xf32>
// CHECK: } rhs {
// CHECK-NEXT: loop.load %{{.*}}[%[[K]], %[[N]]] : memref<4608x64xf32>
// CHECK: } : memref<128x64xf32>
// CHECK: kernel.launch @small.spread_0 grid [{{.*}}](%[[SUMS]], %[[BIAS]], %[[Y]])
func.func @small(%x: memref<4x512x6x6xf32>, %w: memref<128x512x3x3xf32>, %bias: memref<128xf32>, %y: memref<4x128x4x4xf32>) {
  loop.group (%b = 4, %o = 128, %i = 4, %j = 4) into (%y as %p : memref<4x128x4x4xf32>) {
    %s = loop.reduction add over (%c = 512, %h = 3, %v = 3) {
      %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<4x512x6x6xf32>
      %t = loop.load %w[%o, %c, %h, %v] : memref<128x512x3x3xf32>
      %q = arith.mulf %a, %t : f32
      loop.yield %q : f32
    } : f32
    %t = loop.load %bias[%o] : memref<128xf32>
    %r = arith.addf %s, %t : f32
    loop.in_parallel {
      loop.insert %r into %p at [%b, %o, %i, %j] : f32 into memref<4x128x4x4xf32>
    }
  }
  return
}

// -----

// As many images at a time as 2 MB of windows are of: two of eight. What is stored begins where they do.
// CHECK-LABEL: func.func @some
// CHECK: memref.alloc() {{.*}} : memref<256x3x3x4x7x7xf32>
// CHECK: memref.alloc() {{.*}} : memref<256x4x7x7xf32>
// CHECK: scf.for %[[S:.*]] = %{{.*}} to %c2{{.*}}
// CHECK: %[[FIRST:.*]] = arith.muli %[[S]], %c4{{.*}}
// CHECK: kernel.launch @some.windows_0 grid [{{.*}}](%[[FIRST]], %{{.*}}, %{{.*}})
// CHECK: kernel.matmul (%{{.*}} = 256, %{{.*}} = 196) over (%{{.*}} = 2304)
// CHECK: kernel.launch @some.spread_0 grid [{{.*}}](%[[FIRST]], %{{.*}}, %{{.*}})
func.func @some(%x: memref<8x256x9x9xf32>, %w: memref<256x256x3x3xf32>, %y: memref<8x256x7x7xf32>) {
  loop.reduction add (%b = 8, %o = 256, %i = 7, %j = 7) over (%c = 256, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%b, %c, %i + %h, %j + %v] : memref<8x256x9x9xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<256x256x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<8x256x7x7xf32>
  return
}

// -----

// Of one image there may be few columns where the weight is read as it lies.
// CHECK-LABEL: func.func @few_columns
// CHECK: kernel.matmul (%{{.*}} = 512, %{{.*}} = 4) over (%{{.*}} = 4608)
func.func @few_columns(%x: memref<512x4x4xf32>, %w: memref<512x512x3x3xf32>, %y: memref<512x2x2xf32>) {
  loop.reduction add (%o = 512, %i = 2, %j = 2) over (%c = 512, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<512x4x4xf32>
    %t = loop.load %w[%o, %c, %h, %v] : memref<512x512x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<512x2x2xf32>
  return
}

// -----

// A copy of the weight does not pay for so few.
// CHECK: kernel.func @few_columns_of_a_copy.reduction_0
// CHECK-NOT: kernel.matmul
func.func @few_columns_of_a_copy(%x: memref<512x4x4xf32>, %w: memref<512x512x3x3xf32>, %y: memref<512x2x2xf32>) {
  loop.reduction add (%o = 512, %i = 2, %j = 2) over (%c = 512, %h = 3, %v = 3) into %y {
    %a = loop.load %x[%c, %i + %h, %j + %v] : memref<512x4x4xf32>
    %t = loop.load %w[%c, %o, %h, %v] : memref<512x512x3x3xf32>
    %p = arith.mulf %a, %t : f32
    loop.yield %p : f32
  } : memref<512x2x2xf32>
  return
}
