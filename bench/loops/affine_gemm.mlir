// C = alpha A B + beta C.
func.func @main(%alpha: f64, %beta: f64, %C: memref<400x440xf64>, %A: memref<400x480xf64>, %B: memref<480x440xf64>) {
  affine.for %i = 0 to 400 {
    affine.for %j = 0 to 440 {
      %1 = affine.load %C[%i, %j] : memref<400x440xf64>
      %2 = arith.mulf %1, %beta : f64
      affine.store %2, %C[%i, %j] : memref<400x440xf64>
    }
    affine.for %k = 0 to 480 {
      affine.for %j = 0 to 440 {
        %3 = affine.load %C[%i, %j] : memref<400x440xf64>
        %4 = affine.load %A[%i, %k] : memref<400x480xf64>
        %5 = arith.mulf %alpha, %4 : f64
        %6 = affine.load %B[%k, %j] : memref<480x440xf64>
        %7 = arith.mulf %5, %6 : f64
        %8 = arith.addf %3, %7 : f64
        affine.store %8, %C[%i, %j] : memref<400x440xf64>
      }
    }
  }
  return
}
