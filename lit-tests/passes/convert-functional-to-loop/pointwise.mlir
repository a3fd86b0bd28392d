// RUN: terrace-opt %s --convert-functional-to-loop --canonicalize --cse | FileCheck %s
// RUN: terrace-opt %s --convert-functional-to-loop --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=BUFFER
// BUFFER-NOT: {{[^a-z]}}tensor<

// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4x8xf32>
// CHECK: %[[R:.*]] = loop.pointwise (%[[I:.*]] = 4, %[[J:.*]] = 8) into %[[E]] {
// CHECK:   %[[A:.*]] = loop.load %[[X]][%[[I]], %[[J]]]
// CHECK:   %[[B:.*]] = loop.load %[[Y]][%[[I]], %[[J]]]
// CHECK:   %[[C:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK:   loop.yield %[[C]] : f32
// CHECK: return %[[R]]
func.func @add(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = functional.add %x, %y : tensor<4x8xf32>, tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A tensor without dimensions has one point.
// CHECK-LABEL: func.func @zero_dim
// CHECK: loop.pointwise () into
// CHECK: loop.load %{{.*}}[] : tensor<f64>
// CHECK: math.exp %{{.*}} : f64
func.func @zero_dim(%x: tensor<f64>) -> tensor<f64> {
  %0 = functional.exp %x : tensor<f64>
  return %0 : tensor<f64>
}

// Of truth values addition is or, multiplication and, the larger of two or.
// CHECK-LABEL: func.func @bools
// CHECK: arith.ori
// CHECK: arith.andi
// CHECK: arith.ori
// CHECK: arith.cmpi ult
func.func @bools(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = functional.add %x, %y : tensor<4xi1>, tensor<4xi1>
  %1 = functional.mul %0, %y : tensor<4xi1>, tensor<4xi1>
  %2 = functional.maximum %1, %y : tensor<4xi1>, tensor<4xi1>
  %3 = functional.lt %2, %y : tensor<4xi1>, tensor<4xi1>
  return %3 : tensor<4xi1>
}

// CHECK-LABEL: func.func @integers
// CHECK: arith.maxsi
// CHECK: arith.cmpi sge
// CHECK: arith.select
func.func @integers(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = functional.relu %x : tensor<4xi32>
  %1 = functional.ge %0, %y : tensor<4xi32>, tensor<4xi32>
  %2 = functional.where %1, %0, %y : tensor<4xi1>, tensor<4xi32>, tensor<4xi32>
  return %2 : tensor<4xi32>
}

// nan goes through, and -0 too: not maxnumf, not maximumf.
// CHECK-LABEL: func.func @nan_stays
// CHECK: arith.cmpf olt
// CHECK: arith.select
// CHECK: arith.minimumf
func.func @nan_stays(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.relu %x : tensor<4xf32>
  %1 = functional.minimum %0, %y : tensor<4xf32>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The exponential is that of a number that is not positive.
// CHECK-LABEL: func.func @sigmoid_does_not_overflow
// CHECK: %[[X:.*]] = loop.load
// CHECK: %[[M:.*]] = math.absf %[[X]]
// CHECK: %[[N:.*]] = arith.negf %[[M]]
// CHECK: math.exp %[[N]]
func.func @sigmoid_does_not_overflow(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.sigmoid %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelus
// CHECK: math.erf
// CHECK: math.tanh
func.func @gelus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.gelu %x : tensor<4xf32>
  %1 = functional.gelu %0 {approximate = "tanh"} : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Half of erfc, in which nothing cancels.
// CHECK-LABEL: func.func @normal_distribution
// CHECK-DAG: %[[K:.*]] = arith.constant -0.707106769 : f32
// CHECK-DAG: %[[H:.*]] = arith.constant 5.000000e-01 : f32
// CHECK: %[[X:.*]] = loop.load
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[K]]
// CHECK: %[[E:.*]] = math.erfc %[[S]]
// CHECK: arith.mulf %[[E]], %[[H]]
func.func @normal_distribution(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.special_ndtr %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Roots are others of -0 and of -inf than powers.
// CHECK-LABEL: func.func @known_exponents
// CHECK: %[[X:.*]] = loop.load
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK: loop.yield %[[S]]
// CHECK: math.powf
// CHECK: %[[N:.*]] = loop.load
// CHECK: %[[N2:.*]] = arith.muli %[[N]], %[[N]]
// CHECK: %[[N4:.*]] = arith.muli %[[N2]], %[[N2]]
// CHECK: arith.muli %[[N]], %[[N4]]
func.func @known_exponents(%x: tensor<4xf32>, %n: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %two = arith.constant dense<2.0> : tensor<4xf32>
  %half = arith.constant 0.5 : f64
  %halves = functional.full %half : f64 to tensor<4xf32>
  %five = arith.constant dense<5> : tensor<4xi64>
  %0 = functional.pow %x, %two : tensor<4xf32>, tensor<4xf32>
  %1 = functional.pow %0, %halves : tensor<4xf32>, tensor<4xf32>
  %2 = functional.pow %n, %five : tensor<4xi64>, tensor<4xi64>
  return %1, %2 : tensor<4xf32>, tensor<4xi64>
}

// A negative exponent of an integer gives 0 but for 1 and -1.
// CHECK-LABEL: func.func @integer_powers
// CHECK: arith.maxsi
// CHECK: math.ipowi
// CHECK: arith.cmpi slt
func.func @integer_powers(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = functional.pow %x, %y : tensor<4xi32>, tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @casts
// CHECK: arith.cmpf une
// CHECK: arith.extui %{{.*}} : i1 to i64
// CHECK: arith.sitofp %{{.*}} : i64 to f32
// CHECK: arith.extf %{{.*}} : f32 to f64
func.func @casts(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = functional._to_copy %x {dtype = i1} : tensor<4xf64>
  %1 = functional._to_copy %0 {dtype = i64} : tensor<4xi1>
  %2 = functional._to_copy %1 {dtype = f32} : tensor<4xi64>
  %3 = functional._to_copy %2 {dtype = f64} : tensor<4xf32>
  return %3 : tensor<4xf64>
}

// `fptosi` only ever sees what has an integer.
// CHECK-LABEL: func.func @float_to_integer_saturates
// CHECK: %[[ABOVE:.*]] = arith.cmpf oge
// CHECK: %[[IN:.*]] = arith.select %[[ABOVE]], %{{.*}}, %{{.*}} : f32
// CHECK: %[[I:.*]] = arith.fptosi %[[IN]] : f32 to i32
// CHECK: arith.select %[[ABOVE]], %{{.*}}, %{{.*}} : i32
func.func @float_to_integer_saturates(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = functional._to_copy %x {dtype = i32} : tensor<4xf32>
  return %0 : tensor<4xi32>
}

// A constant and a fill are numbers in the body, through views too.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: %[[K:[a-z0-9]+]]: f64
// CHECK: %[[C:.*]] = arith.constant 3.000000e+00 : f32
// CHECK: loop.pointwise
// CHECK-NEXT: %[[A:.*]] = loop.load
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[C]]
// CHECK: %[[N:.*]] = arith.truncf %[[K]] : f64 to f32
// CHECK: loop.pointwise
// CHECK-NEXT: loop.load
// CHECK-NEXT: arith.addf %{{.*}}, %[[N]]
func.func @numbers(%x: tensor<4x8xf32>, %k: f64) -> tensor<4x8xf32> {
  %three = arith.constant dense<3.0> : tensor<4x8xf32>
  %0 = functional.mul %x, %three : tensor<4x8xf32>, tensor<4x8xf32>
  %full = functional.full %k : f64 to tensor<1x8xf32>
  %e = functional.expand %full size [4, 8] : tensor<1x8xf32>
  %1 = functional.add %0, %e : tensor<4x8xf32>, tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Upstream folds atan2 of two zeros to nan; it is the angle of a point on the axis beside it.
// CHECK-LABEL: func.func @angle_of_the_origin
// CHECK: %[[PI:.*]] = arith.constant {{.*}}3.14159
// CHECK-NOT: 0x7FC00000
// CHECK: loop.yield %[[PI]] : f32
func.func @angle_of_the_origin() -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %minus = arith.constant dense<-0.0> : tensor<4xf32>
  %0 = functional.atan2 %zero, %minus : tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Rounded once.
// CHECK-LABEL: func.func @fma
// CHECK: math.fma
func.func @fma(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = functional.prims.fma %a, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
