// Two branches that launch alike but for the kernel become one block, which is given what threads run: that takes the context all the same.
// REQUIRES: x86
// RUN: terrace-run %s --arg '[[1, 4], [3, 4]]' --arg false | FileCheck %s --check-prefix=ROOT
// RUN: terrace-run %s --arg '[[1, 4], [3, 4]]' --arg true | FileCheck %s --check-prefix=NEGATIVE
// RUN: terrace-opt %s --terrace-x86 | FileCheck %s

// CHECK-COUNT-2: llvm.func @main.pointwise_{{[0-9]+}}.task{{.*}}(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// ROOT: "data": [1.0, 2.0, 0.0, 2.0]
// NEGATIVE: "data": [-1.0, -4.0, -0.0, -4.0]
func.func @main(%x: !graph.tensor<?x2xf32>, %c: i1) {
  %t = graph.triu_ %x : !graph.tensor<?x2xf32>
  scf.if %c {
    %n = graph.neg_ %t : !graph.tensor<?x2xf32>
  } else {
    %r = graph.sqrt_ %t : !graph.tensor<?x2xf32>
  }
  return
}
