// A row and a matrix.
func.func @main(%x: memref<2000xf32>, %A: memref<2000x2100xf32>, %y: memref<2100xf32>) {
  linalg.vecmat ins(%x, %A : memref<2000xf32>, memref<2000x2100xf32>) outs(%y : memref<2100xf32>)
  return
}
