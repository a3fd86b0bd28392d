// A function that runs as it is written knows of each tensor whether it is a conjugate or a negative: one is the same on all ways.
// RUN: terrace-opt %s --graph-outline-eager --split-input-file --verify-diagnostics

func.func @in_rounds(%x: !graph.tensor<4xcomplex<f32>>) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant 3 : index
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  // expected-error @+1 {{'scf.for' op gives a tensor that is a conjugate or a negative on some ways and none on others, in a function that runs as it is written: take resolve_conj or resolve_neg of it}}
  %r = scf.for %i = %zero to %rounds step %one iter_args(%a = %0) -> !graph.tensor<4xcomplex<f32>> {
    %1 = graph.neg %a : !graph.tensor<4xcomplex<f32>>
    scf.yield %1 : !graph.tensor<4xcomplex<f32>>
  }
  return %r : !graph.tensor<4xcomplex<f32>>
}

// -----

func.func @on_ways(%x: !graph.tensor<4xcomplex<f32>>, %c: i1) -> !graph.tensor<4xcomplex<f32>> attributes {graph.eager} {
  %0 = graph._conj %x : !graph.tensor<4xcomplex<f32>>
  // expected-error @+1 {{'scf.if' op gives a tensor that is a conjugate or a negative on some ways and none on others}}
  %r = scf.if %c -> !graph.tensor<4xcomplex<f32>> {
    scf.yield %0 : !graph.tensor<4xcomplex<f32>>
  } else {
    scf.yield %x : !graph.tensor<4xcomplex<f32>>
  }
  return %r : !graph.tensor<4xcomplex<f32>>
}

// -----

func.func @selected(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  // expected-error @+1 {{'arith.select' op gives a tensor that is a conjugate or a negative on some ways and none on others}}
  %r = arith.select %c, %x, %0 : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}

// -----

func.func @until(%x: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  // expected-error @+1 {{'scf.while' op gives a tensor that is a conjugate or a negative on some ways and none on others}}
  %r = scf.while (%a = %x) : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32> {
    scf.condition(%c) %a : !graph.tensor<4xf32>
  } do {
  ^bb0(%a: !graph.tensor<4xf32>):
    %0 = graph._neg_view %a : !graph.tensor<4xf32>
    scf.yield %0 : !graph.tensor<4xf32>
  }
  return %r : !graph.tensor<4xf32>
}

// -----

// Both are: no error.
func.func @both(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>, %c: i1) -> !graph.tensor<4xf32> attributes {graph.eager} {
  %0 = graph._neg_view %x : !graph.tensor<4xf32>
  %1 = graph._neg_view %y : !graph.tensor<4xf32>
  %r = arith.select %c, %0, %1 : !graph.tensor<4xf32>
  return %r : !graph.tensor<4xf32>
}
