// What a block before has changed is an error where the program comes to a use of it, and not before.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [4, 5]}}, "args": [{"storage": "x", "sizes": [2]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [4, 5]}}, "args": [{"storage": "x", "sizes": [2]}, true]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s
// CHECK: uses a tensor whose sizes, strides or storage 'graph.resize_' has changed: use its result
!t = !graph.tensor<2xf32>
func.func @main(%x: !t {graph.layout = strided<[1]>}, %comes: i1) -> !graph.tensor<1xf32> {
  cf.br ^before
^before:
  %0 = graph.resize_ %x size [1] : !t
  cf.cond_br %comes, ^use, ^end
^use:
  %1 = graph.neg_ %x : !t
  cf.br ^end
^end:
  return %0 : !graph.tensor<1xf32>
}
