// A matrix and a column.
func.func @main(%A: memref<2000x2100xf32>, %x: memref<2100xf32>, %y: memref<2000xf32>) {
  linalg.matvec ins(%A, %x : memref<2000x2100xf32>, memref<2100xf32>) outs(%y : memref<2000xf32>)
  return
}
