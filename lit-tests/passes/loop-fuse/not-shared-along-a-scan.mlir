// Along the scan a point waits for those before it: the rows are shared, the columns are not. Of a scan over rows nothing is.
// RUN: terrace-opt %s --loop-fuse="small=0" --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK: loop.group (%{{.*}} = 8, %{{.*}} = 64) into
// CHECK: loop.scan add (%[[J:.*]] = 32) along %[[J]]
func.func @columns(%x: tensor<8x64x32xf32>, %s0: tensor<8x64x32xf32>, %y0: tensor<8x64x32xf32>) -> tensor<8x64x32xf32> {
  %s = loop.scan add (%b = 8, %i = 64, %j = 32) along %j into %s0 {
    %a = loop.load %x[%b, %i, %j] : tensor<8x64x32xf32>
    loop.yield %a : f32
  } : tensor<8x64x32xf32>
  %y = loop.pointwise (%b = 8, %i = 64, %j = 32) into %y0 {
    %a = loop.load %s[%b, %i, %j] : tensor<8x64x32xf32>
    %e = math.exp %a : f32
    loop.yield %e : f32
  } : tensor<8x64x32xf32>
  return %y : tensor<8x64x32xf32>
}

// -----

// CHECK-LABEL: func.func @rows
// CHECK-NOT: loop.group
func.func @rows(%x: tensor<64x32xf32>, %s0: tensor<64x32xf32>, %y0: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %s = loop.scan add (%i = 64, %j = 32) along %i into %s0 {
    %a = loop.load %x[%i, %j] : tensor<64x32xf32>
    loop.yield %a : f32
  } : tensor<64x32xf32>
  %y = loop.pointwise (%i = 64, %j = 32) into %y0 {
    %a = loop.load %s[%i, %j] : tensor<64x32xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
