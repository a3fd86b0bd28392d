// Storages that become another size while a program runs that goes on with tensors of them, in control flow and in rounds: of arguments, and
// of the program's own. Other tensors of a storage are looked for anew where they are used.
// REQUIRES: x86
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "a", "sizes": [2, 2]}, {"storage": "a", "sizes": [2], "offset": 1}, true, 3]}' > %t.json
// RUN: terrace-run %s --entry=argument --inputs %t.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --entry=argument --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s --check-prefix=ARGUMENT < %t.compiled
// ARGUMENT: "a": {"dtype": "f32", "data": [1.0, 4.0, 6.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0]}
func.func @argument(%x: !graph.tensor<2x2xf32> {graph.storage = "a"}, %y: !graph.tensor<2xf32> {graph.storage = "a", graph.layout = strided<[1], offset: 1>}, %c: i1, %n: i64) -> (!graph.tensor<2xf32>, !graph.tensor<2xf32>) {
  %own = graph.alias %x : !graph.tensor<2x2xf32>
  scf.if %c {
    %0 = graph.resize_ %x size [%n, %n] : !graph.tensor<2x2xf32>
  }
  %1 = graph.add_ %y, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  %2 = graph.select %own index [1] {dim = 1 : i64} : !graph.tensor<2x2xf32>
  %3 = graph.exp %2 : !graph.tensor<2xf32>
  return %3, %y : !graph.tensor<2xf32>, !graph.tensor<2xf32>
}

// Not taken, it stays as it is.
// RUN: sed 's/true/false/' %t.json > %t.not.json
// RUN: terrace-run %s --entry=argument --inputs %t.not.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --entry=argument --inputs %t.not.json --target=interpret | diff - %t.compiled

// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "a", "sizes": [4]}, 5]}' > %t.json
// RUN: terrace-run %s --entry=own --inputs %t.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --entry=own --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s --check-prefix=OWN < %t.compiled
// OWN: "data": [-1.0, -2.0, -3.0, -4.0, 0.0, 0.0, 0.0, 0.0]
func.func @own(%x: !graph.tensor<4xf32>, %n: index) -> (!graph.tensor<8xf32>, !graph.tensor<4xf32>) {
  %0 = graph.clone %x : !graph.tensor<4xf32>
  %same = graph.alias %0 : !graph.tensor<4xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.constant 64 : i64
  %four = arith.constant 4 : i64
  %first = graph.expand %same size [%four] : !graph.tensor<4xf32>
  %1 = scf.for %i = %zero to %n step %one iter_args(%t = %first) -> !graph.tensor<?xf32> {
    %k = arith.index_cast %i : index to i64
    %size = arith.addi %k, %more : i64
    %2 = graph.resize_ %t size [%size] : !graph.tensor<?xf32>
    scf.yield %2 : !graph.tensor<?xf32>
  }
  %3 = graph.neg_ %same : !graph.tensor<4xf32>
  %4 = graph.slice %1 start [0] end [8] step [1] {dim = 0 : i64} : !graph.tensor<?xf32>
  %5 = graph.view %4 size [8] : !graph.tensor<?xf32>
  %6 = graph.clone %5 : !graph.tensor<8xf32>
  %7 = graph.clone %same : !graph.tensor<4xf32>
  return %6, %7 : !graph.tensor<8xf32>, !graph.tensor<4xf32>
}

// It is freed, and allocated again.
// RUN: echo '{"storages": {"a": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "a", "sizes": [4]}, true]}' > %t.json
// RUN: terrace-run %s --entry=freed --inputs %t.json 2>/dev/null > %t.compiled
// RUN: terrace-run %s --entry=freed --inputs %t.json --target=interpret | diff - %t.compiled
func.func @freed(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> {
  %0 = graph.add %x, %x : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  scf.if %c {
    graph.resize_storage %x bytes [0] : !graph.tensor<4xf32>
    graph.resize_storage %x bytes [24] : !graph.tensor<4xf32>
    %1 = graph.copy_ %x, %0 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  }
  return %x : !graph.tensor<4xf32>
}
