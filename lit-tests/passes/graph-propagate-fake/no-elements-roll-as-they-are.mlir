// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// Without dims a tensor is rolled as one of one dimension; of no elements that is a copy, and keeps its stride.
// CHECK-LABEL: func.func @rolled
func.func @rolled(%x: !graph.tensor<0xf32> {graph.layout = strided<[3], offset: 0>},
                  %y: !graph.tensor<0x2xf32> {graph.layout = strided<[1, 7], offset: 0>},
                  %z: !graph.tensor<2xf32> {graph.layout = strided<[3], offset: 0>}) {
  // CHECK: graph.roll {{.*}}"f32[0] strides [3] storage 3
  %0 = graph.roll %x {shifts = array<i64: 1>} : !graph.tensor<0xf32>
  // CHECK: graph.roll {{.*}}"f32[0, 2] strides [2, 1] storage 4
  %1 = graph.roll %y {shifts = array<i64: 1>} : !graph.tensor<0x2xf32>
  // CHECK: graph.roll {{.*}}"f32[2] strides [1] storage 5
  %2 = graph.roll %z {shifts = array<i64: 1>} : !graph.tensor<2xf32>
  return
}
