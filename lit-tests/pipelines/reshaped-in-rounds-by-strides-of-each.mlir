// A view on a way that is taken only where it is one is not refused on the other.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "a", "sizes": [4, 2, 3], "strides": [0, 3, 1]}, 3]}' > %t.json
// RUN: terrace-run %s --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<4x2x3xf32> {graph.layout = strided<[0, 3, 1]>}, %n: index) -> !graph.tensor<24xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = graph.flatten.using_ints %x {start_dim = 0 : i64, end_dim = -1 : i64} : !graph.tensor<4x2x3xf32>
  %y = graph.add %x, %x : !graph.tensor<4x2x3xf32>, !graph.tensor<4x2x3xf32>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%a = %x, %b = %y, %s = %first) -> (!graph.tensor<4x2x3xf32>, !graph.tensor<4x2x3xf32>, !graph.tensor<24xf32>) {
    %f = graph.flatten.using_ints %a {start_dim = 0 : i64, end_dim = -1 : i64} : !graph.tensor<4x2x3xf32>
    %t = graph.add %s, %f : !graph.tensor<24xf32>, !graph.tensor<24xf32>
    scf.yield %b, %a, %t : !graph.tensor<4x2x3xf32>, !graph.tensor<4x2x3xf32>, !graph.tensor<24xf32>
  }
  return %r#2 : !graph.tensor<24xf32>
}
