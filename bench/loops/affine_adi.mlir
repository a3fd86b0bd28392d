// Diffusion by alternating directions, 5 steps.
func.func @main(%u: memref<300x300xf64>, %v: memref<300x300xf64>, %p: memref<300x300xf64>, %q: memref<300x300xf64>) {
  %c0 = arith.constant 1.0 : f64
  %c1 = arith.constant 0.0 : f64
  %c2 = arith.constant 30.0 : f64
  %c3 = arith.constant 61.0 : f64
  %c4 = arith.constant 60.0 : f64
  %c5 = arith.constant 119.0 : f64
  affine.for %t = 0 to 5 {
    affine.for %i = 1 to 299 {
      affine.store %c0, %v[0, %i] : memref<300x300xf64>
      affine.store %c1, %p[%i, 0] : memref<300x300xf64>
      %1 = affine.load %v[0, %i] : memref<300x300xf64>
      affine.store %1, %q[%i, 0] : memref<300x300xf64>
      affine.for %j = 1 to 299 {
        %2 = affine.load %p[%i, %j - 1] : memref<300x300xf64>
        %3 = arith.mulf %c2, %2 : f64
        %4 = arith.subf %c3, %3 : f64
        %5 = arith.divf %c2, %4 : f64
        affine.store %5, %p[%i, %j] : memref<300x300xf64>
        %6 = affine.load %u[%j, %i - 1] : memref<300x300xf64>
        %7 = arith.mulf %c4, %6 : f64
        %8 = affine.load %u[%j, %i] : memref<300x300xf64>
        %9 = arith.mulf %c5, %8 : f64
        %10 = arith.subf %7, %9 : f64
        %11 = affine.load %u[%j, %i + 1] : memref<300x300xf64>
        %12 = arith.mulf %c4, %11 : f64
        %13 = arith.addf %10, %12 : f64
        %14 = affine.load %q[%i, %j - 1] : memref<300x300xf64>
        %15 = arith.mulf %c2, %14 : f64
        %16 = arith.addf %13, %15 : f64
        %17 = affine.load %p[%i, %j - 1] : memref<300x300xf64>
        %18 = arith.mulf %c2, %17 : f64
        %19 = arith.subf %c3, %18 : f64
        %20 = arith.divf %16, %19 : f64
        affine.store %20, %q[%i, %j] : memref<300x300xf64>
      }
      affine.store %c0, %v[299, %i] : memref<300x300xf64>
      affine.for %j = 1 to 299 {
        %21 = affine.load %p[%i, -%j + 299] : memref<300x300xf64>
        %22 = affine.load %v[-%j + 300, %i] : memref<300x300xf64>
        %23 = arith.mulf %21, %22 : f64
        %24 = affine.load %q[%i, -%j + 299] : memref<300x300xf64>
        %25 = arith.addf %23, %24 : f64
        affine.store %25, %v[-%j + 299, %i] : memref<300x300xf64>
      }
    }
    affine.for %i = 1 to 299 {
      affine.store %c0, %u[%i, 0] : memref<300x300xf64>
      affine.store %c1, %p[%i, 0] : memref<300x300xf64>
      %26 = affine.load %u[%i, 0] : memref<300x300xf64>
      affine.store %26, %q[%i, 0] : memref<300x300xf64>
      affine.for %j = 1 to 299 {
        %27 = affine.load %p[%i, %j - 1] : memref<300x300xf64>
        %28 = arith.mulf %c2, %27 : f64
        %29 = arith.subf %c3, %28 : f64
        %30 = arith.divf %c2, %29 : f64
        affine.store %30, %p[%i, %j] : memref<300x300xf64>
        %31 = affine.load %v[%i - 1, %j] : memref<300x300xf64>
        %32 = arith.mulf %c4, %31 : f64
        %33 = affine.load %v[%i, %j] : memref<300x300xf64>
        %34 = arith.mulf %c5, %33 : f64
        %35 = arith.subf %32, %34 : f64
        %36 = affine.load %v[%i + 1, %j] : memref<300x300xf64>
        %37 = arith.mulf %c4, %36 : f64
        %38 = arith.addf %35, %37 : f64
        %39 = affine.load %q[%i, %j - 1] : memref<300x300xf64>
        %40 = arith.mulf %c2, %39 : f64
        %41 = arith.addf %38, %40 : f64
        %42 = affine.load %p[%i, %j - 1] : memref<300x300xf64>
        %43 = arith.mulf %c2, %42 : f64
        %44 = arith.subf %c3, %43 : f64
        %45 = arith.divf %41, %44 : f64
        affine.store %45, %q[%i, %j] : memref<300x300xf64>
      }
      affine.store %c0, %u[%i, 299] : memref<300x300xf64>
      affine.for %j = 1 to 299 {
        %46 = affine.load %p[%i, -%j + 299] : memref<300x300xf64>
        %47 = affine.load %u[%i, -%j + 300] : memref<300x300xf64>
        %48 = arith.mulf %46, %47 : f64
        %49 = affine.load %q[%i, -%j + 299] : memref<300x300xf64>
        %50 = arith.addf %48, %49 : f64
        affine.store %50, %u[%i, -%j + 299] : memref<300x300xf64>
      }
    }
  }
  return
}
