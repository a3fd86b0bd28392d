// A matrix the other way round.
func.func @main(%x: memref<1500x1700xf32>, %y: memref<1700x1500xf32>) {
  linalg.transpose ins(%x : memref<1500x1700xf32>) outs(%y : memref<1700x1500xf32>) permutation = [1, 0]
  return
}
