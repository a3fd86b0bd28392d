// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse --split-input-file | FileCheck %s

// A product of complex numbers, on their parts.
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = loop.load %{{.*}}[%{{.*}}] : tensor<4xcomplex<f32>>
// CHECK: %[[B:.*]] = loop.load %{{.*}}[%{{.*}}] : tensor<4xcomplex<f32>>
// CHECK-DAG: %[[AR:.*]] = complex.re %[[A]]
// CHECK-DAG: %[[AI:.*]] = complex.im %[[A]]
// CHECK-DAG: %[[BR:.*]] = complex.re %[[B]]
// CHECK-DAG: %[[BI:.*]] = complex.im %[[B]]
// CHECK: %[[RR:.*]] = arith.mulf %[[AR]], %[[BR]] : f32
// CHECK: %[[II:.*]] = arith.mulf %[[AI]], %[[BI]] : f32
// CHECK: %[[RE:.*]] = arith.subf %[[RR]], %[[II]] : f32
// CHECK: %[[IM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: %[[Z:.*]] = complex.create %[[RE]], %[[IM]] : complex<f32>
// CHECK: loop.yield %[[Z]] : complex<f32>
func.func @product(%a: tensor<4xcomplex<f32>>, %b: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = functional.mul %a, %b : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Functions are composed in f64 and rounded once.
// CHECK-LABEL: func.func @function
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: math.exp %{{.*}} : f64
// CHECK: math.cos %{{.*}} : f64
// CHECK: math.sin %{{.*}} : f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
// CHECK: complex.create
func.func @function(%a: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = functional.exp %a : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Numbers are equal where both parts are.
// CHECK-LABEL: func.func @equal
// CHECK: %[[RE:.*]] = arith.cmpf oeq, %{{.*}} : f64
// CHECK: %[[IM:.*]] = arith.cmpf oeq, %{{.*}} : f64
// CHECK: arith.andi %[[RE]], %[[IM]] : i1
func.func @equal(%a: tensor<4xcomplex<f64>>, %b: tensor<4xcomplex<f64>>) -> tensor<4xi1> {
  %0 = functional.eq %a, %b : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return %0 : tensor<4xi1>
}

// -----

// Reductions combine whole numbers.
// CHECK-LABEL: func.func @reductions
// CHECK: loop.reduction mul (%[[I:.*]] = 3) over (%[[J:.*]] = 4)
// CHECK-NEXT: %[[A:.*]] = loop.load %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT: loop.yield %[[A]] : complex<f32>
// CHECK: loop.scan add (%{{.*}} = 3, %[[J:.*]] = 4) along %[[J]]
// CHECK: loop.yield %{{.*}} : complex<f32>
func.func @reductions(%a: tensor<3x4xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) {
  %0 = functional.prod %a {dim = array<i64: 1>} : tensor<3x4xcomplex<f32>>
  %1 = functional.cumsum %a {dim = 1 : i64} : tensor<3x4xcomplex<f32>>
  return %0, %1 : tensor<3xcomplex<f32>>, tensor<3x4xcomplex<f32>>
}

// -----

// To a real number goes the real part; a real number has none of the imaginary one.
// CHECK-LABEL: func.func @casts
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : f32 to f64
// CHECK: complex.create %[[X]], %{{.*}} : complex<f64>
// CHECK: %[[RE:.*]] = complex.re %{{.*}} : complex<f64>
// CHECK: arith.truncf %[[RE]] : f64 to f32
func.func @casts(%x: tensor<4xf32>, %z: tensor<4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<4xf32>) {
  %0 = functional._to_copy %x {dtype = complex<f64>} : tensor<4xf32>
  %1 = functional._to_copy %z {dtype = f32} : tensor<4xcomplex<f64>>
  return %0, %1 : tensor<4xcomplex<f64>>, tensor<4xf32>
}

// -----

// A number of the run fills.
// CHECK-LABEL: func.func @filled
// CHECK-SAME: %[[K:.*]]: complex<f64>
// CHECK: complex.re %[[K]]
// CHECK: loop.yield %{{.*}} : complex<f32>
func.func @filled(%k: complex<f64>) -> tensor<4xcomplex<f32>> {
  %0 = functional.full %k : complex<f64> to tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Products start from a number that is real, and means are quotients of complex numbers.
// CHECK-LABEL: func.func @scattered
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: loop.scatter
// CHECK: complex.create %[[ONE]], %[[ZERO]] : complex<f32>
// CHECK: loop.scatter mul
// CHECK: loop.scatter add
// CHECK: arith.sitofp %{{.*}} : i64 to f32
// CHECK: arith.divf
func.func @scattered(%x: tensor<4xcomplex<f32>>, %i: tensor<3xi64>, %s: tensor<3xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  %0 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "prod", include_self = false}
      : tensor<4xcomplex<f32>>, tensor<3xi64>, tensor<3xcomplex<f32>>
  %1 = functional.scatter_reduce.two %x, %i, %s {dim = 0 : i64, reduce = "mean"}
      : tensor<4xcomplex<f32>>, tensor<3xi64>, tensor<3xcomplex<f32>>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
}

// -----

// Windows that there are none of: of complex numbers eager takes means of no others.
// CHECK-LABEL: func.func @windows
// CHECK-NOT: functional
// CHECK: return %{{.*}} : tensor<1x2x0xcomplex<f32>>
func.func @windows(%x: tensor<1x4x4xcomplex<f32>>) -> tensor<1x2x0xcomplex<f32>> {
  %0 = functional._adaptive_avg_pool2d %x {output_size = array<i64: 2, 0>} : tensor<1x4x4xcomplex<f32>>
  return %0 : tensor<1x2x0xcomplex<f32>>
}
