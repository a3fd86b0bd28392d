// y = A^T (A x).
func.func @main(%A: memref<1900x2100xf64>, %x: memref<2100xf64>, %y: memref<2100xf64>, %tmp: memref<1900xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 2100 {
    affine.store %c0, %y[%i] : memref<2100xf64>
  }
  affine.for %i = 0 to 1900 {
    affine.store %c0, %tmp[%i] : memref<1900xf64>
    affine.for %j = 0 to 2100 {
      %1 = affine.load %tmp[%i] : memref<1900xf64>
      %2 = affine.load %A[%i, %j] : memref<1900x2100xf64>
      %3 = affine.load %x[%j] : memref<2100xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      affine.store %5, %tmp[%i] : memref<1900xf64>
    }
    affine.for %j = 0 to 2100 {
      %6 = affine.load %y[%j] : memref<2100xf64>
      %7 = affine.load %A[%i, %j] : memref<1900x2100xf64>
      %8 = affine.load %tmp[%i] : memref<1900xf64>
      %9 = arith.mulf %7, %8 : f64
      %10 = arith.addf %6, %9 : f64
      affine.store %10, %y[%j] : memref<2100xf64>
    }
  }
  return
}
