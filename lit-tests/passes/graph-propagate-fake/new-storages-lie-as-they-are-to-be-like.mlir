// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// CHECK-LABEL: func.func @storages(
func.func @storages(%x: !graph.tensor<4x2xf32> {graph.layout = strided<[1, 8], offset: 0>},
                    %image: !graph.tensor<2x3x2x2xf32> {graph.layout = strided<[12, 1, 6, 3], offset: 0>}, %plain: !graph.tensor<2x3x2x2xf32>) {
  // CHECK: graph.new_storage [4, 2] {{.*}}f32[4, 2] strides [2, 1]
  %0 = graph.new_storage [4, 2] {dtype = f32}
  // CHECK: graph.new_storage [4, 2] like {{.*}}f32[4, 2] strides [1, 4]
  %1 = graph.new_storage [4, 2] like %x {dtype = f32} : !graph.tensor<4x2xf32>
  // CHECK: graph.new_storage [4, 2] like {{.*}}f32[4, 2] strides [1, 4]
  %2 = graph.new_storage [4, 2] like %x {dtype = f32, preserve} : !graph.tensor<4x2xf32>
  // CHECK: graph.new_storage [2, 5, 2, 2] like {{.*}}f32[2, 5, 2, 2] strides [20, 1, 10, 5]
  %3 = graph.new_storage [2, 5, 2, 2] like %plain, %image {dtype = f32, suggested = "any"} : !graph.tensor<2x3x2x2xf32>, !graph.tensor<2x3x2x2xf32>
  // CHECK: graph.new_storage [2, 5, 2, 2] like {{.*}}f32[2, 5, 2, 2] strides [20, 4, 2, 1]
  %4 = graph.new_storage [2, 5, 2, 2] like %plain, %image {dtype = f32, suggested = "all"} : !graph.tensor<2x3x2x2xf32>, !graph.tensor<2x3x2x2xf32>
  return
}
