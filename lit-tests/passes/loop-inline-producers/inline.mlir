// RUN: terrace-opt %s --loop-inline-producers --canonicalize --split-input-file | FileCheck %s

// One load reads it, at other places: these are composed and simplified. The indices are used as numbers too.
// CHECK-LABEL: func.func @once
// CHECK: loop.pointwise (%[[K:.*]] = 2048)
// CHECK-NEXT: %[[A:.*]] = loop.load %{{.*}}[%[[K]] mod 32, %[[K]] floordiv 32] : tensor<32x64xf32>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[A]]
// CHECK-NEXT: arith.negf %[[E]]
// CHECK-NOT: loop.pointwise
func.func @once(%x: tensor<32x64xf32>, %e0: tensor<64x32xf32>, %y0: tensor<2048xf32>) -> tensor<2048xf32> {
  %e = loop.pointwise (%i = 64, %j = 32) into %e0 {
    %a = loop.load %x[%j, %i] : tensor<32x64xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%k = 2048) into %y0 {
    %a = loop.load %e[%k floordiv 32, %k mod 32] : tensor<64x32xf32>
    %b = arith.negf %a : f32
    loop.yield %b : f32
  } : tensor<2048xf32>
  return %y : tensor<2048xf32>
}

// -----

// A transposition that is written to memory and read through a reshape is an index expression.
// CHECK-LABEL: func.func @views_vanish
// CHECK-NOT: tensor.collapse_shape
// CHECK: loop.reduction add (%[[I:.*]] = 24) over (%[[J:.*]] = 5)
// CHECK-NEXT: loop.load %{{.*}}[%[[J]], %[[I]] floordiv 6, %[[I]] mod 6] : tensor<5x4x6xf32>
// CHECK-NOT: loop.pointwise
func.func @views_vanish(%x: tensor<5x4x6xf32>, %t0: tensor<4x6x5xf32>, %y0: tensor<24xf32>) -> tensor<24xf32> {
  %t = loop.pointwise (%i = 4, %j = 6, %k = 5) into %t0 {
    %a = loop.load %x[%k, %i, %j] : tensor<5x4x6xf32>
    loop.yield %a : f32
  } : tensor<4x6x5xf32>
  %v = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x6x5xf32> into tensor<24x5xf32>
  %y = loop.reduction add (%i = 24) over (%j = 5) into %y0 {
    %a = loop.load %v[%i, %j] : tensor<24x5xf32>
    loop.yield %a : f32
  } : tensor<24xf32>
  return %y : tensor<24xf32>
}

// -----

// Under a mask the producer's loads get it too.
// CHECK-LABEL: func.func @masked
// CHECK: loop.pointwise (%[[I:.*]] = 10)
// CHECK: %[[M:.*]] = arith.cmpi ult
// CHECK: %[[A:.*]] = loop.load %{{.*}}[%[[I]] - 1] if %[[M]] else %[[ZERO:.*]] : tensor<8xf32>, f32
// CHECK: %[[B:.*]] = arith.addf %[[A]], %[[A]]
// CHECK: arith.select %[[M]], %[[B]], %{{.*}} : f32
func.func @masked(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<10xf32>) -> tensor<10xf32> {
  %one = arith.constant 1 : index
  %size = arith.constant 8 : index
  %pad = arith.constant 3.0 : f32
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 10) into %y0 {
    %j = arith.subi %i, %one : index
    %m = arith.cmpi ult, %j, %size : index
    %a = loop.load %e[%i - 1] if %m else %pad : tensor<8xf32>, f32
    loop.yield %a : f32
  } : tensor<10xf32>
  return %y : tensor<10xf32>
}

// -----

