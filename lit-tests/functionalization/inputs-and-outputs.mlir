// What the caller sees: what was written, and nothing else; results that alias inputs, new tensors and each other.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @"only-what-was-written"(%x: !graph.tensor<3xf32> {graph.layout = strided<[2], offset: 1>}) {
  %first = graph.slice %x start [0] end [2] step [1] : !graph.tensor<3xf32>
  %w = graph.exp_ %first : !graph.tensor<2xf32>
  return
}

func.func @"inputs-on-one-storage"(%x: !graph.tensor<2x3xf32> {graph.storage = "s"}, %y: !graph.tensor<3xf32> {graph.storage = "s", graph.layout = strided<[2], offset: 1>}) -> (!graph.tensor<2x3xf32>, !graph.tensor<3xf32>) {
  %w = graph.exp_ %y : !graph.tensor<3xf32>
  %v = graph.neg %x : !graph.tensor<2x3xf32>
  %u = graph.mul_ %x, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  %t = graph.neg %y : !graph.tensor<3xf32>
  return %v, %t : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
}

// Interleaved columns share nothing.
func.func @"inputs-on-one-storage-that-are-disjoint"(%x: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[2], offset: 0>}, %y: !graph.tensor<4xf32> {graph.storage = "s", graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %v = graph.exp_ %y : !graph.tensor<4xf32>
  return %x : !graph.tensor<4xf32>
}

func.func @"the-same-tensor-twice"(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "s"}) -> !graph.tensor<4xf32> {
  %w = graph.add_ %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %v = graph.neg_ %y : !graph.tensor<4xf32>
  return %x : !graph.tensor<4xf32>
}

func.func @"an-output-view-of-an-input-at-an-offset"(%x: !graph.tensor<8xf32> {graph.layout = strided<[3], offset: 5>}) -> (!graph.tensor<2xf32>, !graph.tensor<8xf32>) {
  %v = graph.slice %x start [3] end [7] step [2] : !graph.tensor<8xf32>
  %w = graph.exp_ %v : !graph.tensor<2xf32>
  return %v, %x : !graph.tensor<2xf32>, !graph.tensor<8xf32>
}

func.func @"outputs-that-alias-each-other"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<4x3xf32>) {
  %c = graph.exp %x : !graph.tensor<2x3xf32>
  %t = graph.t %c : !graph.tensor<2x3xf32>
  %row = graph.select %c index [1] : !graph.tensor<2x3xf32>
  %wide = graph.expand %row size [4, 3] : !graph.tensor<3xf32>
  return %t, %row, %row, %wide : !graph.tensor<3x2xf32>, !graph.tensor<3xf32>, !graph.tensor<3xf32>, !graph.tensor<4x3xf32>
}

func.func @"strides-of-what-was-written"(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2], offset: 0>}) -> (!graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>) {
  %w = graph.exp_ %x : !graph.tensor<2x3xf32>
  %y = graph.neg %x : !graph.tensor<2x3xf32>
  return %x, %y : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
}
