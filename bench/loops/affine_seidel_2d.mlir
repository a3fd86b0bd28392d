// Averages of nine neighbours in place, 10 steps.
func.func @main(%A: memref<500x500xf64>) {
  %c0 = arith.constant 9.0 : f64
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 499 {
      affine.for %j = 1 to 499 {
        %1 = affine.load %A[%i - 1, %j - 1] : memref<500x500xf64>
        %2 = affine.load %A[%i - 1, %j] : memref<500x500xf64>
        %3 = arith.addf %1, %2 : f64
        %4 = affine.load %A[%i - 1, %j + 1] : memref<500x500xf64>
        %5 = arith.addf %3, %4 : f64
        %6 = affine.load %A[%i, %j - 1] : memref<500x500xf64>
        %7 = arith.addf %5, %6 : f64
        %8 = affine.load %A[%i, %j] : memref<500x500xf64>
        %9 = arith.addf %7, %8 : f64
        %10 = affine.load %A[%i, %j + 1] : memref<500x500xf64>
        %11 = arith.addf %9, %10 : f64
        %12 = affine.load %A[%i + 1, %j - 1] : memref<500x500xf64>
        %13 = arith.addf %11, %12 : f64
        %14 = affine.load %A[%i + 1, %j] : memref<500x500xf64>
        %15 = arith.addf %13, %14 : f64
        %16 = affine.load %A[%i + 1, %j + 1] : memref<500x500xf64>
        %17 = arith.addf %15, %16 : f64
        %18 = arith.divf %17, %c0 : f64
        affine.store %18, %A[%i, %j] : memref<500x500xf64>
      }
    }
  }
  return
}
