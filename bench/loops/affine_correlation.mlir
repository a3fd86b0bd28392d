// The correlation of 480 columns of 520 samples.
func.func @main(%data: memref<520x480xf64>, %corr: memref<480x480xf64>, %mean: memref<480xf64>, %stddev: memref<480xf64>) {
  %c0 = arith.constant 0.0 : f64
  %c1 = arith.constant 520.0 : f64
  %c2 = arith.constant 0.1 : f64
  %c3 = arith.constant 22.80350850198276 : f64
  %c4 = arith.constant 1.0 : f64
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
  affine.for %j = 0 to 480 {
    affine.store %c0, %stddev[%j] : memref<480xf64>
    affine.for %i = 0 to 520 {
      %6 = affine.load %stddev[%j] : memref<480xf64>
      %7 = affine.load %data[%i, %j] : memref<520x480xf64>
      %8 = affine.load %mean[%j] : memref<480xf64>
      %9 = arith.subf %7, %8 : f64
      %10 = affine.load %data[%i, %j] : memref<520x480xf64>
      %11 = affine.load %mean[%j] : memref<480xf64>
      %12 = arith.subf %10, %11 : f64
      %13 = arith.mulf %9, %12 : f64
      %14 = arith.addf %6, %13 : f64
      affine.store %14, %stddev[%j] : memref<480xf64>
    }
    %15 = affine.load %stddev[%j] : memref<480xf64>
    %16 = arith.divf %15, %c1 : f64
    %17 = math.sqrt %16 : f64
    %18 = arith.maximumf %17, %c2 : f64
    affine.store %18, %stddev[%j] : memref<480xf64>
  }
  affine.for %i = 0 to 520 {
    affine.for %j = 0 to 480 {
      %19 = affine.load %data[%i, %j] : memref<520x480xf64>
      %20 = affine.load %mean[%j] : memref<480xf64>
      %21 = arith.subf %19, %20 : f64
      %22 = affine.load %stddev[%j] : memref<480xf64>
      %23 = arith.mulf %c3, %22 : f64
      %24 = arith.divf %21, %23 : f64
      affine.store %24, %data[%i, %j] : memref<520x480xf64>
    }
  }
  affine.for %i = 0 to 479 {
    affine.store %c4, %corr[%i, %i] : memref<480x480xf64>
    affine.for %j = affine_map<(i) -> (i + 1)>(%i) to 480 {
      affine.store %c0, %corr[%i, %j] : memref<480x480xf64>
      affine.for %k = 0 to 520 {
        %25 = affine.load %corr[%i, %j] : memref<480x480xf64>
        %26 = affine.load %data[%k, %i] : memref<520x480xf64>
        %27 = affine.load %data[%k, %j] : memref<520x480xf64>
        %28 = arith.mulf %26, %27 : f64
        %29 = arith.addf %25, %28 : f64
        affine.store %29, %corr[%i, %j] : memref<480x480xf64>
      }
      %30 = affine.load %corr[%i, %j] : memref<480x480xf64>
      affine.store %30, %corr[%j, %i] : memref<480x480xf64>
    }
  }
  return
}
