// What has no form as a loop operation stays, and says why.

// RUN: terrace-opt %s --convert-linalg-to-loop --split-input-file --verify-diagnostics -o - | FileCheck %s

// CHECK-LABEL: func.func @no_combiner
//       CHECK:   linalg.generic
func.func @no_combiner(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{stays: combines by 'arith.subf': expects a sum, product, maximum, minimum, 'and' or 'or'}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.subf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @more_than_combining
//       CHECK:   linalg.generic
func.func @more_than_combining(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{stays: uses the old element of output 0 for more than combining}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.mulf %o, %a : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @one_element_for_all
//       CHECK:   linalg.generic
func.func @one_element_for_all(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{stays: points that differ in dimension 1 may write the same element}}
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @branches
//       CHECK:   linalg.generic
func.func @branches(%x: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // expected-remark @+1 {{stays: has 'scf.if' in its body: expects arith, math, linalg.index and reads of elements}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    %s = scf.if %c -> f32 {
      %n = arith.negf %o : f32
      scf.yield %n : f32
    } else {
      scf.yield %o : f32
    }
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @complex
//       CHECK:   linalg.generic
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-remark @+1 {{stays: has elements of complex<f32>: expects floats, integers or indices}}
  %r = linalg.transpose ins(%x : tensor<4xcomplex<f32>>) outs(%x : tensor<4xcomplex<f32>>) permutation = [0]
  return %r : tensor<4xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @overlapping
//       CHECK:   linalg.generic
func.func @overlapping(%x: memref<5xf32>) {
  %a = memref.subview %x[0] [4] [1] : memref<5xf32> to memref<4xf32, strided<[1]>>
  %b = memref.subview %x[1] [4] [1] : memref<5xf32> to memref<4xf32, strided<[1], offset: 1>>
  // expected-remark @+1 {{stays: operand 0 overlaps what operand 1 writes}}
  linalg.copy ins(%a : memref<4xf32, strided<[1]>>) outs(%b : memref<4xf32, strided<[1], offset: 1>>)
  return
}
