// Cholesky decomposition; A has a large diagonal.
func.func @main(%A: memref<400x400xf64>) {
  %c0 = arith.constant 400.0 : f64
  affine.for %i = 0 to 400 {
    %1 = affine.load %A[%i, %i] : memref<400x400xf64>
    %2 = arith.addf %1, %c0 : f64
    affine.store %2, %A[%i, %i] : memref<400x400xf64>
  }
  affine.for %i = 0 to 400 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %3 = affine.load %A[%i, %j] : memref<400x400xf64>
        %4 = affine.load %A[%i, %k] : memref<400x400xf64>
        %5 = affine.load %A[%j, %k] : memref<400x400xf64>
        %6 = arith.mulf %4, %5 : f64
        %7 = arith.subf %3, %6 : f64
        affine.store %7, %A[%i, %j] : memref<400x400xf64>
      }
      %8 = affine.load %A[%i, %j] : memref<400x400xf64>
      %9 = affine.load %A[%j, %j] : memref<400x400xf64>
      %10 = arith.divf %8, %9 : f64
      affine.store %10, %A[%i, %j] : memref<400x400xf64>
    }
    affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
      %11 = affine.load %A[%i, %i] : memref<400x400xf64>
      %12 = affine.load %A[%i, %k] : memref<400x400xf64>
      %13 = affine.load %A[%i, %k] : memref<400x400xf64>
      %14 = arith.mulf %12, %13 : f64
      %15 = arith.subf %11, %14 : f64
      affine.store %15, %A[%i, %i] : memref<400x400xf64>
    }
    %16 = affine.load %A[%i, %i] : memref<400x400xf64>
    %17 = math.sqrt %16 : f64
    affine.store %17, %A[%i, %i] : memref<400x400xf64>
  }
  return
}
