// RUN: terrace-opt %s --graph-functionalize --canonicalize --convert-graph-boundary-to-memref --canonicalize --cse --split-input-file | FileCheck %s

// Tests are calls of the runtime: kind, flags, number of operands; of a tensor dtype, bytes, rank, address, offset, sizes and strides.
// CHECK: func.func private @terrace_rt_assert_writable(index) -> index
// CHECK: func.func private @terrace_rt_check_disjoint(index) -> index
// CHECK-LABEL: func.func @tested
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4xf32>, %[[Y:[a-z0-9]+]]: memref<4xf32, strided<[?], offset: ?>>
// CHECK-SAME: -> (memref<4xf32, strided<[?], offset: ?>> {graph.dtype = f32, graph.told})
// CHECK: %[[WORDS:.*]] = memref.alloca() {{.*}}: memref<19xindex>
// CHECK: %[[AT:.*]] = memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %[[Y]]
// CHECK: memref.store %[[AT]], %[[WORDS]]
// CHECK: memref.store %[[OFFSET]], %[[WORDS]]
// CHECK: memref.store %[[STRIDE]], %[[WORDS]]
// CHECK: %[[CODE:.*]] = call @terrace_rt_assert_writable
// CHECK: %[[REPEATS:.*]] = arith.cmpi ne, %[[CODE]]
// CHECK: cf.assert %[[REPEATS]], "unsupported operation: more than one element of the written-to tensor
// CHECK: cf.assert {{.*}} "unsupported operation: some elements of the input tensor and the written-to tensor
// CHECK: cf.assert {{.*}} "result depends on the order of evaluation: elements of the written-to tensor overlap"
// CHECK: cf.assert {{.*}} "result depends on the order of evaluation: operand 1 overlaps the written-to tensor"
// CHECK: call @terrace_rt_check_disjoint

