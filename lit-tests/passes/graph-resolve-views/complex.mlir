// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views))' | FileCheck %s

// Of real numbers the operand itself.
// CHECK-LABEL: func.func @real_numbers
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0
func.func @real_numbers(%x: !graph.tensor<4xf32>) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %0 = graph.real %x : !graph.tensor<4xf32>
  %1 = graph.conj %x : !graph.tensor<4xf32>
  %2 = graph.conj_physical %x : !graph.tensor<4xf32>
  %3 = graph.resolve_conj %x : !graph.tensor<4xf32>
  return %0, %1, %2, %3 : !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// The imaginary part of a conjugate is the negative of the one that is stored; the real part is that one.
// CHECK-LABEL: func.func @parts
// CHECK: %[[C:.*]] = graph._conj %arg0
// CHECK: %[[Z:.*]] = graph._conj %[[C]]
// CHECK: %[[P:.*]] = graph.view_as_real %[[Z]]
// CHECK: %[[I:.*]] = graph.select %[[P]] index [1] {dim = -1 : i64}
// CHECK: graph._neg_view %[[I]]
func.func @parts(%z: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xf32> {
  %c = graph.conj %z : !graph.tensor<4xcomplex<f32>>
  %i = graph.imag %c : !graph.tensor<4xcomplex<f32>>
  return %i : !graph.tensor<4xf32>
}

// A conjugate is copied to have its flag resolved; a tensor without it is not.
// CHECK-LABEL: func.func @resolved
// CHECK: %[[C:.*]] = graph._conj %arg0
// CHECK: %[[R:.*]] = graph.clone %[[C]]
// CHECK: return %[[R]], %arg0
func.func @resolved(%z: !graph.tensor<4xcomplex<f32>>) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) {
  %c = graph.conj %z : !graph.tensor<4xcomplex<f32>>
  %r = graph.resolve_conj %c : !graph.tensor<4xcomplex<f32>>
  %s = graph.resolve_conj %z : !graph.tensor<4xcomplex<f32>>
  return %r, %s : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}

// What is missing of a line is zero, and half of the result of real numbers is enough.
// CHECK-LABEL: func.func @line
// CHECK: graph.fill_
// CHECK: %[[R:.*]] = graph._fft_r2c %{{.*}} {dim = array<i64: 0>, normalization = 1 : i64, onesided = true} : !graph.tensor<6xf32>
// CHECK: return %[[R]]
func.func @line(%x: !graph.tensor<4xf32>) -> !graph.tensor<4xcomplex<f32>> {
  %t = graph.fft_rfft %x {n = 6 : i64, norm = "ortho"} : !graph.tensor<4xf32>
  return %t : !graph.tensor<4xcomplex<f32>>
}
