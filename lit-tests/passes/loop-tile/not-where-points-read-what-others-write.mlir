// RUN: terrace-opt %s --loop-tile="sizes=2,2" --verify-diagnostics

func.func @same(%x: memref<4x8xf32>) {
  loop.pointwise (%i = 4, %j = 8) into %x {
    // expected-error @+1 {{'loop.load' op reads at another point what its operation writes, so points can't run at the same time: expects it to read its own element, or a copy}}
    %a = loop.load %x[3 - %i, %j] : memref<4x8xf32>
    loop.yield %a : f32
  } : memref<4x8xf32>
  return
}
