// RUN: terrace-opt %s --loop-elide-roundings | FileCheck %s

// What relu selects of numbers of f16 is one.
// CHECK-LABEL: func.func @relu
// CHECK: %[[S:.*]] = arith.addf
// CHECK: %[[H:.*]] = arith.truncf %[[S]]
// CHECK: %[[W:.*]] = arith.extf %[[H]]
// CHECK: %[[R:.*]] = arith.select %{{.*}}, %{{.*}}, %[[W]]
// CHECK-NOT: arith.truncf
// CHECK: arith.addf %[[R]], %[[R]]
func.func @relu(%x: tensor<64xf16>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %y = loop.pointwise (%i = 64) into %e {
    %a = loop.load %x[%i] : tensor<64xf16>
    %w = arith.extf %a : f16 to f32
    %s = arith.addf %w, %w : f32
    %h = arith.truncf %s : f32 to f16
    %t = arith.extf %h : f16 to f32
    %n = arith.cmpf olt, %t, %zero : f32
    %r = arith.select %n, %zero, %t : f32
    %k = arith.truncf %r : f32 to f16
    %u = arith.extf %k : f16 to f32
    %v = arith.addf %u, %u : f32
    loop.yield %v : f32
  } : tensor<64xf32>
  return %y : tensor<64xf32>
}

// The greatest of numbers of bf16 is one, in another loop, too, and where nothing is read.
// CHECK-LABEL: func.func @greatest
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @greatest(%x: tensor<8x64xbf16>, %m: tensor<8xi1>) -> tensor<8xf32> {
  %none = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %g = loop.reduction max (%i = 8) over (%j = 64) into %e {
    %a = loop.load %x[%i, %j] : tensor<8x64xbf16>
    %w = arith.extf %a : bf16 to f32
    %b = math.absf %w : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %e {
    %q = loop.load %m[%i] : tensor<8xi1>
    %a = loop.load %g[%i] if %q else %none : tensor<8xf32>, f32
    %h = arith.truncf %a : f32 to bf16
    %t = arith.extf %h : bf16 to f32
    %v = math.exp %t : f32
    loop.yield %v : f32
  } : tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @group
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @group(%x: memref<8x64xf16>, %y: memref<8xf32>) {
  loop.group (%i = 8) into (%y as %to : memref<8xf32>) {
    %0 = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<8x64xf16>
      %w = arith.extf %a : f16 to f32
      %b = arith.negf %w : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    %1 = loop.reduction add over (%j = 64) {
      %a = loop.load %0[%j] : tensor<64xf32>
      %h = arith.truncf %a : f32 to f16
      %t = arith.extf %h : f16 to f32
      loop.yield %t : f32
    } : f32
    loop.in_parallel {
      loop.insert %1 into %to at [%i] : f32 into memref<8xf32>
    }
  }
  return
}
