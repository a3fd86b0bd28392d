// RUN: terrace-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @moves
// CHECK-DAG: %[[P:.*]] = arith.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
// CHECK-DAG: %[[S:.*]] = arith.constant dense<[4, 6]> : tensor<2xi64>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<[1.500000e+00, -0.000000e+00, 2.500000e+00]> : tensor<3xf16>
// CHECK-DAG: %[[E:.*]] = arith.constant dense<{{\[\[}}2, 2], [5, 5]]> : tensor<2x2xi64>
// CHECK: return %[[P]], %[[S]], %[[C]], %[[E]]
func.func @moves() -> (tensor<3x2xi64>, tensor<2xi64>, tensor<3xf16>, tensor<2x2xi64>) {
  %c = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %0 = functional.permute %c {dims = array<i64: 1, 0>} : tensor<2x3xi64>
  %1 = functional.select %c index [-1] : tensor<2x3xi64>
  %2 = functional.slice %1 start [0] end [3] step [2] : tensor<3xi64>
  %a = arith.constant dense<[1.5, -0.0]> : tensor<2xf16>
  %b = arith.constant dense<[2.5]> : tensor<1xf16>
  %3 = functional.cat %a, %b : tensor<2xf16>, tensor<1xf16>
  %4 = functional.slice %c start [1] end [2] step [1] {dim = 1 : i64} : tensor<2x3xi64>
  %5 = functional.expand %4 size [2, 2] : tensor<2x1xi64>
  return %0, %2, %3, %5 : tensor<3x2xi64>, tensor<2xi64>, tensor<3xf16>, tensor<2x2xi64>
}

// A causal mask out of two ranges.
// CHECK-LABEL: func.func @mask
// CHECK: %[[M:.*]] = arith.constant dense<{{\[\[}}true, false, false], [true, true, false], [true, true, true]]> : tensor<3x3xi1>
// CHECK-NEXT: return %[[M]]
func.func @mask() -> tensor<3x3xi1> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = functional.arange %zero step %one : i64, i64 to tensor<3xi64>
  %columns = functional.expand %r size [3, 3] : tensor<3xi64>
  %v = functional.view %r size [3, 1] : tensor<3xi64>
  %rows = functional.expand %v size [3, 3] : tensor<3x1xi64>
  %m = functional.le %columns, %rows : tensor<3x3xi64>, tensor<3x3xi64>
  return %m : tensor<3x3xi1>
}

// A truth value counts as 1.
// CHECK-LABEL: func.func @from_true
// CHECK: %[[R:.*]] = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-NEXT: return %[[R]]
func.func @from_true() -> tensor<3xi32> {
  %true = arith.constant true
  %one = arith.constant 1 : i64
  %r = functional.arange %true step %one : i1, i64 to tensor<3xi32>
  return %r : tensor<3xi32>
}

// Integers wrap to their dtype; truth values are 0 and 1.
// CHECK-LABEL: func.func @arithmetic
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[-128, 5]> : tensor<2xi8>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[true, false]> : tensor<2xi1>
// CHECK-DAG: %[[F:.*]] = arith.constant dense<[1.270000e+02, 4.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[W:.*]] = arith.constant dense<[127, 1]> : tensor<2xi8>
// CHECK: return %[[A]], %[[B]], %[[F]], %[[W]]
func.func @arithmetic() -> (tensor<2xi8>, tensor<2xi1>, tensor<2xf32>, tensor<2xi8>) {
  %a = arith.constant dense<[127, 4]> : tensor<2xi8>
  %one = arith.constant dense<1> : tensor<2xi8>
  %0 = functional.add %a, %one : tensor<2xi8>, tensor<2xi8>
  %1 = functional.gt %a, %0 : tensor<2xi8>, tensor<2xi8>
  %2 = functional._to_copy %a {dtype = f32} : tensor<2xi8>
  %3 = functional.where %1, %a, %one : tensor<2xi1>, tensor<2xi8>, tensor<2xi8>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi1>, tensor<2xf32>, tensor<2xi8>
}

// A repeated element is folded whatever the size.
// CHECK-LABEL: func.func @splats
// CHECK: %[[C:.*]] = arith.constant dense<6> : tensor<1000xi64>
// CHECK-NEXT: return %[[C]]
func.func @splats() -> tensor<1000xi64> {
  %a = arith.constant dense<2> : tensor<1000xi64>
  %b = arith.constant dense<3> : tensor<1000xi64>
  %0 = functional.mul %a, %b : tensor<1000xi64>, tensor<1000xi64>
  return %0 : tensor<1000xi64>
}

// CHECK-LABEL: func.func @"not-folded-beyond-the-limit"
// CHECK: functional.add
func.func @"not-folded-beyond-the-limit"() -> tensor<65xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r = functional.arange %zero step %one : i64, i64 to tensor<65xi64>
  %0 = functional.add %r, %r : tensor<65xi64>, tensor<65xi64>
  return %0 : tensor<65xi64>
}

// CHECK-LABEL: func.func @"not-folded-in-floats"
// CHECK: functional.add
func.func @"not-folded-in-floats"() -> tensor<2xf32> {
  %a = arith.constant dense<[0.1, 0.2]> : tensor<2xf32>
  %0 = functional.add %a, %a : tensor<2xf32>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// What f32 cannot hold is rounded when the program runs.
// CHECK-LABEL: func.func @"not-folded-where-rounded"
// CHECK: functional._to_copy
func.func @"not-folded-where-rounded"() -> tensor<2xf32> {
  %a = arith.constant dense<[16777217, 1]> : tensor<2xi64>
  %0 = functional._to_copy %a {dtype = f32} : tensor<2xi64>
  return %0 : tensor<2xf32>
}
