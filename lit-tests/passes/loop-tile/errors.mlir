// RUN: terrace-opt %s --pass-pipeline="builtin.module(loop-tile{sizes=2,2})" --split-input-file --verify-diagnostics

func.func @rank(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op can't have a tile of 2 sizes: expects 1}}
  loop.pointwise (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}
