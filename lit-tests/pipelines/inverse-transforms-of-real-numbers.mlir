// The inverse transform of real numbers is the conjugate of their transform, also where types say too little of it.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "u8", "data": [128, 2, 0, 3]}}, "args": [{"storage": "x", "sizes": [4]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "new0": {"dtype": "c64", "data": {{.*}}[32.0, -0.25], [30.75, -0.0], [32.0, 0.25]]}
func.func @main(%x: !graph.tensor<?xui8> {graph.layout = "any"}) -> !graph.tensor<?xcomplex<f32>> {
  %0 = graph.t %x : !graph.tensor<?xui8>
  %1 = graph.fft_ifft %x {dim = 0 : i64} : !graph.tensor<?xui8>
  %2 = graph.cat %0, %1 {dim = 0 : i64} : !graph.tensor<?xui8>, !graph.tensor<?xcomplex<f32>>
  return %2 : !graph.tensor<?xcomplex<f32>>
}
