// A function that tests sizes gives a complex number, which it has for no other sizes.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "c64", "data": [[1.5, -2.0], [0, 1], [2, 0], [1, 1]]}}, "args": [{"storage": "s0", "dtype": "c64", "sizes": [2, 2], "strides": [2, 1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --target=interpret | FileCheck %s
// RUN: terrace-run %s --inputs %t.json | FileCheck %s

// CHECK: "outputs": [
// CHECK-NEXT: [1.5, -2.0]
func.func @main(%x: !graph.tensor<?x?xcomplex<f32>>) -> complex<f64> {
  %0 = graph._local_scalar_dense %x : !graph.tensor<?x?xcomplex<f32>>
  return %0 : complex<f64>
}
