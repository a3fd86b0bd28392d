// One index is not two: what reads a diagonal shares one dimension with what it reads.
// RUN: terrace-opt %s --loop-fuse="small=0" --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @of_the_first
// CHECK: loop.group (%{{.*}} = 16) into
func.func @of_the_first(%x: tensor<16x16x64xf32>, %e0: tensor<16x16x64xf32>, %y0: tensor<16x64xf32>) -> (tensor<16x16x64xf32>, tensor<16x64xf32>) {
  %e = loop.pointwise (%b = 16, %i = 16, %j = 64) into %e0 {
    %a = loop.load %x[%b, %i, %j] : tensor<16x16x64xf32>
    %c = math.exp %a : f32
    loop.yield %c : f32
  } : tensor<16x16x64xf32>
  %y = loop.pointwise (%i = 16, %j = 64) into %y0 {
    %a = loop.load %e[%i, %i, %j] : tensor<16x16x64xf32>
    %c = math.log %a : f32
    loop.yield %c : f32
  } : tensor<16x64xf32>
  return %e, %y : tensor<16x16x64xf32>, tensor<16x64xf32>
}

// -----

// CHECK-LABEL: func.func @of_what_both_read
// CHECK: loop.group (%{{.*}} = 16) into
func.func @of_what_both_read(%x: tensor<16x16x64xf32>, %e0: tensor<16x64xf32>, %y0: tensor<16x16x64xf32>) -> (tensor<16x64xf32>, tensor<16x16x64xf32>) {
  %e = loop.pointwise (%i = 16, %j = 64) into %e0 {
    %a = loop.load %x[%i, %i, %j] : tensor<16x16x64xf32>
    %c = math.exp %a : f32
    loop.yield %c : f32
  } : tensor<16x64xf32>
  %y = loop.pointwise (%b = 16, %i = 16, %j = 64) into %y0 {
    %a = loop.load %x[%b, %i, %j] : tensor<16x16x64xf32>
    %c = math.log %a : f32
    loop.yield %c : f32
  } : tensor<16x16x64xf32>
  return %e, %y : tensor<16x64xf32>, tensor<16x16x64xf32>
}
