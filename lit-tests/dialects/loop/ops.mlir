// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @softmax
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<64x1024xf32>
func.func @softmax(%x: tensor<64x1024xf32>, %m0: tensor<64xf32>, %o0: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  // CHECK: %[[MAX:.*]] = loop.reduction max (%[[I:.*]] = 64) over (%[[J:.*]] = 1024) into %{{.*}} {
  // CHECK: loop.load %[[X]][%[[I]], %[[J]]] : tensor<64x1024xf32>
  // CHECK: loop.yield %{{.*}} : f32
  // CHECK: } : tensor<64xf32>
  %max = loop.reduction max (%i = 64) over (%j = 1024) into %m0 {
    %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
    loop.yield %a : f32
  } : tensor<64xf32>
  // CHECK: loop.pointwise (%[[I:.*]] = 64, %[[J:.*]] = 1024) into
  %exp = loop.pointwise (%i = 64, %j = 1024) into %o0 {
    %a = loop.load %x[%i, %j] : tensor<64x1024xf32>
    // CHECK: loop.load %[[MAX]][%[[I]]] : tensor<64xf32>
    %m = loop.load %max[%i] : tensor<64xf32>
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    loop.yield %e : f32
  } : tensor<64x1024xf32>
  return %exp : tensor<64x1024xf32>
}

// CHECK-LABEL: func.func @on_buffers
func.func @on_buffers(%x: memref<?x16xf32>, %y: memref<8x16xf32>, %n: index, %on: i1, %z: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: loop.pointwise (%[[I:.*]] = %{{.*}}, %[[J:.*]] = 16) into %{{.*}} {
  loop.pointwise (%i = %n, %j = 16) into %x {
    // CHECK: loop.load %{{.*}}[%[[I]] * 2 + 1, %[[J]]] if %{{.*}} else %{{.*}} : memref<8x16xf32>, f32
    %a = loop.load %y[%i * 2 + 1, %j] if %on else %zero : memref<8x16xf32>, f32
    loop.yield %a : f32
  } : memref<?x16xf32>
  // CHECK: loop.scatter (%[[I:.*]] = 4, %[[J:.*]] = 16) into
  loop.scatter (%i = 4, %j = 16) into %y {
    // CHECK: loop.load %{{.*}}[] : memref<f32>
    %a = loop.load %z[] : memref<f32>
    // CHECK: loop.yield %{{.*}} at [%[[I]] + 4, %[[J]]] : f32
    loop.yield %a at [%i + 4, %j] : f32
  } : memref<8x16xf32>
  // CHECK: loop.scatter add (%{{.*}} = 4) into
  loop.scatter add (%i = 4) into %y {
    %a = loop.load %z[] : memref<f32>
    loop.yield %a at [%i floordiv 2, 3] : f32
  } : memref<8x16xf32>
  // CHECK: loop.scatter ordered (%{{.*}} = 4) into
  // CHECK: } order [0] tile [2] : memref<8x16xf32>
  loop.scatter ordered (%i = 4) into %y {
    %a = loop.load %z[] : memref<f32>
    loop.yield %a at [%i floordiv 2, 3] : f32
  } order [0] tile [2] : memref<8x16xf32>
  // CHECK: loop.reduction add over (%{{.*}} = 8) into
  loop.reduction add () over (%i = 8) into %z {
    %a = loop.load %y[%i, 3] : memref<8x16xf32>
    loop.yield %a : f32
  } : memref<f32>
  return
}

// CHECK-LABEL: func.func @scans
func.func @scans(%x: tensor<8x?xf32>, %n: index, %y: memref<8xi32>) -> tensor<8x?xf32> {
  // CHECK: loop.scan add (%[[I:.*]] = 8, %[[J:.*]] = %{{.*}}) along %[[J]] into %{{.*}} {
  %0 = loop.scan add (%i = 8, %j = %n) along %j into %x {
    %a = loop.load %x[%i, %j] : tensor<8x?xf32>
    loop.yield %a : f32
  } : tensor<8x?xf32>
  // CHECK: loop.scan max exclusive reverse (%[[I:.*]] = 8) along %[[I]] into %{{.*}} {
  loop.scan max exclusive reverse (%i = 8) along %i into %y {
    %a = loop.load %y[%i] : memref<8xi32>
    loop.yield %a : i32
  } : memref<8xi32>
  return %0 : tensor<8x?xf32>
}

// CHECK-LABEL: func.func @schedules
func.func @schedules(%x: memref<8x16xf32>, %y: memref<8xf32>) {
  loop.pointwise (%i = 8, %j = 16) into %x {
    %a = loop.load %x[%i, %j] : memref<8x16xf32>
    loop.yield %a : f32
    // CHECK: } order [1, 0] tile [8, 4] : memref<8x16xf32>
  } order [1, 0] tile [8, 4] : memref<8x16xf32>
  loop.reduction add (%i = 8) over (%j = 16) into %y {
    %a = loop.load %x[%i, %j] : memref<8x16xf32>
    loop.yield %a : f32
    // CHECK: } tile [2] : memref<8xf32>
  } tile [2] : memref<8xf32>
  return
}
