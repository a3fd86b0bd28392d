// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @functional
func.func @functional(%x: tensor<2x3xf32>, %v: tensor<3xf32>, %k: f64, %n: i64) {
  // CHECK: %[[E:.*]] = functional.expand %{{.*}} size [2, 3] : tensor<3xf32>
  // CHECK: functional.add %{{.*}}, %[[E]] : tensor<2x3xf32>, tensor<2x3xf32>
  %0 = functional.expand %v size [2, 3] : tensor<3xf32>
  %1 = functional.add %x, %0 : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK: functional.full %{{.*}} : f64 to tensor<2x3xf32>
  %2 = functional.full %k : f64 to tensor<2x3xf32>
  // CHECK: functional.full %{{.*}} size(%{{.*}}) : f64 to tensor<?x3xf32>
  %3 = functional.full %k size(%n) : f64 to tensor<?x3xf32>
  // CHECK: functional.arange %{{.*}} step %{{.*}} : i64, i64 to tensor<4xi32>
  %4 = functional.arange %n step %n : i64, i64 to tensor<4xi32>
  // CHECK: functional.select_scatter %{{.*}}, %{{.*}} index [1] : tensor<2x3xf32>, tensor<3xf32>
  %5 = functional.select_scatter %x, %v index [1] : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: functional.slice_scatter %{{.*}}, %{{.*}} start [0] end [1] step [1] : tensor<2x3xf32>, tensor<1x3xf32>
  %6 = functional.unsqueeze %v {dim = 0} : tensor<3xf32>
  %7 = functional.slice_scatter %x, %6 start [0] end [1] step [1] {dim = 0} : tensor<2x3xf32>, tensor<1x3xf32>
  // CHECK: functional.as_strided_scatter %{{.*}}, %{{.*}} size [3] stride [2] storage_offset [1] : tensor<2x3xf32>, tensor<3xf32>
  %8 = functional.as_strided_scatter %x, %v size [3] stride [2] storage_offset [1] : tensor<2x3xf32>, tensor<3xf32>
  // CHECK: %[[P:.*]] = functional.eq %{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<2x3xf32>
  // CHECK: functional.logical_not %[[P]] : tensor<2x3xi1>
  %9 = functional.eq %x, %1 : tensor<2x3xf32>, tensor<2x3xf32>
  %10 = functional.logical_not %9 : tensor<2x3xi1>
  // CHECK: functional.special_ndtr %{{.*}} : tensor<2x3xf32>
  %11 = functional.special_ndtr %x : tensor<2x3xf32>
  return
}
