// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Rows of 1024 in groups that make 4096 elements; the last dimension is the lanes.
// CHECK-LABEL: kernel.func @rows.pointwise_0
// CHECK-SAME: (%[[X:.*]]: memref<64x1024xf32>, %[[K:.*]]: f32, %[[Y:.*]]: memref<64x1024xf32>) grid(%[[G:.*]] in 16)
// CHECK: %[[FROM:.*]] = arith.muli %[[G]], %c4
// CHECK: %[[TO:.*]] = arith.addi %[[FROM]], %c4
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %c1
// CHECK: scf.for %[[J:.*]] = %c0 to %c1024 step %c64
// CHECK: %[[A:.*]] = kernel.load %[[X]][%[[I]], %[[J]] : 64]
// CHECK: %[[T:.*]] = tensor.splat %[[K]] : tensor<64xf32>
// CHECK: %[[B:.*]] = arith.mulf %[[A]], %[[T]] fastmath<contract> : tensor<64xf32>
// CHECK: kernel.store %[[B]], %[[Y]][%[[I]], %[[J]] : 64]
// CHECK-LABEL: func.func @rows
// CHECK: kernel.launch @rows.pointwise_0 grid [16]
func.func @rows(%x: memref<64x1024xf32>, %k: f32, %y: memref<64x1024xf32>) {
  loop.pointwise (%i = 64, %j = 1024) into %y {
    %a = loop.load %x[%i, %j] : memref<64x1024xf32>
    %b = arith.mulf %a, %k fastmath<contract> : f32
    loop.yield %b : f32
  } : memref<64x1024xf32>
  return
}

// -----

// What is the same for all lanes is read once a row, in front of the loop over tiles.
// CHECK-LABEL: kernel.func @broadcast.pointwise_0
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[S:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK: %[[N:.*]] = arith.negf %[[S]] : f32
// CHECK: scf.for
// CHECK: tensor.splat %[[N]] : tensor<64xf32>
func.func @broadcast(%x: memref<64x1024xf32>, %s: memref<64xf32>, %y: memref<64x1024xf32>) {
  loop.pointwise (%i = 64, %j = 1024) into %y {
    %a = loop.load %x[%i, %j] : memref<64x1024xf32>
    %b = loop.load %s[%i] : memref<64xf32>
    %n = arith.negf %b : f32
    %c = arith.addf %a, %n : f32
    loop.yield %c : f32
  } : memref<64x1024xf32>
  return
}

// -----

// A long dimension is split over the grid, in whole tiles.
// CHECK-LABEL: kernel.func @long.pointwise_0
// CHECK-SAME: grid(%[[G:.*]] in 16)
// CHECK: %[[FROM:.*]] = arith.muli %[[G]], %c4096
// CHECK: %[[TO:.*]] = arith.addi %[[FROM]], %c4096
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %c64
func.func @long(%x: memref<65536xf32>) {
  loop.pointwise (%i = 65536) into %x {
    %a = loop.load %x[%i] : memref<65536xf32>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : memref<65536xf32>
  return
}

// -----

// The lanes are along the dimension of stride 1.
// CHECK-LABEL: kernel.func @transposed_layout.pointwise_0
// CHECK: kernel.load %{{.*}}[%{{.*}} : 64, %{{.*}}]
// CHECK: kernel.store %{{.*}}, %{{.*}}[%{{.*}} : 64, %{{.*}}]
func.func @transposed_layout(%x: memref<64x64xf32, strided<[1, 64], offset: 3>>) {
  loop.pointwise (%i = 64, %j = 64) into %x {
    %a = loop.load %x[%i, %j] : memref<64x64xf32, strided<[1, 64], offset: 3>>
    %b = arith.addf %a, %a : f32
    loop.yield %b : f32
  } : memref<64x64xf32, strided<[1, 64], offset: 3>>
  return
}

// -----

// One point has no lanes.
// CHECK-LABEL: kernel.func @one_point.pointwise_0
// CHECK-SAME: grid()
// CHECK: %[[A:.*]] = memref.load %[[X:.*]][]
// CHECK: memref.store %[[A]], %[[X]][]
func.func @one_point(%x: memref<f32>) {
  loop.pointwise () into %x {
    %a = loop.load %x[] : memref<f32>
    loop.yield %a : f32
  } : memref<f32>
  return
}

// -----

// No points: nothing runs.
// CHECK-LABEL: func.func @no_points
// CHECK-NEXT: return
func.func @no_points(%x: memref<4x0xf32>) {
  loop.pointwise (%i = 4, %j = 0) into %x {
    %a = loop.load %x[%i, %j] : memref<4x0xf32>
    loop.yield %a : f32
  } : memref<4x0xf32>
  return
}

// -----

// Indices are tiles where they are values; a constant from outside is the kernel's own.
// CHECK-LABEL: kernel.func @index_values.pointwise_0
// CHECK-SAME: (%{{.*}}: memref<64xi64>) grid()
// CHECK: %[[C:.*]] = arith.constant 5 : i64
// CHECK: %[[L:.*]] = kernel.iota : tensor<64xindex>
// CHECK: %[[B:.*]] = tensor.splat %c0 : tensor<64xindex>
// CHECK: %[[I:.*]] = arith.addi %[[L]], %[[B]] : tensor<64xindex>
// CHECK: arith.index_cast %[[I]] : tensor<64xindex> to tensor<64xi64>
// CHECK: tensor.splat %[[C]] : tensor<64xi64>
func.func @index_values(%y: memref<64xi64>) {
  %c = arith.constant 5 : i64
  loop.pointwise (%i = 64) into %y {
    %a = arith.index_cast %i : index to i64
    %b = arith.addi %a, %c : i64
    loop.yield %b : i64
  } : memref<64xi64>
  return
}
