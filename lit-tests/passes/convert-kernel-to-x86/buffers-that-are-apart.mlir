// RUN: terrace-opt %s --convert-kernel-to-x86 --split-input-file | FileCheck %s

// A buffer that a kernel writes is apart from another one where every launch has two that are: an allocation is apart from what
// came before it.
// CHECK-LABEL: func.func private @scale
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr,
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf32>
// CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<f32>
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf32>
// CHECK: %[[XY:.*]]:2 = memref.distinct_objects %[[X]], %[[Y]]
// CHECK: %[[SY:.*]]:2 = memref.distinct_objects %[[S]], %[[XY]]#1
// CHECK-NOT: memref.distinct_objects
// CHECK: memref.load %[[SY]]#0[]
// CHECK: %[[XY]]#0
// CHECK: %[[SY]]#1
kernel.func @scale(%x: memref<64xf32>, %s: memref<f32>, %y: memref<64xf32>) grid(%g in 1) {
  %c0 = arith.constant 0 : index
  %a = memref.load %s[] : memref<f32>
  %t = kernel.load %x[%c0 : 64] : memref<64xf32>
  %b = tensor.splat %a : tensor<64xf32>
  %p = arith.mulf %t, %b : tensor<64xf32>
  kernel.store %p, %y[%c0 : 64] : tensor<64xf32>, memref<64xf32>
  kernel.return
}
func.func @main(%x: memref<64xf32>, %s: memref<f32>) -> memref<64xf32> {
  %y = memref.alloc() : memref<64xf32>
  %z = memref.alloc() : memref<64xf32>
  kernel.launch @scale grid [1](%x, %s, %z) : memref<64xf32>, memref<f32>, memref<64xf32>
  kernel.launch @scale grid [1](%z, %s, %y) : memref<64xf32>, memref<f32>, memref<64xf32>
  memref.dealloc %z : memref<64xf32>
  return %y : memref<64xf32>
}

// -----

// One launch writes what it reads: it is not taken for granted in the kernel, whatever the others do.
// CHECK-LABEL: func.func private @over
// CHECK-NOT: memref.distinct_objects
// CHECK: return
kernel.func @over(%x: memref<64xf32>, %y: memref<64xf32>) grid(%g in 1) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %x[%c0 : 64] : memref<64xf32>
  %p = arith.mulf %t, %t : tensor<64xf32>
  kernel.store %p, %y[%c0 : 64] : tensor<64xf32>, memref<64xf32>
  kernel.return
}
func.func @main(%x: memref<64xf32>) -> memref<64xf32> {
  %y = memref.alloc() : memref<64xf32>
  kernel.launch @over grid [1](%x, %y) : memref<64xf32>, memref<64xf32>
  kernel.launch @over grid [1](%y, %y) : memref<64xf32>, memref<64xf32>
  return %y : memref<64xf32>
}

// -----

// Arguments of a function may be one another, unless they say otherwise.
// CHECK-LABEL: func.func private @arguments
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr,
// CHECK: %[[X:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf32>
// CHECK: %[[Y:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf32>
// CHECK: %[[Z:.*]] = builtin.unrealized_conversion_cast {{.*}} to memref<64xf32>
// CHECK-NOT: memref.distinct_objects
// CHECK: memref.distinct_objects %[[Y]], %[[Z]]
// CHECK-NOT: memref.distinct_objects
// CHECK: return
kernel.func @arguments(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) grid(%g in 1) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %x[%c0 : 64] : memref<64xf32>
  %u = kernel.load %z[%c0 : 64] : memref<64xf32>
  %p = arith.mulf %t, %u : tensor<64xf32>
  kernel.store %p, %y[%c0 : 64] : tensor<64xf32>, memref<64xf32>
  kernel.return
}
func.func @main(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %y1, %z1 = memref.distinct_objects %y, %z : memref<64xf32>, memref<64xf32>
  kernel.launch @arguments grid [1](%x, %y1, %z1) : memref<64xf32>, memref<64xf32>, memref<64xf32>
  return
}
