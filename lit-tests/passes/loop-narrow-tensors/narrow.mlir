// RUN: terrace-opt %s --loop-narrow-tensors --cse --split-input-file | FileCheck %s

// What is padded was extended before: it is kept as it was. A constant that stands in becomes one of the narrow type.
// CHECK-LABEL: func.func @padded
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<66xbf16>
// CHECK: %[[X:.*]] = loop.pointwise (%{{.*}} = 66) into %[[EMPTY]] {
// CHECK: %[[A:.*]] = loop.load %{{.*}} : tensor<64xbf16>, bf16
// CHECK: %[[B:.*]] = arith.select %{{.*}}, %[[A]], %{{.*}} : bf16
// CHECK: loop.yield %[[B]] : bf16
// CHECK: } : tensor<66xbf16>
// CHECK: loop.reduction
// CHECK: %[[C:.*]] = loop.load %[[X]]{{.*}} : tensor<66xbf16>
// CHECK: arith.extf %[[C]] : bf16 to f32
func.func @padded(%a: tensor<64xbf16>) -> tensor<64xf32> {
  %c-1 = arith.constant -1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : bf16
  %wide_zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<66xf32>
  %x = loop.pointwise (%i = 66) into %e {
    %j = arith.addi %i, %c-1 : index
    %in = arith.cmpi ult, %j, %c64 : index
    %n = loop.load %a[%i - 1] if %in else %zero : tensor<64xbf16>, bf16
    %w = arith.extf %n : bf16 to f32
    %s = arith.select %in, %w, %wide_zero : f32
    loop.yield %s : f32
  } : tensor<66xf32>
  %f = tensor.empty() : tensor<64xf32>
  %y = loop.reduction add (%i = 64) over (%k = 3) into %f {
    %v = loop.load %x[%i + %k] : tensor<66xf32>
    loop.yield %v : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}

// -----

// So is what several loops write into one tensor, a part each.
// CHECK-LABEL: func.func @joined
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<64xf16>
// CHECK: %[[A:.*]] = loop.scatter (%{{.*}} = 32) into %[[EMPTY]]
// CHECK: loop.yield %{{.*}} at [%{{.*}}] : f16
// CHECK: %[[B:.*]] = loop.scatter (%{{.*}} = 32) into %[[A]]
// CHECK: %[[ROUNDED:.*]] = arith.truncf %{{.*}} : f32 to f16
// CHECK: loop.yield %[[ROUNDED]] at [%{{.*}} + 32] : f16
// CHECK: loop.load %[[B]]{{.*}} : tensor<64xf16>
func.func @joined(%a: tensor<32xf16>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.scatter (%i = 32) into %e {
    %n = loop.load %a[%i] : tensor<32xf16>
    %w = arith.extf %n : f16 to f32
    loop.yield %w at [%i] : f32
  } : tensor<64xf32>
  %y = loop.scatter (%i = 32) into %x {
    %n = loop.load %a[%i] : tensor<32xf16>
    %w = arith.extf %n : f16 to f32
    %m = math.absf %w : f32
    loop.yield %m at [%i + 32] : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %z = loop.pointwise (%i = 64) into %f {
    %v = loop.load %y[%i] : tensor<64xf32>
    %w = arith.addf %v, %v : f32
    loop.yield %w : f32
  } : tensor<64xf32>
  return %z : tensor<64xf32>
}

// -----

// What every reader rounds is rounded where it is written.
// CHECK-LABEL: func.func @rounded
// CHECK: %[[X:.*]] = loop.pointwise
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK: loop.yield %[[ROUNDED]] : bf16
// CHECK: loop.reduction
// CHECK: %[[READ:.*]] = loop.load %[[X]]{{.*}} : tensor<64xbf16>
// CHECK-NEXT: arith.extf %[[READ]]
// CHECK-NOT: arith.truncf
func.func @rounded(%a: tensor<64xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.pointwise (%i = 64) into %e {
    %n = loop.load %a[%i] : tensor<64xf32>
    %w = arith.addf %n, %n : f32
    loop.yield %w : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<8xf32>
  %y = loop.reduction add (%i = 8) over (%k = 64) into %f {
    %v = loop.load %x[%k] : tensor<64xf32>
    %h = arith.truncf %v : f32 to bf16
    %w = arith.extf %h : bf16 to f32
    loop.yield %w : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Sums stay wide; a loop behind them rounds what several readers would round, or one that reads it at other points.
// CHECK-LABEL: func.func @sums
// CHECK: %[[X:.*]] = loop.reduction add (%{{.*}} = 64) over (%{{.*}} = 8) into %{{.*}} {
// CHECK: } : tensor<64xf32>
// CHECK: %[[ROUNDED:.*]] = loop.pointwise (%[[I:.*]] = 64) into %{{.*}} {
// CHECK-NEXT: %[[READ:.*]] = loop.load %[[X]][%[[I]]] : tensor<64xf32>
// CHECK-NEXT: arith.truncf %[[READ]] : f32 to f16
// CHECK: } : tensor<64xf16>
// CHECK: loop.pointwise
// CHECK: loop.load %[[ROUNDED]]
func.func @sums(%a: tensor<64x8xf32>) -> tensor<64xf16> {
  %e = tensor.empty() : tensor<64xf32>
  %x = loop.reduction add (%i = 64) over (%k = 8) into %e {
    %n = loop.load %a[%i, %k] : tensor<64x8xf32>
    loop.yield %n : f32
  } : tensor<64xf32>
  %f = tensor.empty() : tensor<64xf16>
  %y = loop.pointwise (%i = 64) into %f {
    %v = loop.load %x[-%i + 63] : tensor<64xf32>
    %h = arith.truncf %v : f32 to f16
    loop.yield %h : f16
  } : tensor<64xf16>
  return %y : tensor<64xf16>
}
