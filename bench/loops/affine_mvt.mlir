// x1 += A y1 and x2 += A^T y2.
func.func @main(%x1: memref<2000xf64>, %x2: memref<2000xf64>, %y1: memref<2000xf64>, %y2: memref<2000xf64>, %A: memref<2000x2000xf64>) {
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %1 = affine.load %x1[%i] : memref<2000xf64>
      %2 = affine.load %A[%i, %j] : memref<2000x2000xf64>
      %3 = affine.load %y1[%j] : memref<2000xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      affine.store %5, %x1[%i] : memref<2000xf64>
    }
  }
  affine.for %i = 0 to 2000 {
    affine.for %j = 0 to 2000 {
      %6 = affine.load %x2[%i] : memref<2000xf64>
      %7 = affine.load %A[%j, %i] : memref<2000x2000xf64>
      %8 = affine.load %y2[%j] : memref<2000xf64>
      %9 = arith.mulf %7, %8 : f64
      %10 = arith.addf %6, %9 : f64
      affine.store %10, %x2[%i] : memref<2000xf64>
    }
  }
  return
}
