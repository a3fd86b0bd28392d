// RUN: terrace-opt %s --loop-reorder="order=1,0" --split-input-file --verify-diagnostics

func.func @same(%x: memref<4x8xf32>) {
  loop.pointwise (%i = 4, %j = 8) into %x {
    // expected-error @+1 {{'loop.load' op reads at another point what its operation writes, so the order of its points matters: expects it to read its own element, or a copy}}
    %a = loop.load %x[3 - %i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}

// -----

func.func @view(%x: memref<5x8xf32>) {
  %v = memref.subview %x[0, 0] [4, 8] [1, 1] : memref<5x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  %w = memref.subview %x[1, 0] [4, 8] [1, 1] : memref<5x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
  loop.pointwise (%i = 4, %j = 8) into %v {
    // expected-error @+1 {{'loop.load' op reads at another point what its operation writes}}
    %a = loop.load %w[%i, %j] : memref<4x8xf32, strided<[8, 1], offset: 8>>
    loop.yield %a : f32
  } : memref<4x8xf32, strided<[8, 1]>>
  return
}

// -----

// All points of the inner domain read what the sum goes over.
func.func @summed(%x: memref<4xf32>) {
  loop.reduction add (%i = 4) over (%j = 8) into %x {
    // expected-error @+1 {{'loop.load' op reads at another point what its operation writes}}
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}
