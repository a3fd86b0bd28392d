// RUN: terrace-opt %s --loop-tile="sizes=2,8" --verify-diagnostics --split-input-file

func.func @combined(%x: memref<6x40xf32>, %y: memref<4x40xf32>) {
  %four = arith.constant 4 : index
  // expected-error @+1 {{'loop.scatter' op writes the same elements from several points of dimension 0, where each point waits for those before it: expects 0 there}}
  loop.scatter add (%i = 6, %j = 40) into %y {
    %row = arith.remui %i, %four : index
    %a = loop.load %x[%i, %j] : memref<6x40xf32>
    loop.yield %a at [%row, %j] : f32
  } : memref<4x40xf32>
  return
}

// -----

func.func @in_order(%x: memref<6x40xf32>, %y: memref<5xf32>) {
  // expected-error @+1 {{'loop.scatter' op writes the same elements from several points of dimension 0}}
  loop.scatter ordered (%i = 6, %j = 40) into %y {
    %a = loop.load %x[%i, %j] : memref<6x40xf32>
    loop.yield %a at [(%i + %j) mod 5] : f32
  } : memref<5xf32>
  return
}

// -----

// Those that write the same value do not wait.
func.func @alike(%x: memref<6x40xf32>, %y: memref<64xf32>) {
  loop.scatter (%i = 6, %j = 40) into %y {
    %a = loop.load %x[0, %i + %j] : memref<6x40xf32>
    loop.yield %a at [%i + %j] : f32
  } : memref<64xf32>
  return
}
