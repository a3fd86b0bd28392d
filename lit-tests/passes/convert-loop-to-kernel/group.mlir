// RUN: terrace-opt %s --convert-loop-to-kernel --split-input-file | FileCheck %s

// One kernel with the group's name: a row a grid point, numbers as values, what is inserted written where it goes, the
// rest in scratch memory.
// CHECK-LABEL: kernel.func @probs.softmax_0
// CHECK-SAME: (%[[X:.*]]: memref<64x1024xf32>, %[[P:.*]]: memref<64x1024xf32>) grid(%[[I:.*]] in 64)
// CHECK: %[[EXP:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1024xf32>
// CHECK-NOT: memref.alloca
// CHECK: %[[MAX:.*]] = kernel.reduce max
// CHECK: scf.for %[[J:.*]] = %c0 to %c1024 step %c64 {
// CHECK: %[[A:.*]] = kernel.load %[[X]][%[[I]], %[[J]] : 64]
// CHECK: %[[M:.*]] = tensor.splat %[[MAX]]
// CHECK: %[[D:.*]] = arith.subf %[[A]], %[[M]]
// CHECK: kernel.store %[[D]], %[[EXP]][%[[J]] : 64]
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: %[[E:.*]] = kernel.load %[[EXP]][%[[J]] : 64]
// CHECK: kernel.store %{{.*}}, %[[P]][%[[I]], %[[J]] : 64]
// CHECK-LABEL: func.func @probs
// CHECK: kernel.launch @probs.softmax_0 grid [64](%{{.*}}, %{{.*}})
// CHECK-NOT: loop.
func.func @probs(%x: memref<64x1024xf32>, %p0: memref<64x1024xf32>) {
  loop.group @softmax (%i = 64) into (%p0 as %p : memref<64x1024xf32>) {
    %max = loop.reduction max over (%j = 1024) {
      %a = loop.load %x[%i, %j] : memref<64x1024xf32>
      loop.yield %a : f32
    } : f32
    %exp = loop.pointwise (%j = 1024) {
      %a = loop.load %x[%i, %j] : memref<64x1024xf32>
      %d = arith.subf %a, %max : f32
      loop.yield %d : f32
    } : tensor<1024xf32>
    %out = loop.pointwise (%j = 1024) {
      %e = loop.load %exp[%j] : tensor<1024xf32>
      %q = arith.mulf %e, %e : f32
      loop.yield %q : f32
    } : tensor<1024xf32>
    loop.in_parallel {
      loop.insert %out into %p at [%i, :] : tensor<1024xf32> into memref<64x1024xf32>
    }
  }
  return
}

// -----

// Of little work a grid point has several points; of a tile as many as it says.
// CHECK-LABEL: kernel.func @few.group_0
// CHECK-SAME: grid(%{{.*}} in 2)
// CHECK-LABEL: kernel.func @few.group_1
// CHECK-SAME: grid(%{{.*}} in 64)
func.func @few(%x: memref<128x32xf32>, %y: memref<128xf32>) {
  loop.group (%i = 128) into (%y as %d : memref<128xf32>) {
    %s = loop.reduction add over (%j = 32) {
      %a = loop.load %x[%i, %j] : memref<128x32xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %d at [%i] : f32 into memref<128xf32>
    }
  }
  loop.group (%i = 128) into (%y as %d : memref<128xf32>) {
    %s = loop.reduction add over (%j = 32) {
      %a = loop.load %x[%i, %j] : memref<128x32xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %s into %d at [%i] : f32 into memref<128xf32>
    }
  } tile [2]
  return
}

// -----

