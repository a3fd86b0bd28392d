// Levinson and Durbin's recursion for a Toeplitz matrix of small numbers.
func.func @main(%r: memref<2000xf64>, %y: memref<2000xf64>, %z: memref<2000xf64>) {
  %c0 = arith.constant 0.0001 : f64
  %c1 = arith.constant 1.0 : f64
  %c2 = arith.constant 0.0 : f64
  %alpha = memref.alloc() : memref<f64>
  %beta = memref.alloc() : memref<f64>
  %sum = memref.alloc() : memref<f64>
  affine.for %i = 0 to 2000 {
    %1 = affine.load %r[%i] : memref<2000xf64>
    %2 = arith.mulf %1, %c0 : f64
    affine.store %2, %r[%i] : memref<2000xf64>
  }
  %3 = affine.load %r[0] : memref<2000xf64>
  %4 = arith.negf %3 : f64
  affine.store %4, %y[0] : memref<2000xf64>
  affine.store %c1, %beta[] : memref<f64>
  %5 = affine.load %r[0] : memref<2000xf64>
  %6 = arith.negf %5 : f64
  affine.store %6, %alpha[] : memref<f64>
  affine.for %k = 1 to 2000 {
    %7 = affine.load %alpha[] : memref<f64>
    %8 = affine.load %alpha[] : memref<f64>
    %9 = arith.mulf %7, %8 : f64
    %10 = arith.subf %c1, %9 : f64
    %11 = affine.load %beta[] : memref<f64>
    %12 = arith.mulf %10, %11 : f64
    affine.store %12, %beta[] : memref<f64>
    affine.store %c2, %sum[] : memref<f64>
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %13 = affine.load %sum[] : memref<f64>
      %14 = affine.load %r[%k - %i - 1] : memref<2000xf64>
      %15 = affine.load %y[%i] : memref<2000xf64>
      %16 = arith.mulf %14, %15 : f64
      %17 = arith.addf %13, %16 : f64
      affine.store %17, %sum[] : memref<f64>
    }
    %18 = affine.load %r[%k] : memref<2000xf64>
    %19 = affine.load %sum[] : memref<f64>
    %20 = arith.addf %18, %19 : f64
    %21 = arith.negf %20 : f64
    %22 = affine.load %beta[] : memref<f64>
    %23 = arith.divf %21, %22 : f64
    affine.store %23, %alpha[] : memref<f64>
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %24 = affine.load %y[%i] : memref<2000xf64>
      %25 = affine.load %alpha[] : memref<f64>
      %26 = affine.load %y[%k - %i - 1] : memref<2000xf64>
      %27 = arith.mulf %25, %26 : f64
      %28 = arith.addf %24, %27 : f64
      affine.store %28, %z[%i] : memref<2000xf64>
    }
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %29 = affine.load %z[%i] : memref<2000xf64>
      affine.store %29, %y[%i] : memref<2000xf64>
    }
    %30 = affine.load %alpha[] : memref<f64>
    affine.store %30, %y[%k] : memref<2000xf64>
  }
  memref.dealloc %alpha : memref<f64>
  memref.dealloc %beta : memref<f64>
  memref.dealloc %sum : memref<f64>
  return
}
