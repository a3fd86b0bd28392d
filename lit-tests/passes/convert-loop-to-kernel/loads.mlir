// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// Every second element of one dimension is a range with a step.
// CHECK-LABEL: kernel.func @strided.pointwise_0
// CHECK: kernel.load %{{.*}}[%{{.*}} * 2 + 1 : 64 : 2] : memref<128xf32>
func.func @strided(%x: memref<128xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i * 2 + 1] : memref<128xf32>
    loop.yield %a : f32
  } : memref<64xf32>
  return
}

// -----

// A diagonal is a gather; what runs backwards is a range.
// CHECK-LABEL: kernel.func @no_ranges.pointwise_0
// CHECK: kernel.gather %{{.*}}[%[[I:.*]], %[[I]]] : memref<64x64xf32>, tensor<64xindex>, tensor<64xindex> -> tensor<64xf32>
// CHECK: kernel.load %{{.*}}[3, -%{{.*}} + 63 : 64 : -1] : memref<64x64xf32>
func.func @no_ranges(%x: memref<64x64xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i, %i] : memref<64x64xf32>
    %b = loop.load %x[3, 63 - %i] : memref<64x64xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : memref<64xf32>
  return
}

// -----

// Indices that were read.
// CHECK-LABEL: kernel.func @embedding.pointwise_0
// CHECK: %[[R:.*]] = memref.load %{{.*}}[%[[I:.*]]] : memref<4xi64>
// CHECK: %[[RI:.*]] = arith.index_cast %[[R]] : i64 to index
// CHECK: kernel.load %{{.*}}[%[[RI]], %{{.*}} : 64] : memref<1000x64xf32>
func.func @embedding(%rows: memref<4xi64>, %x: memref<1000x64xf32>, %y: memref<4x64xf32>) {
  loop.pointwise (%i = 4, %j = 64) into %y {
    %r = loop.load %rows[%i] : memref<4xi64>
    %ri = arith.index_cast %r : i64 to index
    %a = loop.load %x[%ri, %j] : memref<1000x64xf32>
    loop.yield %a : f32
  } : memref<4x64xf32>
  return
}

// -----

// CHECK-LABEL: kernel.func @take.pointwise_0
// CHECK: %[[R:.*]] = kernel.load %{{.*}}[%c0 : 8] valid(%c5)
// CHECK: %[[RI:.*]] = arith.index_cast %[[R]] : tensor<8xi64> to tensor<8xindex>
// CHECK: %[[ON:.*]] = arith.cmpi slt
// CHECK: kernel.gather %{{.*}}[%[[RI]]] mask %[[ON]] else %{{.*}} : memref<1000xf32>
func.func @take(%rows: memref<5xi64>, %x: memref<1000xf32>, %y: memref<5xf32>) {
  loop.pointwise (%i = 5) into %y {
    %r = loop.load %rows[%i] : memref<5xi64>
    %ri = arith.index_cast %r : i64 to index
    %a = loop.load %x[%ri] : memref<1000xf32>
    loop.yield %a : f32
  } : memref<5xf32>
  return
}

// -----

// Divisions round down; where nothing is negative they are unsigned.
// CHECK-LABEL: kernel.func @divided.pointwise_0
// CHECK: %[[D:.*]] = arith.divui %{{.*}}, %{{.*}} : tensor<64xindex>
// CHECK: kernel.gather %{{.*}}[%[[D]]]
// CHECK: %[[S:.*]] = arith.subi
// CHECK: %[[N:.*]] = arith.cmpi slt, %[[S]], %{{.*}} : tensor<64xindex>
// CHECK: %[[A:.*]] = arith.addi %[[S]], %{{.*}} : tensor<64xindex>
// CHECK: %[[M:.*]] = arith.select %[[N]], %[[A]], %[[S]]
// CHECK: kernel.gather %{{.*}}[%[[M]]]
func.func @divided(%x: memref<64xf32>, %y: memref<64xf32>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i floordiv 2] : memref<64xf32>
    %b = loop.load %x[(%i - 3) mod 64] : memref<64xf32>
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  } : memref<64xf32>
  return
}