// What is combined: all points in one grid point, one after the other; a tensor by a member of its own at the end.
// CHECK-LABEL: kernel.func @combines.group_0
// CHECK-SAME: (%{{.*}}: memref<512x64xf32>, %[[T:.*]]: memref<64xf32>, %[[N:.*]]: memref<1xf32>) grid()
// CHECK: %[[ROW:.*]] = memref.alloca() {{.*}} : memref<64xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c512 step %c1
// CHECK: kernel.store %{{.*}}, %[[ROW]][
// CHECK: %[[NEW:.*]] = kernel.load %[[ROW]][
// CHECK: %[[OLD:.*]] = kernel.load %[[T]][
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[NEW]]
// CHECK: kernel.store %[[SUM]], %[[T]][
// CHECK: %[[OLD:.*]] = memref.load %[[N]][%c0]
// CHECK: %[[MAX:.*]] = arith.maximumf %[[OLD]], %{{.*}}
// CHECK: memref.store %[[MAX]], %[[N]][%c0]
func.func @combines(%x: memref<512x64xf32>, %t: memref<64xf32>, %n: memref<1xf32>) {
  loop.group (%i = 512) into (%t as %d : memref<64xf32>, %n as %m : memref<1xf32>) {
    %row = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<512x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %first = loop.load %x[%i, 0] : memref<512x64xf32>
    loop.in_parallel {
      loop.insert add %row into %d at [:] : tensor<64xf32> into memref<64xf32>
      loop.insert max %first into %m at [0] : f32 into memref<1xf32>
    }
  }
  return
}

// -----

// A member that reads the old value at its own element alone writes over it.
// CHECK-LABEL: kernel.func @in_place.group_0
// CHECK-NOT: memref.alloca
func.func @in_place(%x: memref<8x64xf32>) {
  loop.group (%i = 8) into (%x as %d : memref<8x64xf32>) {
    %row = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      %b = arith.addf %a, %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %row into %d at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return
}

// -----

// A later member reads the old value.
// CHECK-LABEL: kernel.func @not_written_before_a_later_read.group_0
// CHECK-SAME: (%[[X:.*]]: memref<8x64xf32>, %[[Y:.*]]: memref<8xf32>)
// CHECK: %[[ROW:.*]] = memref.alloca
// CHECK: kernel.store %{{.*}}, %[[ROW]]
// CHECK: kernel.load %[[X]]
// CHECK: kernel.reduce
// CHECK: kernel.load %[[ROW]]
// CHECK: kernel.store %{{.*}}, %[[X]]
func.func @not_written_before_a_later_read(%x: memref<8x64xf32>, %y: memref<8xf32>) {
  loop.group (%i = 8) into (%x as %d : memref<8x64xf32>, %y as %e : memref<8xf32>) {
    %row = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      %b = arith.addf %a, %a : f32
      loop.yield %b : f32
    } : tensor<64xf32>
    %s = loop.reduction add over (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : f32
    loop.in_parallel {
      loop.insert %row into %d at [%i, :] : tensor<64xf32> into memref<8x64xf32>
      loop.insert %s into %e at [%i] : f32 into memref<8xf32>
    }
  }
  return
}

// -----

// The member reads elements of its row that it has written before, were it in place.
// CHECK-LABEL: kernel.func @not_written_over_what_other_elements_read.group_0
// CHECK: memref.alloca
func.func @not_written_over_what_other_elements_read(%x: memref<8x64xf32>) {
  loop.group (%i = 8) into (%x as %d : memref<8x64xf32>) {
    %row = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, 63 - %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    loop.in_parallel {
      loop.insert %row into %d at [%i, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return
}

// -----

// A place that is computed after the member is not known to it yet.
// CHECK-LABEL: kernel.func @not_written_before_its_place_is_known.group_0
// CHECK: %[[ROW:.*]] = memref.alloca
// CHECK: kernel.store %{{.*}}, %[[ROW]]
// CHECK: %[[R:.*]] = memref.load
// CHECK: kernel.load %[[ROW]]
// CHECK: kernel.store %{{.*}}, %{{.*}}[%[[R]], %{{.*}} : 64]
func.func @not_written_before_its_place_is_known(%x: memref<8x64xf32>, %p: memref<8xindex>, %y: memref<8x64xf32>) {
  loop.group (%i = 8) into (%y as %d : memref<8x64xf32>) {
    %row = loop.pointwise (%j = 64) {
      %a = loop.load %x[%i, %j] : memref<8x64xf32>
      loop.yield %a : f32
    } : tensor<64xf32>
    %r = loop.load %p[%i] : memref<8xindex>
    loop.in_parallel {
      loop.insert %row into %d at [%r, :] : tensor<64xf32> into memref<8x64xf32>
    }
  }
  return
}

// -----

// No point, and members without points: nothing happens.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return
func.func @nothing(%y: memref<0xf32>, %k: f32) {
  loop.group (%i = 0) into (%y as %d : memref<0xf32>) {
    loop.in_parallel {
      loop.insert %k into %d at [%i] : f32 into memref<0xf32>
    }
  }
  return
}
