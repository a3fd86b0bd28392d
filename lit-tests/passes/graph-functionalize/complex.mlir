// RUN: terrace-opt %s --pass-pipeline='builtin.module(func.func(graph-resolve-views),graph-functionalize)' --split-input-file | FileCheck %s

// A write through the imaginary part leaves the real one: the parts are opened, one is replaced, and they are closed again.
// CHECK-LABEL: func.func private @imaginary.core
// CHECK-SAME: (%[[Z:.*]]: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
// CHECK: %[[NEG:.*]] = functional.neg
// CHECK: %[[OPEN:.*]] = functional.view.dtype %{{.*}} {dtype = f32} : tensor<3x1xcomplex<f32>>
// CHECK: %[[PUT:.*]] = functional.select_scatter %[[OPEN]], %[[NEG]] index [1] {dim = -1 : i64}
// CHECK: %[[CLOSED:.*]] = functional.view.dtype %[[PUT]] {dtype = complex<f32>}
// CHECK: %[[NEW:.*]] = functional.view %[[CLOSED]] size [3]
// CHECK: return %[[NEW]]
// CHECK: func.func @imaginary
// CHECK: graph.write_back %{{.*}} into %arg0
func.func @imaginary(%z: !graph.tensor<3xcomplex<f32>>) {
  %im = graph.imag %z : !graph.tensor<3xcomplex<f32>>
  %w = graph.neg_ %im : !graph.tensor<3xf32>
  return
}

// -----

// A write through a conjugate conjugates what is written; the conjugate is rebuilt for the caller.
// CHECK-LABEL: func.func private @conjugate.core
// CHECK: %[[READ:.*]] = functional.conj_physical %arg0
// CHECK: %[[EXP:.*]] = functional.exp %[[READ]]
// CHECK: %[[NEW:.*]] = functional.conj_physical %[[EXP]]
// CHECK: return %[[NEW]]
// CHECK: func.func @conjugate
// CHECK: %[[C:.*]] = graph._conj %arg0
// CHECK: return %[[C]]
func.func @conjugate(%z: !graph.tensor<3xcomplex<f32>>) -> !graph.tensor<3xcomplex<f32>> {
  %c = graph.conj %z : !graph.tensor<3xcomplex<f32>>
  %w = graph.exp_ %c : !graph.tensor<3xcomplex<f32>>
  return %w : !graph.tensor<3xcomplex<f32>>
}

// -----

// Complex numbers over pairs of floats, and a view of them at an offset for the caller.
// CHECK-LABEL: func.func private @pairs.core
// CHECK: functional.view.dtype %{{.*}} {dtype = complex<f32>} : tensor<4x2xf32>
// CHECK: functional.mul
// CHECK: func.func @pairs
// CHECK: %[[ROW:.*]] = graph.as_strided %arg0 size [8] stride [1] storage_offset [0]
// CHECK: %[[Z:.*]] = graph.view.dtype %[[ROW]] {dtype = complex<f32>} : !graph.tensor<8xf32>
// CHECK: graph.as_strided %[[Z]] size [2] stride [1] storage_offset [2]
func.func @pairs(%x: !graph.tensor<4x2xf32>, %y: !graph.tensor<4xcomplex<f32>>) 
    -> (!graph.tensor<2xcomplex<f32>>, !graph.tensor<4x2xf32>) {
  %z = graph.view_as_complex %x : !graph.tensor<4x2xf32>
  %s = graph.slice %z start [2] end [4] step [1] : !graph.tensor<4xcomplex<f32>>
  %p = graph.mul %z, %y : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  %v = graph.view_as_real %p : !graph.tensor<4xcomplex<f32>>
  return %s, %v : !graph.tensor<2xcomplex<f32>>, !graph.tensor<4x2xf32>
}

// -----

// Elements of half the size: all of each are seen, or those at one place.
// CHECK-LABEL: func.func private @halves.core
// CHECK-SAME: (%[[X:.*]]: tensor<2x2xf32>)
// CHECK: %[[OPEN:.*]] = functional.view.dtype %{{.*}} {dtype = i16} : tensor<2x2x1xf32>
// CHECK: functional.view %[[OPEN]] size [2, 4]
// CHECK: %[[SOME:.*]] = functional.view.dtype %{{.*}} {dtype = i16}
// CHECK: functional.select %[[SOME]] index [1] {dim = -1 : i64}
func.func @halves(%x: !graph.tensor<2x2xf32>) -> (!graph.tensor<2x4xi16>, !graph.tensor<2x2xi16>) {
  %h = graph.view.dtype %x {dtype = i16} : !graph.tensor<2x2xf32>
  %upper = graph.slice %h start [1] end [4] step [2] {dim = 1 : i64} : !graph.tensor<2x4xi16>
  %a = graph.neg %h : !graph.tensor<2x4xi16>
  %b = graph.neg %upper : !graph.tensor<2x2xi16>
  return %a, %b : !graph.tensor<2x4xi16>, !graph.tensor<2x2xi16>
}

// -----

// What is not finite is looked for in each part.
// CHECK-LABEL: func.func private @finite.core
// CHECK: %[[RE:.*]] = functional.select %{{.*}} index [0] {dim = -1 : i64} : tensor<4x2xf32>
// CHECK: functional.isnan %[[RE]]
// CHECK: %[[IM:.*]] = functional.select %{{.*}} index [1] {dim = -1 : i64} : tensor<4x2xf32>
// CHECK: functional.isnan %[[IM]]
// CHECK: functional.complex
func.func @finite(%z: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> {
  %0 = graph.nan_to_num %z : !graph.tensor<4xcomplex<f32>>
  return %0 : !graph.tensor<4xcomplex<f32>>
}
