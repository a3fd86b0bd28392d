// What an operation is made of sees a conjugate as its caller does, also where nobody knows what stands in front of it.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "i16", "data": [1, 2, 3,4]}, "b": {"dtype": "i16", "data": [1, 2, 3,4]}}, "args": [{"storage": "b", "sizes": [2,2]},{"storage": "a", "sizes": [2,2]}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%y: !graph.tensor<?x?xi16> {graph.layout = "any"}, %x: !graph.tensor<?x?xi16> {graph.layout = strided<[2, 1], offset: 0>}) -> !graph.tensor<?xcomplex<f32>> {
  %9 = graph.resize_ %y size [1, 1] : !graph.tensor<?x?xi16>
  %0 = graph.fft_ifft %x {dim = 0 : i64} : !graph.tensor<?x?xi16>
  %1 = graph.select %0 index [-1] {dim = 0 : i64} : !graph.tensor<?x?xcomplex<f32>>
  %3 = graph.mul_ %1, %1 : !graph.tensor<?xcomplex<f32>>, !graph.tensor<?xcomplex<f32>>
  return %3 : !graph.tensor<?xcomplex<f32>>
}
