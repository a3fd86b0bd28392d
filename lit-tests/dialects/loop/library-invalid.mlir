// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @dimension(%x: tensor<4xf32>, %v: tensor<4xf32>, %p: tensor<4xi64>) {
  // expected-error @+1 {{'loop.sort' op sorts along dimension 1 of 1}}
  %0:2 = loop.sort %x along 1 into %v, %p : tensor<4xf32> into tensor<4xf32>, tensor<4xi64>
  return
}

// -----

func.func @longer(%x: tensor<4xf32>, %v: tensor<5xf32>, %p: tensor<5xi64>) {
  // expected-error @+1 {{'loop.sort' op has 5 elements along dimension 0 for 4 that there are}}
  %0:2 = loop.sort %x along 0 into %v, %p : tensor<4xf32> into tensor<5xf32>, tensor<5xi64>
  return
}

// -----

func.func @other_sizes(%x: tensor<4x2xf32>, %v: tensor<3x2xf32>, %p: tensor<2x2xi64>) {
  // expected-error @+1 {{'loop.sort' op expects a destination of the input's other sizes [3, 2], got [2, 2]}}
  %0:2 = loop.sort %x along 0 into %v, %p : tensor<4x2xf32> into tensor<3x2xf32>, tensor<2x2xi64>
  return
}

// -----

func.func @places(%x: tensor<4xf32>, %v: tensor<4xf32>, %p: tensor<4xi32>) {
  // expected-error @+1 {{'loop.sort' op puts places into i32: expects i64}}
  %0:2 = loop.sort %x along 0 into %v, %p : tensor<4xf32> into tensor<4xf32>, tensor<4xi32>
  return
}

// -----

func.func @one_destination(%x: tensor<4xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{'loop.sort' op writes 2 destinations, got 1}}
  %0 = loop.sort %x along 0 into %v : tensor<4xf32> into tensor<4xf32>
  return
}

// -----

func.func @in_place(%x: memref<4xf32>, %p: memref<4xi64>) {
  // expected-error @+1 {{'loop.sort' op writes the memref that it reads: expects another destination}}
  loop.sort %x along 0 into %x, %p : memref<4xf32> into memref<4xf32>, memref<4xi64>
  return
}

// -----

func.func @counts(%x: tensor<4xf32>, %low: f64, %high: f64, %h: tensor<3xi64>) {
  // expected-error @+1 {{'loop.histogram' op counts f32 in i64: expects floats of one type}}
  %0 = loop.histogram %x from %low to %high into %h : tensor<4xf32> into tensor<3xi64>
  return
}

// -----

func.func @no_parts(%x: tensor<4xf32>, %low: f64, %high: f64, %h: tensor<0xf32>) {
  // expected-error @+1 {{'loop.histogram' op expects a vector of at least one element for the counts}}
  %0 = loop.histogram %x from %low to %high into %h : tensor<4xf32> into tensor<0xf32>
  return
}

// -----

func.func @real(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'loop.fft' op transforms real numbers into real ones: expects complex numbers on one side at least}}
  %0 = loop.fft %x along [0] normalization 0 into %y : tensor<4xf32> into tensor<4xf32>
  return
}

// -----

func.func @twice(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'loop.fft' op transforms along [0, 0]: expects some of the 1 dimensions, each once}}
  %0 = loop.fft %x along [0, 0] normalization 0 into %y : tensor<4xcomplex<f32>> into tensor<4xcomplex<f32>>
  return
}

// -----

func.func @direction(%x: tensor<4xf32>, %y: tensor<3xcomplex<f32>>) {
  // expected-error @+1 {{'loop.fft' op goes from real numbers forward, and back to them 'inverse'}}
  %0 = loop.fft inverse %x along [0] normalization 0 into %y : tensor<4xf32> into tensor<3xcomplex<f32>>
  return
}

// -----

func.func @half(%x: tensor<8xf32>, %y: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'loop.fft' op expects a destination of sizes [8], got [4]}}
  %0 = loop.fft %x along [0] normalization 0 into %y : tensor<8xf32> into tensor<4xcomplex<f32>>
  return
}