// What a call has made is freed where it does not leave the block.
// CHECK: scf.if
// CHECK: scf.yield %[[Y]]
// CHECK: %[[COPY:.*]] = func.call @clone(%[[Y]])
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc %[[COPY]]
func.func @tested(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> attributes {graph.eager} {
  graph.assert_writable %x, %y {how = "each", looked_for, compared = array<i1: true>, places = array<i64: 1>} : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %d = graph.check_disjoint %x, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  %r = scf.if %d -> (!graph.tensor<4xf32>) {
    scf.yield %y : !graph.tensor<4xf32>
  } else {
    %0 = func.call @clone(%y) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
    scf.yield %0 : !graph.tensor<4xf32>
  }
  return %r : !graph.tensor<4xf32>
}
func.func private @clone(%y: !graph.tensor<4xf32> {graph.layout = "any"}) -> !graph.tensor<4xf32> attributes {no_inline} {
  %0 = graph.clone %y : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// -----

// Views that strides decide: the runtime says which they have.
// CHECK-LABEL: func.func @seen
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<3x4xf32, strided<[?, ?], offset: ?>>
// CHECK: %[[CAN:.*]] = call @terrace_rt_view
// CHECK: %[[HOLDS:.*]] = arith.cmpi eq, %[[CAN]]
// CHECK: %[[STRIDE:.*]] = memref.load
// CHECK: cf.assert %[[HOLDS]], "view size is not compatible with input tensor's size and stride
// What is refused is a single element, in other memory.
// CHECK: %[[OWN:.*]] = scf.if %[[HOLDS]]
// CHECK-NEXT: scf.yield %[[X]]
// CHECK-NEXT: else
// CHECK: @terrace_rt_out_of_bounds(%{{.*}}, %c0, %c8)
// CHECK: %[[SAFE:.*]] = arith.select %[[HOLDS]], %[[STRIDE]], %c0
// CHECK: memref.reinterpret_cast %[[OWN]] to offset: [%{{.*}}], sizes: [12], strides: [%[[SAFE]]]
// Where the storage has fewer bytes than a view by strides reaches.
// CHECK: %[[NEEDED:.*]] = call @terrace_rt_reach
// CHECK: %[[BYTES:.*]] = call @terrace_rt_storage_bytes
// CHECK: %[[HOLDS:.*]] = arith.cmpi sle, %[[NEEDED]], %[[BYTES]]
// CHECK: %[[OWN:.*]] = scf.if %[[HOLDS]]
// CHECK: scf.yield %[[X]]
// CHECK: else
// CHECK: @terrace_rt_out_of_bounds(%{{.*}}, %[[NEEDED]], %c8)
// CHECK: memref.reinterpret_cast %[[OWN]] to offset: [%{{.*}}], sizes: [2], strides: [%{{.*}}]
// Where an index is out of range.
// CHECK: cf.assert %[[LOW:.*]], "select(): index out of range"
// CHECK: cf.assert %[[HIGH:.*]], "select(): index out of range"
// CHECK: %[[HOLDS:.*]] = arith.andi %[[LOW]], %[[HIGH]]
// CHECK: %[[OWN:.*]] = scf.if %[[HOLDS]]
// CHECK: %[[STRIDE:.*]] = arith.select %[[HOLDS]], %{{.*}}, %c0
// CHECK: %[[OFFSET:.*]] = arith.select %[[HOLDS]], %{{.*}}, %c0
// CHECK: memref.reinterpret_cast %[[OWN]] to offset: [%[[OFFSET]]], sizes: [4], strides: [%[[STRIDE]]]
func.func @seen(%x: !graph.tensor<3x4xf32> {graph.layout = "any"}, %n: i64) -> (!graph.tensor<12xf32>, !graph.tensor<2xf32>, !graph.tensor<4xf32>) attributes {graph.eager} {
  %0 = graph.view %x size [12] : !graph.tensor<3x4xf32>
  %1 = graph.as_strided %x size [2] stride [3] storage_offset [1] : !graph.tensor<3x4xf32>
  %2 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<3x4xf32>
  return %0, %1, %2 : !graph.tensor<12xf32>, !graph.tensor<2xf32>, !graph.tensor<4xf32>
}

// -----

// A way of control flow decides which argument it is.
// CHECK-LABEL: func.func @rounds
// CHECK-SAME: {graph.dtype = f32, graph.told}
// CHECK-SAME: {graph.dtype = f32, graph.same_as = "arg1", graph.told}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[CELL:.*]] = memref.alloca() {{.*}}: memref<1xindex>
// CHECK: memref.store %[[ZERO]], %[[CELL]][%[[ZERO]]]
// CHECK: scf.for
// CHECK: memref.store %[[TWO]], %[[CELL]][%[[ZERO]]]
// CHECK: %[[LAST:.*]] = memref.load %[[CELL]][%[[ZERO]]]
// CHECK: call @terrace_rt_tell_object(%[[ZERO]], %[[LAST]])
// CHECK: call @terrace_rt_tell_object(%[[ONE]], %[[ONE]])
// CHECK-NEXT: return
func.func @rounds(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %z: !graph.tensor<4xf32>, %n: index) -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) attributes {graph.eager} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (!graph.tensor<4xf32>) {
    scf.yield %z : !graph.tensor<4xf32>
  }
  return %r, %y : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// -----

// Sizes of the run: where views lie is arithmetic, and indices are tested.
// CHECK-LABEL: func.func @sized
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<?x?xf32, strided<[?, ?], offset: ?>>, %[[N:[a-z0-9]+]]: i64
// CHECK: %{{.*}}, %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[N]]
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[INDEX]]
// CHECK: %[[END:.*]] = arith.addi %[[INDEX]], %[[SIZES]]#1
// CHECK: %[[AT:.*]] = arith.select %[[BELOW]], %[[END]], %[[INDEX]]
// CHECK: cf.assert %{{.*}}, "select(): index out of range"
// CHECK: cf.assert %{{.*}}, "select(): index out of range"
// CHECK: %[[STEP:.*]] = arith.muli %[[AT]], %[[STRIDES]]#1
// CHECK: %[[FIRST:.*]] = arith.addi %[[OFFSET]], %[[STEP]]
// CHECK: %[[OWN:.*]] = scf.if %[[HOLDS:.*]] ->
// CHECK-NEXT: scf.yield %[[X]]
// CHECK: %[[SIZE:.*]] = arith.select %[[HOLDS]], %[[SIZES]]#0, %c0
// CHECK: %[[STRIDE:.*]] = arith.select %[[HOLDS]], %[[STRIDES]]#0, %c0
// CHECK: %[[AT:.*]] = arith.select %[[HOLDS]], %[[FIRST]], %c0
// CHECK: memref.reinterpret_cast %[[OWN]] to offset: [%[[AT]]], sizes: [%[[SIZE]]], strides: [%[[STRIDE]]]
func.func @sized(%x: !graph.tensor<?x?xf32> {graph.layout = "any"}, %n: i64) -> !graph.tensor<?xf32> attributes {graph.eager} {
  %0 = graph.select %x index [%n] {dim = 1 : i64} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?xf32>
}

