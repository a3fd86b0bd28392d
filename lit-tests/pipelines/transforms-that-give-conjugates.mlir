// A transform whose result is seen as conjugates of what is stored, in a function that runs as it is written, where types do not say its sizes.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "a", "sizes": [1, 3]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<1x?xf32> {graph.layout = "any"}) -> (!graph.tensor<1x2xcomplex<f32>>, !graph.tensor<1x2xcomplex<f32>>) {
  %0 = graph.fft_ihfft %x {n = 2 : i64} : !graph.tensor<1x?xf32>
  %1 = graph.exp %0 : !graph.tensor<1x2xcomplex<f32>>
  return %1, %0 : !graph.tensor<1x2xcomplex<f32>>, !graph.tensor<1x2xcomplex<f32>>
}
