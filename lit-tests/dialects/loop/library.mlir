// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @tensors
// CHECK: loop.sort %{{.*}} along 1 into %{{.*}}, %{{.*}} : tensor<4x8xf32> into tensor<4x8xf32>, tensor<4x8xi64>
// CHECK: loop.sort descending %{{.*}} along 0 into %{{.*}}, %{{.*}} : tensor<4x8xf32> into tensor<2x8xf32>, tensor<2x8xi64>
// CHECK: loop.histogram %{{.*}} from %{{.*}} to %{{.*}} into %{{.*}} : tensor<4x8xf32> into tensor<10xf32>
// CHECK: loop.fft %{{.*}} along [0, 1] normalization 0 into %{{.*}} : tensor<4x8xf32> into tensor<4x5xcomplex<f32>>
// CHECK: loop.fft inverse %{{.*}} along [0, 1] normalization 2 into %{{.*}} : tensor<4x5xcomplex<f32>> into tensor<4x8xf32>
// CHECK: loop.fft inverse %{{.*}} along [1] normalization 1 into %{{.*}} : tensor<4x5xcomplex<f32>> into tensor<4x5xcomplex<f32>>
func.func @tensors(%x: tensor<4x8xf32>, %v: tensor<4x8xf32>, %p: tensor<4x8xi64>, %w: tensor<2x8xf32>, %q: tensor<2x8xi64>,
                   %low: f64, %high: f64, %h: tensor<10xf32>, %c: tensor<4x5xcomplex<f32>>) {
  %0:2 = loop.sort %x along 1 into %v, %p : tensor<4x8xf32> into tensor<4x8xf32>, tensor<4x8xi64>
  %1:2 = loop.sort descending %x along 0 into %w, %q : tensor<4x8xf32> into tensor<2x8xf32>, tensor<2x8xi64>
  %2 = loop.histogram %x from %low to %high into %h : tensor<4x8xf32> into tensor<10xf32>
  %3 = loop.fft %x along [0, 1] normalization 0 into %c : tensor<4x8xf32> into tensor<4x5xcomplex<f32>>
  %4 = loop.fft inverse %3 along [0, 1] normalization 2 into %v : tensor<4x5xcomplex<f32>> into tensor<4x8xf32>
  %5 = loop.fft inverse %3 along [1] normalization 1 into %c : tensor<4x5xcomplex<f32>> into tensor<4x5xcomplex<f32>>
  return
}

// CHECK-LABEL: func.func @memrefs
// CHECK: loop.sort %{{.*}} along 0 into %{{.*}}, %{{.*}} : memref<?xi8> into memref<?xi8>, memref<?xi64, strided<[2]>>
// CHECK: loop.fft %{{.*}} along [0] normalization 0 into %{{.*}} : memref<8xf64> into memref<5x2xf64>
func.func @memrefs(%x: memref<?xi8>, %v: memref<?xi8>, %p: memref<?xi64, strided<[2]>>, %y: memref<8xf64>, %c: memref<5x2xf64>) {
  loop.sort %x along 0 into %v, %p : memref<?xi8> into memref<?xi8>, memref<?xi64, strided<[2]>>
  loop.fft %y along [0] normalization 0 into %c : memref<8xf64> into memref<5x2xf64>
  return
}
