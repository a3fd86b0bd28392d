// The sum has a tensor of its own for another reader.

// RUN: terrace-opt %s --loop-fill-slices | FileCheck %s

// CHECK: loop.scatter
func.func @f(%x: tensor<64x8xf32>, %y: tensor<64x768xf32>) -> (tensor<64x768xf32>, tensor<64x512xf32>) {
  %empty = tensor.empty() : tensor<64x512xf32>
  %sum = loop.reduction add (%i = 64, %j = 512) over (%k = 8) into %empty {
    %a = loop.load %x[%i, %k] : tensor<64x8xf32>
    loop.yield %a : f32
  } : tensor<64x512xf32>
  %0 = loop.scatter (%i = 64, %j = 512) into %y {
    %a = loop.load %sum[%i, %j] : tensor<64x512xf32>
    loop.yield %a at [%i, %j + 256] : f32
  } : tensor<64x768xf32>
  return %0, %sum : tensor<64x768xf32>, tensor<64x512xf32>
}
