// RUN: terrace-opt %s --graph-specialize-aliases --split-input-file --verify-diagnostics
// RUN: not terrace-opt %s --graph-specialize-aliases=variants=equal --split-input-file 2>&1 | FileCheck %s
// RUN: not terrace-opt %s --graph-specialize-aliases=max-variants=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=NUMBER
// CHECK: there is no variant 'equal': there are disjoint, same, same-storage
// NUMBER: max-variants is not negative, got -1

func.func @recursive(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  // expected-error @+1 {{'func.call' op calls @recursive, which is being called}}
  call @recursive(%x, %y) : (!graph.tensor<4xf32>, !graph.tensor<4xf32>) -> ()
  return
}

// -----

func.func private @elsewhere(!graph.tensor<4xf32>)

func.func @unknown(%x: !graph.tensor<4xf32>, %y: !graph.tensor<4xf32>) {
  // expected-error @+1 {{calls @elsewhere, of which nothing is known: it has no body here}}
  call @elsewhere(%x) : (!graph.tensor<4xf32>) -> ()
  return
}

// -----

// Where nothing is to be tested nothing is asked.
func.func private @elsewhere(!graph.tensor<4xf32>)

func.func @declared(%x: !graph.tensor<4xf32> {graph.storage = "s"}, %y: !graph.tensor<4xf32> {graph.storage = "t"}) {
  call @elsewhere(%x) : (!graph.tensor<4xf32>) -> ()
  return
}
