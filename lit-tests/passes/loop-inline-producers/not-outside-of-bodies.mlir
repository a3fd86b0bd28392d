// What a group loads at its point, beside its members, is no body that another one could go into.
// RUN: terrace-opt %s --loop-inline-producers --remarks-filter="loop-inline-producers" 2>&1 | FileCheck %s

// CHECK: not computed where it is read: it is read outside of the bodies of loops
// CHECK-LABEL: func.func @beside
// CHECK: loop.pointwise
// CHECK: loop.group
func.func @beside(%x: tensor<8xf32>, %e0: tensor<8xf32>, %m: tensor<1xf32>) -> tensor<1xf32> {
  %e = loop.pointwise (%i = 8) into %e0 {
    %a = loop.load %x[%i] : tensor<8xf32>
    %b = math.exp %a : f32
    loop.yield %b : f32
  } : tensor<8xf32>
  %y = loop.group (%i = 8) into (%m as %d : tensor<1xf32>) {
    %a = loop.load %e[%i] : tensor<8xf32>
    loop.in_parallel {
      loop.insert max %a into %d at [0] : f32 into tensor<1xf32>
    }
  }
  return %y : tensor<1xf32>
}
