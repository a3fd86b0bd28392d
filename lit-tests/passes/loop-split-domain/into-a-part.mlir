// What was joined is a part of what is joined next: each element goes to its place at once.

// RUN: terrace-opt %s --loop-split-domain --remarks-filter=loop-split-domain 2>&1 | FileCheck %s

// CHECK: computed in 2 parts
// CHECK: func.func @concatenations(
// CHECK-SAME: %[[X:.+]]: tensor<4x3xf32>, %[[Y:.+]]: tensor<4x5xf32>, %[[Z:.+]]: tensor<2x8xf32>)
func.func @concatenations(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>, %z: tensor<2x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = loop.scatter (%i = 4, %j = 3) into %e {
    %a = loop.load %x[%i, %j] : tensor<4x3xf32>
    loop.yield %a at [%i, %j] : f32
  } : tensor<4x8xf32>
  %1 = loop.scatter (%i = 4, %j = 5) into %0 {
    %a = loop.load %y[%i, %j] : tensor<4x5xf32>
    loop.yield %a at [%i, %j + 3] : f32
  } : tensor<4x8xf32>
  %d = tensor.empty() : tensor<6x8xf32>
  // CHECK: %[[A:.+]] = loop.scatter (%{{.+}} = 2, %{{.+}} = 8) into
  %2 = loop.scatter (%i = 2, %j = 8) into %d {
    %a = loop.load %z[%i, %j] : tensor<2x8xf32>
    loop.yield %a at [%i, %j] : f32
  } : tensor<6x8xf32>
  // CHECK: %[[B:.+]] = loop.scatter (%[[I:.+]] = 4, %[[J:.+]] = 3) into %[[A]]
  // CHECK:   loop.load %[[X]][%[[I]], %[[J]]]
  // CHECK:   loop.yield %{{.+}} at [%[[I]] + 2, %[[J]]]
  // CHECK: %[[C:.+]] = loop.scatter (%[[I2:.+]] = 4, %[[J2:.+]] = 5) into %[[B]]
  // CHECK:   loop.load %[[Y]][%[[I2]], %[[J2]]]
  // CHECK:   loop.yield %{{.+}} at [%[[I2]] + 2, %[[J2]] + 3]
  // CHECK-NOT: loop.scatter
  // CHECK: return %[[C]]
  %3 = loop.scatter (%i = 4, %j = 8) into %2 {
    %a = loop.load %1[%i, %j] : tensor<4x8xf32>
    loop.yield %a at [%i + 2, %j] : f32
  } : tensor<6x8xf32>
  return %3 : tensor<6x8xf32>
}

// Offsets of both, and what is written over something that was there: it goes first.

// CHECK: func.func @offsets(
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>, %[[Y:.+]]: tensor<8xf32>, %[[TO:.+]]: tensor<16xf32>, %[[M:.+]]: index, %[[N:.+]]: index)
func.func @offsets(%x: tensor<4xf32>, %y: tensor<8xf32>, %to: tensor<16xf32>, %m: index, %n: index) -> tensor<16xf32> {
  // CHECK: %[[A:.+]] = loop.scatter (%[[I:.+]] = 8) into %[[TO]]
  // CHECK:   loop.load %[[Y]][%[[I]]]
  // CHECK:   at [%[[I]] + %[[N]]]
  // CHECK: loop.scatter (%[[J:.+]] = 4) into %[[A]]
  // CHECK:   loop.load %[[X]][%[[J]]]
  // CHECK:   at [%[[J]] + %[[M]] + %[[N]]]
  // CHECK-NOT: loop.scatter
  %0 = loop.scatter (%i = 4) into %y {
    %a = loop.load %x[%i] : tensor<4xf32>
    loop.yield %a at [%i + %m] : f32
  } : tensor<8xf32>
  %1 = loop.scatter (%i = 8) into %to {
    %a = loop.load %0[%i] : tensor<8xf32>
    loop.yield %a at [%i + %n] : f32
  } : tensor<16xf32>
  return %1 : tensor<16xf32>
}
