// RUN: terrace-opt %s --loop-fuse --split-input-file | FileCheck %s

// A softmax over rows is one group: what its points share is the row, its largest element and sum are numbers.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x1024xf32>
// CHECK: loop.group (%[[I:.*]] = 64) into (%{{.*}} as %[[OUT:.*]] : tensor<64x1024xf32>)
// CHECK: %[[MAX:.*]] = loop.reduction max over (%[[J:.*]] = 1024) {
// CHECK: loop.load %[[X]][%[[I]], %[[J]]]
// CHECK: } : f32
// CHECK: %[[EXP:.*]] = loop.pointwise (%{{.*}} = 1024) {
// CHECK: arith.subf %{{.*}}, %[[MAX]]
// CHECK: } : tensor<1024xf32>
// CHECK: %[[SUM:.*]] = loop.reduction add over (%[[J:.*]] = 1024) {
// CHECK: loop.load %[[EXP]][%[[J]]] : tensor<1024xf32>
// CHECK: } : f32
// CHECK: %[[Q:.*]] = loop.pointwise (%{{.*}} = 1024) {
// CHECK: arith.divf %{{.*}}, %[[SUM]]
// CHECK: loop.insert %[[Q]] into %[[OUT]] at [%[[I]], :]
// CHECK-NOT: loop.insert
func.func @softmax(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %m0 = tensor.empty() : tensor<64xf32>
  %max = loop.reduction max (%i = 64) over (%j = 1024) into %m0 {
    %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
    loop.yield %a : f32
  } : tensor<64xf32>
  %e0 = tensor.empty() : tensor<64x1024xf32>
  %exp = loop.pointwise (%i = 64, %j = 1024) into %e0 {
    %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
    %m = loop.load %max[%i] : tensor<64xf32>
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    loop.yield %e : f32
  } : tensor<64x1024xf32>
  %s0 = tensor.empty() : tensor<64xf32>
  %sum = loop.reduction add (%i = 64) over (%j = 1024) into %s0 {
    %e = loop.load %exp[%i, %j] : tensor<64x1024xf32>
    loop.yield %e : f32
  } : tensor<64xf32>
  %out = loop.pointwise (%i = 64, %j = 1024) into %exp {
    %e = loop.load %exp[%i, %j] : tensor<64x1024xf32>
    %s = loop.load %sum[%i] : tensor<64xf32>
    %q = arith.divf %e, %s : f32
    loop.yield %q : f32
  } : tensor<64x1024xf32>
  return %out : tensor<64x1024xf32>
}

// -----

// What is needed outside is inserted as well, a mean with a dimension of size 1 at 0; the operation in between that needs
// none of it stays, in front.
// CHECK-LABEL: func.func @center
// CHECK: %[[R:.*]] = arith.addf
// CHECK: %[[G:.*]]:2 = loop.group (%[[I:.*]] = 64) into (%{{.*}} as %[[M:.*]] : tensor<64x1xf32>, %{{.*}} as %[[Y:.*]] : tensor<64x512xf32>)
// CHECK: %[[SUM:.*]] = loop.reduction add over
// CHECK: %[[MEAN:.*]] = arith.divf %[[SUM]]
// CHECK: loop.insert %[[MEAN]] into %[[M]] at [%[[I]], 0] : f32
// CHECK: loop.insert %{{.*}} into %[[Y]] at [%[[I]], :]
// CHECK: return %[[G]]#0, %[[G]]#1, %[[R]]
func.func @center(%x: tensor<64x512xf32>, %k: f32) -> (tensor<64x1xf32>, tensor<64x512xf32>, f32) {
  %n = arith.constant 512.0 : f32
  %s0 = tensor.empty() : tensor<64x1xf32>
  %sum = loop.reduction add (%i = 64, %one = 1) over (%j = 512) into %s0 {
    %a = loop.load %x[%i, %j] : tensor<64x512xf32>
    loop.yield %a : f32
  } : tensor<64x1xf32>
  %m0 = tensor.empty() : tensor<64x1xf32>
  %mean = loop.pointwise (%i = 64, %one = 1) into %m0 {
    %s = loop.load %sum[%i, %one] : tensor<64x1xf32>
    %m = arith.divf %s, %n : f32
    loop.yield %m : f32
  } : tensor<64x1xf32>
  %r = arith.addf %k, %k : f32
  %y0 = tensor.empty() : tensor<64x512xf32>
  %y = loop.pointwise (%i = 64, %j = 512) into %y0 {
    %a = loop.load %x[%i, %j] : tensor<64x512xf32>
    %m = loop.load %mean[%i, 0] : tensor<64x1xf32>
    %d = arith.subf %a, %m : f32
    loop.yield %d : f32
  } : tensor<64x512xf32>
  return %mean, %y, %r : tensor<64x1xf32>, tensor<64x512xf32>, f32
}
