// What a function gives is a conjugate also where the analysis has not come to the call: it ends at the view, which is on a way that is not taken.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}}, "args": [{"storage": "x", "sizes": [4]}, false]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
func.func private @f(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  return %0 : !graph.tensor<4xcomplex<f32>>
}
func.func @main(%x: !graph.tensor<4xcomplex<f32>>, %never: i1) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) {
  %t = graph.view %x size [2, 2] : !graph.tensor<4xcomplex<f32>>
  %tt = graph.t %t : !graph.tensor<2x2xcomplex<f32>>
  scf.if %never {
    %s = graph.view %tt size [4] : !graph.tensor<2x2xcomplex<f32>>
    %u = graph.neg_ %s : !graph.tensor<4xcomplex<f32>>
  }
  %r = func.call @f(%x) : (!graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>>
  %a = graph.add %r, %r : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return %a, %r : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}
