// RUN: not terrace-opt %s 2>&1 | FileCheck %s
// A text that is refused behind the regions took them apart one by one, and used freed memory.
// CHECK: [[@LINE+2]]:17: error: custom op 'kernel.matmul' expected regions that do not use values of each other
func.func @f(%x: memref<4x8xf32>, %w: memref<8x6xf32>, %y: memref<4x6xf32>) {
  kernel.matmul (%m = 4, %n = 6) over (%k = 8) into %y lhs {
    loop.yield %a : f32
  } rhs {
    %a = loop.load %w[%k, %n] : memref<8x6xf32>
    loop.yield %a : f32
  } bogus
  return
}
