// A dense block: what each layer reads is one tensor that grows, and each part of it is written once. A layer that reads the
// tensor itself has its sums beside it first.
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: %[[ALL:.*]] = memref.alloc() {{.*}} : memref<8x64xf32>
// CHECK: %[[X:.*]] = memref.subview %[[ALL]][0, 0] [8, 16]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 16) into %[[X]] {
// CHECK: %[[FIRST:.*]] = memref.subview %[[ALL]][0, 16] [8, 8]
// CHECK: loop.group {{.*}} into (%[[FIRST]] as
// CHECK: loop.load %[[ALL]]
// CHECK: %[[SECOND:.*]] = memref.subview %[[ALL]][0, 24] [8, 8]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 8) into %[[SECOND]] {
// CHECK: loop.load %[[ALL]]
// CHECK: %[[THIRD:.*]] = memref.subview %[[ALL]][0, 32] [8, 8]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 8) into %[[THIRD]] {
// CHECK: loop.load %[[ALL]]
// CHECK: %[[LAST:.*]] = memref.subview %[[ALL]][0, 40] [8, 24]
// CHECK: loop.pointwise (%{{.*}} = 8, %{{.*}} = 24) into %[[LAST]] {
// CHECK: return %[[ALL]]
func.func @main(%x: tensor<8x16xf32>, %w0: tensor<16x8xf32>, %w1: tensor<24x8xf32>, %w2: tensor<32x8xf32>, %w3: tensor<40x24xf32>) -> tensor<8x64xf32> {
  %0 = functional.mm %x, %w0 : tensor<8x16xf32>, tensor<16x8xf32>
  %1 = functional.cat %x, %0 {dim = 1 : i64} : tensor<8x16xf32>, tensor<8x8xf32>
  %2 = functional.mm %1, %w1 : tensor<8x24xf32>, tensor<24x8xf32>
  %3 = functional.cat %x, %0, %2 {dim = 1 : i64} : tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  %4 = functional.mm %3, %w2 : tensor<8x32xf32>, tensor<32x8xf32>
  %5 = functional.cat %x, %0, %2, %4 {dim = 1 : i64} : tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  %6 = functional.mm %5, %w3 : tensor<8x40xf32>, tensor<40x24xf32>
  %7 = functional.cat %x, %0, %2, %4, %6 {dim = 1 : i64} : tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x24xf32>
  return %7 : tensor<8x64xf32>
}
