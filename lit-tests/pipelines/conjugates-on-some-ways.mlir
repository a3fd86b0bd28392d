// A tensor that is a conjugate or a negative on some ways of control flow only is given back, read and written as eager does: compiled code is the interpreter's equal
// on each way.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}, "y": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [4]}, {"storage": "y", "sizes": [4]}, true, 3]}' > %t.true.json
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}, "y": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "sizes": [4]}, {"storage": "y", "sizes": [4]}, false, 2]}' > %t.false.json
// RUN: terrace-run %s --inputs %t.true.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.true.json --entry=main --target=interpret > %t.interpreted
// RUN: diff %t.interpreted %t.compiled
// RUN: FileCheck %s --check-prefix=TRUE < %t.compiled
// RUN: terrace-run %s --inputs %t.false.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.false.json --entry=main --target=interpret > %t.interpreted
// RUN: diff %t.interpreted %t.compiled
// RUN: FileCheck %s --check-prefix=FALSE < %t.compiled
// RUN: terrace-run %s --inputs %t.true.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.true.json --entry=main --target=interpret | diff - %t.compiled

// TRUE: {"storage": "x", {{.*}} "flags": ["conj"]},
// TRUE: {"storage": "x", {{.*}} "flags": ["neg"]},
// TRUE: {"storage": "y", {{.*}} "flags": ["neg"]},
// TRUE: {"storage": "y", {{.*}} "flags": ["neg"]},
// FALSE: {"same_as": "args[0]"},
// FALSE: {"storage": "x", {{.*}} "flags": []},
// FALSE: {"storage": "y", {{.*}} "flags": []},
// FALSE: {"storage": "y", {{.*}} "flags": []},
func.func @main(%x: !graph.tensor<4xcomplex<f32>>, %y: !graph.tensor<4xf32>, %c: i1, %n: i64)
    -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<2xf32>, !graph.tensor<4xf32>) {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %r = scf.if %c -> !graph.tensor<4xcomplex<f32>> {
    scf.yield %0 : !graph.tensor<4xcomplex<f32>>
  } else {
    scf.yield %x : !graph.tensor<4xcomplex<f32>>
  }
  // A view has it of its operand: a negative where that is a conjugate.
  %i = graph.imag %r : !graph.tensor<4xcomplex<f32>>
  // As many rounds, as many turns.
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %to = arith.index_cast %n : i64 to index
  %t = scf.for %k = %from to %to step %step iter_args(%a = %y) -> !graph.tensor<4xf32> {
    %1 = graph._neg_view %a : !graph.tensor<4xf32>
    scf.yield %1 : !graph.tensor<4xf32>
  }
  // What is written through a negative is stored as its negative, and read by it.
  %v = graph.slice %t start [1] end [3] step [1] {dim = 0 : i64} : !graph.tensor<4xf32>
  %w = graph.select %i index [0] {dim = 0 : i64} : !graph.tensor<4xf32>
  %u = graph.add_ %v, %w : !graph.tensor<2xf32>, !graph.tensor<f32>
  %s = graph.mul %t, %i : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  return %r, %i, %t, %v, %s : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xf32>, !graph.tensor<4xf32>, !graph.tensor<2xf32>, !graph.tensor<4xf32>
}
