// RUN: terrace-opt %s --loop-tile="sizes=2" --verify-diagnostics

func.func @combine(%x: memref<4xf32>, %s: memref<1xf32>) {
  loop.group (%i = 4) into (%s as %d : memref<1xf32>) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.in_parallel {
      // expected-error @+1 {{'loop.insert' op combines what several points insert, so these run one after the other: expects no tile}}
      loop.insert add %a into %d at [0] : f32 into memref<1xf32>
    }
  }
  return
}
