// RUN: terrace-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --split-input-file | FileCheck %s

// Each point reads only the element that it writes: no copy.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: memref.alloc
// CHECK: loop.pointwise (%[[I:.*]] = 4) into %[[X:.*]] {
// CHECK: loop.load %[[X]][%[[I]]]
func.func @in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A point reads an element that another writes: the old value stays in a buffer of its own.
// CHECK-LABEL: func.func @shifted_read_is_not_in_place
// CHECK: memref.alloc
func.func @shifted_read_is_not_in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[(%i + 1) mod 4] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The destination of a scatter keeps its other elements: its old value is read.
// CHECK-LABEL: func.func @scatter_keeps_the_rest
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: memref.copy %{{.*}}, %[[A]]
// CHECK: loop.scatter (%{{.*}} = 2) into %[[A]]
func.func @scatter_keeps_the_rest(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = loop.scatter (%i = 2) into %x {
    %a = loop.load %y[%i] : tensor<2xf32>
    loop.yield %a at [%i + 2] : f32
  } : tensor<4xf32>
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// A scan has read an element before it writes it.
// CHECK-LABEL: func.func @scan_in_place
// CHECK-NOT: memref.alloc
// CHECK: loop.scan add (%[[I:.*]] = 4) along %[[I]] into %[[X:.*]] {
// CHECK: loop.load %[[X]][%[[I]]]
func.func @scan_in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = loop.scan add (%i = 4) along %i into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What it reads at other points may be written already.
// CHECK-LABEL: func.func @scan_of_others_is_not_in_place
// CHECK: memref.alloc
func.func @scan_of_others_is_not_in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = loop.scan add (%i = 4) along %i into %x {
    %a = loop.load %x[3 - %i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// The input is read after nobody knows which elements are written: it stays.
// CHECK-LABEL: func.func @sort_is_not_in_place
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[P:.*]]: memref<4xi64>
// CHECK: %[[V:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: loop.sort %[[X]] along 0 into %[[V]], %[[P]] : memref<4xf32> into memref<4xf32>, memref<4xi64>
func.func @sort_is_not_in_place(%x: tensor<4xf32>, %p: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %0:2 = loop.sort %x along 0 into %x, %p : tensor<4xf32> into tensor<4xf32>, tensor<4xi64>
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}
