// The covariance of 480 columns of 520 samples.
func.func @main(%data: memref<520x480xf64>, %cov: memref<480x480xf64>, %mean: memref<480xf64>) {
  %c0 = arith.constant 0.0 : f64
  %c1 = arith.constant 520.0 : f64
  %c2 = arith.constant 519.0 : f64
  affine.for %j = 0 to 480 {
    affine.store %c0, %mean[%j] : memref<480xf64>
    affine.for %i = 0 to 520 {
      %1 = affine.load %mean[%j] : memref<480xf64>
      %2 = affine.load %data[%i, %j] : memref<520x480xf64>
      %3 = arith.addf %1, %2 : f64
      affine.store %3, %mean[%j] : memref<480xf64>
    }
    %4 = affine.load %mean[%j] : memref<480xf64>
    %5 = arith.divf %4, %c1 : f64
    affine.store %5, %mean[%j] : memref<480xf64>
  }
  affine.for %i = 0 to 520 {
    affine.for %j = 0 to 480 {
      %6 = affine.load %data[%i, %j] : memref<520x480xf64>
      %7 = affine.load %mean[%j] : memref<480xf64>
      %8 = arith.subf %6, %7 : f64
      affine.store %8, %data[%i, %j] : memref<520x480xf64>
    }
  }
  affine.for %i = 0 to 480 {
    affine.for %j = affine_map<(i) -> (i)>(%i) to 480 {
      affine.store %c0, %cov[%i, %j] : memref<480x480xf64>
      affine.for %k = 0 to 520 {
        %9 = affine.load %cov[%i, %j] : memref<480x480xf64>
        %10 = affine.load %data[%k, %i] : memref<520x480xf64>
        %11 = affine.load %data[%k, %j] : memref<520x480xf64>
        %12 = arith.mulf %10, %11 : f64
        %13 = arith.addf %9, %12 : f64
        affine.store %13, %cov[%i, %j] : memref<480x480xf64>
      }
      %14 = affine.load %cov[%i, %j] : memref<480x480xf64>
      %15 = arith.divf %14, %c2 : f64
      affine.store %15, %cov[%i, %j] : memref<480x480xf64>
      %16 = affine.load %cov[%i, %j] : memref<480x480xf64>
      affine.store %16, %cov[%j, %i] : memref<480x480xf64>
    }
  }
  return
}
