// Calls: arguments and results in their order, aliases of either, what is written behind them.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func private @swapped(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %0 = graph.exp_ %x : !graph.tensor<3xf32>
  return %y, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"arguments-and-results-in-their-order"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32> {graph.storage = "y"}) -> !graph.tensor<3xf32> {
  %r:2 = func.call @swapped(%x, %y) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>)
  %w = graph.neg_ %r#0 : !graph.tensor<3xf32>
  %v = graph.sin %r#1 : !graph.tensor<3xf32>
  return %v : !graph.tensor<3xf32>
}

// What is read before a call is old, what is read after it is new.
func.func @"a-call-stays-where-it-is"(%x: !graph.tensor<3xf32> {graph.storage = "x"}, %y: !graph.tensor<3xf32> {graph.storage = "y"}) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %before = graph.neg %x : !graph.tensor<3xf32>
  %r:2 = func.call @swapped(%x, %y) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>)
  %after = graph.neg %x : !graph.tensor<3xf32>
  return %before, %after : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"called-twice-on-views-of-one-tensor"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<2x3xf32>) {
  %a = graph.select %x index [0] : !graph.tensor<2x3xf32>
  %b = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %r:2 = func.call @swapped(%a, %b) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>)
  %s:2 = func.call @swapped(%r#0, %r#1) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>)
  return %s#0, %x : !graph.tensor<3xf32>, !graph.tensor<2x3xf32>
}

// The same tensor for both arguments: what the one is written the other one sees.
func.func @"one-tensor-for-two-arguments"(%x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %r:2 = func.call @swapped(%x, %x) : (!graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>)
  %s = graph.add %r#0, %r#1 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %s : !graph.tensor<3xf32>
}

func.func private @turned(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3x2xf32> {
  %0 = graph.t_ %x : !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<3x2xf32>
}

func.func @"a-call-that-changes-an-object"(%x: !graph.tensor<2x3xf32>) -> (!graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>) {
  %c = graph.clone %x : !graph.tensor<2x3xf32>
  %before = graph.alias %c : !graph.tensor<2x3xf32>
  %t = func.call @turned(%c) : (!graph.tensor<2x3xf32>) -> !graph.tensor<3x2xf32>
  %row = graph.select %t index [1] : !graph.tensor<3x2xf32>
  %w = graph.exp_ %row : !graph.tensor<2xf32>
  return %t, %before : !graph.tensor<3x2xf32>, !graph.tensor<2x3xf32>
}
