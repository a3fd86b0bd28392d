// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// A kernel has buffers of parts, and a tile of each part.
// CHECK-LABEL: kernel.func @products.pointwise_0(
// CHECK-SAME: %[[X:.*]]: memref<64x2xf32>, %[[Y:.*]]: memref<64x2xf32, strided<[6, 1], offset: 10>>)
// CHECK: %[[RE:.*]] = kernel.load %[[X]][%c0 : 64, 0] : memref<64x2xf32>
// CHECK: %[[IM:.*]] = kernel.load %[[X]][%c0 : 64, 1] : memref<64x2xf32>
// CHECK: %[[LESS:.*]] = arith.negf %[[IM]] : tensor<64xf32>
// CHECK: kernel.store %[[RE]], %[[Y]][%c0 : 64, 0]
// CHECK: kernel.store %[[LESS]], %[[Y]][%c0 : 64, 1]
// CHECK-LABEL: func.func @products
// CHECK: kernel.reinterpret %{{.*}} : memref<64xcomplex<f32>> to memref<64x2xf32>
// CHECK: kernel.reinterpret %{{.*}} : memref<64xcomplex<f32>, strided<[3], offset: 5>> to memref<64x2xf32, strided<[6, 1], offset: 10>>
// CHECK: kernel.launch @products.pointwise_0
func.func @products(%x: memref<64xcomplex<f32>>, %y: memref<64xcomplex<f32>, strided<[3], offset: 5>>) {
  loop.pointwise (%i = 64) into %y {
    %a = loop.load %x[%i] : memref<64xcomplex<f32>>
    %re = complex.re %a : complex<f32>
    %im = complex.im %a : complex<f32>
    %less = arith.negf %im : f32
    %z = complex.create %re, %less : complex<f32>
    loop.yield %z : complex<f32>
  } : memref<64xcomplex<f32>, strided<[3], offset: 5>>
  return
}

// -----

// A sum has an accumulator for each part, in lanes of their own.
// CHECK-LABEL: kernel.func @sum.reduction_0
// CHECK: scf.for {{.*}} iter_args(%[[RE:.*]] = %[[ZERO:.*]], %[[IM:.*]] = %[[ZERO]]) -> (tensor<64xf32>, tensor<64xf32>)
// CHECK: arith.addf %[[RE]], %{{.*}} : tensor<64xf32>
// CHECK: arith.addf %[[IM]], %{{.*}} : tensor<64xf32>
// CHECK: kernel.reduce add
// CHECK: kernel.reduce add
func.func @sum(%x: memref<1024xcomplex<f32>>, %y: memref<complex<f32>>) {
  loop.reduction add over (%i = 1024) into %y {
    %a = loop.load %x[%i] : memref<1024xcomplex<f32>>
    loop.yield %a : complex<f32>
  } : memref<complex<f32>>
  return
}

// -----

// A part of a product is made of both parts: lanes are not combined apart.
// CHECK-LABEL: kernel.func @not_across_lanes.reduction_0
// CHECK: scf.for {{.*}} iter_args(%[[RE:.*]] = %{{.*}}, %[[IM:.*]] = %{{.*}}) -> (f32, f32)
// CHECK: arith.subf
// CHECK-NOT: kernel.reduce
// CHECK: kernel.return
func.func @not_across_lanes(%x: memref<1024xcomplex<f32>>, %y: memref<complex<f32>>) {
  loop.reduction mul over (%i = 1024) into %y {
    %a = loop.load %x[%i] : memref<1024xcomplex<f32>>
    loop.yield %a : complex<f32>
  } : memref<complex<f32>>
  return
}

// -----

// Rows of nothing: the identity, 1 and no imaginary part.
// CHECK-LABEL: kernel.func @nothing.pointwise_0
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: memref.store %[[ONE]]
// CHECK: memref.store %[[ZERO]]
func.func @nothing(%x: memref<0xcomplex<f32>>, %y: memref<complex<f32>>) {
  loop.reduction mul over (%i = 0) into %y {
    %a = loop.load %x[%i] : memref<0xcomplex<f32>>
    loop.yield %a : complex<f32>
  } : memref<complex<f32>>
  return
}

// -----

// Down columns: two tiles are carried from row to row.
// CHECK-LABEL: kernel.func @scan.scan_0
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<64xf32>, tensor<64xf32>)
// CHECK: arith.subf
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[I:.*]], %[[J:.*]] : 64, 0]
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[I]], %[[J]] : 64, 1]
func.func @scan(%x: memref<32x64xcomplex<f32>>, %y: memref<32x64xcomplex<f32>>) {
  loop.scan mul (%i = 32, %j = 64) along %i into %y {
    %a = loop.load %x[%i, %j] : memref<32x64xcomplex<f32>>
    loop.yield %a : complex<f32>
  } : memref<32x64xcomplex<f32>>
  return
}

// -----

// Numbers from outside and members of a group by their parts; scratch memory is of parts.
// CHECK-LABEL: kernel.func @group.rows_0(
// CHECK-SAME: f32, %{{.*}}: f32
// CHECK: memref.alloca() {{.*}} : memref<8x2xf32>
// CHECK: kernel.launch @group.rows_0
func.func @group(%x: memref<4x8xcomplex<f32>>, %k: complex<f32>, %y: memref<4xcomplex<f32>>) {
  loop.group @rows (%i = 4) into (%y as %p : memref<4xcomplex<f32>>) {
    %t = loop.pointwise (%j = 8) {
      %a = loop.load %x[%i, %j] : memref<4x8xcomplex<f32>>
      %b = complex.mul %a, %k : complex<f32>
      loop.yield %b : complex<f32>
    } : tensor<8xcomplex<f32>>
    %s = loop.reduction add over (%j = 8) {
      %b = loop.load %t[%j] : tensor<8xcomplex<f32>>
      loop.yield %b : complex<f32>
    } : complex<f32>
    loop.in_parallel {
      loop.insert %s into %p at [%i] : complex<f32> into memref<4xcomplex<f32>>
    }
  }
  return
}
