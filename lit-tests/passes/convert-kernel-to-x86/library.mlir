// What the runtime does is called with one struct of words: dtypes, ranks, descriptors and numbers.
// RUN: terrace-opt %s --convert-kernel-to-x86 | FileCheck %s

// CHECK-DAG: func.func private @terrace_rt_sort(!llvm.ptr)
// CHECK-DAG: func.func private @terrace_rt_histogram(!llvm.ptr)
// CHECK-DAG: func.func private @terrace_rt_generator_seed() -> i64
// CHECK-DAG: func.func private @terrace_rt_generator_drawn() -> i64
// CHECK-DAG: func.func private @terrace_rt_set_generator(i64, i64)

// CHECK-LABEL: func.func @order
// CHECK: %[[WORDS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(i64, i64, struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64, i64,
// CHECK: %[[BF16:.*]] = arith.constant 514 : i64
// CHECK: llvm.store %[[BF16]]
// CHECK: call @terrace_rt_sort(%[[WORDS]]) : (!llvm.ptr) -> ()
func.func @order(%x: memref<8xbf16>, %v: memref<8xbf16>, %p: memref<8xi64>) {
  loop.sort %x along 0 into %v, %p : memref<8xbf16> into memref<8xbf16>, memref<8xi64>
  return
}

// CHECK-LABEL: func.func @count
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK: call @terrace_rt_histogram
func.func @count(%x: memref<4x2xf32>, %low: f64, %high: f64, %h: memref<10xf32>) {
  loop.histogram %x from %low to %high into %h : memref<4x2xf32> into memref<10xf32>
  return
}

// CHECK-LABEL: func.func @generator
// CHECK: %[[SEED:.*]] = call @terrace_rt_generator_seed() : () -> i64
// CHECK: %[[DRAWN:.*]] = call @terrace_rt_generator_drawn() : () -> i64
// CHECK: call @terrace_rt_set_generator(%[[SEED]], %[[DRAWN]]) : (i64, i64) -> ()
func.func @generator() {
  %seed, %drawn = graph.generator_state
  graph.set_generator_state %seed, %drawn
  return
}
