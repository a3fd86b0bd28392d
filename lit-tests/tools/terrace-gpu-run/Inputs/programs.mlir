func.func @add(%a: !graph.tensor<64x100xf32>, %b: !graph.tensor<64x100xf32>) -> !graph.tensor<64x100xf32> {
  %sum = graph.add %a, %b : !graph.tensor<64x100xf32>, !graph.tensor<64x100xf32>
  return %sum : !graph.tensor<64x100xf32>
}

// Writes its first argument, and returns it.
func.func @written(%a: !graph.tensor<64x100xf32>, %b: !graph.tensor<64x100xf32>) -> !graph.tensor<64x100xf32> {
  %sum = graph.add_ %a, %b : !graph.tensor<64x100xf32>, !graph.tensor<64x100xf32>
  return %sum : !graph.tensor<64x100xf32>
}

// Of more than 64 KiB: compared by samples and sums.
func.func @large(%a: !graph.tensor<?x?xf32>) -> !graph.tensor<?x?xf32> {
  %e = graph.exp %a : !graph.tensor<?x?xf32>
  return %e : !graph.tensor<?x?xf32>
}

// An index that is out of bounds is the program's own error.
func.func @rows(%table: !graph.tensor<10x4xf32>, %at: !graph.tensor<?xi64>) -> !graph.tensor<?x4xf32> {
  %rows = graph.index_select %table, %at {dim = 0} : !graph.tensor<10x4xf32>, !graph.tensor<?xi64>
  return %rows : !graph.tensor<?x4xf32>
}

// A truth value is a byte in memory; one result is a number.
func.func @positive(%a: !graph.tensor<5x7xf32>) -> (!graph.tensor<5x7xi1>, !graph.tensor<f32>) {
  %zero = arith.constant 0.0 : f64
  %p = graph.gt %a, %zero : !graph.tensor<5x7xf32>, f64
  %s = graph.sum %a {dims = [0, 1], keepdim = false} : !graph.tensor<5x7xf32>
  return %p, %s : !graph.tensor<5x7xi1>, !graph.tensor<f32>
}

// Small enough for arguments that stand in a file.
func.func @doubled(%x: !graph.tensor<64xf32>) -> !graph.tensor<64xf32> {
  %0 = graph.add %x, %x : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  return %0 : !graph.tensor<64xf32>
}
