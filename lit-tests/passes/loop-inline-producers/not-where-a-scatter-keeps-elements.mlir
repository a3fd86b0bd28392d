// The scatter writes one element and keeps the others: they have to be there.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: it is needed in memory as well
// CHECK-LABEL: func.func @kept
// CHECK: %[[E:.*]] = loop.pointwise
// CHECK: loop.scatter (%{{.*}} = 1) into %[[E]]
func.func @kept(%x: tensor<8xf32>, %e0: tensor<8xf32>, %y0: tensor<8xf32>, %k: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.pointwise (%i = 8) into %y0 {
    %a = loop.load %e[%i] : tensor<8xf32>
    %b = math.log %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %z = loop.scatter (%i = 1) into %e {
    %a = loop.load %k[%i] : tensor<1xf32>
    loop.yield %a at [%i + 3] : f32
  } : tensor<8xf32>
  return %y, %z : tensor<8xf32>, tensor<8xf32>
}
