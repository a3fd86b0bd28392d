// RUN: terrace-opt %s --graph-outline-eager | FileCheck %s

// Why: a part of complex numbers is a view, which no function of its own can give; of strides that are not known it is worked out when the program runs.
// CHECK-LABEL: func.func @written_through(
// CHECK-SAME: %[[X:.*]]: !graph.tensor<?xcomplex<f32>>
// CHECK: %[[PAIRS:.*]] = graph.view_as_real %[[X]] : !graph.tensor<?xcomplex<f32>>
// CHECK: %[[PART:.*]] = graph.select %[[PAIRS]] index [1] {dim = -1 : i64} : !graph.tensor<?x2xf32>
// CHECK: call @written_through.relu_(%[[PART]])
func.func @written_through(%x: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}) attributes {graph.eager} {
  %0 = graph.imag %x : !graph.tensor<?xcomplex<f32>>
  graph.relu_ %0 : !graph.tensor<?xf32>
  return
}

// Of a conjugate the imaginary part is a negative, the real one is not.
// CHECK-LABEL: func.func @of_a_conjugate(
// CHECK: %[[IMAG:.*]] = graph.select %{{.*}} index [1]
// CHECK: graph._neg_view %[[IMAG]]
// CHECK: graph.select %{{.*}} index [0]
// CHECK-NOT: graph._neg_view
// CHECK: return
func.func @of_a_conjugate(%x: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<?xcomplex<f32>>
  %1 = graph.imag %0 : !graph.tensor<?xcomplex<f32>>
  %2 = graph.real %0 : !graph.tensor<?xcomplex<f32>>
  return %1, %2 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
