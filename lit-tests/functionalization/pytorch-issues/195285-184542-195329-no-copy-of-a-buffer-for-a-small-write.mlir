// RUN: terrace-opt %s --terrace-to-functional | FileCheck %s --check-prefix=FUNCTIONAL
// RUN: terrace-opt %s --terrace-to-loop | FileCheck %s --check-prefix=LOOP

// Rows of a large buffer are written: no copy of the buffer is made for that (pytorch/pytorch issues 195285, 184542, 195329).
// Where the rows alone are read again, they alone are values.
// FUNCTIONAL-LABEL: func.func private @rows.core(
// FUNCTIONAL-NOT: _scatter
// FUNCTIONAL-LABEL: func.func @rows(
// FUNCTIONAL: graph.write_back %{{.*}} : tensor<2x64xf32>
// FUNCTIONAL: graph.write_back %{{.*}} : tensor<64xf32>
// LOOP-LABEL: func.func @rows(
// LOOP-NOT: {{alloc|copy}}{{.*}}memref<65536x64xf32>
// LOOP: return
func.func @rows(%buffer: !graph.tensor<65536x64xf32> {graph.storage = "buffer"}, %x: !graph.tensor<2x64xf32> {graph.storage = "x"}) -> !graph.tensor<64xf32> {
  %at = graph.slice %buffer start [100] end [102] step [1] : !graph.tensor<65536x64xf32>
  %w = graph.copy_ %at, %x : !graph.tensor<2x64xf32>, !graph.tensor<2x64xf32>
  %row = graph.select %buffer index [7] : !graph.tensor<65536x64xf32>
  %v = graph.mul_ %row, %row : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  %s = graph.sum %at {dim = array<i64: 0>} : !graph.tensor<2x64xf32>
  return %s : !graph.tensor<64xf32>
}

// Where all of it is read afterwards, scatters write into it.
// FUNCTIONAL-LABEL: func.func private @all.core(
// FUNCTIONAL-SAME: tensor<65536x64xf32> {functional.donated = 1 : i64}
// FUNCTIONAL: functional.slice_scatter {{.*}}functional.in_place = 0 : i64
// FUNCTIONAL: functional.select_scatter {{.*}}functional.in_place = 0 : i64
// FUNCTIONAL-LABEL: func.func @all(
// LOOP-LABEL: func.func @all(
// LOOP-NOT: {{alloc|copy}}{{.*}}memref<65536x64xf32>
// LOOP: return
func.func @all(%buffer: !graph.tensor<65536x64xf32> {graph.storage = "buffer"}, %x: !graph.tensor<2x64xf32> {graph.storage = "x"}) -> !graph.tensor<64xf32> {
  %at = graph.slice %buffer start [100] end [102] step [1] : !graph.tensor<65536x64xf32>
  %w = graph.copy_ %at, %x : !graph.tensor<2x64xf32>, !graph.tensor<2x64xf32>
  %row = graph.select %buffer index [7] : !graph.tensor<65536x64xf32>
  %v = graph.mul_ %row, %row : !graph.tensor<64xf32>, !graph.tensor<64xf32>
  %s = graph.sum %buffer {dim = array<i64: 0>} : !graph.tensor<65536x64xf32>
  return %s : !graph.tensor<64xf32>
}