// -----

// Conjugates are the same memory; a result says that it is one.
// CHECK-LABEL: func.func @conjugates
// CHECK-SAME: {graph.conj, graph.dtype = complex<f32>}
func.func @conjugates(%x: !graph.tensor<2xcomplex<f32>>) -> (!graph.tensor<2xcomplex<f32>> {graph.conj}) attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<2xcomplex<f32>>
  return %0 : !graph.tensor<2xcomplex<f32>>
}

// -----

// Ways of a function that runs as it is written are calls, too, and no test of sizes.
// CHECK-LABEL: func.func @ways
// CHECK: scf.if
// CHECK: call @sine
// CHECK: else
// CHECK: call @cosine
// CHECK-NOT: cf.assert
func.func @ways(%x: !graph.tensor<2xf32>, %c: i1) -> !graph.tensor<2xf32> attributes {graph.eager} {
  %r = scf.if %c -> (!graph.tensor<2xf32>) {
    %0 = func.call @sine(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
    scf.yield %0 : !graph.tensor<2xf32>
  } else {
    %0 = func.call @cosine(%x) : (!graph.tensor<2xf32>) -> !graph.tensor<2xf32>
    scf.yield %0 : !graph.tensor<2xf32>
  }
  return %r : !graph.tensor<2xf32>
}
func.func private @sine(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> attributes {no_inline} {
  %0 = graph.sin %x : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}
func.func private @cosine(%x: !graph.tensor<2xf32>) -> !graph.tensor<2xf32> attributes {no_inline} {
  %0 = graph.cos %x : !graph.tensor<2xf32>
  return %0 : !graph.tensor<2xf32>
}

// -----

// A number counts as a dimension of one.
// CHECK-LABEL: func.func @windows_of_a_number
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [1], strides: [1]
func.func @windows_of_a_number(%x: !graph.tensor<f32> {graph.layout = "any"}) -> !graph.tensor<1xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<f32>
  %1 = graph.unfold %0 {dimension = 0 : i64, size = 1 : i64, step = 1 : i64} : !graph.tensor<f32>
  return %1 : !graph.tensor<1xf32>
}

// -----

// How what ways decide is seen is told the runtime in bits, and asked of it behind a call: memory is the same.
// CHECK-LABEL: func.func @told
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[CONJ:.*]]: i1, %[[NEG:.*]]: i1
// CHECK-SAME: graph.told_flags
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[A:.*]] = arith.select %[[CONJ]], %[[ONE]], %[[ZERO]]
// CHECK-DAG: %[[B:.*]] = arith.select %[[NEG]], %[[TWO]], %[[ZERO]]
// CHECK: %[[BITS:.*]] = arith.addi %[[A]], %[[B]]
// CHECK: call @terrace_rt_tell_flags(%[[ZERO]], %[[BITS]])
// CHECK-NEXT: return
func.func @told(%x: !graph.tensor<4xf32>, %conj: i1, %neg: i1) -> (!graph.tensor<4xf32> {graph.told_flags}) attributes {graph.eager} {
  graph.tell_flags %conj, %neg result 0
  return %x : !graph.tensor<4xf32>
}
// CHECK-LABEL: func.func @asks
// CHECK: call @told
// CHECK: %[[TOLD:.*]] = call @terrace_rt_told_flags(%[[ZERO:.*]]) : (index) -> index
// CHECK: %[[BIT:.*]] = arith.andi %[[TOLD]], %[[TWO:.*]] : index
// CHECK: arith.cmpi eq, %[[BIT]], %[[TWO]] : index
func.func @asks(%x: !graph.tensor<4xf32>, %c: i1) -> i1 attributes {graph.eager} {
  %0 = func.call @told(%x, %c, %c) : (!graph.tensor<4xf32>, i1, i1) -> !graph.tensor<4xf32>
  %conj, %neg = graph.told_flags %0 result 0 : !graph.tensor<4xf32>
  return %neg : i1
}
