// D = alpha A B C + beta D.
func.func @main(%alpha: f64, %beta: f64, %tmp: memref<360x380xf64>, %A: memref<360x420xf64>, %B: memref<420x380xf64>, %C: memref<380x440xf64>, %D: memref<360x440xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 360 {
    affine.for %j = 0 to 380 {
      affine.store %c0, %tmp[%i, %j] : memref<360x380xf64>
      affine.for %k = 0 to 420 {
        %1 = affine.load %tmp[%i, %j] : memref<360x380xf64>
        %2 = affine.load %A[%i, %k] : memref<360x420xf64>
        %3 = arith.mulf %alpha, %2 : f64
        %4 = affine.load %B[%k, %j] : memref<420x380xf64>
        %5 = arith.mulf %3, %4 : f64
        %6 = arith.addf %1, %5 : f64
        affine.store %6, %tmp[%i, %j] : memref<360x380xf64>
      }
    }
  }
  affine.for %i = 0 to 360 {
    affine.for %j = 0 to 440 {
      %7 = affine.load %D[%i, %j] : memref<360x440xf64>
      %8 = arith.mulf %7, %beta : f64
      affine.store %8, %D[%i, %j] : memref<360x440xf64>
      affine.for %k = 0 to 380 {
        %9 = affine.load %D[%i, %j] : memref<360x440xf64>
        %10 = affine.load %tmp[%i, %k] : memref<360x380xf64>
        %11 = affine.load %C[%k, %j] : memref<380x440xf64>
        %12 = arith.mulf %10, %11 : f64
        %13 = arith.addf %9, %12 : f64
        affine.store %13, %D[%i, %j] : memref<360x440xf64>
      }
    }
  }
  return
}
