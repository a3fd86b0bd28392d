// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A region of several blocks gives what its last one yields.
// CHECK-LABEL: func.func @region
func.func @region(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  // CHECK: } {graph.fake = ["f32[4] strides [1] storage 0 or 1 object 2"]}
  %0 = scf.execute_region -> !graph.tensor<4xf32> {
    cf.cond_br %c, ^end(%x : !graph.tensor<4xf32>), ^end(%y : !graph.tensor<4xf32>)
  ^end(%z: !graph.tensor<4xf32>):
    scf.yield %z : !graph.tensor<4xf32>
  }
  return
}
