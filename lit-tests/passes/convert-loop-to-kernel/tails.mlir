// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Full tiles, then one tile of registers and a half, of which the rest is there.
// CHECK-LABEL: kernel.func @rest.pointwise_0
// CHECK: scf.for %{{.*}} = %c0 to %c960 step %c64
// CHECK: %[[A:.*]] = kernel.load %[[X:.*]][%c960 : 24] valid(%c20) else %{{.*}} : memref<980xf32>, f32
// CHECK: kernel.store %[[A]], %[[X]][%c960 : 24] valid(%c20)
func.func @rest(%x: memref<980xf32>) {
  loop.pointwise (%i = 980) into %x {
    %a = loop.load %x[%i] : memref<980xf32>
    loop.yield %a : f32
  } : memref<980xf32>
  return
}

// -----

// A rest of a power of two has no mask.
// CHECK-LABEL: kernel.func @whole_rest.pointwise_0
// CHECK: kernel.load %{{.*}}[%c960 : 16] : memref<976xf32>
func.func @whole_rest(%x: memref<976xf32>) {
  loop.pointwise (%i = 976) into %x {
    %a = loop.load %x[%i] : memref<976xf32>
    loop.yield %a : f32
  } : memref<976xf32>
  return
}

// -----

// A dimension below a tile is one smaller tile.
// CHECK-LABEL: kernel.func @small.pointwise_0
// CHECK-NOT: scf.for
// CHECK: kernel.load %{{.*}}[%c0 : 8] valid(%c5)
func.func @small(%x: memref<5xf32>) {
  loop.pointwise (%i = 5) into %x {
    %a = loop.load %x[%i] : memref<5xf32>
    loop.yield %a : f32
  } : memref<5xf32>
  return
}

// -----

// Split over the grid: the rest belongs to the last block, a trip there and none elsewhere.
// CHECK-LABEL: kernel.func @split.pointwise_0
// CHECK-SAME: grid(%[[G:.*]] in 3)
// CHECK: %[[FROM:.*]] = arith.muli %[[G]], %[[B:.*]] :
// CHECK: %[[END:.*]] = arith.addi %[[FROM]], %[[B]] :
// CHECK: %[[FULL:.*]] = arith.minsi %[[END]], %[[N:.*]] :
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[FULL]] step %c64
// CHECK: %[[REST:.*]] = arith.maxsi %[[FROM]], %[[N]] :
// CHECK: scf.for %{{.*}} = %[[REST]] to %{{.*}} step %c16
func.func @split(%x: memref<9999xf32>) {
  loop.pointwise (%i = 9999) into %x {
    %a = loop.load %x[%i] : memref<9999xf32>
    loop.yield %a : f32
  } : memref<9999xf32>
  return
}

// -----

// Beyond the end divisors are 1.
// CHECK-LABEL: kernel.func @division_does_not_trap.pointwise_0
// CHECK: %[[ON:.*]] = arith.cmpi slt, %{{.*}}, %{{.*}} : tensor<8xindex>
// CHECK: %[[D:.*]] = arith.select %[[ON]], %{{.*}}, %cst : tensor<8xi1>, tensor<8xi32>
// CHECK: arith.divsi %{{.*}}, %[[D]]
func.func @division_does_not_trap(%x: memref<5xi32>, %y: memref<5xi32>) {
  loop.pointwise (%i = 5) into %x {
    %a = loop.load %x[%i] : memref<5xi32>
    %b = loop.load %y[%i] : memref<5xi32>
    %c = arith.divsi %a, %b : i32
    loop.yield %c : i32
  } : memref<5xi32>
  return
}
