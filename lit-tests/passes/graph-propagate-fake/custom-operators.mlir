// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// What a schema says: an argument that is written, a view of one, a new tensor. How they are laid out is the operator's choice.
// CHECK-LABEL: func.func @aliases
// CHECK-SAME: graph.fake = "f32[4] strides [1] storage 0 object 0"
func.func @aliases(%x: !graph.tensor<4xf32>, %k: f64) {
  // CHECK: graph.custom @mine::@scale_{{.*}}graph.fake = ["f32[4] strides [1] storage 0 object 0"]
  %0 = graph.custom @mine::@scale_(%x, %k) {schema = "(Tensor(a!) x, float k) -> Tensor(a!)"} : (!graph.tensor<4xf32>, f64) -> !graph.tensor<4xf32>
  // CHECK: graph.custom @mine::@half{{.*}}graph.fake = ["f32[2] strides [s0] offset s1 storage 0 object 1"]
  %1 = graph.custom @mine::@half(%x) {schema = "(Tensor(a) x) -> Tensor(a)"} : (!graph.tensor<4xf32>) -> !graph.tensor<2xf32>
  // CHECK: graph.custom @mine::@total{{.*}}graph.fake = ["f32[] strides [] offset s2 storage 1 object 2"]
  %2 = graph.custom @mine::@total(%x) {schema = "(Tensor x) -> Tensor"} : (!graph.tensor<4xf32>) -> !graph.tensor<f32>
  return
}

// CHECK-LABEL: func.func @sizes
func.func @sizes(%x: !graph.tensor<?x3xf32>) {
  // CHECK: graph.custom @mine::@twice{{.*}}graph.fake = ["f32[2*s0, 3] strides [3*s2, s2] offset s3
  %0 = graph.custom @mine::@twice(%x) {schema = "(Tensor x) -> Tensor", shape = @twice_shape} : (!graph.tensor<?x3xf32>) -> !graph.tensor<?x3xf32>
  // Where the rows follow one another.
  // CHECK: graph.view {{.*}}graph.guards = [{{.*}}"s1 == 3*s2"
  %1 = graph.view %0 size [-1] : !graph.tensor<?x3xf32>
  return
}
func.func @twice_shape(%n: index, %m: index) -> (index, index) {
  %2 = arith.constant 2 : index
  %twice = arith.muli %n, %2 : index
  return %twice, %m : index, index
}

// What is written has other elements, and numbers are numbers.
// CHECK-LABEL: func.func @written
func.func @written(%x: !graph.tensor<4xf32>) {
  %c = arith.constant dense<[3, 0]> : tensor<2xi64>
  %t = graph.fresh %c : tensor<2xi64>
  %u = graph.fresh %c : tensor<2xi64>
  %0 = graph.custom @mine::@next_(%t, %u) {schema = "(Tensor(a!) x, Tensor y) -> Tensor(a!)"} : (!graph.tensor<2xi64>, !graph.tensor<2xi64>) -> !graph.tensor<2xi64>
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s0, 1]
  %1 = graph.nonzero %t : !graph.tensor<2xi64>
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[1, 1]
  %2 = graph.nonzero %u : !graph.tensor<2xi64>
  // Nobody knows what this one writes.
  graph.custom @anything() : () -> ()
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s1, 1]
  %3 = graph.nonzero %u : !graph.tensor<2xi64>
  // CHECK: graph.custom @mine::@count{{.*}}graph.fake = ["s2"]
  %4 = graph.custom @mine::@count(%x) {schema = "(Tensor x) -> int"} : (!graph.tensor<4xf32>) -> i64
  return
}
