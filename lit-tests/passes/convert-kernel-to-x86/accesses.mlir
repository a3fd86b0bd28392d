// RUN: terrace-opt %s --convert-kernel-to-x86=cpu=x86-64-v4 --canonicalize --cse --split-input-file | FileCheck %s

// What is known to be there is loaded whole, a part of a vector through a mask, nothing not at all.
// CHECK-LABEL: func.func private @tail
kernel.func @tail(%x: memref<100xf32>) grid() {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[A:.*]] = vector.load %{{.*}} : memref<100xf32>, vector<16xf32>
  // CHECK: %[[M:.*]] = vector.constant_mask [4] : vector<16xi1>
  // CHECK: %[[B:.*]] = vector.maskedload %{{.*}}, %[[M]], %{{.*}} : memref<100xf32>, vector<16xi1>, vector<16xf32>
  // CHECK-NOT: load
  %a = kernel.load %x[%c0 : 48] valid(%c20) else %zero : memref<100xf32>, f32
  // CHECK: vector.store %[[A]]
  // CHECK: vector.maskedstore %{{.*}}, %[[M]], %[[B]]
  // CHECK-NOT: store
  kernel.store %a, %x[%c0 + 50 : 48] valid(%c20) : tensor<48xf32>, memref<100xf32>
  kernel.return
}

// -----

// What is not known is a mask, within the vector.
// CHECK-LABEL: func.func private @count
// CHECK-SAME: %[[N:[^:]*]]: index
kernel.func @count(%x: memref<100xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[LOW:.*]] = arith.maxsi %[[N]], %c0
  // CHECK: %[[IN:.*]] = arith.minsi %[[LOW]], %c16
  // CHECK: %[[M:.*]] = vector.create_mask %[[IN]] : vector<16xi1>
  // CHECK: vector.maskedload %{{.*}}, %[[M]]
  %a = kernel.load %x[%c0 : 16] valid(%n) else %zero : memref<100xf32>, f32
  kernel.store %a, %x[%c0 : 16] valid(%n) : tensor<16xf32>, memref<100xf32>
  kernel.return
}

// -----

// Rows beyond what is there have no lane.
// CHECK-LABEL: func.func private @rows
kernel.func @rows(%x: memref<8x16xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %pad = arith.constant dense<1.0> : tensor<3x16xf32>
  // CHECK: vector.store
  // CHECK-NOT: vector.store
  kernel.store %pad, %x[%c0 : 3, %c0 : 16] valid(%c1, %c16) : tensor<3x16xf32>, memref<8x16xf32>
  kernel.return
}

// -----

// A column is gathered from the linearized buffer, which starts at the allocation.
// CHECK-LABEL: func.func private @column
// CHECK-SAME: %{{.*}}: !llvm.ptr
kernel.func @column(%x: memref<40x5xf32, strided<[7, 2], offset: 3>>, %y: memref<5x16xf32, strided<[32, 2]>>) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK: arith.constant dense<[0, 7, 14,
  // CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<40x5xf32, strided<[7, 2], offset: 3>>
  // CHECK: %[[LINEAR:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [285], strides: [1]
  // CHECK: vector.gather %[[LINEAR]][%{{.*}}] [%{{.*}}], %{{.*}}, %{{.*}} : memref<285xf32>, vector<16xindex>
  %a = kernel.load %x[%c0 : 16, %i] : memref<40x5xf32, strided<[7, 2], offset: 3>>
  // CHECK: vector.scatter %{{.*}}[%{{.*}}] [%{{.*}}], %{{.*}}, %{{.*}} : memref<159xf32>, vector<16xindex>
  kernel.store %a, %y[%i, %c0 : 16] : tensor<16xf32>, memref<5x16xf32, strided<[32, 2]>>
  kernel.return
}

// -----

// The lanes lie side by side though their dimension is not the last one.
// CHECK-LABEL: func.func private @side_by_side
kernel.func @side_by_side(%x: memref<64x8xf32, strided<[1, 64]>>) grid(%i in 8) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[LINEAR:.*]] = memref.reinterpret_cast
  // CHECK: vector.load %[[LINEAR]][%{{.*}}] : memref<512xf32>, vector<16xf32>
  %a = kernel.load %x[%c0 : 16, %i] : memref<64x8xf32, strided<[1, 64]>>
  kernel.store %a, %x[%c0 + 16 : 16, %i] : tensor<16xf32>, memref<64x8xf32, strided<[1, 64]>>
  kernel.return
}

// -----

// One element in all lanes is one load.
// CHECK-LABEL: func.func private @repeated
kernel.func @repeated(%x: memref<64xf32, strided<[0]>>, %y: memref<64xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: %[[E:.*]] = memref.load
  // CHECK: vector.broadcast %[[E]] : f32 to vector<16xf32>
  // CHECK-NOT: load
  %a = kernel.load %x[%c0 : 32] : memref<64xf32, strided<[0]>>
  kernel.store %a, %y[%c0 : 32] : tensor<32xf32>, memref<64xf32>
  kernel.return
}

// -----

// Strides that are not known come from the memref.
// CHECK-LABEL: func.func private @any
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32, strided<[?], offset: ?>>
kernel.func @any(%x: memref<?xf32, strided<[?], offset: ?>>, %y: memref<16xf32>) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %[[X]]
  // CHECK: %[[S:.*]] = vector.broadcast %[[STRIDE]] : index to vector<16xindex>
  // CHECK: %[[AT:.*]] = arith.muli %[[S]], %{{.*}} : vector<16xindex>
  // CHECK: vector.gather %{{.*}}[%[[OFFSET]]] [%[[AT]]]
  %a = kernel.load %x[%c0 : 16] : memref<?xf32, strided<[?], offset: ?>>
  kernel.store %a, %y[%c0 : 16] : tensor<16xf32>, memref<16xf32>
  kernel.return
}

// -----

// Indices that are tiles are vectors of places; what all lanes share is a scalar.
// CHECK-LABEL: func.func private @indirect
// CHECK-SAME: %[[J:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index)
kernel.func @indirect(%x: memref<64x8xf32>, %at: memref<16xindex>, %y: memref<16xf32>, %j: index) grid() {
  %c0 = arith.constant 0 : index
  // CHECK: %[[R:.*]] = vector.load %{{.*}} : memref<16xindex>, vector<16xindex>
  %r = kernel.load %at[%c0 : 16] : memref<16xindex>
  // CHECK: %[[P:.*]] = arith.muli %[[R]], %{{.*}} : vector<16xindex>
  // CHECK: vector.gather %{{.*}}[%[[J]]] [%[[P]]]
  %g = kernel.gather %x[%r, %j] : memref<64x8xf32>, tensor<16xindex>, index -> tensor<16xf32>
  // CHECK: vector.scatter %{{.*}}[%{{.*}}] [%[[R]]]
  kernel.scatter %g, %y[%r] : tensor<16xf32>, memref<16xf32>, tensor<16xindex>
  kernel.return
}
