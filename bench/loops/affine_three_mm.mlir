// G = (A B) (C D).
func.func @main(%E: memref<360x380xf64>, %A: memref<360x400xf64>, %B: memref<400x380xf64>, %F: memref<380x420xf64>, %C: memref<380x440xf64>, %D: memref<440x420xf64>, %G: memref<360x420xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 360 {
    affine.for %j = 0 to 380 {
      affine.store %c0, %E[%i, %j] : memref<360x380xf64>
      affine.for %k = 0 to 400 {
        %1 = affine.load %E[%i, %j] : memref<360x380xf64>
        %2 = affine.load %A[%i, %k] : memref<360x400xf64>
        %3 = affine.load %B[%k, %j] : memref<400x380xf64>
        %4 = arith.mulf %2, %3 : f64
        %5 = arith.addf %1, %4 : f64
        affine.store %5, %E[%i, %j] : memref<360x380xf64>
      }
    }
  }
  affine.for %i = 0 to 380 {
    affine.for %j = 0 to 420 {
      affine.store %c0, %F[%i, %j] : memref<380x420xf64>
      affine.for %k = 0 to 440 {
        %6 = affine.load %F[%i, %j] : memref<380x420xf64>
        %7 = affine.load %C[%i, %k] : memref<380x440xf64>
        %8 = affine.load %D[%k, %j] : memref<440x420xf64>
        %9 = arith.mulf %7, %8 : f64
        %10 = arith.addf %6, %9 : f64
        affine.store %10, %F[%i, %j] : memref<380x420xf64>
      }
    }
  }
  affine.for %i = 0 to 360 {
    affine.for %j = 0 to 420 {
      affine.store %c0, %G[%i, %j] : memref<360x420xf64>
      affine.for %k = 0 to 380 {
        %11 = affine.load %G[%i, %j] : memref<360x420xf64>
        %12 = affine.load %E[%i, %k] : memref<360x380xf64>
        %13 = affine.load %F[%k, %j] : memref<380x420xf64>
        %14 = arith.mulf %12, %13 : f64
        %15 = arith.addf %11, %14 : f64
        affine.store %15, %G[%i, %j] : memref<360x420xf64>
      }
    }
  }
  return
}
