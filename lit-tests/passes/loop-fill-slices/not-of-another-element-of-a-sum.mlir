// What becomes a part is the other half of the sum.

// RUN: terrace-opt %s --loop-fill-slices | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: tensor<64x8xf32>, %y: tensor<64x768xf32>) -> tensor<64x768xf32> {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = loop.reduction add (%i = 64, %j = 512) over (%k = 8) into %empty {
    %a = loop.load %x[%i, %k] : tensor<64x8xf32>
    loop.yield %a : f32
  } : tensor<64x512xf32>
  %0 = loop.scatter (%i = 64, %j = 256) into %y {
    %a = loop.load %sum[%i, %j + 256] : tensor<64x512xf32>
    loop.yield %a at [%i, %j] : f32
  } : tensor<64x768xf32>
  return %0 : tensor<64x768xf32>
}
