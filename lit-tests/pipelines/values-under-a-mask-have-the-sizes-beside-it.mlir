// Values that a mask puts are as many as the tensor has in the dimensions that the mask is not of: else a row that is not there would be read.

// RUN: terrace-opt %s --terrace-to-functional | FileCheck %s

// CHECK-DAG: graph.guard %{{.*}}, "s2 == s6, where s2 is size 2 of argument 0, and s6 is size 2 of argument 2"
// CHECK-DAG: graph.guard %{{.*}}, "s0 == s4, where s0 is size 0 of argument 0, and s4 is size 0 of argument 2"
func.func @main(%x: !graph.tensor<?x?x?xi8>, %mask: !graph.tensor<?xi1>, %values: !graph.tensor<?x?x?xi8>) -> !graph.tensor<?x?x?xi8> {
  %0 = graph.index_put %x[%mask], %values {present = array<i1: false, true, false>} : !graph.tensor<?x?x?xi8>[!graph.tensor<?xi1>], !graph.tensor<?x?x?xi8>
  return %0 : !graph.tensor<?x?x?xi8>
}
