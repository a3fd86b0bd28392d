// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file --verify-diagnostics
// RUN: not terrace-opt %s --convert-loop-to-kernel=tile=48 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not terrace-opt %s --convert-loop-to-kernel=grain=0 2>&1 | FileCheck %s --check-prefix=COUNT

// RUN: not terrace-opt %s --convert-loop-to-kernel=blocks=0 2>&1 | FileCheck %s --check-prefix=BLOCKS

// TILE: expects a tile of a power of two elements, got 48
// COUNT: expects a grain of 1 or more, got 0
// BLOCKS: expects one block or more, got 0

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'loop.pointwise' op is on tensor<4xf32>, not on a memref: run one-shot-bufferize first}}
  %0 = loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @loads_of_tensors(%x: tensor<4xf32>, %y: memref<4xf32>) {
  loop.pointwise (%i = 4) into %y {
    // expected-error @+1 {{'loop.load' op is on tensor<4xf32>, not on a memref: run one-shot-bufferize first}}
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// -----

func.func @calls(%x: memref<4xf32>) {
  loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : memref<4xf32>
    // expected-error @+1 {{'func.call' op is not supported in the body of a loop: expects arith, math and loop.load, on scalars}}
    %b = func.call @f(%a) : (f32) -> f32
    loop.yield %b : f32
  } : memref<4xf32>
  return
}
func.func private @f(f32) -> f32

// -----

func.func @elements(%x: memref<4xvector<2xf32>>) {
  // expected-error @+1 {{'loop.pointwise' op is on elements of vector<2xf32>: expects numbers}}
  loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : memref<4xvector<2xf32>>
    loop.yield %a : vector<2xf32>
  } : memref<4xvector<2xf32>>
  return
}

// -----

// The points before would have written there.
func.func @scatters_to_what_it_reads(%y: memref<8xf32>) {
  // expected-error @+1 {{'loop.scatter' op loads from the memref that its points write one after the other: expects another one}}
  loop.scatter add (%i = 4) into %y {
    %a = loop.load %y[%i + 4] : memref<8xf32>
    loop.yield %a at [%i floordiv 2] : f32
  } : memref<8xf32>
  return
}
