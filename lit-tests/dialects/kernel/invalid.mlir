// RUN: terrace-opt %s --split-input-file --verify-diagnostics

kernel.func @k(%x: memref<8xf32>) grid(%i in 2) {
  kernel.return
}
func.func @grid(%x: memref<8xf32>) {
  // expected-error @+1 {{'kernel.launch' op expects the kernel's grid [2], got [3]}}
  kernel.launch @k grid [3] (%x) : memref<8xf32>
  return
}

// -----

kernel.func @open(%x: memref<8xf32>) grid(%i in ?, %j in 2) {
  kernel.return
}
func.func @more_than_the_kernel_has(%x: memref<8xf32>, %n: index) {
  // expected-error @+1 {{'kernel.launch' op expects the kernel's grid [?, 2], got [?, ?]}}
  kernel.launch @open grid [%n, %n] (%x) : memref<8xf32>
  return
}

// -----

kernel.func @negative(%x: memref<8xf32>) grid(%i in ?) {
  kernel.return
}
func.func @below_nothing(%x: memref<8xf32>) {
  // expected-error @+1 {{'kernel.launch' op has a grid of negative size -2}}
  kernel.launch @negative grid [-2] (%x) : memref<8xf32>
  return
}

// -----

func.func @missing(%x: memref<8xf32>) {
  // expected-error @+1 {{'kernel.launch' op launches 'k', which is not there}}
  kernel.launch @k grid [3] (%x) : memref<8xf32>
  return
}

// -----

kernel.func @k(%x: memref<8xf32>) grid(%i in 2) {
  kernel.return
}
func.func @argument(%x: memref<4xf32>) {
  // expected-error @+1 {{'kernel.launch' op expects memref<8xf32> as argument 0, got memref<4xf32>}}
  kernel.launch @k grid [2] (%x) : memref<4xf32>
  return
}

// -----

kernel.func @tile(%x: memref<8xf32>) grid(%i in 2) {
  %t = arith.constant dense<0.0> : tensor<8xf32>
  // expected-error @+1 {{'kernel.store' op expects a tile of the ranges' sizes [4], got [8]}}
  kernel.store %t, %x[%i : 4] : tensor<8xf32>, memref<8xf32>
  kernel.return
}

// -----

kernel.func @valid(%x: memref<8xf32>) grid(%i in 2) {
  // expected-error @+1 {{'kernel.load' op expects a valid count for each of 1 ranges, got 2}}
  %t = "kernel.load"(%x, %i, %i, %i) {map = affine_map<(d0) -> (d0)>, ranges = array<i64: 4>, steps = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 2, 0>} : (memref<8xf32>, index, index, index) -> tensor<4xf32>
  kernel.return
}

// -----

kernel.func @dot(%x: memref<8xf32>) grid() {
  %a = arith.constant dense<0.0> : tensor<4x2xf32>
  // expected-error @+1 {{'kernel.dot' op can't multiply [4, 2] by [4, 2]}}
  %d = kernel.dot %a, %a, %a : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
  kernel.return
}

// -----

func.func @widths(%x: memref<4x3xf32>) {
  // expected-error @+1 {{'kernel.reinterpret' op can't see memref<4x3xf32> as memref<4x1xf64>}}
  %0 = kernel.reinterpret %x : memref<4x3xf32> to memref<4x1xf64>
  return
}

// -----

func.func @gaps(%x: memref<4x2xf32, strided<[3, 1]>>) {
  // expected-error @+1 {{'kernel.reinterpret' op has strides in memref<4x2xf32, strided<[3, 1]>> that are no multiples of 2}}
  %0 = kernel.reinterpret %x : memref<4x2xf32, strided<[3, 1]>> to memref<4x1xf64>
  return
}

// -----

func.func @sizes(%x: memref<4xcomplex<f32>>) {
  // expected-error @+1 {{'kernel.reinterpret' op expects sizes [4, 2] and strides [2, 1] of the result, got memref<4x2xf32, strided<[3, 1]>>}}
  %0 = kernel.reinterpret %x : memref<4xcomplex<f32>> to memref<4x2xf32, strided<[3, 1]>>
  return
}

// -----

kernel.func @scan_of_rows(%x: memref<4x8xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = kernel.load %x[%c0 : 4, %c0 : 8] : memref<4x8xf32>
  // expected-error @+1 {{scans a tile of 2 dimensions: expects one}}
  %r, %n = kernel.scan add %t from %zero : tensor<4x8xf32>, f32
  kernel.return
}

// -----

kernel.func @scan_that_carries_less(%x: memref<8xf64>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = kernel.load %x[%c0 : 8] : memref<8xf64>
  // expected-error @+1 {{expects to carry f64, or f64 for f32, got f32}}
  %r, %n = kernel.scan add %t from %zero : tensor<8xf64>, f32
  kernel.return
}

// -----

kernel.func @atomic(%x: memref<16xf32>, %t: tensor<8xf32>, %i: tensor<8xindex>) grid() {
  // expected-error @+1 {{'kernel.atomic' op combines f32 by max: expects i32 or i64, and add, min, max, and, or; or f32 or f64, and add}}
  kernel.atomic max %t, %x[%i] : tensor<8xf32>, memref<16xf32>, tensor<8xindex>
  kernel.return
}

// -----

kernel.func @pairs_of_floats(%a: tensor<4x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4x4xf32>) grid() {
  // expected-error @+1 {{'kernel.dot' op expects pairs as i32, added to f32, got f32 and f32}}
  %d = kernel.dot pairs %a, %b, %c : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>
  kernel.return
}

// -----

kernel.func @pairs_onto_f64(%a: tensor<4x2xi32>, %b: tensor<2x4xi32>, %c: tensor<4x4xf64>) grid() {
  // expected-error @+1 {{'kernel.dot' op expects pairs as i32, added to f32, got i32 and f64}}
  %d = kernel.dot pairs %a, %b, %c : tensor<4x2xi32>, tensor<2x4xi32>, tensor<4x4xf64>
  kernel.return
}

// -----

kernel.func @pairs_added_to_f64(%a: tensor<8xbf16>, %c: tensor<4xf64>) grid() {
  // expected-error @+1 {{'kernel.add_pairs' op expects pairs of bf16, added to f32, got bf16 and f64}}
  %d = kernel.add_pairs %a, %a, %c : tensor<8xbf16>, tensor<4xf64>
  kernel.return
}

// -----

kernel.func @pairs_of_another_shape(%a: tensor<8xbf16>, %c: tensor<2xf32>) grid() {
  // expected-error @+1 {{'kernel.add_pairs' op expects sums of [4], got [2]}}
  %d = kernel.add_pairs %a, %a, %c : tensor<8xbf16>, tensor<2xf32>
  kernel.return
}

// -----

kernel.func @half_a_pair(%a: tensor<7xbf16>, %c: tensor<3xf32>) grid() {
  // expected-error @+1 {{'kernel.add_pairs' op expects an even number of elements in a row, got [7]}}
  %d = kernel.add_pairs %a, %a, %c : tensor<7xbf16>, tensor<3xf32>
  kernel.return
}
