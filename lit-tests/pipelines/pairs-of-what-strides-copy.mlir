// A conjugate that is copied as strides say is none: its numbers are pairs of real ones. One that is viewed is refused when the program runs.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1,2],[3,4],[5,6],[7,8]]}}, "args": [{"storage": "x", "sizes": [2, 2], "strides": [1, 2]}]}' > %t.copy.json
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1,2],[3,4],[5,6],[7,8]]}}, "args": [{"storage": "x", "sizes": [2, 2]}]}' > %t.view.json
// RUN: terrace-run %s --entry=main --inputs %t.copy.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --entry=main --inputs %t.copy.json --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --entry=main --inputs %t.view.json 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: not terrace-run %s --entry=main --inputs %t.view.json --target=interpret 2>&1 | FileCheck %s --check-prefix=VIEW
// RUN: terrace-run %s --entry=given --inputs %t.copy.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --entry=given --inputs %t.copy.json --target=interpret | diff - %t.compiled
// RUN: terrace-run %s --entry=given --inputs %t.view.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --entry=given --inputs %t.view.json --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1,2,3,4,5,6,7,8]}}, "args": [{"storage": "x", "sizes": [1, 2, 2, 2], "strides": [8, 1, 4, 2]}]}' > %t.last.json
// RUN: terrace-run %s --entry=suggested --inputs %t.last.json 2> /dev/null > %t.compiled
// RUN: terrace-run %s --entry=suggested --inputs %t.last.json --target=interpret | diff - %t.compiled
// VIEW: view_as_real
func.func @main(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}) -> !graph.tensor<4x2xf32> {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.view_as_real %1 : !graph.tensor<4xcomplex<f32>>
  return %2 : !graph.tensor<4x2xf32>
}
func.func @given(%x: !graph.tensor<2x2xcomplex<f32>> {graph.layout = "any"}) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<2x2xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) {
  %0 = graph._conj %x : !graph.tensor<2x2xcomplex<f32>>
  %1 = graph.reshape %0 shape [4] : !graph.tensor<2x2xcomplex<f32>>
  %2 = graph.contiguous %0 : !graph.tensor<2x2xcomplex<f32>>
  %3 = graph.mul %1, %1 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return %1, %2, %3 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<2x2xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}
func.func @suggested(%x: !graph.tensor<1x2x2x2xf32> {graph.layout = "any"}) -> (!graph.tensor<1x2x2x2xf32>, !graph.tensor<1x2x2x2xf32>) {
  %0 = graph._neg_view %x : !graph.tensor<1x2x2x2xf32>
  %1 = graph.to %0 {memory_format = "channels_last"} : !graph.tensor<1x2x2x2xf32>
  %2 = graph.to %0 {memory_format = "contiguous_format"} : !graph.tensor<1x2x2x2xf32>
  return %1, %2 : !graph.tensor<1x2x2x2xf32>, !graph.tensor<1x2x2x2xf32>
}
