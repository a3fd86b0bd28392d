// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// A group of products has a block of rows at each grid point: register tiles of the first product into scratch memory, whose
// rows have elements between them, then the rows one by one, where they are, then register tiles of the second product. The
// right factor of the first is packed in front, as in a product that is alone.
// CHECK-LABEL: kernel.func @attention.pack_0
// CHECK-LABEL: kernel.func @attention.blocks_0
// CHECK-SAME: (%[[Q:.*]]: memref<4x64x16xf32>, %{{.*}}: memref<4x96x16xf32>, %[[V:.*]]: memref<4x96x16xf32>, %[[Y:.*]]: memref<4x64x16xf32>, %[[K:.*]]: memref<4x3x16x32xf32>) grid(%[[H:.*]] in 4, %[[BLOCK:.*]] in 2)
// CHECK: %[[ROWS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<32x112xf32>
// CHECK-NOT: memref.alloca
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c32
// CHECK: scf.for %[[J:.*]] = %c0 to %c96 step %c32 {
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step %c8 {
// CHECK: kernel.load %[[Q]][%[[H]], %[[I]] : 8, %{{.*}} : 1]
// CHECK: kernel.load %[[K]][%[[H]], %[[J]] floordiv 32, %{{.*}} : 1, 0 : 32]
// CHECK: kernel.dot
// CHECK: kernel.store %{{.*}}, %[[ROWS]][%[[I]] - %[[FIRST]] : 8, %[[J]] : 32]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step %c1 {
// CHECK: %[[A:.*]] = kernel.load %[[ROWS]][%[[I]] - %[[FIRST]], %[[J:.*]] : 32]
// CHECK: %[[E:.*]] = math.exp %[[A]]
// CHECK: kernel.store %[[E]], %[[ROWS]][%[[I]] - %[[FIRST]], %[[J]] : 32]
// CHECK: scf.for %[[I:.*]] = %[[FIRST]] to %{{.*}} step %c8 {
// CHECK: kernel.load %[[ROWS]][%[[I]] - %[[FIRST]] : 8, %{{.*}} : 1]
// CHECK: kernel.load %[[V]][%[[H]], %{{.*}} : 1, %c0 : 16]
// CHECK: kernel.dot
// CHECK: kernel.store %{{.*}}, %[[Y]][%[[H]], %[[I]] : 8, %c0 : 16]
// CHECK-LABEL: func.func @attention
// CHECK: kernel.launch @attention.pack_0
// CHECK: kernel.launch @attention.blocks_0 grid [4, 2]
// CHECK-NOT: kernel.launch
func.func @attention(%q: memref<4x64x16xf32>, %k: memref<4x96x16xf32>, %v: memref<4x96x16xf32>, %y0: memref<4x64x16xf32>) {
  loop.group (%h = 4, %i = 64) into (%y0 as %y : memref<4x64x16xf32>) {
    %s = loop.reduction add (%j = 96) over (%k0 = 16) {
      %a = loop.load %q[%h, %i, %k0] : memref<4x64x16xf32>
      %b = loop.load %k[%h, %j, %k0] : memref<4x96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %p = loop.pointwise (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      %e = math.exp %a : f32
      loop.yield %e : f32
    } : tensor<96xf32>
    %o = loop.reduction add (%d = 16) over (%j = 96) {
      %a = loop.load %p[%j] : tensor<96xf32>
      %b = loop.load %v[%h, %j, %d] : memref<4x96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %o into %y at [%h, %i, :] : tensor<16xf32> into memref<4x64x16xf32>
    }
  }
  return
}

// -----

// What is read again after it was made into something else keeps its memory.
// CHECK-LABEL: kernel.func @read_again.blocks_0
// CHECK-COUNT-2: memref.alloca
func.func @read_again(%q: memref<64x16xf32>, %k: memref<16x96xf32>, %v: memref<96x16xf32>, %y0: memref<64x16xf32>) {
  loop.group (%i = 64) into (%y0 as %y : memref<64x16xf32>) {
    %s = loop.reduction add (%j = 96) over (%k0 = 16) {
      %a = loop.load %q[%i, %k0] : memref<64x16xf32>
      %b = loop.load %k[%k0, %j] : memref<16x96xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %e = loop.pointwise (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      %b = math.exp %a : f32
      loop.yield %b : f32
    } : tensor<96xf32>
    %p = loop.pointwise (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      %b = loop.load %e[%j] : tensor<96xf32>
      %c = arith.addf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %o = loop.reduction add (%d = 16) over (%j = 96) {
      %a = loop.load %p[%j] : tensor<96xf32>
      %b = loop.load %v[%j, %d] : memref<96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %o into %y at [%i, :] : tensor<16xf32> into memref<64x16xf32>
    }
  }
  return
}

// -----

// A tensor that is read at other places than its own keeps its memory, too.
// CHECK-LABEL: kernel.func @reversed.blocks_0
// CHECK-COUNT-2: memref.alloca
func.func @reversed(%q: memref<64x16xf32>, %k: memref<16x96xf32>, %v: memref<96x16xf32>, %y0: memref<64x16xf32>) {
  loop.group (%i = 64) into (%y0 as %y : memref<64x16xf32>) {
    %s = loop.reduction add (%j = 96) over (%k0 = 16) {
      %a = loop.load %q[%i, %k0] : memref<64x16xf32>
      %b = loop.load %k[%k0, %j] : memref<16x96xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %p = loop.pointwise (%j = 96) {
      %a = loop.load %s[-%j + 95] : tensor<96xf32>
      loop.yield %a : f32
    } : tensor<96xf32>
    %o = loop.reduction add (%d = 16) over (%j = 96) {
      %a = loop.load %p[%j] : tensor<96xf32>
      %b = loop.load %v[%j, %d] : memref<96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %o into %y at [%i, :] : tensor<16xf32> into memref<64x16xf32>
    }
  }
  return
}

// -----

// A number of a row that is used behind the next product would have to be kept for each row: such points run one by one.
// CHECK-LABEL: kernel.func @number_kept.group_0
// CHECK-NOT: kernel.dot
func.func @number_kept(%q: memref<64x16xf32>, %k: memref<16x96xf32>, %v: memref<96x16xf32>, %y0: memref<64x16xf32>) {
  loop.group (%i = 64) into (%y0 as %y : memref<64x16xf32>) {
    %s = loop.reduction add (%j = 96) over (%k0 = 16) {
      %a = loop.load %q[%i, %k0] : memref<64x16xf32>
      %b = loop.load %k[%k0, %j] : memref<16x96xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %m = loop.reduction max over (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      loop.yield %a : f32
    } : f32
    %o = loop.reduction add (%d = 16) over (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      %b = loop.load %v[%j, %d] : memref<96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    %r = loop.pointwise (%d = 16) {
      %a = loop.load %o[%d] : tensor<16xf32>
      %b = arith.divf %a, %m : f32
      loop.yield %b : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %r into %y at [%i, :] : tensor<16xf32> into memref<64x16xf32>
    }
  }
  return
}

// -----

// There may be any number of rows and of batches: the last block of rows has those that are left.
// CHECK-LABEL: kernel.func @any_rows.blocks_0
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<56x112xf32>
// CHECK: arith.minsi
// CHECK: kernel.dot
// CHECK-LABEL: func.func @any_rows
// CHECK: %[[BLOCKS:.*]] = arith.divui %{{.*}}, %c56
// CHECK: kernel.launch @any_rows.blocks_0 grid [%{{.*}}, %[[BLOCKS]]]
func.func @any_rows(%q: memref<?x?x16xf32>, %k: memref<?x96x16xf32>, %v: memref<?x96x16xf32>, %y0: memref<?x?x16xf32>, %b0: index, %n: index) {
  loop.group (%h = %b0, %i = %n) into (%y0 as %y : memref<?x?x16xf32>) {
    %s = loop.reduction add (%j = 96) over (%k0 = 16) {
      %a = loop.load %q[%h, %i, %k0] : memref<?x?x16xf32>
      %b = loop.load %k[%h, %j, %k0] : memref<?x96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<96xf32>
    %p = loop.pointwise (%j = 96) {
      %a = loop.load %s[%j] : tensor<96xf32>
      %e = math.exp %a : f32
      loop.yield %e : f32
    } : tensor<96xf32>
    %o = loop.reduction add (%d = 16) over (%j = 96) {
      %a = loop.load %p[%j] : tensor<96xf32>
      %b = loop.load %v[%h, %j, %d] : memref<?x96x16xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    } : tensor<16xf32>
    loop.in_parallel {
      loop.insert %o into %y at [%h, %i, :] : tensor<16xf32> into memref<?x?x16xf32>
    }
  }
  return
}
