// Shortest paths between all pairs of 400 nodes.
func.func @main(%path: memref<400x400xf64>) {
  affine.for %k = 0 to 400 {
    affine.for %i = 0 to 400 {
      affine.for %j = 0 to 400 {
        %1 = affine.load %path[%i, %j] : memref<400x400xf64>
        %2 = affine.load %path[%i, %k] : memref<400x400xf64>
        %3 = affine.load %path[%k, %j] : memref<400x400xf64>
        %4 = arith.addf %2, %3 : f64
        %5 = arith.minimumf %1, %4 : f64
        affine.store %5, %path[%i, %j] : memref<400x400xf64>
      }
    }
  }
  return
}
