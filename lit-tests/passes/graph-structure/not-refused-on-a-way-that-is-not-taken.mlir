// What a function that is called changes is used behind the call: an error where the program comes there, not where it does not.
// REQUIRES: x86
// RUN: terrace-opt %s --graph-structure | FileCheck %s
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "s", "sizes": [1, 2]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "s", "sizes": [1, 2]}, true]}' > %t.json
// RUN: not terrace-run %s --inputs %t.json 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not terrace-run %s --inputs %t.json --target=interpret 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result

// CHECK: scf.if
// CHECK: %[[N:.*]] = graph.neg_ %[[X:.*]] :
// CHECK: %[[S:.*]] = graph.alias %[[N]]
// CHECK: %[[R:.*]] = graph.relu_ %[[X]]
// CHECK: graph.squeeze_ %[[R]]
// CHECK: %[[F:.*]] = arith.constant false
// CHECK: cf.assert %[[F]], "uses a tensor whose sizes, strides or storage 'graph.squeeze_' has changed: use its result"
// CHECK: graph.mul %[[S]], %[[S]]
// CHECK-NOT: cf.assert
// CHECK: else
// CHECK: graph.exp
func.func private @f(%x: !graph.tensor<1x2xf32>) {
  %0 = graph.relu_ %x : !graph.tensor<1x2xf32>
  %1 = graph.squeeze_ %0 {dim = array<i64: 0>} : !graph.tensor<1x2xf32>
  return
}
func.func @main(%x: !graph.tensor<1x2xf32>, %c: i1) -> !graph.tensor<1x2xf32> {
  %0 = scf.if %c -> !graph.tensor<1x2xf32> {
    %1 = graph.neg_ %x : !graph.tensor<1x2xf32>
    func.call @f(%x) : (!graph.tensor<1x2xf32>) -> ()
    %2 = graph.mul %1, %1 : !graph.tensor<1x2xf32>, !graph.tensor<1x2xf32>
    scf.yield %2 : !graph.tensor<1x2xf32>
  } else {
    %1 = graph.exp %x : !graph.tensor<1x2xf32>
    scf.yield %1 : !graph.tensor<1x2xf32>
  }
  return %0 : !graph.tensor<1x2xf32>
}
