// Averages of three neighbours, 500 steps of two.
func.func @main(%A: memref<4000xf64>, %B: memref<4000xf64>) {
  %c0 = arith.constant 0.33333 : f64
  affine.for %t = 0 to 500 {
    affine.for %i = 1 to 3999 {
      %1 = affine.load %A[%i - 1] : memref<4000xf64>
      %2 = affine.load %A[%i] : memref<4000xf64>
      %3 = arith.addf %1, %2 : f64
      %4 = affine.load %A[%i + 1] : memref<4000xf64>
      %5 = arith.addf %3, %4 : f64
      %6 = arith.mulf %c0, %5 : f64
      affine.store %6, %B[%i] : memref<4000xf64>
    }
    affine.for %i = 1 to 3999 {
      %7 = affine.load %B[%i - 1] : memref<4000xf64>
      %8 = affine.load %B[%i] : memref<4000xf64>
      %9 = arith.addf %7, %8 : f64
      %10 = affine.load %B[%i + 1] : memref<4000xf64>
      %11 = arith.addf %9, %10 : f64
      %12 = arith.mulf %c0, %11 : f64
      affine.store %12, %A[%i] : memref<4000xf64>
    }
  }
  return
}
