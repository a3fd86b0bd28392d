// What the issues of affine-loop-fusion do with buffers, as tensors and views of them in the graph: interpreted, brought down to
// loop operations, and compiled.

// RUN: terrace-check %s
// RUN: terrace-run %s --entry padded | FileCheck %s --check-prefix=PADDED
// RUN: terrace-run %s --entry changed-between | FileCheck %s --check-prefix=BETWEEN
// RUN: terrace-run %s --entry changed-inside | FileCheck %s --check-prefix=INSIDE
// RUN: terrace-run %s --entry read-in-every-round | FileCheck %s --check-prefix=ROUND
// RUN: terrace-run %s --entry scaled-and-copied | FileCheck %s --check-prefix=SCALED
// REQUIRES: x86

// 218696: filled, written through a view, read as a whole.
// PADDED: [1.0, 1.0, 1.0, 1.0, 1.0, 4.0, 4.0, 1.0, 1.0, 4.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0]
func.func @padded() -> !graph.tensor<4x4xf32> {
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %p = graph.zeros [4, 4] {dtype = f32}
  %rows = graph.slice %p start [1] end [3] step [1] {dim = 0} : !graph.tensor<4x4xf32>
  %inner = graph.slice %rows start [1] end [3] step [1] {dim = 1} : !graph.tensor<2x4xf32>
  %written = graph.add_ %inner, %three : !graph.tensor<2x2xf32>, f64
  %r = graph.add %p, %one : !graph.tensor<4x4xf32>, f64
  return %r : !graph.tensor<4x4xf32>
}

// 211599: changed by a function, to which it goes as another view.
// BETWEEN: [212.0, 212.0, 212.0, 212.0]
func.func private @change(%x: !graph.tensor<2x4xf32> {graph.layout = "any"}) {
  %k = arith.constant 100.0 : f64
  %y = graph.add_ %x, %k : !graph.tensor<2x4xf32>, f64
  return
}
func.func @"changed-between"() -> !graph.tensor<4xf32> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %x = graph.zeros [8] {dtype = f32}
  %f = graph.add_ %x, %three : !graph.tensor<8xf32>, f64
  %between = graph.mul %x, %two : !graph.tensor<8xf32>, f64
  %other = graph.view %between size [2, 4] : !graph.tensor<8xf32>
  call @change(%other) : (!graph.tensor<2x4xf32>) -> ()
  %first = graph.slice %between start [0] end [4] step [1] {dim = 0} : !graph.tensor<8xf32>
  %r = graph.mul %first, %two : !graph.tensor<4xf32>, f64
  return %r : !graph.tensor<4xf32>
}

// 211591: changed as a whole in each round of a loop that writes it element by element.
// INSIDE: [812.0, 612.0, 412.0, 212.0]
func.func @"changed-inside"() -> !graph.tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f64
  %six = arith.constant 6.0 : f64
  %k = arith.constant 100.0 : f64
  %between = graph.zeros [4] {dtype = f32}
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.index_cast %i : index to i64
    %e = graph.select %between index [%n] {dim = 0} : !graph.tensor<4xf32>
    %f = graph.fill_ %e, %six : !graph.tensor<f32>, f64
    %g = graph.add_ %between, %k : !graph.tensor<4xf32>, f64
  }
  %r = graph.mul %between, %two : !graph.tensor<4xf32>, f64
  return %r : !graph.tensor<4xf32>
}

// 212032: what is computed of an element that is overwritten later.
// ROUND: [3.0, 6.0, 6.0, 6.0]
func.func @"read-in-every-round"() -> !graph.tensor<4xf32> {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %a = graph.zeros [4] {dtype = f32}
  %f = graph.add_ %a, %three : !graph.tensor<4xf32>, f64
  %c = graph.zeros [3] {dtype = f32}
  %g = graph.add_ %c, %two : !graph.tensor<3xf32>, f64
  %first = graph.select %a index [1] {dim = 0} : !graph.tensor<4xf32>
  %between = graph.mul %c, %first : !graph.tensor<3xf32>, !graph.tensor<f32>
  %rest = graph.slice %a start [1] end [4] step [1] {dim = 0} : !graph.tensor<4xf32>
  %w = graph.copy_ %rest, %between : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  return %a : !graph.tensor<4xf32>
}

// 210490: scaled in place, and copied in part.
// SCALED: [6.0, 6.0, 6.0, 6.0]
// SCALED: [6.0, 6.0]
func.func @"scaled-and-copied"() -> (!graph.tensor<4xf32>, !graph.tensor<2xf32>) {
  %two = arith.constant 2.0 : f64
  %three = arith.constant 3.0 : f64
  %x = graph.zeros [4] {dtype = f32}
  %f = graph.add_ %x, %three : !graph.tensor<4xf32>, f64
  %y = graph.zeros [2] {dtype = f32}
  %s = graph.mul_ %x, %two : !graph.tensor<4xf32>, f64
  %first = graph.slice %x start [0] end [2] step [1] {dim = 0} : !graph.tensor<4xf32>
  %w = graph.copy_ %y, %first : !graph.tensor<2xf32>, !graph.tensor<2xf32>
  return %x, %y : !graph.tensor<4xf32>, !graph.tensor<2xf32>
}
