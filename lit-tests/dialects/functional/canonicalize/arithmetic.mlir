// RUN: terrace-opt %s --canonicalize | FileCheck %s

// A cast to the same dtype is none; a cast that lost nothing is passed over.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xi1>)
// CHECK: %[[I:.*]] = functional._to_copy %[[B]] {dtype = i64}
// CHECK: return %[[X]], %[[X]], %[[I]]
func.func @casts(%x: tensor<4xf32>, %b: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi64>) {
  %0 = functional._to_copy %x {dtype = f32} : tensor<4xf32>
  %1 = functional._to_copy %x {dtype = f64} : tensor<4xf32>
  %2 = functional._to_copy %1 {dtype = f32} : tensor<4xf64>
  %3 = functional._to_copy %b {dtype = f32} : tensor<4xi1>
  %4 = functional._to_copy %3 {dtype = i64} : tensor<4xf32>
  return %0, %2, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xi64>
}

// CHECK-LABEL: func.func @"not-passed-over-a-cast-that-rounds"
// CHECK-COUNT-4: functional._to_copy
func.func @"not-passed-over-a-cast-that-rounds"(%x: tensor<4xf64>, %i: tensor<4xi64>) -> (tensor<4xf64>, tensor<4xi64>) {
  %0 = functional._to_copy %x {dtype = f32} : tensor<4xf64>
  %1 = functional._to_copy %0 {dtype = f64} : tensor<4xf32>
  %2 = functional._to_copy %i {dtype = f64} : tensor<4xi64>
  %3 = functional._to_copy %2 {dtype = i64} : tensor<4xf64>
  return %1, %3 : tensor<4xf64>, tensor<4xi64>
}

// CHECK-LABEL: func.func @neutral
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[I:.*]]: tensor<4xi64>, %[[B:.*]]: tensor<4xi1>)
// CHECK-NEXT: return %[[X]], %[[I]], %[[B]]
func.func @neutral(%x: tensor<4xf32>, %i: tensor<4xi64>, %b: tensor<4xi1>)
    -> (tensor<4xf32>, tensor<4xi64>, tensor<4xi1>) {
  %minus_zero = arith.constant dense<-0.0> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = functional.add %x, %minus_zero : tensor<4xf32>, tensor<4xf32>
  %1 = functional.sub %0, %zero : tensor<4xf32>, tensor<4xf32>
  %2 = functional.mul %one, %1 : tensor<4xf32>, tensor<4xf32>
  %3 = functional.div %2, %one : tensor<4xf32>, tensor<4xf32>
  %4 = functional.neg %3 : tensor<4xf32>
  %5 = functional.neg %4 : tensor<4xf32>
  %izero = arith.constant dense<0> : tensor<4xi64>
  %ione = arith.constant dense<1> : tensor<4xi64>
  %6 = functional.add %izero, %i : tensor<4xi64>, tensor<4xi64>
  %7 = functional.sub %6, %izero : tensor<4xi64>, tensor<4xi64>
  %8 = functional.mul %7, %ione : tensor<4xi64>, tensor<4xi64>
  %false = arith.constant dense<false> : tensor<4xi1>
  %true = arith.constant dense<true> : tensor<4xi1>
  %9 = functional.add %b, %false : tensor<4xi1>, tensor<4xi1>
  %10 = functional.mul %9, %true : tensor<4xi1>, tensor<4xi1>
  %11 = functional.bitwise_not %10 : tensor<4xi1>
  %12 = functional.bitwise_not %11 : tensor<4xi1>
  return %5, %8, %12 : tensor<4xf32>, tensor<4xi64>, tensor<4xi1>
}

// -0.0 + 0.0 is 0.0, -0.0 - -0.0 is 0.0, and 1 - x is not x.
// CHECK-LABEL: func.func @"not-neutral"
// CHECK: functional.add
// CHECK: functional.sub
// CHECK: functional.sub
func.func @"not-neutral"(%x: tensor<4xf32>) -> tensor<4xf32> {
  %minus_zero = arith.constant dense<-0.0> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = functional.add %x, %zero : tensor<4xf32>, tensor<4xf32>
  %1 = functional.sub %0, %minus_zero : tensor<4xf32>, tensor<4xf32>
  %2 = functional.sub %zero, %1 : tensor<4xf32>, tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func @choice
// CHECK-SAME: (%{{.*}}: tensor<4xi1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]], %[[Y]], %[[X]]
func.func @choice(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %true = arith.constant dense<true> : tensor<4xi1>
  %false = arith.constant dense<false> : tensor<4xi1>
  %0 = functional.where %true, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  %1 = functional.where %false, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  %2 = functional.where %c, %x, %x : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A quotient by 1 that is rounded is no identity.
// CHECK-LABEL: func.func @rounded_quotient
// CHECK: functional.div
func.func @rounded_quotient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %0 = functional.div %x, %one {rounding_mode = "floor"} : tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// 246 of ui8 is -10 of i8, and 246.0 none.
// CHECK-LABEL: @"not-of-a-float-that-an-integer-has-no-number-for"
// CHECK: %[[F:.*]] = functional._to_copy %{{.*}} {dtype = f32}
// CHECK: functional._to_copy %[[F]] {dtype = i8}
// CHECK: functional._to_copy %{{.*}} {dtype = i16} : tensor<4xui8>
func.func @"not-of-a-float-that-an-integer-has-no-number-for"(%x: tensor<4xui8>) -> (tensor<4xi8>, tensor<4xi16>) {
  %0 = functional._to_copy %x {dtype = f32} : tensor<4xui8>
  %1 = functional._to_copy %0 {dtype = i8} : tensor<4xf32>
  %2 = functional._to_copy %0 {dtype = i16} : tensor<4xf32>
  return %1, %2 : tensor<4xi8>, tensor<4xi16>
}
