// RUN: terrace-opt %s --convert-graph-boundary-to-memref --split-input-file --verify-diagnostics | FileCheck %s

// Arguments of any strides, then what is to be filled; one that is written is its own result.
// CHECK: func.func private @mine_op(memref<?xf32, strided<[?], offset: ?>>, f64, i8, memref<?x?xi64, strided<[?, ?], offset: ?>>, memref<f64, strided<[], offset: ?>>) attributes {llvm.emit_c_interface}
// CHECK-LABEL: func.func @call(
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<2x2xi64>
// CHECK: %[[X:.*]] = memref.cast %{{.*}} : memref<3xf32, strided<[2], offset: 1>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK: %[[ON:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK: %[[NUMBER:.*]] = memref.alloc() {{.*}} : memref<f64>
// CHECK: call @mine_op(%[[X]], %{{.*}}, %[[ON]], %{{.*}}, %{{.*}})
// CHECK: memref.load %[[NUMBER]][] : memref<f64>
func.func @call(%x: !graph.tensor<3xf32> {graph.layout = strided<[2], offset: 1>}, %k: f64, %on: i1) -> (tensor<3xf32>, tensor<2x2xi64>, f64) {
  %0:3 = graph.custom @mine::@op(%x, %k, %on) {schema = "(Tensor(a!) x, float k, bool on) -> (Tensor(a!), Tensor, float)"} : (!graph.tensor<3xf32>, f64, i1) -> (!graph.tensor<3xf32>, !graph.tensor<2x2xi64>, f64)
  %1 = graph.value %0#0 : !graph.tensor<3xf32>
  %2 = graph.value %0#1 : !graph.tensor<2x2xi64>
  return %1, %2, %0#2 : tensor<3xf32>, tensor<2x2xi64>, f64
}

// -----

func.func @"not-without-a-schema"(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{may do anything, as it has no schema: that is interpreted only; say what it reads and writes}}
  graph.custom @op(%x) : (!graph.tensor<3xf32>) -> ()
  return
}

// -----

// Lists one by one, optional arguments that are there: the name has their numbers.
// CHECK: func.func private @mine_cat_2_0(memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>)
// CHECK: func.func private @mine_cat_1_1(memref<?xf32, strided<[?], offset: ?>>, f64, memref<?xf32, strided<[?], offset: ?>>)
// CHECK-LABEL: func.func @lists(
// CHECK: call @mine_cat_2_0(
// CHECK: call @mine_cat_1_1(
func.func @lists(%x: !graph.tensor<3xf32>, %y: !graph.tensor<2xf32>, %k: f64) -> (tensor<5xf32>, tensor<3xf32>) {
  %0 = graph.custom @mine::@cat(%x, %y) {schema = "(Tensor[] all, float? k) -> Tensor", segments = array<i64: 2, 0>} : (!graph.tensor<3xf32>, !graph.tensor<2xf32>) -> !graph.tensor<5xf32>
  %1 = graph.custom @mine::@cat(%x, %k) {schema = "(Tensor[] all, float? k) -> Tensor", segments = array<i64: 1, 1>} : (!graph.tensor<3xf32>, f64) -> !graph.tensor<3xf32>
  %2 = graph.value %0 : !graph.tensor<5xf32>
  %3 = graph.value %1 : !graph.tensor<3xf32>
  return %2, %3 : tensor<5xf32>, tensor<3xf32>
}

// -----

func.func @"not-a-view-of-an-argument"(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{gives a view of an argument that it does not write: that is interpreted only}}
  %0 = graph.custom @op(%x) {schema = "(Tensor(a) x) -> Tensor(a)"} : (!graph.tensor<3xf32>) -> !graph.tensor<2xf32>
  return
}

// -----

func.func private @op(%x: tensor<3xf32>) {
  return
}

func.func @"not-a-function-of-the-module"(%x: !graph.tensor<3xf32>) {
  // expected-error @+1 {{is computed by a function of the module that takes or gives other types: give both the same}}
  graph.custom @op(%x) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<3xf32>) -> ()
  return
}

// -----

func.func @"not-called-with-other-types"(%x: !graph.tensor<3xf32>, %y: !graph.tensor<3x3xf32>) {
  graph.custom @op(%x) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<3xf32>) -> ()
  // expected-error @+1 {{calls the function op of C with arguments of other types than another operation does}}
  graph.custom @op(%y) {schema = "(Tensor(a!) x) -> ()"} : (!graph.tensor<3x3xf32>) -> ()
  return
}
