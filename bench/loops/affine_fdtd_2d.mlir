// Waves in two dimensions, 20 steps.
func.func @main(%ex: memref<500x600xf64>, %ey: memref<500x600xf64>, %hz: memref<500x600xf64>, %fict: memref<20xf64>) {
  %c0 = arith.constant 0.5 : f64
  %c1 = arith.constant 0.7 : f64
  affine.for %t = 0 to 20 {
    affine.for %j = 0 to 600 {
      %1 = affine.load %fict[%t] : memref<20xf64>
      affine.store %1, %ey[0, %j] : memref<500x600xf64>
    }
    affine.for %i = 1 to 500 {
      affine.for %j = 0 to 600 {
        %2 = affine.load %ey[%i, %j] : memref<500x600xf64>
        %3 = affine.load %hz[%i, %j] : memref<500x600xf64>
        %4 = affine.load %hz[%i - 1, %j] : memref<500x600xf64>
        %5 = arith.subf %3, %4 : f64
        %6 = arith.mulf %c0, %5 : f64
        %7 = arith.subf %2, %6 : f64
        affine.store %7, %ey[%i, %j] : memref<500x600xf64>
      }
    }
    affine.for %i = 0 to 500 {
      affine.for %j = 1 to 600 {
        %8 = affine.load %ex[%i, %j] : memref<500x600xf64>
        %9 = affine.load %hz[%i, %j] : memref<500x600xf64>
        %10 = affine.load %hz[%i, %j - 1] : memref<500x600xf64>
        %11 = arith.subf %9, %10 : f64
        %12 = arith.mulf %c0, %11 : f64
        %13 = arith.subf %8, %12 : f64
        affine.store %13, %ex[%i, %j] : memref<500x600xf64>
      }
    }
    affine.for %i = 0 to 499 {
      affine.for %j = 0 to 599 {
        %14 = affine.load %hz[%i, %j] : memref<500x600xf64>
        %15 = affine.load %ex[%i, %j + 1] : memref<500x600xf64>
        %16 = affine.load %ex[%i, %j] : memref<500x600xf64>
        %17 = arith.subf %15, %16 : f64
        %18 = affine.load %ey[%i + 1, %j] : memref<500x600xf64>
        %19 = arith.addf %17, %18 : f64
        %20 = affine.load %ey[%i, %j] : memref<500x600xf64>
        %21 = arith.subf %19, %20 : f64
        %22 = arith.mulf %c1, %21 : f64
        %23 = arith.subf %14, %22 : f64
        affine.store %23, %hz[%i, %j] : memref<500x600xf64>
      }
    }
  }
  return
}
