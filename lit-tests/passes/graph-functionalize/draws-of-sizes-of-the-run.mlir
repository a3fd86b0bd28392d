// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// A draw has the sizes of the tensor that it is like, those of its type left out.
// CHECK-LABEL: func.func private @like.core
//  CHECK-SAME:   (%[[X:.*]]: tensor<?x3xf32>, %[[S:.*]]: tensor<2xi64>)
//       CHECK:   %[[DIM:.*]] = tensor.dim %[[X]]
//       CHECK:   %[[N:.*]] = arith.index_cast %[[DIM]]
//       CHECK:   functional.random_normal %[[S]] size(%[[N]]) {mean = 0.000000e+00 : f64, std = 1.000000e+00 : f64} : tensor<2xi64> to tensor<?x3xf32>
//       CHECK:   functional.random_integers %{{.*}} size(%[[N]]) {high = 9 : i64, low = 0 : i64} : tensor<2xi64> to tensor<?x3xi64>
func.func @like(%x: !graph.tensor<?x3xf32>) -> (!graph.tensor<?x3xf32>, !graph.tensor<?x3xi64>) {
  %0 = graph.randn_like %x : !graph.tensor<?x3xf32>
  %1 = graph.randint_like %x {high = 9 : i64, dtype = i64} : !graph.tensor<?x3xf32>
  return %0, %1 : !graph.tensor<?x3xf32>, !graph.tensor<?x3xi64>
}

// A number that is given is a size; both parts of complex numbers are drawn.
// CHECK-LABEL: func.func private @sized.core
//  CHECK-SAME:   (%[[N:.*]]: i64, %[[S:.*]]: tensor<2xi64>)
//       CHECK:   %[[P:.*]] = functional.random_uniform %[[S]] size(%[[N]]) {{.*}} : tensor<2xi64> to tensor<?x2x2xf32>
//       CHECK:   functional.view.dtype %[[P]]
func.func @sized(%n: i64) -> !graph.tensor<?x2xcomplex<f32>> {
  %0 = graph.rand [%n, 2] {dtype = complex<f32>}
  return %0 : !graph.tensor<?x2xcomplex<f32>>
}

// In place the elements are new; trials are numbers below a bound.
// CHECK-LABEL: func.func private @in_place.core
//       CHECK:   functional.random_uniform %{{.*}} size(%{{.*}}) {{.*}} to tensor<?xf32>
//       CHECK:   %[[U:.*]] = functional.random_uniform %{{.*}} size(%{{.*}}) {{.*}} to tensor<?xf64>
//       CHECK:   functional.lt %[[U]], %{{.*}} : tensor<?xf64>
func.func @in_place(%x: !graph.tensor<?xf32> {graph.storage = "x"}, %y: !graph.tensor<?xi8> {graph.storage = "y"}) {
  %0 = graph.uniform_ %x : !graph.tensor<?xf32>
  %1 = graph.bernoulli_ %y {p = 0.25 : f64} : !graph.tensor<?xi8>
  return
}

// The dimension of the trials is that of the operand.
// CHECK-LABEL: func.func private @trials.core
//       CHECK:   functional.random_uniform %{{.*}} size(%{{.*}}, %{{.*}}) {{.*}} to tensor<?x?xf64>
func.func @trials(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> {
  %0 = graph.bernoulli.p %x {p = 0.25 : f64} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}
