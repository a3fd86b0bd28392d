// RUN: terrace-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{argument 0: functional.donated = 1 names no result of the function}}
func.func @f(%x: tensor<4xf32> {functional.donated = 1 : i64}) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

// expected-error@+1 {{argument 0: functional.donated = 0 gives memory of type tensor<4xf32> to a result of type tensor<2xf32>: both are one tensor type}}
func.func @f(%x: tensor<4xf32> {functional.donated = 0 : i64}, %y: tensor<2xf32>) -> tensor<2xf32> { return %y : tensor<2xf32> }

// -----

// expected-error@+1 {{argument 0: functional.donated = 0 : i64 stands at arguments 0 and 1: a result has one memory}}
func.func @f(%x: tensor<4xf32> {functional.donated = 0 : i64}, %y: tensor<4xf32> {functional.donated = 0 : i64}) -> tensor<4xf32> { return %x : tensor<4xf32> }

// -----

func.func @f(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4x4xf32> {
  // expected-error@+1 {{functional.in_place = 1 names an operand of type tensor<4xf32>, in whose memory a result of type tensor<4x4xf32> does not fit}}
  %0 = functional.select_scatter %x, %y index [0] {functional.in_place = 1 : i64} : tensor<4x4xf32>, tensor<4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{functional.in_place = 3 names none of its 1 operands}}
  %0 = functional.neg %x {functional.in_place = 3 : i64} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{functional.in_place is a number from 0 on, as in 0 : i64, got}}
  %0 = functional.neg %x {functional.in_place = "a"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{argument 0: functional.layout has 1 strides for a tensor of 2 dimensions}}
func.func @f(%x: tensor<4x4xf32> {functional.layout = strided<[1]>}) { return }

// -----

// expected-error@+1 {{argument 0: functional.layout is strides and an offset, as in strided<[3, 1], offset: 2>, got}}
func.func @f(%x: tensor<4x4xf32> {functional.layout = "any"}) { return }

// -----

// expected-error@+1 {{argument 0: functional.layout stands at builtin tensors}}
func.func @f(%x: !graph.tensor<4x4xf32> {functional.layout = strided<[4, 1]>}) { return }

// -----

// expected-error@+1 {{argument 0: 'functional.gradient' does not stand here}}
func.func @f(%x: tensor<4xf32> {functional.gradient}) { return }

// -----

// expected-error@+1 {{argument 0: functional.tangent says nothing more, got 1 : i64}}
func.func @f(%x: tensor<4xf32> {functional.tangent = 1 : i64}) { return }
