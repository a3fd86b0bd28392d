// RUN: terrace-opt %s --graph-propagate-fake | FileCheck %s

// A tensor that comes one of two ways is in the storage of either; sizes on which they differ are symbols.
// CHECK-LABEL: func.func @either
// CHECK-SAME: graph.symbols = ["s0: by the way taken at operation 0", "s1: by the way taken at operation 0"]
func.func @either(%c: i1, %x: !graph.tensor<4x6xf32>, %y: !graph.tensor<4x6xf32>) -> !graph.tensor<4x?xf32> {
  // CHECK: scf.if
  %0 = scf.if %c -> (!graph.tensor<4x?xf32>) {
    %start = arith.constant 0 : i64
    %a = graph.slice %x start [%start] end [4] step [1] {dim = 1} : !graph.tensor<4x6xf32>
    scf.yield %a : !graph.tensor<4x?xf32>
  } else {
    %start = arith.constant 1 : i64
    %b = graph.slice %y start [%start] end [4] step [1] {dim = 1} : !graph.tensor<4x6xf32>
    scf.yield %b : !graph.tensor<4x?xf32>
  // CHECK: } {graph.fake = ["f32[4, s0] strides [6, 1] offset s1 storage 0 or 1 object
  }
  return %0 : !graph.tensor<4x?xf32>
}

// One way that is always the same tensor stays it.
// CHECK-LABEL: func.func @same
func.func @same(%c: i1, %x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  // CHECK: } {graph.fake = ["f32[4] strides [1] storage 0 object 0"]}
  %0 = scf.if %c -> (!graph.tensor<4xf32>) {
    %a = graph.neg_ %x : !graph.tensor<4xf32>
    scf.yield %a : !graph.tensor<4xf32>
  } else {
    scf.yield %x : !graph.tensor<4xf32>
  }
  return %0 : !graph.tensor<4xf32>
}

// Buffers that move on in a loop: after it each may be in any storage that can have come to it.
// CHECK-LABEL: func.func @swapped
func.func @swapped(%n: index, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>)
    -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
  %lo = arith.constant 0 : index
  %step = arith.constant 1 : index
  // CHECK: } {graph.fake = ["f32[4] strides [1] storage 0 or 1 or 2 object 3", "f32[4] strides [1] storage 1 or 2 object 4"]}
  %0:2 = scf.for %i = %lo to %n step %step iter_args(%a = %x, %b = %y)
      -> (!graph.tensor<4xf32>, !graph.tensor<4xf32>) {
    %c = graph.add %a, %b : !graph.tensor<4xf32>, !graph.tensor<4xf32>
    scf.yield %b, %c : !graph.tensor<4xf32>, !graph.tensor<4xf32>
  }
  return %0#0, %0#1 : !graph.tensor<4xf32>, !graph.tensor<4xf32>
}

// A tensor that grows in a loop has a size that depends on how often it was gone round.
// CHECK-LABEL: func.func @grows
func.func @grows(%n: index, %x: !graph.tensor<2xf32>) -> !graph.tensor<?xi64> {
  %lo = arith.constant 0 : index
  %step = arith.constant 1 : index
  %0 = graph.nonzero %x : !graph.tensor<2xf32>
  %1 = graph.select %0 index [0] {dim = 1} : !graph.tensor<?x1xi64>
  // CHECK: scf.for
  %2 = scf.for %i = %lo to %n step %step iter_args(%a = %1) -> (!graph.tensor<?xi64>) {
    // CHECK: graph.cat {{.*}}graph.fake = ["i64[s1 + s3] strides [1]
    %b = graph.cat %a, %1 : !graph.tensor<?xi64>, !graph.tensor<?xi64>
    scf.yield %b : !graph.tensor<?xi64>
  }
  // CHECK: graph.neg {{.*}}graph.fake = ["i64[s3] strides [1]
  %3 = graph.neg %2 : !graph.tensor<?xi64>
  return %3 : !graph.tensor<?xi64>
}

