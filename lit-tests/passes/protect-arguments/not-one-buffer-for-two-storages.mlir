// RUN: terrace-opt %s --protect-arguments | FileCheck %s

// CHECK-LABEL: func.func @storages(
// CHECK-SAME: %[[VALUE:[a-z0-9]+]]: tensor
// CHECK: %[[FIRST:.*]] = bufferization.to_buffer %[[VALUE]]
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[VALUE]])
// CHECK: %[[SECOND:.*]] = bufferization.to_buffer %[[COPY]]
// CHECK: bufferization.to_buffer %[[VALUE]] read_only
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @storages(%value: tensor<4xf32>) -> (memref<4xf32>, memref<4xf32>, f32) {
  %0 = bufferization.to_buffer %value {storage = 0 : index} : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_buffer %value {storage = 1 : index} : tensor<4xf32> to memref<4xf32>
  %2 = bufferization.to_buffer %value read_only : tensor<4xf32> to memref<4xf32>
  %at = arith.constant 0 : index
  %3 = memref.load %2[%at] : memref<4xf32>
  return %0, %1, %3 : memref<4xf32>, memref<4xf32>, f32
}
