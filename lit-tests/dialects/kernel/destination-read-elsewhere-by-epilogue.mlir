// RUN: terrace-opt %s --split-input-file --verify-diagnostics

// Another tile may have been stored there, or not yet.
func.func @row_before(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op loads from its destination elsewhere than it stores, which may be written before}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%s: f32) {
    %o = loop.load %y[%m, 0] : memref<4x6xf32>
    %t = arith.addf %s, %o : f32
    loop.yield %t : f32
  } : memref<4x6xf32>
  return
}

// -----

func.func @transposed(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<6x6xf32>) {
  // expected-error @+1 {{'kernel.matmul' op loads from its destination elsewhere than it stores, which may be written before}}
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    %a = loop.load %x[%m, %k] : memref<4x8xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } epilogue(%s: f32) {
    %o = loop.load %y[%m, %n] : memref<6x6xf32>
    %t = arith.addf %s, %o : f32
    loop.yield %t at [%n, %m] : f32
  } : memref<6x6xf32>
  return
}
