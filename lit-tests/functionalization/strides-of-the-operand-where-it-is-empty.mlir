// deg2rad and its kin begin with an empty tensor like the operand: the stride of a part without elements, or of one, stays.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

func.func @none(%x: !graph.tensor<?xf32> {graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<?xf32> {
  %0 = graph.slice %x start [0] end [0] step [1] : !graph.tensor<?xf32>
  %1 = graph.deg2rad %0 : !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}

func.func @one(%x: !graph.tensor<4xf32> {graph.layout = strided<[2], offset: 1>}) -> !graph.tensor<1xf32> {
  %0 = graph.slice %x start [1] end [2] step [1] : !graph.tensor<4xf32>
  %1 = graph.nan_to_num %0 : !graph.tensor<1xf32>
  return %1 : !graph.tensor<1xf32>
}
