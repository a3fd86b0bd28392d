// RUN: terrace-opt %s --graph-functionalize --convert-graph-boundary-to-memref --split-input-file | FileCheck %s

// A function that goes on with a storage which may have become another size looks for its tensors anew; that of a function that is called may be the
// program's own (2), and may have more bytes (1).
// CHECK: func.func private @terrace_rt_moved(index) -> memref<?xui8> attributes {llvm.emit_c_interface}
// CHECK-LABEL: func.func private @grows(
// CHECK: %[[HOW:.*]] = arith.constant 3 : i64
// CHECK: call @terrace_rt_resize_storage(%{{.*}}, %{{.*}}, %[[HOW]])
func.func private @grows(%x: !graph.tensor<3xf32>) attributes {no_inline} {
  graph.resize_storage %x bytes [32] {at_least} : !graph.tensor<3xf32>
  return
}
func.func private @sine(%x: !graph.tensor<3xf32>) attributes {no_inline} {
  %0 = graph.sin_ %x : !graph.tensor<3xf32>
  return
}
// CHECK-LABEL: func.func @goes_on(
// CHECK-SAME: %[[X:.*]]: memref<3xf32>
// CHECK: call @grows
// CHECK: %[[PLACE:.*]] = memref.extract_aligned_pointer_as_index %[[OWN:.*]] : memref<3xf32, strided<[?], offset: ?>>
// CHECK: %[[ROW:.*]] = call @terrace_rt_moved(%[[PLACE]])
// CHECK: %[[NOW:.*]] = memref.extract_aligned_pointer_as_index %[[ROW]]
// CHECK: %[[STAYS:.*]] = arith.cmpi eq, %[[NOW]], %[[PLACE]]
// CHECK: %[[ANEW:.*]] = scf.if %[[STAYS]]
// CHECK: scf.yield %[[OWN]]
// CHECK: kernel.reinterpret %[[ROW]]
// CHECK: %[[PASSED:.*]] = memref.cast %[[ANEW]]
// CHECK: call @sine(%[[PASSED]])
func.func @goes_on(%x: !graph.tensor<3xf32>) attributes {graph.eager} {
  call @grows(%x) : (!graph.tensor<3xf32>) -> ()
  call @sine(%x) : (!graph.tensor<3xf32>) -> ()
  return
}

// -----

// Others are as they are.
// CHECK-NOT: terrace_rt_moved
// CHECK-LABEL: func.func @"not-anew-where-nothing-moves"(
func.func @"not-anew-where-nothing-moves"(%x: !graph.tensor<3xf32>) attributes {graph.eager} {
  call @sine(%x) : (!graph.tensor<3xf32>) -> ()
  call @sine(%x) : (!graph.tensor<3xf32>) -> ()
  return
}
func.func private @sine(%x: !graph.tensor<3xf32>) attributes {no_inline} {
  %0 = graph.sin_ %x : !graph.tensor<3xf32>
  return
}
