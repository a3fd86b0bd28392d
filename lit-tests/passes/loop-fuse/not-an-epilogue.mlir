// What is done on the elements of a product is done where they are only if each of its points reads one of them, each once,
// and nothing else reads them.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s

// CHECK-DAG: has no epilogue: its product is not read by one load
// CHECK-DAG: has no epilogue: its product is needed in memory
// CHECK-DAG: has no epilogue: what reads its product is not pointwise
// CHECK-DAG: has no epilogue: its product is not read at each element once
// CHECK-DAG: has no epilogue: its product is not read at each element once
// CHECK-LABEL: func.func @"not-under-a-mask"
// CHECK-NOT: loop.group

func.func @"not-under-a-mask"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7 : index
  %e0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%m = 64, %n = 32) over (%k = 48) into %e0 {
    %a = loop.load %x[%m, %k] : tensor<64x48xf32>
    %b = loop.load %w[%n, %k] : tensor<32x48xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%m = 64, %n = 32) into %e0 {
    %on = arith.cmpi ult, %m, %seven : index
    %a = loop.load %p[%m, %n] if %on else %zero : tensor<64x32xf32>, f32
    %b = math.tanh %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

func.func @"not-of-a-product-that-is-needed"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%m = 64, %n = 32) over (%k = 48) into %e0 {
    %a = loop.load %x[%m, %k] : tensor<64x48xf32>
    %b = loop.load %w[%n, %k] : tensor<32x48xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%m = 64, %n = 32) into %e0 {
    %a = loop.load %p[%m, %n] : tensor<64x32xf32>
    %b = math.tanh %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %p, %y : tensor<64x32xf32>, tensor<64x32xf32>
}

func.func @"not-a-scan"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> tensor<64x32xf32> {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%m = 64, %n = 32) over (%k = 48) into %e0 {
    %a = loop.load %x[%m, %k] : tensor<64x48xf32>
    %b = loop.load %w[%n, %k] : tensor<32x48xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %y = loop.scan add (%m = 64, %n = 32) along %n into %e0 {
    %a = loop.load %p[%m, %n] : tensor<64x32xf32>
    loop.yield %a : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// Each element is read, and each twice: a point of the product has room for one.
func.func @"not-where-elements-are-read-twice"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>, %r: tensor<2x64x32xf32>) -> tensor<2x64x32xf32> {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %y0 = tensor.empty() : tensor<2x64x32xf32>
  %p = loop.reduction add (%m = 64, %n = 32) over (%k = 48) into %e0 {
    %a = loop.load %x[%m, %k] : tensor<64x48xf32>
    %b = loop.load %w[%n, %k] : tensor<32x48xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%t = 2, %m = 64, %n = 32) into %y0 {
    %a = loop.load %p[%m, %n] : tensor<64x32xf32>
    %b = loop.load %r[%t, %m, %n] : tensor<2x64x32xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<2x64x32xf32>
  return %y : tensor<2x64x32xf32>
}

// As many points as elements, but the first row is read by all.
func.func @"not-where-elements-are-left-out"(%x: tensor<64x48xf32>, %w: tensor<32x48xf32>) -> tensor<64x32xf32> {
  %e0 = tensor.empty() : tensor<64x32xf32>
  %p = loop.reduction add (%m = 64, %n = 32) over (%k = 48) into %e0 {
    %a = loop.load %x[%m, %k] : tensor<64x48xf32>
    %b = loop.load %w[%n, %k] : tensor<32x48xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%m = 64, %n = 32) into %e0 {
    %a = loop.load %p[0, %n] : tensor<64x32xf32>
    %b = math.tanh %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
