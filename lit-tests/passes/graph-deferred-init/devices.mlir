// RUN: terrace-opt --graph-deferred-init %s | FileCheck %s

// Fake tensors are where the real ones are, and laid out as there: an upsampling of images on CUDA, of theirs.
// CHECK-LABEL: func.func @placed(
// CHECK-LABEL: func.func @placed.fake() -> (!graph.tensor<4xf32, "cuda:0">
// CHECK: graph.fake [4] {device = "cuda:0", dtype = f32}
// CHECK-LABEL: func.func @placed.materialize_0
// CHECK: graph.empty [4] {device = "cuda:0"}
// CHECK: graph.normal_ %{{.*}} : !graph.tensor<4xf32, "cuda:0">
func.func @placed() -> !graph.tensor<4xf32, "cuda:0"> {
  %e = graph.empty [4] {device = "cuda:0"}
  %w = graph.normal_ %e : !graph.tensor<4xf32, "cuda:0">
  return %w : !graph.tensor<4xf32, "cuda:0">
}

// CHECK-LABEL: func.func @spectrum(
// CHECK-LABEL: func.func @spectrum.fake
// CHECK: graph.fake [24] {device = "cuda:0", dtype = complex<f32>}
// CHECK-NEXT: graph.as_strided %{{.*}} size [2, 4, 3] stride [12, 1, 4] storage_offset [0] : !graph.tensor<24xcomplex<f32>, "cuda:0">
func.func @spectrum() -> !graph.tensor<2x4x3xcomplex<f32>, "cuda:0"> {
  %e = graph.zeros [2, 4, 3] {dtype = complex<f32>, device = "cuda:0"}
  %w = graph._fft_c2c %e {dim = array<i64: 1>, normalization = 0 : i64, forward = true} : !graph.tensor<2x4x3xcomplex<f32>, "cuda:0">
  return %w : !graph.tensor<2x4x3xcomplex<f32>, "cuda:0">
}
