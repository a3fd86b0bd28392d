// L x = b for a triangular L of a large diagonal.
func.func @main(%L: memref<2000x2000xf64>, %x: memref<2000xf64>, %b: memref<2000xf64>) {
  %c0 = arith.constant 2000.0 : f64
  affine.for %i = 0 to 2000 {
    %1 = affine.load %L[%i, %i] : memref<2000x2000xf64>
    %2 = arith.addf %1, %c0 : f64
    affine.store %2, %L[%i, %i] : memref<2000x2000xf64>
  }
  affine.for %i = 0 to 2000 {
    %3 = affine.load %b[%i] : memref<2000xf64>
    affine.store %3, %x[%i] : memref<2000xf64>
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %4 = affine.load %x[%i] : memref<2000xf64>
      %5 = affine.load %L[%i, %j] : memref<2000x2000xf64>
      %6 = affine.load %x[%j] : memref<2000xf64>
      %7 = arith.mulf %5, %6 : f64
      %8 = arith.subf %4, %7 : f64
      affine.store %8, %x[%i] : memref<2000xf64>
    }
    %9 = affine.load %x[%i] : memref<2000xf64>
    %10 = affine.load %L[%i, %i] : memref<2000x2000xf64>
    %11 = arith.divf %9, %10 : f64
    affine.store %11, %x[%i] : memref<2000xf64>
  }
  return
}
