// RUN: terrace-opt %s --convert-bool-buffers --split-input-file | FileCheck %s

// CHECK: memref.global "private" constant @c : memref<3xi8> = dense<[1, 0, 1]>
memref.global "private" constant @c : memref<3xi1> = dense<[true, false, true]>

// CHECK-LABEL: func.func @bools(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<3xi8>, %[[Y:[a-z0-9]+]]: memref<3xf32>) -> memref<3xi8>
func.func @bools(%x: memref<3xi1>, %y: memref<3xf32>) -> memref<3xi1> {
  // CHECK: memref.alloc() : memref<3xi8>
  %m = memref.alloc() : memref<3xi1>
  // CHECK: memref.get_global @c : memref<3xi8>
  %c = memref.get_global @c : memref<3xi1>
  // CHECK: loop.pointwise (%[[I:.*]] = 3) into %{{.*}} {
  loop.pointwise (%i = 3) into %m {
    // CHECK: %[[A:.*]] = loop.load %[[X]][%[[I]]] : memref<3xi8>
    // CHECK: %[[B:.*]] = arith.cmpi ne, %[[A]], %{{.*}} : i8
    %a = loop.load %x[%i] : memref<3xi1>
    %b = loop.load %c[%i] : memref<3xi1>
    // CHECK: %[[R:.*]] = arith.andi %[[B]]
    %r = arith.andi %a, %b : i1
    // CHECK: %[[S:.*]] = arith.extui %[[R]] : i1 to i8
    // CHECK: loop.yield %[[S]] : i8
    loop.yield %r : i1
  } : memref<3xi1>
  %c0 = arith.constant 0 : index
  // CHECK: %[[L:.*]] = memref.load %[[X]]
  // CHECK: arith.cmpi ne, %[[L]]
  %l = memref.load %x[%c0] : memref<3xi1>
  %t = arith.constant true
  %n = arith.xori %l, %t : i1
  // CHECK: %[[N:.*]] = arith.extui
  // CHECK: memref.store %[[N]]
  memref.store %n, %m[%c0] : memref<3xi1>
  return %m : memref<3xi1>
}

// -----

// What a member of a group gives will be a buffer: bytes. A number stays a bool.
// CHECK-LABEL: func.func @members(
func.func @members(%x: memref<3xi1>, %y: memref<3xi1>, %z: memref<i1>) {
  // CHECK: loop.group () into (%{{.*}} as %[[P:.*]] : memref<3xi8>, %{{.*}} as %[[Q:.*]] : memref<i8>)
  loop.group () into (%y as %p : memref<3xi1>, %z as %q : memref<i1>) {
    %n = loop.pointwise (%i = 3) {
      %a = loop.load %x[%i] : memref<3xi1>
      // CHECK: loop.yield %{{.*}} : i8
      // CHECK-NEXT: } : tensor<3xi8>
      loop.yield %a : i1
    } : tensor<3xi1>
    // CHECK: %[[ANY:.*]] = loop.reduction or
    %any = loop.reduction or over (%i = 3) {
      // CHECK: loop.load %{{.*}} : tensor<3xi8>
      // CHECK: %[[B:.*]] = arith.cmpi ne
      // CHECK: loop.yield %[[B]] : i1
      %a = loop.load %n[%i] : tensor<3xi1>
      loop.yield %a : i1
    // CHECK-NEXT: } : i1
    } : i1
    // CHECK: %[[BYTE:.*]] = arith.extui %[[ANY]] : i1 to i8
    // CHECK-NEXT: loop.in_parallel {
    loop.in_parallel {
      // CHECK: loop.insert %{{.*}} into %[[P]] at [:] : tensor<3xi8> into memref<3xi8>
      loop.insert %n into %p at [:] : tensor<3xi1> into memref<3xi1>
      // CHECK: loop.insert %[[BYTE]] into %[[Q]] at [] : i8 into memref<i8>
      loop.insert %any into %q at [] : i1 into memref<i1>
    }
  }
  return
}
