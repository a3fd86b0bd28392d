// C = C + A B.
func.func @main(%A: memref<384x400xf32>, %B: memref<400x416xf32>, %C: memref<384x416xf32>) {
  linalg.matmul ins(%A, %B : memref<384x400xf32>, memref<400x416xf32>) outs(%C : memref<384x416xf32>)
  return
}
