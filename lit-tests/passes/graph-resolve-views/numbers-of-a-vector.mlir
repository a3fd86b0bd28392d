// RUN: terrace-opt %s --graph-resolve-views --split-input-file --verify-diagnostics | FileCheck %s

// Why: each number is read in front of its operation, which may write where the next one is.
// CHECK-LABEL: func.func @numbers
//  CHECK-SAME:   (%[[A:.*]]: !graph.tensor<2xf32>, %[[B:.*]]: !graph.tensor<3xf32>, %[[K:.*]]: !graph.tensor<2xf32>)
//       CHECK:   %[[E:.*]] = graph.select %[[K]] index [0]
//       CHECK:   %[[N:.*]] = graph.item %[[E]]
//       CHECK:   graph.addcmul_ %[[A]], %[[A]], %[[A]] value %[[N]]
//       CHECK:   %[[F:.*]] = graph.select %[[K]] index [1]
//       CHECK:   %[[M:.*]] = graph.item %[[F]]
//       CHECK:   graph.addcmul_ %[[B]], %[[B]], %[[B]] value %[[M]]
func.func @numbers(%a: !graph.tensor<2xf32>, %b: !graph.tensor<3xf32>, %k: !graph.tensor<2xf32>) {
  graph._foreach_addcmul_.Tensor [%a, %b], [%a, %b], [%a, %b], %k : [!graph.tensor<2xf32>, !graph.tensor<3xf32>], [!graph.tensor<2xf32>, !graph.tensor<3xf32>], [!graph.tensor<2xf32>, !graph.tensor<3xf32>], !graph.tensor<2xf32>
  return
}

// -----

func.func @"not-numbers-with-gaps"(%a: !graph.tensor<2xf32>, %k: !graph.tensor<2xf32> {graph.layout = strided<[2]>}) {
  // expected-error @+1 {{Expected scalars to be contiguous.}}
  graph._foreach_addcmul_.Tensor [%a, %a], [%a, %a], [%a, %a], %k : [!graph.tensor<2xf32>, !graph.tensor<2xf32>], [!graph.tensor<2xf32>, !graph.tensor<2xf32>], [!graph.tensor<2xf32>, !graph.tensor<2xf32>], !graph.tensor<2xf32>
  return
}

// -----

// Complex numbers, where a tensor that each goes with is complex.
// CHECK-LABEL: func.func @complex_numbers
//       CHECK:   %[[N:.*]] = graph.item %{{.*}} : !graph.tensor<complex<f32>>
//       CHECK:   graph.addcmul_ %{{.*}}, %{{.*}}, %{{.*}} value %[[N]]
func.func @complex_numbers(%a: !graph.tensor<2xcomplex<f32>>, %b: !graph.tensor<2xf32>, %k: !graph.tensor<1xcomplex<f32>>) {
  graph._foreach_addcmul_.Tensor [%a], [%a], [%b], %k : [!graph.tensor<2xcomplex<f32>>], [!graph.tensor<2xcomplex<f32>>], [!graph.tensor<2xf32>], !graph.tensor<1xcomplex<f32>>
  return
}

// -----

// Why: for real tensors a complex number has to be real, which is known when the program runs.
// CHECK-LABEL: func.func @complex_numbers_for_real_tensors
//       CHECK:   %[[P:.*]] = graph.view_as_real %{{.*}} : !graph.tensor<complex<f32>>
//       CHECK:   %[[R:.*]] = graph.select %[[P]] index [0]
//       CHECK:   %[[N:.*]] = graph.item %[[R]]
//       CHECK:   %[[I:.*]] = graph.select %[[P]] index [1]
//       CHECK:   %[[M:.*]] = graph.item %[[I]]
//       CHECK:   %[[C:.*]] = arith.cmpf oeq, %[[M]], %{{.*}} : f64
//       CHECK:   cf.assert %[[C]], "value cannot be converted to type float without overflow"
//       CHECK:   graph.addcmul_ %{{.*}}, %{{.*}}, %{{.*}} value %[[N]]
func.func @complex_numbers_for_real_tensors(%b: !graph.tensor<2xf32>, %k: !graph.tensor<1xcomplex<f32>>) {
  graph._foreach_addcmul_.Tensor [%b], [%b], [%b], %k : [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], [!graph.tensor<2xf32>], !graph.tensor<1xcomplex<f32>>
  return
}
