// Points are an scf.parallel, what comes one after the other an scf.for.

// RUN: terrace-opt %s --convert-loop-to-scf | FileCheck %s

// CHECK-LABEL: func.func @pointwise(
//  CHECK-SAME: %[[X:.*]]: memref<?x16xf32>, %[[Y:.*]]: memref<4x?xf32>, %[[N:.*]]: index, %[[M:.*]]: i1
//       CHECK:   scf.parallel (%[[I:.*]], %[[J:.*]]) = (%{{.*}}, %{{.*}}) to (%{{.*}}, %[[N]])
//       CHECK:     %[[V:.*]] = scf.if %[[M]] -> (f32)
//       CHECK:       %[[K:.*]] = affine.apply #{{.*}}(%[[J]])
//       CHECK:       memref.load %[[X]][%[[I]], %[[K]]]
//       CHECK:     memref.store %[[V]], %[[Y]][%[[I]], %[[J]]]
func.func @pointwise(%x: memref<?x16xf32>, %y: memref<4x?xf32>, %n: index, %m: i1, %z: f32) {
  loop.pointwise (%i = 4, %j = %n) into %y {
    %a = loop.load %x[%i, %j * 2 + 1] if %m else %z : memref<?x16xf32>, f32
    loop.yield %a : f32
  } : memref<4x?xf32>
  return
}

// CHECK-LABEL: func.func @reduction(
//       CHECK:   scf.parallel (%[[I:.*]]) =
//       CHECK:     %[[S:.*]] = scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
//       CHECK:       %[[T:.*]] = scf.for %{{.*}} iter_args(%[[B:.*]] = %[[A]]) -> (f32)
//       CHECK:         arith.maximumf %[[B]], %{{.*}} : f32
//       CHECK:       scf.yield %[[T]]
//       CHECK:     memref.store %[[S]], %{{.*}}[%[[I]]]
func.func @reduction(%x: memref<4x8x2xf32>, %y: memref<4xf32>) {
  loop.reduction max (%i = 4) over (%j = 8, %k = 2) into %y {
    %a = loop.load %x[%i, %j, %k] : memref<4x8x2xf32>
    loop.yield %a : f32
  } : memref<4xf32>
  return
}

// From the end, without the point itself.
// CHECK-LABEL: func.func @scan(
//       CHECK:   scf.parallel (%[[J:.*]]) =
//       CHECK:     scf.for %[[N:.*]] = %{{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (i64)
//       CHECK:       %[[I:.*]] = arith.subi %{{.*}}, %[[N]]
//       CHECK:       %[[T:.*]] = arith.addi %[[S]], %{{.*}} : i64
//       CHECK:       memref.store %[[S]], %{{.*}}[%[[I]], %[[J]]]
//       CHECK:       scf.yield %[[T]]
func.func @scan(%x: memref<4x8xi64>, %y: memref<4x8xi64>) {
  loop.scan add exclusive reverse (%i = 4, %j = 8) along %i into %y {
    %a = loop.load %x[%i, %j] : memref<4x8xi64>
    loop.yield %a : i64
  } : memref<4x8xi64>
  return
}

// CHECK-LABEL: func.func @scatter(
//       CHECK:   scf.parallel (%[[I:.*]]) =
//       CHECK:     %[[K:.*]] = affine.apply #{{.*}}(%[[I]])
//       CHECK:     memref.store %{{.*}}, %{{.*}}[%[[K]]]
func.func @scatter(%x: memref<4xf32>, %y: memref<16xf32>) {
  loop.scatter (%i = 4) into %y {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.yield %a at [%i * 3] : f32
  } : memref<16xf32>
  return
}

