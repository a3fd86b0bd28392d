// Which of two tensors with strides of their own is meant is known when the function is called with a truth value.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "x", "sizes": [3], "strides": [2], "offset": 1}, true, 1]}' > %t.json
// RUN: terrace-run %s --inputs %t.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: sed 's/true, 1/false, 2/' %t.json > %t.false.json
// RUN: terrace-run %s --inputs %t.false.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.false.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i1, %i: index) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = scf.if %n -> !graph.tensor<?xf32> {
    %e = graph.exp %x : !graph.tensor<?xf32>
    scf.yield %e : !graph.tensor<?xf32>
  } else {
    scf.yield %x : !graph.tensor<?xf32>
  }
  %1 = graph._neg_view %0 : !graph.tensor<?xf32>
  %2 = graph.ravel %1 : !graph.tensor<?xf32>
  %c1 = arith.constant 1 : index
  %is = arith.cmpi eq, %i, %c1 : index
  %3 = scf.if %is -> !graph.tensor<?xf32> {
    scf.yield %1 : !graph.tensor<?xf32>
  } else {
    scf.yield %2 : !graph.tensor<?xf32>
  }
  %4 = graph.ravel %3 : !graph.tensor<?xf32>
  return %2, %4 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}
