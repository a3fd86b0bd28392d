// RUN: terrace-opt %s --expand-vector-math | FileCheck %s
// RUN: terrace-opt %s --expand-vector-math="avx512" | FileCheck %s --check-prefix=AVX512
// RUN: terrace-opt %s --expand-vector-math="fma=false" | FileCheck %s --check-prefix=NOFMA
// RUN: terrace-opt %s --expand-vector-math="nvptx" | FileCheck %s --check-prefix=NVPTX

// CHECK-LABEL: func @exponential(
// CHECK-NOT: math.exp
// CHECK: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}}
// CHECK: math.fma
// CHECK: %[[POWER:.*]] = arith.select %[[SMALL]], %{{.*}}, %{{.*}}
// CHECK: arith.mulf %{{.*}}, %[[POWER]]
// CHECK-NOT: llvm.call_intrinsic
// Where the result is 0 nothing is rounded, which takes some processors a hundred cycles: the scaled value is not
// taken there, or is a product by 0.
// AVX512-LABEL: func @exponential(
// AVX512: %[[SMALL:.*]] = arith.cmpf olt, %{{.*}}
// AVX512: %[[SCALED:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// AVX512: arith.select %[[SMALL]], %{{.*}}, %[[SCALED]]
// NOFMA-LABEL: func @exponential(
// NOFMA-NOT: math.fma
// NOFMA: return
func.func @exponential(%x: vector<16xf32>) -> vector<16xf32> {
  %r = math.exp %x : vector<16xf32>
  return %r : vector<16xf32>
}

// AVX-512's instructions are for whole registers only.
// AVX512-LABEL: func @half_a_register(
// AVX512-NOT: llvm.call_intrinsic
// AVX512: return
func.func @half_a_register(%x: vector<8xf32>) -> vector<8xf32> {
  %r = math.exp %x : vector<8xf32>
  return %r : vector<8xf32>
}

// Sine takes a branch where an argument is large.
// CHECK-LABEL: func @sine(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[LARGE:.*]] = arith.cmpf ogt
// CHECK: scf.if %[[LARGE]] -> (i32, f32)
// CHECK-LABEL: func @sines(
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi1> to vector<8xi1>
// CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[FLAT]]
// CHECK: scf.if %[[ANY]] -> (vector<2x4xi32>, vector<2x4xf32>)
func.func @sine(%x: f32) -> f32 {
  %r = math.sin %x : f32
  return %r : f32
}
func.func @sines(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  %r = math.sin %x : vector<2x4xf32>
  return %r : vector<2x4xf32>
}

// Uses are replaced, chains expanded.
// CHECK-LABEL: func @chain(
// CHECK-NOT: math.{{tanh|erf}}
// CHECK: return %[[R:.*]], %[[R]] : f32, f32
func.func @chain(%x: f32) -> (f32, f32) {
  %t = math.tanh %x : f32
  %r = math.erf %t : f32
  return %r, %r : f32, f32
}

// Other types and functions stay.
// CHECK-LABEL: func @others(
// CHECK: math.cbrt %{{.*}} : f64
// CHECK: math.exp %{{.*}} : vector<[4]xf32>
// CHECK: math.atan %{{.*}} : f32
// CHECK: math.exp %{{.*}} : vector<4xf16>
func.func @others(%d: f64, %v: vector<[4]xf32>, %x: f32, %h: vector<4xf16>) -> (f64, vector<[4]xf32>, f32, vector<4xf16>) {
  %0 = math.cbrt %d : f64
  %1 = math.exp %v : vector<[4]xf32>
  %2 = math.atan %x : f32
  %3 = math.exp %h : vector<4xf16>
  return %0, %1, %2, %3 : f64, vector<[4]xf32>, f32, vector<4xf16>
}

// On a GPU, functions that are single instructions become intrinsics.
// NVPTX-LABEL: func @instructions(
// NVPTX: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f64) -> f64
// NVPTX: llvm.call_intrinsic "llvm.fabs"(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
func.func @instructions(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>) {
  %0 = math.sqrt %x : f64
  %1 = math.absf %v : vector<4xf32>
  return %0, %1 : f64, vector<4xf32>
}

// A quotient that need not be exact, of one number for all lanes, is a product by one over it.
// CHECK-LABEL: func @ratio(
// CHECK-SAME: %[[X:.*]]: vector<16xf32>, %[[S:.*]]: f32)
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[S]] : f32
// CHECK: %[[SPREAD:.*]] = vector.broadcast %[[INVERSE]]
// CHECK: arith.mulf %[[X]], %[[SPREAD]]
// NVPTX-LABEL: func @ratio(
// NVPTX: arith.divf %{{.*}}, %{{.*}} fastmath<afn> : vector<16xf32>
func.func @ratio(%x: vector<16xf32>, %s: f32) -> vector<16xf32> {
  %d = vector.broadcast %s : f32 to vector<16xf32>
  %r = arith.divf %x, %d fastmath<afn> : vector<16xf32>
  return %r : vector<16xf32>
}

// One that must be exact stays; so does one of many divisors.
// CHECK-LABEL: func @quotients(
// CHECK-COUNT-2: arith.divf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: arith.divf %{{.*}}, %{{.*}} fastmath<afn> : vector<16xf32>
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @quotients(%x: vector<16xf32>, %s: f32) -> vector<16xf32> {
  %d = vector.broadcast %s : f32 to vector<16xf32>
  %r = arith.divf %x, %d : vector<16xf32>
  %q = arith.divf %x, %r : vector<16xf32>
  %p = arith.divf %x, %q fastmath<afn> : vector<16xf32>
  return %p : vector<16xf32>
}