// Points that meet run one after the other and combine with what is there; %j tells points apart.
// CHECK-LABEL: func.func @combined(
//  CHECK-SAME: %{{.*}}: memref<6x40xf32>, %[[Y:.*]]: memref<4x40xf32>)
//       CHECK:   scf.parallel (%[[J:.*]]) = (%{{.*}}) to (%{{.*}})
//       CHECK:     scf.for %[[I:.*]] =
//       CHECK:       %[[ROW:.*]] = arith.remui %[[I]]
//       CHECK:       %[[OLD:.*]] = memref.load %[[Y]][%[[ROW]], %[[J]]]
//       CHECK:       %[[NEW:.*]] = arith.addf %[[OLD]]
//       CHECK:       memref.store %[[NEW]], %[[Y]][%[[ROW]], %[[J]]]
func.func @combined(%x: memref<6x40xf32>, %y: memref<4x40xf32>) {
  %four = arith.constant 4 : index
  loop.scatter add (%i = 6, %j = 40) into %y {
    %row = arith.remui %i, %four : index
    %a = loop.load %x[%i, %j] : memref<6x40xf32>
    loop.yield %a at [%row, %j] : f32
  } : memref<4x40xf32>
  return
}

// The last one stays.
// CHECK-LABEL: func.func @in_order(
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       memref.store
func.func @in_order(%x: memref<6x40xf32>, %y: memref<5xf32>) {
  loop.scatter ordered (%i = 6, %j = 40) into %y {
    %a = loop.load %x[%i, %j] : memref<6x40xf32>
    loop.yield %a at [(%i + %j) mod 5] : f32
  } : memref<5xf32>
  return
}

// A row at a time: what members give is memory of the point.
// CHECK-LABEL: func.func @softmax(
//  CHECK-SAME: %[[X:.*]]: memref<4x8xf32>, %[[Y:.*]]: memref<4x8xf32>)
//       CHECK:   scf.parallel (%[[I:.*]]) =
//       CHECK:     %[[MAX:.*]] = scf.for
//       CHECK:     %[[EXP:.*]] = memref.alloc() {{.*}} : memref<8xf32>
//       CHECK:     scf.parallel
//       CHECK:       arith.subf %{{.*}}, %[[MAX]]
//       CHECK:       memref.store %{{.*}}, %[[EXP]]
//       CHECK:     %[[SUM:.*]] = scf.for
//       CHECK:     %[[OUT:.*]] = memref.alloc
//       CHECK:       arith.divf %{{.*}}, %[[SUM]]
//       CHECK:     scf.for %[[J:.*]] =
//       CHECK:       %[[O:.*]] = memref.load %[[OUT]][%[[J]]]
//       CHECK:       memref.store %[[O]], %[[Y]][%[[I]], %[[J]]]
//       CHECK:     memref.dealloc %[[EXP]]
//       CHECK:     memref.dealloc %[[OUT]]
func.func @softmax(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  loop.group @softmax (%i = 4) into (%y as %p : memref<4x8xf32>) {
    %max = loop.reduction max over (%j = 8) {
      %a = loop.load %x[%i, %j] : memref<4x8xf32>
      loop.yield %a : f32
    } : f32
    %exp = loop.pointwise (%j = 8) {
      %a = loop.load %x[%i, %j] : memref<4x8xf32>
      %d = arith.subf %a, %max : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    } : tensor<8xf32>
    %sum = loop.reduction add over (%j = 8) {
      %e = loop.load %exp[%j] : tensor<8xf32>
      loop.yield %e : f32
    } : f32
    %out = loop.pointwise (%j = 8) {
      %e = loop.load %exp[%j] : tensor<8xf32>
      %q = arith.divf %e, %sum : f32
      loop.yield %q : f32
    } : tensor<8xf32>
    loop.in_parallel {
      loop.insert %out into %p at [%i, :] : tensor<8xf32> into memref<4x8xf32>
    }
  }
  return
}

// Parts of a sum come one after the other.
// CHECK-LABEL: func.func @column_sums(
//   CHECK-NOT:   scf.parallel
//       CHECK:   scf.for %[[I:.*]] =
//       CHECK:     %[[OLD:.*]] = memref.load %{{.*}}[]
//       CHECK:     arith.addf %[[OLD]], %{{.*}}
//       CHECK:     memref.store
func.func @column_sums(%x: memref<4xf32>, %y: memref<f32>) {
  loop.group (%i = 4) into (%y as %p : memref<f32>) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.in_parallel {
      loop.insert add %a into %p at [] : f32 into memref<f32>
    }
  }
  return
}
