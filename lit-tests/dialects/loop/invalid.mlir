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

func.func @combined_in_order(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scatter' op is 'ordered' and has a combiner, which takes elements in any order: expects one of them}}
  loop.scatter add ordered (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a at [%i] : f32
  } : memref<4xf32>
  return
}

// -----

func.func @combined_bits(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scatter' op combines f32 by 'and'}}
  loop.scatter and (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a at [%i] : f32
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

// -----

func.func @along_no_index(%y: memref<4xf32>, %k: index) {
  // expected-error @+1 {{expected an index of the domain}}
  loop.scan add (%i = 4) along %k into %y {
    %a = loop.load %y[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @logarithms_of_integers(%y: memref<4xi32>) {
  // expected-error @+1 {{'loop.scan' op combines i32 by 'logaddexp'}}
  loop.scan logaddexp (%i = 4) along %i into %y {
    %a = loop.load %y[%i] : memref<4xi32>
    loop.yield %a : i32
  } : memref<4xi32>
  return
}

// -----

func.func @scan_combines(%y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scan' op combines f32 by 'and'}}
  loop.scan and (%i = 4) along %i into %y {
    %a = loop.load %y[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @scan_shape(%x: memref<8xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scan' op expects a destination of the domain's sizes}}
  loop.scan add (%i = 8) along %i into %y {
    %a = loop.load %x[%i] : memref<8xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @scan_divided(%y: memref<4xf32>) {
  // expected-error @+1 {{'loop.scan' op has a tile that divides dimension 0, along which it scans}}
  loop.scan add (%i = 4) along %i into %y {
    %a = loop.load %y[%i] : memref<4xf32>
    loop.yield %a : f32
  } tile [2] : memref<4xf32>
  return
}

// -----

func.func @no_order(%y: memref<4x4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op has the order [0, 0]: expects each dimension of the domain once, 0 to 1}}
  loop.pointwise (%i = 4, %j = 4) into %y {
    %a = loop.load %y[%i, %j] : memref<4x4xf32>
    loop.yield %a : f32
  } order [0, 0] : memref<4x4xf32>
  return
}

// -----

func.func @tile_rank(%y: memref<4x4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op has a tile of 1 sizes: expects 2, one per dimension}}
  loop.pointwise (%i = 4, %j = 4) into %y {
    %a = loop.load %y[%i, %j] : memref<4x4xf32>
    loop.yield %a : f32
  } tile [2] : memref<4x4xf32>
  return
}

// -----

func.func @tile_too_large(%y: memref<4x4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op has the tile [2, 8]: expects sizes of 1 up to those of the domain, [4, 4]}}
  loop.pointwise (%i = 4, %j = 4) into %y {
    %a = loop.load %y[%i, %j] : memref<4x4xf32>
    loop.yield %a : f32
  } tile [2, 8] : memref<4x4xf32>
  return
}
