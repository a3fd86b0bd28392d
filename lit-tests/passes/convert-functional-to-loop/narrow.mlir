// RUN: terrace-opt %s --convert-functional-to-loop | FileCheck %s

// By way of f32, as eager rounds.
// CHECK-LABEL: @halves
// CHECK: loop.load %arg0{{.*}} : tensor<4xf64>
// CHECK-NEXT: arith.truncf %{{.*}} : f64 to f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT: loop.yield %{{.*}} : f16
func.func @halves(%x: tensor<4xf64>) -> tensor<4xf16> {
  %a = functional._to_copy %x {dtype = f16} : tensor<4xf64>
  return %a : tensor<4xf16>
}

// A byte has no sign: it is ui8 in memory, i8 in registers.
// CHECK-LABEL: @bytes
// CHECK: %[[B:.*]] = loop.load %arg0{{.*}} : tensor<4xui8>
// CHECK-NEXT: %[[I:.*]] = builtin.unrealized_conversion_cast %[[B]] : ui8 to i8
// CHECK-NEXT: %[[W:.*]] = arith.extui %[[I]] : i8 to i32
// CHECK-NEXT: %[[F:.*]] = arith.sitofp %[[W]] : i32 to f32
// CHECK-NEXT: loop.yield %[[F]] : f32
// CHECK: arith.trunci %{{.*}} : i32 to i8
// CHECK-NEXT: %[[U:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i8 to ui8
// CHECK-NEXT: loop.yield %[[U]] : ui8
func.func @bytes(%x: tensor<4xui8>, %y: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xui8>) {
  %a = functional._to_copy %x {dtype = f32} : tensor<4xui8>
  %b = functional._to_copy %y {dtype = ui8} : tensor<4xi64>
  return %a, %b : tensor<4xf32>, tensor<4xui8>
}

// A float saturates, as to any integer, where an integer wraps.
// CHECK-LABEL: @float_to_byte
// CHECK: %[[L:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[H:.*]] = arith.minsi %[[L]], %{{.*}} : i32
// CHECK: arith.trunci %[[H]] : i32 to i8
func.func @float_to_byte(%x: tensor<4xf32>) -> tensor<4xui8> {
  %a = functional._to_copy %x {dtype = ui8} : tensor<4xf32>
  return %a : tensor<4xui8>
}

// CHECK-LABEL: @filled
// CHECK: arith.constant -56 : i8
// CHECK: loop.yield %{{.*}} : ui8
func.func @filled() -> tensor<2x3xui8> {
  %n = arith.constant 200 : i64
  %a = functional.full %n : i64 to tensor<2x3xui8>
  return %a : tensor<2x3xui8>
}
