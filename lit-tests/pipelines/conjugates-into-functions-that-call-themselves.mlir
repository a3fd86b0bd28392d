// A function that calls itself with a conjugate is told by each call how its argument is seen.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}}, "args": [{"storage": "x", "sizes": [4]}, 0]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}}, "args": [{"storage": "x", "sizes": [4]}, 1]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: echo '{"storages": {"x": {"dtype": "c64", "data": [[1, 2], [3, 4], [5, 6], [7, 8]]}}, "args": [{"storage": "x", "sizes": [4]}, 2]}' > %t.json
// RUN: terrace-run %s --inputs %t.json --entry=main > %t.compiled
// RUN: terrace-run %s --inputs %t.json --entry=main --target=interpret | diff - %t.compiled
// RUN: FileCheck %s < %t.compiled
// CHECK: "flags": ["conj"]}
func.func private @f(%x: !graph.tensor<4xcomplex<f32>>, %n: i64) -> !graph.tensor<4xcomplex<f32>> {
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi sle, %n, %z : i64
  %r = scf.if %done -> !graph.tensor<4xcomplex<f32>> {
    %0 = graph.add_ %x, %x : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
    scf.yield %x : !graph.tensor<4xcomplex<f32>>
  } else {
    %m = arith.subi %n, %one : i64
    %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
    %1 = func.call @f(%0, %m) : (!graph.tensor<4xcomplex<f32>>, i64) -> !graph.tensor<4xcomplex<f32>>
    %2 = graph.sub_ %x, %1 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
    scf.yield %1 : !graph.tensor<4xcomplex<f32>>
  }
  return %r : !graph.tensor<4xcomplex<f32>>
}
func.func @main(%x: !graph.tensor<4xcomplex<f32>>, %n: i64) -> (!graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>) {
  %y = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  %0 = call @f(%y, %n) : (!graph.tensor<4xcomplex<f32>>, i64) -> !graph.tensor<4xcomplex<f32>>
  %1 = graph.add %0, %0 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
  return %0, %1 : !graph.tensor<4xcomplex<f32>>, !graph.tensor<4xcomplex<f32>>
}
