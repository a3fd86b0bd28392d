// RUN: terrace-opt %s --functional-widen | FileCheck %s

// One rounding per operator: what is between two operators is half precision.
// CHECK-LABEL: @chain
// CHECK: %[[W:.*]] = functional._to_copy %arg0 {dtype = f32} : tensor<8xbf16>
// CHECK: %[[E:.*]] = functional.exp %[[W]] : tensor<8xf32>
// CHECK: %[[H:.*]] = functional._to_copy %[[E]] {dtype = bf16} : tensor<8xf32>
// CHECK: %[[V:.*]] = functional._to_copy %[[H]] {dtype = f32} : tensor<8xbf16>
// CHECK: %[[S:.*]] = functional.sum %[[V]] {dim = array<i64: 0>} : tensor<8xf32>
// CHECK: %[[R:.*]] = functional._to_copy %[[S]] {dtype = bf16} : tensor<f32>
// CHECK: return %[[R]] : tensor<bf16>
func.func @chain(%x: tensor<8xbf16>) -> tensor<bf16> {
  %e = functional.exp %x : tensor<8xbf16>
  %s = functional.sum %e {dim = array<i64: 0>} : tensor<8xbf16>
  return %s : tensor<bf16>
}

// A dtype that is asked for is wide too.
// CHECK-LABEL: @asked
// CHECK: functional.sum %{{.*}} {{{.*}}dtype = f32} : tensor<8xf32>
func.func @asked(%x: tensor<8xf16>) -> tensor<f16> {
  %s = functional.sum %x {dim = array<i64: 0>, dtype = f16} : tensor<8xf16>
  return %s : tensor<f16>
}

// A result of another dtype stays, and so do f32 parameters and their statistics.
// CHECK-LABEL: @mixed
// CHECK: %[[W:.*]] = functional._to_copy %arg0 {dtype = f32} : tensor<2x4xf16>
// CHECK: functional.lt %[[W]], %{{.*}} : tensor<2x4xf32>
// CHECK: %{{[^,]*}}, %[[M:[^,]*]], %{{[^,]*}} = functional.native_layer_norm %{{.*}} weight %arg1 : tensor<4xf32> {{.*}} : tensor<2x4xf32>
// CHECK: return %{{.*}}, %[[M]] : tensor<2x4xi1>, tensor<2x1xf32>
func.func @mixed(%x: tensor<2x4xf16>, %w: tensor<4xf32>) -> (tensor<2x4xi1>, tensor<2x1xf32>) {
  %l = functional.lt %x, %x : tensor<2x4xf16>, tensor<2x4xf16>
  %y, %m, %r = functional.native_layer_norm %x weight %w : tensor<4xf32> {normalized_shape = array<i64: 4>, eps = 1.0e-5} : tensor<2x4xf16>
  return %l, %m : tensor<2x4xi1>, tensor<2x1xf32>
}

// CHECK-LABEL: @range
// CHECK: functional.arange {{.*}} to tensor<4xf32>
// CHECK: functional._to_copy %{{.*}} {dtype = f16} : tensor<4xf32>
func.func @range(%a: f64, %b: f64) -> tensor<4xf16> {
  %r = functional.arange %a step %b : f64, f64 to tensor<4xf16>
  return %r : tensor<4xf16>
}
