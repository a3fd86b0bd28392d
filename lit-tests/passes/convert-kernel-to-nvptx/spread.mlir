// A tile is spread over threads: how much each holds, where it lies, what is aligned, who stores.
// RUN: terrace-opt %s -kernel-assign-layouts -convert-kernel-to-nvptx -canonicalize -cse | FileCheck %s

// CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_90">]
// CHECK: gpu.func @scale(%[[X:.*]]: memref<2x3x1024xf32> {llvm.noalias}, %[[Y:.*]]: memref<2x3x1024xf32>, %[[K:.*]]: f32)
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[B:.*]] = gpu.block_id x
// CHECK: %[[J:.*]] = arith.remui %[[B]], %[[C3]]
// CHECK: %[[I:.*]] = arith.divui %[[B]], %[[C3]]
// CHECK: %[[E:.*]] = arith.muli %[[T]], %[[C4]]
// CHECK: %[[A:.*]] = vector.load %[[X]][%[[I]], %[[J]], %[[E]]] {alignment = 16 : i64} : memref<2x3x1024xf32>, vector<4xf32>
// CHECK: arith.mulf %[[A]], %{{.*}} : vector<4xf32>
// CHECK: vector.store %{{.*}}, %[[Y]][%[[I]], %[[J]], %[[E]]] {alignment = 16 : i64}
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
kernel.func @scale(%x: memref<2x3x1024xf32>, %y: memref<2x3x1024xf32>, %k: f32) grid(%i in 2, %j in 3) {
  %c0 = arith.constant 0 : index
  %kt = tensor.splat %k : tensor<1024xf32>
  %a = kernel.load %x[%i, %j, %c0 : 1024] : memref<2x3x1024xf32>
  %b = arith.mulf %a, %kt : tensor<1024xf32>
  kernel.store %b, %y[%i, %j, %c0 : 1024] : tensor<1024xf32>, memref<2x3x1024xf32>
  kernel.return
}

// Rows of 1002: only every second starts at a multiple of 16 bytes. The name is spelled for PTX.
// CHECK: gpu.func @off_by_two(
// CHECK: vector.load {{.*}} {alignment = 8 : i64} : memref<4x1002xf32>, vector<4xf32>
kernel.func @off.by_two(%x: memref<4x1002xf32>, %y: memref<4x1024xf32>) grid(%i in 4) {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%i, %c0 : 512] : memref<4x1002xf32>
  kernel.store %a, %y[%i, %c0 : 512] : tensor<512xf32>, memref<4x1024xf32>
  kernel.return
}

// Twenty elements, one a thread; of 32 threads the last twelve have copies, and store nothing.
// CHECK: gpu.func @few(
// CHECK-DAG: %[[C20:.*]] = arith.constant 20 : index
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[E:.*]] = arith.remui %[[T]], %[[C20]]
// CHECK: %[[A:.*]] = vector.load %{{.*}}[%[[E]]] : memref<20xf32>, vector<1xf32>
// CHECK: %[[OWN:.*]] = arith.cmpi ult, %[[T]], %[[C20]]
// CHECK: scf.if %[[OWN]] {
// CHECK-NEXT: vector.store %[[A]], %{{.*}}[%[[E]]]
kernel.func @few(%x: memref<20xf32>, %y: memref<20xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 20] : memref<20xf32>
  kernel.store %a, %y[%c0 : 20] : tensor<20xf32>, memref<20xf32>
  kernel.return
}

// A larger tile wraps round: neighbouring threads touch neighbouring memory, 128 bits each. How much is there is asked
// of each vector.
// CHECK: gpu.func @wraps(
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[FIRST:.*]] = arith.muli %[[T]], %[[C4]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[FIRST]], %[[C256]]
// CHECK: vector.load %{{.*}}[%[[FIRST]]] {alignment = 16 : i64} : memref<512xf32>, vector<4xf32>
// CHECK: vector.load %{{.*}}[%[[SECOND]]] {alignment = 16 : i64} : memref<512xf32>, vector<4xf32>
// CHECK: vector.create_mask
// CHECK: vector.maskedstore %{{.*}}[%[[FIRST]]]
// CHECK: vector.create_mask
// CHECK: vector.maskedstore %{{.*}}[%[[SECOND]]]
kernel.func @wraps(%x: memref<512xf32>, %y: memref<512xf32>, %n: index) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 512] layout <threads = [64], vector = [4]> : memref<512xf32>
  kernel.store %a, %y[%c0 : 512] valid(%n) : tensor<512xf32, #kernel.layout<threads = [64], vector = [4]>>, memref<512xf32>
  kernel.return
}

// Two dimensions: a warp a row, or a vector down a column, one element at a time.
// CHECK: gpu.func @rows(
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: %[[ROW:.*]] = arith.divui %[[T]], %[[C32]]
// CHECK: %[[BELOW:.*]] = arith.addi %[[ROW]]
// CHECK: %[[LANE:.*]] = arith.remui %[[T]], %[[C32]]
// CHECK: %[[COLUMN:.*]] = arith.muli %[[LANE]]
// CHECK: vector.load %{{.*}}[%[[ROW]], %[[COLUMN]]] {alignment = 16 : i64} : memref<4x128xf32>, vector<4xf32>
// CHECK: vector.load %{{.*}}[%[[BELOW]], %[[COLUMN]]] {alignment = 16 : i64} : memref<4x128xf32>, vector<4xf32>
// CHECK-COUNT-4: vector.load %{{.*}} : memref<128x4xf32>, vector<1xf32>
kernel.func @rows(%x: memref<4x128xf32>, %y: memref<128x4xf32>) grid() {
  %c0 = arith.constant 0 : index
  %a = kernel.load %x[%c0 : 4, %c0 : 128] layout <threads = [2, 32], vector = [1, 4]> : memref<4x128xf32>
  %b = kernel.load %y[%c0 : 128, %c0 : 4] layout <threads = [16, 4], vector = [4, 1], order = [0, 1]> : memref<128x4xf32>
  kernel.store %b, %y[%c0 : 128, %c0 : 4] : tensor<128x4xf32, #kernel.layout<threads = [16, 4], vector = [4, 1], order = [0, 1]>>, memref<128x4xf32>
  kernel.store %a, %x[%c0 : 4, %c0 : 128] : tensor<4x128xf32, #kernel.layout<threads = [2, 32], vector = [1, 4]>>, memref<4x128xf32>
  kernel.return
}

// CHECK: func.func @main(
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK: gpu.launch_func @kernels::@scale blocks in (%[[C6]], %[[C1]], %[[C1]]) threads in (%[[C256]], %[[C1]], %[[C1]])
// CHECK-NOT: kernel.launch
func.func @main(%x: memref<2x3x1024xf32>, %k: f32) {
  %y = memref.alloc() : memref<2x3x1024xf32>
  kernel.launch @scale grid [2, 3] (%x, %y, %k) : memref<2x3x1024xf32>, memref<2x3x1024xf32>, f32
  memref.dealloc %y : memref<2x3x1024xf32>
  return
}
