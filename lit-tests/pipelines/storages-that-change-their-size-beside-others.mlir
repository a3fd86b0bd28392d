// Whose else a storage is that changes its size only a call says: without one the program is refused.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}, "s1": {"dtype": "f32", "data": [3.0, 0.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.json
// RUN: not terrace-opt %s --terrace-x86 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: error: 'graph.resize_storage' op makes a storage another size that other arguments may have, too: declare graph.storage
// RUN: not terrace-compile %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: terrace-run %s --inputs %t.json 2>&1 > %t.compiled | count 0
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled

func.func @main(%x: !graph.tensor<2xf32>, %y: !graph.tensor<2xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.resize_ %x size [4] : !graph.tensor<2xf32>
  %1 = graph.mul_ %y, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return %0 : !graph.tensor<4xf32>
}
