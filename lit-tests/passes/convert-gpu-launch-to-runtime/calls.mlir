// RUN: terrace-opt %s --convert-gpu-launch-to-runtime | FileCheck %s

// The kernels are numbered as they stand; their code is elsewhere by now.
// CHECK-NOT: gpu.module
// CHECK: func.func private @terrace_gpu_launch(index, index, index, index, index)
// CHECK: func.func private @terrace_gpu_read(index, index) -> index
module attributes {gpu.container_module} {
gpu.module @kernels {
  llvm.func @first(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
  llvm.func @helper() {
    llvm.return
  }
  llvm.func @second(%x: !llvm.ptr, %k: f32, %n: i8) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// Arguments are words: the address of a buffer, the bits of a number.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: (%[[X:.*]]: memref<64xf32>, %[[K:.*]]: f32, %[[N:.*]]: i8, %[[BLOCKS:.*]]: index)
// CHECK: %[[WORDS:.*]] = memref.alloca() {{.*}}: memref<3xindex>
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: memref.store %[[P]], %[[WORDS]]
// CHECK: %[[BITS:.*]] = arith.bitcast %[[K]] : f32 to i32
// CHECK: %[[W:.*]] = arith.index_castui %[[BITS]] : i32 to index
// CHECK: memref.store %[[W]], %[[WORDS]]
// CHECK: %[[B:.*]] = arith.index_castui %[[N]] : i8 to index
// CHECK: memref.store %[[B]], %[[WORDS]]
// CHECK: %[[COUNT:.*]] = arith.constant 3 : index
// CHECK: %[[SECOND:.*]] = arith.constant 1 : index
// CHECK: %[[LIST:.*]] = memref.extract_aligned_pointer_as_index %[[WORDS]]
// CHECK: call @terrace_gpu_launch(%[[SECOND]], %[[BLOCKS]], %{{.*}}, %[[LIST]], %[[COUNT]])
func.func @launch(%x: memref<64xf32>, %k: f32, %n: i8, %blocks: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@second blocks in (%blocks, %c1, %c1) threads in (%c32, %c1, %c1)
    args(%x : memref<64xf32>, %k : f32, %n : i8)
  return
}

// An element takes the way over the device; what is on the stack stays there.
// CHECK-LABEL: func.func @element
// CHECK: %[[BITS:.*]] = call @terrace_gpu_read(%{{.*}}, %{{.*}}) : (index, index) -> index
// CHECK: %[[I:.*]] = arith.index_castui %[[BITS]] : index to i32
// CHECK: %[[V:.*]] = arith.bitcast %[[I]] : i32 to f32
// CHECK: memref.store %[[V]], %{{.*}} : memref<1xf32>
// CHECK: memref.load %{{.*}} : memref<1xf32>
// CHECK: call @terrace_gpu_write(%{{.*}}, %{{.*}}, %{{.*}})
func.func @element(%x: memref<?x8xf32, strided<[?, 2], offset: ?>>, %i: index) {
  %own = memref.alloca() : memref<1xf32>
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%i, %c0] : memref<?x8xf32, strided<[?, 2], offset: ?>>
  memref.store %a, %own[%c0] : memref<1xf32>
  %b = memref.load %own[%c0] : memref<1xf32>
  memref.store %b, %x[%c0, %i] : memref<?x8xf32, strided<[?, 2], offset: ?>>
  return
}

// A complex element is two words.
// CHECK-LABEL: func.func @complex_element
// CHECK: %[[RE:.*]] = call @terrace_gpu_read(%[[P:.*]], %[[FOUR:.*]]) : (index, index) -> index
// CHECK: %[[Q:.*]] = arith.addi %[[P]], %{{.*}} : index
// CHECK: call @terrace_gpu_read(%[[Q]], %{{.*}}) : (index, index) -> index
// CHECK: %[[Z:.*]] = complex.create
// CHECK: %[[A:.*]] = complex.re %[[Z]]
// CHECK: call @terrace_gpu_write
// CHECK: %[[B:.*]] = complex.im %[[Z]]
// CHECK: call @terrace_gpu_write
func.func @complex_element(%x: memref<8xcomplex<f32>>, %i: index, %j: index) {
  %a = memref.load %x[%i] : memref<8xcomplex<f32>>
  memref.store %a, %x[%j] : memref<8xcomplex<f32>>
  return
}

// A constant is on the device from its first use on.
// CHECK-LABEL: func.func @constant
// CHECK: %[[HERE:.*]] = memref.get_global @table : memref<4xf32>
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[HERE]]
// CHECK: call @terrace_gpu_constant(%[[P]], %{{.*}}) : (index, index) -> index
// CHECK: %[[THERE:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xf32>
// CHECK: return %[[THERE]]
func.func @constant() -> memref<4xf32> {
  %table = memref.get_global @table : memref<4xf32>
  return %table : memref<4xf32>
}

// Memory to go on with after an error is there too: so many bytes as come last.
// CHECK-LABEL: func.func @elsewhere
// CHECK-SAME: %{{.*}}: index, %[[N:.*]]: index
// CHECK: memref.alloc(%[[N]])
func.func private @terrace_rt_out_of_bounds(index, index, index) -> memref<?xui8> attributes {llvm.emit_c_interface}
func.func @elsewhere(%at: index, %n: index) -> memref<?xui8> {
  %c0 = arith.constant 0 : index
  %0 = call @terrace_rt_out_of_bounds(%at, %c0, %n) : (index, index, index) -> memref<?xui8>
  return %0 : memref<?xui8>
}
}
