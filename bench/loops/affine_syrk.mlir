// The lower triangle of alpha A A^T + beta C.
func.func @main(%alpha: f64, %beta: f64, %C: memref<500x500xf64>, %A: memref<500x400xf64>) {
  affine.for %i = 0 to 500 {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %1 = affine.load %C[%i, %j] : memref<500x500xf64>
      %2 = arith.mulf %1, %beta : f64
      affine.store %2, %C[%i, %j] : memref<500x500xf64>
    }
    affine.for %k = 0 to 400 {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %3 = affine.load %C[%i, %j] : memref<500x500xf64>
        %4 = affine.load %A[%i, %k] : memref<500x400xf64>
        %5 = arith.mulf %alpha, %4 : f64
        %6 = affine.load %A[%j, %k] : memref<500x400xf64>
        %7 = arith.mulf %5, %6 : f64
        %8 = arith.addf %3, %7 : f64
        affine.store %8, %C[%i, %j] : memref<500x500xf64>
      }
    }
  }
  return
}
