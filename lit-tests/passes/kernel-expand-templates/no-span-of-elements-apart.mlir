// Columns two elements apart are no run.
// RUN: terrace-opt %s --kernel-expand-templates --verify-diagnostics

func.func @f(%x: memref<3x40xf32, strided<[80, 2]>>, %w: memref<5x3xf32>, %y: memref<4x5x6xf32>) {
  // expected-error @+1 {{has a 'span', and a right factor whose columns, of neighbours along the last batch dimension, are not one run of a dimension of its buffer}}
  kernel.matmul (%i = 4, %o = 5, %j = 6) over (%c = 3) into %y lhs {
    %a = loop.load %w[%o, %c] : memref<5x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%c, %i * 8 + %j] : memref<3x40xf32, strided<[80, 2]>>
    loop.yield %a : f32
  } tile [5, 16] pack [false, false] span 2 : memref<4x5x6xf32>
  return
}
