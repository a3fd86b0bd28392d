// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

// as_strided of a view counts in the storage, and reaches elements that the view does not have (pytorch/pytorch issue 104505).
func.func @"of-a-local"(%x: !graph.tensor<12xf32>) -> (!graph.tensor<12xf32>, !graph.tensor<3xf32>) {
  %one = arith.constant 1 : i64
  %c = graph.clone %x : !graph.tensor<12xf32>
  %part = graph.slice %c start [4] end [6] step [1] : !graph.tensor<12xf32>
  %wide = graph.as_strided %part size [3] stride [5] storage_offset [1] : !graph.tensor<2xf32>
  %w = graph.add_ %wide, %one : !graph.tensor<3xf32>, i64
  return %c, %wide : !graph.tensor<12xf32>, !graph.tensor<3xf32>
}

// Of an argument too, before and behind what it is a view of.
func.func @"of-an-argument"(%x: !graph.tensor<2xf32> {graph.layout = strided<[3], offset: 5>}) -> !graph.tensor<3x2xf32> {
  %wide = graph.as_strided %x size [3, 2] stride [2, 1] storage_offset [2] : !graph.tensor<2xf32>
  %w = graph.exp_ %wide : !graph.tensor<3x2xf32>
  %v = graph.neg_ %x : !graph.tensor<2xf32>
  return %wide : !graph.tensor<3x2xf32>
}

// An argument that lies where the other one's view reaches to.
func.func @"into-another-argument"(%x: !graph.tensor<2xf32> {graph.storage = "s"}, %y: !graph.tensor<2xf32> {graph.storage = "s", graph.layout = strided<[1], offset: 4>}) -> !graph.tensor<2xf32> {
  %wide = graph.as_strided %x size [2] stride [4] storage_offset [1] : !graph.tensor<2xf32>
  %w = graph.exp_ %wide : !graph.tensor<2xf32>
  %v = graph.neg %y : !graph.tensor<2xf32>
  return %v : !graph.tensor<2xf32>
}
