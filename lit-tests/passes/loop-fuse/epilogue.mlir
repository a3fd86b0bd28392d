// RUN: terrace-opt %s --loop-fuse --split-input-file | FileCheck %s
// RUN: terrace-opt %s --loop-fuse --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --convert-loop-to-kernel --split-input-file | FileCheck %s --check-prefix=KERNEL

// A product, its bias and what follows: one group, and then one template with an epilogue.
// CHECK-LABEL: func.func @gelu
// CHECK: loop.group (%[[M:.*]] = 64, %[[N:.*]] = 32) into (%{{.*}} as %[[Y:.*]] : tensor<64x32xf32>)
// CHECK: %[[SUM:.*]] = loop.reduction add over (%{{.*}} = 48)
// CHECK: %[[B:.*]] = loop.load %{{.*}}[%[[N]]] : tensor<32xf32>
// CHECK: %[[S:.*]] = arith.addf %[[SUM]], %[[B]]
// CHECK: %[[T:.*]] = math.tanh %[[S]]
// CHECK: loop.insert %[[T]] into %[[Y]] at [%[[M]], %[[N]]]
// KERNEL-LABEL: func.func @gelu
// KERNEL: kernel.matmul (%{{.*}} = 64, %{{.*}} = 32) over (%{{.*}} = 48) into
// KERNEL: epilogue(%[[SUM:.*]]: f32)
// KERNEL: arith.addf %[[SUM]]
// KERNEL: %[[T:.*]] = math.tanh
// KERNEL: loop.yield %[[T]] : f32
// KERNEL-NOT: kernel.launch
func.func @gelu(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %p0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%i = 64, %j = 32) over (%k = 48) into %p0 {
    %l = loop.load %x[%i, %k] : tensor<64x48xf32>
    %r = loop.load %w[%j, %k] : tensor<32x48xf32>
    %m = arith.mulf %l, %r : f32
    loop.yield %m : f32
  } : tensor<64x32xf32>
  %y0 = tensor.empty() : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %p[%i, %j] : tensor<64x32xf32>
    %c = loop.load %b[%j] : tensor<32xf32>
    %s = arith.addf %a, %c : f32
    %t = math.tanh %s : f32
    loop.yield %t : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// -----

// The operation sees the product's rows as two dimensions: each of its points is where the product's element is.
// CHECK-LABEL: func.func @split_rows
// CHECK: loop.group (%[[M:.*]] = 64, %[[N:.*]] = 32)
// CHECK: loop.load %{{.*}}[%[[M]] floordiv 16, %[[M]] mod 16, %[[N]]] : tensor<4x16x32xf32>
// CHECK: loop.insert %{{.*}} into %{{.*}} at [%[[M]] floordiv 16, %[[M]] mod 16, %[[N]]]
// KERNEL-LABEL: func.func @split_rows
// KERNEL: kernel.matmul
// KERNEL: loop.yield %{{.*}} at [%[[M:.*]] floordiv 16, %[[M]] mod 16, %{{.*}}] : f32
func.func @split_rows(%x: tensor<64x48xf32>, %w: tensor<48x32xf32>, %r: tensor<4x16x32xf32>) -> tensor<4x16x32xf32> {
  %p0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%i = 64, %j = 32) over (%k = 48) into %p0 {
    %a = loop.load %x[%i, %k] : tensor<64x48xf32>
    %b = loop.load %w[%k, %j] : tensor<48x32xf32>
    %m = arith.mulf %a, %b : f32
    loop.yield %m : f32
  } : tensor<64x32xf32>
  %y0 = tensor.empty() : tensor<4x16x32xf32>
  %y = loop.pointwise (%b = 4, %i = 16, %j = 32) into %y0 {
    %a = loop.load %p[%b * 16 + %i, %j] : tensor<64x32xf32>
    %c = loop.load %r[%b, %i, %j] : tensor<4x16x32xf32>
    %s = arith.addf %a, %c : f32
    loop.yield %s : f32
  } : tensor<4x16x32xf32>
  return %y : tensor<4x16x32xf32>
}

// -----

// CHECK-LABEL: func.func @"not-an-epilogue-of-a-product-that-is-needed"
// CHECK-NOT: loop.group
func.func @"not-an-epilogue-of-a-product-that-is-needed"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %p0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%i = 64, %j = 32) over (%k = 48) into %p0 {
    %l = loop.load %x[%i, %k] : tensor<64x48xf32>
    %r = loop.load %w[%j, %k] : tensor<32x48xf32>
    %m = arith.mulf %l, %r : f32
    loop.yield %m : f32
  } : tensor<64x32xf32>
  %y0 = tensor.empty() : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %p[%i, %j] : tensor<64x32xf32>
    %t = math.tanh %a : f32
    loop.yield %t : f32
  } : tensor<64x32xf32>
  return %p, %y : tensor<64x32xf32>, tensor<64x32xf32>
}

// -----

// Each row of the product would be read by several points, or not at all.
// CHECK-LABEL: func.func @"not-an-epilogue-that-reads-elsewhere"
// CHECK-NOT: loop.group
func.func @"not-an-epilogue-that-reads-elsewhere"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> tensor<64x32xf32> {
  %p0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%i = 64, %j = 32) over (%k = 48) into %p0 {
    %l = loop.load %x[%i, %k] : tensor<64x48xf32>
    %r = loop.load %w[%j, %k] : tensor<32x48xf32>
    %m = arith.mulf %l, %r : f32
    loop.yield %m : f32
  } : tensor<64x32xf32>
  %y0 = tensor.empty() : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %p[0, %j] : tensor<64x32xf32>
    %t = math.tanh %a : f32
    loop.yield %t : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
