// In-place on one of two results of one operation: which one it is decides which is another tensor afterwards.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "x", "sizes": [1, 3]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed s/false/true/ %t.json > %t.true.json
// RUN: terrace-run %s --inputs %t.true.json > %t.compiled
// RUN: terrace-run %s --inputs %t.true.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<1x3xf32>, %n: i1) -> !graph.tensor<1x3xf32> {
  %a, %b = graph._weight_norm_interface %x, %x {dim = 1 : i64} : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
  %r:2 = scf.if %n -> (!graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>) {
    %c = graph.copy_ %a, %b : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
    scf.yield %a, %a : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
  } else {
    scf.yield %b, %a : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
  }
  %s = graph.sub_ %r#0, %r#1 : !graph.tensor<1x3xf32>, !graph.tensor<1x3xf32>
  %d = graph.exp %s : !graph.tensor<1x3xf32>
  return %d : !graph.tensor<1x3xf32>
}
