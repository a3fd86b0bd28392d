// RUN: terrace-opt %s --merge-interfaces | FileCheck %s

// Somebody else calls it.
// CHECK: llvm.func @shared(
// CHECK: llvm.call @shared(
// CHECK: llvm.call @shared(
llvm.func @shared(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @_mlir_ciface_shared(%n: i64) -> i64 {
  %0 = llvm.call @shared(%n) : (i64) -> i64
  llvm.return %0 : i64
}
llvm.func @other(%n: i64) -> i64 {
  %0 = llvm.call @shared(%n) : (i64) -> i64
  llvm.return %0 : i64
}

// An interface that has an interface.
// CHECK: llvm.func @_mlir_ciface_inner(
// CHECK: llvm.func @_mlir_ciface__mlir_ciface_inner(
// CHECK: llvm.call @_mlir_ciface_inner(
llvm.func @inner(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @_mlir_ciface_inner(%n: i64) -> i64 {
  %0 = llvm.call @inner(%n) : (i64) -> i64
  llvm.return %0 : i64
}
llvm.func @_mlir_ciface__mlir_ciface_inner(%n: i64) -> i64 {
  %0 = llvm.call @_mlir_ciface_inner(%n) : (i64) -> i64
  llvm.return %0 : i64
}

// It has loops of its own, and says which arguments are disjoint.
// CHECK: llvm.func @loops(
// CHECK: llvm.call @loops(
llvm.func @loops(%x: !llvm.ptr {llvm.noalias}) attributes {passthrough = ["terrace-loops", "noinline"]} {
  llvm.return
}
llvm.func @_mlir_ciface_loops(%x: !llvm.ptr) {
  llvm.call @loops(%x) : (!llvm.ptr) -> ()
  llvm.return
}

// Interfaces of another kind: what is called with is no part of a descriptor, or the result goes elsewhere.
// CHECK: llvm.func @sum(
// CHECK: llvm.call @sum(
llvm.func @sum(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @_mlir_ciface_sum(%n: i64) -> i64 {
  %0 = llvm.add %n, %n : i64
  %1 = llvm.call @sum(%0) : (i64) -> i64
  llvm.return %1 : i64
}
// CHECK: llvm.func @more(
// CHECK: llvm.call @somebody_elses(
// CHECK: llvm.call @more(
llvm.func @somebody_elses()
llvm.func @more(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @_mlir_ciface_more(%n: i64) -> i64 {
  llvm.call @somebody_elses() : () -> ()
  %0 = llvm.call @more(%n) : (i64) -> i64
  llvm.return %0 : i64
}
// CHECK: llvm.func @twice(
// CHECK: llvm.call @twice(
llvm.func @twice(%n: i64) -> i64 {
  llvm.return %n : i64
}
llvm.func @_mlir_ciface_twice(%n: i64) -> i64 {
  %0 = llvm.call @twice(%n) : (i64) -> i64
  %1 = llvm.add %0, %0 : i64
  llvm.return %1 : i64
}
