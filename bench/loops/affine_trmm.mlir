// B = alpha A^T B for a triangular A of ones on its diagonal.
func.func @main(%alpha: f64, %A: memref<400x400xf64>, %B: memref<400x480xf64>) {
  affine.for %i = 0 to 400 {
    affine.for %j = 0 to 480 {
      affine.for %k = affine_map<(i) -> (i + 1)>(%i) to 400 {
        %1 = affine.load %B[%i, %j] : memref<400x480xf64>
        %2 = affine.load %A[%k, %i] : memref<400x400xf64>
        %3 = affine.load %B[%k, %j] : memref<400x480xf64>
        %4 = arith.mulf %2, %3 : f64
        %5 = arith.addf %1, %4 : f64
        affine.store %5, %B[%i, %j] : memref<400x480xf64>
      }
      %6 = affine.load %B[%i, %j] : memref<400x480xf64>
      %7 = arith.mulf %alpha, %6 : f64
      affine.store %7, %B[%i, %j] : memref<400x480xf64>
    }
  }
  return
}
