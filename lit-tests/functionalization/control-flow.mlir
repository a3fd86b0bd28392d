// Mutation under control flow and behind calls: of locals, of captured tensors, of operands; aliases that come out of it.
// RUN: terrace-check %s
// RUN: terrace-check %s --compiled --runs=2 --forget=storages,layouts

func.func @"captured-tensors-are-written-in-branches"(%c: i1, %x: !graph.tensor<2x3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) -> !graph.tensor<3xf32> {
  %row = graph.select %x index [0] : !graph.tensor<2x3xf32>
  scf.if %c {
    %0 = graph.add_ %row, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    %1 = graph.neg_ %y : !graph.tensor<3xf32>
  } else {
    %0 = graph.mul_ %x, %x : !graph.tensor<2x3xf32>, !graph.tensor<2x3xf32>
  }
  return %row : !graph.tensor<3xf32>
}

func.func @"one-branch-only"(%c: i1, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %local = graph.exp %x : !graph.tensor<3xf32>
  scf.if %c {
    %0 = graph.neg_ %local : !graph.tensor<3xf32>
  }
  return %local : !graph.tensor<3xf32>
}

func.func @"a-branch-returns-an-alias-of-an-operand"(%c: i1, %x: !graph.tensor<2x3xf32> {graph.storage = "a"}, %y: !graph.tensor<2x3xf32> {graph.storage = "b"}) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %r = scf.if %c -> !graph.tensor<3xf32> {
    %0 = graph.select %x index [1] : !graph.tensor<2x3xf32>
    scf.yield %0 : !graph.tensor<3xf32>
  } else {
    %0 = graph.select %y index [0] : !graph.tensor<2x3xf32>
    scf.yield %0 : !graph.tensor<3xf32>
  }
  %first = graph.select %x index [1] : !graph.tensor<2x3xf32>
  %w = graph.exp_ %r : !graph.tensor<3xf32>
  return %r, %first : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"a-branch-returns-an-alias-and-the-other-a-new-tensor"(%c: i1, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %r = scf.if %c -> !graph.tensor<3xf32> {
    scf.yield %x : !graph.tensor<3xf32>
  } else {
    %0 = graph.neg %x : !graph.tensor<3xf32>
    scf.yield %0 : !graph.tensor<3xf32>
  }
  %w = graph.exp_ %r : !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}

// Strides come from the branch that was taken.
func.func @"branches-of-different-strides"(%c: i1, %x: !graph.tensor<3x3xf32>) -> !graph.tensor<3x3xf32> {
  %r = scf.if %c -> !graph.tensor<3x3xf32> {
    %t = graph.t %x : !graph.tensor<3x3xf32>
    %0 = graph.exp %t : !graph.tensor<3x3xf32>
    scf.yield %0 : !graph.tensor<3x3xf32>
  } else {
    %0 = graph.exp %x : !graph.tensor<3x3xf32>
    scf.yield %0 : !graph.tensor<3x3xf32>
  }
  %s = graph.sin %r : !graph.tensor<3x3xf32>
  return %s : !graph.tensor<3x3xf32>
}

// Two results that are one storage stay one.
func.func @"results-that-alias-each-other"(%c: i1, %x: !graph.tensor<2x3xf32>) -> (!graph.tensor<2x3xf32>, !graph.tensor<3xf32>) {
  %r:2 = scf.if %c -> (!graph.tensor<2x3xf32>, !graph.tensor<3xf32>) {
    %0 = graph.exp %x : !graph.tensor<2x3xf32>
    %1 = graph.select %0 index [1] : !graph.tensor<2x3xf32>
    scf.yield %0, %1 : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
  } else {
    %0 = graph.neg %x : !graph.tensor<2x3xf32>
    %1 = graph.select %x index [0] : !graph.tensor<2x3xf32>
    %2 = graph.clone %1 : !graph.tensor<3xf32>
    scf.yield %0, %2 : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
  }
  %w = graph.sin_ %r#1 : !graph.tensor<3xf32>
  return %r#0, %r#1 : !graph.tensor<2x3xf32>, !graph.tensor<3xf32>
}

