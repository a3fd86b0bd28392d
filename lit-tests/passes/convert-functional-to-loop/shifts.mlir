// RUN: terrace-opt %s --convert-functional-to-loop | FileCheck %s

// No bit is left of one step too many, or of a negative number of them.
// CHECK-LABEL: func.func @left
// CHECK: %[[X:.*]] = loop.load %arg0
// CHECK: %[[BY:.*]] = loop.load %arg1
// CHECK: %[[LOW:.*]] = arith.cmpi sge, %[[BY]], %[[ZERO:.*]] : i32
// CHECK: %[[HIGH:.*]] = arith.cmpi sle, %[[BY]], %c31_i32
// CHECK: %[[WITHIN:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[SAFE:.*]] = arith.select %[[WITHIN]], %[[BY]], %[[ZERO]]
// CHECK: %[[SHIFTED:.*]] = arith.shli %[[X]], %[[SAFE]]
// CHECK: arith.select %[[WITHIN]], %[[SHIFTED]], %[[ZERO]]
func.func @left(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = functional.bitwise_left_shift %x, %y : tensor<4xi32>, tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Nothing but the sign is left.
// CHECK-LABEL: func.func @right
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %c7_i8
// CHECK: arith.shrsi %{{.*}}, %[[SAFE]]
func.func @right(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
  %0 = functional.bitwise_right_shift %x, %y : tensor<4xi8>, tensor<4xi8>
  return %0 : tensor<4xi8>
}
