// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse --split-input-file | FileCheck %s

// No divisor is zero, and what divides is never 0 nor -1: nothing traps.
// CHECK-LABEL: func.func @floor
// CHECK: %[[ALL:.*]] = loop.reduction and over (%[[I:.*]] = 4)
// CHECK:   %[[B:.*]] = loop.load %[[Y:.*]][%[[I]]]
// CHECK:   arith.cmpi ne, %[[B]], %c0_i32
// CHECK: %[[OK:.*]] = tensor.extract %[[ALL]][]
// CHECK: cf.assert %[[OK]], "ZeroDivisionError"
// CHECK: loop.pointwise
// CHECK:   %[[B:.*]] = loop.load %[[Y]]
// CHECK:   %[[SAFE:.*]] = arith.select %{{.*}}, %c1_i32, %[[B]] : i32
// CHECK:   arith.divsi %{{.*}}, %[[SAFE]]
func.func @floor(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = functional.div %x, %y {rounding_mode = "floor"} : tensor<4xi32>, tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// A number that is not zero needs no check.
// CHECK-LABEL: func.func @by_three
// CHECK-NOT: cf.assert
// CHECK: arith.remsi %{{.*}}, %c3_i64
func.func @by_three(%x: tensor<4xi64>) -> tensor<4xi64> {
  %three = arith.constant 3 : i64
  %y = functional.full %three : i64 to tensor<4xi64>
  %0 = functional.remainder %x, %y : tensor<4xi64>, tensor<4xi64>
  return %0 : tensor<4xi64>
}

// -----

// Floats divide by zero.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: cf.assert
// CHECK: arith.remf
// CHECK: math.floor
func.func @floats(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.div %x, %y {rounding_mode = "floor"} : tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
