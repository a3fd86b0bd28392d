// RUN: terrace-opt %s --pass-pipeline="builtin.module(loop-tile{sizes=2,-3})" --verify-diagnostics

func.func @negative(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'loop.pointwise' op can't have a tile of -3: expects 1 or more, or 0 for all}}
  loop.pointwise (%i = 4, %j = 8) into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}
