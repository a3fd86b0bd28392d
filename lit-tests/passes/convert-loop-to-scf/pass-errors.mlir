// RUN: terrace-opt %s --convert-loop-to-scf --split-input-file --verify-diagnostics

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'loop.pointwise' op is on tensors: expects memrefs, which one-shot-bufferize makes of them}}
  %r = loop.pointwise (%i = 4) into %x {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a : f32
  } : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @next_element(%x: memref<5xf32>) {
  %y = memref.subview %x[0] [4] [1] : memref<5xf32> to memref<4xf32, strided<[1]>>
  loop.pointwise (%i = 4) into %y {
    // expected-error @+1 {{'loop.load' op reads an element that another point may have written: expects a copy, or another destination}}
    %a = loop.load %x[%i + 1] : memref<5xf32>
    loop.yield %a : f32
  } : memref<4xf32, strided<[1]>>
  return
}

// -----

func.func @another_row(%x: memref<4x8xf32>) {
  loop.group (%i = 4) into (%x as %p : memref<4x8xf32>) {
    %m = loop.reduction max over (%j = 8) {
      // expected-error @+1 {{'loop.load' op reads an element of a destination that another point of the group may have written}}
      %a = loop.load %x[3, %j] : memref<4x8xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %m into %p at [%i, 0] : f32 into memref<4x8xf32>
    }
  }
  return
}
