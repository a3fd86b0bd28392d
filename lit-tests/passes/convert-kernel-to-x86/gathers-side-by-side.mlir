// RUN: terrace-opt %s --convert-kernel-to-x86="cpu=x86-64-v4" --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-kernel-to-x86="cpu=x86-64" --split-input-file | FileCheck %s --check-prefix=UNMASKED

// Lanes side by side that a mask keeps from being read: a masked load, though the first of them may be outside of the buffer.
// CHECK-LABEL: func.func private @run
// CHECK-NOT: vector.gather
// CHECK: vector.maskedload %{{.*}}[%{{.*}}], %{{.*}}, %{{.*}} : memref<{{.*}}>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// CHECK-NOT: vector.gather

// A processor without masks reads all lanes where all of them are in the buffer, from place 0 to 160 - 16, and chooses then.
// UNMASKED-LABEL: func.func private @run
// UNMASKED: %[[FITS:.*]] = arith.cmpi ult, %[[PLACE:.*]], %c145
// UNMASKED: scf.if %[[FITS]]
// UNMASKED: %[[ALL:.*]] = vector.load %{{.*}}[%[[PLACE]]]
// UNMASKED: arith.select %{{.*}}, %[[ALL]], %{{.*}} : vector<4xi1>, vector<4xf32>
// UNMASKED: } else {
// UNMASKED: vector.maskedload
kernel.func @run(%x: memref<8x20xf32>, %y: memref<8x16xf32>) grid(%i in 8) {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant -1 : index
  %end = arith.constant dense<20> : tensor<16xindex>
  %c0 = arith.constant 0 : index
  %iota = kernel.iota : tensor<16xindex>
  %start = arith.addi %i, %first : index
  %from = tensor.splat %start : tensor<16xindex>
  %columns = arith.addi %iota, %from : tensor<16xindex>
  %mask = arith.cmpi ult, %columns, %end : tensor<16xindex>
  %t = kernel.gather %x[%i, %columns] mask %mask else %zero : memref<8x20xf32>, index, tensor<16xindex> mask tensor<16xi1>, f32 -> tensor<16xf32>
  kernel.store %t, %y[%i, %c0 : 16] : tensor<16xf32>, memref<8x16xf32>
  kernel.return
}

// -----

// The same from a number that is known, and from none.
// CHECK-LABEL: func.func private @known
// CHECK-NOT: vector.gather
// CHECK: vector.maskedload
// CHECK: vector.maskedload
// CHECK-NOT: vector.gather
kernel.func @known(%x: memref<8x20xf32>, %y: memref<8x16xf32>) grid(%i in 8) {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant dense<-1> : tensor<16xindex>
  %end = arith.constant dense<20> : tensor<16xindex>
  %c0 = arith.constant 0 : index
  %iota = kernel.iota : tensor<16xindex>
  %columns = arith.addi %iota, %first : tensor<16xindex>
  %mask = arith.cmpi ult, %columns, %end : tensor<16xindex>
  %t = kernel.gather %x[%i, %columns] mask %mask else %zero : memref<8x20xf32>, index, tensor<16xindex> mask tensor<16xi1>, f32 -> tensor<16xf32>
  %u = kernel.gather %x[%i, %iota] mask %mask else %zero : memref<8x20xf32>, index, tensor<16xindex> mask tensor<16xi1>, f32 -> tensor<16xf32>
  %s = arith.addf %t, %u : tensor<16xf32>
  kernel.store %s, %y[%i, %c0 : 16] : tensor<16xf32>, memref<8x16xf32>
  kernel.return
}

// -----

// Rows that count up lie apart.
// CHECK-LABEL: func.func private @rows
// CHECK-NOT: vector.maskedload
// CHECK: vector.gather
kernel.func @rows(%x: memref<20x8xf32>, %y: memref<8x16xf32>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  %iota = kernel.iota : tensor<16xindex>
  %from = tensor.splat %i : tensor<16xindex>
  %rows = arith.addi %iota, %from : tensor<16xindex>
  %t = kernel.gather %x[%rows, %i] : memref<20x8xf32>, tensor<16xindex>, index -> tensor<16xf32>
  kernel.store %t, %y[%i, %c0 : 16] : tensor<16xf32>, memref<8x16xf32>
  kernel.return
}

// -----

// A tile of numbers that a buffer gives counts nothing.
// CHECK-LABEL: func.func private @numbers
// CHECK: vector.gather
kernel.func @numbers(%x: memref<20xf32>, %n: memref<16xindex>, %y: memref<16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %k = kernel.load %n[%c0 : 16] : memref<16xindex>
  %t = kernel.gather %x[%k] : memref<20xf32>, tensor<16xindex> -> tensor<16xf32>
  kernel.store %t, %y[%c0 : 16] : tensor<16xf32>, memref<16xf32>
  kernel.return
}
