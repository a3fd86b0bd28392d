// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

// Windows with gaps between them: what is written leaves the gaps as they are (pytorch/pytorch issue 198102).
func.func @local(%x: !graph.tensor<10xf32>) -> (!graph.tensor<10xf32>, !graph.tensor<3x2xf32>) {
  %c = graph.clone %x : !graph.tensor<10xf32>
  %v = graph.unfold %c {dimension = 0 : i64, size = 2 : i64, step = 4 : i64} : !graph.tensor<10xf32>
  %w = graph.exp_ %v : !graph.tensor<3x2xf32>
  return %c, %v : !graph.tensor<10xf32>, !graph.tensor<3x2xf32>
}

func.func @argument(%x: !graph.tensor<2x7xf32>) -> !graph.tensor<2x2x3xf32> {
  %v = graph.unfold %x {dimension = 1 : i64, size = 3 : i64, step = 4 : i64} : !graph.tensor<2x7xf32>
  %zero = graph.zero_ %v : !graph.tensor<2x2x3xf32>
  %y = graph.neg_ %x : !graph.tensor<2x7xf32>
  return %v : !graph.tensor<2x2x3xf32>
}
