// A block that comes behind another one uses what that one changes: an error where the program comes there, not where it does not.
// REQUIRES: x86
// RUN: terrace-opt %s --graph-structure | FileCheck %s
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "s", "sizes": [1, 2]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "s", "sizes": [1, 2]}, true]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result

// CHECK: %[[X:.*]] = graph.add
// CHECK-NEXT: graph.relu_ %[[X]]
// CHECK: %[[S:.*]] = graph.alias %[[X]]
// CHECK: graph.squeeze_ %[[X]]
// CHECK: scf.if
// CHECK: cf.assert %{{.*}}, "uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result"
// CHECK: graph.neg_ %[[S]]
// CHECK-NOT: cf.assert
func.func @main(%a: !graph.tensor<1x2xf32>, %c: i1) -> !graph.tensor<2xf32> {
  %x = graph.add %a, %a : !graph.tensor<1x2xf32>, !graph.tensor<1x2xf32>
  cf.br ^first
^first:
  %y = graph.relu_ %x : !graph.tensor<1x2xf32>
  %0 = graph.squeeze_ %x {dim = array<i64: 0>} : !graph.tensor<1x2xf32>
  cf.cond_br %c, ^second, ^last
^second:
  %1 = graph.neg_ %x : !graph.tensor<1x2xf32>
  cf.br ^last
^last:
  return %0 : !graph.tensor<2xf32>
}