// torch.cond in torch.cond drops the write of the operand.
func.func @"nested-branches"(%c: i1, %d: i1, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %two = arith.constant 2.0 : f64
  %r = scf.if %c -> !graph.tensor<3xf32> {
    %0 = scf.if %d -> !graph.tensor<3xf32> {
      %1 = graph.mul_ %x, %two : !graph.tensor<3xf32>, f64
      scf.yield %x : !graph.tensor<3xf32>
    } else {
      %1 = graph.add %x, %two : !graph.tensor<3xf32>, f64
      scf.yield %1 : !graph.tensor<3xf32>
    }
    %2 = graph.neg_ %0 : !graph.tensor<3xf32>
    scf.yield %0 : !graph.tensor<3xf32>
  } else {
    scf.yield %x : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}

func.func @"a-loop-carries-what-it-writes"(%n: index, %x: !graph.tensor<4x3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = graph.zeros [3] {dtype = f32}
  scf.for %i = %zero to %n step %one {
    %at = arith.index_cast %i : index to i64
    %row = graph.select %x index [%at] : !graph.tensor<4x3xf32>
    %0 = graph.add_ %sum, %row : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    %1 = graph.copy_ %row, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return %sum : !graph.tensor<3xf32>
}

func.func @"buffers-that-swap"(%n: index, %x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%from = %x, %to = %y) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
    %tail = graph.slice %to start [1] end [3] step [1] : !graph.tensor<3xf32>
    %head = graph.slice %from start [0] end [2] step [1] : !graph.tensor<3xf32>
    %0 = graph.add_ %tail, %head : !graph.tensor<2xf32>, !graph.tensor<2xf32>
    scf.yield %to, %from : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  %w = graph.neg_ %r#0 : !graph.tensor<3xf32>
  return %r#0, %r#1 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

func.func @"the-last-two-of-a-loop"(%n: i64, %x: !graph.tensor<3xf32>, %y: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:3 = scf.while (%i = %zero, %a = %x, %b = %y) : (i64, !graph.tensor<3xf32>, !graph.tensor<3xf32>) -> (i64, !graph.tensor<3xf32>, !graph.tensor<3xf32>) {
    %c = arith.cmpi slt, %i, %n : i64
    scf.condition(%c) %i, %a, %b : i64, !graph.tensor<3xf32>, !graph.tensor<3xf32>
  } do {
  ^bb0(%i: i64, %a: !graph.tensor<3xf32>, %b: !graph.tensor<3xf32>):
    %next = graph.add %a, %b : !graph.tensor<3xf32>, !graph.tensor<3xf32>
    %j = arith.addi %i, %one : i64
    scf.yield %j, %b, %next : i64, !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return %r#1, %r#2 : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

// A condition that depends on what the loop writes.
func.func @"a-loop-until-it-is-small"(%x: !graph.tensor<f32>) -> !graph.tensor<f32> {
  %half = arith.constant 0.5 : f64
  %limit = arith.constant 0.25 : f64
  scf.while : () -> () {
    %large = graph.gt %x, %limit : !graph.tensor<f32>, f64
    %c = graph.item %large : !graph.tensor<i1>
    scf.condition(%c)
  } do {
    %0 = graph.mul_ %x, %half : !graph.tensor<f32>, f64
    scf.yield
  }
  return %x : !graph.tensor<f32>
}

func.func @"loops-in-loops"(%n: index, %x: !graph.tensor<3x3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  scf.for %i = %zero to %n step %one {
    scf.for %j = %zero to %three step %one {
      %a = arith.index_cast %i : index to i64
      %b = arith.index_cast %j : index to i64
      %row = graph.select %x index [%b] : !graph.tensor<3x3xf32>
      %e = graph.select %row index [%b] : !graph.tensor<3xf32>
      %w = graph.add_ %e, %a : !graph.tensor<f32>, i64
    }
  }
  return
}

func.func @"one-of-two-tensors"(%c: i1, %x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) -> !graph.tensor<3xf32> {
  %r = arith.select %c, %x, %y : !graph.tensor<3xf32>
  %other = arith.select %c, %y, %x : !graph.tensor<3xf32>
  %w = graph.add_ %r, %other : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %v = graph.neg_ %x : !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}

func.func @"a-switch"(%k: index, %x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}) -> !graph.tensor<3xf32> {
  %r = scf.index_switch %k -> !graph.tensor<3xf32>
  case 0 {
    scf.yield %x : !graph.tensor<3xf32>
  }
  case 1 {
    %0 = graph.exp_ %x : !graph.tensor<3xf32>
    scf.yield %y : !graph.tensor<3xf32>
  }
  default {
    %0 = graph.exp %y : !graph.tensor<3xf32>
    scf.yield %0 : !graph.tensor<3xf32>
  }
  %w = graph.neg_ %r : !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}

func.func @"blocks-that-loop"(%n: i64, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%zero, %x : i64, !graph.tensor<3xf32>)
^head(%i: i64, %a: !graph.tensor<3xf32>):
  %c = arith.cmpi slt, %i, %n : i64
  cf.cond_br %c, ^body, ^exit
^body:
  %b = graph.add %a, %x : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  %j = arith.addi %i, %one : i64
  %w = graph.neg_ %x : !graph.tensor<3xf32>
  %odd = arith.andi %i, %one : i64
  %d = arith.cmpi eq, %odd, %one : i64
  cf.cond_br %d, ^head(%j, %b : i64, !graph.tensor<3xf32>), ^head(%j, %a : i64, !graph.tensor<3xf32>)
^exit:
  %v = graph.exp_ %a : !graph.tensor<3xf32>
  return %a : !graph.tensor<3xf32>
}

// Both blocks of a loop are entered from outside: no loop of a language.
func.func @"blocks-that-are-entered-in-two-places"(%c: i1, %n: i64, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.cond_br %c, ^first(%zero : i64), ^second(%zero : i64)
^first(%i: i64):
  %0 = graph.neg_ %x : !graph.tensor<3xf32>
  cf.br ^second(%i : i64)
^second(%j: i64):
  %1 = graph.add_ %x, %one : !graph.tensor<3xf32>, i64
  %k = arith.addi %j, %one : i64
  %d = arith.cmpi slt, %k, %n : i64
  cf.cond_br %d, ^first(%k : i64), ^exit
^exit:
  return %x : !graph.tensor<3xf32>
}

func.func private @halve_first(%x: !graph.tensor<2x3xf32>) -> !graph.tensor<3xf32> {
  %half = arith.constant 0.5 : f64
  %row = graph.select %x index [0] : !graph.tensor<2x3xf32>
  %w = graph.mul_ %row, %half : !graph.tensor<3xf32>, f64
  return %row : !graph.tensor<3xf32>
}

func.func private @twice(%c: i1, %x: !graph.tensor<2x3xf32>) -> !graph.tensor<3xf32> {
  %0 = func.call @halve_first(%x) : (!graph.tensor<2x3xf32>) -> !graph.tensor<3xf32>
  %r = scf.if %c -> !graph.tensor<3xf32> {
    %1 = func.call @halve_first(%x) : (!graph.tensor<2x3xf32>) -> !graph.tensor<3xf32>
    scf.yield %1 : !graph.tensor<3xf32>
  } else {
    %1 = graph.exp %0 : !graph.tensor<3xf32>
    scf.yield %1 : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}

func.func @"calls-of-calls"(%c: i1, %x: !graph.tensor<3x2xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3x2xf32>) {
  %t = graph.t %x : !graph.tensor<3x2xf32>
  %r = func.call @twice(%c, %t) : (i1, !graph.tensor<2x3xf32>) -> !graph.tensor<3xf32>
  %w = graph.neg_ %r : !graph.tensor<3xf32>
  return %r, %x : !graph.tensor<3xf32>, !graph.tensor<3x2xf32>
}

// What goes into the loop is another result too: the loop may not take its storage over.
func.func @"not-taken-over-where-another-value-has-the-storage"(%c: i1, %n: index, %x: !graph.tensor<3xf32>) -> (!graph.tensor<3xf32>, !graph.tensor<3xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = graph.exp %x : !graph.tensor<3xf32>
  %either = arith.select %c, %y, %y : !graph.tensor<3xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %either) -> (!graph.tensor<3xf32>) {
    %w = graph.neg_ %a : !graph.tensor<3xf32>
    scf.yield %a : !graph.tensor<3xf32>
  }
  return %r, %y : !graph.tensor<3xf32>, !graph.tensor<3xf32>
}

// Each round gives back the same tensor, as the round before has written it.
func.func @"not-taken-over-round-after-round"(%n: index, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %y = graph.exp %x : !graph.tensor<3xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %x) -> (!graph.tensor<3xf32>) {
    %c = graph.clone %a : !graph.tensor<3xf32>
    %w = graph.mul_ %a, %two : !graph.tensor<3xf32>, i64
    scf.yield %y : !graph.tensor<3xf32>
  }
  return %r : !graph.tensor<3xf32>
}

// In another block than the branch it is made once, and taken each time that the branch is.
func.func @"not-taken-over-in-a-loop-around"(%n: index, %c: i1, %x: !graph.tensor<3xf32>) -> !graph.tensor<3xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %y = graph.exp %x : !graph.tensor<3xf32>
  %sum = graph.zeros [3] {dtype = f32}
  scf.for %i = %zero to %n step %one {
    %r = scf.if %c -> !graph.tensor<3xf32> {
      scf.yield %y : !graph.tensor<3xf32>
    } else {
      %e = graph.neg %x : !graph.tensor<3xf32>
      scf.yield %e : !graph.tensor<3xf32>
    }
    %w = graph.mul_ %r, %two : !graph.tensor<3xf32>, i64
    %s = graph.add_ %sum, %r : !graph.tensor<3xf32>, !graph.tensor<3xf32>
  }
  return %sum : !graph.tensor<3xf32>
}

// The truth value that selects is computed from elements, which become values first.
func.func @"a-condition-of-elements"(%x: !graph.tensor<3xf32> {graph.storage = "a"}, %y: !graph.tensor<3xf32> {graph.storage = "b"}, %f: !graph.tensor<i1> {graph.storage = "f"}) -> !graph.tensor<3xf32> {
  %c = graph.item %f : !graph.tensor<i1>
  %r = scf.if %c -> !graph.tensor<3xf32> {
    scf.yield %x : !graph.tensor<3xf32>
  } else {
    scf.yield %y : !graph.tensor<3xf32>
  }
  %w = graph.exp_ %r : !graph.tensor<3xf32>
  return %r : !graph.tensor<3xf32>
}
