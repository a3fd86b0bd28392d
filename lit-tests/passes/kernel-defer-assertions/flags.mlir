// RUN: terrace-opt %s --kernel-defer-assertions | FileCheck %s

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

// One buffer is used for both flags; each has a place of its own then.
// CHECK-LABEL: func.func @main(
// CHECK: %[[THERE:.*]] = memref.alloc() {{.*}}: memref<32xi8>
// CHECK: %[[HERE:.*]] = memref.alloca() {{.*}}: memref<32xi8>
// CHECK-NOT: memref.alloc
// CHECK: %[[A:.*]] = memref.view %[[THERE]][%c0][]
// CHECK-NEXT: kernel.launch @check grid [1](%{{.*}}, %{{.*}}, %[[A]])
// CHECK-NOT: memref.load
// CHECK: %[[B:.*]] = memref.view %[[THERE]][%c16][]
// CHECK-NEXT: kernel.launch @check grid [1](%{{.*}}, %{{.*}}, %[[B]])
// CHECK: memref.copy %[[THERE]], %[[HERE]]
// CHECK: memref.view %[[HERE]][%c0
// CHECK: cf.assert %{{.*}}, "first" {loop.any_time}
// CHECK: memref.view %[[HERE]][%c16
// CHECK: cf.assert %{{.*}}, "second" {loop.any_time}
// CHECK-NEXT: return
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
  return
}
