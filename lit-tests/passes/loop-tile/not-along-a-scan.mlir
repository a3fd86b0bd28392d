// RUN: terrace-opt %s --loop-tile="sizes=2,2" --verify-diagnostics

func.func @scan(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  // expected-error @+1 {{'loop.scan' op scans along dimension 1, where each point waits for those before it: expects 0 there}}
  loop.scan add (%i = 4, %j = 8) along %j into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}
