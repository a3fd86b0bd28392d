// RUN: terrace-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @full
func.func @full() -> (tensor<2xf32>, tensor<2xi1>, tensor<i32>) {
  %k = arith.constant 2.5 : f64
  %t = arith.constant true
  // CHECK-DAG: arith.constant dense<2.500000e+00> : tensor<2xf32>
  %0 = functional.full %k : f64 to tensor<2xf32>
  // CHECK-DAG: arith.constant dense<true> : tensor<2xi1>
  %1 = functional.full %k : f64 to tensor<2xi1>
  // CHECK-DAG: arith.constant dense<1> : tensor<i32>
  %2 = functional.full %t : i1 to tensor<i32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xi1>, tensor<i32>
}

// A float that no integer holds is left to run time.
// CHECK-LABEL: func.func @"not-folded-out-of-range"
// CHECK: functional.full
func.func @"not-folded-out-of-range"() -> tensor<2xi64> {
  %k = arith.constant 1.0e30 : f64
  %0 = functional.full %k : f64 to tensor<2xi64>
  return %0 : tensor<2xi64>
}
