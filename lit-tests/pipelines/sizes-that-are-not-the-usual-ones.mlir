// Sizes that are 0, 1 or other ones than were compared: the function is compiled as it is written, too.
// REQUIRES: x86
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}, "y": {"dtype": "f32", "data": [5, 2, 3, 4]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 1], "strides": [1, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [1, 4], "strides": [4, 1], "offset": 0}]}' > %t.ones.json
// RUN: terrace-run %s --entry=outer --inputs %t.ones.json | FileCheck %s --check-prefix=ONES
// ONES: "sizes": [3, 4], "strides": [4, 1]
// ONES: "new0": {"dtype": "f32", "data": [6.0, 3.0, 4.0, 5.0, 7.0, 4.0, 5.0, 6.0, 8.0, 5.0, 6.0, 7.0]}
// ONES: "new1": {"dtype": "f32", "data": [21.0, 12.0, 15.0, 18.0]}
func.func @outer(%x: !graph.tensor<?x?xf32>, %y: !graph.tensor<?x?xf32>) -> (!graph.tensor<?x?xf32>, !graph.tensor<?xf32>) {
  %0 = graph.add %x, %y : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  %1 = graph.sum %0 {dim = array<i64: 0>} : !graph.tensor<?x?xf32>
  return %0, %1 : !graph.tensor<?x?xf32>, !graph.tensor<?xf32>
}

// A batch of nothing, and one of one.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": []}, "w": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "b": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [0, 3], "strides": [3, 1], "offset": 0}, {"storage": "w", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0}, {"storage": "b", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.none.json
// RUN: terrace-run %s --entry=layer --inputs %t.none.json > %t.out
// RUN: terrace-run %s --entry=layer --inputs %t.none.json --target=interpret | diff - %t.out
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, -2, 3]}, "w": {"dtype": "f32", "data": [1, 2, 3, 4, 5, 6]}, "b": {"dtype": "f32", "data": [1, 2]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [1, 3], "strides": [3, 1], "offset": 0}, {"storage": "w", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0}, {"storage": "b", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.one.json
// RUN: terrace-run %s --entry=layer --inputs %t.one.json > %t.out
// RUN: terrace-run %s --entry=layer --inputs %t.one.json --target=interpret | diff - %t.out
func.func @layer(%x: !graph.tensor<?x3xf32>, %w: !graph.tensor<2x3xf32>, %b: !graph.tensor<2xf32>) -> !graph.tensor<?x2xf32> {
  %0 = graph.linear %x, %w bias %b : !graph.tensor<?x3xf32>, !graph.tensor<2x3xf32>, !graph.tensor<2xf32>
  %1 = graph.relu %0 : !graph.tensor<?x2xf32>
  return %1 : !graph.tensor<?x2xf32>
}

// What is written in place is the argument, whichever way it was.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3, 4]}, "y": {"dtype": "f32", "data": [5]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [2, 2], "strides": [2, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [1, 1], "strides": [1, 1], "offset": 0}]}' > %t.written.json
// RUN: terrace-run %s --entry=written --inputs %t.written.json > %t.out
// RUN: terrace-run %s --entry=written --inputs %t.written.json --target=interpret | diff - %t.out
func.func @written(%x: !graph.tensor<?x?xf32> {graph.storage = "x"}, %y: !graph.tensor<?x?xf32> {graph.storage = "y"}) -> !graph.tensor<?x?xf32> {
  %0 = graph.add_ %x, %y : !graph.tensor<?x?xf32>, !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?x?xf32>
}

// Sizes that do not go together are eager's error.
// RUN: echo '{"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}, "y": {"dtype": "f32", "data": [5, 6]}}, "args": [{"storage": "x", "dtype": "f32", "sizes": [3, 1], "strides": [1, 1], "offset": 0}, {"storage": "y", "dtype": "f32", "sizes": [2, 1], "strides": [1, 1], "offset": 0}]}' > %t.wrong.json
// RUN: not terrace-run %s --entry=outer --inputs %t.wrong.json 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: The size of tensor a {{.*}}must match the size of tensor b {{.*}}at non-singleton dimension
