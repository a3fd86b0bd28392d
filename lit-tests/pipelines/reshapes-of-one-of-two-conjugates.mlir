// Whether a reshape of a conjugate is a view, elements may decide: its elements are the same.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1,2],[3,4],[5,6],[7,8],[9,10],[11,12]]}, "y": {"dtype": "c64", "data": [[1,1],[1,2],[1,3],[1,4],[1,5],[1,6]]}}, "args": [{"storage": "x", "sizes": [2,3]},{"storage": "y", "sizes": [3,2]}]}' > %t.view.json
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[-1,2],[3,4],[-5,6],[-7,8],[9,10],[-11,12]]}, "y": {"dtype": "c64", "data": [[1,1],[1,2],[1,3],[1,4],[1,5],[1,6]]}}, "args": [{"storage": "x", "sizes": [2,3]},{"storage": "y", "sizes": [3,2]}]}' > %t.copy.json
// RUN: terrace-run %s --inputs %t.view.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.view.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --inputs %t.copy.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --inputs %t.copy.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<2x3xcomplex<f32>>, %y: !graph.tensor<3x2xcomplex<f32>>) -> (!graph.tensor<6xcomplex<f32>>, !graph.tensor<6xf32>, !graph.tensor<2x3xcomplex<f32>>) {
  %cx = graph.conj %x : !graph.tensor<2x3xcomplex<f32>>
  %cy = graph.conj %y : !graph.tensor<3x2xcomplex<f32>>
  %ty = graph.t %cy : !graph.tensor<3x2xcomplex<f32>>
  %r = graph.real %x : !graph.tensor<2x3xcomplex<f32>>
  %s = graph.sum %r : !graph.tensor<2x3xf32>
  %i = graph.item %s : !graph.tensor<f32>
  %z = arith.constant 0.0 : f64
  %c = arith.cmpf ogt, %i, %z : f64
  %a = scf.if %c -> !graph.tensor<2x3xcomplex<f32>> {
    scf.yield %cx : !graph.tensor<2x3xcomplex<f32>>
  } else {
    scf.yield %ty : !graph.tensor<2x3xcomplex<f32>>
  }
  %v = graph.reshape %a shape [6] : !graph.tensor<2x3xcomplex<f32>>
  %w = graph.mul_ %v, %v : !graph.tensor<6xcomplex<f32>>, !graph.tensor<6xcomplex<f32>>
  %im = graph.imag %w : !graph.tensor<6xcomplex<f32>>
  %q = graph.contiguous %a : !graph.tensor<2x3xcomplex<f32>>
  %1 = graph.clone %w : !graph.tensor<6xcomplex<f32>>
  %2 = graph.clone %im : !graph.tensor<6xf32>
  %3 = graph.add %q, %q : !graph.tensor<2x3xcomplex<f32>>, !graph.tensor<2x3xcomplex<f32>>
  return %1, %2, %3 : !graph.tensor<6xcomplex<f32>>, !graph.tensor<6xf32>, !graph.tensor<2x3xcomplex<f32>>
}
