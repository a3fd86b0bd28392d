// RUN: terrace-opt %s --pass-pipeline="builtin.module(loop-reorder{order=1,0})" --split-input-file --verify-diagnostics

func.func @rank(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{'loop.pointwise' op can't run in the order [1, 0]: expects each of its 1 dimensions once, from 0}}
  loop.pointwise (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}
