// Two products with what is between them, attention, are one group: nothing else than the second product is written. With
// chains=false each product is alone.
// RUN: terrace-opt %s --loop-fuse --remarks-filter="loop-fuse" 2>&1 | FileCheck %s
// RUN: terrace-opt %s --loop-fuse="chains=false" | FileCheck %s --check-prefix=ALONE

// CHECK: two products run together with what is between them
// CHECK-LABEL: func.func @attention
// CHECK: loop.group (%[[H:.*]] = 4, %[[I:.*]] = 64) into (%{{.*}} as %[[Y:.*]] : tensor<4x64x16xf32>)
// CHECK: %[[S:.*]] = loop.reduction add (%[[J:.*]] = 96) over (%[[K:.*]] = 16)
// CHECK: loop.load %arg0[%[[H]], %[[I]], %[[K]]]
// CHECK: loop.load %arg1[%[[H]], %[[J]], %[[K]]]
// CHECK: %[[MAX:.*]] = loop.reduction max over (%[[J:.*]] = 96)
// CHECK: loop.load %[[S]][%[[J]]] : tensor<96xf32>
// CHECK: %[[P:.*]] = loop.pointwise (%[[J:.*]] = 96)
// CHECK: %[[O:.*]] = loop.reduction add (%[[D:.*]] = 16) over (%[[J:.*]] = 96)
// CHECK: loop.load %[[P]][%[[J]]] : tensor<96xf32>
// CHECK: loop.insert %[[O]] into %[[Y]] at [%[[H]], %[[I]], :]
// CHECK-NOT: loop.insert
// ALONE-LABEL: func.func @attention
// ALONE: loop.reduction add (%{{.*}} = 4, %{{.*}} = 64, %{{.*}} = 96) over (%{{.*}} = 16) into
// ALONE: loop.group (%{{.*}} = 4, %{{.*}} = 64)
// ALONE: loop.reduction add (%{{.*}} = 4, %{{.*}} = 64, %{{.*}} = 16) over (%{{.*}} = 96) into
func.func @attention(%q: tensor<4x64x16xf32>, %k: tensor<4x96x16xf32>, %v: tensor<4x96x16xf32>) -> tensor<4x64x16xf32> {
  %s0 = tensor.empty() : tensor<4x64x96xf32>
  %s = loop.reduction add (%h = 4, %i = 64, %j = 96) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%h, %i, %k0] : tensor<4x64x16xf32>
    %b = loop.load %k[%h, %j, %k0] : tensor<4x96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x64x96xf32>
  %m0 = tensor.empty() : tensor<4x64xf32>
  %m = loop.reduction max (%h = 4, %i = 64) over (%j = 96) into %m0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x64x96xf32>
    loop.yield %a : f32
  } : tensor<4x64xf32>
  %p = loop.pointwise (%h = 4, %i = 64, %j = 96) into %s0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x64x96xf32>
    %b = loop.load %m[%h, %i] : tensor<4x64xf32>
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    loop.yield %d : f32
  } : tensor<4x64x96xf32>
  %y0 = tensor.empty() : tensor<4x64x16xf32>
  %y = loop.reduction add (%h = 4, %i = 64, %d = 16) over (%j = 96) into %y0 {
    %a = loop.load %p[%h, %i, %j] : tensor<4x64x96xf32>
    %b = loop.load %v[%h, %j, %d] : tensor<4x96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x64x16xf32>
  return %y : tensor<4x64x16xf32>
}

// Rows may be as many as there are.
// CHECK: loop.group (%{{.*}} = 4, %{{.*}} = %{{.*}}) into (%{{.*}} as %{{.*}} : tensor<4x?x16xf32>)
// CHECK: loop.reduction add (%{{.*}} = 96) over (%{{.*}} = 16)
// CHECK: loop.reduction add (%{{.*}} = 16) over (%{{.*}} = 96)
func.func @any_rows(%q: tensor<4x?x16xf32>, %k: tensor<4x96x16xf32>, %v: tensor<4x96x16xf32>, %n: index) -> tensor<4x?x16xf32> {
  %s0 = tensor.empty(%n) : tensor<4x?x96xf32>
  %s = loop.reduction add (%h = 4, %i = %n, %j = 96) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%h, %i, %k0] : tensor<4x?x16xf32>
    %b = loop.load %k[%h, %j, %k0] : tensor<4x96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x?x96xf32>
  %m0 = tensor.empty(%n) : tensor<4x?xf32>
  %m = loop.reduction max (%h = 4, %i = %n) over (%j = 96) into %m0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x?x96xf32>
    loop.yield %a : f32
  } : tensor<4x?xf32>
  %p = loop.pointwise (%h = 4, %i = %n, %j = 96) into %s0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x?x96xf32>
    %b = loop.load %m[%h, %i] : tensor<4x?xf32>
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    loop.yield %d : f32
  } : tensor<4x?x96xf32>
  %y0 = tensor.empty(%n) : tensor<4x?x16xf32>
  %y = loop.reduction add (%h = 4, %i = %n, %d = 16) over (%j = 96) into %y0 {
    %a = loop.load %p[%h, %i, %j] : tensor<4x?x96xf32>
    %b = loop.load %v[%h, %j, %d] : tensor<4x96x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x?x16xf32>
  return %y : tensor<4x?x16xf32>
}

// What a row keeps may not.
// CHECK-LABEL: func.func @any_columns
// CHECK: loop.reduction add (%{{.*}} = 4, %{{.*}} = 64, %{{.*}} = %{{.*}}) over (%{{.*}} = 16) into
// CHECK: loop.reduction add (%{{.*}} = 4, %{{.*}} = 64, %{{.*}} = 16) over (%{{.*}} = %{{.*}}) into
func.func @any_columns(%q: tensor<4x64x16xf32>, %k: tensor<4x?x16xf32>, %v: tensor<4x?x16xf32>, %n: index) -> tensor<4x64x16xf32> {
  %s0 = tensor.empty(%n) : tensor<4x64x?xf32>
  %s = loop.reduction add (%h = 4, %i = 64, %j = %n) over (%k0 = 16) into %s0 {
    %a = loop.load %q[%h, %i, %k0] : tensor<4x64x16xf32>
    %b = loop.load %k[%h, %j, %k0] : tensor<4x?x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x64x?xf32>
  %m0 = tensor.empty() : tensor<4x64xf32>
  %m = loop.reduction max (%h = 4, %i = 64) over (%j = %n) into %m0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x64x?xf32>
    loop.yield %a : f32
  } : tensor<4x64xf32>
  %p = loop.pointwise (%h = 4, %i = 64, %j = %n) into %s0 {
    %a = loop.load %s[%h, %i, %j] : tensor<4x64x?xf32>
    %b = loop.load %m[%h, %i] : tensor<4x64xf32>
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    loop.yield %d : f32
  } : tensor<4x64x?xf32>
  %y0 = tensor.empty() : tensor<4x64x16xf32>
  %y = loop.reduction add (%h = 4, %i = 64, %d = 16) over (%j = %n) into %y0 {
    %a = loop.load %p[%h, %i, %j] : tensor<4x64x?xf32>
    %b = loop.load %v[%h, %j, %d] : tensor<4x?x16xf32>
    %c = arith.mulf %a, %b : f32
    loop.yield %c : f32
  } : tensor<4x64x16xf32>
  return %y : tensor<4x64x16xf32>
}
