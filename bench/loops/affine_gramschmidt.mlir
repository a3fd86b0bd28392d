// QR decomposition by Gram and Schmidt.
func.func @main(%A: memref<500x400xf64>, %R: memref<400x400xf64>, %Q: memref<500x400xf64>) {
  %c0 = arith.constant 0.0 : f64
  %nrm = memref.alloc() : memref<f64>
  affine.for %k = 0 to 400 {
    affine.store %c0, %nrm[] : memref<f64>
    affine.for %i = 0 to 500 {
      %1 = affine.load %nrm[] : memref<f64>
      %2 = affine.load %A[%i, %k] : memref<500x400xf64>
      %3 = affine.load %A[%i, %k] : memref<500x400xf64>
      %4 = arith.mulf %2, %3 : f64
      %5 = arith.addf %1, %4 : f64
      affine.store %5, %nrm[] : memref<f64>
    }
    %6 = affine.load %nrm[] : memref<f64>
    %7 = math.sqrt %6 : f64
    affine.store %7, %R[%k, %k] : memref<400x400xf64>
    affine.for %i = 0 to 500 {
      %8 = affine.load %A[%i, %k] : memref<500x400xf64>
      %9 = affine.load %R[%k, %k] : memref<400x400xf64>
      %10 = arith.divf %8, %9 : f64
      affine.store %10, %Q[%i, %k] : memref<500x400xf64>
    }
    affine.for %j = affine_map<(k) -> (k + 1)>(%k) to 400 {
      affine.store %c0, %R[%k, %j] : memref<400x400xf64>
      affine.for %i = 0 to 500 {
        %11 = affine.load %R[%k, %j] : memref<400x400xf64>
        %12 = affine.load %Q[%i, %k] : memref<500x400xf64>
        %13 = affine.load %A[%i, %j] : memref<500x400xf64>
        %14 = arith.mulf %12, %13 : f64
        %15 = arith.addf %11, %14 : f64
        affine.store %15, %R[%k, %j] : memref<400x400xf64>
      }
      affine.for %i = 0 to 500 {
        %16 = affine.load %A[%i, %j] : memref<500x400xf64>
        %17 = affine.load %Q[%i, %k] : memref<500x400xf64>
        %18 = affine.load %R[%k, %j] : memref<400x400xf64>
        %19 = arith.mulf %17, %18 : f64
        %20 = arith.subf %16, %19 : f64
        affine.store %20, %A[%i, %j] : memref<500x400xf64>
      }
    }
  }
  memref.dealloc %nrm : memref<f64>
  return
}
