// Two products of vectors onto A, then x += beta A^T y + z and w += alpha A x.
func.func @main(%alpha: f64, %beta: f64, %A: memref<2000x2000xf64>, %u1: memref<2000xf64>, %v1: memref<2000xf64>, %u2: memref<2000xf64>, %v2: memref<2000xf64>, %w: memref<2000xf64>, %x: memref<2000xf64>, %y: memref<2000xf64>, %z: memref<2000xf64>) {
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %1 = affine.load %A[%i, %j] : memref<2000x2000xf64>
      %2 = affine.load %u1[%i] : memref<2000xf64>
      %3 = affine.load %v1[%j] : memref<2000xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      %6 = affine.load %u2[%i] : memref<2000xf64>
      %7 = affine.load %v2[%j] : memref<2000xf64>
      %8 = arith.mulf %6, %7 : f64
      %9 = arith.addf %5, %8 : f64
      affine.store %9, %A[%i, %j] : memref<2000x2000xf64>
    }
  }
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %10 = affine.load %x[%i] : memref<2000xf64>
      %11 = affine.load %A[%j, %i] : memref<2000x2000xf64>
      %12 = arith.mulf %beta, %11 : f64
      %13 = affine.load %y[%j] : memref<2000xf64>
      %14 = arith.mulf %12, %13 : f64
      %15 = arith.addf %10, %14 : f64
      affine.store %15, %x[%i] : memref<2000xf64>
    }
  }
  affine.for %i = 0 to 2000 {
    %16 = affine.load %x[%i] : memref<2000xf64>
    %17 = affine.load %z[%i] : memref<2000xf64>
    %18 = arith.addf %16, %17 : f64
    affine.store %18, %x[%i] : memref<2000xf64>
  }
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %19 = affine.load %w[%i] : memref<2000xf64>
      %20 = affine.load %A[%i, %j] : memref<2000x2000xf64>
      %21 = arith.mulf %alpha, %20 : f64
      %22 = affine.load %x[%j] : memref<2000xf64>
      %23 = arith.mulf %21, %22 : f64
      %24 = arith.addf %19, %23 : f64
      affine.store %24, %w[%i] : memref<2000xf64>
    }
  }
  return
}
