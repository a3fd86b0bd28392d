// In a function that runs as it is written a view stands beside a copy, on a way that strides decide: it is not refused where they are such that it is never taken.
// REQUIRES: x86
// RUN: echo '{"storages": {"s": {"dtype": "f32", "data": [0, 1, 2, 3, 4, 5, 6]}}, "args": [{"storage": "s", "sizes": [2, 3], "strides": [1, 2], "offset": 1}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled
func.func @main(%x: !graph.tensor<2x3xf32> {graph.storage = "x", graph.layout = strided<[1, 2], offset: 1>}) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %two = arith.constant 2.0 : f64
  %end = arith.minsi %one, %three : i64
  cf.br ^head(%zero, %x : i64, !graph.tensor<2x3xf32>)
^head(%i: i64, %y: !graph.tensor<2x3xf32>):
  %0 = graph.ravel %y : !graph.tensor<2x3xf32>
  %more = arith.cmpi slt, %i, %end : i64
  cf.cond_br %more, ^body, ^last
^body:
  %1 = graph.full_like %x, %two : !graph.tensor<2x3xf32>, f64
  %next = arith.addi %i, %one : i64
  cf.br ^head(%next, %1 : i64, !graph.tensor<2x3xf32>)
^last:
  return
}
