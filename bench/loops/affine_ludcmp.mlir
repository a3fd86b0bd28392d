// A x = b by LU decomposition; A has a large diagonal.
func.func @main(%A: memref<400x400xf64>, %b: memref<400xf64>, %x: memref<400xf64>, %y: memref<400xf64>) {
  %c0 = arith.constant 400.0 : f64
  %w = memref.alloc() : memref<f64>
  affine.for %i = 0 to 400 {
    %1 = affine.load %A[%i, %i] : memref<400x400xf64>
    %2 = arith.addf %1, %c0 : f64
    affine.store %2, %A[%i, %i] : memref<400x400xf64>
  }
  affine.for %i = 0 to 400 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %3 = affine.load %A[%i, %j] : memref<400x400xf64>
      affine.store %3, %w[] : memref<f64>
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %4 = affine.load %w[] : memref<f64>
        %5 = affine.load %A[%i, %k] : memref<400x400xf64>
        %6 = affine.load %A[%k, %j] : memref<400x400xf64>
        %7 = arith.mulf %5, %6 : f64
        %8 = arith.subf %4, %7 : f64
        affine.store %8, %w[] : memref<f64>
      }
      %9 = affine.load %w[] : memref<f64>
      %10 = affine.load %A[%j, %j] : memref<400x400xf64>
      %11 = arith.divf %9, %10 : f64
      affine.store %11, %A[%i, %j] : memref<400x400xf64>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 400 {
      %12 = affine.load %A[%i, %j] : memref<400x400xf64>
      affine.store %12, %w[] : memref<f64>
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %13 = affine.load %w[] : memref<f64>
        %14 = affine.load %A[%i, %k] : memref<400x400xf64>
        %15 = affine.load %A[%k, %j] : memref<400x400xf64>
        %16 = arith.mulf %14, %15 : f64
        %17 = arith.subf %13, %16 : f64
        affine.store %17, %w[] : memref<f64>
      }
      %18 = affine.load %w[] : memref<f64>
      affine.store %18, %A[%i, %j] : memref<400x400xf64>
    }
  }
  affine.for %i = 0 to 400 {
    %19 = affine.load %b[%i] : memref<400xf64>
    affine.store %19, %w[] : memref<f64>
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %20 = affine.load %w[] : memref<f64>
      %21 = affine.load %A[%i, %j] : memref<400x400xf64>
      %22 = affine.load %y[%j] : memref<400xf64>
      %23 = arith.mulf %21, %22 : f64
      %24 = arith.subf %20, %23 : f64
      affine.store %24, %w[] : memref<f64>
    }
    %25 = affine.load %w[] : memref<f64>
    affine.store %25, %y[%i] : memref<400xf64>
  }
  affine.for %i = 0 to 400 {
    %26 = affine.load %y[-%i + 399] : memref<400xf64>
    affine.store %26, %w[] : memref<f64>
    affine.for %j = affine_map<(i) -> (-i + 400 + 0)>(%i) to 400 {
      %27 = affine.load %w[] : memref<f64>
      %28 = affine.load %A[-%i + 399, %j] : memref<400x400xf64>
      %29 = affine.load %x[%j] : memref<400xf64>
      %30 = arith.mulf %28, %29 : f64
      %31 = arith.subf %27, %30 : f64
      affine.store %31, %w[] : memref<f64>
    }
    %32 = affine.load %w[] : memref<f64>
    %33 = affine.load %A[-%i + 399, -%i + 399] : memref<400x400xf64>
    %34 = arith.divf %32, %33 : f64
    affine.store %34, %x[-%i + 399] : memref<400xf64>
  }
  memref.dealloc %w : memref<f64>
  return
}
