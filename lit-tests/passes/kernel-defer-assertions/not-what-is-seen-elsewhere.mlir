// RUN: terrace-opt %s --kernel-defer-assertions | FileCheck %s

// The flag is handed on.
kernel.func @check(%i: memref<64xi64>, %n: i64, %flag: memref<i8>) grid(%g in 1) {
  %c0 = arith.constant 0 : index
  %t = kernel.load %i[%c0 : 64] : memref<64xi64>
  %high = tensor.splat %n : tensor<64xi64>
  %inside = arith.cmpi ult, %t, %high : tensor<64xi64>
  %all = kernel.reduce and %inside : tensor<64xi1>
  %byte = arith.extui %all : i1 to i8
  memref.store %byte, %flag[] : memref<i8>
  kernel.return
}

// CHECK-LABEL: func.func @main(
// CHECK: kernel.launch
// CHECK: cf.assert %{{.*}}, "first"
// CHECK: kernel.launch
func.func @main(%i: memref<64xi64>, %m: i64, %n: i64) {
  %zero = arith.constant 0 : i8
  %flag = memref.alloc() : memref<i8>
  kernel.launch @check grid [1](%i, %m, %flag) : memref<64xi64>, i64, memref<i8>
  %a = memref.load %flag[] : memref<i8>
  %first = arith.cmpi ne, %a, %zero : i8
  cf.assert %first, "first" {loop.any_time}
  kernel.launch @check grid [1](%i, %n, %flag) : memref<64xi64>, i64, memref<i8>
  %b = memref.load %flag[] : memref<i8>
  %second = arith.cmpi ne, %b, %zero : i8
  cf.assert %second, "second" {loop.any_time}
  func.call @take(%flag) : (memref<i8>) -> ()
  return
}
func.func private @take(memref<i8>)
