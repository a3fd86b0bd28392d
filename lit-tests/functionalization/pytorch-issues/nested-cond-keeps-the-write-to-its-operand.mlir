// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=1 --forget=storages,layouts

// torch.cond in torch.cond drops the write to an operand of the inner one.
func.func @"written-inside"(%c: i1, %d: i1, %x: !graph.tensor<3xf32>) {
  scf.if %c {
    scf.if %d {
      %w = graph.exp_ %x : !graph.tensor<3xf32>
    }
  }
  return
}

func.func @"written-inside-through-a-view"(%c: i1, %d: i1, %x: !graph.tensor<3x2xf32>) -> (!graph.tensor<2xf32>, !graph.tensor<3x2xf32>) {
  %before = graph.neg %x : !graph.tensor<3x2xf32>
  %row = graph.select %x index [1] : !graph.tensor<3x2xf32>
  scf.if %c {
    %n = graph.neg_ %x : !graph.tensor<3x2xf32>
    scf.if %d {
      %w = graph.exp_ %row : !graph.tensor<2xf32>
    } else {
      %w = graph.zero_ %row : !graph.tensor<2xf32>
    }
    %s = graph.add_ %x, %x : !graph.tensor<3x2xf32>, !graph.tensor<3x2xf32>
  }
  return %row, %before : !graph.tensor<2xf32>, !graph.tensor<3x2xf32>
}

func.func @"in-a-loop"(%n: index, %c: i1, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = graph.zeros [3] {dtype = f32}
  scf.for %i = %zero to %n step %one {
    scf.if %c {
      %w = graph.neg_ %x : !graph.tensor<3xf32>
    }
    %s = graph.add_ %sum, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return %sum : !graph.tensor<3xf32>
}
