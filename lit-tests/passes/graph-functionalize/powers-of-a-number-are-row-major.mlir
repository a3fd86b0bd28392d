// What eager allocates without a look at its operand is row-major, also where nobody knows how that lies: powers of a number, and angles of
// complex numbers.
// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// CHECK-LABEL: func.func @powers
// CHECK: %[[R:.*]] = call @powers.core
// CHECK: graph.fresh %[[R]] : tensor<?x3xi64>
func.func @powers(%x: !graph.tensor<?x3xi1> {graph.layout = strided<[1, 3], offset: ?>}) -> !graph.tensor<?x3xi64> {
  %k = arith.constant 2 : i64
  %0 = graph.pow %k, %x : i64, !graph.tensor<?x3xi1>
  return %0 : !graph.tensor<?x3xi64>
}

// CHECK-LABEL: func.func @angles
// CHECK: %[[R:.*]] = call @angles.core
// CHECK: graph.fresh %[[R]] : tensor<?x3xf32>
func.func @angles(%x: !graph.tensor<?x3xcomplex<f32>> {graph.layout = strided<[1, 3], offset: ?>}) -> !graph.tensor<?x3xf32> {
  %0 = graph.angle %x : !graph.tensor<?x3xcomplex<f32>>
  return %0 : !graph.tensor<?x3xf32>
}
