// Averages of five neighbours, 20 steps of two.
func.func @main(%A: memref<700x700xf64>, %B: memref<700x700xf64>) {
  %c0 = arith.constant 0.2 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 699 {
      affine.for %j = 1 to 699 {
        %1 = affine.load %A[%i, %j] : memref<700x700xf64>
        %2 = affine.load %A[%i, %j - 1] : memref<700x700xf64>
        %3 = arith.addf %1, %2 : f64
        %4 = affine.load %A[%i, %j + 1] : memref<700x700xf64>
        %5 = arith.addf %3, %4 : f64
        %6 = affine.load %A[%i + 1, %j] : memref<700x700xf64>
        %7 = arith.addf %5, %6 : f64
        %8 = affine.load %A[%i - 1, %j] : memref<700x700xf64>
        %9 = arith.addf %7, %8 : f64
        %10 = arith.mulf %c0, %9 : f64
        affine.store %10, %B[%i, %j] : memref<700x700xf64>
      }
    }
    affine.for %i = 1 to 699 {
      affine.for %j = 1 to 699 {
        %11 = affine.load %B[%i, %j] : memref<700x700xf64>
        %12 = affine.load %B[%i, %j - 1] : memref<700x700xf64>
        %13 = arith.addf %11, %12 : f64
        %14 = affine.load %B[%i, %j + 1] : memref<700x700xf64>
        %15 = arith.addf %13, %14 : f64
        %16 = affine.load %B[%i + 1, %j] : memref<700x700xf64>
        %17 = arith.addf %15, %16 : f64
        %18 = affine.load %B[%i - 1, %j] : memref<700x700xf64>
        %19 = arith.addf %17, %18 : f64
        %20 = arith.mulf %c0, %19 : f64
        affine.store %20, %A[%i, %j] : memref<700x700xf64>
      }
    }
  }
  return
}
