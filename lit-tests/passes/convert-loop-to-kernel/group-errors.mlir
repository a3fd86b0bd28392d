// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file --verify-diagnostics

func.func @tensors(%y: tensor<4xf32>, %k: f32) -> tensor<4xf32> {
  // expected-error @+1 {{'loop.group' op is on tensor<4xf32>, not on a memref: run one-shot-bufferize first}}
  %0 = loop.group (%i = 4) into (%y as %d : tensor<4xf32>) {
    loop.in_parallel {
      loop.insert %k into %d at [%i] : f32 into tensor<4xf32>
    }
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @tensors_are_loaded(%x: tensor<4xf32>, %y: memref<4xf32>) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.load' op is on tensor<4xf32>, not on a memref: run one-shot-bufferize first}}
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.in_parallel {
      loop.insert %a into %d at [%i] : f32 into memref<4xf32>
    }
  }
  return
}

// -----

func.func @calls(%y: memref<4xf32>) {
  loop.group (%i = 4) into (%y as %d : memref<4xf32>) {
    // expected-error @+1 {{'func.call' op is not supported in a group: expects members, and arith, math and loop.load on numbers}}
    %a = func.call @f() : () -> f32
    loop.in_parallel {
      loop.insert %a into %d at [%i] : f32 into memref<4xf32>
    }
  }
  return
}
func.func private @f() -> f32

// -----

func.func @reads_what_another_point_writes(%x: memref<4x8xf32>) {
  loop.group (%i = 4) into (%x as %d : memref<4x8xf32>) {
    %row = loop.pointwise (%j = 8) {
      // expected-error @+1 {{'loop.load' op reads a destination of its group where another point may have written already}}
      %a = loop.load %x[3 - %i, %j] : memref<4x8xf32>
      loop.yield %a : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %row into %d at [%i, :] : tensor<8xf32> into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @reads_a_destination_in_another_memory_space(%x: memref<4x8xf32>) {
  %y = memref.memory_space_cast %x : memref<4x8xf32> to memref<4x8xf32, 1>
  loop.group (%i = 4) into (%x as %d : memref<4x8xf32>) {
    %row = loop.pointwise (%j = 8) {
      // expected-error @+1 {{'loop.load' op reads a destination of its group where another point may have written already}}
      %a = loop.load %y[3 - %i, %j] : memref<4x8xf32, 1>
      loop.yield %a : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %row into %d at [%i, :] : tensor<8xf32> into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @reads_a_view_of_a_destination(%x: memref<4x8xf32>) {
  %v = memref.subview %x[0, 0] [4, 4] [1, 1] : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  loop.group (%i = 4) into (%x as %d : memref<4x8xf32>) {
    // expected-error @+1 {{'loop.load' op reads a destination of its group where another point may have written already}}
    %a = loop.load %v[%i, 0] : memref<4x4xf32, strided<[8, 1]>>
    loop.in_parallel {
      loop.insert %a into %d at [%i, 7] : f32 into memref<4x8xf32>
    }
  }
  return
}

// -----

func.func @reads_what_is_combined(%x: memref<4xf32>) {
  loop.group (%i = 4) into (%x as %d : memref<4xf32>) {
    // expected-error @+1 {{'loop.load' op reads a destination of its group where another point may have written already}}
    %a = loop.load %x[0] : memref<4xf32>
    loop.in_parallel {
      loop.insert add %a into %d at [0] : f32 into memref<4xf32>
    }
  }
  return
}
