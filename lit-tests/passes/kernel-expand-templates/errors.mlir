// RUN: terrace-opt %s --kernel-expand-templates --split-input-file --verify-diagnostics
// RUN: not terrace-opt %s --kernel-expand-templates=tile=48 2>&1 | FileCheck %s --check-prefix=TILE

// TILE: expects a tile of a power of two elements, got 48

func.func @no_schedule(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op has no 'tile' or no 'pack': run kernel-schedule-templates first}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @tensors(%x: tensor<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    // expected-error @+1 {{'loop.load' op is on tensor<4x8xf32>, not on a memref: run one-shot-bufferize first}}
    %a = loop.load %x[%m, %k] : tensor<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } tile [4, 8] pack [false, false] : memref<4x6xf32>
  return
}

// -----

func.func private @f(f32) -> f32
func.func @calls(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%sum: f32) {
    // expected-error @+1 {{'func.call' op is not supported in the body of a loop: expects arith, math and loop.load, on scalars}}
    %b = func.call @f(%sum) : (f32) -> f32
    loop.yield %b : f32
  } tile [4, 8] pack [false, false] : memref<4x6xf32>
  return
}
