// A large sum of columns goes 16 rows at a time, with the totals of a grid point in memory: rows are read along.

// RUN: split-file %s %t
// RUN: terrace-opt %t/sum.mlir --convert-loop-to-kernel='stream=1048576' | FileCheck %s --check-prefix=SUM
// RUN: terrace-opt %t/sum.mlir --convert-loop-to-kernel='stream=1048576 cross=0' | FileCheck %s --check-prefix=NOT
// RUN: terrace-opt %t/sum.mlir --convert-loop-to-kernel='stream=1000000000' | FileCheck %s --check-prefix=NOT
// RUN: terrace-opt %t/rows.mlir --convert-loop-to-kernel='stream=64' | FileCheck %s --check-prefix=NOT
// RUN: terrace-opt %t/narrow.mlir --convert-loop-to-kernel='stream=64' | FileCheck %s --check-prefix=NOT
// RUN: terrace-opt %t/tiled.mlir --convert-loop-to-kernel='stream=64' | FileCheck %s --check-prefix=NOT
// Whatever is left over, of several matrices, and as a part of a group: the same numbers.
// RUN: terrace-check %t/odd.mlir --pipeline 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-loop-to-kernel{tile=2 stream=64}'
// RUN: terrace-opt %t/odd.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-loop-to-kernel{tile=2 stream=64})' | FileCheck %s --check-prefix=ODD

// SUM: kernel.func @main.reduction_0(%[[X:.*]]: memref<1000x4096xf32>, %[[Y:.*]]: memref<4096xf32>) grid(%[[P:.*]] in 8)
// SUM:   %[[T:.*]] = memref.alloca() {{.*}} : memref<576xf64>
// SUM:   scf.for
// SUM:     kernel.store %{{.*}}, %[[T]]
// SUM:   scf.for %[[I:.*]] = %c0 to %c1000 step %c16
// SUM:     scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %c64
// SUM:       scf.for %[[K:.*]] = %[[I]] to
// SUM:         kernel.load %[[X]][%[[K]], %[[J]] : 64]
// SUM:       kernel.load %[[T]]
// SUM:       arith.extf
// SUM:       kernel.store %{{.*}}, %[[T]]
// SUM:   scf.for
// SUM:     arith.truncf
// SUM:     kernel.store %{{.*}}, %[[Y]]

// NOT-NOT: memref.alloca

// ODD-COUNT-3: memref.alloca

//--- sum.mlir
func.func @main(%x: memref<1000x4096xf32>, %y: memref<4096xf32>) {
  loop.reduction add (%j = 4096) over (%i = 1000) into %y {
    %v = loop.load %x[%i, %j] : memref<1000x4096xf32>
    loop.yield %v : f32
  } : memref<4096xf32>
  return
}

//--- rows.mlir
func.func @main(%x: memref<4096x1000xf32>, %y: memref<4096xf32>) {
  loop.reduction add (%j = 4096) over (%i = 1000) into %y {
    %v = loop.load %x[%j, %i] : memref<4096x1000xf32>
    loop.yield %v : f32
  } : memref<4096xf32>
  return
}

//--- narrow.mlir
func.func @main(%x: memref<100000x256xf32>, %y: memref<256xf32>) {
  loop.reduction add (%j = 256) over (%i = 100000) into %y {
    %v = loop.load %x[%i, %j] : memref<100000x256xf32>
    loop.yield %v : f32
  } : memref<256xf32>
  return
}

//--- tiled.mlir
func.func @main(%x: memref<1000x4096xf32>, %y: memref<4096xf32>) {
  loop.reduction add (%j = 4096) over (%i = 1000) into %y {
    %v = loop.load %x[%i, %j] : memref<1000x4096xf32>
    loop.yield %v : f32
  } tile [64] : memref<4096xf32>
  return
}

//--- odd.mlir
func.func @main(%x: tensor<2x65x67xf32>, %z: tensor<2x65x67xi32>) -> (tensor<2x67xf32>, tensor<2x67xi32>, tensor<67xf32>) {
  %s0 = tensor.empty() : tensor<2x67xf32>
  %s = loop.reduction add (%b = 2, %j = 67) over (%i = 65) into %s0 {
    %v = loop.load %x[%b, %i, %j] : tensor<2x65x67xf32>
    loop.yield %v : f32
  } : tensor<2x67xf32>
  %m0 = tensor.empty() : tensor<2x67xi32>
  %m = loop.reduction max (%b = 2, %j = 67) over (%i = 65) into %m0 {
    %v = loop.load %z[%b, %i, %j] : tensor<2x65x67xi32>
    loop.yield %v : i32
  } : tensor<2x67xi32>
  %g = tensor.empty() : tensor<67xf32>
  %n = loop.group (%j = 67) into (%g as %p : tensor<67xf32>) {
    %r = loop.reduction add over (%i = 65) {
      %v = loop.load %x[1, %i, %j] : tensor<2x65x67xf32>
      loop.yield %v : f32
    } : f32
    %e = math.absf %r : f32
    loop.in_parallel {
      loop.insert %e into %p at [%j] : f32 into tensor<67xf32>
    }
  }
  return %s, %m, %n : tensor<2x67xf32>, tensor<2x67xi32>, tensor<67xf32>
}
