// Sizes that are known when the program runs: bounds of loops and sizes of grids are values.
// RUN: terrace-opt %s --convert-loop-to-kernel | FileCheck %s

// Whole strips, then one with as many lanes as are left; the launch says how many blocks there are.
// CHECK-LABEL: kernel.func @vector.pointwise_0
// CHECK-SAME: %[[N:[a-z0-9]+]]: index) grid(%[[B:.*]] in ?)
// CHECK: %[[FROM:.*]] = arith.muli %[[B]], %c4096
// CHECK: %[[REST:.*]] = arith.remui %[[N]], %c64
// CHECK: %[[FULL:.*]] = arith.subi %[[N]], %[[REST]]
// CHECK: %[[TO:.*]] = arith.minsi %{{.*}}, %[[FULL]]
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %c64
// CHECK: kernel.load %{{.*}}[%[[I]] : 64] : memref<?xf32>
// CHECK: scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64
// CHECK: kernel.load %{{.*}}[%[[J]] : 64] valid(%[[REST]]) else
// CHECK-LABEL: func.func @vector
// CHECK-SAME: %[[SIZE:[a-z0-9]+]]: index
// CHECK: %[[UP:.*]] = arith.addi %[[SIZE]], %{{.*}}
// CHECK: %[[BLOCKS:.*]] = arith.divui %[[UP]]
// CHECK: kernel.launch @vector.pointwise_0 grid [%[[BLOCKS]]]
func.func @vector(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  loop.pointwise (%i = %n) into %y {
    %a = loop.load %x[%i] : memref<?xf32>
    loop.yield %a : f32
  } : memref<?xf32>
  return
}

// Rows of a size that is known: nothing of them is decided when the program runs.
// CHECK-LABEL: kernel.func @rows.reduction_0
// CHECK-SAME: grid(%[[B:.*]] in ?)
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c1024 step %c64
// CHECK-NOT: valid
// CHECK: kernel.reduce add
func.func @rows(%x: memref<?x1024xf32>, %y: memref<?xf32>, %n: index) {
  loop.reduction add (%i = %n) over (%j = 1024) into %y {
    %a = loop.load %x[%i, %j] : memref<?x1024xf32>
    loop.yield %a : f32
  } : memref<?xf32>
  return
}

// A scan from the end begins where the size says.
// CHECK-LABEL: kernel.func @backwards.scan_0
// CHECK-SAME: %[[N:[a-z0-9]+]]: index) grid()
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: scf.for %[[K:.*]] = %c0 to %[[N]] step %c1
// CHECK: arith.subi %[[LAST]], %[[K]]
func.func @backwards(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  loop.scan add reverse (%i = %n) along %i into %y {
    %a = loop.load %x[%i] : memref<?xf32>
    loop.yield %a : f32
  } : memref<?xf32>
  return
}

// What a group keeps to itself is scratch memory of as many elements as an argument says.
// CHECK-LABEL: kernel.func @group.twice_0
// CHECK-SAME: memref<?x?xf32>, %[[N:[a-z0-9]+]]: index, {{.*}} grid(%{{.*}} in ?)
// CHECK: memref.alloca(%[[N]]) {{.*}} : memref<?xf32>
func.func @group(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %m: index, %n: index) {
  loop.group @twice (%i = %m) into (%y as %p : memref<?x?xf32>) {
    %own = loop.pointwise (%j = %n) {
      %a = loop.load %x[%i, %j] : memref<?x?xf32>
      loop.yield %a : f32
    } : tensor<?xf32>
    %out = loop.pointwise (%j = %n) {
      %a = loop.load %own[%n - %j - 1] : tensor<?xf32>
      loop.yield %a : f32
    } : tensor<?xf32>
    loop.in_parallel {
      loop.insert %out into %p at [%i, :] : tensor<?xf32> into memref<?x?xf32>
    }
  }
  return
}

// A product of matrices is one, whatever their sizes.
// CHECK-LABEL: func.func @product
// CHECK: kernel.matmul (%{{.*}} = %{{.*}}, %{{.*}} = 64) over (%{{.*}} = %{{.*}})
func.func @product(%x: memref<?x?xf32>, %w: memref<?x64xf32>, %y: memref<?x64xf32>, %m: index, %k: index) {
  loop.reduction add (%i = %m, %j = 64) over (%l = %k) into %y {
    %a = loop.load %x[%i, %l] : memref<?x?xf32>
    %b = loop.load %w[%l, %j] : memref<?x64xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : memref<?x64xf32>
  return
}