// What writes over the producer's result writes over what the producer would have.
// CHECK-LABEL: func.func @over
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>
// CHECK: loop.pointwise (%{{.*}} = 8) into %[[X]]
// CHECK-NOT: loop.pointwise
func.func @over(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = loop.pointwise (%i = 8) into %x {
    %v = loop.load %x[%i] : tensor<8xf32>
    %w = math.exp %v : f32
    loop.yield %w : f32
  } : tensor<8xf32>
  %b = loop.pointwise (%i = 8) into %a {
    %v = loop.load %a[%i] : tensor<8xf32>
    %w = math.log %v : f32
    loop.yield %w : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// Two readers that are read together are one: the value is computed once, where both are.
// CHECK-LABEL: func.func @diamond(
//       CHECK:   loop.pointwise (%[[I:.*]] = 8)
//  CHECK-NEXT:     loop.load %{{.*}}[%[[I]]]
//  CHECK-NEXT:     %[[E:.*]] = math.exp
//  CHECK-NEXT:     %[[L:.*]] = math.log %[[E]]
//  CHECK-NEXT:     arith.addf %[[L]], %[[E]]
//   CHECK-NOT:   loop.pointwise
func.func @diamond(%x: tensor<8xf32>, %e0: tensor<8xf32>, %l0: tensor<8xf32>, %y0: tensor<8xf32>) -> tensor<8xf32> {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %l = loop.pointwise (%i = 8) into %l0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    %b = math.log %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %l[%i] : tensor<8xf32>
    %b = loop.load %e[%i] : tensor<8xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// Two readers of one half each compute no element twice.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: loop.pointwise
// CHECK: loop.scatter
// CHECK: math.exp
// CHECK: loop.scatter
// CHECK: math.exp
func.func @halves(%x: tensor<64xf32>, %y: tensor<64xf32>, %e: tensor<64xf32>, %f: tensor<64xf32>) -> tensor<64xf32> {
  %0 = loop.pointwise (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xf32>
    %n = math.exp %a : f32
    loop.yield %n : f32
  } : tensor<64xf32>
  %1 = loop.scatter (%i = 32) into %f {
    %a = loop.load %0[%i] : tensor<64xf32>
    loop.yield %a at [%i + 32] : f32
  } : tensor<64xf32>
  %2 = loop.scatter (%i = 32) into %1 {
    %a = loop.load %0[%i + 32] : tensor<64xf32>
    loop.yield %a at [%i] : f32
  } : tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

// An element less the mean of its row: the mean is next to nothing to read, and so the difference is not stored for two readers.
// CHECK-LABEL: func.func @centered(
//  CHECK-SAME: %[[X:[^:]*]]: tensor<64x256xf32>, %[[M:[^:]*]]: tensor<64xf32>
// CHECK-COUNT-2: loop.load %[[M]]
//   CHECK-NOT: loop.load %[[M]]
func.func @centered(%x: tensor<64x256xf32>, %m: tensor<64xf32>, %e0: tensor<64x256xf32>, %s0: tensor<64xf32>, %y0: tensor<64x256xf32>) -> (tensor<64xf32>, tensor<64x256xf32>) {
  %e = loop.pointwise (%i = 64, %j = 256) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x256xf32>
    %b = loop.load %m[%i] : tensor<64xf32>
    %c = arith.subf %a, %b : f32
    loop.yield %c : f32
  } : tensor<64x256xf32>
  %s = loop.reduction add (%i = 64) over (%j = 256) into %s0 {
    %a = loop.load %e[%i, %j] : tensor<64x256xf32>
    %b = arith.mulf %a, %a : f32
    loop.yield %b : f32
  } : tensor<64xf32>
  %y = loop.pointwise (%i = 64, %j = 256) into %y0 {
    %a = loop.load %e[%i, %j] : tensor<64x256xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x256xf32>
  return %s, %y : tensor<64xf32>, tensor<64x256xf32>
}

// -----

// A product takes elements of fewer bits as they are, and widens them: there is less to read.
// CHECK-LABEL: func.func @widened(
// CHECK: loop.reduction
// CHECK-NEXT: loop.load %{{.*}} : tensor<8x16xbf16>
// CHECK-NEXT: arith.extf
// CHECK-NOT: loop.pointwise
func.func @widened(%x: tensor<8x16xbf16>, %w: tensor<16x24xf32>, %e0: tensor<8x16xf32>, %y0: tensor<8x24xf32>) -> tensor<8x24xf32> {
  %e = loop.pointwise (%i = 8, %j = 16) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<8x16xbf16>
    %b = arith.extf %a : bf16 to f32
    loop.yield %b : f32
  } : tensor<8x16xf32>
  %y = loop.reduction add (%i = 8, %j = 24) over (%k = 16) into %y0 {
    %a = loop.load %e[%i, %k] : tensor<8x16xf32>
    %b = loop.load %w[%k, %j] : tensor<16x24xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<8x24xf32>
  return %y : tensor<8x24xf32>
}

// -----

// Of a batch of one the index is 0, which is the point's own: the reader may write over what the producer reads there.
// CHECK-LABEL: func.func @over_a_batch_of_one
// CHECK-COUNT-1: loop.pointwise
// CHECK: math.exp
// CHECK: arith.negf
// CHECK-NOT: loop.pointwise
func.func @over_a_batch_of_one(%x: tensor<1x8xf32>, %e0: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %e = loop.pointwise (%b = 1, %j = 8) into %e0 {
    %a = loop.load %x[0, %j] : tensor<1x8xf32>
    %r = math.exp %a : f32
    loop.yield %r : f32
  } : tensor<1x8xf32>
  %y = loop.pointwise (%b = 1, %j = 8) into %x {
    %a = loop.load %e[0, %j] : tensor<1x8xf32>
    %r = arith.negf %a : f32
    loop.yield %r : f32
  } : tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}
