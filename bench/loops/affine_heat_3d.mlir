// Heat in three dimensions, 20 steps of two.
func.func @main(%A: memref<80x80x80xf64>, %B: memref<80x80x80xf64>) {
  %c0 = arith.constant 0.125 : f64
  %c1 = arith.constant 2.0 : f64
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 79 {
      affine.for %j = 1 to 79 {
        affine.for %k = 1 to 79 {
          %1 = affine.load %A[%i + 1, %j, %k] : memref<80x80x80xf64>
          %2 = affine.load %A[%i, %j, %k] : memref<80x80x80xf64>
          %3 = arith.mulf %c1, %2 : f64
          %4 = arith.subf %1, %3 : f64
          %5 = affine.load %A[%i - 1, %j, %k] : memref<80x80x80xf64>
          %6 = arith.addf %4, %5 : f64
          %7 = arith.mulf %c0, %6 : f64
          %8 = affine.load %A[%i, %j + 1, %k] : memref<80x80x80xf64>
          %9 = affine.load %A[%i, %j, %k] : memref<80x80x80xf64>
          %10 = arith.mulf %c1, %9 : f64
          %11 = arith.subf %8, %10 : f64
          %12 = affine.load %A[%i, %j - 1, %k] : memref<80x80x80xf64>
          %13 = arith.addf %11, %12 : f64
          %14 = arith.mulf %c0, %13 : f64
          %15 = arith.addf %7, %14 : f64
          %16 = affine.load %A[%i, %j, %k + 1] : memref<80x80x80xf64>
          %17 = affine.load %A[%i, %j, %k] : memref<80x80x80xf64>
          %18 = arith.mulf %c1, %17 : f64
          %19 = arith.subf %16, %18 : f64
          %20 = affine.load %A[%i, %j, %k - 1] : memref<80x80x80xf64>
          %21 = arith.addf %19, %20 : f64
          %22 = arith.mulf %c0, %21 : f64
          %23 = arith.addf %15, %22 : f64
          %24 = affine.load %A[%i, %j, %k] : memref<80x80x80xf64>
          %25 = arith.addf %23, %24 : f64
          affine.store %25, %B[%i, %j, %k] : memref<80x80x80xf64>
        }
      }
    }
    affine.for %i = 1 to 79 {
      affine.for %j = 1 to 79 {
        affine.for %k = 1 to 79 {
          %26 = affine.load %B[%i + 1, %j, %k] : memref<80x80x80xf64>
          %27 = affine.load %B[%i, %j, %k] : memref<80x80x80xf64>
          %28 = arith.mulf %c1, %27 : f64
          %29 = arith.subf %26, %28 : f64
          %30 = affine.load %B[%i - 1, %j, %k] : memref<80x80x80xf64>
          %31 = arith.addf %29, %30 : f64
          %32 = arith.mulf %c0, %31 : f64
          %33 = affine.load %B[%i, %j + 1, %k] : memref<80x80x80xf64>
          %34 = affine.load %B[%i, %j, %k] : memref<80x80x80xf64>
          %35 = arith.mulf %c1, %34 : f64
          %36 = arith.subf %33, %35 : f64
          %37 = affine.load %B[%i, %j - 1, %k] : memref<80x80x80xf64>
          %38 = arith.addf %36, %37 : f64
          %39 = arith.mulf %c0, %38 : f64
          %40 = arith.addf %32, %39 : f64
          %41 = affine.load %B[%i, %j, %k + 1] : memref<80x80x80xf64>
          %42 = affine.load %B[%i, %j, %k] : memref<80x80x80xf64>
          %43 = arith.mulf %c1, %42 : f64
          %44 = arith.subf %41, %43 : f64
          %45 = affine.load %B[%i, %j, %k - 1] : memref<80x80x80xf64>
          %46 = arith.addf %44, %45 : f64
          %47 = arith.mulf %c0, %46 : f64
          %48 = arith.addf %40, %47 : f64
          %49 = affine.load %B[%i, %j, %k] : memref<80x80x80xf64>
          %50 = arith.addf %48, %49 : f64
          affine.store %50, %A[%i, %j, %k] : memref<80x80x80xf64>
        }
      }
    }
  }
  return
}
