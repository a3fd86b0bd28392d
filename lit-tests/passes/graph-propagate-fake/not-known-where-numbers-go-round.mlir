// RUN: terrace-opt --graph-propagate-fake %s | FileCheck %s

// Expressions do not go round as elements do: with large factors, in narrow integers, as truth values they are not followed.
// CHECK-LABEL: @large_factors
func.func @large_factors(%x: !graph.tensor<?x8xf32>) {
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x8xf32>
  %a = graph.scalar_tensor %n {dtype = i64} : i64
  %c = arith.constant 4294967296 : i64
  %p = graph.mul %a, %c : !graph.tensor<i64>, i64
  %q = graph.mul %p, %c : !graph.tensor<i64>, i64
  // CHECK: graph.item {{.*}}graph.fake = ["s1"]
  %i = graph.item %q : !graph.tensor<i64>
  return
}

// CHECK-LABEL: @narrow
func.func @narrow(%x: !graph.tensor<?x8xf32>) {
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x8xf32>
  %t = graph.scalar_tensor %n {dtype = i64} : i64
  %c = arith.constant dense<[0]> : tensor<1xi8>
  %b = graph.fresh %c : tensor<1xi8>
  %k = arith.constant 256 : i64
  %nk = graph.mul %t, %k : !graph.tensor<i64>, i64
  %num = graph.item %nk : !graph.tensor<i64>
  %eq = graph.eq %b, %num : !graph.tensor<1xi8>, i64
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s1, 1]
  %nz = graph.nonzero %eq : !graph.tensor<1xi1>
  return
}

// CHECK-LABEL: @truth
func.func @truth(%x: !graph.tensor<?x8xf32>) {
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x8xf32>
  %a = graph.scalar_tensor %n {dtype = i1} : i64
  %s = graph.sum %a : !graph.tensor<i1>
  // CHECK: graph.item {{.*}}graph.fake = ["s1"]
  %i = graph.item %s : !graph.tensor<i64>
  return
}

// Numbers that no size is are not followed either, nor is the sign of a truth value.
// CHECK-LABEL: @low
func.func @low() {
  %c = arith.constant dense<[-5000000000000000000, 5]> : tensor<2xi64>
  %t = graph.fresh %c : tensor<2xi64>
  %limit = arith.constant -4700000000000000000 : i64
  %m = graph.lt %t, %limit : !graph.tensor<2xi64>, i64
  // CHECK: graph.nonzero {{.*}}graph.fake = ["i64[s{{[0-9]+}}, 1]
  %nz = graph.nonzero %m : !graph.tensor<2xi1>
  return
}

// CHECK-LABEL: @sign
func.func @sign() {
  %c = arith.constant dense<1> : tensor<i64>
  %z = arith.constant 0 : i64
  %t = graph.fresh %c : tensor<i64>
  %m = graph.gt %t, %z : !graph.tensor<i64>, i64
  %b = graph.item %m : !graph.tensor<i1>
  %e = arith.extsi %b : i1 to i64
  %c3 = arith.constant 3 : i64
  %s = arith.addi %e, %c3 : i64
  // CHECK: graph.zeros {{.*}}graph.fake = ["f32[s0 + 3]
  %o = graph.zeros [%s] {dtype = f32}
  return
}

// Rows side by side are not one after the other.
// CHECK-LABEL: @columns
func.func @columns(%x: !graph.tensor<?x8xf32>) {
  %n = graph.sym_size %x {dim = 0 : i64} : !graph.tensor<?x8xf32>
  %a = graph.scalar_tensor %n {dtype = i64} : i64
  %p = graph.stack %a, %a : !graph.tensor<i64>, !graph.tensor<i64>
  %s = graph.stack %p, %p {dim = 1 : i64} : !graph.tensor<2xi64>, !graph.tensor<2xi64>
  %r = graph.select %s index [0] {dim = 0 : i64} : !graph.tensor<2x2xi64>
  %e = graph.select %r index [1] {dim = 0 : i64} : !graph.tensor<2xi64>
  // CHECK: graph.item {{.*}}graph.fake = ["s1"]
  %i = graph.item %e : !graph.tensor<i64>
  return
}

// CHECK-LABEL: @nothing
func.func @nothing() {
  %one = arith.constant 1 : i64
  // CHECK: graph.full {{.*}}graph.fake = ["i64[1000000000000, 0]
  %t = graph.full [1000000000000, 0], %one {dtype = i64} : i64
  return
}
