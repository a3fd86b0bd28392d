// The sums of a span are on the stack.
// RUN: terrace-opt %s --kernel-expand-templates --verify-diagnostics

func.func @f(%x: memref<3x40xf32>, %w: memref<5x3xf32>, %y: memref<4x5x6xf32>) {
  // expected-error @+1 {{has a 'span' of more than 16384 elements}}
  kernel.matmul (%i = 4, %o = 5, %j = 6) over (%c = 3) into %y lhs {
    %a = loop.load %w[%o, %c] : memref<5x3xf32>
    loop.yield %a : f32
  } rhs {
    %a = loop.load %x[%c, %i * 8 + %j] : memref<3x40xf32>
    loop.yield %a : f32
  } tile [5, 16] pack [false, false] span 9223372036854775807 : memref<4x5x6xf32>
  return
}
