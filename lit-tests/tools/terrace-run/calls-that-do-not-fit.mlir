// Sizes, numbers and indices that do not fit are refused, compiled as interpreted, before anything is written beyond memory.

// RUN: not terrace-run %s --entry=scatter --arg '[1, 2, 3, 4]' --arg '[1, 2, 3, 4, 5, 6, 7, 8, 9]' --arg 0 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not terrace-run %s --entry=scatter --target=interpret --arg '[1, 2, 3, 4]' --arg '[1, 2, 3, 4, 5, 6, 7, 8, 9]' --arg 0 2>&1 | FileCheck %s --check-prefix=SCATTER
// SCATTER: error: 'graph.slice_scatter' op expected src to have a size equal to the slice of self. src size = [9], slice size = [4]
// RUN: not terrace-run %s --entry=scatter --arg '[1, 2, 3, 4]' --arg '[1, 2]' --arg 3 2>&1 | FileCheck %s --check-prefix=BEHIND
// BEHIND: error: 'graph.slice_scatter' op expected src to have a size equal to the slice of self. src size = [2], slice size = [1]
func.func @scatter(%x: !graph.tensor<?xf32>, %s: !graph.tensor<?xf32>, %a: i64) -> !graph.tensor<?xf32> {
  %n = graph.slice_scatter %x, %s start [%a] end [9223372036854775807] step [1] : !graph.tensor<?xf32>, !graph.tensor<?xf32>
  return %n : !graph.tensor<?xf32>
}

// The number of bins is one more than the largest element.
// RUN: not terrace-run %s --entry=bins --arg '[1, 9223372036854775807, 3]' 2>&1 | FileCheck %s --check-prefix=BINS
// BINS: error: @bins: no memory for 9223372036854775807 bytes
// RUN: not terrace-run %s --entry=bins --target=interpret --arg '[1, 9223372036854775807, 3]' 2>&1 | FileCheck %s --check-prefix=INTERPRETED-BINS
// INTERPRETED-BINS: error: 'graph.bincount' op a i64 tensor of sizes [9223372036854775807] is larger than any memory
func.func @bins(%x: !graph.tensor<3xi64>) -> !graph.tensor<?xi64> {
  %n = graph.bincount %x : !graph.tensor<3xi64>
  return %n : !graph.tensor<?xi64>
}

// -2^63 is a number like any other.
// RUN: not terrace-run %s --entry=part --arg '[1, 2]' --arg=-9223372036854775808 --arg 8 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not terrace-run %s --entry=part --target=interpret --arg '[1, 2]' --arg=-9223372036854775808 --arg 8 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: 'graph.narrow' op start out of range (expected to be in range of [-2, 2]
func.func @part(%x: !graph.tensor<?xf32>, %a: i64, %b: i64) -> !graph.tensor<?xf32> {
  %r = graph.narrow %x start [%a] length [%b] {dim = 0 : i64} : !graph.tensor<?xf32>
  return %r : !graph.tensor<?xf32>
}

// Rows without elements have numbers all the same.
// RUN: not terrace-run %s --entry=rows --inputs %S/Inputs/rows-without-elements.json 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: @rows: index is out of bounds for dimension 0 with size
// RUN: not terrace-run %s --entry=rows --target=interpret --inputs %S/Inputs/rows-without-elements.json 2>&1 | FileCheck %s --check-prefix=INTERPRETED-ROWS
// INTERPRETED-ROWS: error: 'graph.index_select' op index out of range in self
func.func @rows(%x: !graph.tensor<?x?xf32>, %i: !graph.tensor<?xi64>) -> !graph.tensor<?x?xf32> {
  %r = graph.index_select %x, %i {dim = 0 : i64} : !graph.tensor<?x?xf32>, !graph.tensor<?xi64>
  return %r : !graph.tensor<?x?xf32>
}

// A part reaches beyond its tensor by strides of the run.
// RUN: not terrace-run %s --entry=strided --arg '[1, 2, 3, 4]' --arg '[1, 2]' --arg 4 2>&1 | FileCheck %s --check-prefix=STRIDED
// STRIDED: error: @strided: sizes, strides and offset reach beyond the elements of the operand
func.func @strided(%x: !graph.tensor<4xf32>, %s: !graph.tensor<2xf32>, %a: i64) -> !graph.tensor<4xf32> {
  %r = graph.as_strided_scatter %x, %s size [2] stride [%a] storage_offset [0] : !graph.tensor<4xf32>, !graph.tensor<2xf32>
  return %r : !graph.tensor<4xf32>
}

// Half precision does not hold the squares: what is summed is wider.
// RUN: terrace-run %s --entry=norm --arg '[300, 400]' | FileCheck %s --check-prefix=NORM
// NORM-COUNT-2: "data": [500.0]
// NORM: "data": [5000.0]
func.func @norm(%x: !graph.tensor<2xf32>) -> (!graph.tensor<f16>, !graph.tensor<f16>, !graph.tensor<f16>) {
  %h = graph._to_copy %x {dtype = f16} : !graph.tensor<2xf32>
  %two = arith.constant 2 : i64
  %0 = graph.linalg_vector_norm %h ord %two : i64 : !graph.tensor<2xf16>
  %1 = graph.linalg_vector_norm %h : !graph.tensor<2xf16>
  %2 = graph.var %h : !graph.tensor<2xf16>
  return %0, %1, %2 : !graph.tensor<f16>, !graph.tensor<f16>, !graph.tensor<f16>
}
