// RUN: terrace-opt %s --split-input-file --verify-diagnostics

func.func @kinds(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'k' is f64 by the schema, got !graph.tensor<4xf32>}}
  graph.custom @f(%x) {schema = "(float k) -> ()"} : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func @count(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{has 1 operands, its schema wants 2}}
  graph.custom @f(%x) {schema = "(Tensor x, Tensor y) -> ()"} : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func @optional(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'segments' has no number for 'y', a list or optional}}
  graph.custom @f(%x) {schema = "(Tensor x, Tensor? y) -> ()"} : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func @results(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{has 1 results, its schema gives 2}}
  %0 = graph.custom @f(%x) {schema = "(Tensor x) -> (Tensor, Tensor)"} : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  return
}

// -----

func.func @written(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{result 0 is 'x', which is written, but has another type}}
  %0 = graph.custom @f(%x) {schema = "(Tensor(a!) x) -> Tensor(a!)"} : (!graph.tensor<4xf32>) -> !graph.tensor<2xf32>
  return
}

// -----

func.func @notation(%x: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'schema' has a result of the storages 'b', which no argument names}}
  %0 = graph.custom @f(%x) {schema = "(Tensor(a) x) -> Tensor(b)"} : (!graph.tensor<4xf32>) -> !graph.tensor<4xf32>
  return
}
