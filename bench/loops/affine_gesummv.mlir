// y = alpha A x + beta B x.
func.func @main(%alpha: f64, %beta: f64, %A: memref<1300x1300xf64>, %B: memref<1300x1300xf64>, %tmp: memref<1300xf64>, %x: memref<1300xf64>, %y: memref<1300xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 1300 {
    affine.store %c0, %tmp[%i] : memref<1300xf64>
    affine.store %c0, %y[%i] : memref<1300xf64>
    affine.for %j = 0 to 1300 {
      %1 = affine.load %tmp[%i] : memref<1300xf64>
      %2 = affine.load %A[%i, %j] : memref<1300x1300xf64>
      %3 = affine.load %x[%j] : memref<1300xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      affine.store %5, %tmp[%i] : memref<1300xf64>
      %6 = affine.load %y[%i] : memref<1300xf64>
      %7 = affine.load %B[%i, %j] : memref<1300x1300xf64>
      %8 = affine.load %x[%j] : memref<1300xf64>
      %9 = arith.mulf %7, %8 : f64
      %10 = arith.addf %6, %9 : f64
      affine.store %10, %y[%i] : memref<1300xf64>
    }
    %11 = affine.load %tmp[%i] : memref<1300xf64>
    %12 = arith.mulf %alpha, %11 : f64
    %13 = affine.load %y[%i] : memref<1300xf64>
    %14 = arith.mulf %beta, %13 : f64
    %15 = arith.addf %12, %14 : f64
    affine.store %15, %y[%i] : memref<1300xf64>
  }
  return
}
