// RUN: terrace-opt %s --graph-functionalize | FileCheck %s

// Where the mask holds, the element whose number is how often it held before.
// CHECK-LABEL: func.func private @masked_scatter.core
// CHECK: %[[HELD:.*]] = functional._to_copy %{{.*}} {dtype = i64} : tensor<4xi1>
// CHECK: %[[NUMBER:.*]] = functional.cumsum %[[HELD]] {dim = 0 : i64} : tensor<4xi64>
// CHECK: %[[BEFORE:.*]] = functional.sub %[[NUMBER]], %{{.*}}
// CHECK: %[[AT:.*]] = functional.mul %[[BEFORE]], %[[HELD]]
// CHECK: %[[TAKEN:.*]] = functional.index %{{.*}}[%[[AT]]]
// CHECK: functional.where %{{.*}}, %[[TAKEN]], %{{.*}}
func.func @masked_scatter(%x: !graph.tensor<4xf32>, %m: !graph.tensor<4xi1>, %s: !graph.tensor<6xf32>) -> !graph.tensor<4xf32> {
  %0 = graph.masked_scatter %x, %m, %s : !graph.tensor<4xf32>, !graph.tensor<4xi1>, !graph.tensor<6xf32>
  return %0 : !graph.tensor<4xf32>
}

// Half precision in f32, rounded once.
// CHECK-LABEL: func.func private @xlogy.core
// CHECK: %[[X:.*]] = functional._to_copy %{{.*}} {dtype = f32} : tensor<4xf16>
// CHECK: %[[Y:.*]] = functional._to_copy %{{.*}} {dtype = f32} : tensor<4xf16>
// CHECK: functional.log %[[Y]] : tensor<4xf32>
// CHECK: %[[V:.*]] = functional.where %{{.*}}, %[[Y]], %{{.*}}
// CHECK: functional._to_copy %[[V]] {dtype = f16} : tensor<4xf32>
func.func @xlogy(%x: !graph.tensor<4xf16>, %y: !graph.tensor<4xf16>) -> !graph.tensor<4xf16> {
  %0 = graph.xlogy %x, %y : !graph.tensor<4xf16>, !graph.tensor<4xf16>
  return %0 : !graph.tensor<4xf16>
}

// Powers of a number are row-major.
// CHECK-LABEL: func.func @power
// CHECK-NOT: graph.permute
// CHECK: return
func.func @power(%x: !graph.tensor<2x3xf32> {graph.layout = strided<[1, 2], offset: 0>}) -> !graph.tensor<2x3xf32> {
  %two = arith.constant 2.0 : f64
  %0 = graph.pow %two, %x : f64, !graph.tensor<2x3xf32>
  return %0 : !graph.tensor<2x3xf32>
}
