// The most pairs of a sequence that do not cross; `bonus` says which may pair.
func.func @main(%bonus: memref<500x500xf64>, %table: memref<500x500xf64>) {
  %c0 = arith.constant 0.0 : f64
  affine.for %i = 0 to 500 {
    affine.for %j = 0 to 500 {
      affine.store %c0, %table[%i, %j] : memref<500x500xf64>
    }
  }
  affine.for %i = 1 to 500 {
    affine.for %j = affine_map<(i) -> (-i + 500)>(%i) to 500 {
      %1 = affine.load %table[-%i + 499, %j] : memref<500x500xf64>
      %2 = affine.load %table[-%i + 499, %j - 1] : memref<500x500xf64>
      %3 = arith.maximumf %1, %2 : f64
      affine.store %3, %table[-%i + 499, %j] : memref<500x500xf64>
      %4 = affine.load %table[-%i + 499, %j] : memref<500x500xf64>
      %5 = affine.load %table[-%i + 500, %j] : memref<500x500xf64>
      %6 = arith.maximumf %4, %5 : f64
      affine.store %6, %table[-%i + 499, %j] : memref<500x500xf64>
      %7 = affine.load %table[-%i + 499, %j] : memref<500x500xf64>
      %8 = affine.load %table[-%i + 500, %j - 1] : memref<500x500xf64>
      %9 = affine.load %bonus[-%i + 499, %j] : memref<500x500xf64>
      %10 = arith.addf %8, %9 : f64
      %11 = arith.maximumf %7, %10 : f64
      affine.store %11, %table[-%i + 499, %j] : memref<500x500xf64>
      affine.for %k = affine_map<(i) -> (-i + 500)>(%i) to affine_map<(j) -> (j)>(%j) {
        %12 = affine.load %table[-%i + 499, %j] : memref<500x500xf64>
        %13 = affine.load %table[-%i + 499, %k] : memref<500x500xf64>
        %14 = affine.load %table[%k + 1, %j] : memref<500x500xf64>
        %15 = arith.addf %13, %14 : f64
        %16 = arith.maximumf %12, %15 : f64
        affine.store %16, %table[-%i + 499, %j] : memref<500x500xf64>
      }
    }
  }
  return
}
