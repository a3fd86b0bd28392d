// Products of 24 pairs of matrices.
func.func @main(%A: memref<24x96x112xf32>, %B: memref<24x112x128xf32>, %C: memref<24x96x128xf32>) {
  linalg.batch_matmul ins(%A, %B : memref<24x96x112xf32>, memref<24x112x128xf32>) outs(%C : memref<24x96x128xf32>)
  return
}