// CHECK-LABEL: func.func @while
func.func @while(%c: i1, %x: !graph.tensor<2x2xf32>) -> !graph.tensor<2x2xf32> {
  // CHECK: } attributes {graph.fake = ["f32[2, 2] strides [s0, s1] storage 0 object 2"]}
  %0 = scf.while (%a = %x) : (!graph.tensor<2x2xf32>) -> !graph.tensor<2x2xf32> {
    scf.condition(%c) %a : !graph.tensor<2x2xf32>
  } do {
  ^bb0(%b: !graph.tensor<2x2xf32>):
    %t = graph.t %b : !graph.tensor<2x2xf32>
    scf.yield %t : !graph.tensor<2x2xf32>
  }
  return %0 : !graph.tensor<2x2xf32>
}

// Blocks that meet, and a loop of blocks.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%c: i1, %x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  cf.cond_br %c, ^head(%x : !graph.tensor<4xf32>), ^head(%y : !graph.tensor<4xf32>)
^head(%a: !graph.tensor<4xf32>):
  // CHECK: graph.neg_ {{.*}}storage 0 or 1 or 2 object
  %0 = graph.neg_ %a : !graph.tensor<4xf32>
  // CHECK: graph.exp {{.*}}storage 2 object
  %1 = graph.exp %0 : !graph.tensor<4xf32>
  cf.cond_br %c, ^head(%1 : !graph.tensor<4xf32>), ^exit
^exit:
  return %1 : !graph.tensor<4xf32>
}

// A call gives what the function gives for these tensors.
// CHECK-LABEL: func.func @row
func.func @row(%x: !graph.tensor<?x?xf32>) -> !graph.tensor<?xf32> {
  %0 = graph.select %x index [1] {dim = 0} : !graph.tensor<?x?xf32>
  return %0 : !graph.tensor<?xf32>
}

// CHECK-LABEL: func.func @calls
func.func @calls(%x: !graph.tensor<?x?xf32>, %y: !graph.tensor<?x?xf32>) -> !graph.tensor<?xf32> {
  // What the function takes for granted is a guard of the call.
  // CHECK: call @row({{.*}}graph.fake = ["f32[s1] strides [1] offset max(s1, 1) storage 0 object {{.*}}graph.guards = ["1 < s0"]
  %0 = func.call @row(%x) : (!graph.tensor<?x?xf32>) -> !graph.tensor<?xf32>
  // CHECK: call @row({{.*}}graph.fake = ["f32[s3] strides [1] offset max(s3, 1) storage 1 object {{.*}}graph.guards = ["1 < s2"]
  %1 = func.call @row(%y) : (!graph.tensor<?x?xf32>) -> !graph.tensor<?xf32>
  return %1 : !graph.tensor<?xf32>
}

// A number that goes round may be negative, unlike a size.
// CHECK-LABEL: func.func @counts_down
func.func @counts_down(%n: index, %x: !graph.tensor<8xf32>) -> !graph.tensor<?xf32> {
  %lo = arith.constant 0 : index
  %step = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i64
  %0 = scf.for %i = %lo to %n step %step iter_args(%k = %three) -> (i64) {
    %less = arith.subi %k, %one : i64
    scf.yield %less : i64
  }
  // CHECK: graph.slice {{.*}}graph.guards = ["-1 < s2"
  %1 = graph.slice %x start [%0] end [8] step [1] : !graph.tensor<8xf32>
  return %1 : !graph.tensor<?xf32>
}

// A branch by other means has nothing to do with the tensors beside it.
// CHECK-LABEL: func.func @switch
func.func @switch(%c: i32, %x: !graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
  cf.switch %c : i32, [default: ^next, 1: ^next]
^next:
  // CHECK: graph.neg {{.*}}graph.fake = ["f32[4] strides [1] storage 1 object 1"]
  %0 = graph.neg %x : !graph.tensor<4xf32>
  return %0 : !graph.tensor<4xf32>
}

// CHECK-LABEL: module @inner
module @inner {
  // CHECK: graph.fake = "f32[4] strides [1] storage 0 object 0"
  func.func @nested(%x: !graph.tensor<4xf32>) {
    return
  }
}
