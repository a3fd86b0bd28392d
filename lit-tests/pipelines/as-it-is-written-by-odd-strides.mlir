// Functions that run as they are written, on tensors that lie in uncommon ways: the same values and the same run-time errors compiled and interpreted.
// REQUIRES: x86

// The stride of a single element says nothing; an odd one of several is refused.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [1, 2], "strides": [1, 1], "offset": 0}]}' > %t.json
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [2, 2], "strides": [1, 1], "offset": 0}]}' > %t.odd.json
// RUN: terrace-run %s --entry=complex --inputs %t.json > %t.compiled
// RUN: terrace-run %s --entry=complex --inputs %t.json --target=interpret | diff - %t.compiled
// RUN: not terrace-run %s --entry=complex --inputs %t.odd.json 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: divisible by 2
func.func @complex(%x: !graph.tensor<?x2xf32> {graph.layout = "any"}) -> !graph.tensor<?xcomplex<f32>> {
  %0 = graph.view_as_complex %x : !graph.tensor<?x2xf32>
  return %0 : !graph.tensor<?xcomplex<f32>>
}

// What is a condition and is chosen, too, is a condition still.
// RUN: echo '{"storages": {"c": {"dtype": "bool", "data": [true, false]}, "z": {"dtype": "c64", "data": [[1, 2], [3, 4]]}}, "args": [{"storage": "c", "dtype": "bool", "sizes": [2]}, {"storage": "z", "dtype": "c64", "sizes": [2]}]}' > %t.where.json
// RUN: terrace-run %s --entry=chosen --inputs %t.where.json > %t.compiled
// RUN: terrace-run %s --entry=chosen --inputs %t.where.json --target=interpret | diff - %t.compiled
func.func @chosen(%c: !graph.tensor<?xi1> {graph.layout = "any"}, %z: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}) -> !graph.tensor<?xcomplex<f32>> {
  %0 = graph.where %c, %c, %z : !graph.tensor<?xi1>, !graph.tensor<?xi1>, !graph.tensor<?xcomplex<f32>>
  return %0 : !graph.tensor<?xcomplex<f32>>
}

// A part of complex numbers is written where these lie.
// RUN: echo '{"storages": {"z": {"dtype": "c64", "data": [[1, -2], [3, -4], [-5, -6], [7, 8]]}}, "args": [{"storage": "z", "dtype": "c64", "sizes": [2], "strides": [2], "offset": 1}]}' > %t.part.json
// RUN: terrace-run %s --entry=part --inputs %t.part.json > %t.compiled
// RUN: terrace-run %s --entry=part --inputs %t.part.json --target=interpret | diff - %t.compiled
func.func @part(%z: !graph.tensor<?xcomplex<f32>> {graph.layout = "any"}) -> (!graph.tensor<?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.imag %z : !graph.tensor<?xcomplex<f32>>
  graph.relu_ %0 : !graph.tensor<?xf32>
  %1 = graph._conj %z : !graph.tensor<?xcomplex<f32>>
  %2 = graph.imag %1 : !graph.tensor<?xcomplex<f32>>
  return %0, %2 : !graph.tensor<?xf32>, !graph.tensor<?xf32>
}

// Without elements two tensors that lie alike do not overlap.
// RUN: echo '{"storages": {"x": {"dtype": "i64", "data": [1, 2]}}, "args": [{"storage": "x", "dtype": "i64", "sizes": [3, 0]}, {"storage": "x", "dtype": "i64", "sizes": [3, 0]}]}' > %t.empty.json
// RUN: terrace-run %s --entry=scattered --inputs %t.empty.json > %t.compiled
// RUN: terrace-run %s --entry=scattered --inputs %t.empty.json --target=interpret | diff - %t.compiled
func.func @scattered(%x: !graph.tensor<3x?xi64> {graph.layout = "any"}, %i: !graph.tensor<3x?xi64> {graph.layout = "any"}) -> !graph.tensor<3x?xi64> {
  %one = arith.constant 1 : i64
  %0 = graph.scatter_.value_reduce %x, %i, %one {dim = 0 : i64, reduce = "add"} : !graph.tensor<3x?xi64>, !graph.tensor<3x?xi64>, i64
  return %0 : !graph.tensor<3x?xi64>
}

// A negative of a bool is refused in eager's words.
// RUN: echo '{"storages": {"c": {"dtype": "bool", "data": [true, false]}}, "args": [{"storage": "c", "dtype": "bool", "sizes": [2]}]}' > %t.bool.json
// RUN: not terrace-run %s --entry=negative --inputs %t.bool.json 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: "neg_cpu" not implemented for 'Bool'
func.func @negative(%c: !graph.tensor<?xi1> {graph.layout = "any"}) -> !graph.tensor<?xi1> {
  %0 = graph._neg_view %c : !graph.tensor<?xi1>
  return %0 : !graph.tensor<?xi1>
}
