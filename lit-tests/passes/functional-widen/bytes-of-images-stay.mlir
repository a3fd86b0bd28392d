// There is no kernel for i32: images of bytes are mixed, or moved, as bytes.
// RUN: terrace-opt %s --functional-widen | FileCheck %s
// RUN: terrace-opt %s --functional-widen --convert-functional-to-loop --canonicalize | FileCheck %s --check-prefix=LOOPS

// CHECK-LABEL: func.func @nearest
// CHECK-NEXT: functional.upsample_nearest2d %{{.*}} : tensor<1x1x2x2xui8>
// LOOPS-LABEL: func.func @nearest
// LOOPS: loop.pointwise
// LOOPS: loop.load %arg0
func.func @nearest(%x: tensor<1x1x2x2xui8>) -> tensor<1x1x4x4xui8> {
  %0 = functional.upsample_nearest2d %x output_size [4, 4] : tensor<1x1x2x2xui8>
  return %0 : tensor<1x1x4x4xui8>
}

// By weights that are integers: how many bits they have the largest one says, which is that of the first place where images grow.
// CHECK-LABEL: func.func @linear
// CHECK-NEXT: functional.upsample_bilinear2d %{{.*}} : tensor<1x1x2x2xui8>
// LOOPS-LABEL: func.func @linear
// LOOPS: loop.reduction max over (%{{.*}} = 1)
// LOOPS: loop.reduction add over (%{{.*}} = 22)
// LOOPS: %[[WIDE:.*]] = loop.pointwise (%{{.*}} = 1, %{{.*}} = 1, %{{.*}} = 2, %{{.*}} = 4)
// LOOPS: arith.shrsi
// LOOPS: loop.pointwise (%{{.*}} = 1, %{{.*}} = 1, %{{.*}} = 4, %{{.*}} = 4)
// LOOPS: loop.load %[[WIDE]]
func.func @linear(%x: tensor<1x1x2x2xui8>) -> tensor<1x1x4x4xui8> {
  %0 = functional.upsample_bilinear2d %x output_size [4, 4] {align_corners = false} : tensor<1x1x2x2xui8>
  return %0 : tensor<1x1x4x4xui8>
}
