// s = A^T r and q = A p.
func.func @main(%A: memref<2100x1900xf64>, %s: memref<1900xf64>, %q: memref<2100xf64>, %p: memref<1900xf64>, %r: memref<2100xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 1900 {
    affine.store %c0, %s[%i] : memref<1900xf64>
  }
  affine.for %i = 0 to 2100 {
    affine.store %c0, %q[%i] : memref<2100xf64>
    affine.for %j = 0 to 1900 {
      %1 = affine.load %s[%j] : memref<1900xf64>
      %2 = affine.load %r[%i] : memref<2100xf64>
      %3 = affine.load %A[%i, %j] : memref<2100x1900xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      affine.store %5, %s[%j] : memref<1900xf64>
      %6 = affine.load %q[%i] : memref<2100xf64>
      %7 = affine.load %A[%i, %j] : memref<2100x1900xf64>
      %8 = affine.load %p[%j] : memref<1900xf64>
      %9 = arith.mulf %7, %8 : f64
      %10 = arith.addf %6, %9 : f64
      affine.store %10, %q[%i] : memref<2100xf64>
    }
  }
  return
}
