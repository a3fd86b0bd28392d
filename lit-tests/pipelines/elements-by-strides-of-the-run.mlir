// Elements that sizes, strides and an offset of the run name are read and written: the same values compiled and interpreted. Where
// strides do not tell that no element is written twice, it is counted.
// REQUIRES: x86
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "f32", "data": [1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5]}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 5], "strides": [5, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [2, 3], "strides": [3, 1], "offset": 0}, {"storage": "s2", "dtype": "f32", "sizes": [7, 2, 1], "strides": [2, 1, 1], "offset": 0}]}' > %t.0.json
// RUN: terrace-run %s --inputs %t.0.json > %t.compiled
// RUN: terrace-run %s --inputs %t.0.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "f32", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 5], "strides": [5, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [3, 2], "strides": [2, 1], "offset": 0}, {"storage": "s2", "dtype": "f32", "sizes": [2, 3, 0], "strides": [3, 1, 1], "offset": 0}]}' > %t.1.json
// RUN: terrace-run %s --inputs %t.1.json > %t.compiled
// RUN: terrace-run %s --inputs %t.1.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "f32", "data": []}, "s2": {"dtype": "f32", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 5], "strides": [5, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [0, 2], "strides": [2, 1], "offset": 0}, {"storage": "s2", "dtype": "f32", "sizes": [2, 2, 0], "strides": [2, 1, 1], "offset": 0}]}' > %t.2.json
// RUN: terrace-run %s --inputs %t.2.json > %t.compiled
// RUN: terrace-run %s --inputs %t.2.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0]}, "s2": {"dtype": "f32", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 5], "strides": [5, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [1, 2], "strides": [2, 1], "offset": 0}, {"storage": "s2", "dtype": "f32", "sizes": [0, 2, 4], "strides": [8, 4, 1], "offset": 0}]}' > %t.3.json
// RUN: terrace-run %s --inputs %t.3.json > %t.compiled
// RUN: terrace-run %s --inputs %t.3.json --target=interpret > %t.interpreted
// RUN: diff %t.compiled %t.interpreted
// RUN: echo '{"storages": {"s0": {"dtype": "f32", "data": [-2.0, 1.5, -0.5, 3.0, 1.0, -1.0, 2.5, 0.5, -1.5, 2.0, 0.0, -2.0, 1.5, -0.5, 3.0]}, "s1": {"dtype": "f32", "data": [-0.5, 3.0, 1.0, -1.0, 2.5, 0.5]}, "s2": {"dtype": "f32", "data": []}}, "args": [{"storage": "s0", "dtype": "f32", "sizes": [3, 5], "strides": [5, 1], "offset": 0}, {"storage": "s1", "dtype": "f32", "sizes": [3, 2], "strides": [2, 1], "offset": 0}, {"storage": "s2", "dtype": "f32", "sizes": [2, 2, 0], "strides": [2, 1, 1], "offset": 0}]}' > %t.4.json
// RUN: not terrace-run %s --inputs %t.4.json 2>&1 | FileCheck %s --check-prefix=TWICE

// TWICE: writes an element more than once: its sizes and strides overlap
func.func @main(%x: tensor<?x?xf32>, %s: tensor<?x?xf32>, %p: tensor<?x?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d0 = tensor.dim %s, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %s, %c1 : tensor<?x?xf32>
  %n = arith.index_cast %d0 : index to i64
  %m = arith.index_cast %d1 : index to i64
  %d2 = tensor.dim %p, %c0 : tensor<?x?x?xf32>
  %d3 = tensor.dim %p, %c1 : tensor<?x?x?xf32>
  %d4 = tensor.dim %p, %c2 : tensor<?x?x?xf32>
  %a = arith.index_cast %d2 : index to i64
  %b = arith.index_cast %d3 : index to i64
  %at = arith.index_cast %d4 : index to i64
  %0 = functional.as_strided_scatter %x, %s size [%n, %m] stride [%a, %b] storage_offset [%at] : tensor<?x?xf32>, tensor<?x?xf32>
  %1 = functional.as_strided %0 size [%m, %n] stride [%b, %a] storage_offset [%at] : tensor<?x?xf32>
  %one = arith.constant 1 : i64
  %step = arith.maxsi %a, %one : i64
  %2 = functional.slice %x start [-2] end [9223372036854775807] step [%step] {dim = 1 : i64} : tensor<?x?xf32>
  %3 = functional.neg %2 : tensor<?x?xf32>
  %4 = functional.slice_scatter %x, %3 start [-2] end [9223372036854775807] step [%step] {dim = 1 : i64} : tensor<?x?xf32>, tensor<?x?xf32>
  return %0, %1, %4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
