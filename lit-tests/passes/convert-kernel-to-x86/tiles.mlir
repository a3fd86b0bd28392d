// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4 --canonicalize --cse --split-input-file | FileCheck %s
// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v3 --split-input-file | FileCheck %s --check-prefix=AVX2
// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64 --split-input-file | FileCheck %s --check-prefix=PORTABLE

// A tile is as many vectors as it takes; a loop carries them.
// CHECK-LABEL: func.func private @sum
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[FROM:.*]]: index, %[[TO:.*]]: index)
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<4x80xf32>
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<4xf32>
// AVX2-LABEL: func.func private @sum
// PORTABLE-LABEL: func.func private @sum
kernel.func @sum(%x: memref<4x80xf32>, %y: memref<4xf32>) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %c80 = arith.constant 80 : index
  %zero = arith.constant dense<0.0> : tensor<40xf32>
  // CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]]
  // CHECK: scf.for %[[J:.*]] = {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<8xf32>)
  // AVX2: -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
  // PORTABLE: vector<4xf32>, vector<4xf32>)
  %s = scf.for %j = %c0 to %c80 step %c40 iter_args(%acc = %zero) -> (tensor<40xf32>) {
    // CHECK: vector.load %[[X]][%[[I]], %[[J]]] : memref<4x80xf32>, vector<16xf32>
    // CHECK: %[[J32:.*]] = arith.addi %[[J]], %c32
    // CHECK: vector.load %[[X]][%[[I]], %[[J32]]] : memref<4x80xf32>, vector<8xf32>
    %a = kernel.load %x[%i, %j : 40] : memref<4x80xf32>
    %b = arith.addf %acc, %a : tensor<40xf32>
    scf.yield %b : tensor<40xf32>
  }
  // CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<16xf32> into f32
  // CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<8xf32> into f32
  %r = kernel.reduce add %s : tensor<40xf32>
  // CHECK: memref.store %{{.*}}, %[[Y]][%[[I]]]
  memref.store %r, %y[%i] : memref<4xf32>
  kernel.return
}

// -----

// A branch gives a tile of truth values, which select; NaN goes through max.
// CHECK-LABEL: func.func private @choose
kernel.func @choose(%x: memref<16xf32>, %y: memref<f32>, %t: i1) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 16] : memref<16xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  // CHECK: %[[M:.*]] = scf.if %{{.*}} -> (vector<16xi1>)
  %m = scf.if %t -> (tensor<16xi1>) {
    %p = arith.cmpf ogt, %a, %zero : tensor<16xf32>
    scf.yield %p : tensor<16xi1>
  } else {
    %n = arith.constant dense<true> : tensor<16xi1>
    scf.yield %n : tensor<16xi1>
  }
  // CHECK: %[[S:.*]] = arith.select %[[M]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf32>
  %s = arith.select %m, %a, %zero : tensor<16xi1>, tensor<16xf32>
  // CHECK: %[[LOW:.*]] = vector.extract_strided_slice %[[S]] {offsets = [0], sizes = [8], strides = [1]}
  // CHECK: %[[HIGH:.*]] = vector.extract_strided_slice %[[S]] {offsets = [8], sizes = [8], strides = [1]}
  // CHECK: arith.maximumf %[[LOW]], %[[HIGH]] : vector<8xf32>
  // CHECK: %[[ONE:.*]] = arith.maximumf %{{.*}}, %{{.*}} : vector<1xf32>
  // CHECK: vector.extract %[[ONE]][0]
  %r = kernel.reduce max %s : tensor<16xf32>
  memref.store %r, %y[] : memref<f32>
  kernel.return
}

// -----

// Indices, repetition, constants.
// CHECK-LABEL: func.func private @make
kernel.func @make(%y: memref<2x20xindex>, %z: memref<2x3xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: vector.step : vector<16xindex>
  // CHECK-DAG: vector.step : vector<4xindex>
  %i = kernel.iota : tensor<20xindex>
  %r = kernel.broadcast %i to [1] : tensor<20xindex> -> tensor<2x20xindex>
  // CHECK-COUNT-4: vector.store {{.*}} memref<2x20xindex>, vector<{{16|4}}xindex>
  kernel.store %r, %y[%c0 : 2, %c0 : 20] : tensor<2x20xindex>, memref<2x20xindex>
  // CHECK-DAG: vector.store %[[ONE:.*]], %{{.*}} : memref<2x3xf32>, vector<3xf32>
  // CHECK-DAG: vector.store %[[TWO:.*]], %{{.*}} : memref<2x3xf32>, vector<3xf32>
  %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  kernel.store %c, %z[%c0 : 2, %c0 : 3] : tensor<2x3xf32>, memref<2x3xf32>
  kernel.return
}

// -----

// The left side of a product is read element by element; the accumulator is a vector a row.
// CHECK-LABEL: func.func private @product
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<2x2xf32>
// CHECK: %[[B:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<2x16xf32>
kernel.func @product(%a: memref<2x2xf32>, %b: memref<2x16xf32>, %y: memref<2x16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %l = kernel.load %a[%c0 : 2, %c0 : 2] : memref<2x2xf32>
  %r = kernel.load %b[%c0 : 2, %c0 : 16] : memref<2x16xf32>
  %z = arith.constant dense<0.0> : tensor<2x16xf32>
  // CHECK-NOT: vector.load %[[A]]
  // CHECK: %[[E:.*]] = memref.load %[[A]]
  // CHECK: %[[L:.*]] = vector.broadcast %[[E]] : f32 to vector<16xf32>
  // CHECK: vector.fma %[[L]]
  // CHECK-COUNT-3: vector.fma
  %d = kernel.dot %l, %r, %z : tensor<2x2xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  kernel.store %d, %y[%c0 : 2, %c0 : 16] : tensor<2x16xf32>, memref<2x16xf32>
  kernel.return
}

// -----

// Here a write comes in between, which may change what is read: the tile is loaded where it stands.
// CHECK-LABEL: func.func private @product_after_a_write
// CHECK-SAME: (%{{.*}}: !llvm.ptr
// CHECK: %[[A:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<2x2xf32>
kernel.func @product_after_a_write(%a: memref<2x2xf32>, %b: memref<2x16xf32>, %y: memref<2x16xf32>) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: vector.load %[[A]]
  // CHECK: memref.store
  // CHECK: vector.fma
  %l = kernel.load %a[%c0 : 2, %c0 : 2] : memref<2x2xf32>
  %r = kernel.load %b[%c0 : 2, %c0 : 16] : memref<2x16xf32>
  memref.store %zero, %a[%c0, %c0] : memref<2x2xf32>
  %z = arith.constant dense<0.0> : tensor<2x16xf32>
  %d = kernel.dot %l, %r, %z : tensor<2x2xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  kernel.store %d, %y[%c0 : 2, %c0 : 16] : tensor<2x16xf32>, memref<2x16xf32>
  kernel.return
}
