// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4 | FileCheck %s

// The same pointer, with sizes and strides in elements of the new type.
// CHECK-LABEL: func.func @known
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %{{.*}} : memref<4xcomplex<f32>, strided<[3], offset: 5>>
// CHECK: %[[PART:.*]] = builtin.unrealized_conversion_cast %[[BASE]] : memref<complex<f32>> to memref<f32>
// CHECK: memref.reinterpret_cast %[[PART]] to offset: [10], sizes: [4, 2], strides: [6, 1]
func.func @known(%x: memref<4xcomplex<f32>, strided<[3], offset: 5>>) -> memref<4x2xf32, strided<[6, 1], offset: 10>> {
  %0 = kernel.reinterpret %x : memref<4xcomplex<f32>, strided<[3], offset: 5>> to memref<4x2xf32, strided<[6, 1], offset: 10>>
  return %0 : memref<4x2xf32, strided<[6, 1], offset: 10>>
}

// What is not known is counted when the program runs.
// CHECK-LABEL: func.func @counted
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZE:.*]], %[[STRIDE:.*]] = memref.extract_strided_metadata
// CHECK: %[[TO:.*]] = arith.muli %[[OFFSET]], %c2
// CHECK: %[[BY:.*]] = arith.muli %[[STRIDE]], %c2
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%[[TO]]], sizes: [%[[SIZE]], 2], strides: [%[[BY]], 1]
func.func @counted(%x: memref<?xcomplex<f32>, strided<[?], offset: ?>>) -> memref<?x2xf32, strided<[?, 1], offset: ?>> {
  %0 = kernel.reinterpret %x : memref<?xcomplex<f32>, strided<[?], offset: ?>> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x2xf32, strided<[?, 1], offset: ?>>
}

// Upstream has no lowering for several sizes of the run in a group: strides are their products, from the inside.
// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x4xf32>, %[[M:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[STRIDE:.*]] = arith.muli %{{.*}}, %[[N]] : index
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[M]], %[[N]], 4], strides: [%[[STRIDE]], 4, 1]
func.func @split(%x: memref<?x4xf32>, %m: index, %n: index) -> memref<?x?x4xf32> {
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, %n, 4] : memref<?x4xf32> into memref<?x?x4xf32>
  return %0 : memref<?x?x4xf32>
}
