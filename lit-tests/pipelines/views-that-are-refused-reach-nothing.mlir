// A view that is refused when the function runs reads and writes no memory but its own: the error is there, and the process goes on.
// REQUIRES: x86
// DEFINE: %{x} = {"storage": "x", "sizes": [3]}
// DEFINE: %{inputs} = {"storages": {"x": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [%{x}
// RUN: echo '%{inputs}, 2000000000, 1]}' > %t.far.json
// RUN: echo '%{inputs}, -4000000000, 1]}' > %t.before.json
// RUN: echo '%{inputs}, 1, -50000000]}' > %t.negative.json
// RUN: echo '%{inputs}, 0, 0]}' > %t.none.json
// RUN: echo '%{inputs}, 4611686018427387904, 4611686018427387904]}' > %t.huge.json

// RUN: not terrace-run %s --entry selected --inputs %t.far.json 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not terrace-run %s --entry selected --inputs %t.far.json --target=interpret 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not terrace-run %s --entry selected --inputs %t.before.json 2>&1 | FileCheck %s --check-prefix=SELECT
// SELECT: select(): index {{.*}}out of range
func.func @selected(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) {
  %r = graph.resize_ %x size [3] : !graph.tensor<?xf32>
  %0 = graph.select %r index [%n] {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.exp_ %0 : !graph.tensor<f32>
  return
}

// RUN: not terrace-run %s --entry narrowed --inputs %t.far.json 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not terrace-run %s --entry narrowed --inputs %t.far.json --target=interpret 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not terrace-run %s --entry narrowed --inputs %t.huge.json 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not terrace-run %s --entry narrowed --inputs %t.negative.json 2>&1 | FileCheck %s --check-prefix=LENGTH
// NARROW: {{start \+ length exceeds dimension size|start out of range}}
// LENGTH: narrow(): length must be non-negative
func.func @narrowed(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) {
  %r = graph.resize_ %x size [3] : !graph.tensor<?xf32>
  %0 = graph.narrow %r start [%n] length [%m] {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.exp_ %0 : !graph.tensor<?xf32>
  return
}

// RUN: not terrace-run %s --entry sliced --inputs %t.none.json 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not terrace-run %s --entry sliced --inputs %t.none.json --target=interpret 2>&1 | FileCheck %s --check-prefix=SLICE
// SLICE: slice step must be positive
func.func @sliced(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) {
  %r = graph.resize_ %x size [3] : !graph.tensor<?xf32>
  %three = arith.constant 3 : i64
  %0 = graph.slice %r start [%n] end [%three] step [%m] {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.exp_ %0 : !graph.tensor<?xf32>
  return
}

// RUN: not terrace-run %s --entry expanded --inputs %t.negative.json 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: invalid shape dimension
func.func @expanded(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) -> !graph.tensor<?x3xf32> {
  %r = graph.resize_ %x size [3] : !graph.tensor<?xf32>
  %0 = graph.expand %r size [%m, 3] : !graph.tensor<3xf32>
  %1 = graph.exp %0 : !graph.tensor<?x3xf32>
  return %1 : !graph.tensor<?x3xf32>
}

// RUN: not terrace-run %s --entry strided --inputs %t.negative.json 2>&1 | FileCheck %s --check-prefix=STRIDED
// RUN: not terrace-run %s --entry strided --inputs %t.negative.json --target=interpret 2>&1 | FileCheck %s --check-prefix=STRIDED
// RUN: not terrace-run %s --entry apart --inputs %t.huge.json 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not terrace-run %s --entry apart --inputs %t.huge.json --target=interpret 2>&1 | FileCheck %s --check-prefix=APART
// STRIDED: Trying to create tensor with negative dimension
// APART: out of bounds for storage of size 12
func.func @strided(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) -> !graph.tensor<?xf32> {
  %0 = graph.as_strided %x size [%m] stride [1] storage_offset [0] : !graph.tensor<?xf32>
  %1 = graph.exp %0 : !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}
func.func @apart(%x: !graph.tensor<?xf32> {graph.layout = "any"}, %n: i64, %m: i64) -> !graph.tensor<2xf32> {
  %0 = graph.as_strided %x size [2] stride [%m] storage_offset [0] : !graph.tensor<?xf32>
  %1 = graph.exp %0 : !graph.tensor<2xf32>
  return %1 : !graph.tensor<2xf32>
}

// Of a tensor of which everything is known but the index, in a function that runs as it is written for another one.
// RUN: echo '{"storages": {"w": {"dtype": "f32", "data": [1, 2, 3]}, "x": {"dtype": "f32", "data": [1, 2, 3]}}, "args": [{"storage": "w", "sizes": [3]}, %{x}, 2000000000]}' > %t.known.json
// RUN: not terrace-run %s --entry known --inputs %t.known.json 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: not terrace-run %s --entry known --inputs %t.known.json --target=interpret 2>&1 | FileCheck %s --check-prefix=SELECT
func.func @known(%w: !graph.tensor<?xf32> {graph.layout = "any"}, %x: !graph.tensor<3xf32>, %n: i64) {
  %r = graph.resize_ %w size [2] : !graph.tensor<?xf32>
  %0 = graph.select %x index [%n] {dim = 0 : i64} : !graph.tensor<3xf32>
  %1 = graph.exp_ %0 : !graph.tensor<f32>
  return
}
