// A[r, q, :] = A[r, q, :] C4.
func.func @main(%A: memref<100x90x110xf64>, %C4: memref<110x110xf64>, %sum: memref<110xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %r = 0 to 100 {
    affine.for %q = 0 to 90 {
      affine.for %p = 0 to 110 {
        affine.store %c0, %sum[%p] : memref<110xf64>
        affine.for %s = 0 to 110 {
          %1 = affine.load %sum[%p] : memref<110xf64>
          %2 = affine.load %A[%r, %q, %s] : memref<100x90x110xf64>
          %3 = affine.load %C4[%s, %p] : memref<110x110xf64>
          %4 = arith.mulf %2, %3 : f64
          %5 = arith.addf %1, %4 : f64
          affine.store %5, %sum[%p] : memref<110xf64>
        }
      }
      affine.for %p = 0 to 110 {
        %6 = affine.load %sum[%p] : memref<110xf64>
        affine.store %6, %A[%r, %q, %p] : memref<100x90x110xf64>
      }
    }
  }
  return
}
