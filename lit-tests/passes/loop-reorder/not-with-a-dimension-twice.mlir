// RUN: terrace-opt %s --pass-pipeline="builtin.module(loop-reorder{order=1,1})" --verify-diagnostics

func.func @twice(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'loop.pointwise' op can't run in the order [1, 1]: expects each of its 2 dimensions once, from 0}}
  loop.pointwise (%i = 4, %j = 8) into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}
