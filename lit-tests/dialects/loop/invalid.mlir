// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @domain(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'loop.pointwise' op expects a destination of the domain's sizes [5], got [4]}}
  %0 = loop.pointwise (%i = 5) into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @element(%x: tensor<4xf32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'loop.pointwise' op yields f32 into a destination of i32}}
  %0 = loop.pointwise (%i = 4) into %y {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @combiner(%x: memref<4xf32>, %y: memref<f32>) {
  // expected-error @+1 {{'loop.reduction' op combines f32 by 'or'}}
  loop.reduction or () over (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<f32>
  return
}

// -----

func.func @rank(%x: memref<4x4xf32>, %y: memref<4xf32>) {
  loop.pointwise (%i = 4) into %y {
    // expected-error @+1 {{'loop.load' op expects 2 indices, one per dimension, got 1}}
    %a = loop.load %x[%i] : memref<4x4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @place(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scatter' op expects its yield to say where the element goes: 'at [...]'}}
  loop.scatter (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @no_place(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op yields 'at' a place: only a scatter chooses where an element goes}}
  loop.pointwise (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a at [%i] : f32
  } : memref<4xf32>
  return
}
