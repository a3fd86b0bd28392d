// RUN: terrace-opt %s --loop-fuse --split-input-file | FileCheck %s

// Rows may be as many as there are: what a point keeps is one row.
// CHECK-LABEL: func.func @normalize
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: loop.group (%[[I:.*]] = %[[N]]) into (%{{.*}} as %[[OUT:.*]] : tensor<?x64xf32>)
// CHECK: %[[SUM:.*]] = loop.reduction add over (%{{.*}} = 64) {
// CHECK: loop.load %[[X]][%[[I]], %{{.*}}]
// CHECK: } : f32
// CHECK: %[[Q:.*]] = loop.pointwise (%{{.*}} = 64) {
// CHECK: arith.divf %{{.*}}, %[[SUM]]
// CHECK: } : tensor<64xf32>
// CHECK: loop.insert %[[Q]] into %[[OUT]] at [%[[I]], :]
func.func @normalize(%x: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %s0 = tensor.empty(%n) : tensor<?xf32>
  %sum = loop.reduction add (%i = %n) over (%j = 64) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<?x64xf32>
    loop.yield %a : f32
  } : tensor<?xf32>
  %o0 = tensor.empty(%n) : tensor<?x64xf32>
  %out = loop.pointwise (%i = %n, %j = 64) into %o0 {
    %a = loop.load %x[%i, %j] : tensor<?x64xf32>
    %s = loop.load %sum[%i] : tensor<?xf32>
    %q = arith.divf %a, %s : f32
    loop.yield %q : f32
  } : tensor<?x64xf32>
  return %out : tensor<?x64xf32>
}

// -----

// What is summed over may be as much as there is: it is a member's own, and its size comes along.
// CHECK-LABEL: func.func @sums
// CHECK-SAME: %{{.*}}: tensor<64x?xf32>, %[[N:[a-z0-9]+]]: index
// CHECK: loop.group (%[[I:.*]] = 64) into
// CHECK: loop.reduction add over (%{{.*}} = %[[N]]) {
// CHECK: } : f32
// CHECK: loop.reduction max over (%{{.*}} = %[[N]]) {
// CHECK: } : f32
func.func @sums(%x: tensor<64x?xf32>, %n: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %sum = loop.reduction add (%i = 64) over (%j = %n) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x?xf32>
    loop.yield %a : f32
  } : tensor<64xf32>
  %max = loop.reduction max (%i = 64) over (%j = %n) into %e1 {
    %a = loop.load %x[%i, %j] : tensor<64x?xf32>
    loop.yield %a : f32
  } : tensor<64xf32>
  return %sum, %max : tensor<64xf32>, tensor<64xf32>
}

// -----

// A product takes an epilogue along whatever its rows are.
// CHECK-LABEL: func.func @product
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: loop.group (%[[I:.*]] = %[[N]], %[[J:.*]] = 32) into
// CHECK: %[[DOT:.*]] = loop.reduction add over (%{{.*}} = 16) {
// CHECK: } : f32
// CHECK: arith.maximumf %[[DOT]]
func.func @product(%a: tensor<?x16xf32>, %b: tensor<16x32xf32>, %n: index) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty(%n) : tensor<?x32xf32>
  %dot = loop.reduction add (%i = %n, %j = 32) over (%k = 16) into %e0 {
    %l = loop.load %a[%i, %k] : tensor<?x16xf32>
    %r = loop.load %b[%k, %j] : tensor<16x32xf32>
    %p = arith.mulf %l, %r : f32
    loop.yield %p : f32
  } : tensor<?x32xf32>
  %e1 = tensor.empty(%n) : tensor<?x32xf32>
  %relu = loop.pointwise (%i = %n, %j = 32) into %e1 {
    %x = loop.load %dot[%i, %j] : tensor<?x32xf32>
    %y = arith.maximumf %x, %zero : f32
    loop.yield %y : f32
  } : tensor<?x32xf32>
  return %relu : tensor<?x32xf32>
}
