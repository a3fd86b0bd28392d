// RUN: terrace-opt %s -convert-functional-to-loop | FileCheck %s

// The words of an element are made of its number and of the state; an f32 has the upper 24 bits of the first.
// CHECK-LABEL: func.func @uniform
// CHECK-SAME: %[[STATE:.*]]: tensor<2xi64>
// CHECK: loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 5)
// CHECK: %[[ROW:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: arith.muli %[[ROW]], %{{.*}} : i64
// CHECK: loop.load %[[STATE]][0]
// CHECK: loop.load %[[STATE]][1]
// CHECK-COUNT-20: arith.muli
// CHECK: %[[BITS:.*]] = arith.constant 8 : i64
// CHECK: arith.shrui %{{.*}}, %[[BITS]] : i64
// CHECK: arith.truncf {{.*}} : f64 to f32
func.func @uniform(%state: tensor<2xi64>) -> tensor<4x5xf32> {
  %0 = functional.random_uniform %state {from = 0.0 : f64, to = 1.0 : f64} : tensor<2xi64> to tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// A permutation is two sorts, the second of which keeps the order of the first.
// CHECK-LABEL: func.func @permutation
// CHECK: loop.pointwise (%{{.*}} = 9)
// CHECK: %[[LOWER:.*]]:2 = loop.sort %{{.*}} along 0
// CHECK: loop.pointwise (%{{.*}} = 9)
// CHECK: loop.load %[[LOWER]]#1
// CHECK: loop.sort %{{.*}} along 0
func.func @permutation(%state: tensor<2xi64>) -> tensor<9xi64> {
  %0 = functional.randperm %state : tensor<2xi64> to tensor<9xi64>
  return %0 : tensor<9xi64>
}

// What is no probability is an error before anything is drawn.
// CHECK-LABEL: func.func @trials
// CHECK: loop.reduction and
// CHECK: cf.assert %{{.*}}, "Expected p_in >= 0 && p_in <= 1
// CHECK: loop.pointwise
func.func @trials(%p: tensor<4xf64>, %state: tensor<2xi64>) -> tensor<4xf64> {
  %0 = functional.bernoulli %p, %state : tensor<4xf64>, tensor<2xi64>
  return %0 : tensor<4xf64>
}

// CHECK-LABEL: func.func @largest
// CHECK: loop.sort descending %{{.*}} along 1 into %{{.*}}, %{{.*}} : tensor<4x9xf32> into tensor<4x3xf32>, tensor<4x3xi64>
func.func @largest(%x: tensor<4x9xf32>) -> tensor<4x3xi64> {
  %0:2 = functional.topk %x {k = 3 : i64} : tensor<4x9xf32>
  return %0#1 : tensor<4x3xi64>
}

// A common divisor is a loop of as many rounds at all points.
// CHECK-LABEL: func.func @divisor
// CHECK: loop.pointwise
// CHECK: math.cttz
// CHECK: scf.for
// CHECK: loop.yield
func.func @divisor(%x: tensor<30xi32>, %y: tensor<30xi32>) -> tensor<30xi32> {
  %0 = functional.gcd %x, %y : tensor<30xi32>, tensor<30xi32>
  return %0 : tensor<30xi32>
}
