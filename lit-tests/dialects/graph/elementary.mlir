// RUN: terrace-opt %s | terrace-opt | FileCheck %s

// CHECK-LABEL: func.func @functions
func.func @functions(%x: !graph.tensor<4xf32>, %i: !graph.tensor<4xi64>, %k: f64, %n: i64) {
  // CHECK: %[[P:.*]] = graph.pow %{{.*}}, %{{.*}} : i64, !graph.tensor<4xi64>
  // CHECK: graph.bitwise_not %[[P]] : !graph.tensor<4xi64>
  %0 = graph.pow %n, %i : i64, !graph.tensor<4xi64>
  %1 = graph.bitwise_not %0 : !graph.tensor<4xi64>
  // CHECK: %[[S:.*]] = graph.bitwise_left_shift %{{.*}}, %{{.*}} : i64, !graph.tensor<4xi64>
  // CHECK: graph.bitwise_right_shift_ %[[S]], %{{.*}} : !graph.tensor<4xi64>, i64
  %2 = graph.bitwise_left_shift %n, %i : i64, !graph.tensor<4xi64>
  %3 = graph.bitwise_right_shift_ %2, %n : !graph.tensor<4xi64>, i64
  // CHECK: %[[C:.*]] = graph.copysign %{{.*}}, %{{.*}} : !graph.tensor<4xi64>, f64
  // CHECK: graph.erfinv_ %[[C]] : !graph.tensor<4xf32>
  %4 = graph.copysign %i, %k : !graph.tensor<4xi64>, f64
  %5 = graph.erfinv_ %4 : !graph.tensor<4xf32>
  // CHECK: %[[F:.*]] = graph.float_power %{{.*}}, %{{.*}} : f64, !graph.tensor<4xi64>
  // CHECK: graph.sinc %[[F]] : !graph.tensor<4xf64>
  %6 = graph.float_power %k, %i : f64, !graph.tensor<4xi64>
  %7 = graph.sinc %6 : !graph.tensor<4xf64>
  // CHECK: graph.nan_to_num %{{.*}} {nan = 1.000000e+00 : f64} : !graph.tensor<4xf32>
  // CHECK: graph.celu_ %{{.*}} alpha %{{.*}} : f64 : !graph.tensor<4xf32>
  // CHECK: graph.fill_diagonal_ %{{.*}}, %{{.*}} {wrap = true} : !graph.tensor<2x2xf32>, f64
  %8 = graph.nan_to_num %x {nan = 1.0} : !graph.tensor<4xf32>
  %9 = graph.celu_ %x alpha %k : f64 : !graph.tensor<4xf32>
  %10 = graph.view %x size [2, 2] : !graph.tensor<4xf32>
  %11 = graph.fill_diagonal_ %10, %k {wrap = true} : !graph.tensor<2x2xf32>, f64
  // CHECK: %[[G:.*]] = graph.glu %{{.*}} : !graph.tensor<4xf32>
  // CHECK: graph.log_sigmoid_forward %[[G]] : !graph.tensor<2xf32>
  %12 = graph.glu %x : !graph.tensor<4xf32>
  %13:2 = graph.log_sigmoid_forward %12 : !graph.tensor<2xf32>
  // CHECK: graph.put_ %{{.*}}, %{{.*}}, %{{.*}} {accumulate = true} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  // CHECK: %[[T:.*]] = graph.take %{{.*}}, %{{.*}} : !graph.tensor<4xf32>, !graph.tensor<4xi64>
  // CHECK: graph.scatter_.reduce %[[T]], %{{.*}}, %{{.*}} {dim = 0 : i64, reduce = "add"} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  %14 = graph.clone %x : !graph.tensor<4xf32>
  %15 = graph.put_ %x, %i, %14 {accumulate = true} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  %16 = graph.take %x, %i : !graph.tensor<4xf32>, !graph.tensor<4xi64>
  %17 = graph.scatter_.reduce %16, %i, %14 {dim = 0, reduce = "add"} : !graph.tensor<4xf32>, !graph.tensor<4xi64>, !graph.tensor<4xf32>
  // CHECK: %[[N:.*]] = graph.special_ndtr %{{.*}} : !graph.tensor<4xi64>
  // CHECK: graph.special_ndtr %[[N]] : !graph.tensor<4xf32>
  %18 = graph.special_ndtr %i : !graph.tensor<4xi64>
  %19 = graph.special_ndtr %18 : !graph.tensor<4xf32>
  return
}
