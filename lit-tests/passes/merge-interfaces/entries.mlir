// RUN: terrace-opt %s --merge-interfaces | FileCheck %s

llvm.func @g(!llvm.ptr, i64)

// Parts of descriptors are loaded where they are used, results stored part by part, whatever was put together in which order.
// CHECK-NOT: llvm.func @f(
// CHECK-LABEL: llvm.func @_mlir_ciface_f(
// CHECK-SAME: %[[TO:.*]]: !llvm.ptr, %[[FROM:.*]]: !llvm.ptr, %[[N:.*]]: i64) attributes
// CHECK-NOT: llvm.load
// CHECK: llvm.call @g(%{{.*}}, %[[N]])
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[FROM]][0, 1]
// CHECK-NEXT: %[[X:.*]] = llvm.load %[[AT]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: llvm.call @g(%[[X]], %[[N]])
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[FROM]][0, 3, 0]
// CHECK-NEXT: %[[M:.*]] = llvm.load %[[AT]] : !llvm.ptr -> i64
// CHECK-NEXT: %[[SUM:.*]] = llvm.add %[[M]], %[[N]]
// CHECK-NOT: llvm.insertvalue
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[TO]][0, 1]
// CHECK-NEXT: llvm.store %[[N]], %[[AT]]
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[TO]][0, 0, 1]
// CHECK-NEXT: llvm.store %[[SUM]], %[[AT]]
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[TO]][0, 0, 0]
// CHECK-NEXT: llvm.store %{{.*}}, %[[AT]]
// CHECK-NEXT: llvm.return
llvm.func @f(%a: !llvm.ptr {llvm.noalias}, %x: !llvm.ptr, %m: i64, %n: i64) -> !llvm.struct<(struct<(ptr, i64)>, i64)> attributes {llvm.emit_c_interface} {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.call @g(%null, %n) : (!llvm.ptr, i64) -> ()
  llvm.call @g(%x, %n) : (!llvm.ptr, i64) -> ()
  %sum = llvm.add %m, %n : i64
  %0 = llvm.mlir.poison : !llvm.struct<(ptr, i64)>
  %1 = llvm.insertvalue %sum, %0[1] : !llvm.struct<(ptr, i64)>
  %2 = llvm.insertvalue %null, %1[0] : !llvm.struct<(ptr, i64)>
  %3 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, i64)>, i64)>
  %4 = llvm.insertvalue %n, %3[1] : !llvm.struct<(struct<(ptr, i64)>, i64)>
  %5 = llvm.insertvalue %2, %4[0] : !llvm.struct<(struct<(ptr, i64)>, i64)>
  llvm.return %5 : !llvm.struct<(struct<(ptr, i64)>, i64)>
}
llvm.func @_mlir_ciface_f(%to: !llvm.ptr, %from: !llvm.ptr {llvm.noalias}, %n: i64) attributes {llvm.emit_c_interface} {
  %0 = llvm.load %from : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %2 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %3 = llvm.extractvalue %0[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %4 = llvm.call @f(%1, %2, %3, %n) : (!llvm.ptr, !llvm.ptr, i64, i64) -> !llvm.struct<(struct<(ptr, i64)>, i64)>
  llvm.store %4, %to : !llvm.struct<(struct<(ptr, i64)>, i64)>, !llvm.ptr
  llvm.return
}

// A single number is returned, and what a loop needs is loaded once.
// CHECK-NOT: llvm.func @number(
// CHECK-LABEL: llvm.func @_mlir_ciface_number(
// CHECK-SAME: %[[FROM:.*]]: !llvm.ptr) -> i64
// CHECK-NEXT: %[[AT:.*]] = llvm.getelementptr %[[FROM]][0, 1]
// CHECK-NEXT: %[[N:.*]] = llvm.load %[[AT]]
// CHECK: ^[[LOOP:.*]]({{.*}}):
// CHECK-NOT: llvm.load
// CHECK: llvm.icmp "slt" %{{.*}}, %[[N]]
// CHECK: llvm.return %{{.*}} : i64
llvm.func @number(%n: i64) -> i64 attributes {llvm.emit_c_interface} {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%one : i64)
^loop(%i: i64):
  %next = llvm.add %i, %one : i64
  %goes = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %goes, ^loop(%next : i64), ^end
^end:
  llvm.return %next : i64
}
llvm.func @_mlir_ciface_number(%from: !llvm.ptr) -> i64 attributes {llvm.emit_c_interface} {
  %0 = llvm.load %from : !llvm.ptr -> !llvm.struct<(ptr, i64)>
  %1 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, i64)>
  %2 = llvm.call @number(%1) : (i64) -> i64
  llvm.return %2 : i64
}
