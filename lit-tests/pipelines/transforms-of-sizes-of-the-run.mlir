// Fourier transforms of dimensions that types do not say, cut to a given size where there is one.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c128", "data": [[1, 0], [2, 1], [-3, 0], [4, 0], [5, -2], [0, 6], [1, 1], [2, 2], [3, 3], [4, 0], [5, 5], [6, 0], [7, 0], [8, 1], [9, 1], [-1, 0]]}}, "args": [{"storage": "x", "sizes": [4, 4]}]}' > %t.json
// RUN: terrace-check %s --entry=there --inputs %t.json
// RUN: terrace-run %s --entry=there --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=there --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "sizes": [4, 4]
// CHECK: "sizes": [2, 2]
func.func @there(%x: !graph.tensor<?x?xcomplex<f64>>) -> (!graph.tensor<?x?xcomplex<f64>>, !graph.tensor<2x2xcomplex<f64>>) {
  %0 = graph.fft_fft %x : !graph.tensor<?x?xcomplex<f64>>
  %1 = graph.fft_ifft2 %x {s = array<i64: 2, 2>} : !graph.tensor<?x?xcomplex<f64>>
  return %0, %1 : !graph.tensor<?x?xcomplex<f64>>, !graph.tensor<2x2xcomplex<f64>>
}

// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 0, 2, 1, -3, 0, 4, 0]}}, "args": [{"storage": "x", "sizes": [2, 4]}]}' > %t.reals.json
// RUN: terrace-check %s --entry=reals --inputs %t.reals.json
// RUN: terrace-run %s --entry=reals --inputs %t.reals.json > %t.compiled
// RUN: terrace-run %s --entry=reals --inputs %t.reals.json --target=interpret | diff - %t.compiled
func.func @reals(%x: !graph.tensor<?x?xf32>) -> (!graph.tensor<?x?xcomplex<f32>>, !graph.tensor<?x2xf32>, !graph.tensor<?x2xcomplex<f32>>) {
  %0 = graph.fft_rfft %x : !graph.tensor<?x?xf32>
  %1 = graph.fft_irfft %0 {n = 2} : !graph.tensor<?x?xcomplex<f32>>
  %2 = graph.fft_ihfft %x {n = 2} : !graph.tensor<?x?xf32>
  return %0, %1, %2 : !graph.tensor<?x?xcomplex<f32>>, !graph.tensor<?x2xf32>, !graph.tensor<?x2xcomplex<f32>>
}
