// A storage changes its size in a function that is called, and the caller goes on with tensors of it.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [1.0, 0.5, -0.25, 1.0]}, "s1": {"dtype": "f32", "data": [3.0, 0.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [2], "strides": [2], "offset": 1}, {"storage": "s1", "dtype": "f32", "sizes": [2], "strides": [1], "offset": 0}]}' > %t.json
// RUN: terrace-run %s --inputs %t.json > %t.compiled
// RUN: terrace-run %s --inputs %t.json --target=interpret | diff - %t.compiled

func.func private @grows(%x: !graph.tensor<?xf32>) -> !graph.tensor<6xf32> {
  %0 = graph.resize_ %x size [6] : !graph.tensor<?xf32>
  %1 = graph.zero_ %0 : !graph.tensor<6xf32>
  return %1 : !graph.tensor<6xf32>
}
func.func @main(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %y: !graph.tensor<?xf32>) -> (!graph.tensor<6xf32>, !graph.tensor<?xf32>) {
  %0 = func.call @grows(%x) : (!graph.tensor<?xf32>) -> !graph.tensor<6xf32>
  %1 = graph.mul_ %y, %y : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %0, %1 : !graph.tensor<6xf32>, !graph.tensor<?xf32>
}
