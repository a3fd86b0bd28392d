// Results that see the elements of an argument, whose sizes the run knows, as longer and shorter ones, and complex numbers as their
// parts: the same views compiled and interpreted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0]}, "s1": {"dtype": "c64", "data": [-1, 6, 2, -2, 5, 1]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 4], "strides": [4, 1], "offset": 0}, {"storage": "s1", "dtype": "c64", "sizes": [2, 3], "strides": [3, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: FileCheck %s < %t.compiled

// CHECK: "dtype": "i8", "sizes": [3, 16], "strides": [16, 1]
// CHECK: "dtype": "f64", "sizes": [3, 2], "strides": [2, 1]
// CHECK: "sizes": [2, 3, 2], "strides": [6, 2, 1]
func.func @main(%x: !graph.tensor<?x?xf32>, %z: !graph.tensor<?x?xcomplex<f32>>) -> (!graph.tensor<?x?xi8>, !graph.tensor<?x?xf64>, !graph.tensor<?x?x2xf32>) {
  %0 = graph.view.dtype %x {dtype = i8} : !graph.tensor<?x?xf32>
  %1 = graph.view.dtype %x {dtype = f64} : !graph.tensor<?x?xf32>
  %2 = graph.view_as_real %z : !graph.tensor<?x?xcomplex<f32>>
  return %0, %1, %2 : !graph.tensor<?x?xi8>, !graph.tensor<?x?xf64>, !graph.tensor<?x?x2xf32>
}
