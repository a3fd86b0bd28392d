// RUN: terrace-opt %s | terrace-opt | FileCheck %s
// RUN: terrace-opt --mlir-print-op-generic %s | terrace-opt | FileCheck %s

// CHECK-LABEL: @numbers
func.func @numbers(%x: !graph.tensor<2x?xf32>, %i: !graph.tensor<1xi32>, %b: !graph.tensor<i1>, %z: !graph.tensor<complex<f32>>) -> (f64, i64, i1, complex<f64>) {
  // CHECK: graph.sym_size %{{.*}} {dim = -1 : i64} : !graph.tensor<2x?xf32>
  %0 = graph.sym_size %x {dim = -1 : i64} : !graph.tensor<2x?xf32>
  // CHECK: graph.sym_stride %{{.*}} {dim = 0 : i64} : !graph.tensor<2x?xf32>
  %1 = graph.sym_stride %x {dim = 0 : i64} : !graph.tensor<2x?xf32>
  // CHECK: graph.sym_numel %{{.*}} : !graph.tensor<2x?xf32>
  %2 = graph.sym_numel %x : !graph.tensor<2x?xf32>
  // CHECK: graph.sym_storage_offset %{{.*}} : !graph.tensor<2x?xf32>
  %3 = graph.sym_storage_offset %x : !graph.tensor<2x?xf32>
  // CHECK: graph._local_scalar_dense %{{.*}} : !graph.tensor<2x?xf32>
  %4 = graph._local_scalar_dense %x : !graph.tensor<2x?xf32>
  // CHECK: graph.item %{{.*}} : !graph.tensor<1xi32>
  %5 = graph.item %i : !graph.tensor<1xi32>
  %6 = graph.item %b : !graph.tensor<i1>
  %7 = graph.item %z : !graph.tensor<complex<f32>>
  // CHECK: return %{{.*}} : f64, i64, i1, complex<f64>
  return %4, %5, %6, %7 : f64, i64, i1, complex<f64>
}
