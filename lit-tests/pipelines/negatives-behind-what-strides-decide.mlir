// How a view sees elements is known whatever of a tensor is not, behind an operation of which strides decide what it gives: through control flow and
// further views, too.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [-1.5, 3.0]}}, "args": [{"storage": "s", "sizes": [1, 2]}, true]}' > %t.json
// RUN: terrace-run %s --entry=seen --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=seen --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// RUN: echo '{"storages": {"s": {"dtype": "c64", "data": [[1, 2], [3, 4]]}}, "args": [{"storage": "s", "sizes": [1, 2]}]}' > %t.json
// RUN: terrace-run %s --entry=conjugate --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=conjugate --inputs %t.json --target=interpret | diff - %t.compiled
// CHECK: "flags": ["neg"]
func.func @seen(%x: !graph.tensor<?x?xf32> {graph.storage = "s", graph.layout = "any"}, %c: i1) -> !graph.tensor<?x?xf32> {
  %0 = graph.view.dtype %x {dtype = i16} : !graph.tensor<?x?xf32>
  %1 = scf.if %c -> !graph.tensor<?x?xf32> {
    %2 = graph._neg_view %x : !graph.tensor<?x?xf32>
    scf.yield %2 : !graph.tensor<?x?xf32>
  } else {
    %2 = graph.t %x : !graph.tensor<?x?xf32>
    %3 = graph._neg_view %2 : !graph.tensor<?x?xf32>
    scf.yield %3 : !graph.tensor<?x?xf32>
  }
  %4 = graph.t %1 : !graph.tensor<?x?xf32>
  return %4 : !graph.tensor<?x?xf32>
}
func.func @conjugate(%x: !graph.tensor<?x?xcomplex<f32>> {graph.storage = "s", graph.layout = "any"}) -> (!graph.tensor<?x?xcomplex<f32>>, !graph.tensor<?x?xf32>) {
  %0 = graph.view.dtype %x {dtype = f64} : !graph.tensor<?x?xcomplex<f32>>
  %1 = graph.conj %x : !graph.tensor<?x?xcomplex<f32>>
  %2 = graph.imag %1 : !graph.tensor<?x?xcomplex<f32>>
  return %1, %2 : !graph.tensor<?x?xcomplex<f32>>, !graph.tensor<?x?xf32>
}
